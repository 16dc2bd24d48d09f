//! Appends per second, beside a bare client that makes the same writes. Printed, and not judged: the
//! machine may be at other things.
//!
//! All stores are measured by one test, one after the other, so that they do not measure each other.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]
#![cfg(any(
    feature = "sqlite",
    feature = "postgres",
    feature = "redis",
    feature = "neo4j"
))]

mod common;

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use common::turns::turn;
use vernal_core::memory::ChatMemoryRepository;
use vernal_core::message::Message;

/// How long each client is measured.
const TIME: Duration = Duration::from_secs(1);

type Turn = Vec<Arc<Message>>;

/// How often the work gets done in a second, turn after turn.
async fn per_second<F: Future<Output = ()>>(
    turns: &[Turn],
    mut work: impl FnMut(usize, Turn) -> F,
) -> f64 {
    let mut turns = turns.iter().cloned().enumerate();
    for (number, turn) in turns.by_ref().take(10) {
        work(number, turn).await;
    }
    let (start, mut done) = (Instant::now(), 0);
    for (number, turn) in turns {
        work(number, turn).await;
        done += 1;
        if start.elapsed() > TIME {
            break;
        }
    }
    f64::from(done) / start.elapsed().as_secs_f64()
}

async fn of_repository(repository: &impl ChatMemoryRepository) -> f64 {
    let turns: Vec<_> = (0..30_000).map(turn).collect();
    let id = &common::conversation("speed");
    let speed = per_second(&turns, |_, turn| async move {
        repository.append(id, &turn).await.unwrap();
    });
    let speed = speed.await;
    repository.delete(id).await.unwrap();
    speed
}

fn show(repository: &impl ChatMemoryRepository, own: f64, bare: f64) {
    println!(
        "{:<10}{own:>7.0} appends per second of a turn of 4 messages, one after the other; a bare \
         client making the same writes: {bare:.0} ({:.0} %)",
        repository.name(),
        100.0 * own / bare
    );
}

