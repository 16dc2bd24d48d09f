//! Neo4j Community, as `cargo xtask services` starts it.
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
use neo4rs::{Graph, query};
use vernal_core::memory::{ChatMemoryRepository, ConversationId, MemoryErrorKind};
use vernal_core::message::Message;
use vernal_memory::{Neo4jChatMemoryRepository, Neo4jChatMemoryRepositoryBuilder};
use vernal_testing::{MemoryConformanceOptions, memory_conformance_with};

const STORE: &str = "neo4j";

/// URL, user and password.
struct Server {
    url: String,
    user: String,
    password: String,
}

impl Server {
    fn new() -> Option<Self> {
        Some(Self {
            url: variable(STORE, "VERNAL_NEO4J_URL")?,
            user: variable(STORE, "VERNAL_NEO4J_USER")?,
            password: variable(STORE, "VERNAL_NEO4J_PASSWORD")?,
        })
    }

    fn builder_at(&self, url: &str) -> Neo4jChatMemoryRepositoryBuilder {
        Neo4jChatMemoryRepository::builder(url).credentials(&self.user, &self.password)
    }

    fn builder(&self) -> Neo4jChatMemoryRepositoryBuilder {
        self.builder_at(&self.url)
    }

    async fn open(&self) -> Neo4jChatMemoryRepository {
        self.builder().open().await.unwrap()
    }

