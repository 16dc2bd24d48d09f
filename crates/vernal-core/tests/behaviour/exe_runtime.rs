//! EXE-2, EXE-5 and ERR-5 where there is no runtime, and where what is dropped panics.

use std::panic::panic_any;
use std::time::Duration;

use vernal_core::calling::{ToolExecutionError, ToolExecutionErrorProcessor};
use vernal_core::message::ToolOutcome;
use vernal_core::tool::{ToolError, ToolOutput};
use vernal_testing::Reply;

use crate::closures::{custom, ends};
use crate::drivers::{Driver, Outcome, run};
use crate::kit::tool;
use crate::scenario::Scenario;
use crate::transcript::last_answers;

/// Runs the scenario with every driver, outside of any runtime and in one without timers.
fn check_without_timers(scenario: &Scenario, check: impl Fn(&Outcome)) {
    let bare = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    for driver in Driver::ALL {
        println!("{driver:?}");
        check(&futures::executor::block_on(run(driver, scenario)));
        check(&bare.block_on(run(driver, scenario)));
    }
}

#[test]
fn exe_2_a_turn_timeout_without_a_runtime_is_an_error_and_no_panic() {
    let scenario = Scenario::new()
        .tool(tool("a").says("a result"))
        .calls("a", "{}")
        .says("done")
        .manager(|manager| manager.turn_timeout(Duration::from_secs(5)));
    check_without_timers(&scenario, |outcome| {
        let text = outcome.error().to_string();
        assert!(
            text.contains("`turn_timeout` needs a tokio runtime"),
            "{text}"
        );
        assert!(!outcome.error().is_timeout());
        assert_eq!(outcome.ran(), Vec::<&str>::new());
    });
}

#[test]
fn exe_2_a_tools_timeout_without_timers_is_an_error_and_no_panic() {
    let timed = ends("timed", || Ok("in time"));
    let scenario = Scenario::new()
        .callback(timed.metadata(|m| m.timeout(Duration::from_secs(5))))
        .calls("timed", "{}")
        .says("done");
    check_without_timers(&scenario, |outcome| {
        let text = outcome.error().to_string();
        assert!(text.contains("its timeout needs a tokio runtime"), "{text}");
        assert_eq!(outcome.error().tool_name(), Some("timed"));
    });
}

#[test]
fn exe_5_a_retry_without_a_runtime_is_an_error_and_no_panic() {
    let busy = ends("busy", || Err(ToolError::retry(Duration::from_millis(1))));
    let scenario = Scenario::new()
        .callback(busy.metadata(|m| m.idempotent(true)))
        .calls("busy", "{}")
        .says("done");
    check_without_timers(&scenario, |outcome| {
        let text = outcome.error().to_string();
        assert!(text.contains("needs a tokio runtime"), "{text}");
        assert_eq!(outcome.error().tool_name(), Some("busy"));
    });
}

/// Panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic!("a bomb")
        }
    }
}

#[tokio::test(start_paused = true)]
async fn err_5_what_panics_while_it_is_dropped_goes_no_further() {
    let late = custom("late", |_, _| async {
        let _bomb = Bomb;
        std::future::pending::<()>().await;
        Ok(ToolOutput::default())
    });
    let late = late.metadata(|m| m.timeout(Duration::from_secs(1)));
    let loud = custom("loud", |_, _| async { panic_any(Bomb) });
    let scenario = Scenario::new()
        .callback(late)
        .callback(loud)
        .reply(Reply::call("late", "{}").and_call("loud", "{}"))
        .says("done");
    scenario
        .check(|outcome| {
            let expected = [
                "The tool `late` failed: it was given 1 s and did not finish in time.",
                "The tool `loud` failed: it stopped unexpectedly.",
            ];
            let expected = expected.map(|text| (ToolOutcome::Failed, text.to_owned()));
            assert_eq!(last_answers(&outcome.history), expected);
            assert_eq!(outcome.text(), "done");
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn exe_2_a_turn_ends_in_time_whatever_its_tools_do_when_they_are_dropped() {
    let late = custom("late", |_, _| async {
        let _bomb = Bomb;
        std::future::pending::<()>().await;
        Ok(ToolOutput::default())
    });
    let scenario = Scenario::new()
        .callback(late)
        .calls("late", "{}")
        .manager(|manager| manager.turn_timeout(Duration::from_secs(1)));
    scenario
        .check(|outcome| assert!(outcome.error().is_timeout()))
        .await;
}

/// Panics with every error.
struct Panicking;

impl ToolExecutionErrorProcessor for Panicking {
    fn process(&self, _error: ToolExecutionError) -> Result<String, ToolExecutionError> {
        panic!("a secret of the processor")
    }
}

#[tokio::test]
async fn err_1_a_processor_that_panics_ends_no_call_by_it() {
    let scenario = |end: fn() -> ToolError| {
        Scenario::new()
            .callback(ends("book", move || Err(end())))
            .calls("book", "{}")
            .says("done")
            .manager(|manager| manager.tool_execution_error_processor(Panicking))
    };
    scenario(|| std::io::Error::other("no seats").into())
        .check(|outcome| {
            let text = "Exception occurred in tool: book (Error)".to_owned();
            assert_eq!(
                last_answers(&outcome.history),
                [(ToolOutcome::Failed, text)]
            );
            assert_eq!(outcome.text(), "done");
        })
        .await;
    scenario(|| ToolError::fatal("gone"))
        .check(|outcome| {
            let error = outcome.error();
            assert_eq!(error.tool_name(), Some("book"));
            assert!(error.to_string().contains("processor panicked"));
        })
        .await;
}
