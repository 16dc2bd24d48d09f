//! The place where a gate decides about planned calls, and what it is told.

use vernal_core::calling::{Decision, ToolCallLimits, Turn, TurnRules, TurnStep};
use vernal_core::message::{ToolOutcome, ToolResponse};
use vernal_core::model::ChatModel;
use vernal_core::tool::ToolContext;
use vernal_testing::Reply;

use crate::closures::{custom, ends};
use crate::kit::tool;
use crate::scenario::Scenario;
use crate::transcript::{assert_valid, last_answers};

fn scenario() -> Scenario {
    let pay = custom("pay", |_, _| async { unreachable!("nobody consented") });
    Scenario::new()
        .callback(pay.metadata(|m| m.requires_approval(true)))
        .callback(ends("look", || Ok("seen")))
        .tool(tool("strict").schema(r#"{"type":"object","required":["a"]}"#))
        .reply(
            Reply::call("look", "{}")
                .and_call("pay", r#"{"n":1}"#)
                .and_call("unheard-of", "{}")
                .and_call("strict", "{}")
                .and_call("look", "{}"),
        )
}

#[tokio::test]
async fn apr_the_plan_says_which_calls_ask_for_consent_and_a_gate_can_answer_them() {
    let scenario = scenario();
    let (limits, options) = (ToolCallLimits::default(), scenario.options());
    let rules = TurnRules::new(&limits, options.tools());
    let mut turn = Turn::start("go");
    let prompt = vernal_core::model::Prompt::new("go", options.clone());
    turn.on_response(scenario.model().call(prompt).await.unwrap(), &rules);
    // The plan can be stored while somebody makes up their mind.
    let mut turn: Turn = serde_json::from_str(&serde_json::to_string(&turn).unwrap()).unwrap();
    let TurnStep::Execute(batch) = turn.step().clone() else {
        panic!("{:?}", turn.step())
    };
    let asks: Vec<_> = batch
        .calls
        .iter()
        .map(|planned| planned.requires_approval)
        .collect();
    assert_eq!(asks, [false, true, false, false, false]);
    let groups = batch
        .runnable()
        .filter_map(|planned| match &planned.decision {
            Decision::Run { group, .. } => Some(*group),
            _ => None,
        });
    let groups = groups.collect::<Vec<_>>();
    assert!(
        groups.iter().all(|group| *group == groups[0]),
        "a gated call is no barrier (EXE-1)"
    );

    let mut results = Vec::new();
    for planned in batch.runnable() {
        let call = &planned.call;
        if planned.requires_approval {
            let why = "The user does not want to pay.";
            results.push(ToolResponse::error(call, ToolOutcome::NotRun, why));
            continue;
        }
        let Decision::Run { input, .. } = &planned.decision else {
            continue;
        };
        let tool = rules.find(&call.name).unwrap();
        let output = tool
            .call(input.clone(), ToolContext::empty())
            .await
            .unwrap();
        results.push(ToolResponse::success(call, output.into_parts()));
    }
    turn.on_results(results, &rules);
    assert!(matches!(turn.step(), TurnStep::CallModel));
    assert_valid(turn.messages());
    use ToolOutcome::{InvalidArguments, NotRun, Success, UnknownTool};
    let answers = last_answers(turn.messages());
    let outcomes: Vec<_> = answers.iter().map(|(outcome, _)| *outcome).collect();
    assert_eq!(
        outcomes,
        [Success, NotRun, UnknownTool, InvalidArguments, Success]
    );
    assert_eq!(answers[1].1, "The user does not want to pay.");
}

#[test]
fn apr_a_plan_of_an_earlier_release_can_be_read() {
    let planned = r#"{"call":{"id":"1","name":"look","arguments":"{}"},
        "decision":{"run":{"input":"{}","group":0}}}"#;
    let planned: vernal_core::calling::PlannedCall = serde_json::from_str(planned).unwrap();
    assert!(!planned.requires_approval);
}
