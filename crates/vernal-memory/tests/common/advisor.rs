//! Whole turns of a client with tools, remembered outside of the loop and inside of it, over a store that
//! is opened again for each turn.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use serde_json::value::to_raw_value;
use vernal_core::Error;
use vernal_core::advisor::{ChatClientResponse, MessageChatMemoryAdvisor, ToolCallingAdvisor};
use vernal_core::client::{ChatClient, ChatClientRequestSpec};
use vernal_core::memory::{ChatMemory, ChatMemoryRepository, MemoryWindow};
use vernal_core::message::{Message, Part, PartContent, ProviderData, Role};
use vernal_core::model::{ModelError, ModelErrorKind};
use vernal_core::tool::FunctionToolCallback;
use vernal_testing::{Reply, ScriptedModel};

#[derive(Debug, Clone, Copy)]
enum Way {
    Call,
    Stream,
}

impl Way {
    async fn send(self, request: &ChatClientRequestSpec) -> Result<ChatClientResponse, Error> {
        match self {
            Self::Call => request.call().await,
            Self::Stream => request.stream().response().await,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Outside,
    Inside,
}

impl Place {
    fn order(self) -> i32 {
        match self {
            Self::Outside => MessageChatMemoryAdvisor::DEFAULT_ORDER,
            Self::Inside => ToolCallingAdvisor::DEFAULT_ORDER + 100,
        }
    }
}

/// Checks all of it. `open` opens the store anew.
pub async fn whole_turns<R, F>(open: impl Fn() -> F)
where
    R: ChatMemoryRepository,
    F: Future<Output = R>,
{
    for place in [Place::Outside, Place::Inside] {
        for way in [Way::Call, Way::Stream] {
            turns_over_reopened_stores(&open, place, way).await;
            turns_that_fail_leave_nothing(&open, place, way).await;
            turns_at_the_same_time_stay_whole(&open, place, way).await;
        }
    }
}

/// A client that remembers in `repository`; its tools are quick and slow.
fn client(
    model: &ScriptedModel,
    repository: impl ChatMemoryRepository,
    place: Place,
) -> ChatClient {
    let slow = || async {
        tokio::time::sleep(Duration::from_secs(600)).await;
        "late"
    };
    let look = FunctionToolCallback::builder("look", || "보임 ✓").build();
    let slow = FunctionToolCallback::builder("slow", slow).build();
    let memory = ChatMemory::new(repository).with_window(MemoryWindow::whole());
    let memory = MessageChatMemoryAdvisor::builder(memory).order(place.order());
    ChatClient::builder(model.clone())
        .default_system("Be brief.")
        .default_tools((look.unwrap(), slow.unwrap()))
        .default_advisors(memory.build())
        .build()
        .unwrap()
}

/// Two calls in one answer, with text, reasoning and a provider's data around them.
fn looks_twice() -> Reply {
    let own = to_raw_value(&serde_json::json!({"signature": "Zm9v", "n": 1})).unwrap();
    let thought = Part::from(PartContent::Reasoning("Hm.".into()))
        .with_provider_data(ProviderData::new("somebody", own));
    Reply::empty()
        .and_part(thought)
        .and_text("I look.")
        .and_call("look", "{}")
        .and_call("look", "{ }")
}

fn as_json<'a>(messages: impl IntoIterator<Item = &'a Arc<Message>>) -> Vec<String> {
    let messages = messages.into_iter();
    messages
        .map(|message| serde_json::to_string(message).unwrap())
        .collect()
}

/// The messages of a turn that a memory at that place keeps.
fn kept_of(response: &ChatClientResponse, place: Place) -> Vec<String> {
    let messages: Vec<_> = response.messages().unwrap().iter().collect();
    let last_user = messages
        .iter()
        .rposition(|m| m.role() == Role::User)
        .unwrap();
    let turn = &messages[last_user..];
    match place {
        Place::Inside => as_json(turn.iter().copied()),
        Place::Outside => as_json([turn[0], turn[turn.len() - 1]]),
    }
}

async fn turns_over_reopened_stores<R, F>(open: &impl Fn() -> F, place: Place, way: Way)
where
    R: ChatMemoryRepository,
    F: Future<Output = R>,
{
    let id = super::conversation("advisor");
    let mut kept: Vec<String> = Vec::new();
    for turn in 0..3 {
        let model = ScriptedModel::new()
            .replies(looks_twice())
            .calls("look", "{}")
            .says(format!("answer {turn}"));
        let client = client(&model, open().await, place);
        let request = client
            .prompt(format!("question {turn}"))
            .conversation(id.as_str());
        let response = way.send(&request).await.unwrap();
        assert_eq!(response.content(), format!("answer {turn}"));
        // Each model call saw the system message, all that was kept, and the open turn.
        for (round, prompt) in model.prompts().iter().enumerate() {
            let messages = prompt.messages();
            assert_eq!(messages.get(0).unwrap().role(), Role::System);
            let sent = as_json(messages.iter().skip(1));
            assert_eq!(sent[..kept.len()], kept, "{place:?} {way:?} turn {turn}");
            assert_eq!(sent.len(), kept.len() + 1 + 2 * round);
        }
        kept.extend(kept_of(&response, place));
        let loaded = open().await.load(&id, None).await.unwrap();
        assert_eq!(as_json(&loaded), kept, "{place:?} {way:?} turn {turn}");
    }
    let of_turn = if place == Place::Inside { 6 } else { 2 };
    assert_eq!(kept.len(), 3 * of_turn);
    open().await.delete(&id).await.unwrap();
}

async fn turns_that_fail_leave_nothing<R, F>(open: &impl Fn() -> F, place: Place, way: Way)
where
    R: ChatMemoryRepository,
    F: Future<Output = R>,
{
    let id = super::conversation("advisor fails");
    let model = ScriptedModel::new()
        .says("answer")
        .replies(looks_twice())
        .fails(ModelError::new(ModelErrorKind::Server, "down"))
        .calls("slow", "{}")
        .calls("look", "{}")
        .says("after all");
    let client = client(&model, open().await, place);
    let send = async |text: &str| {
        way.send(&client.prompt(text).conversation(id.as_str()))
            .await
    };
    send("first").await.unwrap();
    send("fails").await.unwrap_err();
    let patience = Duration::from_millis(200);
    let cancelled = tokio::time::timeout(patience, send("cancelled")).await;
    assert!(cancelled.is_err(), "it should have been running still");
    assert_eq!(open().await.load(&id, None).await.unwrap().len(), 2);
    send("last").await.unwrap();

    let loaded = open().await.load(&id, None).await.unwrap();
    let said: Vec<_> = loaded
        .iter()
        .map(|message| message.text().into_owned())
        .collect();
    let expected: &[&str] = match place {
        Place::Outside => &["first", "answer", "last", "after all"],
        Place::Inside => &["first", "answer", "last", "", "", "after all"],
    };
    assert_eq!(said, expected, "{place:?} {way:?}");
    open().await.delete(&id).await.unwrap();
}

async fn turns_at_the_same_time_stay_whole<R, F>(open: &impl Fn() -> F, place: Place, way: Way)
where
    R: ChatMemoryRepository,
    F: Future<Output = R>,
{
    const TURNS: usize = 8;
    let id = super::conversation("advisor together");
    let turns = (0..TURNS).map(|turn| {
        let id = id.clone();
        async move {
            let model = ScriptedModel::new()
                .calls("look", "{}")
                .says(format!("answer {turn}"));
            let client = client(&model, open().await, place);
            let request = client.prompt(format!("question {turn}"));
            let sent = way.send(&request.conversation(id.as_str())).await;
            kept_of(&sent.unwrap(), place)
        }
    });
    let mut turns = futures::future::join_all(turns).await;
    let loaded = as_json(&open().await.load(&id, None).await.unwrap());
    let of_turn = turns[0].len();
    assert_eq!(loaded.len(), TURNS * of_turn);
    for turn in loaded.chunks(of_turn) {
        let at = turns.iter().position(|kept| kept == turn);
        turns.remove(at.unwrap_or_else(|| panic!("{place:?}: not a whole turn: {turn:#?}")));
    }
    open().await.delete(&id).await.unwrap();
}
