//! LOOP-6: a model call that was paid for is in the error, whatever came between it and the loop.

use std::time::Duration;

use vernal_core::Error;
use vernal_core::advisor::{
    AdvisorParams, BaseAdvisor, ChatClientRequest, ChatClientResponse, LoopEnd,
    RequestDeadlineAdvisor, SafeGuardAdvisor, ToolCallingAdvisor, ToolLoopHooks,
};
use vernal_core::calling::ToolCallingManager;
use vernal_core::message::Usage;
use vernal_testing::ScriptedModel;

use crate::kit::{Noted, WAYS, Way, costs, looking, looks, said};
use crate::structured::{BAD, Forecast};

const GIVEN: Duration = Duration::from_millis(50);
const OUTSIDE: i32 = ToolCallingAdvisor::DEFAULT_ORDER - 1;

/// What somebody who looks at a response does with it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Does {
    Wait,
    Fail,
}

impl Does {
    async fn it<T>(self) -> Result<T, Error> {
        if self == Self::Wait {
            tokio::time::sleep(Duration::from_secs(60)).await;
        }
        Err(Error::advisor("reads", "it does not like it"))
    }
}

/// Looks at responses, at its place in the chain.
struct Reads(Does, i32);

impl BaseAdvisor for Reads {
    fn name(&self) -> &str {
        "reads"
    }

    fn order(&self) -> i32 {
        self.1
    }

    async fn after(&self, _: ChatClientResponse) -> Result<ChatClientResponse, Error> {
        self.0.it().await
    }
}

/// Looks at responses as a hook, and notes what a turn ends with.
#[derive(Clone)]
struct Hears(Option<Does>, Noted<(usize, Usage)>);

impl Hears {
    async fn hear(&self) -> Result<(), Error> {
        match self.0 {
            Some(does) => does.it().await,
            None => Ok(()),
        }
    }

    fn end(&self, end: &LoopEnd<'_>) {
        self.1.note((end.messages().len(), end.usage()));
    }
}

impl ToolLoopHooks for Hears {
    async fn after_call(
        &self,
        _: &ChatClientRequest,
        _: &mut ChatClientResponse,
    ) -> Result<(), Error> {
        self.hear().await
    }

    async fn after_stream(
        &self,
        _: &ChatClientRequest,
        _: &mut ChatClientResponse,
    ) -> Result<(), Error> {
        self.hear().await
    }

    fn finalize_loop(&self, end: &LoopEnd<'_>) {
        self.end(end);
    }

    fn finalize_loop_stream(&self, end: &LoopEnd<'_>) {
        self.end(end);
    }
}

/// Where the response is when the turn ends.
#[derive(Debug, Clone, Copy)]
enum At {
    Hook,
    Inside,
    Outside,
}

#[tokio::test(start_paused = true)]
async fn loop_6_what_was_paid_for_is_kept_wherever_it_is_when_the_turn_ends() {
    for at in [At::Hook, At::Inside, At::Outside] {
        for does in [Does::Wait, Does::Fail] {
            for of_turn in [false, true] {
                for way in WAYS {
                    kept(at, does, of_turn, way).await;
                }
            }
        }
    }
}

async fn kept(at: At, does: Does, of_turn: bool, way: Way) {
    if of_turn && matches!(at, At::Outside) {
        return; // the turn is over
    }
    let case = format!("{at:?} {does:?} {of_turn} {way:?}");
    let ended = Noted::default();
    let mut manager = ToolCallingManager::builder();
    let mut deadline = 60 * GIVEN;
    match of_turn {
        true => manager = manager.turn_timeout(GIVEN),
        false => deadline = GIVEN,
    }
    let hook = matches!(at, At::Hook).then_some(does);
    let tool_loop = ToolCallingAdvisor::builder()
        .tool_calling_manager(manager.build().unwrap())
        .hooks(Hears(hook, ended.clone()));
    let (client, _) = looking(ScriptedModel::new().replies(costs("done", 100, 10)));
    let mut client = client
        .tool_calling_advisor(tool_loop)
        .default_advisors(RequestDeadlineAdvisor::new(deadline));
    match at {
        At::Hook => {}
        At::Inside => client = client.default_advisors(Reads(does, 0)),
        At::Outside => client = client.default_advisors(Reads(does, OUTSIDE)),
    }
    let error = way
        .send(&client.build().unwrap().prompt("go"))
        .await
        .error();
    assert_eq!(error.is_timeout(), does == Does::Wait, "{case}: {error}");
    let messages = said(error.messages());
    assert_eq!(messages, ["user: go", "assistant: done"], "{case}");
    assert_eq!(error.usage(), Usage::new(100, 10), "{case}");
    assert_eq!(ended.take(), [(2, Usage::new(100, 10))], "{case}");
}

