//! LOOP-8: the same call with the same result, round after round.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use vernal_core::calling::{LimitBreach, ToolCallLimits, ToolCallingManager, Turn, TurnRules};
use vernal_core::message::{FinishReason, History, Message, ToolOutcome};
use vernal_core::model::{ChatModel, Prompt};
use vernal_core::tool::{FunctionToolCallback, ToolOutput, ToolSet};
use vernal_testing::{Reply, ScriptedModel};

use crate::drivers::Outcome;
use crate::kit::tool;
use crate::scenario::Scenario;

const LIMITED: Option<&FinishReason> = Some(&FinishReason::ToolCallLimitExceeded);

/// For how many rounds the model was told that its call repeats itself, by round.
fn told(history: &History) -> Vec<Vec<u32>> {
    let tool_messages = history
        .iter()
        .filter(|m| m.tool_responses().next().is_some());
    let told = |message: &Arc<Message>| {
        let texts = message
            .tool_responses()
            .map(|response| response.text().into_owned());
        texts
            .filter_map(|text| {
                let (_, note) = text.split_once("gave the same result ")?;
                note.split_once(" rounds running")?.0.parse().ok()
            })
            .collect()
    };
    tool_messages.map(told).collect()
}

fn assert_ended_at_the_fifth(outcome: &Outcome) {
    assert_eq!(outcome.finish_reason(), LIMITED);
    assert_eq!(outcome.model_calls(), 5);
    assert_eq!(outcome.rounds, 5);
    let none = Vec::new();
    let expected = [none.clone(), none.clone(), vec![3], vec![4], none];
    assert_eq!(told(&outcome.history), expected);
    let text = outcome.text();
    assert!(
        text.contains("tool `") && text.contains("5 rounds running"),
        "{text}"
    );
}

