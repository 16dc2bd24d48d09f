//! LOOP-1 (without hooks) to LOOP-3, LOOP-5 and LOOP-6: the order of events, who decides, what is kept.

use std::sync::{Arc, Mutex};

use vernal_core::Error;
use vernal_core::advisor::{
    BaseAdvisor, ChatClientRequest, ChatClientResponse, MessageChatMemoryAdvisor,
    ToolCallingAdvisor,
};
use vernal_core::calling::ToolExecutionEligibilityChecker;
use vernal_core::client::ChatClient;
use vernal_core::memory::InMemoryChatMemoryRepository;
use vernal_core::message::{
    FinishReason, Message, Part, PartContent, ProviderData, Role, ToolCall, ToolOutcome, Usage,
};
use vernal_core::model::ChatModel;
use vernal_core::tool::FunctionToolCallback;
use vernal_testing::{Reply, ScriptedModel};

use crate::drivers::Driver;
use crate::kit::tool;
use crate::scenario::Scenario;
use crate::traces::Traces;

type Notes = Arc<Mutex<Vec<String>>>;

/// Notes what passes inside of the loop.
struct Inside(Notes);

impl BaseAdvisor for Inside {
    fn name(&self) -> &str {
        "inside"
    }

    async fn before(&self, request: ChatClientRequest) -> Result<ChatClientRequest, Error> {
        self.0
            .lock()
            .unwrap()
            .push(format!("round {}", request.round()));
        Ok(request)
    }

    async fn after(&self, response: ChatClientResponse) -> Result<ChatClientResponse, Error> {
        self.0
            .lock()
            .unwrap()
            .push(format!("answered {:?}", response.content()));
        Ok(response)
    }
}

#[tokio::test]
async fn loop_1_rest_of_the_chain_then_eligibility_then_execution_in_every_round() {
    for streamed in [false, true] {
        let notes = Notes::default();
        let (checked, ran) = (notes.clone(), notes.clone());
        let checker = ToolExecutionEligibilityChecker::new(move |response| {
            checked.lock().unwrap().push("eligible?".to_owned());
            response.has_tool_calls()
        });
        let tool = FunctionToolCallback::builder("a", move || {
            ran.lock().unwrap().push("ran".to_owned());
        });
        let tool_loop = ToolCallingAdvisor::builder().tool_execution_eligibility_checker(checker);
        let model = ScriptedModel::new()
            .replies(Reply::text("first").and_call("a", "{}").and_call("a", "{}"))
            .replies(Reply::text("second").and_call("a", "{}"))
            .says("done");
        let client = ChatClient::builder(model)
            .default_advisors((tool_loop.build().unwrap(), Inside(notes.clone())))
            .build()
            .unwrap();
        let request = client.prompt("go").tools(tool.build().unwrap());
        let response = match streamed {
            false => request.call().await,
            true => request.stream().response().await,
        };
        assert_eq!(response.unwrap().content(), "done");
        let expected = [
            ["round 1", "answered \"first\"", "eligible?", "ran", "ran"].as_slice(),
            &["round 2", "answered \"second\"", "eligible?", "ran"],
            &["round 3", "answered \"done\"", "eligible?"],
        ];
        assert_eq!(*notes.lock().unwrap(), expected.concat());
    }
}

#[tokio::test]
async fn loop_1_the_response_that_inner_advisors_leave_is_the_one_that_counts() {
    /// Takes the calls out of the first round's response.
    struct Censor;
    impl BaseAdvisor for Censor {
        fn name(&self) -> &str {
            "censor"
        }
        async fn after(
            &self,
            mut response: ChatClientResponse,
        ) -> Result<ChatClientResponse, Error> {
            response.chat_response_mut().generations[0].message =
                Arc::new(Message::assistant("censored"));
            Ok(response)
        }
    }
    let scenario = Scenario::new().tool(tool("a"));
    let model = ScriptedModel::new().calls("a", "{}");
    let client = ChatClient::builder(model)
        .default_advisors(Censor)
        .build()
        .unwrap();
    let request = client.prompt("go").tools(scenario.tools.clone());
    assert_eq!(request.call().await.unwrap().content(), "censored");
    assert!(scenario.log.started().is_empty());
}

