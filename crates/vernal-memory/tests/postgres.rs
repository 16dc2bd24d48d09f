//! PostgreSQL, as `cargo xtask services` starts it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use std::time::{Duration, Instant};

use common::proxy::{PATIENCE, Proxy, host_and_port};
use common::services::{Control, alone, variable};
use common::turns::{kept, turn};
use common::{advisor, assert_error, conversation, crash, network};
use tokio_postgres::{Client, NoTls};
use vernal_core::memory::{ChatMemoryRepository, MemoryErrorKind};
use vernal_core::message::Message;
use vernal_memory::{PostgresChatMemoryRepository, PostgresChatMemoryRepositoryBuilder};
use vernal_testing::{MemoryConformanceOptions, memory_conformance_with};

const STORE: &str = "postgres";

fn url() -> Option<String> {
    variable(STORE, "VERNAL_POSTGRES_URL")
}

fn builder(url: &str) -> PostgresChatMemoryRepositoryBuilder {
    PostgresChatMemoryRepository::builder(url)
}

async fn open(url: &str) -> PostgresChatMemoryRepository {
    builder(url).open().await.unwrap()
}

async fn bare(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// The URL of a new, empty database.
async fn database(url: &str) -> String {
    let name = format!("test_{}", Message::user("").id());
    bare(url)
        .await
        .batch_execute(&format!("CREATE DATABASE {name}"))
        .await
        .unwrap();
    format!("{}/{name}", url.rsplit_once('/').unwrap().0)
}

#[tokio::test(flavor = "multi_thread")]
async fn it_conforms_at_full_size() {
    let Some(url) = url() else { return };
    let _alone = alone().await;
    let full = MemoryConformanceOptions::full();
    memory_conformance_with(full, async || open(&url).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whole_turns_of_a_client_are_remembered() {
    let Some(url) = url() else { return };
    let _alone = alone().await;
    advisor::whole_turns(async || open(&url).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_open_a_new_database_at_once() {
    let Some(url) = url() else { return };
    let _alone = alone().await;
    let url = database(&url).await;
    let opens = (0..16).map(|_| tokio::spawn(builder(&url).max_connections(1).open()));
    for opened in futures::future::join_all(opens).await {
        opened.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_slow_or_broken_network_is_borne() {
    let Some(url) = url() else { return };
    let _alone = alone().await;
    let server = host_and_port(&url);
    let proxy = Proxy::to(server.clone()).await;
    let limit = Duration::from_millis(500);
    let builder = builder(&url.replace(&server, &proxy.address.to_string()));
    let repository = builder
        .operation_timeout(limit)
        .connect_timeout(limit)
        .build()
        .unwrap();
    network::slow_and_broken(&repository, &proxy).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_the_server_ends_are_replaced() {
    let Some(url) = url() else { return };
    let _alone = alone().await;
    let (repository, admin) = (open(&url).await, bare(&url).await);
    network::disturbed(&repository, async || {
        for _ in 0..5 {
            let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                       WHERE application_name = 'vernal-memory'";
            admin.query_one(end, &[]).await.unwrap();
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_and_returns_is_used_again() {
    let (Some(url), Some(control)) = (url(), Control::new(STORE)) else {
        return;
    };
    let _alone = alone().await;
    let repository = open(&url).await;
    network::disturbed(&repository, async || {
        control.kill(STORE).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        control.start(STORE).await;
    })
    .await;
}

#[tokio::test]
async fn a_lock_that_another_holds_is_waited_for_within_limits() {
    let Some(url) = url() else { return };
    let _alone = alone().await;
    let repository = open(&url).await;
    let id = conversation("locked");
    repository.append(&id, &turn(0)).await.unwrap();
    let other = bare(&url).await;
    let lock = "SELECT number FROM vernal_conversation WHERE id = $1 FOR UPDATE";
    other.batch_execute("BEGIN").await.unwrap();
    other.query_one(lock, &[&id.as_str()]).await.unwrap();
    let hasty = builder(&url)
        .operation_timeout(Duration::from_millis(400))
        .open()
        .await
        .unwrap();
    let start = Instant::now();
    let error = hasty.append(&id, &turn(1)).await.unwrap_err();
    assert_error(
        &error,
        MemoryErrorKind::Timeout,
        &["postgres: cannot append to", id.as_str()],
    );
    assert!(start.elapsed() < PATIENCE);
    assert_eq!(kept(&hasty, &id).await, [0], "readers do not wait");
    let elsewhere = conversation("not locked");
    hasty.append(&elsewhere, &turn(0)).await.unwrap();
    other.batch_execute("ROLLBACK").await.unwrap();
    hasty.append(&id, &turn(1)).await.unwrap();
    assert_eq!(kept(&repository, &id).await, [0, 1]);
}

#[tokio::test]
async fn a_later_layout_is_refused() {
    let Some(url) = url() else { return };
    let _alone = alone().await;
    let url = database(&url).await;
    open(&url).await;
    let later = "UPDATE vernal_memory_schema SET version = 99";
    bare(&url).await.batch_execute(later).await.unwrap();
    let error = builder(&url).open().await.unwrap_err();
    assert_error(
        &error,
        MemoryErrorKind::Data,
        &["postgres", "version 99", "knows 1"],
    );
}

#[tokio::test]
async fn databases_of_earlier_versions_are_read_and_written() {
    let Some(url) = url() else { return };
    let _alone = alone().await;
    for fixture in [
        include_str!("fixtures/postgres_0.sql"),
        include_str!("fixtures/postgres_1.sql"),
    ] {
        let url = database(&url).await;
        bare(&url).await.batch_execute(fixture).await.unwrap();
        let repository = open(&url).await;
        let ids = repository.conversations(None, 10).await.unwrap();
        assert_eq!(ids.len(), usize::from(fixture.contains("Hello.")));
        for id in &ids {
            let texts = repository.load(id, None).await.unwrap();
            let texts: Vec<_> = texts
                .iter()
                .map(|message| message.text().into_owned())
                .collect();
            assert_eq!(texts, ["안녕?", "Hello."]);
            repository
                .append(id, &[Message::user("More.").into()])
                .await
                .unwrap();
            assert_eq!(
                repository.load(id, Some(1)).await.unwrap()[0].text(),
                "More."
            );
        }
        let id = conversation("fixture");
        repository.append(&id, &turn(0)).await.unwrap();
        assert_eq!(kept(&repository, &id).await, [0]);
    }
}

#[tokio::test]
async fn errors_say_what_is_wrong_and_no_secret() {
    let Some(url) = url() else { return };
    let _alone = alone().await;
    let refused = async |url: &str| builder(url).open().await.expect_err(url);
    let password = refused(&url.replace("-secret", "-wrong-secret")).await;
    assert_error(
        &password,
        MemoryErrorKind::Store,
        &["postgres", "password authentication failed"],
    );
    let database = refused(&format!("{}_nowhere", url)).await;
    assert_error(
        &database,
        MemoryErrorKind::Store,
        &["does not exist", "make the database"],
    );
    let nobody = refused("postgres://vernal:secret@127.0.0.1:1/postgres").await;
    assert_error(
        &nobody,
        MemoryErrorKind::Connection,
        &["refused", "check that the server runs"],
    );
    for url in [
        "postgres://u:secret@h:port/d",
        "mysql://secret",
        "secret=x host",
        "",
    ] {
        let error = builder(url).build().unwrap_err();
        assert_error(
            &error,
            MemoryErrorKind::InvalidRequest,
            &["postgres: cannot read the URL"],
        );
    }
    let shown = format!("{:?} {:?}", builder(&url), open(&url).await);
    assert!(!shown.contains("secret"), "{shown}");
}

/// The steps of a turn, in the order in which they are first reached.
const STEPS: [&str; 8] = [
    "postgres: before prepare",
    "postgres: before append",
    "postgres: after append",
    "postgres: before the replacement begins",
    "postgres: before the old messages go",
    "postgres: before the replacement",
    "postgres: before the replacement is committed",
    "postgres: after the replacement",
];

#[tokio::test]
async fn crash_child() {
    crash::child(async || open(&url().unwrap()).await).await;
}

#[tokio::test]
async fn a_killed_process_leaves_whole_turns() {
    let Some(url) = url() else { return };
    let _alone = alone().await;
    crash::at_every_step("crash_child", &STEPS, None, async || open(&url).await).await;
}