#[tokio::test(start_paused = true)]
async fn loop_6_calls_that_did_not_arrive_are_answered_as_not_run() {
    for way in WAYS {
        let (client, runs) = looking(ScriptedModel::new().replies(looks(100, 10)));
        let client = client.default_advisors(Reads(Does::Fail, 0));
        let error = way
            .send(&client.build().unwrap().prompt("go"))
            .await
            .error();
        assert_eq!(said(error.messages()).len(), 3, "the call is answered");
        assert_eq!((error.usage(), runs.count()), (Usage::new(100, 10), 0));
    }
}

#[tokio::test(start_paused = true)]
async fn loop_6_a_turn_that_nobody_waits_for_ends_with_what_it_paid() {
    for way in WAYS {
        let ended = Noted::default();
        let tool_loop = ToolCallingAdvisor::builder().hooks(Hears(None, ended.clone()));
        let (client, _) = looking(ScriptedModel::new().replies(costs("done", 100, 10)));
        let client = client
            .tool_calling_advisor(tool_loop)
            .default_advisors(Reads(Does::Wait, 0))
            .build()
            .unwrap();
        let request = client.prompt("go");
        assert!(
            tokio::time::timeout(GIVEN, way.send(&request))
                .await
                .is_err()
        );
        assert_eq!(ended.take(), [(2, Usage::new(100, 10))]);
    }
}

#[tokio::test(start_paused = true)]
async fn loop_6_nothing_is_counted_twice() {
    for way in WAYS {
        // Two tries of an answer that does not fit, refused by an advisor around them.
        let model = ScriptedModel::new()
            .replies(costs(BAD, 100, 10))
            .replies(costs(BAD, 20, 2));
        let (client, _) = looking(model);
        let client = client.build().unwrap();
        let entity = client.prompt("go").entity::<Forecast>().max_corrections(1);
        let error = match way {
            Way::Call => entity.await.err(),
            Way::Stream => entity.stream().response().await.err(),
        };
        let error = error.unwrap();
        assert!(error.invalid_answer().is_some());
        assert_eq!(error.usage(), Usage::new(120, 12));
        assert_eq!(said(error.messages()), ["user: go"], "in nobody's history");
    }
}

#[tokio::test(start_paused = true)]
async fn loop_6_what_a_safe_guard_took_away_does_not_come_back() {
    for way in WAYS {
        let guard = SafeGuardAdvisor::builder().words(["secret"]).answers(true);
        let (client, _) = looking(ScriptedModel::new().replies(costs("a secret", 100, 10)));
        let client = client.default_advisors((Reads(Does::Fail, -1), guard.build()));
        let error = way
            .send(&client.build().unwrap().prompt("go"))
            .await
            .error();
        assert!(!said(error.messages()).concat().contains("secret"));
        assert_eq!(error.usage(), Usage::new(100, 10));
    }
}

#[tokio::test(start_paused = true)]
async fn loop_6_a_chain_without_a_loop_says_what_it_paid() {
    for way in WAYS {
        let params = AdvisorParams::tool_calling_advisor_auto_register(false);
        let (client, _) = looking(ScriptedModel::new().replies(costs("done", 100, 10)));
        let client = client.default_advisors((params, Reads(Does::Fail, 0)));
        let error = way
            .send(&client.build().unwrap().prompt("go"))
            .await
            .error();
        assert_eq!(error.usage(), Usage::new(100, 10));
        assert!(error.messages().is_none());
    }
}