    fn bare(&self) -> Graph {
        Graph::new(&self.url, &self.user, &self.password).unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_conforms_at_full_size() {
    let Some(server) = Server::new() else { return };
    let _alone = alone().await;
    let full = MemoryConformanceOptions::full();
    memory_conformance_with(full, async || server.open().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whole_turns_of_a_client_are_remembered() {
    let Some(server) = Server::new() else { return };
    let _alone = alone().await;
    advisor::whole_turns(async || server.open().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_open_a_new_database_at_once() {
    let Some(server) = Server::new() else { return };
    let _alone = alone().await;
    let bare = server.bare();
    for name in [
        "vernal_conversation_key",
        "vernal_message_key",
        "vernal_memory_schema_name",
    ] {
        bare.run(query(&format!("DROP CONSTRAINT {name} IF EXISTS")))
            .await
            .unwrap();
    }
    bare.run(query("MATCH (n) DETACH DELETE n")).await.unwrap();
    let opens = (0..16).map(|_| tokio::spawn(server.builder().max_connections(1).open()));
    for opened in futures::future::join_all(opens).await {
        opened.unwrap().unwrap();
    }
    let mut rows = bare
        .execute(query("SHOW CONSTRAINTS YIELD name RETURN count(*) AS n"))
        .await
        .unwrap();
    assert_eq!(
        rows.next().await.unwrap().unwrap().get::<i64>("n").unwrap(),
        3
    );
}

#[tokio::test]
async fn a_slow_or_broken_network_is_borne() {
    let Some(server) = Server::new() else { return };
    let _alone = alone().await;
    let proxy = Proxy::to(host_and_port(&server.url)).await;
    let builder = server.builder_at(&format!("bolt://{}", proxy.address));
    let repository = builder
        .operation_timeout(Duration::from_millis(1_500))
        .build()
        .unwrap();
    network::slow_and_broken(&repository, &proxy).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_and_returns_is_used_again() {
    let (Some(server), Some(control)) = (Server::new(), Control::new(STORE)) else {
        return;
    };
    let _alone = alone().await;
    let repository = server.open().await;
    network::disturbed(&repository, async || {
        control.kill(STORE).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        control.start(STORE).await;
    })
    .await;
}

#[tokio::test]
async fn a_lock_that_another_holds_is_waited_for_within_limits() {
    let Some(server) = Server::new() else { return };
    let _alone = alone().await;
    let repository = server.open().await;
    let id = conversation("locked");
    repository.append(&id, &turn(0)).await.unwrap();
    let mut other = server.bare().start_txn().await.unwrap();
    let lock = "MATCH (c:VernalConversation {id: $id}) SET c.locked = true";
    other
        .run(query(lock).param("id", id.as_str()))
        .await
        .unwrap();
    let hasty = server
        .builder()
        .operation_timeout(Duration::from_millis(800))
        .build()
        .unwrap();
    let (start, second) = (Instant::now(), turn(1));
    let error = hasty.append(&id, &second).await.unwrap_err();
    assert_error(
        &error,
        MemoryErrorKind::Timeout,
        &["neo4j: cannot append to", id.as_str()],
    );
    assert!(start.elapsed() < PATIENCE);
    assert_eq!(kept(&repository, &id).await, [0], "readers do not wait");
    other.rollback().await.unwrap();
    repository.append(&id, &second).await.unwrap();
    assert_eq!(kept(&repository, &id).await, [0, 1]);
}

#[tokio::test]
async fn a_later_layout_is_refused() {
    let Some(server) = Server::new() else { return };
    let _alone = alone().await;
    server.open().await;
    let bare = server.bare();
    let version = async |version: i64| {
        let set = query("MATCH (s:VernalMemorySchema) SET s.version = $version");
        bare.run(set.param("version", version)).await.unwrap();
    };
    version(99).await;
    let error = server.builder().open().await.unwrap_err();
    version(1).await;
    assert_error(
        &error,
        MemoryErrorKind::Data,
        &["neo4j", "version 99", "knows 1"],
    );
}

#[tokio::test]
async fn what_version_1_wrote_is_read_and_written() {
    let Some(server) = Server::new() else { return };
    let _alone = alone().await;
    let repository = server.open().await;
    // Kept as it was written, so that it stays readable.
    server
        .bare()
        .run(query(include_str!("fixtures/neo4j_1.cypher")))
        .await
        .unwrap();
    let id = ConversationId::new("fixture 42").unwrap();
    let texts = repository.load(&id, None).await.unwrap();
    let texts: Vec<_> = texts
        .iter()
        .map(|message| message.text().into_owned())
        .collect();
    assert_eq!(texts, ["안녕?", "Hello."]);
    repository
        .append(&id, &[Message::user("More.").into()])
        .await
        .unwrap();
    assert_eq!(
        repository.load(&id, Some(1)).await.unwrap()[0].text(),
        "More."
    );
    let before = ConversationId::new("fixture 41").unwrap();
    assert_eq!(
        repository.conversations(Some(&before), 1).await.unwrap(),
        std::slice::from_ref(&id)
    );
    repository.delete(&id).await.unwrap();
    let left = "MATCH (n) WHERE n.key STARTS WITH '66697874757265203432' RETURN count(n) AS n";
    let mut rows = server.bare().execute(query(left)).await.unwrap();
    assert_eq!(
        rows.next().await.unwrap().unwrap().get::<i64>("n").unwrap(),
        0
    );
}

#[tokio::test]
async fn errors_say_what_is_wrong_and_no_secret() {
    let Some(server) = Server::new() else { return };
    let _alone = alone().await;
    let wrong = server
        .builder()
        .credentials("neo4j", "wrong-secret")
        .open()
        .await
        .unwrap_err();
    assert_error(
        &wrong,
        MemoryErrorKind::Store,
        &["neo4j: cannot open", "check user and password"],
    );
    let nowhere = server
        .builder()
        .database("nowhere")
        .open()
        .await
        .unwrap_err();
    assert_error(
        &nowhere,
        MemoryErrorKind::Store,
        &["neo4j", "name a database that exists"],
    );
    let nobody = server
        .builder_at("bolt://127.0.0.1:1")
        .open()
        .await
        .unwrap_err();
    assert_error(
        &nobody,
        MemoryErrorKind::Connection,
        &["refused", "check that the server runs"],
    );
    for url in ["mysql://u:secret@h", "bolt://h:secret", "bolt://h:99999"] {
        let error = server.builder_at(url).build().expect_err(url);
        assert_error(
            &error,
            MemoryErrorKind::InvalidRequest,
            &["neo4j: cannot read the URL"],
        );
    }
    let shown = format!("{:?} {:?}", server.builder(), server.open().await);
    assert!(!shown.contains("secret"), "{shown}");
}

/// The steps of a turn, in the order in which they are first reached.
const STEPS: [&str; 4] = [
    "neo4j: before append",
    "neo4j: after append",
    "neo4j: before the replacement",
    "neo4j: after the replacement",
];

#[tokio::test]
async fn crash_child() {
    crash::child(async || Server::new().unwrap().open().await).await;
}

#[tokio::test]
async fn a_killed_process_leaves_whole_turns() {
    let Some(server) = Server::new() else { return };
    let _alone = alone().await;
    crash::at_every_step("crash_child", &STEPS, None, async || server.open().await).await;
}