#[tokio::test]
async fn loop_2_calls_decide_and_the_finish_reason_does_not() {
    for reason in [
        FinishReason::Stop,
        FinishReason::Malformed,
        FinishReason::Other("x".into()),
    ] {
        let scenario = Scenario::new()
            .tool(tool("a"))
            .reply(Reply::call("a", "{}").finish(reason))
            .says("done");
        scenario
            .check(|outcome| {
                assert_eq!(outcome.ran(), ["a"]);
                assert_eq!(outcome.text(), "done");
            })
            .await;
    }
    let promised = Reply::text("no calls after all").finish(FinishReason::ToolCalls);
    let scenario = Scenario::new()
        .tool(tool("a"))
        .reply(promised)
        .says("unreached");
    scenario
        .check(|outcome| {
            assert_eq!(outcome.text(), "no calls after all");
            assert_eq!(outcome.finish_reason(), Some(&FinishReason::ToolCalls));
            assert_eq!(outcome.model_calls(), 1);
        })
        .await;
}

#[tokio::test]
async fn loop_2_a_checker_can_leave_calls_to_the_caller() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .tool(tool("pay"))
        .checker(|r| r.has_tool_calls() && r.tool_calls().all(|call| &*call.name != "pay"))
        .calls("a", "{}")
        .reply(
            Reply::text("I pay.")
                .and_call("a", "{}")
                .and_call("pay", "{}"),
        )
        .says("unreached");
    scenario
        .check_on(&Driver::WITH_TURN, |outcome| {
            assert_eq!(outcome.ran(), ["a"]);
            assert_eq!(outcome.model_calls(), 2);
            let response = outcome.response();
            let names: Vec<_> = response.tool_calls().map(|call| &*call.name).collect();
            assert_eq!(names, ["a", "pay"]);
            assert_eq!(outcome.text(), "I pay.");
            let left = "not_run This call was not run: it was left to the application.";
            let expected = [
                "assistant: I pay. [a {}] [pay {}]".to_owned(),
                format!("tool: [a {left}] [pay {left}]"),
            ];
            assert_eq!(outcome.transcript()[3..], expected);
        })
        .await;
}

#[tokio::test]
async fn loop_2_a_response_without_calls_cannot_be_forced() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .checker(|_| true)
        .reply(Reply::text("Hello.").usage(Usage::new(3, 2)));
    scenario
        .check_on(&Driver::CLIENT, |outcome| {
            let text = outcome.error().to_string();
            assert!(text.contains("eligibility checker"), "{text}");
            // What the response said and cost is not lost.
            assert_eq!(outcome.usage, Usage::new(3, 2));
            assert_eq!(outcome.transcript(), ["user: go", "assistant: Hello."]);
        })
        .await;
    let response = scenario.model().call("go".into()).await.unwrap();
    let prompt = vernal_core::model::Prompt::new("go", scenario.options());
    let error = scenario
        .manager
        .execute_tool_calls(&prompt, &response)
        .await
        .unwrap_err();
    assert!(error.is_no_tool_calls());
    assert!(error.partial_result().is_none());
}

