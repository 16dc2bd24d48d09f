//! AUG-1 to AUG-4 and RD-3: more fields than a tool takes.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use vernal_core::message::ToolOutcome;
use vernal_core::tool::augment::{
    AugmentedToolCallback, AugmentedToolCallbackProvider, ToolInputSchemaAugmenter,
};
use vernal_core::tool::{FunctionToolCallback, ToolCallback, ToolError, ToolMetadata, ToolOutput};

use crate::closures::{Custom, custom};
use crate::drivers::{Driver, run};
use crate::scenario::Scenario;
use crate::transcript::last_answers;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AgentThinking {
    /// Your reasoning for calling this tool.
    pub(crate) inner_thought: String,
    /// Confidence level (low, medium, high).
    confidence: Option<String>,
    /// How sure you are that it is not needed twice.
    #[serde(default)]
    #[allow(dead_code)] // its default is in the schema
    once: bool,
}

#[derive(Deserialize, JsonSchema)]
struct City {
    /// The city's name.
    city: String,
}

pub(crate) fn weather() -> FunctionToolCallback {
    FunctionToolCallback::builder("weather", |input: City| format!("Sunny in {}.", input.city))
        .description("Get the weather")
        .build()
        .unwrap()
}

/// A tool that says what it got, and takes anything.
pub(crate) fn echo(name: &str) -> Custom {
    custom(name, |input, _| async move {
        Ok(ToolOutput::from_text(input.as_str()))
    })
}

const GOLDEN: &str = concat!(
    r#"{"type":"object","properties":{"city":{"description":"The city's name.","type":"string"},"#,
    r#""confidence":{"description":"Confidence level (low, medium, high).","type":["string","null"]},"#,
    r#""innerThought":{"description":"Your reasoning for calling this tool.","type":"string"},"#,
    r#""once":{"default":false,"#,
    r#""description":"How sure you are that it is not needed twice.","type":"boolean"}},"#,
    r#""required":["city","innerThought"],"additionalProperties":false}"#,
);

