//! Processes that are killed in the middle of a client's turn: before and after each model call, around
//! a tool, and at each step of keeping the turn.

use std::collections::BTreeSet;
use std::future::Future;

use vernal_core::Error;
use vernal_core::advisor::{
    BaseAdvisor, ChatClientRequest, ChatClientResponse, MessageChatMemoryAdvisor,
    ToolCallingAdvisor, order,
};
use vernal_core::client::ChatClient;
use vernal_core::memory::{ChatMemory, ChatMemoryRepository, ConversationId, MemoryWindow};
use vernal_core::tool::FunctionToolCallback;
use vernal_testing::ScriptedModel;

use super::crash::{TURNS, count, lines, process, say, step, step_of};

/// The steps of a turn outside of the store, in the order in which they are first reached.
const OWN: [&str; 4] = ["model asked", "model answered", "tool runs", "tool ran"];

/// Where the memory stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Outside,
    Inside,
}

impl Place {
    pub fn name(self) -> &'static str {
        match self {
            Self::Outside => "outside",
            Self::Inside => "inside",
        }
    }

    pub fn named(name: &str) -> Self {
        match name {
            "outside" => Self::Outside,
            "inside" => Self::Inside,
            other => panic!("`{other}` is no place"),
        }
    }

    fn order(self) -> i32 {
        match self {
            Self::Outside => MessageChatMemoryAdvisor::DEFAULT_ORDER,
            Self::Inside => ToolCallingAdvisor::DEFAULT_ORDER + 100,
        }
    }

    /// The messages that are kept of a turn.
    fn of_turn(self) -> usize {
        match self {
            Self::Outside => 2,
            Self::Inside => 4,
        }
    }
}

/// Says when the model is asked and when it has answered.
struct Watching;

impl BaseAdvisor for Watching {
    fn name(&self) -> &str {
        "watching"
    }

    fn order(&self) -> i32 {
        order::LOWEST_PRECEDENCE
    }

    async fn before(&self, request: ChatClientRequest) -> Result<ChatClientRequest, Error> {
        step("model asked");
        Ok(request)
    }

    async fn after(&self, response: ChatClientResponse) -> Result<ChatClientResponse, Error> {
        step("model answered");
        Ok(response)
    }
}

/// Runs turns with these numbers through a client: a question, a call of a tool, an answer.
pub async fn run(
    repository: impl ChatMemoryRepository,
    id: &ConversationId,
    place: Place,
    turns: std::ops::Range<usize>,
) {
    let model = turns.clone().fold(ScriptedModel::new(), |model, turn| {
        model.calls("look", "{}").says(format!("answer {turn}"))
    });
    let look = FunctionToolCallback::builder("look", || {
        step("tool runs");
        step("tool ran");
        "seen"
    });
    let memory = ChatMemory::new(repository).with_window(MemoryWindow::whole());
    let memory = MessageChatMemoryAdvisor::builder(memory).order(place.order());
    let client = ChatClient::builder(model)
        .default_tools(look.build().unwrap())
        .default_advisors((memory.build(), Watching))
        .build()
        .unwrap();
    for turn in turns {
        let request = client.prompt(format!("question {turn}"));
        let request = request.conversation(id.as_str());
        // A memory takes part in streamed turns as in others.
        let answer = match turn % 2 {
            0 => request.call().await,
            _ => request.stream().response().await,
        };
        assert_eq!(answer.unwrap().content(), format!("answer {turn}"));
        say("DONE");
    }
}

/// Kills a process at each step of its turns in turn. What is left must be whole turns, all that were
/// acknowledged and at most the one that was open, and a store that takes the next turn. Every step of
/// its own and at least one of the store's `steps` must be hit.
pub async fn at_every_step<R, F>(
    test: &str,
    steps: &[&str],
    file: Option<&str>,
    open: &impl Fn() -> F,
) where
    R: ChatMemoryRepository,
    F: Future<Output = R>,
{
    for place in [Place::Outside, Place::Inside] {
        let id = super::conversation("crash turn");
        let mut child = process(test, &id, Some(0), file, Some(place));
        let found = lines(&mut child, "never said");
        child.wait().unwrap();
        assert_eq!(count(&found, "DONE"), TURNS, "{found:?}");
        let reached = found.iter().filter_map(|line| step_of(line)).count();
        let mut hit = BTreeSet::new();
        for stop in 1..=reached {
            let id = super::conversation("crash turn");
            let mut child = process(test, &id, Some(stop), file, Some(place));
            let found = lines(&mut child, "STOPPED");
            child.kill().unwrap();
            child.wait().unwrap();
            assert_eq!(found.last().unwrap(), "STOPPED");
            let at = found.iter().rev().find_map(|line| step_of(line)).unwrap();
            hit.insert(at.to_owned());
            survived(open, &id, place, count(&found, "DONE"), at).await;
        }
        assert!(OWN.iter().all(|step| hit.contains(*step)), "{hit:?}");
        let others: Vec<_> = hit.iter().filter(|step| !OWN.contains(&&***step)).collect();
        assert!(!others.is_empty(), "the turns were not kept");
        assert!(
            others.iter().all(|step| steps.contains(&&***step)),
            "{others:?}"
        );
        println!(
            "killed at {reached} steps of turns, memory {}: {hit:?}",
            place.name()
        );
    }
}

async fn survived<R, F>(
    open: &impl Fn() -> F,
    id: &ConversationId,
    place: Place,
    acknowledged: usize,
    at: &str,
) where
    R: ChatMemoryRepository,
    F: Future<Output = R>,
{
    let kept = kept(&open().await, id, place, at).await;
    let known = acknowledged..=acknowledged + 1;
    assert!(
        known.contains(&kept),
        "{kept} kept of {acknowledged}, killed at {at}"
    );
    // Nothing that the dead process held is in the way.
    run(open().await, id, place, kept..kept + 1).await;
    assert_eq!(self::kept(&open().await, id, place, at).await, kept + 1);
    open().await.delete(id).await.unwrap();
}

/// How many turns a store holds, each of which must be whole and in its place.
async fn kept(
    repository: &impl ChatMemoryRepository,
    id: &ConversationId,
    place: Place,
    at: &str,
) -> usize {
    let messages = repository.load(id, None).await.unwrap();
    let turns = messages.chunks(place.of_turn());
    let count = turns.len();
    for (number, turn) in turns.enumerate() {
        assert_eq!(turn.len(), place.of_turn(), "a torn turn, killed at {at}");
        let (first, last) = (turn[0].text(), turn[turn.len() - 1].text());
        let said = (format!("question {number}"), format!("answer {number}"));
        assert_eq!(
            (first.as_ref(), last.as_ref()),
            (said.0.as_str(), said.1.as_str()),
            "{at}"
        );
        if place == Place::Inside {
            let call = turn[1].tool_calls().next().unwrap();
            let answer = turn[2].tool_responses().next().unwrap();
            assert_eq!(call.id, answer.call_id, "killed at {at}");
        }
    }
    count
}
