//! STR-1, STR-4 and STR-6: what a stream yields, over scripted models.

use futures::StreamExt;
use vernal_core::advisor::ChatEvent;
use vernal_core::message::{ToolOutcome, Usage};
use vernal_core::model::{ModelError, ModelErrorKind};
use vernal_testing::Reply;

use crate::drivers::{Driver, request};
use crate::kit::tool;
use crate::live::event_lines;
use crate::scenario::Scenario;

#[tokio::test]
async fn str_1_typed_events_with_the_number_of_their_round() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .tool(tool("b").fails("boom"))
        .reply(
            Reply::empty()
                .and_reasoning("hm")
                .and_text("Let me ")
                .and_text("look.")
                .and_call("a", r#"{"x":1}"#)
                .and_call("b", "{}")
                .and_call("c", ""),
        )
        .reply(Reply::text("It is ").and_text("fine."));
    scenario
        .check_on(&[Driver::Stream], |outcome| {
            let expected = [
                "1 reasoning hm",
                "1 text Let me ",
                "1 text look.",
                "1 call 0 a",
                "1 arguments 0 {\"x",
                "1 arguments 0 \":1}",
                "1 call 1 b",
                "1 arguments 1 {",
                "1 arguments 1 }",
                "1 call 2 c",
                "1 arguments 2 ",
                "1 arguments 2 ",
                "1 finished Commentary",
                "1 result c UnknownTool",
                "1 runs a {\"x\":1}",
                "1 runs b {}",
                "1 result a Success",
                "1 result b Failed",
                "2 text It is ",
                "2 text fine.",
                "2 finished Answer",
                "done It is fine. 0",
            ];
            let seen = event_lines(&outcome.events);
            // Calls of a batch run side by side: each begins before it ends, and that is all.
            let order = |line: &str| expected.iter().position(|expected| *expected == line);
            let mut sorted = seen.clone();
            sorted.sort_by_key(|line| order(line));
            assert_eq!(sorted, expected);
            let at = |line: &str| seen.iter().position(|seen| seen == line).unwrap();
            for tool in ["a {\"x\":1}", "b {}"] {
                let name = &tool[..1];
                let result = seen
                    .iter()
                    .position(|line| line.starts_with(&format!("1 result {name}")));
                assert!(at("1 finished Commentary") < at(&format!("1 runs {tool}")));
                assert!(at(&format!("1 runs {tool}")) < result.unwrap());
                assert!(result.unwrap() < at("2 text It is "));
            }
        })
        .await;
}

fn broken() -> ModelError {
    ModelError::new(ModelErrorKind::Connection, "the connection broke")
}

#[tokio::test]
async fn str_4_an_error_in_the_models_stream_ends_the_turn_and_no_tool_of_the_round_runs() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .reply(
            Reply::text("First.")
                .and_call("a", r#"{"n":1}"#)
                .usage(Usage::new(10, 1)),
        )
        .reply(
            Reply::text("Then ")
                .and_call("a", r#"{"n":2}"#)
                .usage(Usage::new(20, 2))
                .then_error(broken()),
        )
        .says("unreached");
    scenario
        .check_on(&Driver::CLIENT, |outcome| {
            assert_eq!(
                outcome.executions,
                [("a".to_owned(), r#"{"n":1}"#.to_owned())]
            );
            assert_eq!(outcome.error().to_string(), "the connection broke");
            assert_eq!(outcome.model_calls(), 2);
            let expected = [
                "user: go",
                r#"assistant: First. [a {"n":1}]"#,
                "tool: [a success a result]",
            ];
            assert_eq!(outcome.transcript(), expected);
            assert_eq!(outcome.usage, Usage::new(10, 1));
            assert_eq!(outcome.rounds, 1);
        })
        .await;
    scenario
        .check_on(&[Driver::Stream], |outcome| {
            let seen = event_lines(&outcome.events);
            let end = [
                "2 text Then ",
                "2 call 0 a",
                "2 arguments 0 {\"n",
                "2 arguments 0 \":2}",
            ];
            assert_eq!(
                seen[seen.len() - 4..],
                end,
                "what came before the error was shown"
            );
        })
        .await;
}

#[tokio::test]
async fn str_4_text_that_was_held_back_is_not_given_out_as_an_answer() {
    let scenario = Scenario::new().reply(Reply::text("Half an ").then_error(broken()));
    let stream = || request(&scenario, &scenario.model()).stream();
    let items: Vec<_> = stream().text().collect().await;
    assert_eq!(items.len(), 1);
    assert!(items[0].as_ref().unwrap_err().is_retryable());
    let items: Vec<_> = stream().text_live().collect().await;
    assert_eq!(items.len(), 2);
    assert_eq!(&**items[0].as_ref().unwrap(), "Half an ");
    assert!(
        stream()
            .response()
            .await
            .unwrap_err()
            .model_error()
            .is_some()
    );
}

#[tokio::test]
async fn str_6_usage_comes_once_per_round_and_once_in_total() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .tool(tool("direct").direct())
        .manager(|m| m.max_rounds(4))
        .reply(Reply::call("a", "{}").usage(Usage::new(10, 1)))
        .reply(Reply::call("a", "{}")) // says nothing of usage
        .reply(Reply::call("a", "{}").usage(Usage::new(30, 3)));
    let answered = |scenario: Scenario| scenario.reply(Reply::text("ok").usage(Usage::new(40, 4)));
    let ends = |kind: &str| {
        let kind = kind.to_owned();
        move |outcome: &crate::drivers::Outcome| {
            let seen = event_lines(&outcome.events);
            let finished: Vec<_> = seen
                .iter()
                .filter(|line| line.contains("finished"))
                .cloned()
                .collect();
            let expected = [
                "1 finished Commentary 11".to_owned(),
                "2 finished Commentary".to_owned(),
                "3 finished Commentary 33".to_owned(),
                format!("4 finished {kind} 44"),
            ];
            assert_eq!(finished, expected);
            assert!(seen.last().unwrap().ends_with(" 88"), "{seen:?}");
            assert_eq!(outcome.usage, Usage::new(80, 8));
        }
    };
    answered(scenario)
        .check_on(&[Driver::Stream], ends("Answer"))
        .await;
    for last in ["direct", "a"] {
        let scenario = Scenario::new()
            .tool(tool("a"))
            .tool(tool("direct").direct())
            .manager(|m| m.max_rounds(4))
            .reply(Reply::call("a", "{}").usage(Usage::new(10, 1)))
            .reply(Reply::call("a", "{}"))
            .reply(Reply::call("a", "{}").usage(Usage::new(30, 3)))
            .reply(Reply::call(last, "{}").usage(Usage::new(40, 4)));
        scenario
            .check_on(&[Driver::Stream], ends("Commentary"))
            .await;
    }
}

#[tokio::test]
async fn str_1_results_carry_the_time_a_tool_took() {
    let scenario = Scenario::new()
        .tool(tool("a").takes(std::time::Duration::from_millis(1)))
        .reply(Reply::call("a", "{}").and_call("x", "{}"))
        .says("done");
    scenario
        .check_on(&[Driver::Stream], |outcome| {
            let results: Vec<_> = outcome
                .events
                .iter()
                .filter_map(|event| match event {
                    ChatEvent::ToolResult {
                        response, duration, ..
                    } => Some((response.outcome, duration.map(|d| d.as_millis() >= 1))),
                    _ => None,
                })
                .collect();
            let expected = [
                (ToolOutcome::UnknownTool, None),
                (ToolOutcome::Success, Some(true)),
            ];
            assert_eq!(results, expected);
        })
        .await;
}
