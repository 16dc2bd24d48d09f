//! LOOP-4: what hooks and inner advisors change in a round is real.

use std::sync::Arc;

use vernal_core::advisor::{ChatClientRequest, ToolCallingAdvisor};
use vernal_core::calling::ToolCallingManager;
use vernal_core::client::ChatClient;
use vernal_core::message::{History, Message, Role};
use vernal_core::tool::{FunctionToolCallback, ToolContext, ToolSet};

use crate::change_kit::{Changes, FIRST, Inside, ROUND_1, ROUND_2, by_both, turns};
use crate::hook_kit::with_hooks;
use crate::kit::{Log, tool};
use crate::transcript::last_answers;

#[tokio::test]
async fn loop_4_tools_of_a_round_run_and_are_offered_from_then_on() {
    let log = Log::default();
    let added = tool("a").says("another a").build(&log);
    let change = move |request: &mut ChatClientRequest| {
        if request.round() == 1 {
            let tools = ToolSet::of_callbacks([added.clone()]).unwrap();
            request.prompt_mut().options_mut().set_tools(tools);
        }
    };
    let none = turns(|model| with_hooks(model, Changes(change.clone()))).await;
    let inside = turns(|model| ChatClient::builder(model).default_advisors(Inside(change.clone())));
    let in_place = by_both(&log, change.clone()).await;
    for turned in none.into_iter().chain(inside.await).chain(in_place) {
        assert_eq!(turned.offered(), [["a"], ["a"], ["a"]]);
        assert_eq!(
            last_answers(turned.response.messages().unwrap())[0].1,
            "another a"
        );
        assert_eq!(turned.response.rounds(), 2);
    }
}

#[tokio::test]
async fn loop_4_tools_that_were_taken_away_do_not_run() {
    let log = Log::default();
    let turned = by_both(&log, |request: &mut ChatClientRequest| {
        if request.round() == 2 {
            request
                .prompt_mut()
                .options_mut()
                .set_tools(ToolSet::empty());
        }
    });
    for turned in turned.await {
        assert_eq!(
            turned.offered().iter().map(Vec::len).collect::<Vec<_>>(),
            [1, 0, 0]
        );
        assert!(
            turned.transcript()[5].contains("unknown_tool"),
            "{:?}",
            turned.transcript()
        );
    }
    assert_eq!(log.started().len(), 4, "only those of the first round");
}

