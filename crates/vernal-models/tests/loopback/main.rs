//! The adapter against servers that misbehave, over real sockets on this machine.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod cuts;
mod exchange;
mod failure;
mod format;
mod limits;
mod proxy;
mod retry;
mod said;
mod secrets;
mod setup;
#[path = "../support/mod.rs"]
mod support;
mod time;
mod told;

use std::time::Duration;

use support::server::{Server, Step, event};
use vernal_core::model::{ChatModel, ModelError};
use vernal_models::http::RetryPolicy;
use vernal_models::openai::{OpenAiChatModel, OpenAiChatModelBuilder};

const KEY: &str = "sk-canary-0123456789";
const HELLO: &str = r#"{"id":"c1","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}"#;

fn builder(server: &Server) -> OpenAiChatModelBuilder {
    let quick = RetryPolicy::default().with_first_wait(Duration::from_millis(5));
    OpenAiChatModel::builder()
        .base_url(server.url.clone())
        .api_key(KEY)
        .header("x-extra", "extra-canary-987654")
        .model("m")
        .retry(quick)
}

fn model(server: &Server) -> OpenAiChatModel {
    builder(server).build().unwrap()
}

/// The error that a call ends with; nothing secret may be in it or beneath it.
async fn error_of(model: &OpenAiChatModel) -> ModelError {
    let error = model.call("Hi!".into()).await.unwrap_err();
    check_secrets(&error);
    error
}

fn check_secrets(error: &ModelError) {
    let mut shown = format!("{error} {error:?} {:?}", error.code());
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        shown.push_str(&format!("{cause} {cause:?}"));
        source = cause.source();
    }
    assert!(!shown.contains("canary"), "{shown}");
}

fn chunk(delta: &str) -> Step {
    event(&format!(
        r#"{{"id":"c1","model":"m","choices":[{{"index":0,"delta":{delta}}}]}}"#
    ))
}

fn stop() -> Step {
    event(r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#)
}
