//! LIM-3, LIM-4 and EXE-1 for batches and limits of any kind, against a plain account of the rules.

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::test_runner::Config;
use vernal_core::calling::{ToolCallLimitBehavior, ToolCallingManagerBuilder};
use vernal_core::message::ToolOutcome;
use vernal_testing::Reply;

use crate::drivers::{Driver, run};
use crate::kit::tool;
use crate::scenario::Scenario;

/// `a` and `b` run beside others, `s` alone; `u` is no tool.
const NAMES: [&str; 4] = ["a", "b", "s", "u"];

#[derive(Debug, Clone)]
struct Call {
    name: &'static str,
    /// Whether its arguments fit.
    fits: bool,
    takes: u64,
}

#[derive(Debug, Clone)]
struct Limits {
    per_tool: u32,
    /// A limit of the tool's own; `None` where it is exempt.
    own: BTreeMap<&'static str, Option<u32>>,
    total: u32,
    throw: bool,
    concurrency: usize,
}

fn any_call() -> impl Strategy<Value = Call> {
    let name = proptest::sample::select(NAMES.to_vec());
    (name, prop::bool::weighted(0.85), 0..40u64).prop_map(|(name, fits, takes)| Call {
        name,
        fits,
        takes,
    })
}

fn any_limits() -> impl Strategy<Value = Limits> {
    let name = proptest::sample::select(NAMES.to_vec());
    let own = btree_map(name, proptest::option::of(1..5u32), 0..3);
    (1..7u32, own, 1..25u32, any::<bool>(), 1..6usize).prop_map(
        |(per_tool, own, total, throw, concurrency)| Limits {
            per_tool,
            own,
            total,
            throw,
            concurrency,
        },
    )
}

impl Limits {
    fn set(&self, manager: ToolCallingManagerBuilder) -> ToolCallingManagerBuilder {
        let behavior = match self.throw {
            true => ToolCallLimitBehavior::Throw,
            false => ToolCallLimitBehavior::ReturnErrorResponse,
        };
        let manager = manager
            .max_calls_per_tool(self.per_tool)
            .max_total_tool_calls(self.total)
            .on_limit_exceeded(behavior)
            .max_concurrency(self.concurrency);
        self.own
            .iter()
            .fold(manager, |manager, (name, limit)| match limit {
                Some(limit) => manager.max_calls_for_tool(*name, *limit),
                None => manager.exclude_tool_from_limit(*name),
            })
    }

    fn of(&self, name: &str) -> Option<u32> {
        match self.own.get(name) {
            Some(own) => *own,
            None => Some(self.per_tool),
        }
    }
}

/// What must become of the calls, round by round.
fn expected(rounds: &[Vec<Call>], limits: &Limits) -> Vec<Vec<ToolOutcome>> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let mut total = 0;
    let mut refused_rounds = 0;
    let mut expected = Vec::new();
    for calls in rounds {
        let mut broken = false;
        let outcomes: Vec<_> = calls
            .iter()
            .map(|call| {
                total += 1;
                let count = counts.entry(call.name).or_default();
                *count += 1;
                let over = limits.of(call.name).is_some_and(|limit| *count > limit);
                match () {
                    () if broken => ToolOutcome::NotRun,
                    () if (over || total > limits.total) && limits.throw => {
                        broken = true;
                        ToolOutcome::NotRun
                    }
                    () if over || total > limits.total => ToolOutcome::Refused,
                    () if call.name == "u" => ToolOutcome::UnknownTool,
                    () if !call.fits => ToolOutcome::InvalidArguments,
                    () => ToolOutcome::Success,
                }
            })
            .collect();
        let all_refused = outcomes.iter().all(|o| *o == ToolOutcome::Refused);
        refused_rounds = if all_refused { refused_rounds + 1 } else { 0 };
        expected.push(outcomes);
        if broken || refused_rounds == 3 {
            break;
        }
    }
    expected
}

fn scenario(rounds: &[Vec<Call>], limits: &Limits) -> Scenario {
    const SCHEMA: &str = r#"{"type":"object","required":["n"]}"#;
    let mut number = 0;
    let start = Scenario::new()
        .tool(tool("a").schema(SCHEMA))
        .tool(tool("b").schema(SCHEMA))
        .tool(tool("s").schema(SCHEMA).sequential())
        .manager(|manager| limits.set(manager));
    let scenario = rounds.iter().fold(start, |scenario, calls| {
        let reply = calls.iter().fold(Reply::empty(), |reply, call| {
            number += 1;
            let name = if call.fits { "n" } else { "m" };
            let arguments = format!(r#"{{"{name}":{number},"ms":{}}}"#, call.takes);
            reply.and_call(call.name, arguments)
        });
        scenario.reply(reply)
    });
    scenario.says("done")
}

#[test]
fn lim_3_any_batch_under_any_limits_runs_exactly_the_allowed_calls_and_answers_all() {
    let config = Config {
        failure_persistence: None,
        ..Config::with_cases(150)
    };
    proptest!(config, |(rounds in vec(vec(any_call(), 1..12), 1..6), limits in any_limits())| {
        let scenario = scenario(&rounds, &limits);
        let expected = expected(&rounds, &limits);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        for driver in Driver::ALL {
            // That every call has one answer, in its order, is checked of each run.
            let outcome = runtime.block_on(run(driver, &scenario));
            let answers: Vec<Vec<ToolOutcome>> = outcome
                .history
                .iter()
                .filter(|message| message.tool_responses().count() > 0)
                .map(|message| message.tool_responses().map(|r| r.outcome).collect())
                .collect();
            prop_assert_eq!(&answers, &expected, "{:?}", driver);
            let allowed: Vec<_> = expected
                .iter()
                .flatten()
                .zip(rounds.iter().flatten().zip(1..))
                .filter(|(outcome, _)| **outcome == ToolOutcome::Success)
                .map(|(_, (call, number))| {
                    let input = format!(r#"{{"n":{number},"ms":{}}}"#, call.takes);
                    (call.name.to_owned(), input)
                })
                .collect();
            prop_assert_eq!(&outcome.executions, &allowed, "in order, with {:?}", driver);
            prop_assert!(scenario.log.peak() <= limits.concurrency);
            prop_assert!(outcome.elapsed < Duration::from_secs(60));
        }
    });
}

#[test]
fn arg_2_names_and_arguments_of_any_kind_are_answered() {
    let config = Config {
        failure_persistence: None,
        ..Config::with_cases(100)
    };
    let near = proptest::sample::select(vec!["a", "A", " a", "server.a", "functions.a", "a\0"]);
    let name = prop_oneof![any::<String>(), near.prop_map(str::to_owned)];
    let json = r#"[{}\[\]",:0-9eE.a-z\\ \n-]{0,40}"#;
    let arguments = prop_oneof![any::<String>(), json];
    proptest!(config, |(calls in vec((name, arguments), 1..6))| {
        let reply = calls.iter().fold(Reply::empty(), |reply, (name, arguments)| {
            reply.and_call(name.as_str(), arguments.as_str())
        });
        let scenario = Scenario::new().tool(tool("a")).reply(reply).says("done");
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for driver in Driver::ALL {
            let outcome = runtime.block_on(run(driver, &scenario));
            prop_assert_eq!(outcome.text(), "done");
            prop_assert!(outcome.ran().iter().all(|ran| *ran == "a"));
        }
    });
}
