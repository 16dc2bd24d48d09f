//! The adapter for OpenAI Responses: its requests, its answers, and its errors.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod azure;
mod format;
mod halves;
mod input;
mod kept;
mod loopback;
mod model;
mod odd_streams;
mod pieces;
mod request;
mod sent_back;
mod shapes;
mod streams;
#[path = "../support/mod.rs"]
mod support;

use model::model;
use serde_json::{Value, json};
use support::canned::Canned;
use support::view::{Told, View, collect, view};
use vernal_core::message::{History, Message};
use vernal_core::model::{ChatModel, ChatOptions, ChatResponse, ModelError, Prompt};
use vernal_models::openai::responses::OpenAiResponsesModel;

const HELLO: &str = r#"{"id":"resp_1","object":"response","status":"completed","model":"m","output":[{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Hello.","annotations":[]}]}],"usage":{"input_tokens":3,"output_tokens":2,"total_tokens":5}}"#;

/// The body of an answer with this output.
fn body(output: &str, status: &str) -> String {
    format!(
        r#"{{"id":"resp_1","object":"response","status":"{status}","model":"m","output":{output},"error":null,"usage":{{"input_tokens":3,"output_tokens":2,"total_tokens":5}}}}"#
    )
}

async fn answer(output: &str) -> ChatResponse {
    let canned = Canned::new(body(output, "completed"));
    model(&canned).call("hi".into()).await.unwrap()
}

/// What a whole answer with this output gives.
async fn called(output: &str) -> View {
    view(&answer(output).await)
}

/// A server that sends these events, each with its name, and nothing else.
fn events(events: &[String]) -> Canned {
    let named = |event: &String| {
        let of_its_own = event.rfind("\"type\":\"response.");
        let at = of_its_own.unwrap_or_else(|| event.find("\"type\":\"").unwrap());
        let name = event[at..].split('"').nth(3).unwrap();
        format!("event: {name}\ndata: {event}\n\n")
    };
    Canned {
        content_type: "text/event-stream",
        ..Canned::new(events.iter().map(named).collect::<String>())
    }
}

/// A stream of an answer with these events between its first and its last; the last one repeats
/// `output`.
fn whole_stream(between: &[String], output: &str) -> Canned {
    let head = json!({"type": "response.created", "response":
        {"id": "resp_1", "object": "response", "status": "in_progress", "model": "m", "output": []}});
    let mut all = vec![head.to_string()];
    all.extend(between.iter().cloned());
    let whole = body(output, "completed");
    all.push(format!(
        r#"{{"type":"response.completed","response":{whole}}}"#
    ));
    events(&all)
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

/// What a stream with these events gives. Text, reasoning and arguments are told as they end up.
async fn streamed(between: &[String], output: &str) -> (Told, View) {
    let (told, end) = stream_of(&whole_stream(between, output)).await;
    let view = view(&end.unwrap());
    assert_eq!(told.text, view.text);
    assert_eq!(told.reasoning, view.reasoning);
    (told, view)
}

/// What is sent for a prompt.
async fn sent_by(model: &OpenAiResponsesModel, canned: &Canned, prompt: Prompt) -> Value {
    model.call(prompt).await.unwrap();
    serde_json::from_str(&canned.last_sent()).unwrap()
}

/// What is sent for a prompt by an adapter without settings.
async fn sent(prompt: Prompt) -> Value {
    let canned = Canned::new(HELLO);
    sent_by(&model(&canned), &canned, prompt).await
}

/// The items that are sent for some messages.
async fn input_of(messages: impl Into<History>) -> Value {
    sent(Prompt::new(messages, ChatOptions::default())).await["input"].take()
}

/// The message of the first answer.
fn message_of(response: &ChatResponse) -> Message {
    (*response.generations[0].message).clone()
}

fn call(id: &str, name: &str, arguments: &str) -> (String, String, String) {
    (id.to_owned(), name.to_owned(), arguments.to_owned())
}
