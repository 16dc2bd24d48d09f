//! MEM-2: memory outside of the loop.

use vernal_core::advisor::AdvisorParams;
use vernal_core::calling::ToolCallingManager;
use vernal_core::message::{History, Message, ToolContent, ToolResponse};
use vernal_core::model::{ModelError, ModelErrorKind};
use vernal_testing::{Reply, ScriptedModel};

use crate::kit::{OUTSIDE, WAYS, Way, asked, builder, client, memory, read};
use crate::store::Store;

#[tokio::test]
async fn mem_2_history_is_loaded_once_and_the_user_s_message_and_the_answer_are_kept() {
    for way in WAYS {
        let script =
            ScriptedModel::new().replies(Reply::text("Let me see.").and_call("look", "{}"));
        let model = script.says("I saw.").says("Bye.");
        let store = Store::default();
        let client = client(&model, &store, OUTSIDE);
        let first = client.prompt("Look!").conversation("c");
        assert_eq!(way.send(&first).await.unwrap().content(), "I saw.");
        assert_eq!(store.uses(), [1, 1]);
        assert_eq!(
            read(&store.kept("c").await),
            ["user: look!", "assistant: i saw."]
        );

        way.send(&client.prompt("Done?").conversation("c"))
            .await
            .unwrap();
        assert_eq!(store.uses(), [2, 2]);
        assert_eq!(
            asked(&model)[2],
            [
                "system: be brief.",
                "user: look!",
                "assistant: i saw.",
                "user: done?"
            ]
        );
        let kept = read(&store.kept("c").await);
        assert_eq!(kept[2..], ["user: done?", "assistant: bye."]);
    }
}

#[tokio::test]
async fn mem_2_all_new_messages_of_the_user_are_kept_and_the_application_s_examples_are_not() {
    for way in WAYS {
        let model = ScriptedModel::new().says("hello");
        let store = Store::default();
        let examples = [
            Message::user("ping"),
            Message::assistant("pong"),
            Message::user("one"),
        ];
        let request = client(&model, &store, OUTSIDE)
            .prompt(History::from_iter(examples))
            .user("two");
        way.send(&request.conversation("c")).await.unwrap();
        let kept = read(&store.kept("c").await);
        assert_eq!(kept, ["user: one", "user: two", "assistant: hello"]);
        assert_eq!(asked(&model)[0].len(), 5, "the model saw the examples");
    }
}

#[tokio::test]
async fn mem_2_direct_results_and_the_text_of_a_limit_count_as_the_answer() {
    let manager = || {
        ToolCallingManager::builder()
            .max_calls_for_tool("look", 1)
            .build()
            .unwrap()
    };
    for way in WAYS {
        let direct = Reply::call("tell", "{}").and_call("tell", "{}");
        let model = ScriptedModel::new()
            .replies(direct)
            .calls("look", "{}")
            .calls("look", "{}");
        let store = Store::default();
        let client = builder(&model)
            .default_advisors(memory(&store, OUTSIDE).build())
            .tool_calling_manager(manager());
        let client = client.build().unwrap();
        let direct = way
            .send(&client.prompt("Tell!").conversation("c"))
            .await
            .unwrap();
        let limited = way
            .send(&client.prompt("Look!").conversation("c"))
            .await
            .unwrap();
        assert_eq!(model.call_count(), 3);

        let kept = store.kept("c").await;
        assert_eq!(kept.len(), 4);
        assert_eq!(kept[1].text(), "told\ntold");
        assert_eq!(kept[1].text(), direct.content());
        assert!(kept[3].text().contains("look"), "{:?}", kept[3].text());
        assert_eq!(kept[3].text(), limited.content());
    }
}

#[tokio::test]
async fn mem_2_nothing_is_kept_of_a_turn_that_failed() {
    let lost = || ModelError::new(ModelErrorKind::Connection, "lost");
    for way in WAYS {
        for script in [
            ScriptedModel::new().fails(lost()),
            ScriptedModel::new().replies(Reply::text("Hal").then_error(lost())),
            ScriptedModel::new().calls("look", "{}").fails(lost()),
            ScriptedModel::new().calls("break", "{}"),
        ] {
            let store = Store::default();
            let client = client(&script, &store, OUTSIDE);
            way.send(&client.prompt("hi").conversation("c"))
                .await
                .unwrap_err();
            assert_eq!(store.uses(), [1, 0], "{way:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn mem_2_nothing_is_kept_of_a_turn_that_was_cancelled() {
    for way in WAYS {
        let store = Store::default();
        let client = client(&ScriptedModel::new().calls("wait", "{}"), &store, OUTSIDE);
        way.give_up(&client.prompt("hi").conversation("c")).await;
        assert_eq!(store.uses(), [1, 0], "{way:?}");
    }
    // A stream whose reader leaves after the first piece of text.
    let store = Store::default();
    let client = client(&ScriptedModel::new().says("hello"), &store, OUTSIDE);
    let mut events = client.prompt("hi").conversation("c").stream();
    events.next().await.unwrap().unwrap();
    drop(events);
    assert!(store.kept("c").await.is_empty());
}

#[tokio::test]
async fn mem_2_calls_that_are_left_to_the_application_end_no_turn() {
    for way in WAYS {
        let model = ScriptedModel::new().calls("look", "{}").says("I saw.");
        let store = Store::default();
        let client = client(&model, &store, OUTSIDE);
        let off = AdvisorParams::tool_calling_advisor_auto_register(false);
        let request = client.prompt("Look!").conversation("c").advisors(off);
        let response = way.send(&request).await.unwrap();
        assert_eq!(store.uses(), [1, 0]);

        let asks = response
            .chat_response()
            .generation()
            .unwrap()
            .message
            .clone();
        let call = asks.tool_calls().next().unwrap();
        let answer = ToolResponse::success(call, vec![ToolContent::Text("seen".into())]);
        let mut turn = History::from("Look!");
        turn.push(asks.clone());
        turn.push(Message::tool([answer]));
        way.send(&request.messages(turn)).await.unwrap();
        assert_eq!(
            read(&store.kept("c").await),
            ["user: look!", "assistant: i saw."]
        );
    }
}

#[tokio::test]
async fn mem_2_call_and_stream_keep_the_same() {
    let mut kept = Vec::new();
    for way in [Way::Call, Way::Stream] {
        let script = ScriptedModel::new().replies(Reply::text("Hm. ").and_call("look", "{}"));
        let model = script.replies(Reply::empty().and_reasoning("well").and_text("I saw."));
        let store = Store::default();
        let request = client(&model, &store, OUTSIDE).prompt("Look!");
        way.send(&request.conversation("c")).await.unwrap();
        let messages = store.kept("c").await;
        let parts = messages
            .iter()
            .map(|message| serde_json::to_string(message.parts()).unwrap());
        kept.push(parts.collect::<Vec<_>>());
    }
    assert_eq!(kept[0], kept[1]);
    assert!(
        kept[0][1].contains("well"),
        "the reasoning is kept with the answer"
    );
}
