//! LOOP-1: a turn that is dropped, at every point where it can wait.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt, stream};
use vernal_core::Error;
use vernal_core::advisor::{BaseAdvisor, ChatClientRequest, ChatClientResponse, MemoryAdvisor};
use vernal_core::client::{ChatClient, ChatClientRequestSpec};
use vernal_core::message::History;
use vernal_core::model::{ChatModel, ModelFuture, ModelStream, Prompt};
use vernal_core::tool::FunctionToolCallback;
use vernal_testing::{Reply, ScriptedModel};

use crate::hook_kit::{Recorder, give_way, with_hooks};
use crate::probes::Notes;
use crate::transcript::assert_valid;

/// Gives way before it answers, and in a stream before every event.
struct Slow {
    model: ScriptedModel,
    notes: Notes,
}

impl ChatModel for Slow {
    fn name(&self) -> &str {
        "slow"
    }

    fn call(&self, prompt: Prompt) -> ModelFuture {
        let (response, notes) = (self.model.call(prompt), self.notes.clone());
        Box::pin(async move {
            notes.add("model");
            give_way().await;
            response.await
        })
    }

    fn stream(&self, prompt: Prompt) -> ModelStream {
        let notes = self.notes.clone();
        let events = self.model.stream(prompt);
        let slowed = events.then(move |event| {
            let notes = notes.clone();
            async move {
                notes.add("model");
                give_way().await;
                event
            }
        });
        slowed.boxed()
    }
}

/// Gives way on the way in and out.
struct SlowAdvisor(Notes);

impl BaseAdvisor for SlowAdvisor {
    fn name(&self) -> &str {
        "slow"
    }

    async fn before(&self, request: ChatClientRequest) -> Result<ChatClientRequest, Error> {
        self.0.add("> advisor");
        give_way().await;
        Ok(request)
    }

    async fn after(&self, response: ChatClientResponse) -> Result<ChatClientResponse, Error> {
        self.0.add("< advisor");
        give_way().await;
        Ok(response)
    }
}

/// Gives way before it has kept a turn.
struct SlowMemory(Notes);

impl BaseAdvisor for SlowMemory {
    fn name(&self) -> &str {
        "slow-memory"
    }

    fn as_memory_advisor(&self) -> Option<&dyn MemoryAdvisor> {
        Some(self)
    }
}

impl MemoryAdvisor for SlowMemory {
    fn replays_full_turn(&self) -> bool {
        false
    }

    fn repository_name(&self) -> &str {
        "slow"
    }

    fn stores_tool_messages(&self) -> bool {
        true
    }

    fn commit_turn<'a>(
        &'a self,
        _: &'a ChatClientRequest,
        _: &'a History,
    ) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async {
            self.0.add("commit");
            give_way().await;
            Ok(())
        })
    }
}

/// A turn of two rounds with tools and an answer, in which everything gives way.
fn turn(recorder: &Recorder) -> (ChatClient, ScriptedModel) {
    let notes = recorder.notes.clone();
    let batch = Reply::text("I look.")
        .and_call("a", "{}")
        .and_call("b", "{}");
    let model = ScriptedModel::new()
        .replies(batch)
        .calls("a", r#"{"n":2}"#)
        .says("done");
    let slow = Slow {
        model: model.clone(),
        notes: notes.clone(),
    };
    let tools = ["a", "b"].map(|name| {
        let notes = notes.clone();
        let run = move |_: serde_json::Value| {
            let notes = notes.clone();
            async move {
                notes.add("tool");
                give_way().await;
                "seen"
            }
        };
        FunctionToolCallback::builder(name, run)
            .input_schema(r#"{"type":"object"}"#)
            .build()
            .unwrap()
    });
    let client = with_hooks(slow, recorder.clone())
        .default_advisors((SlowAdvisor(notes.clone()), SlowMemory(notes)))
        .default_tools(Vec::from(tools))
        .build()
        .unwrap();
    (client, model)
}

/// A request that is polled by hand.
type Running = Pin<Box<dyn stream::Stream<Item = Result<(), Error>> + Send>>;

fn running(request: &ChatClientRequestSpec, streamed: bool) -> Running {
    match streamed {
        false => stream::once(request.call().map(|result| result.map(drop))).boxed(),
        true => request.stream().map(|event| event.map(drop)).boxed(),
    }
}

/// Polls so often and no more; whether the turn was over by then.
fn poll(running: &mut Running, times: usize) -> bool {
    let mut context = Context::from_waker(futures::task::noop_waker_ref());
    for _ in 0..times {
        match running.poll_next_unpin(&mut context) {
            Poll::Ready(Some(Err(error))) => panic!("{error}"),
            Poll::Ready(None) => return true,
            Poll::Ready(Some(Ok(()))) | Poll::Pending => {}
        }
    }
    false
}

#[tokio::test]
async fn loop_1_a_turn_dropped_at_any_point_is_finalized_once_with_a_valid_transcript() {
    for streamed in [false, true] {
        let mut dropped_at = Vec::new();
        for polls in 0.. {
            let recorder = Recorder {
                waits: true,
                ..Recorder::default()
            };
            let (client, _) = turn(&recorder);
            let mut request = running(&client.prompt("go").conversation("c"), streamed);
            let is_over = poll(&mut request, polls);
            let before = recorder.notes.take();
            drop(request);
            let after = recorder.notes.take();
            let ended = recorder.ended.lock().unwrap();
            if is_over {
                assert_eq!(before.last().unwrap(), "end answer done");
                assert!(after.is_empty(), "{after:?}");
                assert_eq!(ended.len(), 1);
                break;
            }
            ended.iter().for_each(assert_valid);
            match before.iter().any(|note| note.starts_with("initialize")) {
                // The answer is there, but was not asked for.
                true if before.iter().any(|note| note == "end answer done") => {
                    assert!(after.is_empty());
                }
                true => assert_eq!(after, ["end cancelled"], "{polls} polls: {before:?}"),
                false => assert!(after.is_empty(), "nothing had begun: {after:?}"),
            }
            dropped_at.extend(before.last().cloned());
        }
        // Every point of every round was one at which it was dropped.
        let rounds = [
            "before 1", "before 2", "before 3", "after 1", "after 2", "after 3",
        ];
        let others = [
            "initialize 1",
            "next 2",
            "next 3",
            "model",
            "tool",
            "commit",
            "> advisor",
            "< advisor",
        ];
        for point in rounds.iter().chain(&others) {
            assert!(
                dropped_at.iter().any(|at| at == point),
                "{point}: {dropped_at:?}"
            );
        }
    }
}

#[tokio::test]
async fn loop_1_a_turn_dropped_while_tools_run_answers_their_calls() {
    for streamed in [false, true] {
        let mut polls = 0;
        loop {
            polls += 1;
            let recorder = Recorder {
                waits: true,
                ..Recorder::default()
            };
            let (client, model) = turn(&recorder);
            let mut request = running(&client.prompt("go").conversation("c"), streamed);
            assert!(!poll(&mut request, polls), "no tool was waited for");
            let noted = recorder.notes.take();
            if noted.last().map(String::as_str) != Some("tool") {
                continue;
            }
            drop(request);
            assert_eq!(model.call_count(), 1);
            let ended = recorder.ended.lock().unwrap();
            let answers = crate::transcript::last_answers(&ended[0]);
            assert_eq!(answers.len(), 2);
            for (_, text) in answers {
                assert!(text.contains("did not finish"), "{text}");
            }
            break;
        }
    }
}
