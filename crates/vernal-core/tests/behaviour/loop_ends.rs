//! LOOP-7, LOOP-9 to LOOP-11: what bounds a turn, and responses that are not what they should be.

use vernal_core::message::{FinishReason, ToolOutcome};
use vernal_testing::Reply;

use crate::drivers::Driver;
use crate::kit::tool;
use crate::scenario::Scenario;
use crate::transcript::last_answers;

#[tokio::test]
async fn loop_7_max_rounds_ends_an_endless_turn() {
    for rounds in [1, 3] {
        let scenario = Scenario::new()
            .tool(tool("a"))
            .manager(|m| m.max_rounds(rounds).unlimited_repeats())
            .forever(
                Reply::text("Again.")
                    .and_call("a", "{}")
                    .ids("last", "last"),
            );
        scenario
            .check(|outcome| {
                let n = rounds as usize;
                assert_eq!(outcome.model_calls(), n);
                assert_eq!(outcome.executions.len(), n);
                assert_eq!(outcome.rounds, rounds);
                assert_eq!(
                    outcome.finish_reason(),
                    Some(&FinishReason::ToolCallLimitExceeded)
                );
                assert_eq!(outcome.response().generations.len(), 1);
                let text = outcome.text();
                assert!(text.contains(&format!("limit of {rounds} round")), "{text}");
                // As with any limit, what the last round found out is kept.
                let partial = &outcome.response().generations[0].metadata["partialToolResponses"];
                assert_eq!(partial.as_array().unwrap().len(), 1);
                assert_eq!(partial[0]["responseData"], "a result");
                assert_eq!(outcome.response().metadata.id.as_deref(), Some("last"));
                if let Some(error) = &outcome.exceeded {
                    let exceeded = error.limit_exceeded().unwrap();
                    assert_eq!((exceeded.tool_name(), exceeded.limit()), (None, rounds));
                }
            })
            .await;
    }
}

#[tokio::test]
async fn loop_7_a_turn_that_answers_in_time_is_not_touched() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .manager(|m| m.max_rounds(3))
        .calls("a", "{}")
        .calls("a", "{}")
        .says("done");
    scenario
        .check(|outcome| assert_eq!(outcome.text(), "done"))
        .await;
}

#[tokio::test]
async fn loop_7_a_direct_result_in_the_last_round_is_the_answer() {
    let scenario = Scenario::new()
        .tool(tool("a").direct())
        .manager(|m| m.max_rounds(1))
        .calls("a", "{}");
    scenario
        .check(|outcome| assert_eq!(outcome.text(), "a result"))
        .await;
}

#[tokio::test]
async fn loop_7_by_default_64_rounds_are_allowed() {
    // Two tools in turn, so that no other limit is met.
    let mut scenario = Scenario::new().tool(tool("a")).tool(tool("b"));
    for round in 0..70 {
        scenario = scenario.calls(if round % 2 == 0 { "a" } else { "b" }, "{}");
    }
    scenario
        .check(|outcome| {
            assert_eq!(outcome.model_calls(), 64);
            assert_eq!(outcome.executions.len(), 64);
            assert!(
                outcome.text().contains("limit of 64 rounds"),
                "{}",
                outcome.text()
            );
        })
        .await;
}

#[tokio::test]
async fn loop_9_an_unknown_name_is_answered_with_the_names_there_are() {
    for (written, meant) in [
        ("getWeather", Some("get_weather")),
        ("get_wether", Some("get_weather")),
        ("Set-Alarm", Some("set_alarm")),
        ("functions.get_weather", Some("get_weather")),
        ("launch_the_rocket_to_mars", None),
        ("", None),
        ("날씨", None),
    ] {
        let scenario = Scenario::new()
            .tool(tool("get_weather"))
            .tool(tool("set_alarm"))
            .calls(written, "{}")
            .says("done");
        scenario
            .check(|outcome| {
                assert_eq!(outcome.text(), "done", "the turn goes on");
                assert!(outcome.executions.is_empty());
                let (result, text) = last_answers(&outcome.history).remove(0);
                assert_eq!(result, ToolOutcome::UnknownTool);
                assert!(text.contains(&format!("no tool `{written}`")), "{text}");
                assert!(
                    text.contains("The tools are: get_weather, set_alarm."),
                    "{text}"
                );
                match meant {
                    Some(name) => {
                        assert!(text.contains(&format!("Did you mean `{name}`?")), "{text}")
                    }
                    None => assert!(!text.contains("Did you mean"), "{text}"),
                }
            })
            .await;
    }
}

#[tokio::test]
async fn loop_9_the_other_calls_of_the_batch_run() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .reply(
            Reply::call("x", "{}")
                .and_call("a", "{}")
                .and_call("A", "{}"),
        )
        .says("done");
    scenario
        .check(|outcome| {
            assert_eq!(outcome.ran(), ["a"], "names are compared exactly");
            let answers = last_answers(&outcome.history);
            let outcomes: Vec<_> = answers.iter().map(|(outcome, _)| *outcome).collect();
            use ToolOutcome::{Success, UnknownTool};
            assert_eq!(outcomes, [UnknownTool, Success, UnknownTool]);
        })
        .await;
}

