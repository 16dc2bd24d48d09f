//! MEM-6: summaries in place of turns that are not shown.

use vernal_core::advisor::MessageChatMemoryAdvisor;
use vernal_core::client::ChatClient;
use vernal_core::memory::{ChatMemory, ConversationId, MemoryWindow};
use vernal_core::message::Message;
use vernal_core::model::{
    ChatModel, ChatResponse, ModelError, ModelErrorKind, ModelFuture, ModelStream, Prompt,
};
use vernal_testing::{Reply, ScriptedModel};

use crate::kit::{INSIDE, OUTSIDE, WAYS, asked, assert_valid, builder, read};
use crate::store::Store;

const SUMMARY: [&str; 2] = [
    "user: summarise our conversation so far.",
    "assistant: in short.",
];

fn client(model: &ScriptedModel, memory: ChatMemory, order: i32) -> ChatClient {
    let memory = MessageChatMemoryAdvisor::builder(memory)
        .order(order)
        .build();
    builder(model).default_advisors(memory).build().unwrap()
}

/// A memory of at most six messages.
fn memory(store: &Store, summariser: impl ChatModel) -> ChatMemory {
    ChatMemory::new(store.clone())
        .with_window(MemoryWindow::messages(6))
        .with_summaries(summariser)
}

#[tokio::test]
async fn mem_6_older_turns_are_replaced_by_a_summary_when_they_are_too_many() {
    for way in WAYS {
        let model = ScriptedModel::new().then_always(Reply::text("yes"));
        let summariser = ScriptedModel::new().then_always(Reply::text("In short."));
        let store = Store::default();
        let client = client(&model, memory(&store, summariser.clone()), OUTSIDE);
        for text in ["one", "two", "three", "four"] {
            way.send(&client.prompt(text).conversation("c"))
                .await
                .unwrap();
        }
        assert_eq!(summariser.call_count(), 0, "three turns fit");

        way.send(&client.prompt("five").conversation("c"))
            .await
            .unwrap();
        let tail = ["user: four", "assistant: yes", "user: five"];
        assert_eq!(
            asked(&model)[4],
            [&["system: be brief."], &SUMMARY[..], &tail].concat()
        );
        let quoted = summariser.prompts()[0]
            .messages()
            .last()
            .unwrap()
            .text()
            .into_owned();
        assert!(
            quoted.contains("User: one\n\nAssistant: yes\n\n"),
            "{quoted}"
        );
        assert!(
            quoted.contains("User: three") && !quoted.contains("four"),
            "{quoted}"
        );
        let kept = read(&store.kept("c").await);
        assert_eq!(kept, [&SUMMARY[..], &tail, &["assistant: yes"]].concat());

        // A summary is summarised in its time.
        for text in ["six", "seven"] {
            way.send(&client.prompt(text).conversation("c"))
                .await
                .unwrap();
        }
        assert_eq!(summariser.call_count(), 2);
        let quoted = summariser.prompts()[1]
            .messages()
            .last()
            .unwrap()
            .text()
            .into_owned();
        assert!(
            quoted.contains("In short.") && quoted.contains("five"),
            "{quoted}"
        );
        assert_eq!(asked(&model)[6][1..3], SUMMARY);
    }
}

#[tokio::test]
async fn mem_6_calls_and_answers_are_summarised_together_and_a_summary_not_again() {
    for way in WAYS {
        let mut model = ScriptedModel::new();
        for _ in 0..4 {
            model = model
                .calls("look", "{}")
                .calls("look", "{}")
                .calls("look", "{}")
                .says("yes");
        }
        let summariser = ScriptedModel::new().then_always(Reply::text("In short."));
        let store = Store::default();
        let client = client(&model, memory(&store, summariser.clone()), INSIDE);
        for text in ["one", "two", "three", "four"] {
            way.send(&client.prompt(text).conversation("c"))
                .await
                .unwrap();
            assert_valid(&store.kept("c").await);
        }
        asked(&model);
        // Every turn is larger than the window; the newest is always there in full.
        assert_eq!(store.kept("c").await.len(), 2 + 8 + 8);
        assert_eq!(summariser.call_count(), 2);
        let quoted = summariser.prompts()[0]
            .messages()
            .last()
            .unwrap()
            .text()
            .into_owned();
        assert!(quoted.contains("Tool call: look({})"), "{quoted}");
        assert!(quoted.contains("Result of look: seen"), "{quoted}");
    }
}

