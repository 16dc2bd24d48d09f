//! MEM-3: memory inside of the loop.

use vernal_core::Error;
use vernal_core::advisor::{AdvisorParams, BaseAdvisor, ChatClientResponse, ToolCallingAdvisor};
use vernal_core::calling::{ToolCallingManager, ToolExecutionEligibilityChecker};
use vernal_core::message::{History, Message};
use vernal_core::model::{ModelError, ModelErrorKind};
use vernal_testing::{Reply, ScriptedModel};

use crate::kit::{INSIDE, WAYS, asked, assert_valid, builder, client, memory, read};
use crate::store::Store;

#[tokio::test]
async fn mem_3_every_message_of_the_turn_is_kept_at_once_and_replayed_in_every_round() {
    for way in WAYS {
        let both = Reply::text("Let me see.")
            .and_call("look", "{}")
            .and_call("gone", "{}");
        let script = ScriptedModel::new()
            .replies(both)
            .calls("look", "{}")
            .says("I saw.");
        let model = script.calls("look", "{}").says("Bye.");
        let store = Store::default();
        let client = client(&model, &store, INSIDE);
        way.send(&client.prompt("Look!").conversation("c"))
            .await
            .unwrap();
        assert_eq!(store.uses(), [1, 1], "loaded once, kept once");
        let kept = store.kept("c").await;
        assert_valid(&kept);
        let lines = read(&kept);
        assert_eq!(lines.len(), 6);
        assert_eq!(
            lines[..2],
            ["user: look!", "assistant: let me see. look() gone()"]
        );
        assert!(lines[2].starts_with("tool: look=seen gone="), "{lines:?}");
        assert_eq!(
            lines[3..],
            ["assistant: look()", "tool: look=seen", "assistant: i saw."]
        );

        way.send(&client.prompt("Done?").conversation("c"))
            .await
            .unwrap();
        let prompts = asked(&model);
        let lengths: Vec<_> = prompts.iter().map(Vec::len).collect();
        assert_eq!(lengths, [2, 4, 6, 8, 10]);
        for (round, prompt) in prompts.iter().enumerate() {
            let whole = &prompts[prompts.len() - 1];
            assert_eq!(
                prompt[..],
                whole[..prompt.len()],
                "round {round} is a part of the last"
            );
        }
        assert_eq!(prompts[4][1..7], lines, "history comes as it was kept");
        assert_eq!(read(&store.kept("c").await).len(), 10);
    }
}

#[tokio::test]
async fn mem_3_direct_results_and_limits_leave_a_valid_transcript_that_ends_with_the_answer() {
    let manager = || {
        ToolCallingManager::builder()
            .max_calls_for_tool("look", 1)
            .build()
            .unwrap()
    };
    for way in WAYS {
        let direct = Reply::call("tell", "{}").and_call("tell", "{}");
        let limited = Reply::call("look", "{}")
            .and_call("look", "{}")
            .and_call("tell", "{}");
        let model = ScriptedModel::new()
            .replies(direct)
            .replies(limited)
            .says("Bye.");
        let store = Store::default();
        let client = builder(&model)
            .default_advisors(memory(&store, INSIDE).build())
            .tool_calling_manager(manager());
        let client = client.build().unwrap();

        let response = way
            .send(&client.prompt("Tell!").conversation("c"))
            .await
            .unwrap();
        let kept = store.kept("c").await;
        assert_valid(&kept);
        assert_eq!(
            read(&kept),
            [
                "user: tell!",
                "assistant: tell() tell()",
                "tool: tell=told tell=told",
                "assistant: told\ntold"
            ]
        );
        assert_eq!(response.content(), kept[3].text());

        let response = way
            .send(&client.prompt("Look!").conversation("c"))
            .await
            .unwrap();
        let kept = store.kept("c").await;
        assert_valid(&kept);
        assert_eq!(kept.len(), 8);
        assert_eq!(kept[6].tool_responses().count(), 3);
        assert_eq!(response.content(), kept[7].text());

        way.send(&client.prompt("Bye.").conversation("c"))
            .await
            .unwrap();
        assert_eq!(asked(&model)[2].len(), 10, "all of it is a valid beginning");
    }
}

