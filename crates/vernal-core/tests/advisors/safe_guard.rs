//! The safe-guard: what it refuses, and what comes of a refusal.

use vernal_core::advisor::{
    ChatEvent, MessageChatMemoryAdvisor, SafeGuardAdvisor, ToolCallingAdvisor,
};
use vernal_core::client::ChatClient;
use vernal_core::memory::InMemoryChatMemoryRepository;
use vernal_core::message::{FinishReason, Usage};
use vernal_testing::{Reply, ScriptedModel};

use crate::kit::{WAYS, Way, costs, looking, said};

#[tokio::test]
async fn unwanted_words_of_the_user_never_reach_the_model() {
    let by_words = || SafeGuardAdvisor::for_words(["Launch Code", "비밀", "  "]);
    let by_closure = || {
        let is_long = |text: &str| text.len() > 40 || text.to_uppercase().contains("CODE");
        SafeGuardAdvisor::builder().unwanted(is_long).build()
    };
    for (text, words, closure) in [
        ("hello", false, false),
        ("the LAUNCH code, please", true, true),
        ("prelaunch codes", true, true),
        ("비밀번호", true, false),
        ("launch the code", false, true),
    ] {
        for (guard, is_refused) in [(by_words(), words), (by_closure(), closure)] {
            for way in WAYS {
                let model = ScriptedModel::new().says("fine");
                let client = ChatClient::create(model.clone());
                let request = client.prompt(text).advisors(guard.clone());
                let response = way.send(&request).await.response();
                let reason = response.chat_response().finish_reason();
                assert_eq!(
                    reason == Some(&FinishReason::SafeGuard),
                    is_refused,
                    "{text}"
                );
                assert_eq!(model.call_count(), usize::from(!is_refused), "{text}");
                let expected = match is_refused {
                    true => SafeGuardAdvisor::DEFAULT_REFUSAL,
                    false => "fine",
                };
                assert_eq!(response.content(), expected);
            }
        }
    }
    assert_eq!(FinishReason::SafeGuard.as_str(), "safeGuard");
}

#[tokio::test]
async fn a_refusal_is_an_answer_and_what_was_refused_does_not_come_back() {
    let inside = ToolCallingAdvisor::DEFAULT_ORDER + 100;
    let orders = [MessageChatMemoryAdvisor::DEFAULT_ORDER, inside];
    for (way, order) in WAYS
        .into_iter()
        .flat_map(|way| orders.map(|order| (way, order)))
    {
        let model = ScriptedModel::new().says("Hello.");
        let guard = SafeGuardAdvisor::builder().words(["secret"]).refusal("No.");
        let memory = MessageChatMemoryAdvisor::builder(InMemoryChatMemoryRepository::new());
        let memory = memory.order(order).build();
        let client = ChatClient::builder(model.clone())
            .default_advisors((guard.build(), memory))
            .build()
            .unwrap();
        let first = client.prompt("The secret?").conversation("c");
        assert_eq!(way.send(&first).await.response().content(), "No.");
        // Nothing of the turn was kept, and it does not make the next one unwanted.
        let second = client.prompt("Hi!").conversation("c");
        assert_eq!(way.send(&second).await.response().content(), "Hello.");
        let prompts = model.prompts();
        assert_eq!(said(Some(prompts[0].messages())), ["user: hi!"]);
    }
}

#[tokio::test]
async fn answers_are_looked_at_by_choice() {
    for (answers, expected) in [(false, "the secret is 42"), (true, "No.")] {
        for way in WAYS {
            let model = ScriptedModel::new().replies(
                Reply::text("the sec")
                    .and_text("ret is 42")
                    .usage(Usage::new(3, 4)),
            );
            let guard = SafeGuardAdvisor::builder()
                .words(["secret"])
                .answers(answers);
            let request = ChatClient::create(model).prompt("go");
            let sent = way
                .send(&request.advisors(guard.refusal("No.").build()))
                .await;
            if way == Way::Stream {
                let live = !answers;
                assert_eq!(sent.deltas().is_empty(), !live, "nothing of it is streamed");
            }
            let response = sent.response();
            assert_eq!(response.content(), expected);
            assert_eq!(response.usage(), Usage::new(3, 4), "it was paid for");
        }
    }
}

#[tokio::test]
async fn an_answer_that_passes_is_streamed_in_its_pieces() {
    let model = ScriptedModel::new().replies(Reply::text("a").and_text("b"));
    let guard = SafeGuardAdvisor::builder().words(["secret"]).answers(true);
    let request = ChatClient::create(model)
        .prompt("go")
        .advisors(guard.build());
    let sent = Way::Stream.send(&request).await;
    assert_eq!(sent.deltas(), ["a", "b"]);
    let last = sent.events.last().unwrap();
    assert!(matches!(last, ChatEvent::RoundFinished { .. }), "{last:?}");
}

#[tokio::test]
async fn tools_asked_for_with_unwanted_words_do_not_run() {
    for way in WAYS {
        let asks = costs("the secret: ", 1, 1).and_call("look", "{}");
        let model = ScriptedModel::new().replies(asks).says("never");
        let (client, runs) = looking(model.clone());
        let guard = SafeGuardAdvisor::builder().words(["secret"]).answers(true);
        let client = client.default_advisors(guard.build()).build().unwrap();
        let response = way.send(&client.prompt("go")).await.response();
        assert_eq!(response.content(), SafeGuardAdvisor::DEFAULT_REFUSAL);
        assert_eq!((runs.count(), model.call_count()), (0, 1));
        let refusal = format!("assistant: {}", SafeGuardAdvisor::DEFAULT_REFUSAL);
        let transcript = ["user: go".to_owned(), refusal.to_lowercase()];
        assert_eq!(said(response.messages()), transcript);
    }
}
