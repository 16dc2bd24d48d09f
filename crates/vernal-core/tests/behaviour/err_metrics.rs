//! ERR-8: a tool's error is one in the metrics, whoever hears of it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt;
use vernal_core::calling::{
    ToolCallLimitBehavior, ToolCallRecord, ToolCallRecorder, ToolCallingManagerBuilder,
};
use vernal_testing::Reply;

use crate::closures::custom;
use crate::drivers::{Driver, request, run};
use crate::kit::tool;
use crate::scenario::Scenario;

/// Writes down what it is told.
#[derive(Default)]
struct Recorder(Mutex<Vec<String>>);

impl ToolCallRecorder for Recorder {
    fn record(&self, call: &ToolCallRecord<'_>) {
        let ran = match call.duration {
            Some(duration) => format!(" in {} ms", duration.as_millis()),
            None => String::new(),
        };
        let error = call.error_type.map_or(String::new(), |e| format!(" {e}"));
        self.0.lock().unwrap().push(format!(
            "{} {} {}: {:?}{error}{ran}",
            call.round,
            call.call_id,
            call.label(),
            call.outcome
        ));
    }
}

impl Recorder {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// Runs the scenario with every driver, and checks what the recorder was told each time.
async fn check(
    scenario: Scenario,
    set: impl Fn(ToolCallingManagerBuilder) -> ToolCallingManagerBuilder,
    expected: &[&str],
) {
    let recorder = Arc::new(Recorder::default());
    let scenario = scenario.manager(|manager| set(manager).tool_call_recorder(recorder.clone()));
    for driver in [Driver::Call, Driver::Manual, Driver::ManualTurn] {
        run(driver, &scenario).await;
        assert_eq!(recorder.take(), expected, "{driver:?}");
    }
    let events = request(&scenario, &scenario.model()).stream();
    drop(StreamExt::collect::<Vec<_>>(events).await);
    assert_eq!(recorder.take(), expected, "streamed");
}

fn slow() -> crate::closures::Custom {
    custom("slow", |_, _| std::future::pending()).metadata(|m| m.timeout(Duration::from_millis(10)))
}

#[tokio::test(start_paused = true)]
async fn err_8_an_error_is_one_in_the_metrics_even_when_it_was_fed_back() {
    let scenario = Scenario::new()
        .tool(tool("fine").takes(Duration::from_millis(3)))
        .tool(tool("fails").fails("boom"))
        .tool(tool("panics").panics())
        .callback(slow())
        .tool(tool("strict").schema(r#"{"required":["x"]}"#))
        .reply(Reply::call("fine", "{}").and_call("fails", "{}"))
        .reply(
            Reply::call("panics", "{}")
                .and_call("slow", "{}")
                .and_call("strict", "{}")
                .and_call("made-up", "{}"),
        )
        .says("done");
    let expected = [
        "1 call_1 fails: Failed String in 0 ms",
        "1 call_0 fine: Success in 3 ms",
        "2 call_2 strict: InvalidArguments",
        "2 call_3 _other: UnknownTool",
        "2 call_0 panics: Failed panic in 0 ms",
        "2 call_1 slow: Failed timeout in 10 ms",
    ];
    check(scenario, |manager| manager, &expected).await;
}

#[tokio::test(start_paused = true)]
async fn err_8_a_fatal_error_is_counted_and_so_is_what_never_began() {
    let scenario = Scenario::new()
        .tool(tool("broken").fails_fatally("boom").sequential())
        .tool(tool("fine"))
        .reply(Reply::call("broken", "{}").and_call("fine", "{}"));
    let expected = [
        "1 call_0 broken: Failed &str in 0 ms",
        "1 call_1 fine: NotRun",
    ];
    check(scenario, |manager| manager, &expected).await;
}

#[tokio::test(start_paused = true)]
async fn err_8_refusals_and_unknown_names_are_counted_too() {
    let scenario = || {
        Scenario::new()
            .tool(tool("a"))
            .reply(Reply::call("a", "{}").and_call("a", "{}"))
    };
    // A name that the model made up is no label, also where a limit refused the call.
    let made_up = Scenario::new()
        .tool(tool("a"))
        .reply(Reply::call("a", "{}").and_call("made-up", "{}"));
    check(
        made_up,
        |manager| manager.max_total_tool_calls(1),
        &["1 call_1 _other: NotRun", "1 call_0 a: Success in 0 ms"],
    )
    .await;
    let limited = |manager: ToolCallingManagerBuilder| manager.max_calls_per_tool(1);
    check(
        scenario().says("done"),
        |manager| limited(manager).on_limit_exceeded(ToolCallLimitBehavior::ReturnErrorResponse),
        &["1 call_1 a: Refused", "1 call_0 a: Success in 0 ms"],
    )
    .await;
    check(
        scenario(),
        limited,
        &["1 call_1 a: NotRun", "1 call_0 a: Success in 0 ms"],
    )
    .await;
    let unknown = Scenario::new()
        .tool(tool("a"))
        .reply(Reply::call("a", "{}").and_call("b", "{}"));
    check(
        unknown,
        |manager| manager.strict_tool_names(true),
        &["1 call_0 a: NotRun", "1 call_1 _other: UnknownTool"],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn err_8_a_call_that_nobody_waits_for_any_more_is_cancelled() {
    let recorder = Arc::new(Recorder::default());
    let scenario = Scenario::new()
        .tool(tool("endless").takes(Duration::from_secs(1000)))
        .tool(tool("alone").sequential())
        .reply(Reply::call("endless", "{}").and_call("alone", "{}"))
        .manager(|manager| manager.tool_call_recorder(recorder.clone()));
    let model = scenario.model();
    let waiting = request(&scenario, &model).call();
    let waited = tokio::time::timeout(Duration::from_millis(50), waiting).await;
    assert!(waited.is_err());
    let mut told = recorder.take();
    told.sort();
    assert_eq!(
        told,
        [
            "1 call_0 endless: Failed cancelled in 50 ms",
            "1 call_1 alone: NotRun"
        ]
    );
}

#[tokio::test]
async fn err_8_a_recorder_that_panics_harms_nobody() {
    struct Broken;
    impl ToolCallRecorder for Broken {
        fn record(&self, _call: &ToolCallRecord<'_>) {
            panic!("the metrics are down");
        }
    }
    Scenario::new()
        .tool(tool("a"))
        .reply(Reply::call("a", "{}").and_call("b", "{}"))
        .says("done")
        .manager(|manager| manager.tool_call_recorder(Broken))
        .check(|outcome| {
            assert_eq!(outcome.ran(), ["a"]);
            assert_eq!(outcome.text(), "done");
        })
        .await;
}

#[tokio::test]
async fn err_8_a_tool_that_cannot_read_its_arguments_did_not_run() {
    let reads = custom("reads", |input, _| async move {
        let _: std::collections::BTreeMap<String, u8> = input.parse_as()?;
        unreachable!()
    });
    let scenario = Scenario::new()
        .callback(reads)
        .calls("reads", r#"{"a":256}"#)
        .says("done");
    check(scenario, |m| m, &["1 call_0 reads: InvalidArguments"]).await;
}
