//! The adapter for Anthropic Messages: its requests, its answers, and its errors.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod blocks;
mod empty;
mod format;
mod garbled;
mod halves;
mod loopback;
mod model;
mod request;
mod sent_back;
mod streams;
#[path = "../support/mod.rs"]
mod support;
mod thinking;
mod turns;

use model::model;
use serde_json::Value;
use support::canned::Canned;
use support::view::{Told, View, collect, view};
use vernal_core::message::{Message, ToolCall};
use vernal_core::model::{ChatModel, ChatOptions, ChatResponse, ModelError, Prompt};

const HELLO: &str = r#"{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Hello."}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":2}}"#;

/// A server that sends these events and nothing else.
fn events(events: &[&str]) -> Canned {
    let named = |event: &&str| {
        let name = event.split('"').nth(3).unwrap();
        format!("event: {name}\ndata: {event}\n\n")
    };
    Canned {
        content_type: "text/event-stream",
        ..Canned::new(events.iter().map(named).collect::<String>())
    }
}

/// What a stream tells and gives: the same in pieces of 1 byte, of 7 bytes and whole, and the same as
/// a call that gets the stream.
async fn stream_of(canned: &Canned) -> (Told, Result<ChatResponse, ModelError>) {
    let mut seen: Vec<(Told, Result<View, String>)> = Vec::new();
    let mut last = None;
    for piece in [1, 7, usize::MAX] {
        let (told, end) =
            collect(model(&canned.clone().in_pieces(piece)).stream("hi".into())).await;
        let viewed = end.as_ref().map(view).map_err(ToString::to_string);
        seen.push((told.clone(), viewed));
        last = Some((told, end));
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[1], seen[2]);
    let called = model(canned).call("hi".into()).await;
    assert_eq!(
        called.as_ref().map(view).map_err(ToString::to_string),
        seen[0].1
    );
    last.unwrap()
}

/// A stream of an answer with these events between its first and its last ones.
async fn streamed(between: &[&str]) -> (Told, View) {
    let (told, end) = stream_of(&whole_stream(between, "end_turn")).await;
    (told, view(&end.unwrap()))
}

fn whole_stream(between: &[&str], stop_reason: &str) -> Canned {
    let start = r#"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":3,"output_tokens":1}}}"#;
    let delta = format!(
        r#"{{"type":"message_delta","delta":{{"stop_reason":"{stop_reason}","stop_sequence":null}},"usage":{{"output_tokens":2}}}}"#
    );
    let mut all = vec![start];
    all.extend(between);
    all.extend([delta.as_str(), r#"{"type":"message_stop"}"#]);
    events(&all)
}

/// What a whole answer with this content gives.
async fn called(content: &str, stop_reason: &str) -> View {
    view(&answer(content, stop_reason).await)
}

async fn answer(content: &str, stop_reason: &str) -> ChatResponse {
    let body = format!(
        r#"{{"id":"msg_1","type":"message","role":"assistant","model":"m","content":{content},"stop_reason":"{stop_reason}","stop_sequence":null,"usage":{{"input_tokens":3,"output_tokens":2}}}}"#
    );
    model(&Canned::new(body)).call("hi".into()).await.unwrap()
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
    let part =
        |call: &&ToolCall| vernal_core::message::PartContent::ToolCall((*call).clone()).into();
    Message::new(
        vernal_core::message::Role::Assistant,
        calls.iter().map(part).collect(),
    )
}
