//! The fake servers: asked by the adapters of Vernal, by hand, and wrongly.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[path = "../support/adapters.rs"]
mod adapters;
mod azure;
mod bodies;
mod delivery;
mod histories;
mod raw;
mod strict;
mod taken_over;
mod turns;

use std::time::Duration;

use vernal_core::client::ChatClient;
use vernal_models::http::{HttpLimits, RetryPolicy};
use vernal_testing::fake::FakeServer;

/// A client of the server, with an adapter for its API.
fn client(server: &FakeServer) -> ChatClient {
    let quick = RetryPolicy::default().with_first_wait(Duration::from_millis(5));
    let url = server.base_url();
    let model = adapters::model(server.api(), url, HttpLimits::default(), quick);
    ChatClient::create(model.unwrap())
}
