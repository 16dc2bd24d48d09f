//! Hooks that write down what they hear, and do at a point what a test says.

use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::Poll;

use vernal_core::Error;
use vernal_core::advisor::{
    ChatClientRequest, ChatClientResponse, LoopEnd, LoopOutcome, ToolCallingAdvisor, ToolLoopHooks,
};
use vernal_core::calling::ToolExecutionResult;
use vernal_core::client::{ChatClient, ChatClientBuilder};
use vernal_core::message::History;
use vernal_core::model::ChatModel;

use crate::probes::Notes;

/// The hooks that can wait and fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Point {
    Initialize,
    Before,
    After,
    Next,
}

impl Point {
    pub(crate) const ALL: [Self; 4] = [Self::Initialize, Self::Before, Self::After, Self::Next];
}

/// What a hook does at a point of a round, besides writing it down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Fails,
    Panics,
    /// Waits longer than anybody does.
    Sleeps,
}

/// Writes `point round` at each point, and how a turn ended.
#[derive(Clone, Default)]
pub(crate) struct Recorder {
    pub(crate) notes: Notes,
    pub(crate) prefix: &'static str,
    /// At which point of which round it does something.
    pub(crate) act: Option<(Point, u32, Act)>,
    /// Whether it gives way once at each point.
    pub(crate) waits: bool,
    /// What was said in each turn that ended.
    pub(crate) ended: Arc<Mutex<Vec<History>>>,
}

impl Recorder {
    pub(crate) fn new(notes: &Notes) -> Self {
        Self {
            notes: notes.clone(),
            ..Self::default()
        }
    }

    pub(crate) fn prefix(mut self, prefix: &'static str) -> Self {
        self.prefix = prefix;
        self
    }

    pub(crate) fn acts(mut self, point: Point, round: u32, act: Act) -> Self {
        self.act = Some((point, round, act));
        self
    }

    async fn at(&self, point: Point, round: u32) -> Result<(), Error> {
        self.notes
            .add(format!("{}{point:?} {round}", self.prefix).to_lowercase());
        if self.waits {
            give_way().await;
        }
        match self.act {
            Some((at, in_round, Act::Fails)) if (at, in_round) == (point, round) => {
                Err(Error::advisor("recorder", format!("no {point:?}")))
            }
            Some((at, in_round, Act::Panics)) if (at, in_round) == (point, round) => {
                panic!("at {point:?}")
            }
            Some((at, in_round, Act::Sleeps)) if (at, in_round) == (point, round) => {
                tokio::time::sleep(std::time::Duration::from_secs(3600)).await;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl ToolLoopHooks for Recorder {
    async fn initialize_loop(&self, request: &mut ChatClientRequest) -> Result<(), Error> {
        self.at(Point::Initialize, request.round()).await
    }

    async fn before_call(&self, request: &mut ChatClientRequest) -> Result<(), Error> {
        self.at(Point::Before, request.round()).await
    }

    async fn after_call(
        &self,
        request: &ChatClientRequest,
        _response: &mut ChatClientResponse,
    ) -> Result<(), Error> {
        self.at(Point::After, request.round()).await
    }

    async fn next_instructions(
        &self,
        request: &mut ChatClientRequest,
        _result: &ToolExecutionResult,
    ) -> Result<(), Error> {
        self.at(Point::Next, request.round()).await
    }

    fn finalize_loop(&self, end: &LoopEnd<'_>) {
        let how = match end.outcome() {
            LoopOutcome::Answer(response) => format!("answer {}", response.content()),
            LoopOutcome::ReturnDirect(response) => format!("direct {}", response.content()),
            LoopOutcome::Limit(breach, _) => format!("limit {}", breach.limit()),
            LoopOutcome::Failed(_) => "failed".to_owned(),
            LoopOutcome::Cancelled => "cancelled".to_owned(),
            _ => unreachable!(),
        };
        self.notes.add(format!("{}end {how}", self.prefix));
        self.ended.lock().unwrap().push(end.messages().clone());
    }
}

/// Lets whoever polls have the next word, once.
pub(crate) async fn give_way() {
    let mut gave = false;
    poll_fn(|context| {
        if std::mem::replace(&mut gave, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// A client with hooks in its loop.
pub(crate) fn with_hooks(model: impl ChatModel, hooks: impl ToolLoopHooks) -> ChatClientBuilder {
    ChatClient::builder(model).tool_calling_advisor(ToolCallingAdvisor::builder().hooks(hooks))
}