#[tokio::test]
async fn loop_3_a_round_adds_the_whole_message_and_one_message_of_answers() {
    let data = || serde_json::value::to_raw_value(&[1, 2]).unwrap();
    let signed = |content: PartContent| {
        Part::from(content).with_provider_data(ProviderData::new("acme", data()))
    };
    let scenario = Scenario::new()
        .messages(vec![Message::system("Be brief."), Message::user("go")])
        .tool(tool("a"))
        .tool(tool("b"))
        .reply(
            Reply::empty()
                .and_part(signed(PartContent::Reasoning("hm".into())))
                .and_text("First ")
                .and_text("a.")
                .and_part(signed(PartContent::ToolCall(ToolCall::new(
                    "1",
                    "b",
                    r#"{"x":1}"#,
                ))))
                .and_part(signed(PartContent::Opaque))
                .and_text("Then b.")
                .and_tool_call(ToolCall::new("2", "a", "")),
        )
        .calls("a", r#"{"y":2}"#)
        .says("done");
    scenario
        .check(|outcome| {
            let transcript = outcome.transcript();
            assert_eq!(transcript[..2], ["system: Be brief.", "user: go"]);
            assert_eq!(
                transcript[3],
                "tool: [b success b result] [a success a result]"
            );
            assert_eq!(transcript[4], r#"assistant: [a {"y":2}]"#);
            assert_eq!(
                transcript[5..],
                ["tool: [a success a result]", "assistant: done"]
            );

            // The model reads the message as it wrote it: every part, in order, with its data.
            let sent = outcome.prompts[1].messages().get(2).unwrap();
            assert_eq!(sent.role(), Role::Assistant);
            let kinds: Vec<_> = sent
                .parts()
                .iter()
                .map(|part| {
                    let kind = serde_json::to_value(&part.content).unwrap();
                    let name = kind.as_str().map(str::to_owned);
                    let name = name
                        .or_else(|| kind.as_object()?.keys().next().cloned())
                        .unwrap();
                    (
                        name,
                        part.provider_data("acme").map(|data| data.get().to_owned()),
                    )
                })
                .collect();
            let data = Some("[1,2]".to_owned());
            let expected = [
                ("reasoning".to_owned(), data.clone()),
                ("text".to_owned(), None),
                ("tool_call".to_owned(), data.clone()),
                ("opaque".to_owned(), data.clone()),
                ("text".to_owned(), None),
                ("tool_call".to_owned(), None),
            ];
            assert_eq!(kinds, expected);
            assert_eq!(sent.text(), "First a.Then b.");

            // A round adds to what was there, and nothing is written anew.
            let ids = |n: usize| -> Vec<_> {
                outcome.prompts[n]
                    .messages()
                    .iter()
                    .map(|message| message.id())
                    .collect()
            };
            assert_eq!(ids(1)[..2], ids(0)[..]);
            assert_eq!(ids(2)[..4], ids(1)[..]);
            assert_eq!(ids(2).len(), 6);
        })
        .await;
}

#[tokio::test]
async fn loop_1_a_panic_or_a_failure_of_a_tool_does_not_end_the_turn() {
    let scenario = Scenario::new()
        .tool(tool("panics").panics())
        .tool(tool("fails").fails("try later"))
        .reply(Reply::call("panics", "{}").and_call("fails", "{}"))
        .says("done");
    scenario
        .check(|outcome| {
            assert_eq!(outcome.text(), "done");
            let answers = crate::transcript::last_answers(&outcome.history);
            assert_eq!(answers[0].0, ToolOutcome::Failed);
            assert!(!answers[0].1.contains("secret"), "{}", answers[0].1);
            assert_eq!(answers[1], (ToolOutcome::Failed, "try later".to_owned()));
        })
        .await;
}

#[tokio::test]
async fn loop_1_a_fatal_error_ends_the_turn_and_every_call_is_answered() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .tool(
            tool("fatal")
                .fails_fatally("the database is gone")
                .sequential(),
        )
        .calls("a", "{}")
        .reply(
            Reply::call("a", "{}")
                .and_call("fatal", "{}")
                .and_call("a", r#"{"late":1}"#),
        )
        .says("unreached");
    scenario
        .check(|outcome| {
            assert_eq!(outcome.error().tool_name(), Some("fatal"));
            let expected = "the tool `fatal` failed: the database is gone";
            assert_eq!(outcome.error().to_string(), expected);
            assert_eq!(outcome.ran(), ["a", "a", "fatal"]);
            assert_eq!(outcome.model_calls(), 2);
            let answers = crate::transcript::last_answers(&outcome.history);
            let outcomes: Vec<_> = answers.iter().map(|(outcome, _)| *outcome).collect();
            // What ran and broke is told from what never began.
            let expected = [
                ToolOutcome::Success,
                ToolOutcome::Failed,
                ToolOutcome::NotRun,
            ];
            assert_eq!(outcomes, expected);
            assert!(!answers[1].1.contains("database"), "{}", answers[1].1);
        })
        .await;
}

#[test]
fn loop_5_a_loop_without_history_and_without_a_memory_inside_is_warned_about() {
    let inside = ToolCallingAdvisor::DEFAULT_ORDER + 1;
    for (order, warnings) in [(None, 1), (Some(inside), 0), (Some(inside - 2), 1)] {
        let (traces, _guard) = Traces::listen();
        let tool_loop = ToolCallingAdvisor::builder().disable_internal_conversation_history();
        let memory = order.map(|order| {
            let memory = MessageChatMemoryAdvisor::builder(InMemoryChatMemoryRepository::new());
            memory.order(order).build()
        });
        let client = ChatClient::builder(ScriptedModel::new());
        let client = client.default_advisors((tool_loop.build().unwrap(), memory));
        client.build().unwrap();
        let warned = traces.events_with("WARN", "disable_internal_conversation_history");
        assert_eq!(warned.len(), warnings, "{order:?}");
    }
}
