//! Gemini's dialect: the bytes of requests, the shapes of answers, and servers that fail.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod ends;
mod format;
mod halves;
mod loopback;
mod request;
mod sent_back;
mod shapes;
mod signatures;
#[path = "../support/mod.rs"]
mod support;

use support::canned::Canned;
use support::view::{Told, View, collect, view};
use vernal_core::model::{ChatModel, ModelError};
use vernal_models::gemini::{GeminiChatModel, GeminiChatModelBuilder};
use vernal_models::http::RetryPolicy;

fn builder(canned: &Canned) -> GeminiChatModelBuilder {
    GeminiChatModel::builder()
        .api_key("AIza-test")
        .model("asked")
        .retry(RetryPolicy::never())
        .transport(canned.clone())
}

fn model(canned: &Canned) -> GeminiChatModel {
    builder(canned).build().unwrap()
}

/// What a stream of these events tells and gives, however it is cut; a call that gets it, and one that
/// gets the events as a list, give the same.
async fn heard(events: &[&str]) -> (Told, Result<View, ModelError>) {
    let frame = |event: &&str| format!("data: {event}\r\n\r\n");
    let canned = Canned::new(events.iter().map(frame).collect::<String>());
    let mut all = Vec::new();
    for piece in [1, 7, usize::MAX] {
        let model = model(&canned.clone().in_pieces(piece));
        let (told, end) = collect(model.stream("hi".into())).await;
        all.push((told, end.map(|response| view(&response))));
    }
    let list = Canned::new(format!("[{}]", events.join(",")));
    for canned in [canned, list] {
        let called = model(&canned).call("hi".into()).await;
        let called = called.map(|response| view(&response));
        assert_eq!(all[0].1.as_ref().ok(), called.as_ref().ok());
    }
    let first = all.swap_remove(0);
    for other in all {
        let shown = |end: &Result<View, ModelError>| end.clone().map_err(|e| e.to_string());
        assert_eq!(first.0, other.0);
        assert_eq!(shown(&first.1), shown(&other.1));
    }
    first
}

/// One event with these parts.
fn parts(parts: &str) -> String {
    format!(r#"{{"candidates":[{{"content":{{"role":"model","parts":[{parts}]}}}}]}}"#)
}

const STOP: &str = r#"{"candidates":[{"finishReason":"STOP"}]}"#;
