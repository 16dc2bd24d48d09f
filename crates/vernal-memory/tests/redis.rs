//! One server of Redis, as `cargo xtask services` starts it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use std::time::Duration;

use common::proxy::{Proxy, host_and_port};
use common::services::{Control, alone, variable};
use common::turns::{kept, turn};
use common::{advisor, assert_error, conversation, crash, network};
use redis::aio::MultiplexedConnection;
use redis::{Client, cmd};
use vernal_core::memory::{ChatMemoryRepository, MemoryErrorKind};
use vernal_core::message::Message;
use vernal_memory::{RedisChatMemoryRepository, RedisChatMemoryRepositoryBuilder};
use vernal_testing::{MemoryConformanceOptions, memory_conformance_with};

const STORE: &str = "redis";

fn url() -> Option<String> {
    variable(STORE, "VERNAL_REDIS_URL")
}

fn builder(url: &str) -> RedisChatMemoryRepositoryBuilder {
    RedisChatMemoryRepository::builder(url)
}

async fn open(url: &str) -> RedisChatMemoryRepository {
    builder(url).open().await.unwrap()
}

async fn bare(url: &str) -> MultiplexedConnection {
    Client::open(url)
        .unwrap()
        .get_multiplexed_async_connection()
        .await
        .unwrap()
}

/// A prefix for keys that no other run uses.
fn prefix() -> String {
    format!("test:{}:", Message::user("").id())
}

