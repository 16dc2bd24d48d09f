//! The choice among tools: what it leaves out does not run, and what it makes the model do, it does once.

use vernal_core::advisor::ToolCallingAdvisor;
use vernal_core::client::ChatClient;
use vernal_core::message::ToolOutcome;
use vernal_core::model::{ChatOptions, ToolChoice};
use vernal_testing::{Reply, ScriptedModel};

use crate::drivers::Driver;
use crate::kit::tool;
use crate::scenario::Scenario;

fn two_tools() -> Scenario {
    Scenario::new().tool(tool("a")).tool(tool("b"))
}

/// The choices that the model was told, one for each time that it was called.
fn told(prompts: &[vernal_core::model::Prompt]) -> Vec<ToolChoice> {
    let options = prompts.iter().map(|prompt| prompt.options());
    options
        .map(|options| options.tool_choice().clone())
        .collect()
}

#[tokio::test]
async fn a_call_that_the_choice_leaves_out_is_answered_and_not_run() {
    let cases = [
        (
            ToolChoice::None,
            [false, false],
            "No tool can be called now",
        ),
        (
            ToolChoice::Tool("a".into()),
            [true, false],
            "can be called now are: a.",
        ),
        (
            ToolChoice::allowed(["b"]),
            [false, true],
            "can be called now are: b.",
        ),
        (
            ToolChoice::required_of(["b"]),
            [false, true],
            "can be called now are: b.",
        ),
        (ToolChoice::Auto, [true, true], ""),
        (ToolChoice::Required, [true, true], ""),
    ];
    for (choice, runs, told) in cases {
        let scenario = two_tools()
            .choice(choice.clone())
            .reply(Reply::call("a", "{}").and_call("b", "{}"))
            .says("done");
        scenario
            .check(|outcome| {
                let expected = ["a", "b"].into_iter().zip(runs);
                let expected: Vec<_> = expected.filter(|(_, runs)| *runs).map(|(n, _)| n).collect();
                assert_eq!(outcome.ran(), expected, "{choice:?}");
                assert_eq!(outcome.text(), "done");
                let answers: Vec<_> = outcome
                    .history
                    .iter()
                    .flat_map(|message| message.tool_responses())
                    .collect();
                assert_eq!(answers.len(), 2);
                for (answer, runs) in answers.iter().zip(runs) {
                    let text = answer.text();
                    match runs {
                        true => assert_eq!(answer.outcome, ToolOutcome::Success, "{choice:?}"),
                        false => {
                            assert_eq!(answer.outcome, ToolOutcome::NotRun, "{choice:?}");
                            let name = &answer.name;
                            assert!(
                                text.starts_with(&format!("The call of `{name}` was not run."))
                            );
                            assert!(text.contains(told), "{text}");
                        }
                    }
                }
            })
            .await;
    }
}

#[tokio::test]
async fn a_name_that_no_tool_has_is_an_unknown_tool_whatever_the_choice() {
    let scenario = two_tools()
        .choice(ToolChoice::allowed(["a"]))
        .calls("c", "{}")
        .says("done");
    scenario
        .check(|outcome| {
            let answer = outcome
                .history
                .iter()
                .flat_map(|m| m.tool_responses())
                .next();
            assert_eq!(answer.unwrap().outcome, ToolOutcome::UnknownTool);
        })
        .await;
}

#[tokio::test]
async fn a_model_that_does_not_heed_the_choice_comes_to_an_end() {
    let scenario = two_tools()
        .choice(ToolChoice::None)
        .forever(Reply::call("a", "{}"));
    scenario
        .check_on(&Driver::WITH_TURN, |outcome| {
            assert!(outcome.ran().is_empty());
            assert!(outcome.model_calls() <= 20, "{}", outcome.model_calls());
        })
        .await;
}

#[tokio::test]
async fn a_model_is_made_to_call_until_it_has() {
    let (only, both) = (ToolChoice::required_of(["a"]), ToolChoice::allowed(["a"]));
    let cases = [
        (ToolChoice::Required, ToolChoice::Auto),
        (ToolChoice::Tool("a".into()), ToolChoice::Auto),
        (only, both),
        (ToolChoice::allowed(["a"]), ToolChoice::allowed(["a"])),
        (ToolChoice::None, ToolChoice::None),
    ];
    for (choice, after) in cases {
        let scenario = two_tools()
            .choice(choice.clone())
            .calls("a", "{not an object")
            .calls("a", "{}")
            .says("done");
        scenario
            .check_on(&Driver::CLIENT, |outcome| {
                let expected = [choice.clone(), choice.clone(), after.clone()];
                assert_eq!(told(&outcome.prompts), expected);
            })
            .await;
    }
}

#[tokio::test]
async fn a_tool_that_failed_was_called_as_well() {
    let scenario = Scenario::new()
        .tool(tool("a").fails("no"))
        .choice(ToolChoice::Tool("a".into()))
        .calls("a", "{}")
        .says("done");
    scenario
        .check_on(&Driver::CLIENT, |outcome| {
            let expected = [ToolChoice::Tool("a".into()), ToolChoice::Auto];
            assert_eq!(told(&outcome.prompts), expected);
        })
        .await;
}

#[tokio::test]
async fn a_choice_can_hold_for_the_whole_turn() {
    let model = ScriptedModel::new()
        .calls("a", "{}")
        .calls("a", r#"{"n":2}"#)
        .calls("end", "{}");
    let tool_loop = ToolCallingAdvisor::builder().reset_tool_choice(false);
    let scenario = Scenario::new()
        .tool(tool("a"))
        .tool(tool("end").says("over").direct());
    let client = ChatClient::builder(model.clone())
        .default_advisors(tool_loop.build().unwrap())
        .default_options(
            ChatOptions::builder()
                .tool_choice(ToolChoice::Required)
                .build(),
        )
        .build()
        .unwrap();
    let request = client.prompt("go").tools(scenario.tools.clone());
    assert_eq!(request.call().await.unwrap().content(), "over");
    assert_eq!(told(&model.prompts()), vec![ToolChoice::Required; 3]);
}
