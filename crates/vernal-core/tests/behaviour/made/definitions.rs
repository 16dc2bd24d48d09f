//! Names, descriptions, schemas and metadata (rules DEF, SCH).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::Value;
use vernal_core::tool::{ToolCallbacks, ToolContext, tools};

use crate::made::support::{call, definition, names, tool};

type Maybe<T> = Option<T>;
type Note = Maybe<String>;

/// A place on a map.
#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Place {
    /// Degrees north.
    #[serde(rename = "lat")]
    latitude: f64,
    label: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Tree {
    name: String,
    children: Vec<Tree>,
}

struct Tools;

#[tools]
impl Tools {
    /// Get the current date and time.
    #[tool]
    fn now(&self) {}

    /// Set a user alarm.
    ///
    /// - in ISO-8601
    ///   format
    /// - in the future
    #[tool(return_direct, sequential = true)]
    fn set_alarm(
        &self,
        /// The time,
        /// in ISO-8601 format.
        time: String,
        #[param(description = "How often")] repeats: u32,
        /// Not this one.
        #[param(description = "A label", name = "caption")]
        label: Option<String>,
        context: &ToolContext,
    ) {
        let _ = (time, repeats, label, context);
    }

    #[tool(name = "renamed", description = "Said here", return_direct = false)]
    /// Not said here.
    fn original_name(&self, first: Note, #[param(required = true)] second: Note) {
        let _ = (first, second);
    }

    #[tool]
    fn undescribed_tool(&self, #[param(required = false)] note: Note, zebra: bool, apple: i64) {
        let _ = (note, zebra, apple);
    }

    #[tool(description = include_str!("description.txt"))]
    fn described_by_file(&self) {}

    #[tool]
    #[doc = include_str!("description.txt")]
    fn documented_by_file(&self) {}

    #[tool]
    fn anything(
        &self,
        value: Value,
        /** Whatever. */
        described: Value,
    ) {
        let _ = (value, described);
    }

    #[tool]
    fn nested(
        &self,
        from: Place,
        /** Where to. */
        to: Option<Place>,
        tags: BTreeMap<String, u8>,
    ) {
        let _ = (from, to, tags);
    }

    #[tool]
    fn grow(&self, tree: Tree) {
        let _ = tree;
    }
}

fn schema(name: &str) -> String {
    definition(Tools, name).input_schema().to_owned()
}

fn description(name: &str) -> String {
    definition(Tools, name).description().to_owned()
}

#[test]
fn tools_stand_in_the_order_of_the_methods() {
    assert_eq!(
        names(Tools),
        [
            "now",
            "set_alarm",
            "renamed",
            "undescribed_tool",
            "described_by_file",
            "documented_by_file",
            "anything",
            "nested",
            "grow"
        ]
    );
}

#[test]
fn sch_1_no_parameters_are_an_empty_object() {
    assert_eq!(
        schema("now"),
        r#"{"type":"object","properties":{},"required":[],"additionalProperties":false}"#
    );
}

#[test]
fn sch_1_parameters_stand_in_declaration_order() {
    assert_eq!(
        schema("set_alarm"),
        concat!(
            r#"{"type":"object","properties":{"#,
            r#""time":{"description":"The time,\nin ISO-8601 format.","type":"string"},"#,
            r#""repeats":{"description":"How often","maximum":4294967295,"minimum":0,"type":"integer"},"#,
            r#""caption":{"description":"A label","type":["string","null"]}},"#,
            r#""required":["time","repeats"],"additionalProperties":false}"#,
        )
    );
    assert_eq!(
        schema("undescribed_tool"),
        concat!(
            r#"{"type":"object","properties":{"note":{"type":["string","null"]},"#,
            r#""zebra":{"type":"boolean"},"apple":{"type":"integer"}},"#,
            r#""required":["zebra","apple"],"additionalProperties":false}"#,
        )
    );
}

#[test]
fn sch_2_an_option_is_optional_under_any_name_unless_said_otherwise() {
    assert_eq!(
        schema("renamed"),
        concat!(
            r#"{"type":"object","properties":{"first":{"type":["string","null"]},"#,
            r#""second":{"type":["string","null"]}},"#,
            r#""required":["second"],"additionalProperties":false}"#,
        )
    );
}

