//! ARG-1 to ARG-3: what is taken as arguments, and what never reaches a tool.

use serde::Deserialize;
use vernal_core::advisor::ChatEvent;
use vernal_core::message::ToolOutcome;
use vernal_core::tool::{ArgumentPolicy, FunctionToolCallback};
use vernal_testing::Reply;

use crate::drivers::{Driver, Outcome};
use crate::kit::tool;
use crate::scenario::Scenario;
use crate::transcript::last_answers;

/// The text that the model reads about its arguments.
fn complaint(outcome: &Outcome) -> String {
    let (result, text) = last_answers(&outcome.history).remove(0);
    assert_eq!(result, ToolOutcome::InvalidArguments, "{text}");
    text
}

#[tokio::test]
async fn arg_1_null_empty_and_blank_arguments_are_the_empty_object() {
    for arguments in ["", " ", "\t\r\n ", "null", " null\n", "{}"] {
        let scenario = Scenario::new()
            .tool(tool("a"))
            .calls("a", arguments)
            .says("done");
        scenario
            .check(|outcome| {
                assert_eq!(outcome.executions, [("a".to_owned(), "{}".to_owned())]);
                assert_eq!(outcome.text(), "done");
            })
            .await;
    }
}

#[tokio::test]
async fn arg_1_a_function_that_takes_nothing_or_optional_fields_runs_on_blank_arguments() {
    #[derive(Deserialize, schemars::JsonSchema)]
    struct Search {
        limit: Option<u32>,
    }
    for arguments in ["", "null"] {
        let now = FunctionToolCallback::builder("now", || "noon")
            .build()
            .unwrap();
        let search = FunctionToolCallback::builder("search", |search: Search| search.limit);
        let scenario = Scenario::new()
            .callback(now)
            .callback(search.build().unwrap())
            .reply(Reply::call("now", arguments).and_call("search", arguments))
            .says("done");
        scenario
            .check(|outcome| {
                let expected = "tool: [now success noon] [search success null]";
                assert_eq!(outcome.transcript()[2], expected);
            })
            .await;
    }
}

#[tokio::test]
async fn arg_1_blank_arguments_do_not_make_up_for_required_ones() {
    let schema = r#"{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}"#;
    for arguments in ["", "null", "{}"] {
        let scenario = Scenario::new()
            .tool(tool("a").schema(schema))
            .calls("a", arguments)
            .says("done");
        scenario
            .check(|outcome| {
                assert!(outcome.executions.is_empty());
                let text = complaint(outcome);
                assert!(text.contains("$.city: is required"), "{text}");
            })
            .await;
    }
}

#[tokio::test]
async fn arg_2_the_whole_text_must_be_one_json_object() {
    for arguments in [
        "{} x",
        "{}{}",
        "{},",
        r#"{"a":1}]"#,
        "x {}",
        "{",
        r#"{"a":"#,
        r#"{"a":1,}"#,
        "{'a':1}",
        "{a:1}",
        "undefined",
        "nul",
        "NaN",
        // Repairs are a policy, and off.
        "```json\n{}\n```",
        r#""{\"a\":1}""#,
        "{}\0",
        "\u{feff}{}",
    ] {
        let scenario = Scenario::new()
            .tool(tool("a"))
            .calls("a", arguments)
            .says("done");
        scenario
            .check(|outcome| {
                assert!(outcome.executions.is_empty(), "{arguments:?}");
                assert_eq!(outcome.text(), "done", "the turn goes on");
                let text = complaint(outcome);
                assert!(text.contains("`a` was not run"), "{text}");
                assert!(text.contains("JSON"), "{arguments:?}: {text}");
            })
            .await;
    }
}

