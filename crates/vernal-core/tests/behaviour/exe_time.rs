//! EXE-2 and EXE-5: timeouts, deadlines, and tools that are run again.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;
use vernal_core::message::{ToolOutcome, Usage};
use vernal_core::tool::{ToolContext, ToolError, ToolMetadataBuilder, ToolOutput};
use vernal_testing::Reply;

use crate::closures::{Custom, custom};
use crate::drivers::{Driver, run};
use crate::kit::tool;
use crate::scenario::Scenario;
use crate::transcript::{assert_valid, last_answers};

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[tokio::test(start_paused = true)]
async fn exe_2_a_tool_that_is_in_time_is_not_touched_and_its_siblings_go_on() {
    let sleep = |time| {
        custom("t", move |_, _| async move {
            tokio::time::sleep(ms(time)).await;
            Ok(ToolOutput::from_text("in time"))
        })
    };
    let scenario = Scenario::new()
        .callback(sleep(99).metadata(|m| m.timeout(ms(100))))
        .tool(tool("other").takes(ms(500)))
        .reply(Reply::call("t", "{}").and_call("other", "{}"))
        .says("done");
    scenario
        .check(|outcome| {
            let answers = last_answers(&outcome.history);
            assert_eq!(answers[0], (ToolOutcome::Success, "in time".to_owned()));
            assert_eq!(outcome.elapsed, ms(500));
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn exe_2_the_turns_deadline_ends_it_with_a_valid_transcript_and_its_usage() {
    let scenario = Scenario::new()
        .manager(|m| m.turn_timeout(ms(250)))
        .tool(tool("quick").takes(ms(100)))
        .tool(tool("slow").takes(ms(5000)))
        .reply(Reply::call("quick", "{}").usage(Usage::new(10, 5)))
        .reply(
            Reply::call("quick", "{}")
                .and_call("slow", "{}")
                .usage(Usage::new(20, 5)),
        );
    for driver in Driver::ALL {
        println!("with the driver {driver:?}:");
        let outcome = run(driver, &scenario).await;
        assert!(outcome.error().is_timeout());
        assert!(
            outcome.error().to_string().contains("250ms"),
            "{}",
            outcome.error()
        );
        assert!(
            outcome.error().tool_error().is_none(),
            "it is no tool's fault"
        );
        let answers = last_answers(&outcome.history);
        let quick = (ToolOutcome::Success, "quick result".to_owned());
        assert_eq!(answers[0], quick, "what was done is kept");
        assert_eq!(answers[1].0, ToolOutcome::Failed);
        assert_eq!(outcome.usage.total_tokens, 40);
        assert_eq!(outcome.rounds, 2);
        // A client's turn has one deadline; a loop of the caller's own has one for each batch.
        let of_the_batch = if Driver::MANUAL.contains(&driver) {
            ms(100)
        } else {
            ms(0)
        };
        assert_eq!(outcome.elapsed, ms(250) + of_the_batch);
    }
}

#[tokio::test(start_paused = true)]
async fn exe_2_the_tool_sees_the_nearer_one() {
    let far = Duration::MAX;
    let table = [
        (Some(ms(100)), None, Some(ms(100))),
        (None, Some(ms(300)), Some(ms(300))),
        (Some(ms(100)), Some(ms(300)), Some(ms(100))),
        (Some(ms(900)), Some(ms(300)), Some(ms(300))),
        (None, None, None),
        (Some(far), Some(far), None),
    ];
    for (tools, turns, nearer) in table {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let keep = seen.clone();
        let look = custom("look", move |_, context: ToolContext| {
            let now = Instant::now().into_std();
            keep.lock()
                .unwrap()
                .push(context.deadline().map(|at| at - now));
            std::future::ready(Ok(ToolOutput::from_text("seen")))
        });
        let set = |m: ToolMetadataBuilder| match tools {
            Some(timeout) => m.timeout(timeout),
            None => m,
        };
        let scenario = Scenario::new()
            .manager(|m| match turns {
                Some(timeout) => m.turn_timeout(timeout),
                None => m,
            })
            .callback(look.metadata(set))
            .calls("look", "{}")
            .says("done");
        scenario
            .check(|outcome| assert_eq!(outcome.text(), "done"))
            .await;
        let seen = seen.lock().unwrap();
        assert!(
            !seen.is_empty() && seen.iter().all(|one| *one == nearer),
            "{seen:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn exe_2_the_deadline_also_ends_a_model_that_does_not_answer() {
    let (model, _wires) = crate::live::live::<1>();
    let manager = vernal_core::calling::ToolCallingManager::builder().turn_timeout(ms(50));
    let client = vernal_core::client::ChatClient::builder(model)
        .tool_calling_manager(manager.build().unwrap());
    let error = client
        .build()
        .unwrap()
        .prompt("go")
        .call()
        .await
        .unwrap_err();
    assert!(error.is_timeout());
    assert_valid(error.messages().unwrap());
}

/// A tool that fails with `error` the first `failures` times of a turn, and when its runs began.
fn flaky(
    failures: usize,
    error: fn() -> ToolError,
    set: fn(ToolMetadataBuilder) -> ToolMetadataBuilder,
) -> (Custom, Arc<Mutex<Vec<Instant>>>) {
    let began: Arc<Mutex<Vec<Instant>>> = Arc::default();
    let keep = began.clone();
    let flaky = custom("flaky", move |_, _| {
        let mut began = keep.lock().unwrap();
        began.push(Instant::now());
        let end = if began.len() <= failures {
            Err(error())
        } else {
            Ok(ToolOutput::from_text("ok"))
        };
        std::future::ready(end)
    });
    (flaky.metadata(set), began)
}

#[tokio::test(start_paused = true)]
async fn exe_5_only_an_idempotent_tool_whose_error_says_retry_is_run_again() {
    type Row = (
        usize,
        fn() -> ToolError,
        fn(ToolMetadataBuilder) -> ToolMetadataBuilder,
        usize,
        u64,
    );
    let retry: fn() -> ToolError = || ToolError::retry(ms(700)).because("the line is busy");
    let model: fn() -> ToolError = || ToolError::model("the line is busy");
    let fatal: fn() -> ToolError = || ToolError::fatal("the line is busy");
    let idempotent: fn(ToolMetadataBuilder) -> ToolMetadataBuilder = |m| m.idempotent(true);
    // failures, with what, of which tool; then: runs, and how long they took
    let table: [Row; 8] = [
        (1, retry, idempotent, 2, 700),
        (2, retry, idempotent, 3, 1400),
        (3, retry, idempotent, 3, 1400),
        (9, retry, |m| m.idempotent(true).max_retries(5), 6, 3500),
        (1, retry, |m| m.idempotent(true).max_retries(0), 1, 0),
        (1, retry, |m| m, 1, 0),
        (1, model, idempotent, 1, 0),
        (1, fatal, idempotent, 1, 0),
    ];
    for (row, (failures, error, set, runs, took)) in table.into_iter().enumerate() {
        for driver in [Driver::Call, Driver::Manual, Driver::ManualTurn] {
            println!("row {row} with the driver {driver:?}");
            let (flaky, began) = flaky(failures, error, set);
            let scenario = Scenario::new()
                .callback(flaky)
                .calls("flaky", "{}")
                .says("done");
            let outcome = run(driver, &scenario).await;
            let began = began.lock().unwrap();
            assert_eq!(began.len(), runs);
            assert_eq!(outcome.elapsed, ms(took));
            let waits = began.windows(2).map(|pair| pair[1] - pair[0]);
            assert!(
                waits.into_iter().all(|wait| wait == ms(700)),
                "the waits are exact"
            );
            let (result, text) = last_answers(&outcome.history).remove(0);
            if runs > failures {
                assert_eq!((result, &*text), (ToolOutcome::Success, "ok"));
            } else if row != 7 {
                assert_eq!((result, &*text), (ToolOutcome::Failed, "the line is busy"));
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn exe_5_a_retried_call_is_one_call_in_counts_history_and_events() {
    let (flaky, _) = flaky(2, || ToolError::retry(ms(1)), |m| m.idempotent(true));
    let scenario = Scenario::new()
        .manager(|m| m.max_calls_per_tool(1))
        .callback(flaky)
        .calls("flaky", "{}")
        .says("done");
    let outcome = run(Driver::Call, &scenario).await;
    assert_eq!(outcome.text(), "done");
    assert_eq!(outcome.history.len(), 4);
}

#[tokio::test(start_paused = true)]
async fn exe_5_each_run_has_the_tools_whole_timeout_and_a_timeout_is_not_retried() {
    let runs = Arc::new(Mutex::new(0));
    let count = runs.clone();
    let slow = custom("slow", move |_, _| {
        *count.lock().unwrap() += 1;
        async move {
            tokio::time::sleep(ms(80)).await;
            Err(ToolError::retry(ms(80)))
        }
    });
    let slow = slow.metadata(|m| m.idempotent(true).timeout(ms(100)));
    let hangs = custom("hangs", |_, _| std::future::pending());
    let scenario = Scenario::new()
        .callback(slow)
        .callback(hangs.metadata(|m| m.idempotent(true).timeout(ms(100))))
        .calls("slow", "{}")
        .calls("hangs", "{}")
        .says("done");
    let outcome = run(Driver::Call, &scenario).await;
    assert_eq!(*runs.lock().unwrap(), 3);
    assert_eq!(outcome.elapsed, ms(80 * 5 + 100));
}

#[tokio::test(start_paused = true)]
async fn exe_5_waiting_for_a_retry_ends_with_the_turn() {
    let (flaky, began) = flaky(
        9,
        || ToolError::retry(Duration::MAX),
        |m| m.idempotent(true),
    );
    let scenario = Scenario::new()
        .manager(|m| m.turn_timeout(ms(50)))
        .callback(flaky)
        .calls("flaky", "{}");
    let outcome = run(Driver::Call, &scenario).await;
    assert!(outcome.error().is_timeout());
    assert_eq!(began.lock().unwrap().len(), 1);
}
