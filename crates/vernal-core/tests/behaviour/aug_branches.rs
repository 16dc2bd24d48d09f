//! AUG-1 and AUG-4 where the properties of a tool, or of what is added, come from several places.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vernal_core::message::ToolOutcome;
use vernal_core::tool::augment::{
    AugmentedToolCallback, AugmentedToolCallbackProvider, ToolInputSchemaAugmenter,
};
use vernal_core::tool::schema::CompiledSchema;
use vernal_core::tool::{FunctionToolCallback, MethodToolCallback, ToolCallback};

use crate::scenario::Scenario;
use crate::transcript::last_answers;

#[derive(Debug, Deserialize, JsonSchema)]
struct Why {
    /// The reason.
    #[allow(dead_code)] // read, not used
    why: String,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Tagged {
    Go { far: u8 },
    Turn { deg: Angle },
    Stop,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Angle {
    degrees: u16,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Go { far: u8 },
    Turn(Angle),
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
enum External {
    Go { far: u8 },
    Turn(Angle),
}

fn function<T>() -> Arc<dyn ToolCallback>
where
    T: Serialize + for<'de> Deserialize<'de> + JsonSchema + Send + 'static,
{
    let tool = FunctionToolCallback::builder("act", |command: T| command);
    Arc::new(tool.build().unwrap())
}

fn method() -> Arc<dyn ToolCallback> {
    let tool = MethodToolCallback::builder("act")
        .input::<Tagged>()
        .method(|command: Tagged| command);
    Arc::new(tool.build().unwrap())
}

#[tokio::test]
async fn aug_1_a_tool_whose_input_is_an_enum_can_be_called() {
    let table = [
        (function::<Tagged>(), r#"{"kind":"Go","far":7}"#),
        (
            function::<Tagged>(),
            r#"{"kind":"Turn","deg":{"degrees":9}}"#,
        ),
        (function::<Tagged>(), r#"{"kind":"Stop"}"#),
        (method(), r#"{"kind":"Go","far":7}"#),
        (function::<Untagged>(), r#"{"far":7}"#),
        (function::<Untagged>(), r#"{"degrees":9}"#),
        (function::<External>(), r#"{"Go":{"far":7}}"#),
        (function::<External>(), r#"{"Turn":{"degrees":9}}"#),
    ];
    for (tool, own) in table {
        for provided in [false, true] {
            let with_why = own.replacen('{', r#"{"why":"w","#, 1);
            let mut scenario = Scenario::new()
                .calls("act", own)
                .calls("act", &with_why)
                .says("done");
            match provided {
                false => {
                    let tool = AugmentedToolCallback::<Why>::builder(tool.clone());
                    scenario = scenario.callback(tool.build().unwrap());
                }
                true => {
                    let tools = AugmentedToolCallbackProvider::<Why>::builder().tools(tool.clone());
                    let provider = Arc::new(tools.build().unwrap());
                    scenario.tools = listed(provider).await;
                }
            }
            scenario
                .check(|outcome| {
                    let first = outcome.history.get(2).unwrap();
                    let first = first.tool_responses().next().unwrap();
                    assert_eq!(first.outcome, ToolOutcome::InvalidArguments, "{own}");
                    assert!(
                        first.text().contains("$.why: is required"),
                        "{}",
                        first.text()
                    );
                    let expected = [(ToolOutcome::Success, own.to_owned())];
                    assert_eq!(last_answers(&outcome.history), expected);
                })
                .await;
        }
    }
}

async fn listed(
    provider: Arc<dyn vernal_core::tool::ToolCallbackProvider>,
) -> Vec<Arc<dyn ToolCallback>> {
    provider.tool_callbacks().await.unwrap()
}

#[test]
fn aug_1_a_foreign_schema_with_references_and_branches_stays_what_it_is() {
    let closed = r##"{"$ref":"#/$defs/A","$defs":{"A":{"type":"object","additionalProperties":false,
        "properties":{"a":{"type":"integer"},"inner":{"$ref":"#/$defs/A"}}}}}"##;
    let tree = r##"{"type":"object","properties":{"items":{"type":"array","items":{"$ref":"#"}}},
        "additionalProperties":false}"##;
    let nested = r##"{"allOf":[{"anyOf":[{"$ref":"#/definitions/A"},{"properties":{"b":{}},"required":["b"],
        "unevaluatedProperties":false}]}],
        "definitions":{"A":{"properties":{"a":{}},"required":["a"],"additionalProperties":{"type":"integer"}}}}"##;
    let conditional = r#"{"if":{"properties":{"a":{"const":1}},"required":["a"]},
        "then":{"properties":{"a":{},"b":{}},"additionalProperties":false},
        "else":{"properties":{"a":{}},"additionalProperties":false}}"#;
    let counted = r#"{"properties":{"a":{},"bcd":{}},"maxProperties":1,
        "allOf":[{"propertyNames":{"maxLength":2}}]}"#;
    let table: [(&str, &[&str], &[&str]); 5] = [
        (
            counted,
            &[r#"{"why":"w"}"#, r#"{"why":"w","a":1}"#],
            &[
                r#"{"why":"w","a":1,"b":1}"#,
                r#"{"why":"w","bcd":1}"#,
                r#"{"a":1}"#,
            ],
        ),
        (
            closed,
            &[r#"{"why":"w","a":1}"#, r#"{"why":"w","inner":{"a":1}}"#],
            &[
                r#"{"a":1}"#,
                r#"{"why":"w","b":1}"#,
                r#"{"why":"w","inner":{"why":"w"}}"#,
                r#"{"why":1,"a":1}"#,
            ],
        ),
        (
            tree,
            &[r#"{"why":"w","items":[{"items":[{}]}]}"#],
            &[
                r#"{"items":[]}"#,
                r#"{"why":"w","items":[{"why":"w"}]}"#,
                r#"{"why":"w","items":[{"x":1}]}"#,
            ],
        ),
        (
            nested,
            &[
                r#"{"why":"w","a":1}"#,
                r#"{"why":"w","b":1}"#,
                r#"{"why":"w","a":"","c":1}"#,
            ],
            &[r#"{"why":"w"}"#, r#"{"b":1}"#, r#"{"why":"w","b":1,"c":1}"#],
        ),
        (
            conditional,
            &[r#"{"why":"w","a":1,"b":2}"#, r#"{"why":"w","a":2}"#],
            &[r#"{"why":"w","a":2,"b":2}"#, r#"{"a":2}"#],
        ),
    ];
    for (foreign, fine, wrong) in table {
        let augmented = ToolInputSchemaAugmenter::augment::<Why>(foreign).unwrap();
        let (_, compiled) = CompiledSchema::for_tool_input(&augmented).unwrap();
        for arguments in fine {
            assert_eq!(compiled.check(arguments), Ok(()), "{augmented} {arguments}");
        }
        for arguments in wrong {
            assert!(
                compiled.check(arguments).is_err(),
                "{augmented} {arguments}"
            );
        }
    }
}

#[test]
fn aug_4_what_cannot_be_augmented_is_an_error_that_says_why() {
    for (foreign, expected) in [
        (
            r#"{"allOf":[{"properties":{"why":{"type":"integer"}}}]}"#,
            "the field `why` clashes",
        ),
        (
            r##"{"anyOf":[{"$ref":"#/$defs/A"}],"$defs":{"A":{"properties":{"why":{}}}}}"##,
            "the field `why` clashes",
        ),
        (r#"{"enum":[{"a":1}]}"#, "its `enum` lists whole objects"),
        (
            r#"{"oneOf":[{"const":{"a":1}},{"const":"a"}]}"#,
            "its `const` lists whole objects",
        ),
        (
            r#"{"$ref":"https://example.com/a"}"#,
            "refers to by `https://example.com/a`",
        ),
        (r##"{"$dynamicRef":"#a"}"##, "refers to by `$dynamicRef`"),
    ] {
        let error = ToolInputSchemaAugmenter::augment::<Why>(foreign).unwrap_err();
        assert!(error.to_string().contains(expected), "{foreign}: {error}");
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)] // never read: it cannot be built
struct Flattened {
    why: String,
    #[serde(flatten)]
    command: Tagged,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)] // as above
struct Open {
    why: String,
    #[serde(flatten)]
    more: std::collections::BTreeMap<String, String>,
}

#[test]
fn aug_4_fields_that_depend_on_each_other_cannot_be_added() {
    let tool = || {
        let tool = FunctionToolCallback::builder("e", || "ok").build().unwrap();
        Arc::new(tool)
    };
    let flattened = AugmentedToolCallback::<Flattened>::builder(tool()).build();
    let open = AugmentedToolCallback::<Open>::builder(tool()).build();
    for (text, name) in [
        (flattened.unwrap_err().to_string(), "Flattened"),
        (open.unwrap_err().to_string(), "Open"),
    ] {
        let expected = format!("the tool `e`: the fields of `{name}` are not all its own");
        assert!(text.starts_with(&expected), "{text}");
    }
    let provider = AugmentedToolCallbackProvider::<Flattened>::builder().tools(tool());
    assert!(provider.build().is_err());
}