#[tokio::test]
async fn arg_2_repairs_that_are_on_hold_whoever_drives_the_loop() {
    let all = || {
        ArgumentPolicy::default()
            .repair_code_fences(true)
            .repair_double_encoding(true)
    };
    for (written, read) in [
        ("```json\n{\"x\":1}\n```", Some(r#"{"x":1}"#)),
        (r#""{\"x\":1}""#, Some(r#"{"x":1}"#)),
        (r#""```\n{\"x\":1}\n```""#, Some(r#"{"x":1}"#)),
        // What is no whole object stays an error, also with every repair on.
        ("```json\n{\"x\":1", None),
        ("```json\n{}\n```<|end|>", None),
        (r#"{"x":1"#, None),
        (r#""{\"x\":""#, None),
    ] {
        let scenario = Scenario::new()
            .tool(tool("a"))
            .manager(|manager| manager.argument_policy(all()))
            .calls("a", written)
            .says("done");
        scenario
            .check(|outcome| {
                let expected: Vec<_> = read
                    .iter()
                    .map(|read| ("a".to_owned(), (*read).to_owned()))
                    .collect();
                assert_eq!(outcome.executions, expected, "{written}");
                assert_eq!(outcome.text(), "done");
                let call = outcome.history.get(1).unwrap().tool_calls().next().unwrap();
                assert_eq!(call.arguments.as_str(), written, "what was said stays");
                if read.is_none() {
                    assert!(complaint(outcome).contains("JSON"));
                }
            })
            .await;
    }
}

#[tokio::test]
async fn arg_2_white_space_around_the_object_is_no_garbage() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .calls("a", " \n{\"x\": 1}\t")
        .says("done");
    scenario
        .check(|outcome| {
            let input: serde_json::Value = serde_json::from_str(&outcome.executions[0].1).unwrap();
            assert_eq!(input, serde_json::json!({ "x": 1 }));
        })
        .await;
}

#[tokio::test]
async fn arg_3_arrays_and_scalars_are_no_arguments() {
    for (arguments, kind) in [
        ("[]", "an array"),
        (r#"[{"x":1}]"#, "an array"),
        ("3", "a number"),
        ("true", "a boolean"),
        (r#""text""#, "a string"),
    ] {
        let scenario = Scenario::new()
            .tool(tool("a"))
            .calls("a", arguments)
            .says("done");
        scenario
            .check(|outcome| {
                assert!(outcome.executions.is_empty());
                let text = complaint(outcome);
                assert!(
                    text.contains(&format!("must be one JSON object, not {kind}")),
                    "{text}"
                );
            })
            .await;
    }
}

const ALARM: &str = r##"{
    "type": "object",
    "properties": {
        "time": { "type": "string" },
        "days": { "type": "array", "items": { "$ref": "#/$defs/day" } },
        "volume": { "type": "integer", "minimum": 0, "maximum": 10 }
    },
    "required": ["time"],
    "additionalProperties": false,
    "$defs": {
        "day": {
            "type": "object",
            "properties": { "name": { "enum": ["sat", "sun"] } },
            "required": ["name"],
            "additionalProperties": false
        }
    }
}"##;

#[tokio::test]
async fn arg_3_every_violation_is_told_with_its_path_and_the_tool_is_not_entered() {
    for (arguments, expected) in [
        (r#"{}"#, &["$.time: is required, but missing"][..]),
        (
            r#"{"time":{}}"#,
            &["$.time: expected a string, got an object"],
        ),
        (r#"{"time":null}"#, &["$.time: expected a string, got null"]),
        (
            r#"{"time":"7","label":"x"}"#,
            &["$.label: there is no such argument; known are: days, time, volume"],
        ),
        (
            r#"{"time":"7","volume":11}"#,
            &["$.volume: expected a number of at most 10, got 11"],
        ),
        (
            r#"{"time":"7","volume":"loud"}"#,
            &["$.volume: expected an integer, got a string \"loud\""],
        ),
        (
            r#"{"time":"7","volume":1.5}"#,
            &["$.volume: expected an integer, got a number 1.5"],
        ),
        (
            r#"{"days":[{"name":"sat"},{"name":"mon","x":1},{}],"volume":-1}"#,
            &[
                "$.days[1].name: expected one of \"sat\", \"sun\", got \"mon\"",
                "$.days[1].x: there is no such argument; known are: name",
                "$.days[2].name: is required, but missing",
                "$.volume: expected a number of at least 0, got -1",
                "$.time: is required, but missing",
            ],
        ),
    ] {
        let scenario = Scenario::new()
            .tool(tool("alarm").schema(ALARM))
            .calls("alarm", arguments)
            .says("done");
        scenario
            .check(|outcome| {
                assert!(outcome.executions.is_empty(), "{arguments}");
                assert_eq!(outcome.text(), "done");
                let text = complaint(outcome);
                let lines: Vec<_> = text.lines().collect();
                assert_eq!(
                    lines[0],
                    "The tool `alarm` was not run: its arguments do not fit."
                );
                assert_eq!(lines[1..], *expected, "{arguments}");
            })
            .await;
    }
}

#[tokio::test]
async fn arg_3_the_model_can_correct_itself_and_the_others_run() {
    let scenario = Scenario::new()
        .tool(tool("alarm").schema(ALARM))
        .tool(tool("a"))
        .reply(Reply::call("alarm", r#"{"at":"7"}"#).and_call("a", "{}"))
        .calls("alarm", r#"{"time":"7","volume":10}"#)
        .says("done");
    scenario
        .check(|outcome| {
            assert_eq!(outcome.ran(), ["a", "alarm"]);
            assert_eq!(outcome.executions[1].1, r#"{"time":"7","volume":10}"#);
            // The history shows the call as the model made it.
            let expected = r#"assistant: [alarm {"at":"7"}] [a {}]"#;
            assert_eq!(outcome.transcript()[1], expected);
        })
        .await;
}

#[tokio::test]
async fn arg_3_a_tool_that_allows_extras_gets_them() {
    let schema = r#"{"type":"object","properties":{"x":{"type":"integer"}},
        "additionalProperties":{"type":"string"}}"#;
    let scenario = Scenario::new()
        .tool(tool("a").schema(schema))
        .calls("a", r#"{"x":1,"note":"kept"}"#)
        .calls("a", r#"{"x":1,"note":[]}"#)
        .says("done");
    scenario
        .check(|outcome| {
            let expected = [("a".to_owned(), r#"{"x":1,"note":"kept"}"#.to_owned())];
            assert_eq!(outcome.executions, expected);
            assert!(
                complaint(outcome).contains("$.note: expected a string"),
                "{outcome:?}"
            );
        })
        .await;
}

#[tokio::test]
async fn arg_3_a_stream_never_says_that_such_a_call_began() {
    let scenario = Scenario::new()
        .tool(tool("alarm").schema(ALARM))
        .reply(
            Reply::call("alarm", "{")
                .and_call("unheard-of", "{}")
                .and_call("alarm", "[]"),
        )
        .calls("alarm", r#"{"time":"7"}"#)
        .says("done");
    scenario
        .check_on(&[Driver::Stream], |outcome| {
            let mut began = Vec::new();
            let mut answered = Vec::new();
            for event in &outcome.events {
                match event {
                    ChatEvent::ToolExecutionStarted { round, call } => {
                        began.push((*round, call.arguments.to_string()));
                    }
                    ChatEvent::ToolResult {
                        round,
                        response,
                        duration,
                    } => {
                        answered.push((*round, response.outcome, duration.is_some()));
                    }
                    _ => {}
                }
            }
            assert_eq!(began, [(2, r#"{"time":"7"}"#.to_owned())]);
            let expected = [
                (1, ToolOutcome::InvalidArguments, false),
                (1, ToolOutcome::UnknownTool, false),
                (1, ToolOutcome::InvalidArguments, false),
                (2, ToolOutcome::Success, true),
            ];
            assert_eq!(answered, expected);
        })
        .await;
}
