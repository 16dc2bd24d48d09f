//! Ten thousand turns at the same time in one process, and the memory that each of them holds.
//!
//! Every turn has asked for a tool, has its result, and waits for the model's answer. The model is an
//! in-process one that answers when all turns have come that far, so that what is measured is the loop:
//! messages, history, counters, futures, and no HTTP connection.
//!
//! `cargo bench -p vernal --bench concurrent_turns` prints the bytes per turn and fails above the ceiling.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::alloc::System;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::{FutureExt, StreamExt, stream};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tokio::sync::Notify;
use vernal::message::{Part, PartContent, Role, ToolCall};
use vernal::model::{Generation, ModelEvent, ModelFuture, ModelStream, ResponseMetadata};
use vernal::prelude::*;

#[global_allocator]
static COUNTING: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const TURNS: usize = 10_000;
/// The most that a waiting turn may hold, in bytes.
const CEILING: usize = 8 * 1024;

#[derive(Default)]
struct Meeting {
    waiting: AtomicUsize,
    go_on: Notify,
}

/// Asks for a tool at first, then waits for all others before it answers.
struct Patient(Arc<Meeting>);

impl Patient {
    async fn answer(meeting: Arc<Meeting>, prompt: Prompt) -> ChatResponse {
        if prompt.messages().len() == 1 {
            let call = ToolCall::new("call_0", "lookup", r#"{"key":"value"}"#);
            let parts = vec![Part::from(PartContent::ToolCall(call))];
            let message = Message::new(Role::Assistant, parts);
            return ChatResponse::of(Generation::new(message, None), ResponseMetadata::default());
        }
        let mut go_on = std::pin::pin!(meeting.go_on.notified());
        go_on.as_mut().enable();
        meeting.waiting.fetch_add(1, Ordering::AcqRel);
        go_on.await;
        ChatResponse::text("done")
    }
}

impl ChatModel for Patient {
    fn name(&self) -> &str {
        "patient"
    }

    fn call(&self, prompt: Prompt) -> ModelFuture {
        Box::pin(Self::answer(self.0.clone(), prompt).map(Ok))
    }

    fn stream(&self, prompt: Prompt) -> ModelStream {
        let answer = Self::answer(self.0.clone(), prompt);
        stream::once(answer.map(|response| Ok(ModelEvent::Completed(Box::new(response))))).boxed()
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Lookup {
    key: String,
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    let (bytes, answered) = runtime.block_on(run());
    assert_eq!(answered, TURNS, "every turn has its answer");
    println!(
        "{TURNS} concurrent turns, one round done: {bytes} bytes per turn (ceiling {CEILING})"
    );
    if bytes > CEILING {
        println!("BROKEN: the ceiling of {CEILING} bytes per turn");
        std::process::exit(1);
    }
}

async fn run() -> (usize, usize) {
    let meeting = Arc::<Meeting>::default();
    let lookup = FunctionToolCallback::builder("lookup", |at: Lookup| format!("found {}", at.key));
    let client = ChatClient::builder(Patient(meeting.clone()))
        .default_tools(lookup.build().unwrap())
        .build()
        .unwrap();
    let region = Region::new(&INSTRUMENTED_SYSTEM);
    let turns: Vec<_> = (0..TURNS)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { client.prompt("What is behind the key?").call().await })
        })
        .collect();
    while meeting.waiting.load(Ordering::Acquire) < TURNS {
        tokio::task::yield_now().await;
    }
    let held = region.change();
    let bytes = held.bytes_allocated.saturating_sub(held.bytes_deallocated) / TURNS;
    meeting.go_on.notify_waiters();
    let mut answered = 0;
    for turn in turns {
        answered += usize::from(turn.await.unwrap().unwrap().content() == "done");
    }
    (bytes, answered)
}
