//! AUG-4: the definitions of added fields beside those of the tool.

use schemars::JsonSchema;
use serde_json::{Value, json};
use vernal_core::tool::augment::ToolInputSchemaAugmenter;

#[derive(JsonSchema)]
#[allow(dead_code)] // only the schemas are used
struct Why {
    steps: Vec<Step>,
    mood: Mood,
}

#[derive(JsonSchema)]
#[allow(dead_code)]
struct Step {
    next: Option<Box<Step>>,
    mood: Mood,
}

#[derive(JsonSchema)]
#[allow(dead_code)]
#[serde(rename_all = "lowercase")]
enum Mood {
    Good,
    Bad,
}

fn augmented(definitions: &Value) -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": {"at": {"$ref": "#/$defs/Mood"}},
        "required": [],
    });
    if !definitions.is_null() {
        schema["$defs"] = definitions.clone();
    }
    let text = ToolInputSchemaAugmenter::augment::<Why>(&schema.to_string()).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The definitions of the added fields as they are on their own.
fn own() -> Value {
    let text = ToolInputSchemaAugmenter::augment::<Why>(r#"{"type":"object"}"#).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["$defs"].clone()
}

fn assert_references_resolve(schema: &Value) {
    fn references(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::Object(members) => {
                into.extend(
                    members
                        .get("$ref")
                        .and_then(Value::as_str)
                        .map(str::to_owned),
                );
                members.values().for_each(|member| references(member, into));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, into)),
            _ => {}
        }
    }
    let mut all = Vec::new();
    references(schema, &mut all);
    assert!(!all.is_empty());
    for reference in all {
        let name = reference.strip_prefix("#/$defs/").unwrap();
        assert!(
            schema["$defs"].get(name).is_some(),
            "{reference} of {schema:#}"
        );
    }
}

#[test]
fn aug_4_definitions_are_hoisted_to_the_root() {
    let schema = augmented(&json!({"Mood": own()["Mood"]}));
    assert_references_resolve(&schema);
    let names: Vec<_> = schema["$defs"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    assert_eq!(names, ["Mood", "Step"], "equal ones are shared");
    assert_eq!(schema["$defs"]["Step"], own()["Step"]);
}

#[test]
fn aug_4_a_different_one_of_the_same_name_is_renamed_wherever_it_is_meant() {
    let moods = json!({"Mood": {"type": "integer"}, "Mood_2": {"type": "null"}});
    let schema = augmented(&moods);
    assert_references_resolve(&schema);
    assert_eq!(
        schema["$defs"]["Mood"], moods["Mood"],
        "the tool's own stays"
    );
    assert_eq!(schema["$defs"]["Mood_2"], moods["Mood_2"]);
    assert_eq!(schema["$defs"]["Mood_3"], own()["Mood"]);
    assert_eq!(schema["properties"]["at"]["$ref"], "#/$defs/Mood");
    assert_eq!(schema["properties"]["mood"]["$ref"], "#/$defs/Mood_3");
    assert_eq!(
        schema["$defs"]["Step"]["properties"]["mood"]["$ref"],
        "#/$defs/Mood_3"
    );
}

#[test]
fn aug_4_what_is_equal_in_words_but_means_another_is_renamed_too() {
    // The tool has a `Step` of the same text, whose `Mood` is another one.
    let schema = augmented(&json!({"Mood": {"type": "integer"}, "Step": own()["Step"]}));
    assert_references_resolve(&schema);
    assert_eq!(
        schema["$defs"]["Step"]["properties"]["mood"]["$ref"],
        "#/$defs/Mood"
    );
    assert_eq!(
        schema["properties"]["steps"]["items"]["$ref"],
        "#/$defs/Step_2"
    );
    let step = &schema["$defs"]["Step_2"];
    assert_eq!(step["properties"]["mood"]["$ref"], "#/$defs/Mood_2");
    assert!(
        step.to_string().contains("#/$defs/Step_2"),
        "it refers to itself: {step}"
    );
}