#[test]
fn sch_4_a_value_parameter_is_any_json_and_required() {
    assert_eq!(
        schema("anything"),
        concat!(
            r#"{"type":"object","properties":{"value":{},"described":{"description":"Whatever."}},"#,
            r#""required":["value","described"],"additionalProperties":false}"#,
        )
    );
}

#[test]
fn sch_5_nested_types_are_shared_definitions() {
    assert_eq!(
        schema("nested"),
        concat!(
            r##"{"type":"object","properties":{"from":{"$ref":"#/$defs/Place"},"##,
            r##""to":{"anyOf":[{"$ref":"#/$defs/Place"},{"type":"null"}],"description":"Where to."},"##,
            r##""tags":{"additionalProperties":{"maximum":255,"minimum":0,"type":"integer"},"type":"object"}},"##,
            r##""required":["from","tags"],"additionalProperties":false,"$defs":{"##,
            r##""Place":{"additionalProperties":false,"description":"A place on a map.","properties":{"##,
            r##""label":{"type":["string","null"]},"lat":{"description":"Degrees north.","type":"number"}},"##,
            r##""required":["lat"],"type":"object"}}}"##,
        )
    );
    assert!(schema("grow").contains(r##""children":{"items":{"$ref":"#/$defs/Tree"}"##));
}

#[test]
fn def_1_the_doc_comment_is_the_description_line_by_line() {
    assert_eq!(description("now"), "Get the current date and time.");
    assert_eq!(
        description("set_alarm"),
        "Set a user alarm.\n\n- in ISO-8601\n  format\n- in the future"
    );
    assert_eq!(description("renamed"), "Said here");
    assert_eq!(description("undescribed_tool"), "undescribed tool");
    assert_eq!(
        description("described_by_file").trim(),
        "A description in a file."
    );
    assert_eq!(
        description("documented_by_file").trim(),
        "A description in a file."
    );
}

#[test]
fn def_5_the_attribute_sets_the_metadata() {
    let alarm = tool(Tools, "set_alarm");
    assert!(alarm.tool_metadata().return_direct() && alarm.tool_metadata().sequential());
    let renamed = tool(Tools, "renamed");
    assert!(!renamed.tool_metadata().return_direct() && !renamed.tool_metadata().sequential());
}

#[test]
fn sch_7_a_definition_is_built_once_for_all_objects() {
    let (first, second) = (definition(Tools, "nested"), definition(Tools, "nested"));
    assert!(std::ptr::eq(first.input_schema(), second.input_schema()));
}

/// A type whose hand-written schema refers to nothing.
#[derive(Deserialize)]
struct Broken(u8);

impl JsonSchema for Broken {
    fn schema_name() -> Cow<'static, str> {
        "Broken".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "$ref": "https://example.com/schema" })
    }
}

struct BrokenTools;

#[tools]
impl BrokenTools {
    #[tool]
    fn add(
        &self,
        /** The first. */
        left: Broken,
        right: u8,
    ) -> u8 {
        left.0 + right
    }
}

#[test]
fn a_schema_that_cannot_be_used_becomes_anything_and_the_rest_stays() {
    assert_eq!(
        definition(BrokenTools, "add").input_schema(),
        concat!(
            r#"{"type":"object","properties":{"left":{"description":"The first."},"#,
            r#""right":{"maximum":255,"minimum":0,"type":"integer"}},"#,
            r#""required":["left","right"],"additionalProperties":false}"#,
        )
    );
    assert_eq!(
        call(BrokenTools, "add", r#"{"left":1,"right":2}"#).unwrap(),
        "3"
    );
    let error = call(BrokenTools, "add", r#"{"left":"one","right":2}"#).unwrap_err();
    assert!(
        error.to_string().starts_with("$.left: expected "),
        "{error}"
    );
}

#[test]
fn every_object_has_its_own_callbacks() {
    let (first, second) = (ToolCallbacks::from(Tools), ToolCallbacks::from(Tools));
    assert!(!Arc::ptr_eq(&first[0], &second[0]));
}
