//! ERR-4 to ERR-8: what else can go wrong with a call.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use vernal_core::calling::DefaultToolExecutionErrorProcessor;
use vernal_core::message::ToolOutcome;
use vernal_core::tool::augment::{AugmentedArgumentEvent, AugmentedToolCallback};
use vernal_core::tool::{
    FunctionToolCallback, ToolCallResultConverter, ToolCallback, ToolError, ToolMetadata,
    ToolOutput, ToolResult,
};

use crate::closures::{custom, ends};
use crate::drivers::{Driver, run};
use crate::kit::tool;
use crate::scenario::Scenario;
use crate::traces::Traces;
use crate::transcript::last_answers;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Flight {
    /// The airport's code.
    #[allow(dead_code)] // read by nobody: no call gets that far
    from: String,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Why {
    #[allow(dead_code)] // as above
    why: String,
}

fn flight_tools() -> [Arc<dyn ToolCallback>; 3] {
    let function =
        || FunctionToolCallback::builder("book", |_: Flight| -> String { unreachable!() });
    let schema = r#"{"type":"object","properties":{"from":{"type":"string"}},"required":["from"],
        "additionalProperties":false}"#;
    let by_hand = custom("book", |_, _| async { unreachable!() }).schema(schema);
    let inner = Arc::new(function().build().unwrap());
    let augmented = AugmentedToolCallback::<Why>::builder(inner);
    [
        Arc::new(function().build().unwrap()),
        Arc::new(by_hand),
        Arc::new(augmented.build().unwrap()),
    ]
}

