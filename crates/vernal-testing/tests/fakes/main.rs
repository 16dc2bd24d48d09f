//! The fake servers: asked by the adapters of Vernal, by hand, and wrongly.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod bodies;
mod delivery;
mod raw;
mod strict;
mod turns;

use std::time::Duration;

use vernal_core::client::ChatClient;
use vernal_models::anthropic::AnthropicChatModel;
use vernal_models::gemini::GeminiChatModel;
use vernal_models::http::RetryPolicy;
use vernal_models::ollama::OllamaChatModel;
use vernal_models::openai::OpenAiChatModel;
use vernal_testing::fake::{FakeApi, FakeServer};

/// The APIs that there is an adapter for.
const ADAPTED: [FakeApi; 4] = [
    FakeApi::OpenAiChat,
    FakeApi::Anthropic,
    FakeApi::Gemini,
    FakeApi::Ollama,
];

/// A client of the server, with an adapter for its API.
fn client(server: &FakeServer) -> ChatClient {
    let quick = RetryPolicy::default().with_first_wait(Duration::from_millis(5));
    let (url, key) = (server.base_url(), "key-0123456789");
    match server.api() {
        FakeApi::OpenAiChat => ChatClient::create(
            OpenAiChatModel::builder()
                .base_url(url)
                .api_key(key)
                .model("m")
                .retry(quick)
                .build()
                .unwrap(),
        ),
        FakeApi::Anthropic => ChatClient::create(
            AnthropicChatModel::builder()
                .base_url(url)
                .api_key(key)
                .model("m")
                .retry(quick)
                .build()
                .unwrap(),
        ),
        FakeApi::Gemini => ChatClient::create(
            GeminiChatModel::builder()
                .base_url(url)
                .api_key(key)
                .model("m")
                .retry(quick)
                .build()
                .unwrap(),
        ),
        FakeApi::Ollama => ChatClient::create(
            OllamaChatModel::builder()
                .base_url(url)
                .model("m")
                .retry(quick)
                .build()
                .unwrap(),
        ),
        other => panic!("there is no adapter for {other}"),
    }
}
