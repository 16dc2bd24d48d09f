//! The adapter for Bedrock Converse: its requests, its answers, and its errors.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod answers;
mod conversation;
mod failures;
mod families;
mod faults;
mod format;
mod frames;
mod halves;
mod loopback;
mod media;
mod model;
mod request;
mod sent_back;
mod streams;
mod strict;
#[path = "../support/mod.rs"]
mod support;
mod tools;
mod turns;

use model::model;
use serde_json::Value;
use support::canned::Canned;
use support::view::{Told, View, collect, view};
use vernal_core::message::{Message, PartContent, Role, ToolCall};
use vernal_core::model::{ChatModel, ChatOptions, ModelError, Prompt};

const HELLO: &str = r#"{"output":{"message":{"role":"assistant","content":[{"text":"Hello."}]}},"stopReason":"end_turn","usage":{"inputTokens":3,"outputTokens":2,"totalTokens":5},"metrics":{"latencyMs":1}}"#;
const STOP: (&str, &str) = ("messageStop", r#"{"stopReason":"end_turn"}"#);
const METADATA: (&str, &str) = (
    "metadata",
    r#"{"usage":{"inputTokens":3,"outputTokens":2,"totalTokens":5},"metrics":{"latencyMs":1}}"#,
);

/// A server that sends these bytes as a stream and nothing else.
fn streaming(bytes: impl Into<bytes::Bytes>) -> Canned {
    Canned {
        content_type: "application/vnd.amazon.eventstream",
        ..Canned::new(bytes)
    }
}

/// What a stream of these bytes tells and gives: the same in pieces of any size.
async fn heard(bytes: Vec<u8>) -> (Told, Result<View, ModelError>) {
    let canned = streaming(bytes);
    let mut seen: Vec<(Told, Result<View, String>)> = Vec::new();
    let mut last = None;
    for piece in [1, 7, 64, usize::MAX] {
        let model = model(&canned.clone().in_pieces(piece));
        let (told, end) = collect(model.stream("hi".into())).await;
        let end = end.map(|response| view(&response));
        seen.push((told.clone(), end.clone().map_err(|error| error.to_string())));
        last = Some((told, end));
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:?}");
    last.unwrap()
}

/// The answer of a stream with these events before its last two.
async fn streamed(between: &[(&str, &str)]) -> (Told, View) {
    let mut all = vec![("messageStart", r#"{"role":"assistant"}"#)];
    all.extend(between);
    all.extend([STOP, METADATA]);
    let (told, end) = heard(frames::events(&all)).await;
    (told, end.unwrap())
}

/// What a whole answer with this content gives.
async fn called(content: &str, stop_reason: &str) -> View {
    let body = format!(
        r#"{{"output":{{"message":{{"role":"assistant","content":{content}}}}},"stopReason":"{stop_reason}","usage":{{"inputTokens":3,"outputTokens":2,"totalTokens":5}}}}"#
    );
    let answer = model(&Canned::new(body)).call("hi".into()).await;
    view(&answer.unwrap())
}

/// What is sent for a prompt.
async fn sent(prompt: Prompt) -> String {
    let canned = Canned::new(HELLO);
    model(&canned).call(prompt).await.unwrap();
    let sent = canned.last_sent();
    serde_json::from_str::<Value>(&sent).unwrap();
    sent
}

/// What is sent for some messages, as a value.
async fn turns_of(messages: Vec<Message>) -> Value {
    let sent = sent(Prompt::new(messages, ChatOptions::default())).await;
    serde_json::from_str::<Value>(&sent).unwrap()["messages"].take()
}

fn call(id: &str, name: &str, arguments: &str) -> (String, String, String) {
    (id.to_owned(), name.to_owned(), arguments.to_owned())
}

/// A message of the model that asks for these calls.
fn asks(calls: &[&ToolCall]) -> Message {
    let part = |call: &&ToolCall| PartContent::ToolCall((*call).clone()).into();
    Message::new(Role::Assistant, calls.iter().map(part).collect())
}
