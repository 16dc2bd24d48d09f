//! ERR-4, ARG-4: arguments that fit a schema and no Rust type, or fit neither after they were coerced.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use schemars::JsonSchema;
use serde::Deserialize;
use vernal_core::calling::{
    DefaultToolExecutionErrorProcessor, ToolExecutionError, ToolExecutionErrorProcessor,
};
use vernal_core::message::ToolOutcome;
use vernal_core::tool::augment::AugmentedToolCallback;
use vernal_core::tool::{
    FunctionToolCallback, MethodToolCallback, ToolCallback, ToolError, ToolOutput,
};

use crate::closures::custom;
use crate::scenario::Scenario;
use crate::transcript::last_answers;

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(try_from = "u8")]
struct Even(#[allow(dead_code)] u8);

impl TryFrom<u8> for Even {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        match number % 2 {
            0 => Ok(Self(number)),
            _ => Err(format!("{number} is odd")),
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)] // read, not used
struct Everything {
    id: Option<u64>,
    at: Option<i64>,
    ratio: Option<f64>,
    #[schemars(with = "Option<String>")]
    address: Option<IpAddr>,
    even: Option<Even>,
    #[schemars(with = "Option<BTreeMap<String, bool>>")]
    by_id: Option<BTreeMap<u8, bool>>,
    #[serde(default)]
    list: Vec<Even>,
}

fn by_function() -> Arc<dyn ToolCallback> {
    let tool = FunctionToolCallback::builder("look", |_: Everything| -> String { unreachable!() });
    Arc::new(tool.build().unwrap())
}

fn by_hand() -> Arc<dyn ToolCallback> {
    let schema = by_function().tool_definition().input_schema().to_owned();
    let tool = custom("look", |input, _| async move {
        input.parse_as::<Everything>()?;
        unreachable!()
    });
    Arc::new(tool.schema(&schema))
}

fn by_parameters() -> Arc<dyn ToolCallback> {
    let tool = MethodToolCallback::builder("look")
        .parameter::<Option<u64>>("id")
        .parameter::<Option<i64>>("at")
        .parameter::<Option<f64>>("ratio")
        .parameter::<Option<Even>>("even")
        .parameter::<Option<Vec<Even>>>("list")
        .method(
            |_: Option<u64>,
             _: Option<i64>,
             _: Option<f64>,
             _: Option<Even>,
             _: Option<Vec<Even>>|
             -> () { unreachable!() },
        );
    Arc::new(tool.build().unwrap())
}

/// Refuses everything, and hears of nothing.
struct Unheard;

impl ToolExecutionErrorProcessor for Unheard {
    fn process(&self, error: ToolExecutionError) -> Result<String, ToolExecutionError> {
        panic!("it is given {error}")
    }
}

const PARAMETERS: [(&str, &str); 5] = [
    (
        r#"{"id":18446744073709551616}"#,
        "$.id: expected an integer from 0 to 18446744073709551615, got a number 18446744073709551616",
    ),
    (
        r#"{"at":9223372036854775808}"#,
        "$.at: expected an integer from -9223372036854775808 to 9223372036854775807, \
         got a number 9223372036854775808",
    ),
    (
        r#"{"ratio":1e309}"#,
        "$.ratio: expected a number that a float can hold, got a number 1e309",
    ),
    (r#"{"even":3}"#, "$.even: 3 is odd, got a number 3"),
    (r#"{"list":[2,5]}"#, "$.list[1]: 5 is odd, got a number 5"),
];

const FIELDS: [(&str, &str); 2] = [
    (
        r#"{"address":"nowhere"}"#,
        r#"$.address: invalid IP address syntax, got a string "nowhere""#,
    ),
    (
        r#"{"by_id":{"7":true,"300":true}}"#,
        r#"$.by_id["300"]: expected an integer from 0 to 255, got a string "300""#,
    ),
];

#[tokio::test]
async fn err_4_what_a_type_cannot_read_is_answered_like_what_a_schema_refuses() {
    let throwing = || DefaultToolExecutionErrorProcessor::default().throw_on_error(true);
    for (tool, has_fields) in [
        (by_function(), true),
        (by_hand(), true),
        (by_parameters(), false),
    ] {
        let fields = FIELDS.iter().filter(|_| has_fields);
        for (written, expected) in PARAMETERS.iter().chain(fields) {
            for unheard in [false, true] {
                let mut scenario = Scenario::new().calls("look", written).says("done");
                scenario.tools.push(tool.clone());
                let scenario = scenario.manager(|manager| match unheard {
                    true => manager.tool_execution_error_processor(Unheard),
                    false => manager.tool_execution_error_processor(throwing()),
                });
                let text =
                    format!("The tool `look` was not run: its arguments do not fit.\n{expected}");
                scenario
                    .check(|outcome| {
                        let expected = [(ToolOutcome::InvalidArguments, text.clone())];
                        assert_eq!(last_answers(&outcome.history), expected, "{written}");
                        assert_eq!(outcome.text(), "done");
                    })
                    .await;
            }
        }
    }
}

#[tokio::test]
async fn err_4_a_tool_of_ones_own_can_say_it_of_its_arguments() {
    let tool = custom("look", |_, _| async {
        let text = format!("$.port: expected one that is open\n{}", "가".repeat(5000));
        Err::<ToolOutput, _>(ToolError::invalid_arguments(text))
    });
    let scenario = Scenario::new()
        .callback(tool)
        .calls("look", "{}")
        .says("done");
    let scenario = scenario.manager(|manager| manager.tool_execution_error_processor(Unheard));
    scenario
        .check(|outcome| {
            let (result, text) = last_answers(&outcome.history).remove(0);
            assert_eq!(result, ToolOutcome::InvalidArguments);
            assert!(
                text.starts_with("The tool `look` was not run: its arguments do not fit.\n$.port")
            );
            assert!(text.len() <= 2048 && text.ends_with('…'), "{}", text.len());
        })
        .await;
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Why {
    #[allow(dead_code)] // read, not used
    sure: Even,
}

#[tokio::test]
async fn err_4_augmented_fields_that_cannot_be_read_stop_the_tool_whoever_wants_them() {
    for consumed in [false, true] {
        let (ran, heard) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (at_tool, at_consumer) = (ran.clone(), heard.clone());
        let tool = FunctionToolCallback::builder("look", move || {
            at_tool.fetch_add(1, Ordering::Relaxed);
        });
        let mut tool = AugmentedToolCallback::<Why>::builder(Arc::new(tool.build().unwrap()));
        if consumed {
            tool = tool.argument_consumer(move |_| {
                at_consumer.fetch_add(1, Ordering::Relaxed);
            });
        }
        let scenario = Scenario::new()
            .callback(tool.build().unwrap())
            .calls("look", r#"{"sure":7}"#)
            .says("done");
        scenario
            .check(|outcome| {
                let text = "The tool `look` was not run: its arguments do not fit.\n\
                            $.sure: 7 is odd, got a number 7";
                let expected = [(ToolOutcome::InvalidArguments, text.to_owned())];
                assert_eq!(last_answers(&outcome.history), expected);
            })
            .await;
        let counted = (ran.load(Ordering::Relaxed), heard.load(Ordering::Relaxed));
        assert_eq!(counted, (0, 0));
    }
}

#[tokio::test]
async fn arg_4_what_is_wrong_is_told_of_what_could_be_coerced() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"integer"},"n":{"type":"integer"},
        "deg":{"type":"integer","maximum":255},"t":{"type":"array","items":{"type":"integer"}}}}"#;
    let table = [
        (
            r#"{"deg":"300"}"#,
            "$.deg: expected a number of at most 255, got 300",
        ),
        (
            r#"{"a":"5","n":"x"}"#,
            r#"$.n: expected an integer, got a string "x""#,
        ),
        (
            r#"{"t":["1","a",true,4]}"#,
            "$.t[1]: expected an integer, got a string \"a\"\n\
             $.t[2]: expected an integer, got a boolean true",
        ),
    ];
    for (written, expected) in table {
        let tool = custom("look", |_, _| async { unreachable!() }).schema(schema);
        let scenario = Scenario::new()
            .callback(tool)
            .calls("look", written)
            .says("done");
        let text = format!("The tool `look` was not run: its arguments do not fit.\n{expected}");
        scenario
            .check(|outcome| {
                let expected = [(ToolOutcome::InvalidArguments, text.clone())];
                assert_eq!(last_answers(&outcome.history), expected);
            })
            .await;
    }
}

#[derive(Deserialize, JsonSchema)]
struct Nothing;

#[tokio::test]
async fn arg_1_a_tool_may_take_nothing_in_every_way_to_say_it() {
    let method = || MethodToolCallback::builder("e");
    let tools: [Arc<dyn ToolCallback>; 4] = [
        Arc::new(
            FunctionToolCallback::builder("e", |(): ()| "ok")
                .build()
                .unwrap(),
        ),
        Arc::new(
            FunctionToolCallback::builder("e", |_: Nothing| "ok")
                .build()
                .unwrap(),
        ),
        Arc::new(
            method()
                .input::<()>()
                .method(|(): ()| "ok")
                .build()
                .unwrap(),
        ),
        Arc::new(
            method()
                .input::<Nothing>()
                .method(|_: Nothing| "ok")
                .build()
                .unwrap(),
        ),
    ];
    for tool in tools {
        for written in ["", "{}", "null"] {
            let mut scenario = Scenario::new().calls("e", written).says("done");
            scenario.tools.push(tool.clone());
            scenario
                .check(|outcome| {
                    let expected = [(ToolOutcome::Success, "ok".to_owned())];
                    assert_eq!(last_answers(&outcome.history), expected);
                })
                .await;
        }
    }
}