#[tokio::test]
async fn loop_8_the_model_is_told_at_the_third_and_the_turn_ends_at_the_fifth() {
    let scenario = Scenario::new()
        .tool(tool("a").says("nothing new"))
        .forever(Reply::call("a", r#"{"x":1}"#).ids("last", "last"));
    scenario
        .check(|outcome| {
            assert_ended_at_the_fifth(outcome);
            assert_eq!(outcome.executions.len(), 5);
            // The outcome of any limit (LIM-8).
            let generation = &outcome.response().generations[0];
            assert_eq!(outcome.response().generations.len(), 1);
            let partial = &generation.metadata["partialToolResponses"];
            assert_eq!(partial[0]["responseData"], "nothing new");
            assert_eq!(outcome.response().metadata.id.as_deref(), Some("last"));
            if let Some(error) = &outcome.exceeded {
                let exceeded = error.limit_exceeded().unwrap();
                assert_eq!((exceeded.tool_name(), exceeded.limit()), (Some("a"), 5));
                assert!(matches!(
                    exceeded.breach(),
                    LimitBreach::RepeatedCall { .. }
                ));
            }
        })
        .await;
}

#[tokio::test]
async fn loop_8_the_model_reads_the_note_behind_the_result() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .calls("a", "{}")
        .calls("a", "{}")
        .calls("a", "{}")
        .says("I see.");
    scenario
        .check(|outcome| {
            assert_eq!(outcome.text(), "I see.");
            let sent = outcome.prompts[3].messages().last().unwrap();
            let response = sent.tool_responses().next().unwrap();
            assert_eq!(response.content[0].as_text(), "a result");
            assert!(response.content[1].as_text().contains("3 rounds running"));
            assert_eq!(response.outcome, ToolOutcome::Success);
        })
        .await;
}

#[tokio::test]
async fn loop_8_arguments_are_compared_as_json() {
    let written = [
        r#"{"a":1,"b":["x",null]}"#,
        r#"{ "b": ["x", null], "a": 1 }"#,
        r#"{"a":1.0,"b":["\u0078",null]}"#,
        r#"{"a":10e-1,"b":["x",null]}"#,
        "{\"b\":[\"x\",null],\n\"a\":1}",
    ];
    let same = written
        .iter()
        .fold(Scenario::new().tool(tool("a")), |s, args| {
            s.calls("a", args)
        });
    same.check(assert_ended_at_the_fifth).await;
    // Blank arguments are the empty object (ARG-1).
    let blank = ["", "{}", "null", " ", "{ }"]
        .iter()
        .fold(Scenario::new().tool(tool("a")), |s, args| {
            s.calls("a", args)
        });
    blank.check(assert_ended_at_the_fifth).await;
}

#[tokio::test]
async fn loop_8_what_differs_does_not_repeat() {
    let repeated = |calls: [(&str, &str); 6]| {
        let scenario = Scenario::new()
            .tool(tool("a").says("same"))
            .tool(tool("b").says("same"));
        calls
            .iter()
            .fold(scenario, |s, (name, args)| s.calls(name, args))
            .says("done")
    };
    let (x, y) = (r#"{"x":1}"#, r#"{"x":2}"#);
    for calls in [
        // Other arguments, another tool, an interruption.
        [("a", x), ("a", y), ("a", x), ("a", y), ("a", x), ("a", y)],
        [("a", x), ("b", x), ("a", x), ("b", x), ("a", x), ("b", x)],
        [("a", x), ("a", x), ("b", x), ("a", x), ("a", x), ("b", x)],
        [
            ("a", x),
            ("a", x),
            ("a", "{]"),
            ("a", x),
            ("a", x),
            ("a", "{]"),
        ],
    ] {
        repeated(calls)
            .check(|outcome| {
                assert_eq!(outcome.text(), "done");
                assert!(told(&outcome.history).iter().all(Vec::is_empty));
            })
            .await;
    }
}

#[tokio::test]
async fn loop_8_a_result_that_changes_begins_anew() {
    let calls = Arc::new(AtomicUsize::new(0));
    let polled = calls.clone();
    let job = FunctionToolCallback::builder("job", move || {
        format!("{} %", polled.fetch_add(1, Ordering::SeqCst) / 4)
    });
    let scenario = Scenario::new().callback(job.build().unwrap());
    let scenario = (0..8).fold(scenario, |s, _| s.calls("job", "{}"));
    let outcome = crate::drivers::run(crate::drivers::Driver::Call, &scenario.says("done")).await;
    assert_eq!(outcome.text(), "done");
    let none = Vec::<u32>::new();
    let half = [none.clone(), none, vec![3], vec![4]];
    assert_eq!(told(&outcome.history), [half.clone(), half].concat());
}

#[tokio::test]
async fn loop_8_errors_repeat_too_and_media_are_compared_by_their_bytes() {
    for (scenario, name) in [
        (Scenario::new().tool(tool("a").fails("no luck")), "a"),
        (
            Scenario::new().tool(tool("a").schema(r#"{"properties":{"y":{}},"required":["y"]}"#)),
            "a",
        ),
        (Scenario::new(), "unheard-of"),
    ] {
        let scenario = scenario.forever(Reply::call(name, "{}"));
        scenario.check(assert_ended_at_the_fifth).await;
    }
    let cut = Reply::call("a", "{}").finish(FinishReason::Length);
    let scenario = Scenario::new().tool(tool("a")).forever(cut);
    scenario.check(assert_ended_at_the_fifth).await;
    let taken = Arc::new(AtomicUsize::new(0));
    let camera = FunctionToolCallback::builder("photo", move || {
        let number = taken.fetch_add(1, Ordering::SeqCst);
        ToolOutput::from_parts(vec![vernal_core::message::ToolContent::Media(
            vernal_core::message::Media::base64("image/png", format!("AAA{number}")),
        )])
    });
    let scenario = Scenario::new().callback(camera.build().unwrap());
    let scenario = (0..7).fold(scenario, |s, _| s.calls("photo", "{}"));
    scenario
        .says("done")
        .check(|outcome| assert_eq!(outcome.text(), "done"))
        .await;
}

#[tokio::test]
async fn loop_8_a_round_counts_once_and_each_call_for_itself() {
    let (x, y) = (r#"{"x":1}"#, r#"{"y":1}"#);
    let two = || Reply::call("a", x).and_call("a", x);
    let mixed = || Reply::call("b", "{}").and_call("a", x);
    let scenario = Scenario::new()
        .tool(tool("a"))
        .tool(tool("b"))
        .reply(two())
        .reply(mixed())
        .reply(Reply::call("a", y).and_call("a", x))
        .reply(two())
        .says("done");
    scenario
        .check(|outcome| {
            let none = Vec::new();
            assert_eq!(
                told(&outcome.history),
                [none.clone(), none, vec![3], vec![4, 4]]
            );
        })
        .await;
}

#[tokio::test]
async fn loop_8_both_numbers_are_settings_and_off_is_one() {
    let repeating = || {
        Scenario::new()
            .tool(tool("a"))
            .forever(Reply::call("a", "{}"))
    };
    repeating()
        .manager(|m| m.note_repeats_after(2).end_repeats_after(3))
        .check(|outcome| {
            assert_eq!(told(&outcome.history), [vec![], vec![2], vec![]]);
            assert!(outcome.text().contains("3 rounds running"));
        })
        .await;
    repeating()
        .manager(|m| m.note_repeats_after(9).end_repeats_after(2))
        .check(|outcome| {
            assert!(told(&outcome.history).concat().is_empty());
            assert_eq!(outcome.model_calls(), 2);
        })
        .await;
    repeating()
        .manager(|m| m.end_repeats_after(u32::MAX).max_rounds(7))
        .check(|outcome| {
            let told = told(&outcome.history).concat();
            assert_eq!(told, [3, 4, 5, 6, 7]);
            assert!(outcome.text().contains("limit of 7 rounds"));
        })
        .await;
    repeating()
        .manager(|m| m.unlimited_repeats().max_rounds(7))
        .check(|outcome| {
            assert!(told(&outcome.history).concat().is_empty());
            assert_eq!(outcome.model_calls(), 7);
        })
        .await;
    // The last word counts.
    let on = ToolCallLimits::builder()
        .unlimited_repeats()
        .end_repeats_after(9)
        .build()
        .unwrap();
    let repeats = on.repeats().unwrap();
    assert_eq!((repeats.note_after, repeats.end_after), (3, 9));
}

#[test]
fn loop_8_a_setting_below_two_is_an_error_that_names_it() {
    for rounds in [0, 1] {
        let note = ToolCallingManager::builder()
            .note_repeats_after(rounds)
            .build();
        let end = ToolCallingManager::builder()
            .end_repeats_after(rounds)
            .build();
        for (result, setting) in [(note, "note_repeats_after"), (end, "end_repeats_after")] {
            let text = result.unwrap_err().to_string();
            assert!(
                text.contains(setting) && text.contains("at least 2"),
                "{text}"
            );
        }
    }
}

#[tokio::test]
async fn loop_8_earlier_turns_do_not_count() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .calls("a", "{}")
        .calls("a", "{}")
        .calls("a", "{}")
        .calls("a", "{}")
        .says("done");
    let earlier = crate::drivers::run(crate::drivers::Driver::Call, &scenario).await;
    let mut messages = earlier.history;
    messages.push(Message::user("again"));
    let scenario = Scenario::new()
        .messages(messages)
        .tool(tool("a"))
        .calls("a", "{}")
        .says("done");
    scenario
        .check(|outcome| {
            assert_eq!(told(&outcome.history).last().unwrap(), &Vec::<u32>::new());
            assert_eq!(outcome.text(), "done");
        })
        .await;
}

#[tokio::test]
async fn loop_8_a_stored_turn_goes_on_counting() {
    let model = ScriptedModel::new().then_always(Reply::call("a", "{}"));
    let (limits, log) = (ToolCallLimits::default(), crate::kit::Log::default());
    let tools = ToolSet::of_callbacks([tool("a").build(&log)]).unwrap();
    let rules = TurnRules::new(&limits, &tools);
    let manager = ToolCallingManager::default();
    let options = vernal_core::model::ChatOptions::builder()
        .tool_callbacks(tools.iter().cloned())
        .unwrap()
        .build();
    let mut turn = Turn::start("go");
    for round in 1..=5 {
        let prompt = Prompt::new(turn.instructions().clone(), options.clone());
        let response = model.call(prompt).await.unwrap();
        if round % 2 == 0 {
            turn.on_response(response, &rules);
            // Stored in the middle of a batch.
            turn = serde_json::from_str(&serde_json::to_string(&turn).unwrap()).unwrap();
            let vernal_core::calling::TurnStep::Execute(batch) = turn.step() else {
                panic!("{:?}", turn.step())
            };
            let text = vernal_core::message::ToolContent::Text("a result".into());
            let results = batch.calls.iter().map(|planned| {
                vernal_core::message::ToolResponse::success(&planned.call, vec![text.clone()])
            });
            let results = results.collect();
            turn.on_results(results, &rules);
        } else {
            let result = manager
                .execute_in_turn(&mut turn, &options, &response)
                .await;
            assert_eq!(result.is_err(), round == 5);
        }
    }
    assert_eq!(
        told(turn.messages()),
        [vec![], vec![], vec![3], vec![4], vec![]]
    );
}

#[tokio::test]
async fn loop_8_a_name_that_the_model_made_up_is_told_in_short() {
    let name = "x".repeat(100_000);
    let scenario = Scenario::new().forever(Reply::call(&*name, "{}"));
    scenario
        .check(|outcome| {
            assert!(outcome.text().starts_with("The tool `xxx"));
            assert!(outcome.text().len() < 400, "{}", outcome.text().len());
        })
        .await;
}