#[tokio::test]
async fn err_4_argument_problems_of_any_kind_of_tool_are_for_the_model() {
    let arguments = ["{", "[1]", r#"{"from":[75],"why":"w"}"#, r#"{"why":[]}"#];
    for tool in flight_tools() {
        for arguments in arguments {
            let mut scenario = Scenario::new().calls("book", arguments).says("done");
            scenario.tools.push(tool.clone());
            scenario
                .check(|outcome| {
                    let answers = last_answers(&outcome.history);
                    let [(ToolOutcome::InvalidArguments, text)] = &answers[..] else {
                        panic!("{answers:?}")
                    };
                    assert!(text.contains("`book`"), "{text}");
                    assert_eq!(outcome.text(), "done");
                })
                .await;
        }
    }
}

#[tokio::test]
async fn err_4_the_model_gets_at_most_two_kilobytes() {
    let wrong: Vec<String> = (0..1000)
        .map(|n| format!(r#""{n}{}":{n}"#, "라".repeat(40)))
        .collect();
    for tool in flight_tools() {
        let mut scenario = Scenario::new().calls("book", &format!("{{{}}}", wrong.join(",")));
        scenario.tools.push(tool);
        let scenario = scenario.says("done");
        scenario
            .check(|outcome| {
                let text = last_answers(&outcome.history).remove(0).1;
                assert!(text.len() <= 2048, "{} bytes", text.len());
                assert!(
                    text.contains("from"),
                    "what is missing is said first: {text}"
                );
            })
            .await;
    }
}

#[tokio::test]
async fn err_5_a_panic_is_for_the_model_and_what_it_said_is_for_nobody() {
    let (traces, _guard) = Traces::listen();
    let sync = custom("sync", |_, _| -> std::future::Ready<_> {
        panic!("a secret of the tool")
    });
    let blocking = ends("blocking", || panic!("a secret of the tool"));
    let scenario = Scenario::new()
        .tool(tool("panics").panics())
        .callback(sync)
        .callback(blocking.metadata(|m| m.blocking(true)))
        .reply(
            vernal_testing::Reply::call("panics", "{}")
                .and_call("sync", "{}")
                .and_call("blocking", "{}"),
        )
        .says("done");
    scenario
        .check(|outcome| {
            let answers = last_answers(&outcome.history);
            let expected = ["panics", "sync", "blocking"].map(|name| {
                let text = format!("The tool `{name}` failed: it stopped unexpectedly.");
                (ToolOutcome::Failed, text)
            });
            assert_eq!(answers, expected);
            assert!(!format!("{:?}", outcome.events).contains("secret"));
            assert_eq!(outcome.text(), "done");
        })
        .await;
    assert!(!traces.everything().contains("secret"));
    assert!(!traces.events_with("ERROR", "panicked").is_empty());
}

#[tokio::test(start_paused = true)]
async fn err_6_a_timeout_is_for_the_model_and_says_how_long_the_tool_was_given() {
    let forever = custom("slow", |_, _| std::future::pending());
    let scenario = Scenario::new()
        .callback(forever.metadata(|m| m.timeout(Duration::from_millis(1500))))
        .calls("slow", "{}")
        .says("done");
    scenario
        .check(|outcome| {
            let text = "The tool `slow` failed: it was given 1.5 s and did not finish in time.";
            let answers = last_answers(&outcome.history);
            assert_eq!(answers, [(ToolOutcome::Failed, text.to_owned())]);
            assert_eq!(outcome.elapsed, Duration::from_millis(1500));
            assert_eq!(outcome.text(), "done");
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn err_6_a_timeout_that_goes_to_the_caller_is_told_apart() {
    let forever = custom("slow", |_, _| std::future::pending());
    let processor = DefaultToolExecutionErrorProcessor::default().throw_on_error(true);
    let scenario = Scenario::new()
        .manager(|m| m.tool_execution_error_processor(processor))
        .callback(forever.metadata(|m| m.timeout(Duration::from_millis(100))))
        .calls("slow", "{}");
    scenario
        .check(|outcome| {
            assert!(outcome.error().is_timeout());
            assert_eq!(outcome.error().tool_name(), Some("slow"));
        })
        .await;
}

struct Refuses;

impl ToolCallResultConverter for Refuses {
    fn convert(&self, _result: ToolResult<'_>) -> Result<ToolOutput, ToolError> {
        Err(ToolError::model("the converter has no words for it"))
    }
}

#[tokio::test]
async fn err_7_a_converters_and_a_consumers_error_are_the_tools() {
    let metadata = ToolMetadata::builder().result_converter(Refuses).build();
    let converted = FunctionToolCallback::builder("a", || 7).tool_metadata(metadata);
    let unwritable = || HashMap::from([((1, 2), 3)]);
    let unwritable = FunctionToolCallback::builder("b", unwritable)
        .build()
        .unwrap();
    let inner = FunctionToolCallback::builder("c", || -> i32 { unreachable!() });
    let consumed = AugmentedToolCallback::<Why>::builder(Arc::new(inner.build().unwrap()))
        .async_argument_consumer(|_| async { Err(ToolError::model("no reason is good enough")) });
    let scenario = Scenario::new()
        .callback(converted.build().unwrap())
        .callback(unwritable)
        .callback(consumed.build().unwrap())
        .reply(
            vernal_testing::Reply::call("a", "{}")
                .and_call("b", "{}")
                .and_call("c", r#"{"why":"because"}"#),
        )
        .says("done");
    scenario
        .check(|outcome| {
            let answers = last_answers(&outcome.history);
            let expected = [
                "the converter has no words for it",
                "the result cannot be written: key must be a string",
                "no reason is good enough",
            ];
            assert_eq!(
                answers,
                expected.map(|text| (ToolOutcome::Failed, text.to_owned()))
            );
            assert_eq!(outcome.text(), "done");
        })
        .await;
}

#[tokio::test]
async fn err_7_a_consumer_can_refuse_a_call_in_place_and_may_even_panic() {
    let inner = || {
        let inner = FunctionToolCallback::builder("c", || -> i32 { unreachable!() });
        AugmentedToolCallback::<Why>::builder(Arc::new(inner.build().unwrap()))
    };
    let refuses = inner().argument_consumer(|event| match &*event.arguments().why {
        "" => Ok(()),
        why => Err(ToolError::model(format!("{why} is no reason"))),
    });
    fn panic(_: AugmentedArgumentEvent<Why>) {
        panic!("a secret")
    }
    let panics = inner().argument_consumer(panic);
    for (consumed, text) in [
        (refuses.build().unwrap(), "boredom is no reason"),
        (
            panics.build().unwrap(),
            "The tool `c` failed: it stopped unexpectedly.",
        ),
    ] {
        let scenario = Scenario::new()
            .callback(consumed)
            .calls("c", r#"{"why":"boredom"}"#)
            .says("done");
        scenario
            .check(|outcome| {
                let answers = last_answers(&outcome.history);
                assert_eq!(answers, [(ToolOutcome::Failed, text.to_owned())]);
            })
            .await;
    }
}

#[tokio::test(start_paused = true)]
async fn err_8_an_error_is_one_on_its_span_even_when_it_was_fed_back() {
    let slow = custom("slow", |_, _| std::future::pending());
    let slow = slow.metadata(|m| m.timeout(Duration::from_millis(10)));
    let scenario = Scenario::new()
        .tool(tool("fine"))
        .tool(tool("fails").fails("boom"))
        .tool(tool("panics").panics())
        .callback(slow)
        .reply(
            vernal_testing::Reply::call("fine", "{}")
                .and_call("fails", "{}")
                .and_call("panics", "{}")
                .and_call("slow", "{}")
                .and_call("unheard-of", "{}"),
        )
        .says("done");
    for driver in [Driver::Call, Driver::Manual, Driver::ManualTurn] {
        let (traces, guard) = Traces::listen();
        run(driver, &scenario).await;
        drop(guard);
        let span = |index: usize, name: &str, error: &str| {
            let name = format!("gen_ai.tool.name={name} gen_ai.tool.call.id=call_{index}{error}");
            format!("execute_tool gen_ai.operation.name=execute_tool {name}")
        };
        let error = |kind: &str| format!(" error.type={kind} otel.status_code=ERROR");
        let expected = [
            span(0, "fine", ""),
            span(1, "fails", &error("String")),
            span(2, "panics", &error("panic")),
            span(3, "slow", &error("timeout")),
        ];
        assert_eq!(traces.spans("execute_tool"), expected, "{driver:?}");
    }
}