/// Ids and bodies of a turn, as they are stored.
fn bodies(turn: &Turn) -> Vec<(String, String)> {
    let body = |message: &Arc<Message>| {
        (
            message.id().to_string(),
            serde_json::to_string(message).unwrap(),
        )
    };
    turn.iter().map(body).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn appends_per_second() {
    let turns: Vec<_> = (0..30_000).map(turn).collect();
    #[cfg(feature = "sqlite")]
    sqlite::measure(&turns).await;
    #[cfg(feature = "postgres")]
    postgres::measure(&turns).await;
    #[cfg(feature = "redis")]
    redis::measure(&turns).await;
    #[cfg(feature = "neo4j")]
    neo4j::measure(&turns).await;
}

#[cfg(feature = "sqlite")]
mod sqlite {
    use rusqlite::Connection;
    use vernal_memory::SqliteChatMemoryRepository;

    use super::{Message, Turn, bodies, of_repository, per_second, show};

    pub(super) async fn measure(turns: &[Turn]) {
        let folder = std::env::temp_dir().join(format!("vernal-speed-{}", Message::user("").id()));
        std::fs::create_dir(&folder).unwrap();
        let repository = SqliteChatMemoryRepository::open(folder.join("own.db"))
            .await
            .unwrap();
        let own = of_repository(&repository).await;
        let bare = Connection::open(folder.join("bare.db")).unwrap();
        let set = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;";
        let table = "CREATE TABLE m (c INTEGER, p INTEGER, id TEXT, body TEXT, PRIMARY KEY (c, p),
                     UNIQUE (c, id)) WITHOUT ROWID;";
        bare.execute_batch(&format!("{set}{table}")).unwrap();
        let speed = per_second(turns, |number, turn| {
            bare.execute_batch("BEGIN IMMEDIATE").unwrap();
            for (at, (id, body)) in bodies(&turn).iter().enumerate() {
                let mut insert = bare
                    .prepare_cached("INSERT INTO m VALUES (1, ?1, ?2, ?3)")
                    .unwrap();
                insert
                    .execute((i64::try_from(number * 4 + at).unwrap(), id, body))
                    .unwrap();
            }
            bare.execute_batch("COMMIT").unwrap();
            std::future::ready(())
        });
        show(&repository, own, speed.await);
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[cfg(feature = "postgres")]
mod postgres {
    use tokio_postgres::NoTls;
    use vernal_memory::PostgresChatMemoryRepository;

    use super::common::services::variable;
    use super::{Turn, bodies, of_repository, per_second, show};

    pub(super) async fn measure(turns: &[Turn]) {
        let Some(url) = variable("postgres", "VERNAL_POSTGRES_URL") else {
            return;
        };
        let repository = PostgresChatMemoryRepository::builder(&url)
            .open()
            .await
            .unwrap();
        let own = of_repository(&repository).await;
        let (bare, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
        tokio::spawn(connection);
        let table = "DROP TABLE IF EXISTS speed;
                     CREATE TABLE speed (c bigint, p bigint, id text, body text,
                                         PRIMARY KEY (c, p), UNIQUE (c, id))";
        bare.batch_execute(table).await.unwrap();
        let insert = "INSERT INTO speed SELECT 1, $1 + m.p, m.id, m.body
                      FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS m (id, body, p)";
        let insert = bare.prepare(insert).await.unwrap();
        let (bare, insert) = (&bare, &insert);
        let speed = per_second(turns, |number, turn| async move {
            let (ids, bodies): (Vec<_>, Vec<_>) = bodies(&turn).into_iter().unzip();
            let first = i64::try_from(number * 4).unwrap();
            bare.execute(insert, &[&first, &ids, &bodies])
                .await
                .unwrap();
        });
        show(&repository, own, speed.await);
        bare.batch_execute("DROP TABLE speed").await.unwrap();
    }
}

#[cfg(feature = "redis")]
mod redis {
    use redis::{Client, cmd};
    use vernal_memory::RedisChatMemoryRepository;

    use super::common::services::variable;
    use super::{Turn, bodies, of_repository, per_second, show};

    pub(super) async fn measure(turns: &[Turn]) {
        let Some(url) = variable("redis", "VERNAL_REDIS_URL") else {
            return;
        };
        let repository = RedisChatMemoryRepository::builder(&url)
            .open()
            .await
            .unwrap();
        let own = of_repository(&repository).await;
        let client = Client::open(url).unwrap();
        let connection = client.get_multiplexed_async_connection().await.unwrap();
        let speed = per_second(turns, |number, turn| {
            let mut connection = connection.clone();
            async move {
                let mut set = cmd("HSET");
                set.arg("speed");
                for (at, (id, body)) in bodies(&turn).into_iter().enumerate() {
                    let place = number * 4 + at;
                    set.arg(format!("#{place}"))
                        .arg(body)
                        .arg(format!("@{id}"))
                        .arg(place);
                }
                set.query_async::<()>(&mut connection).await.unwrap();
            }
        });
        show(&repository, own, speed.await);
        cmd("DEL")
            .arg("speed")
            .query_async::<()>(&mut connection.clone())
            .await
            .unwrap();
    }
}

#[cfg(feature = "neo4j")]
mod neo4j {
    use neo4rs::{Graph, query};
    use vernal_memory::Neo4jChatMemoryRepository;

    use super::common::services::variable;
    use super::{Turn, bodies, of_repository, per_second, show};

    pub(super) async fn measure(turns: &[Turn]) {
        let part = |name: &str| variable("neo4j", &format!("VERNAL_NEO4J_{name}"));
        let (Some(url), Some(user), Some(password)) = (part("URL"), part("USER"), part("PASSWORD"))
        else {
            return;
        };
        let builder = Neo4jChatMemoryRepository::builder(&url).credentials(&user, &password);
        let repository = builder.open().await.unwrap();
        let own = of_repository(&repository).await;
        let bare = &Graph::new(&url, &user, &password).unwrap();
        bare.run(query("CREATE (:Speed)")).await.unwrap();
        let speed = per_second(turns, |number, turn| async move {
            let (ids, bodies): (Vec<_>, Vec<_>) = bodies(&turn).into_iter().unzip();
            let write = "MATCH (c:Speed) UNWIND range(0, size($ids) - 1) AS at
                         CREATE (c)-[:HOLDS]->(:SpeedMessage {
                             key: $ids[at], position: $first + at, body: $bodies[at]
                         })";
            let write = query(write).param("ids", ids).param("bodies", bodies);
            let first = i64::try_from(number * 4).unwrap();
            bare.run(write.param("first", first)).await.unwrap();
        });
        show(&repository, own, speed.await);
        bare.run(query("MATCH (c:Speed)-[:HOLDS]->(m) DETACH DELETE c, m"))
            .await
            .unwrap();
    }
}
