//! MEM-1 and MEM-5: what a request needs, and its system message.

use vernal_core::Error;
use vernal_core::advisor::{BaseAdvisor, ChatClientRequest, order};
use vernal_core::client::ChatClient;
use vernal_core::memory::{ChatMemory, ConversationId};
use vernal_core::message::Message;
use vernal_testing::{Reply, ScriptedModel};

use crate::kit::{INSIDE, OUTSIDE, WAYS, asked, builder, client, memory, read};
use crate::store::Store;

#[tokio::test]
async fn mem_1_a_request_with_a_memory_needs_a_conversation_and_none_is_invented() {
    let model = ScriptedModel::new().then_always(Reply::text("hello"));
    let store = Store::default();
    for order in [OUTSIDE, INSIDE] {
        let request = client(&model, &store, order).prompt("hi");
        let added = ChatClient::create(model.clone())
            .prompt("hi")
            .advisors(memory(&store, order).build());
        for way in WAYS {
            for request in [&request, &added] {
                let error = way.send(request).await.unwrap_err();
                assert!(error.is_setup());
                let text = error.to_string();
                assert!(text.contains(".conversation(\"user-42\")"), "{text}");
                assert!(text.contains("`message-chat-memory`"), "{text}");
            }
        }
    }
    assert_eq!((model.call_count(), store.uses()), (0, [0, 0]));
}

#[tokio::test]
async fn mem_1_an_id_that_is_none_is_an_error_and_any_script_will_do() {
    let model = ScriptedModel::new().then_always(Reply::text("hello"));
    let client = client(&model, &Store::default(), OUTSIDE);
    for way in WAYS {
        for id in ["", " \t", "a\0b"] {
            let error = way
                .send(&client.prompt("hi").conversation(id))
                .await
                .unwrap_err();
            assert!(
                error.is_setup() && error.to_string().contains("conversation id"),
                "{error}"
            );
        }
        let id = ConversationId::new("사용자 42").unwrap();
        way.send(&client.prompt("hi").conversation(id))
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn mem_1_without_a_memory_a_conversation_is_not_needed_and_does_no_harm() {
    let client = ChatClient::create(ScriptedModel::new().then_always(Reply::text("hello")));
    for way in WAYS {
        way.send(&client.prompt("hi")).await.unwrap();
        way.send(&client.prompt("hi").conversation("user-42"))
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn mem_1_conversations_do_not_mix() {
    for (way, order) in WAYS.into_iter().zip([OUTSIDE, INSIDE]) {
        let model = ScriptedModel::new().then_always(Reply::text("hello"));
        let client = client(&model, &Store::default(), order);
        for id in ["a", "b", "a"] {
            way.send(&client.prompt(id).conversation(id)).await.unwrap();
        }
        let last = [
            "system: be brief.",
            "user: a",
            "assistant: hello",
            "user: a",
        ];
        assert_eq!(asked(&model)[2], last, "{way:?}");
    }
}

/// Adds a system message at the end of every request.
struct HouseRules;

impl BaseAdvisor for HouseRules {
    fn name(&self) -> &str {
        "house-rules"
    }

    fn order(&self) -> i32 {
        order::HIGHEST_PRECEDENCE + 100
    }

    async fn before(&self, mut request: ChatClientRequest) -> Result<ChatClientRequest, Error> {
        let messages = request.prompt_mut().messages_mut();
        messages.push(Message::system("Be kind."));
        Ok(request)
    }
}

#[tokio::test]
async fn mem_5_system_messages_come_first_and_are_never_kept() {
    for order in [OUTSIDE, INSIDE] {
        for way in WAYS {
            let script = ScriptedModel::new().says("one").calls("look", "{}");
            let model = script.says("two");
            let store = Store::default();
            let memory = memory(&store, order).build();
            let client = builder(&model)
                .default_advisors((memory, HouseRules))
                .build()
                .unwrap();
            for text in ["first", "second"] {
                let request = client.prompt(text).conversation("c");
                way.send(&request).await.unwrap();
            }
            for prompt in asked(&model) {
                assert_eq!(prompt[..2], ["system: be brief.", "system: be kind."]);
                assert!(
                    !prompt[2..].iter().any(|line| line.starts_with("system")),
                    "{prompt:?}"
                );
            }
            let kept = read(&store.kept("c").await);
            assert!(
                !kept.iter().any(|line| line.starts_with("system")),
                "{kept:?}"
            );
        }
    }
}

#[tokio::test]
async fn mem_5_system_messages_that_something_else_kept_are_not_replayed() {
    let old = [
        Message::user("a"),
        Message::system("Be rude."),
        Message::assistant("b"),
    ];
    for (way, order) in WAYS.into_iter().zip([OUTSIDE, INSIDE]) {
        let model = ScriptedModel::new().says("hello");
        let store = Store::default();
        store.put("c", &old.clone().map(std::sync::Arc::new)).await;
        let client = client(&model, &store, order);
        way.send(&client.prompt("hi").conversation("c"))
            .await
            .unwrap();
        let expected = ["system: be brief.", "user: a", "assistant: b", "user: hi"];
        assert_eq!(asked(&model)[0], expected);
    }
}

#[tokio::test]
async fn mem_5_a_loop_of_one_s_own_keeps_no_system_messages_either() {
    let store = Store::default();
    let memory = ChatMemory::new(store.clone());
    let id = ConversationId::new("c").unwrap();
    let messages = [Message::system("Be brief."), Message::user("hi")];
    memory.append(&id, messages).await.unwrap();
    assert_eq!(read(&store.kept("c").await), ["user: hi"]);
    memory
        .append(&id, [Message::system("Be brief.")])
        .await
        .unwrap();
    assert_eq!(store.uses()[1], 1, "nothing to keep is no access");
}
