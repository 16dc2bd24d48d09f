//! EXE-1 and LOOP-1: a turn that is dropped in the middle.

use std::time::Duration;

use vernal_core::calling::{Turn, TurnRules, TurnStep};
use vernal_core::message::{History, ToolOutcome};
use vernal_core::model::{ChatModel, Prompt};
use vernal_testing::Reply;

use crate::drivers::{Driver, request, run};
use crate::kit::tool;
use crate::scenario::Scenario;
use crate::transcript::{assert_valid, last_answers};

/// One call is answered at once, one is done after 10 ms, one takes long, and two more wait behind a
/// barrier for it.
fn slow() -> Scenario {
    Scenario::new()
        .tool(tool("p").takes(Duration::from_secs(5)))
        .tool(tool("s").sequential())
        .reply(
            Reply::call("unheard-of", "{}")
                .and_call("p", r#"{"ms":10}"#)
                .and_call("p", "{}")
                .and_call("s", r#"{"n":1}"#)
                .and_call("p", r#"{"n":2}"#),
        )
        .says("unreached")
}

#[tokio::test(start_paused = true)]
async fn exe_1_dropping_a_turn_in_the_middle_leaves_no_running_tool() {
    let scenario = slow();
    for driver in Driver::ALL {
        scenario.log.clear();
        let running = Box::pin(drive(driver, &scenario));
        let result = tokio::time::timeout(Duration::from_millis(100), running).await;
        assert!(result.is_err(), "{driver:?} has been dropped");
        assert_eq!(scenario.log.running(), 0, "{driver:?}");
        tokio::time::sleep(Duration::from_secs(60)).await;
        assert_eq!(scenario.log.finished(), [r#"{"ms":10}"#], "{driver:?}");
        assert_eq!(
            scenario.log.started().len(),
            2,
            "{driver:?}: nothing began afterwards"
        );
        assert_eq!(scenario.log.peak(), 2, "{driver:?}: they did run");
    }
}

/// Runs the scenario without checking anything.
async fn drive(driver: Driver, scenario: &Scenario) {
    let model = scenario.model();
    match driver {
        Driver::Call => drop(request(scenario, &model).call().await),
        Driver::Stream => drop(request(scenario, &model).stream().response().await),
        Driver::Manual | Driver::ManualStream | Driver::ManualTurn => {
            drop(run(driver, scenario).await)
        }
    }
}

/// The turn of a loop that was dropped after 100 ms.
async fn dropped(scenario: &Scenario) -> Turn {
    let mut turn = Turn::start("go");
    let options = scenario.options();
    let prompt = Prompt::new(turn.messages().clone(), options.clone());
    let response = scenario.model().call(prompt).await.unwrap();
    let running = scenario
        .manager
        .execute_in_turn(&mut turn, &options, &response);
    tokio::time::timeout(Duration::from_millis(100), running)
        .await
        .unwrap_err();
    turn
}

#[tokio::test(start_paused = true)]
async fn loop_1_a_turn_that_was_dropped_is_over_and_every_call_is_answered() {
    let turn = dropped(&slow()).await;
    assert_valid(turn.messages());
    assert!(matches!(turn.step(), TurnStep::Done(end) if end.response().is_none()));
    let answers = last_answers(turn.messages());
    let outcomes: Vec<_> = answers.iter().map(|(outcome, _)| *outcome).collect();
    // What had finished is kept, and what had begun is told from what had not.
    use ToolOutcome::{Failed, NotRun, Success, UnknownTool};
    assert_eq!(outcomes, [UnknownTool, Success, Failed, NotRun, NotRun]);
    assert_eq!(answers[1].1, "p result");
    assert!(answers[2].1.contains("did not finish"), "{}", answers[2].1);
    assert!(answers[3].1.contains("was not run"), "{}", answers[3].1);
}

#[tokio::test(start_paused = true)]
async fn loop_1_the_conversation_can_go_on_after_a_turn_that_was_dropped() {
    let scenario = slow();
    let mut turn = dropped(&scenario).await;
    let options = scenario.options();
    let response = scenario.model().call("go".into()).await.unwrap();
    let result = scenario
        .manager
        .execute_in_turn(&mut turn, &options, &response)
        .await;
    assert_eq!(result.unwrap().successes().count(), 4);
    assert_valid(turn.messages());
    assert_eq!(turn.rounds(), 2);
    assert!(matches!(turn.step(), TurnStep::CallModel));
}

#[tokio::test]
async fn loop_1_a_response_in_the_middle_of_a_batch_leaves_no_call_unanswered() {
    let scenario = slow();
    let limits = scenario.manager.limits();
    let options = scenario.options();
    let rules = TurnRules::new(limits, options.tools());
    for last in [Reply::text("never mind"), Reply::call("s", "{}")] {
        let mut turn = Turn::start(History::from("go"));
        let model = scenario.model();
        turn.on_response(model.call("go".into()).await.unwrap(), &rules);
        assert!(matches!(turn.step(), TurnStep::Execute(batch) if batch.calls.len() == 5));
        // Whoever drives the turn never came back with results.
        let model = vernal_testing::ScriptedModel::new().replies(last);
        let response = model.call("go".into()).await.unwrap();
        turn.on_response(response, &rules);
        turn.on_results(Vec::new(), &rules);
        assert_valid(turn.messages());
    }
}

#[tokio::test]
async fn loop_1_results_that_are_missing_surplus_or_strange_leave_a_valid_transcript() {
    use vernal_core::message::{ToolCall, ToolResponse};
    let scenario = slow();
    let limits = scenario.manager.limits();
    let options = scenario.options();
    let rules = TurnRules::new(limits, options.tools());
    let strange = ToolResponse::error(&ToolCall::new("?", "?", ""), ToolOutcome::Failed, "?");
    let model = scenario.model();
    let response = model.call("go".into()).await.unwrap();
    let answer = |at: usize| {
        let call = response.tool_calls().nth(at).unwrap();
        ToolResponse::error(call, ToolOutcome::Failed, format!("answer {at}"))
    };
    for results in [
        vec![],
        vec![answer(4)],
        vec![answer(1), answer(3)],
        vec![strange.clone()],
        (0..5).map(answer).chain([strange.clone()]).collect(),
    ] {
        let given = results.len().min(5);
        let mut turn = Turn::start(History::from("go"));
        turn.on_response(response.clone(), &rules);
        turn.on_results(results.clone(), &rules);
        assert_valid(turn.messages());
        assert_eq!(last_answers(turn.messages()).len(), 5, "{given}");
        let mut turn = Turn::start(History::from("go"));
        turn.on_response(response.clone(), &rules);
        turn.give_up(results, "It was given up.");
        assert_valid(turn.messages());
    }
}
