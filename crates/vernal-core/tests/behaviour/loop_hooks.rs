//! LOOP-1: the hooks of the loop, when they run and what they can do.

use std::sync::Arc;

use vernal_core::Error;
use vernal_core::advisor::{
    ChatClientRequest, ChatClientResponse, LoopEnd, ToolCallingAdvisor, ToolLoopHooks,
};
use vernal_core::calling::{
    ToolCallingManager, ToolExecutionEligibilityChecker, ToolExecutionResult,
};
use vernal_core::client::ChatClient;
use vernal_core::message::{Message, ToolOutcome, ToolResponse};
use vernal_core::tool::{FunctionToolCallback, ToolMetadata};
use vernal_testing::{Reply, ScriptedModel};

use crate::hook_kit::{Act, Point, Recorder, with_hooks};
use crate::kit::{Log, tool};
use crate::probes::{Notes, both_ways};
use crate::transcript::{assert_valid, last_answers};

/// A tool that notes that it ran.
fn noting(notes: &Notes, direct: bool) -> FunctionToolCallback {
    let notes = notes.clone();
    FunctionToolCallback::builder("a", move || notes.add("ran"))
        .tool_metadata(ToolMetadata::builder().return_direct(direct).build())
        .build()
        .unwrap()
}

#[tokio::test]
async fn loop_1_each_hook_has_its_place_in_every_round() {
    let notes = Notes::default();
    let asked = notes.clone();
    let checker = ToolExecutionEligibilityChecker::new(move |response| {
        asked.add("eligible?");
        response.has_tool_calls()
    });
    let script = || {
        let two = Reply::text("I look.")
            .and_call("a", "{}")
            .and_call("a", "{}");
        ScriptedModel::new()
            .replies(two)
            .calls("a", "{}")
            .says("done")
    };
    let client = || {
        let tool_loop = ToolCallingAdvisor::builder()
            .hooks(Recorder::new(&notes))
            .tool_execution_eligibility_checker(checker.clone());
        ChatClient::builder(script())
            .tool_calling_advisor(tool_loop)
            .default_advisors(notes.probe("inside", 0))
            .default_advisors(notes.probe("outside", i32::MIN))
            .default_tools(noting(&notes, false))
            .build()
            .unwrap()
    };
    for streamed in [false, true] {
        let request = client().prompt("go");
        let response = match streamed {
            false => request.call().await,
            true => request.stream().response().await,
        };
        assert_eq!(response.unwrap().content(), "done");
        let expected = [
            ["> outside", "initialize 1"].as_slice(),
            &[
                "before 1",
                "> inside",
                "< inside",
                "after 1",
                "eligible?",
                "ran",
                "ran",
                "next 2",
            ],
            &[
                "before 2",
                "> inside",
                "< inside",
                "after 2",
                "eligible?",
                "ran",
                "next 3",
            ],
            &["before 3", "> inside", "< inside", "after 3", "eligible?"],
            &["end answer done", "< outside"],
        ];
        assert_eq!(notes.take(), expected.concat(), "{streamed}");
    }
}

#[tokio::test]
async fn loop_1_no_instructions_follow_where_no_round_does() {
    let notes = Notes::default();
    for (direct, rounds, end) in [(true, 9, "end direct Done"), (false, 1, "end limit 1")] {
        let manager = ToolCallingManager::builder()
            .max_rounds(rounds)
            .build()
            .unwrap();
        let tool_loop = ToolCallingAdvisor::builder()
            .tool_calling_manager(manager)
            .hooks(Recorder::new(&notes));
        let client = ChatClient::builder(ScriptedModel::new().then_always(Reply::call("a", "{}")))
            .tool_calling_advisor(tool_loop)
            .default_tools(noting(&notes, direct))
            .build()
            .unwrap();
        for result in both_ways(&client.prompt("go")).await {
            result.unwrap();
        }
        let once = ["initialize 1", "before 1", "after 1", "ran", end];
        assert_eq!(notes.take(), [once, once].concat());
    }
}

/// Gives all ten.
struct Ten(Notes);

