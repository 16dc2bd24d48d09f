//! LIM-7 to LIM-9: how a limit ends a turn, or does not.

use serde_json::{Value, json};
use vernal_core::calling::{LimitBreach, ToolCallLimitBehavior, ToolCallLimitExceeded};
use vernal_core::message::{FinishReason, ToolOutcome, Usage};
use vernal_testing::Reply;

use crate::drivers::{Driver, Outcome};
use crate::kit::tool;
use crate::scenario::{Scenario, calls};
use crate::transcript::{last_answers, lines};

/// A batch in which `a` breaches its limit of 2 between other calls.
fn breaching() -> Scenario {
    let batch = Reply::call("a", r#"{"n":1}"#)
        .and_call("b", "{}")
        .and_call("a", r#"{"n":2}"#)
        .and_call("broken", "{}")
        .and_call("a", r#"{"n":3}"#) // breaches
        .and_call("b", r#"{"late":true}"#)
        .and_call("a", r#"{"n":4}"#);
    Scenario::new()
        .tool(tool("a"))
        .tool(tool("b"))
        .tool(tool("broken").fails("boom"))
        .manager(|m| m.max_calls_for_tool("a", 2))
        .reply(
            batch
                .usage(Usage::new(10, 1))
                .ids("response-1", "request-1"),
        )
        .says("unreached")
}

const BREACH: &str = "The limit of 2 calls of the tool `a` in one turn is reached.";

#[tokio::test]
async fn lim_7_throw_runs_what_is_before_the_breach_and_answers_the_rest() {
    breaching()
        .check(|outcome| {
            assert_eq!(outcome.ran(), ["a", "b", "a", "broken"]);
            let not_run = |text: &str| (ToolOutcome::NotRun, text.to_owned());
            let expected = [
                (ToolOutcome::Success, "a result".to_owned()),
                (ToolOutcome::Success, "b result".to_owned()),
                (ToolOutcome::Success, "a result".to_owned()),
                (ToolOutcome::Failed, "boom".to_owned()),
                not_run(&format!("{BREACH} This call was not run.")),
                not_run(&format!("This call was not run. {BREACH}")),
                not_run(&format!("This call was not run. {BREACH}")),
            ];
            assert_eq!(last_answers(&outcome.history), expected);
            assert_eq!(outcome.transcript().len(), 3);
        })
        .await;
}

#[tokio::test]
async fn lim_7_the_error_of_a_manual_loop_carries_the_partial_result() {
    let scenario = breaching();
    scenario
        .check_on(&Driver::MANUAL, |outcome| {
            let error = outcome.exceeded.as_ref().unwrap();
            let exceeded = error.limit_exceeded().unwrap();
            assert_eq!(exceeded.tool_name(), Some("a"));
            assert_eq!(error.tool_name(), Some("a"));
            assert_eq!(exceeded.limit(), 2);
            assert_eq!(exceeded.to_string(), BREACH);
            assert_eq!(error.to_string(), BREACH);
            assert!(matches!(
                exceeded.breach(),
                LimitBreach::CallsPerTool { .. }
            ));
            let partial = exceeded.partial_result();
            assert!(!partial.return_direct());
            assert_eq!(partial.tool_responses().count(), 7);
            assert_eq!(partial.successes().count(), 3);
            assert_eq!(lines(partial.conversation_history()), outcome.transcript());
            assert!(error.partial_result().is_some());
        })
        .await;
}

#[tokio::test]
async fn lim_7_the_total_names_no_tool() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .manager(|m| m.max_total_tool_calls(2))
        .reply(calls("a", 4));
    let check = |outcome: &Outcome| {
        assert_eq!(outcome.executions.len(), 2);
        assert_eq!(
            outcome.text(),
            "The limit of 2 tool calls in one turn is reached."
        );
        if let Some(error) = &outcome.exceeded {
            let exceeded = error.limit_exceeded().unwrap();
            assert_eq!((exceeded.tool_name(), exceeded.limit()), (None, 2));
            assert_eq!(exceeded.breach(), &LimitBreach::TotalCalls { limit: 2 });
        }
    };
    scenario.check(check).await;
}

#[tokio::test]
async fn lim_7_a_direct_tool_before_the_breach_does_not_make_the_turn_direct() {
    let scenario = Scenario::new()
        .tool(tool("a").direct())
        .manager(|m| m.max_calls_per_tool(1))
        .reply(calls("a", 2));
    scenario
        .check(|outcome| {
            assert_eq!(
                outcome.finish_reason(),
                Some(&FinishReason::ToolCallLimitExceeded)
            );
            assert_eq!(outcome.response().generations.len(), 1);
        })
        .await;
}

#[tokio::test]
async fn lim_8_the_final_response_field_by_field() {
    let scenario = Scenario::new()
        .tool(tool("earlier"))
        .tool(tool("a").says("one"))
        .tool(tool("broken").fails("boom"))
        .manager(|m| m.max_calls_for_tool("a", 1))
        .reply(
            Reply::call("earlier", "{}")
                .usage(Usage::new(100, 10))
                .ids("first", "first"),
        )
        .reply(
            Reply::text("I look.")
                .and_call("a", "{}")
                .and_call("broken", "{}")
                .and_call("a", "{}")
                .usage(Usage::new(10, 1))
                .ids("response-2", "request-2"),
        )
        .says("unreached");
    scenario
        .check(|outcome| {
            let response = outcome.response();
            assert_eq!(response.generations.len(), 1);
            let generation = &response.generations[0];
            let breach = "The limit of 1 call of the tool `a` in one turn is reached.";
            assert_eq!(generation.message.text(), breach);
            assert_eq!(generation.message.parts().len(), 1);
            assert_eq!(
                generation.finish_reason,
                Some(ToolCallLimitExceeded::FINISH_REASON)
            );
            assert_eq!(
                generation.finish_reason.as_ref().unwrap().as_str(),
                "toolCallLimitExceeded"
            );
            // This batch's successes only: not those of earlier rounds, no failures.
            let partial = json!([{ "id": "call_0", "name": "a", "responseData": "one" }]);
            let expected = json!({ "partialToolResponses": partial });
            assert_eq!(Value::Object(generation.metadata.clone()), expected);
            assert_eq!(response.metadata.id.as_deref(), Some("response-2"));
            assert_eq!(response.metadata.request_id.as_deref(), Some("request-2"));
            assert_eq!(response.metadata.model.as_deref(), Some("scripted"));
            assert_eq!(response.metadata.usage, Some(Usage::new(110, 11)));
            assert_eq!(outcome.usage, Usage::new(110, 11));
            assert!(!response.has_tool_calls());
            assert_eq!(outcome.model_calls(), 2, "no further model call");
            assert_eq!(outcome.rounds, 2);
        })
        .await;
}

#[tokio::test]
async fn lim_8_without_successes_the_list_is_there_and_empty() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .manager(|m| m.max_total_tool_calls(1))
        .calls("a", "{}")
        .calls("a", "{}");
    scenario
        .check(|outcome| {
            let metadata = &outcome.response().generations[0].metadata;
            let key = ToolCallLimitExceeded::METADATA_PARTIAL_TOOL_RESPONSES;
            assert_eq!(metadata[key], json!([]));
        })
        .await;
}

fn lenient() -> Scenario {
    Scenario::new()
        .tool(tool("a"))
        .tool(tool("b"))
        .manager(|m| {
            m.max_calls_for_tool("a", 1)
                .on_limit_exceeded(ToolCallLimitBehavior::ReturnErrorResponse)
        })
}

#[tokio::test]
async fn lim_9_the_refused_call_is_answered_and_the_others_run() {
    let scenario = lenient()
        .reply(calls("a", 2).and_call("b", "{}").and_call("a", "{}"))
        .calls("b", "{}")
        .says("done");
    scenario
        .check(|outcome| {
            assert_eq!(outcome.ran(), ["a", "b", "b"]);
            assert_eq!(outcome.text(), "done");
            assert_eq!(outcome.model_calls(), 3);
            let limit = "The limit of 1 call of the tool `a` in one turn is reached. This call \
                         was not run. Go on without it.";
            let expected = format!(
                "tool: [a success a result] [a refused {limit}] [b success b result] [a refused \
                 {limit}]"
            );
            assert_eq!(outcome.transcript()[2], expected);
            assert!(outcome.exceeded.is_none());
        })
        .await;
}

#[tokio::test]
async fn lim_9_three_rounds_of_nothing_but_refusals_end_the_turn() {
    let scenario = lenient()
        .reply(Reply::call("a", "{}").usage(Usage::new(1, 1)))
        .forever(calls("a", 2).usage(Usage::new(1, 1)).ids("last", "last"));
    scenario
        .check(|outcome| {
            assert_eq!(outcome.executions.len(), 1);
            assert_eq!(outcome.model_calls(), 4);
            assert_eq!(
                outcome.finish_reason(),
                Some(&FinishReason::ToolCallLimitExceeded)
            );
            assert_eq!(
                outcome.text(),
                "The limit of 1 call of the tool `a` in one turn is reached."
            );
            assert_eq!(outcome.usage, Usage::new(4, 4));
            assert_eq!(outcome.response().metadata.id.as_deref(), Some("last"));
            let partial = &outcome.response().generations[0].metadata["partialToolResponses"];
            assert_eq!(partial, &json!([]));
            assert_eq!(last_answers(&outcome.history).len(), 2);
        })
        .await;
}

#[tokio::test]
async fn lim_9_a_round_in_which_anything_ran_starts_the_count_anew() {
    let scenario = lenient()
        .calls("a", "{}")
        .calls("a", "{}")
        .calls("a", "{}")
        .reply(Reply::call("a", "{}").and_call("b", "{}"))
        .calls("a", "{}")
        .calls("a", "{}")
        .calls("unheard-of", "{}") // no refusal either
        .calls("a", "{}")
        .calls("a", "{}")
        .says("done");
    scenario
        .check(|outcome| {
            assert_eq!(outcome.text(), "done");
            assert_eq!(outcome.ran(), ["a", "b"]);
            assert_eq!(outcome.rounds, 9);
        })
        .await;
}

#[tokio::test]
async fn lim_9_refusals_by_the_total_end_the_turn_by_the_total() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .manager(|m| {
            m.max_total_tool_calls(1)
                .on_limit_exceeded(ToolCallLimitBehavior::ReturnErrorResponse)
        })
        .forever(Reply::call("a", "{}"));
    scenario
        .check(|outcome| {
            assert_eq!(
                outcome.text(),
                "The limit of 1 tool call in one turn is reached."
            );
            assert_eq!(outcome.model_calls(), 4);
            if let Some(error) = &outcome.exceeded {
                assert_eq!(error.limit_exceeded().unwrap().tool_name(), None);
            }
        })
        .await;
}