#[tokio::test]
async fn mem_6_a_summary_that_fails_loses_nothing_and_is_tried_again() {
    let failures = [
        Reply::error(ModelError::new(ModelErrorKind::Connection, "lost")),
        Reply::text(" "),
        Reply::call("look", "{}"),
    ];
    for way in WAYS {
        for failure in failures.clone() {
            let model = ScriptedModel::new().then_always(Reply::text("yes"));
            let summariser = ScriptedModel::new().replies(failure).says("In short.");
            let store = Store::default();
            let client = client(&model, memory(&store, summariser.clone()), OUTSIDE);
            for text in ["1", "2", "3", "4", "5", "6"] {
                way.send(&client.prompt(text).conversation("c"))
                    .await
                    .unwrap();
            }
            let prompts = asked(&model);
            assert_eq!(prompts[4].len(), 1 + 4 * 2 + 1, "all is shown");
            assert_eq!(prompts[5][1..3], SUMMARY);
        }
    }
}

/// A summariser that is overtaken: while it works, the conversation is summarised by another.
struct Overtaken(Store);

impl ChatModel for Overtaken {
    fn name(&self) -> &str {
        "overtaken"
    }

    fn call(&self, _: Prompt) -> ModelFuture {
        let memory = ChatMemory::new(self.0.clone());
        Box::pin(async move {
            let id = ConversationId::new("c").unwrap();
            memory.clear(&id).await.unwrap();
            let other = [Message::user("So far?"), Message::assistant("Another's.")];
            memory.append(&id, other).await.unwrap();
            Ok(ChatResponse::text("In short."))
        })
    }

    fn stream(&self, _: Prompt) -> ModelStream {
        unreachable!("summaries are not streamed")
    }
}

#[tokio::test]
async fn mem_6_of_two_summaries_at_the_same_time_the_first_holds() {
    for way in WAYS {
        let model = ScriptedModel::new().then_always(Reply::text("yes"));
        let store = Store::default();
        let client = client(&model, memory(&store, Overtaken(store.clone())), OUTSIDE);
        for text in ["1", "2", "3", "4", "5"] {
            way.send(&client.prompt(text).conversation("c"))
                .await
                .unwrap();
        }
        let expected = ["user: so far?", "assistant: another's.", "user: 5"];
        assert_eq!(asked(&model)[4][1..], expected);
        assert_eq!(
            read(&store.kept("c").await)[1..],
            [expected[1], expected[2], "assistant: yes"]
        );
    }
}

#[tokio::test]
async fn mem_6_a_summary_alone_is_not_summarised_again() {
    let lost = || ModelError::new(ModelErrorKind::Connection, "lost");
    for way in WAYS {
        let model = ScriptedModel::new().says("1").says("2");
        let model = model.fails(lost()).fails(lost()).says("3");
        let summariser = ScriptedModel::new().then_always(Reply::text("In short."));
        let store = Store::default();
        let memory = ChatMemory::new(store.clone()).with_window(MemoryWindow::messages(2));
        let client = client(&model, memory.with_summaries(summariser.clone()), OUTSIDE);
        for expected in [true, true, false, false, true] {
            let sent = way.send(&client.prompt("hi").conversation("c")).await;
            assert_eq!(sent.is_ok(), expected);
        }
        assert_eq!(
            summariser.call_count(),
            1,
            "turns that failed added nothing"
        );
        assert_eq!(store.kept("c").await.len(), 6);
    }
}