#[tokio::test]
async fn loop_9_without_any_tools_the_answer_says_so() {
    let scenario = Scenario::new().calls("a", "{}").says("done");
    scenario
        .check(|outcome| {
            let (_, text) = last_answers(&outcome.history).remove(0);
            assert!(text.contains("no tools are available"), "{text}");
        })
        .await;
}

#[tokio::test]
async fn loop_9_a_model_that_insists_is_bounded() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .forever(Reply::call("x", "{}"));
    scenario
        .check(|outcome| {
            assert_eq!(
                outcome.finish_reason(),
                Some(&FinishReason::ToolCallLimitExceeded)
            );
            assert_eq!(
                outcome.model_calls(),
                5,
                "the same answer each time (rule LOOP-8)"
            );
        })
        .await;
}

#[tokio::test]
async fn loop_9_strict_names_make_it_an_error_and_nothing_of_the_batch_runs() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .tool(tool("b"))
        .manager(|m| m.strict_tool_names(true))
        .calls("a", "{}")
        .reply(
            Reply::call("a", "{}")
                .and_call("x", "{}")
                .and_call("b", "not json"),
        )
        .says("unreached");
    scenario
        .check(|outcome| {
            let error = outcome.error();
            assert!(error.is_unknown_tool());
            assert_eq!(error.tool_name(), Some("x"));
            let expected = "the model called `x`, which is no tool of the request (a, b)";
            assert_eq!(error.to_string(), expected);
            assert_eq!(outcome.ran(), ["a"], "only the round before");
            assert_eq!(outcome.model_calls(), 2);
            let answers = last_answers(&outcome.history);
            let outcomes: Vec<_> = answers.iter().map(|(outcome, _)| *outcome).collect();
            use ToolOutcome::{InvalidArguments, NotRun, UnknownTool};
            assert_eq!(outcomes, [NotRun, UnknownTool, InvalidArguments]);
        })
        .await;
}

#[tokio::test]
async fn loop_10_no_call_of_a_response_that_was_cut_runs() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .reply(
            Reply::text("I will")
                .and_call("a", r#"{"complete":true}"#)
                .and_call("a", r#"{"text":"once upon a ti"#)
                .finish(FinishReason::Length),
        )
        .calls("a", r#"{"short":1}"#)
        .says("done");
    scenario
        .check(|outcome| {
            assert_eq!(
                outcome.executions,
                [("a".to_owned(), r#"{"short":1}"#.to_owned())]
            );
            assert_eq!(outcome.text(), "done");
            let answers = outcome.history.get(2).unwrap();
            assert_eq!(answers.tool_responses().count(), 2);
            for answer in answers.tool_responses() {
                assert_eq!(answer.outcome, ToolOutcome::NotRun);
                let text = answer.text();
                assert!(
                    text.contains("cut at the length limit"),
                    "names the cause: {text}"
                );
                assert!(!text.contains("JSON"), "no schema advice: {text}");
            }
        })
        .await;
}

#[tokio::test]
async fn loop_10_a_cut_answer_without_calls_is_the_answer() {
    let scenario = Scenario::new().reply(Reply::text("Once upon").finish(FinishReason::Length));
    scenario
        .check(|outcome| {
            assert_eq!(outcome.text(), "Once upon");
            assert_eq!(outcome.finish_reason(), Some(&FinishReason::Length));
        })
        .await;
}

#[tokio::test]
async fn loop_11_text_beside_calls_is_commentary_and_stays_in_the_history() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .reply(Reply::text("Let me ").and_text("look.").and_call("a", "{}"))
        .reply(Reply::call("a", "{}").and_text("And again."))
        .says("done");
    scenario
        .check(|outcome| {
            assert_eq!(outcome.text(), "done", "the answer only");
            let transcript = outcome.transcript();
            assert_eq!(transcript[1], "assistant: Let me look. [a {}]");
            assert_eq!(transcript[3], "assistant: [a {}] And again.");
            let sent = crate::transcript::lines(outcome.prompts[2].messages());
            assert_eq!(sent[..], transcript[..5], "the model reads it again");
        })
        .await;
}

#[tokio::test]
async fn loop_11_an_answer_of_nothing_at_all_is_an_answer() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .calls("a", "{}")
        .reply(Reply::empty());
    scenario
        .check_on(&Driver::ALL, |outcome| {
            assert_eq!(outcome.text(), "");
            assert_eq!(outcome.model_calls(), 2);
        })
        .await;
}

#[tokio::test]
async fn loop_9_however_long_an_unknown_name_is_the_answer_is_short() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .calls(&"x".repeat(100_000), "{}")
        .calls("two\nlines\u{1b}[31m", "{}")
        .says("done");
    scenario
        .check(|outcome| {
            let answers: Vec<_> = outcome
                .history
                .iter()
                .flat_map(|message| message.tool_responses())
                .map(|response| response.text().into_owned())
                .collect();
            assert!(answers[0].len() < 300, "{}", answers[0].len());
            assert!(
                answers[1].contains(r"`two\nlines\u{1b}[31m`"),
                "{answers:?}"
            );
        })
        .await;
}