#[tokio::test]
async fn mem_3_a_turn_that_fails_leaves_nothing_of_itself() {
    let lost = || ModelError::new(ModelErrorKind::Connection, "lost");
    for way in WAYS {
        for script in [
            ScriptedModel::new().fails(lost()),
            ScriptedModel::new().calls("look", "{}").fails(lost()),
            ScriptedModel::new()
                .calls("look", "{}")
                .replies(Reply::text("Hal").then_error(lost())),
            ScriptedModel::new()
                .calls("look", "{}")
                .calls("break", "{}"),
        ] {
            let model = script.calls("look", "{}").says("now");
            let store = Store::default();
            let client = client(&model, &store, INSIDE);
            let request = client.prompt("hi").conversation("c");
            way.send(&request).await.unwrap_err();
            assert_eq!(store.uses(), [1, 0], "{way:?}");
            // The same request works afterwards, and its message is kept once.
            way.send(&request).await.unwrap();
            let kept = store.kept("c").await;
            assert_valid(&kept);
            assert_eq!(kept.len(), 4);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn mem_3_a_turn_that_is_cancelled_leaves_nothing_of_itself() {
    for way in WAYS {
        let model = ScriptedModel::new().calls("look", "{}").calls("wait", "{}");
        let store = Store::default();
        let client = client(&model, &store, INSIDE);
        way.give_up(&client.prompt("hi").conversation("c")).await;
        assert_eq!(
            model.call_count(),
            2,
            "it was in the middle of the second round"
        );
        assert_eq!(store.uses(), [1, 0], "{way:?}");
    }
}

/// Refuses every answer, after the loop.
struct Refuses;

impl BaseAdvisor for Refuses {
    fn name(&self) -> &str {
        "refuses"
    }

    async fn after(&self, _: ChatClientResponse) -> Result<ChatClientResponse, Error> {
        Err(Error::advisor("refuses", "no"))
    }
}

#[tokio::test]
async fn mem_3_an_advisor_inside_that_refuses_the_answer_keeps_it_out() {
    for way in WAYS {
        let store = Store::default();
        let client = client(&ScriptedModel::new().says("hello"), &store, INSIDE);
        let request = client.prompt("hi").conversation("c").advisors(Refuses);
        way.send(&request).await.unwrap_err();
        assert_eq!(store.uses(), [1, 0]);
    }
}

#[tokio::test]
async fn mem_3_without_a_loop_a_memory_of_any_order_is_outside() {
    let off = AdvisorParams::tool_calling_advisor_auto_register(false);
    for way in WAYS {
        let model = ScriptedModel::new().says("hello").calls("look", "{}");
        let store = Store::default();
        let client = client(&model, &store, INSIDE);
        let request = client.prompt("hi").conversation("c").advisors(off);
        way.send(&request).await.unwrap();
        way.send(&client.prompt("Look!").conversation("c").advisors(off))
            .await
            .unwrap();
        assert_eq!(
            read(&store.kept("c").await),
            ["user: hi", "assistant: hello"]
        );
    }
}

#[tokio::test]
async fn mem_3_calls_that_the_loop_leaves_to_the_application_end_no_turn() {
    for way in WAYS {
        let model = ScriptedModel::new().calls("look", "{}").says("hello");
        let store = Store::default();
        let never = ToolExecutionEligibilityChecker::new(|_| false);
        let own = ToolCallingAdvisor::builder().tool_execution_eligibility_checker(never);
        let advisors = (own.build().unwrap(), memory(&store, INSIDE).build());
        let client = builder(&model).default_advisors(advisors).build().unwrap();
        let response = way
            .send(&client.prompt("Look!").conversation("c"))
            .await
            .unwrap();
        assert!(response.chat_response().has_tool_calls());
        assert_eq!(store.uses(), [1, 0]);
        way.send(&client.prompt("hi").conversation("c"))
            .await
            .unwrap();
        assert_eq!(
            read(&store.kept("c").await),
            ["user: hi", "assistant: hello"]
        );
    }
}

#[tokio::test]
async fn mem_3_the_application_s_examples_are_seen_in_every_round_and_not_kept() {
    for way in WAYS {
        let model = ScriptedModel::new().calls("look", "{}").says("done");
        let store = Store::default();
        let examples = [
            Message::user("ping"),
            Message::assistant("pong"),
            Message::user("go"),
        ];
        let request = client(&model, &store, INSIDE).prompt(History::from_iter(examples));
        way.send(&request.conversation("c")).await.unwrap();
        let seen = &asked(&model)[1][1..];
        assert_eq!(seen[..3], ["user: ping", "assistant: pong", "user: go"]);
        let kept = read(&store.kept("c").await);
        assert_eq!(kept, [&seen[2..], &["assistant: done".to_owned()]].concat());
    }
}