impl ToolLoopHooks for Ten {
    async fn initialize_loop(&self, _: &mut ChatClientRequest) -> Result<(), Error> {
        self.0.add("initialize_loop");
        Ok(())
    }
    async fn initialize_loop_stream(&self, _: &mut ChatClientRequest) -> Result<(), Error> {
        self.0.add("initialize_loop_stream");
        Ok(())
    }
    async fn before_call(&self, _: &mut ChatClientRequest) -> Result<(), Error> {
        self.0.add("before_call");
        Ok(())
    }
    async fn before_stream(&self, _: &mut ChatClientRequest) -> Result<(), Error> {
        self.0.add("before_stream");
        Ok(())
    }
    async fn after_call(
        &self,
        _: &ChatClientRequest,
        _: &mut ChatClientResponse,
    ) -> Result<(), Error> {
        self.0.add("after_call");
        Ok(())
    }
    async fn after_stream(
        &self,
        _: &ChatClientRequest,
        _: &mut ChatClientResponse,
    ) -> Result<(), Error> {
        self.0.add("after_stream");
        Ok(())
    }
    async fn next_instructions(
        &self,
        _: &mut ChatClientRequest,
        _: &ToolExecutionResult,
    ) -> Result<(), Error> {
        self.0.add("next_instructions");
        Ok(())
    }
    async fn next_instructions_stream(
        &self,
        _: &mut ChatClientRequest,
        _: &ToolExecutionResult,
    ) -> Result<(), Error> {
        self.0.add("next_instructions_stream");
        Ok(())
    }
    fn finalize_loop(&self, _: &LoopEnd<'_>) {
        self.0.add("finalize_loop");
    }
    fn finalize_loop_stream(&self, _: &LoopEnd<'_>) {
        self.0.add("finalize_loop_stream");
    }
}

#[tokio::test]
async fn loop_1_a_streamed_turn_has_the_streamed_twins_also_behind_a_pointer() {
    let notes = Notes::default();
    let script = || ScriptedModel::new().calls("a", "{}").says("done");
    let call = [
        "initialize_loop",
        "before_call",
        "after_call",
        "next_instructions",
        "before_call",
        "after_call",
        "finalize_loop",
    ];
    let stream = [
        "initialize_loop_stream",
        "before_stream",
        "after_stream",
        "next_instructions_stream",
        "before_stream",
        "after_stream",
        "finalize_loop_stream",
    ];
    let hooks = Arc::new(Ten(notes.clone()));
    for client in [
        with_hooks(script(), hooks.clone()),
        with_hooks(script(), Ten(notes.clone())),
    ] {
        let request = client.build().unwrap().prompt("go");
        request.call().await.unwrap();
        assert_eq!(notes.take(), call);
    }
    for client in [
        with_hooks(script(), hooks),
        with_hooks(script(), Ten(notes.clone())),
    ] {
        let request = client.build().unwrap().prompt("go");
        request.stream().response().await.unwrap();
        assert_eq!(notes.take(), stream);
    }
}

#[tokio::test]
async fn loop_1_several_hooks_run_in_order_and_those_that_began_are_finished() {
    let notes = Notes::default();
    let hooks = |fails: Option<usize>| {
        let named = ["x ", "y ", "z "].map(|name| Recorder::new(&notes).prefix(name));
        let failing = named
            .into_iter()
            .enumerate()
            .map(move |(at, hooks)| match fails {
                Some(which) if which == at => hooks.acts(Point::Initialize, 1, Act::Fails),
                _ => hooks,
            });
        failing.fold(ToolCallingAdvisor::builder(), |tool_loop, hooks| {
            tool_loop.hooks(hooks)
        })
    };
    let client = |fails| {
        let client = ChatClient::builder(ScriptedModel::new().says("done").says("done"));
        client.tool_calling_advisor(hooks(fails)).build().unwrap()
    };
    for result in both_ways(&client(None).prompt("go")).await {
        result.unwrap();
    }
    let all = |point: &str| ["x", "y", "z"].map(|name| format!("{name} {point}"));
    let points = ["initialize 1", "before 1", "after 1", "end answer done"];
    let once = points.map(all).concat();
    assert_eq!(notes.take(), [once.clone(), once].concat());
    for result in both_ways(&client(Some(1)).prompt("go")).await {
        assert!(result.unwrap_err().to_string().contains("recorder"));
    }
    let once = [
        "x initialize 1",
        "y initialize 1",
        "x end failed",
        "y end failed",
    ];
    assert_eq!(notes.take(), [once, once].concat());
}