#[test]
fn aug_1_the_model_sees_the_tools_fields_and_then_those_of_the_struct() {
    let tool = AugmentedToolCallback::<AgentThinking>::builder(Arc::new(weather()));
    let tool = tool.build().unwrap();
    let definition = tool.tool_definition();
    let members = |text: &str| -> serde_json::Value { serde_json::from_str(text).unwrap() };
    assert_eq!(members(definition.input_schema()), members(GOLDEN));
    assert_eq!(&**definition.name(), "weather");
    assert_eq!(definition.description(), "Get the weather");
    // The tool's own come first, byte for byte.
    let own = weather().tool_definition().input_schema().to_owned();
    let city = own
        .split_once(r#""properties":{"#)
        .unwrap()
        .1
        .split_once('}')
        .unwrap()
        .0;
    assert!(
        definition
            .input_schema()
            .contains(&format!(r#""properties":{{{city}}},"#))
    );
}

#[test]
fn aug_1_foreign_schemas_keep_everything_that_they_say() {
    let table = [
        (
            r#"{"type":"object"}"#,
            r#"{"type":"object","properties":{P},"required":["innerThought"]}"#,
        ),
        (
            r#"{"required":["b"],"title":"T","properties":{"b":{"const":1e2}},"type":"object","x-y":[1]}"#,
            r#"{"required":["b","innerThought"],"title":"T","properties":{"b":{"const":1e2},P},"type":"object","x-y":[1]}"#,
        ),
    ];
    let fields = GOLDEN
        .split_once(r#""confidence""#)
        .unwrap()
        .1
        .split_once("},\"required")
        .unwrap()
        .0;
    let fields = format!(r#""confidence"{fields}"#);
    for (foreign, expected) in table {
        let augmented = ToolInputSchemaAugmenter::augment::<AgentThinking>(foreign).unwrap();
        assert_eq!(augmented, expected.replace('P', &fields).replace("{{", "{"));
    }
    for not_an_object in ["7", "[]", "{", ""] {
        assert!(ToolInputSchemaAugmenter::augment::<AgentThinking>(not_an_object).is_err());
    }
}

#[tokio::test]
async fn aug_2_the_consumer_gets_definition_input_and_fields_before_the_tool_runs() {
    let notes: Arc<Mutex<Vec<String>>> = Arc::default();
    let (at_consumer, at_tool) = (notes.clone(), notes.clone());
    let tool = custom("look", move |input, _| {
        at_tool
            .lock()
            .unwrap()
            .push(format!("tool {}", input.as_str()));
        std::future::ready(Ok(ToolOutput::from_text("seen")))
    });
    let tool = AugmentedToolCallback::<AgentThinking>::builder(Arc::new(tool));
    let tool = tool.argument_consumer(move |event| {
        let (name, raw) = (event.tool_definition().name(), event.raw_input().as_str());
        let fields = event.arguments();
        let note = format!(
            "{name} {raw} {} {:?}",
            fields.inner_thought, fields.confidence
        );
        at_consumer.lock().unwrap().push(note);
    });
    let scenario = Scenario::new()
        .callback(tool.build().unwrap())
        .calls("look", r#"{"at":1.50,"innerThought":"왜?","far":true}"#)
        .says("done");
    scenario
        .check(|outcome| {
            assert_eq!(last_answers(&outcome.history)[0].1, "seen");
            let notes = std::mem::take(&mut *notes.lock().unwrap());
            let raw = r#"{"at":1.50,"innerThought":"왜?","far":true}"#;
            for run in notes.chunks(2) {
                let expected = [
                    format!("look {raw} 왜? None"),
                    r#"tool {"at":1.50,"far":true}"#.to_owned(),
                ];
                assert_eq!(run, expected);
            }
            assert!(!notes.is_empty());
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn aug_2_an_async_consumer_is_waited_for_and_its_error_is_the_tools() {
    let builder = || AugmentedToolCallback::<AgentThinking>::builder(Arc::new(echo("echo")));
    let waits = builder().async_argument_consumer(|_| async {
        tokio::time::sleep(Duration::from_secs(2)).await;
        Ok(())
    });
    let fails = builder().async_argument_consumer(|_| async { Err("the archive is full".into()) });
    let fatal = builder()
        .async_argument_consumer(|_| async { Err(ToolError::fatal("the archive is gone")) });
    let scenario = |tool| {
        let scenario = Scenario::new()
            .calls("echo", r#"{"innerThought":"w"}"#)
            .says("done");
        scenario.callback(tool)
    };
    let outcome = run(Driver::Call, &scenario(waits.build().unwrap())).await;
    assert_eq!(outcome.elapsed, Duration::from_secs(2));
    assert_eq!(last_answers(&outcome.history)[0].1, "{}");
    let outcome = run(Driver::ManualTurn, &scenario(fails.build().unwrap())).await;
    let expected = (ToolOutcome::Failed, "the archive is full".to_owned());
    assert_eq!(last_answers(&outcome.history)[0], expected);
    let outcome = run(Driver::Stream, &scenario(fatal.build().unwrap())).await;
    assert_eq!(outcome.error().tool_name(), Some("echo"));
}

#[tokio::test]
async fn aug_3_the_tool_gets_its_own_arguments_only_unless_asked_to_keep_the_extras() {
    let written = r#"{"innerThought":"w","own":[1.0],"confidence":null}"#;
    for (remove, expected) in [(true, r#"{"own":[1.0]}"#), (false, written)] {
        let tool = AugmentedToolCallback::<AgentThinking>::builder(Arc::new(echo("echo")))
            .remove_extra_arguments_after_processing(remove);
        let scenario = Scenario::new().callback(tool.build().unwrap());
        let scenario = scenario.calls("echo", written).says("done");
        scenario
            .check(|outcome| {
                let expected = [(ToolOutcome::Success, expected.to_owned())];
                assert_eq!(last_answers(&outcome.history), expected);
            })
            .await;
    }
}

#[tokio::test]
async fn aug_3_without_a_consumer_the_fields_are_still_required_and_taken_away() {
    let tool = AugmentedToolCallback::<AgentThinking>::builder(Arc::new(weather()));
    let scenario = Scenario::new()
        .callback(tool.build().unwrap())
        .calls("weather", r#"{"city":"Jeju"}"#)
        .calls("weather", r#"{"city":"Jeju","innerThought":"asked"}"#)
        .says("done");
    scenario
        .check(|outcome| {
            let first = outcome
                .history
                .get(2)
                .unwrap()
                .tool_responses()
                .next()
                .unwrap();
            assert_eq!(first.outcome, ToolOutcome::InvalidArguments);
            assert!(first.text().contains("innerThought"));
            assert_eq!(last_answers(&outcome.history)[0].1, "Sunny in Jeju.");
        })
        .await;
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Clash {
    #[allow(dead_code)] // never read: it cannot be built
    city: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Nothing {}

#[test]
fn aug_4_a_field_that_clashes_is_a_build_error_that_names_tool_and_field() {
    let error = AugmentedToolCallback::<Clash>::builder(Arc::new(weather()))
        .build()
        .unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("`weather`") && text.contains("`city`"),
        "{text}"
    );
    let provider = AugmentedToolCallbackProvider::<Clash>::builder().tools((weather(), echo("e")));
    let text = provider.build().err().unwrap().to_string();
    assert!(
        text.contains("`weather`") && text.contains("`city`"),
        "{text}"
    );
    let error = AugmentedToolCallback::<Nothing>::builder(Arc::new(weather()))
        .build()
        .unwrap_err();
    assert!(error.to_string().contains("`Nothing`"), "{error}");
}

#[tokio::test]
async fn rd_3_and_aug_4_the_metadata_are_those_of_the_wrapped_tool() {
    let metadata = ToolMetadata::builder()
        .return_direct(true)
        .sequential(true)
        .blocking(true)
        .idempotent(true)
        .read_only(true)
        .destructive(true)
        .requires_approval(true)
        .timeout(Duration::from_secs(7))
        .max_retries(9)
        .max_result_bytes(11);
    let inner = FunctionToolCallback::builder("t", || "the answer itself")
        .tool_metadata(metadata.build())
        .build()
        .unwrap();
    let expected = format!("{:?}", inner.tool_metadata());
    let tool = AugmentedToolCallback::<AgentThinking>::builder(Arc::new(inner))
        .build()
        .unwrap();
    assert_eq!(format!("{:?}", tool.tool_metadata()), expected);
    let scenario = Scenario::new()
        .callback(tool)
        .calls("t", r#"{"innerThought":"w"}"#);
    scenario
        .check(|outcome| {
            assert_eq!(
                outcome.text(),
                "the answer \n[cut: 11 of 17 bytes are shown]"
            );
            assert_eq!(outcome.model_calls(), 1, "it is returned directly");
        })
        .await;
}
