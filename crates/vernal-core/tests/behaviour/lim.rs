//! LIM-1 to LIM-6 and LIM-10: what is counted, and up to where.

use std::sync::Arc;

use vernal_core::advisor::ToolCallingAdvisor;
use vernal_core::calling::{ToolCallLimitBehavior, ToolCallLimits, ToolCallingManager, Turn};
use vernal_core::client::{ChatClient, ChatClientBuilder};
use vernal_core::message::{FinishReason, History, Message, ToolCall, ToolOutcome, ToolResponse};
use vernal_core::model::{ChatModel, Prompt};
use vernal_testing::{Reply, ScriptedModel};

use crate::drivers::Outcome;
use crate::kit::{Log, tool};
use crate::probes::Notes;
use crate::scenario::{Scenario, calls};
use crate::transcript::last_answers;

pub(crate) const LIMITED: Option<&FinishReason> = Some(&FinishReason::ToolCallLimitExceeded);

/// How many calls of the newest batch came to each of the outcomes success, refused and not run.
pub(crate) fn tally(outcome: &Outcome) -> [usize; 3] {
    let answers = last_answers(&outcome.history);
    [
        ToolOutcome::Success,
        ToolOutcome::Refused,
        ToolOutcome::NotRun,
    ]
    .map(|wanted| {
        answers
            .iter()
            .filter(|(outcome, _)| *outcome == wanted)
            .count()
    })
}

#[tokio::test]
async fn lim_1_without_configuration_a_tool_may_be_called_40_times() {
    let allowed = Scenario::new()
        .tool(tool("a"))
        .reply(calls("a", 40))
        .says("done");
    allowed
        .check(|outcome| {
            assert_eq!(outcome.text(), "done");
            assert_eq!(outcome.executions.len(), 40);
        })
        .await;
    let one_more = Scenario::new()
        .tool(tool("a"))
        .reply(calls("a", 41))
        .says("unreached");
    one_more
        .check(|outcome| {
            assert_eq!(outcome.finish_reason(), LIMITED);
            assert_eq!(tally(outcome), [40, 0, 1]);
            assert_eq!(outcome.executions.len(), 40);
        })
        .await;
}

#[tokio::test]
async fn lim_1_without_configuration_150_calls_are_allowed_in_total() {
    let names = ["a", "b", "c", "d", "e"];
    let scenario = |last: usize| {
        let scenario = names
            .iter()
            .fold(Scenario::new(), |s, name| s.tool(tool(name)));
        let scenario = names
            .iter()
            .take(4)
            .fold(scenario, |s, name| s.reply(calls(name, 35)));
        scenario.reply(calls("e", last)).says("done")
    };
    scenario(10)
        .check(|outcome| assert_eq!(outcome.executions.len(), 150))
        .await;
    scenario(12)
        .check(|outcome| {
            assert_eq!(outcome.finish_reason(), LIMITED);
            assert_eq!(outcome.executions.len(), 150);
            assert_eq!(tally(outcome), [10, 0, 2]);
        })
        .await;
    let defaults = ToolCallLimits::default();
    assert_eq!(defaults.behavior(), ToolCallLimitBehavior::Throw);
    assert_eq!(defaults.max_calls_of("anything"), Some(40));
    assert_eq!(defaults.max_total_calls(), Some(150));
}

#[tokio::test]
async fn lim_1_every_way_to_hand_over_limits_sets_them() {
    let manager = || {
        ToolCallingManager::builder()
            .max_calls_per_tool(2)
            .build()
            .unwrap()
    };
    let own = || ToolCallingAdvisor::with_manager(manager());
    let built = || {
        let builder = ToolCallingAdvisor::builder().tool_calling_manager(manager());
        builder.advisor_order(9).build().unwrap()
    };
    let client = || ChatClient::builder(ScriptedModel::new().replies(calls("a", 3)));
    let bystander = Notes::default();
    let bystander = || bystander.probe("bystander", 0);
    let go = |builder: ChatClientBuilder| builder.build().unwrap().prompt("go");
    for request in [
        go(client().tool_calling_manager(manager())),
        go(client().tool_calling_manager(manager())).advisors(bystander()),
        go(client()
            .tool_calling_manager(manager())
            .default_advisors(bystander())),
        go(client().default_advisors(own())),
        go(client().default_advisors(built())).advisors(bystander()),
        go(client()).advisors(own()),
        go(client()).advisors((bystander(), built())),
    ] {
        let log = Log::default();
        let response = request.tools(tool("a").build(&log)).call().await.unwrap();
        assert_eq!(response.chat_response().finish_reason(), LIMITED);
        assert_eq!(log.started().len(), 2);
    }
}

