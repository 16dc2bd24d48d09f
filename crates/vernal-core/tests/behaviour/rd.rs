//! RD-1 and RD-2: when the results of tools are the answer, and what that answer is.

use serde_json::{Value, json};
use vernal_core::calling::ToolCallLimitBehavior;
use vernal_core::message::{FinishReason, ToolCall, Usage};
use vernal_testing::Reply;

use crate::kit::tool;
use crate::scenario::Scenario;

/// Tools of every kind, the direct ones called `d…`.
fn tools() -> Scenario {
    let needs_n = r#"{"type":"object","properties":{"n":{"type":"boolean"}},"required":["n"]}"#;
    Scenario::new()
        .tool(tool("d1").direct().says("one"))
        .tool(tool("d2").direct().says("two"))
        .tool(tool("d_fails").direct().fails("boom"))
        .tool(tool("d_panics").direct().panics())
        .tool(tool("d_strict").direct().schema(needs_n))
        .tool(tool("plain").says("plain"))
        .manager(|m| {
            m.max_calls_for_tool("d2", 1)
                .on_limit_exceeded(ToolCallLimitBehavior::ReturnErrorResponse)
        })
}

fn batch(names: &[&str]) -> Reply {
    names
        .iter()
        .fold(Reply::empty(), |reply, name| reply.and_call(*name, "{}"))
}

#[tokio::test]
async fn rd_1_a_batch_of_nothing_but_direct_successes_is_the_answer() {
    for names in [&["d1"][..], &["d1", "d2"], &["d1", "d1"]] {
        let scenario = tools().reply(batch(names)).says("unreached");
        scenario
            .check(|outcome| {
                assert_eq!(outcome.ran(), names);
                assert_eq!(outcome.model_calls(), 1);
                assert_eq!(outcome.finish_reason(), Some(&FinishReason::ReturnDirect));
                assert_eq!(outcome.response().generations.len(), names.len());
            })
            .await;
    }
}

#[tokio::test]
async fn rd_1_anything_else_in_the_batch_goes_back_to_the_model() {
    for (what, names) in [
        ("a tool that is not direct", &["d1", "plain"][..]),
        ("the same, first", &["plain", "d1"]),
        ("a failed call alone", &["d_fails"]),
        ("a failed call", &["d1", "d_fails"]),
        ("a panic", &["d_panics", "d1"]),
        ("an unknown call", &["d1", "unheard-of"]),
        ("an unknown call, first", &["unheard-of", "d1"]),
        ("invalid arguments", &["d1", "d_strict"]),
        ("invalid arguments alone", &["d_strict"]),
        ("a refused call", &["d2", "d2"]),
        ("no direct tool at all", &["plain", "plain"]),
        (
            "all of it",
            &[
                "d1",
                "plain",
                "d_fails",
                "unheard-of",
                "d_strict",
                "d2",
                "d2",
            ],
        ),
    ] {
        let scenario = tools().reply(batch(names)).says("done");
        scenario
            .check(|outcome| {
                assert_eq!(outcome.text(), "done", "{what}");
                assert_eq!(outcome.finish_reason(), Some(&FinishReason::Stop), "{what}");
                assert_eq!(outcome.model_calls(), 2, "{what}");
                // What did run is not lost: the model reads it.
                let answers = outcome.prompts[1]
                    .messages()
                    .last()
                    .unwrap()
                    .tool_responses();
                assert_eq!(answers.count(), names.len(), "{what}");
            })
            .await;
    }
}

#[tokio::test]
async fn rd_1_a_call_that_was_cut_off_is_not_direct() {
    let cut = batch(&["d1"]).finish(FinishReason::Length);
    let scenario = tools().reply(cut).says("done");
    scenario
        .check(|outcome| assert_eq!(outcome.text(), "done"))
        .await;
}

#[tokio::test]
async fn rd_1_each_batch_is_judged_for_itself() {
    let scenario = tools()
        .reply(batch(&["d1", "plain"]))
        .reply(batch(&["d_fails"]))
        .reply(batch(&["d1", "d2"]))
        .says("unreached");
    scenario
        .check(|outcome| {
            assert_eq!(outcome.text(), "one\ntwo");
            assert_eq!(outcome.rounds, 3);
        })
        .await;
}

#[tokio::test]
async fn rd_2_the_response_field_by_field() {
    let scenario = tools()
        .reply(Reply::call("plain", "{}").usage(Usage::new(100, 10)))
        .reply(
            Reply::text("I hand it over.")
                .and_tool_call(ToolCall::new("id-2", "d2", "{}"))
                .and_tool_call(ToolCall::new("id-1", "d1", r#"{"x":1}"#))
                .usage(Usage::new(10, 1))
                .ids("response-2", "request-2"),
        )
        .says("unreached");
    scenario
        .check(|outcome| {
            let response = outcome.response();
            let generations: Vec<_> = response
                .generations
                .iter()
                .map(|generation| {
                    assert_eq!(generation.message.parts().len(), 1);
                    let reason = generation.finish_reason.as_ref().unwrap().as_str();
                    let metadata = Value::Object(generation.metadata.clone());
                    (
                        generation.message.text().into_owned(),
                        reason.to_owned(),
                        metadata,
                    )
                })
                .collect();
            let direct = || "returnDirect".to_owned();
            let expected = [
                (
                    "two".to_owned(),
                    direct(),
                    json!({ "toolId": "id-2", "toolName": "d2" }),
                ),
                (
                    "one".to_owned(),
                    direct(),
                    json!({ "toolId": "id-1", "toolName": "d1" }),
                ),
            ];
            assert_eq!(generations, expected);
            assert_eq!(response.content(), "two\none", "a line each");
            assert!(!response.has_tool_calls());
            assert_eq!(response.metadata.id.as_deref(), Some("response-2"));
            assert_eq!(response.metadata.request_id.as_deref(), Some("request-2"));
            assert_eq!(response.metadata.model.as_deref(), Some("scripted"));
            assert_eq!(response.metadata.usage, Some(Usage::new(110, 11)));
            assert_eq!(outcome.model_calls(), 2, "the loop ends");
            let expected = [
                r#"assistant: I hand it over. [d2 {}] [d1 {"x":1}]"#,
                "tool: [d2 success two] [d1 success one]",
            ];
            assert_eq!(outcome.transcript()[3..], expected);
        })
        .await;
}

#[tokio::test]
async fn rd_2_the_text_is_the_converted_result() {
    use vernal_core::tool::{FunctionToolCallback, ToolMetadata};
    let direct = || ToolMetadata::builder().return_direct(true).build();
    let text = FunctionToolCallback::builder("text", || "not \"quoted\"");
    let json = FunctionToolCallback::builder("json", || vec![Some(1), None]);
    let nothing = FunctionToolCallback::builder("nothing", || {});
    let scenario = Scenario::new()
        .callback(text.tool_metadata(direct()).build().unwrap())
        .callback(json.tool_metadata(direct()).build().unwrap())
        .callback(nothing.tool_metadata(direct()).build().unwrap())
        .reply(batch(&["text", "json", "nothing"]));
    scenario
        .check(|outcome| assert_eq!(outcome.text(), "not \"quoted\"\n[1,null]\nDone"))
        .await;
}
