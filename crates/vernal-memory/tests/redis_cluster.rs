//! A cluster of three Redis nodes, as `cargo xtask services` starts it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use std::collections::BTreeSet;
use std::time::Duration;

use common::services::{Control, alone, variable};
use common::turns::turn;
use common::{advisor, conversation, crash, network};
use redis::aio::MultiplexedConnection;
use redis::{Client, cmd};
use vernal_core::memory::ChatMemoryRepository;
use vernal_core::message::Message;
use vernal_memory::RedisChatMemoryRepository;
use vernal_testing::{MemoryConformanceOptions, memory_conformance_with};

const CLUSTER: &str = "redis-cluster";

fn urls() -> Option<Vec<String>> {
    let urls = variable(CLUSTER, "VERNAL_REDIS_CLUSTER_URLS")?;
    Some(urls.split(',').map(str::to_owned).collect())
}

async fn open(urls: &[String]) -> RedisChatMemoryRepository {
    RedisChatMemoryRepository::cluster(urls)
        .open()
        .await
        .unwrap()
}

async fn bare(url: &str) -> MultiplexedConnection {
    Client::open(url)
        .unwrap()
        .get_multiplexed_async_connection()
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn it_conforms_at_full_size() {
    let Some(urls) = urls() else { return };
    let _alone = alone().await;
    let full = MemoryConformanceOptions::full();
    memory_conformance_with(full, async || open(&urls).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whole_turns_of_a_client_are_remembered() {
    let Some(urls) = urls() else { return };
    let _alone = alone().await;
    advisor::whole_turns(async || open(&urls).await).await;
}

#[tokio::test]
async fn conversations_spread_over_the_nodes_and_are_all_listed() {
    let Some(urls) = urls() else { return };
    let _alone = alone().await;
    let prefix = format!("test:{}:", Message::user("").id());
    let builder = RedisChatMemoryRepository::cluster(&urls[..1]).key_prefix(&prefix);
    let repository = builder.open().await.unwrap();
    let ids: BTreeSet<_> = (0..60).map(|n| conversation(&n.to_string())).collect();
    for id in &ids {
        repository.append(id, &turn(0)).await.unwrap();
    }
    for url in &urls {
        let mut keys = cmd("KEYS");
        let keys: Vec<String> = keys
            .arg(format!("{prefix}*"))
            .query_async(&mut bare(url).await)
            .await
            .unwrap();
        assert!(keys.len() > 10, "{url} has {}", keys.len());
    }
    let listed = repository.conversations(None, 100).await.unwrap();
    assert!(listed.iter().eq(&ids), "{listed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_dies_and_returns_is_used_again() {
    let (Some(urls), Some(control)) = (urls(), Control::new(CLUSTER)) else {
        return;
    };
    let _alone = alone().await;
    let builder = RedisChatMemoryRepository::cluster(&urls);
    let repository = builder
        .operation_timeout(Duration::from_secs(2))
        .open()
        .await
        .unwrap();
    network::disturbed(&repository, async || {
        for node in 1..=3 {
            control.kill(&format!("{CLUSTER}-{node}")).await;
            tokio::time::sleep(Duration::from_millis(200)).await;
            control.start(&format!("{CLUSTER}-{node}")).await;
        }
    })
    .await;
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
    crash::child(async || open(&urls().unwrap()).await).await;
}

#[tokio::test]
async fn a_killed_process_leaves_whole_turns() {
    let Some(urls) = urls() else { return };
    let _alone = alone().await;
    crash::at_every_step("crash_child", &STEPS, None, async || open(&urls).await).await;
}