/// An earlier turn of the conversation, in which `a` was called twice.
fn replayed() -> Vec<Message> {
    let calls = ["x", "y"].map(|id| ToolCall::new(id, "a", "{}"));
    let answers = calls.iter().map(|call| ToolResponse::success(call, vec![]));
    let answers: Vec<_> = answers
        .map(|mut answer| {
            answer.content = vec![vernal_core::message::ToolContent::Text("old".into())];
            answer
        })
        .collect();
    let parts = calls.map(|call| vernal_core::message::PartContent::ToolCall(call).into());
    vec![
        Message::user("earlier"),
        Message::new(vernal_core::message::Role::Assistant, parts.to_vec()),
        Message::tool(answers),
        Message::assistant("earlier answer"),
        Message::user("now"),
    ]
}

#[tokio::test]
async fn lim_2_what_memory_replays_is_not_counted() {
    let scenario = |count| {
        Scenario::new()
            .messages(replayed())
            .tool(tool("a"))
            .manager(|m| m.max_calls_per_tool(2).max_total_tool_calls(2))
            .reply(calls("a", count))
            .says("done")
    };
    scenario(2)
        .check(|outcome| assert_eq!(outcome.text(), "done"))
        .await;
    scenario(3)
        .check(|outcome| assert_eq!(tally(outcome), [2, 0, 1]))
        .await;
}

#[tokio::test]
async fn lim_2_refused_failed_and_unknown_calls_are_counted() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .tool(tool("broken").fails("no"))
        .manager(|m| {
            m.max_calls_for_tool("a", 1)
                .max_total_tool_calls(5)
                .on_limit_exceeded(ToolCallLimitBehavior::ReturnErrorResponse)
        })
        .reply(calls("a", 2)) // one runs, one is refused
        .calls("broken", "{}")
        .calls("unheard-of", "{}")
        .calls("broken", "not json")
        .calls("broken", "{}") // the sixth
        .says("done");
    scenario
        .check(|outcome| {
            assert_eq!(outcome.ran(), ["a", "broken"]);
            let (outcome, text) = last_answers(&outcome.history).remove(0);
            assert_eq!(outcome, ToolOutcome::Refused);
            assert!(text.contains("limit of 5 tool calls"), "{text}");
        })
        .await;
}

#[tokio::test]
async fn lim_2_a_turn_that_is_passed_on_counts_over_user_messages_of_the_loop() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .manager(|m| m.max_calls_per_tool(2));
    let (manager, options) = (&scenario.manager, scenario.options());
    let model = ScriptedModel::new().then_always(Reply::call("a", "{}"));

    // With a turn, the third call is one too many, whatever the loop says in between.
    let mut turn = Turn::start("go");
    for round in 1..=3 {
        let mut sent = turn.messages().clone();
        sent.push(Message::user("go on"));
        let response = model
            .call(Prompt::new(sent, options.clone()))
            .await
            .unwrap();
        let result = manager
            .execute_in_turn(&mut turn, &options, &response)
            .await;
        assert_eq!(result.is_err(), round == 3, "round {round}");
    }
    assert_eq!(scenario.log.started().len(), 2);

    // Without one, the turn is what follows the newest user message.
    let mut prompt = Prompt::new("go", options);
    for _ in 1..=3 {
        let response = model.call(prompt.clone()).await.unwrap();
        let result = manager
            .execute_tool_calls(&prompt, &response)
            .await
            .unwrap();
        let mut history = result.conversation_history().clone();
        history.push(Message::user("go on"));
        prompt = prompt.with_messages(history);
    }
    assert_eq!(scenario.log.started().len(), 2 + 3);
}

#[tokio::test]
async fn lim_2_without_any_user_message_everything_is_counted() {
    let manager = ToolCallingManager::builder()
        .max_calls_per_tool(2)
        .build()
        .unwrap();
    let options = Scenario::new().tool(tool("a")).options();
    let history: History = replayed().drain(1..3).collect();
    let prompt = Prompt::new(history, options);
    let response = ScriptedModel::new()
        .calls("a", "{}")
        .call(prompt.clone())
        .await
        .unwrap();
    let error = manager
        .execute_tool_calls(&prompt, &response)
        .await
        .unwrap_err();
    assert_eq!(error.tool_name(), Some("a"));
}

#[tokio::test(start_paused = true)]
async fn lim_10_turns_that_run_at_the_same_time_share_no_counts() {
    let manager = ToolCallingManager::builder()
        .max_calls_per_tool(3)
        .build()
        .unwrap();
    let log = Log::default();
    let slow = tool("a")
        .takes(std::time::Duration::from_millis(5))
        .build(&log);
    let turn = |count: usize| {
        let model = ScriptedModel::new().replies(calls("a", count)).says("done");
        let client = ChatClient::builder(model)
            .default_advisors(ToolCallingAdvisor::with_manager(manager.clone()))
            .build()
            .unwrap();
        client.prompt("go").tools(Arc::clone(&slow))
    };
    let (called, streamed) = (turn(3), turn(3));
    let (first, second, third) =
        futures::join!(called.call(), streamed.stream().response(), turn(4).call());
    assert_eq!(first.unwrap().content(), "done");
    assert_eq!(second.unwrap().content(), "done");
    assert_eq!(third.unwrap().chat_response().finish_reason(), LIMITED);
    assert_eq!(log.started().len(), 9);
    assert_eq!(log.peak(), 9, "they did run at the same time");
}
