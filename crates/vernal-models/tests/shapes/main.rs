//! One small answer for each odd shape that a server is known to send.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod bounds;
mod compatible;
mod garbled;
mod halves;
mod openai;
mod sent_back;
#[path = "../support/mod.rs"]
mod support;

use support::canned::Canned;
use support::view::{Told, View, collect, view};
use vernal_core::model::ChatModel;

/// What a stream of these chunks tells and gives.
async fn streamed(chunks: &[&str]) -> (Told, View) {
    heard(Canned::events(chunks)).await
}

/// A stream of deltas of one choice.
async fn deltas(deltas: &[&str]) -> (Told, View) {
    let chunks: Vec<_> = deltas.iter().map(|delta| choice(delta)).collect();
    streamed(&chunks.iter().map(String::as_str).collect::<Vec<_>>()).await
}

fn choice(delta: &str) -> String {
    format!(r#"{{"choices":[{{"index":0,"delta":{delta}}}]}}"#)
}

async fn heard(canned: Canned) -> (Told, View) {
    let (told, end) = collect(canned.model().stream("hi".into())).await;
    (told, view(&end.unwrap()))
}

/// What a whole answer with this message gives.
async fn message(message: &str) -> View {
    called(&format!(
        r#"{{"choices":[{{"index":0,"message":{message},"finish_reason":"stop"}}]}}"#
    ))
    .await
}

async fn called(body: &str) -> View {
    view(
        &Canned::new(body.to_owned())
            .model()
            .call("hi".into())
            .await
            .unwrap(),
    )
}

fn call(id: &str, name: &str, arguments: &str) -> (String, String, String) {
    (id.to_owned(), name.to_owned(), arguments.to_owned())
}