/// Changes each response by a function.
struct Changes<F>(F);

impl<F: Fn(u32, &mut ChatClientResponse) + Send + Sync + 'static> ToolLoopHooks for Changes<F> {
    async fn after_call(
        &self,
        request: &ChatClientRequest,
        response: &mut ChatClientResponse,
    ) -> Result<(), Error> {
        (self.0)(request.round(), response);
        Ok(())
    }
}

#[tokio::test]
async fn loop_1_a_hook_after_the_call_can_take_calls_away_and_bring_some() {
    let log = Log::default();
    let censor = || {
        Changes(|round, response: &mut ChatClientResponse| {
            let generation = &mut response.chat_response_mut().generations[0];
            generation.message = Arc::new(match round {
                1 => Message::new(
                    vernal_core::message::Role::Assistant,
                    vec![
                        vernal_core::message::PartContent::ToolCall(
                            vernal_core::message::ToolCall::new("own", "a", r#"{"by":"hook"}"#),
                        )
                        .into(),
                    ],
                ),
                _ => Message::assistant("censored"),
            });
        })
    };
    for streamed in [false, true] {
        log.clear();
        let model = ScriptedModel::new().says("I will not.").calls("a", "{}");
        let client = with_hooks(model, censor()).default_tools(tool("a").build(&log));
        let request = client.build().unwrap().prompt("go");
        let response = match streamed {
            false => request.call().await.unwrap(),
            true => request.stream().response().await.unwrap(),
        };
        assert_eq!(response.content(), "censored");
        assert_eq!(
            log.started(),
            [("a".to_owned(), r#"{"by":"hook"}"#.to_owned())]
        );
        assert_valid(response.messages().unwrap());
    }
}

#[tokio::test]
async fn loop_1_a_call_that_was_answered_does_not_run_and_is_counted() {
    let log = Log::default();
    let gate = || {
        Changes(|_, response: &mut ChatClientResponse| {
            let calls: Vec<_> = response.chat_response().tool_calls().cloned().collect();
            for call in calls.iter().filter(|call| &*call.name != "a") {
                let denied = ToolResponse::error(call, ToolOutcome::NotRun, "Denied by Kim.");
                response.answer_call(denied);
            }
            let stranger = vernal_core::message::ToolCall::new("?", "a", "{}");
            response.answer_call(ToolResponse::error(&stranger, ToolOutcome::NotRun, "?"));
        })
    };
    for streamed in [false, true] {
        log.clear();
        let batch = Reply::call("b", "{}")
            .and_call("a", "{}")
            .and_call("c", "{}")
            .and_call("d", "{}");
        let model = ScriptedModel::new().replies(batch).says("done");
        let manager = ToolCallingManager::builder().max_calls_for_tool("c", 1);
        let tool_loop = ToolCallingAdvisor::builder()
            .tool_calling_manager(manager.max_total_tool_calls(3).build().unwrap())
            .hooks(gate());
        let client = ChatClient::builder(model).tool_calling_advisor(tool_loop);
        let tools: Vec<_> = ["a", "b", "c", "d"]
            .map(|name| tool(name).build(&log))
            .into();
        let request = client.default_tools(tools).build().unwrap().prompt("go");
        let response = match streamed {
            false => request.call().await.unwrap(),
            true => request.stream().response().await.unwrap(),
        };
        let ran: Vec<_> = log.started().into_iter().map(|(name, _)| name).collect();
        assert_eq!(ran, ["a"]);
        let answers = last_answers(response.messages().unwrap());
        let denied = (ToolOutcome::NotRun, "Denied by Kim.".to_owned());
        assert_eq!(answers[0], denied);
        assert_eq!(answers[1], (ToolOutcome::Success, "a result".to_owned()));
        assert_eq!(answers[2], denied);
        // Three calls are allowed, the answered ones among them; the limit has the first word.
        assert!(
            answers[3].1.contains("limit of 3 tool calls"),
            "{answers:?}"
        );
        assert_valid(response.messages().unwrap());
    }
}
