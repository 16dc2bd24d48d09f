//! EXE-1: calls of a batch run side by side, and are answered in order.

use std::time::Duration;

use tokio::time::Instant;
use vernal_core::message::ToolOutcome;
use vernal_testing::Reply;

use crate::drivers::{Driver, Outcome, request, run};
use crate::kit::tool;
use crate::live::event_lines;
use crate::scenario::{Scenario, calls};
use crate::transcript::last_answers;

const STEP: Duration = Duration::from_millis(100);

/// Tools that take a step each: `p` may run beside others, `s` is sequential.
fn steps() -> Scenario {
    Scenario::new()
        .tool(tool("p").takes(STEP))
        .tool(tool("s").takes(STEP).sequential())
}

/// A batch of the named tools, each call with its number.
fn batch(names: &[&str]) -> Reply {
    let call =
        |reply: Reply, (n, name): (usize, &&str)| reply.and_call(*name, format!(r#"{{"n":{n}}}"#));
    names.iter().enumerate().fold(Reply::empty(), call)
}

/// Runs the scenario with every driver; each must take exactly these steps of time and reach this
/// peak of calls at the same time.
async fn takes(scenario: Scenario, steps: u32, peak: usize, check: impl Fn(&Outcome)) {
    for driver in Driver::ALL {
        println!("with the driver {driver:?}:");
        let outcome = run(driver, &scenario).await;
        println!("{outcome:#?}");
        assert_eq!(outcome.elapsed, STEP * steps);
        assert_eq!(scenario.log.peak(), peak);
        check(&outcome);
    }
}

#[tokio::test(start_paused = true)]
async fn exe_1_eight_calls_run_at_the_same_time() {
    takes(steps().reply(calls("p", 8)).says("done"), 1, 8, |_| {}).await;
}

#[tokio::test(start_paused = true)]
async fn exe_1_at_most_eight_calls_run_at_the_same_time() {
    takes(steps().reply(calls("p", 9)).says("done"), 2, 8, |_| {}).await;
    takes(
        steps().reply(calls("p", 20)).says("done"),
        3,
        8,
        |outcome| {
            assert_eq!(outcome.executions.len(), 20);
        },
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn exe_1_the_bound_is_a_setting() {
    for (bound, count, rounds) in [(1, 3, 3), (2, 5, 3), (100, 40, 1)] {
        let scenario = steps()
            .manager(|m| m.max_concurrency(bound))
            .reply(calls("p", count));
        takes(scenario.says("done"), rounds, bound.min(count), |_| {}).await;
    }
}

#[tokio::test(start_paused = true)]
async fn exe_1_a_place_that_is_free_is_taken_at_once() {
    // Two places: the long call keeps one while the short ones share the other.
    let batch = [300, 100, 100, 100]
        .iter()
        .fold(Reply::empty(), |reply, ms| {
            reply.and_call("p", format!(r#"{{"ms":{ms}}}"#))
        });
    let scenario = steps()
        .manager(|m| m.max_concurrency(2))
        .reply(batch)
        .says("done");
    takes(scenario, 3, 2, |_| {}).await;
}

#[tokio::test(start_paused = true)]
async fn exe_1_a_sequential_tool_is_a_barrier() {
    for (names, steps_taken, peak) in [
        (&["p", "p", "s", "p", "p"][..], 3, 2),
        (&["s", "p", "p"], 2, 2),
        (&["p", "p", "s"], 2, 2),
        (&["s", "s", "s"], 3, 1),
        (&["p", "s", "s", "p"], 4, 1),
        (&["p", "p", "p"], 1, 3),
        (&["s"], 1, 1),
    ] {
        takes(
            steps().reply(batch(names)).says("done"),
            steps_taken,
            peak,
            |outcome| {
                assert_eq!(outcome.ran(), names, "in the order of the calls");
            },
        )
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn exe_1_what_is_before_a_barrier_has_finished_and_what_is_after_waits() {
    let reply = Reply::call("p", r#"{"ms":250,"n":0}"#)
        .and_call("p", r#"{"ms":50,"n":1}"#)
        .and_call("s", r#"{"ms":100,"n":2}"#)
        .and_call("p", r#"{"ms":20,"n":3}"#)
        .and_call("p", r#"{"ms":10,"n":4}"#);
    let scenario = steps().reply(reply).says("done");
    for driver in Driver::ALL {
        let outcome = run(driver, &scenario).await;
        assert_eq!(outcome.elapsed, Duration::from_millis(250 + 100 + 20));
        let finished = scenario.log.finished();
        let numbers: Vec<_> = finished
            .iter()
            .map(|input| &input[input.len() - 2..])
            .collect();
        assert_eq!(numbers, ["1}", "0}", "2}", "4}", "3}"]);
    }
}

#[tokio::test(start_paused = true)]
async fn exe_1_calls_that_do_not_run_are_no_barriers() {
    let reply = Reply::call("p", "{}")
        .and_call("unheard-of", "{}")
        .and_call("s", "not json") // sequential, but it never runs
        .and_call("p", "{}");
    takes(steps().reply(reply).says("done"), 1, 2, |outcome| {
        let answers = last_answers(&outcome.history);
        let outcomes: Vec<_> = answers.iter().map(|(outcome, _)| *outcome).collect();
        use ToolOutcome::{InvalidArguments, Success, UnknownTool};
        assert_eq!(outcomes, [Success, UnknownTool, InvalidArguments, Success]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn exe_1_answers_come_in_the_order_of_the_calls_whoever_finishes_first() {
    let reply = [40, 30, 20, 10].iter().fold(Reply::empty(), |reply, ms| {
        reply.and_call("p", format!(r#"{{"ms":{ms}}}"#))
    });
    let scenario = steps().reply(reply.and_call("x", "{}").and_call("p", r#"{"ms":5}"#));
    let scenario = scenario.says("done");
    for driver in Driver::ALL {
        let outcome = run(driver, &scenario).await;
        let finished = scenario.log.finished();
        assert_eq!(
            finished,
            [5, 10, 20, 30, 40].map(|ms| format!(r#"{{"ms":{ms}}}"#))
        );
        let answers = outcome.history.get(2).unwrap();
        let ids: Vec<_> = answers
            .tool_responses()
            .map(|r| r.call_id.to_string())
            .collect();
        assert_eq!(ids, [0, 1, 2, 3, 4, 5].map(|n| format!("call_{n}")));
    }
}

#[tokio::test(start_paused = true)]
async fn exe_1_a_failure_or_a_panic_takes_nothing_from_its_siblings() {
    let scenario = steps()
        .tool(tool("fails").fails("boom").takes(STEP / 2))
        .tool(tool("panics").panics().takes(STEP / 2))
        .reply(batch(&["p", "fails", "panics", "p"]))
        .says("done");
    takes(scenario, 1, 4, |outcome| {
        let answers = last_answers(&outcome.history);
        let outcomes: Vec<_> = answers.iter().map(|(outcome, _)| *outcome).collect();
        use ToolOutcome::{Failed, Success};
        assert_eq!(outcomes, [Success, Failed, Failed, Success]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn exe_1_after_a_fatal_error_what_runs_finishes_and_nothing_begins() {
    let scenario = steps()
        .manager(|m| m.max_concurrency(2))
        .tool(tool("fatal").fails_fatally("gone").takes(STEP / 2))
        .reply(batch(&["p", "fatal", "p", "s"]));
    takes(scenario, 1, 2, |outcome| {
        assert_eq!(outcome.ran(), ["p", "fatal"]);
        assert_eq!(outcome.error().tool_name(), Some("fatal"));
        let answers = last_answers(&outcome.history);
        let outcomes: Vec<_> = answers.iter().map(|(outcome, _)| *outcome).collect();
        use ToolOutcome::{Failed, NotRun, Success};
        assert_eq!(outcomes, [Success, Failed, NotRun, NotRun]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn exe_1_a_hundred_and_thirty_calls_are_all_answered() {
    let scenario = steps()
        .manager(|m| m.unlimited_calls_per_tool())
        .reply(calls("p", 130))
        .says("done");
    takes(scenario, 17, 8, |outcome| {
        assert_eq!(last_answers(&outcome.history).len(), 130);
        assert_eq!(outcome.text(), "done");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn exe_1_a_stream_shows_what_begins_and_ends_at_that_time() {
    let reply = Reply::call("p", r#"{"ms":200}"#).and_call("p", r#"{"ms":100}"#);
    let scenario = steps().reply(reply.and_call("s", "{}")).says("done");
    let began = Instant::now();
    let mut events = request(&scenario, &scenario.model()).stream();
    let mut seen = Vec::new();
    while let Some(event) = events.next().await {
        let line = event_lines(&[event.unwrap()]).remove(0);
        if line.contains("runs") || line.contains("result") {
            seen.push((began.elapsed().as_millis(), line));
        }
    }
    let expected = [
        (0, r#"1 runs p {"ms":200}"#),
        (0, r#"1 runs p {"ms":100}"#),
        (100, "1 result p Success"),
        (200, "1 result p Success"),
        (200, "1 runs s {}"),
        (300, "1 result s Success"),
    ];
    assert_eq!(seen, expected.map(|(ms, line)| (ms, line.to_owned())));
}
