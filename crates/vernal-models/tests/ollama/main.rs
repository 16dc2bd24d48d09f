//! Ollama's own dialect: the bytes of requests, the shapes of answers, and servers that fail.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod format;
mod loopback;
mod request;
mod shapes;
#[path = "../support/mod.rs"]
mod support;

use support::canned::Canned;
use vernal_models::http::RetryPolicy;
use vernal_models::ollama::{OllamaChatModel, OllamaChatModelBuilder};

fn builder(canned: &Canned) -> OllamaChatModelBuilder {
    OllamaChatModel::builder()
        .model("asked")
        .retry(RetryPolicy::never())
        .transport(canned.clone())
}

fn model(canned: &Canned) -> OllamaChatModel {
    builder(canned).build().unwrap()
}