#[tokio::test(flavor = "multi_thread")]
async fn one_server_conforms_at_full_size() {
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
    let (repository, mut admin) = (open(&url).await, bare(&url).await);
    network::disturbed(&repository, async || {
        for _ in 0..5 {
            let mut kill = cmd("CLIENT");
            kill.arg("KILL")
                .arg("TYPE")
                .arg("NORMAL")
                .arg("SKIPME")
                .arg("yes");
            kill.query_async::<i64>(&mut admin).await.unwrap();
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
async fn scripts_that_the_server_forgot_are_sent_again() {
    let Some(url) = url() else { return };
    let _alone = alone().await;
    let repository = open(&url).await;
    let id = conversation("scripts");
    repository.append(&id, &turn(0)).await.unwrap();
    cmd("SCRIPT")
        .arg("FLUSH")
        .query_async::<()>(&mut bare(&url).await)
        .await
        .unwrap();
    repository.append(&id, &turn(1)).await.unwrap();
    assert_eq!(kept(&repository, &id).await, [0, 1]);
}

#[tokio::test]
async fn conversations_expire_after_their_last_append() {
    let Some(url) = url() else { return };
    let _alone = alone().await;
    let prefix = prefix();
    let builder = builder(&url)
        .time_to_live(Duration::from_millis(1200))
        .key_prefix(&prefix);
    let repository = builder.open().await.unwrap();
    let (short, long) = (conversation("short"), conversation("long"));
    for number in 0..4 {
        if number == 0 {
            repository.append(&short, &turn(number)).await.unwrap();
        }
        repository.append(&long, &turn(number)).await.unwrap();
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert_eq!(
        kept(&repository, &long).await,
        [0, 1, 2, 3],
        "every append starts the time anew"
    );
    assert!(kept(&repository, &short).await.is_empty());
    assert_eq!(repository.conversations(None, 10).await.unwrap(), [long]);
    repository.append(&short, &turn(7)).await.unwrap();
    assert_eq!(kept(&repository, &short).await, [7]);
    assert_eq!(repository.conversations(None, 10).await.unwrap().len(), 2);
}

#[tokio::test]
async fn ids_of_conversations_that_are_long_gone_are_removed() {
    let Some(url) = url() else { return };
    let _alone = alone().await;
    let prefix = prefix();
    let mut bare = bare(&url).await;
    let repository = builder(&url).key_prefix(&prefix).open().await.unwrap();
    let id = conversation("gone");
    repository.append(&id, &turn(0)).await.unwrap();
    let sets: Vec<String> = cmd("KEYS")
        .arg(format!("{prefix}ids:*"))
        .query_async(&mut bare)
        .await
        .unwrap();
    assert_eq!(sets.len(), 1);
    // Noted in 1970, and just now: the conversation of the second may still begin.
    for generation in [
        "000000000001".to_owned() + "0123456789abcdef",
        format!("{:012x}x", u64::MAX >> 20),
    ] {
        let mut add = cmd("ZADD");
        add.arg(&sets[0]).arg(0).arg(format!("{id}\0{generation}"));
        add.query_async::<()>(&mut bare).await.unwrap();
    }
    for _ in 0..2 {
        assert_eq!(
            repository.conversations(None, 10).await.unwrap(),
            std::slice::from_ref(&id)
        );
        let left: u64 = cmd("ZCARD")
            .arg(&sets[0])
            .query_async(&mut bare)
            .await
            .unwrap();
        assert_eq!(left, 2);
    }
}

#[tokio::test]
async fn a_later_layout_is_refused_by_every_operation() {
    let Some(url) = url() else { return };
    let _alone = alone().await;
    let prefix = prefix();
    let mut bare = bare(&url).await;
    let repository = builder(&url).key_prefix(&prefix).open().await.unwrap();
    let id = conversation("later");
    repository.append(&id, &turn(0)).await.unwrap();
    let keys: Vec<String> = cmd("KEYS")
        .arg(format!("{prefix}{{test*"))
        .query_async(&mut bare)
        .await
        .unwrap();
    cmd("HSET")
        .arg(&keys)
        .arg("version")
        .arg(99)
        .query_async::<()>(&mut bare)
        .await
        .unwrap();
    let before: Vec<String> = cmd("HGETALL")
        .arg(&keys)
        .query_async(&mut bare)
        .await
        .unwrap();
    let errors = [
        repository.load(&id, None).await.unwrap_err(),
        repository.append(&id, &turn(1)).await.unwrap_err(),
        repository
            .replace_through(&id, turn(0)[0].id(), &[])
            .await
            .unwrap_err(),
        repository.delete(&id).await.unwrap_err(),
    ];
    for error in errors {
        assert_error(
            &error,
            MemoryErrorKind::Data,
            &["redis", id.as_str(), "version 99", "knows 1"],
        );
    }
    let after: Vec<String> = cmd("HGETALL")
        .arg(&keys)
        .query_async(&mut bare)
        .await
        .unwrap();
    assert_eq!(before, after);
}

#[tokio::test]
async fn what_version_1_wrote_is_read_and_written() {
    let Some(url) = url() else { return };
    let _alone = alone().await;
    let prefix = prefix();
    let mut bare = bare(&url).await;
    // Kept as it was written, so that it stays readable.
    for line in include_str!("fixtures/redis_1.txt")
        .lines()
        .filter(|line| !line.starts_with("--"))
    {
        let line = line.replace("PREFIX", &prefix).replace("\\0", "\0");
        let mut words = line.split('\t');
        let mut command = cmd(words.next().unwrap());
        words.for_each(|word| drop(command.arg(word).to_owned()));
        command
            .query_async::<redis::Value>(&mut bare)
            .await
            .unwrap();
    }
    let repository = builder(&url).key_prefix(&prefix).open().await.unwrap();
    let ids = repository.conversations(None, 10).await.unwrap();
    assert_eq!(
        ids.iter().map(|id| id.as_str()).collect::<Vec<_>>(),
        ["user 42/한"]
    );
    let texts = repository.load(&ids[0], None).await.unwrap();
    let texts: Vec<_> = texts
        .iter()
        .map(|message| message.text().into_owned())
        .collect();
    assert_eq!(texts, ["안녕?", "Hello."]);
    repository
        .append(&ids[0], &[Message::user("More.").into()])
        .await
        .unwrap();
    assert_eq!(
        repository.load(&ids[0], Some(1)).await.unwrap()[0].text(),
        "More."
    );
    repository.delete(&ids[0]).await.unwrap();
    let keys: Vec<String> = cmd("KEYS")
        .arg(format!("{prefix}*"))
        .query_async(&mut bare)
        .await
        .unwrap();
    assert!(keys.is_empty(), "{keys:?}");
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
        &["redis: cannot reach the server", "password"],
    );
    let server = host_and_port(&url);
    let none = refused(&format!("redis://{server}/")).await;
    assert_error(
        &none,
        MemoryErrorKind::Store,
        &["redis: cannot reach the server", "password"],
    );
    let nobody = refused("redis://:secret@127.0.0.1:1/").await;
    assert_error(
        &nobody,
        MemoryErrorKind::Connection,
        &["refused", "check that the server runs"],
    );
    for url in ["redis://u:secret@h:port/", "mysql://secret", ""] {
        let error = builder(url).build().unwrap_err();
        assert_error(
            &error,
            MemoryErrorKind::InvalidRequest,
            &["it is no Redis URL"],
        );
    }
    let cluster = RedisChatMemoryRepository::cluster(["nothing:secret"]);
    let error = cluster.build().unwrap_err();
    assert_error(
        &error,
        MemoryErrorKind::InvalidRequest,
        &["it is no Redis URL"],
    );
    let error = builder(&url).key_prefix("{x}").build().unwrap_err();
    assert_error(
        &error,
        MemoryErrorKind::InvalidRequest,
        &["{x}", "choose one without"],
    );
    let shown = format!("{:?} {:?}", builder(&url), open(&url).await);
    assert!(!shown.contains("secret"), "{shown}");
}

/// The steps of a turn, in the order in which they are first reached.
const STEPS: [&str; 7] = [
    "redis: before append",
    "redis: before the id is noted",
    "redis: after the id is noted",
    "redis: after the first append",
    "redis: after append",
    "redis: before the replacement",
    "redis: after the replacement",
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