#[tokio::test]
async fn loop_4_the_context_that_a_hook_sets_reaches_tools() {
    let change = |request: &mut ChatClientRequest| {
        let options = request.prompt_mut().options_mut();
        let more = ToolContext::from([("tenant", "acme")]);
        options.set_tool_context(options.tool_context().merged_with(&more));
    };
    let tenant = || {
        FunctionToolCallback::builder("a", |_: serde_json::Value, context: ToolContext| {
            context.get_str("tenant").map(str::to_owned)
        })
        .input_schema(r#"{"type":"object"}"#)
        .build()
        .unwrap()
    };
    for turned in turns(|model| with_hooks(model, Changes(change)).default_tools(tenant())).await {
        assert!(turned.transcript()[3].contains("acme"));
    }
}

#[tokio::test]
async fn loop_4_a_message_that_was_added_once_stays_at_its_place_in_the_turn() {
    let log = Log::default();
    let added = by_both(&log, |request: &mut ChatClientRequest| {
        if request.round() == 2 {
            let messages = request.prompt_mut().messages_mut();
            messages.push(Message::user("hurry!"));
        }
    });
    for turned in added.await {
        let second = [&FIRST[..], &ROUND_1, &["user: hurry!"]].concat();
        let third = [&second[..], &ROUND_2].concat();
        assert_eq!(turned.sent(), [FIRST.to_vec(), second, third.clone()]);
        assert_eq!(
            turned.transcript(),
            [&third[..], &["assistant: done"]].concat()
        );
        // The message of the user that was added begins no new turn.
        assert_eq!(turned.response.rounds(), 2);
    }
    let in_front = by_both(&log, |request: &mut ChatClientRequest| {
        if request.round() == 1 {
            let first = std::iter::once(Arc::new(Message::system("Rules.")));
            let messages = request.prompt_mut().messages_mut();
            *messages = first.chain(messages.iter().cloned()).collect();
        }
    });
    for turned in in_front.await {
        let first = [&["system: Rules."], &FIRST[..]].concat();
        let third = [&first[..], &ROUND_1, &ROUND_2].concat();
        assert_eq!(turned.sent()[2], third);
        assert_eq!(
            turned.transcript(),
            [&third[..], &["assistant: done"]].concat()
        );
    }
}

#[tokio::test]
async fn loop_4_what_was_left_out_is_not_sent_again_and_is_kept_in_the_record() {
    let log = Log::default();
    let compacted = by_both(&log, |request: &mut ChatClientRequest| {
        if request.round() == 2 {
            let messages = request.prompt_mut().messages_mut();
            let keep = messages.iter().take(2).cloned();
            let summary = Arc::new(Message::user("It was a result."));
            *messages = keep.chain([summary]).collect();
        }
    });
    for turned in compacted.await {
        let second = [&FIRST[..], &["user: It was a result."]].concat();
        let third = [&second[..], &ROUND_2].concat();
        assert_eq!(turned.sent(), [FIRST.to_vec(), second.clone(), third]);
        let summary = ["user: It was a result."];
        let record = [
            &FIRST[..],
            &ROUND_1,
            &summary,
            &ROUND_2,
            &["assistant: done"],
        ]
        .concat();
        assert_eq!(turned.transcript(), record);
    }
}

#[tokio::test]
async fn loop_4_what_is_left_out_is_counted_all_the_same() {
    let forgetful = |request: &mut ChatClientRequest| {
        let messages = request.prompt_mut().messages_mut();
        *messages = messages
            .iter()
            .filter(|m| m.role() == Role::User)
            .cloned()
            .collect();
    };
    let log = Log::default();
    let limited = turns(|model| {
        let manager = ToolCallingManager::builder().max_calls_for_tool("a", 1);
        let tool_loop = ToolCallingAdvisor::builder()
            .tool_calling_manager(manager.build().unwrap())
            .hooks(Changes(forgetful));
        let client = ChatClient::builder(model).tool_calling_advisor(tool_loop);
        client.default_tools(tool("a").build(&log))
    });
    for turned in limited.await {
        assert_eq!(turned.sent(), [["user: go"], ["user: go"]]);
        assert!(
            turned
                .response
                .content()
                .contains("limit of 1 call of the tool `a`")
        );
    }
    assert_eq!(log.started().len(), 2, "once in each turn");
}

#[tokio::test]
async fn loop_4_a_new_version_of_a_message_takes_its_place() {
    let log = Log::default();
    let edited = by_both(&log, |request: &mut ChatClientRequest| {
        let edit = |message: &Arc<Message>| match (request.round(), message.role()) {
            (1, Role::System) => Arc::new(Message::system("Be long.")),
            (2, Role::User) => {
                // The same message, by its id, that says more.
                let mut more = Message::clone(message);
                more.push(vernal_core::message::Part::text(", now"));
                Arc::new(more)
            }
            _ => message.clone(),
        };
        let messages: History = request.prompt().messages().iter().map(edit).collect();
        *request.prompt_mut().messages_mut() = messages;
    });
    for turned in edited.await {
        assert_eq!(turned.sent()[0], ["system: Be long.", "user: go"]);
        let now = ["system: Be long.", "user: go , now"];
        assert_eq!(turned.sent()[1][..2], now);
        assert_eq!(turned.sent()[2][..2], now);
        assert_eq!(turned.sent()[2].len(), 6);
        assert_eq!(turned.transcript()[..2], now);
        assert_eq!(turned.transcript().len(), 7);
    }
}
