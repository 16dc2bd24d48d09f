//! Strict mode.

use serde_json::json;
use vernal_core::model::LossOutcome::*;
use vernal_models::lowering::SchemaDialect::*;
use vernal_models::lowering::{lower, lower_response};

use crate::dialects::with;
use crate::{losses, lowered};

#[test]
fn sch_8_strict_mode_makes_optional_properties_nullable_and_required() {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "b": {"type": "integer"},
            "c": {"type": "string", "enum": ["x"]},
            "d": {"$ref": "#/$defs/D"},
            "e": {"anyOf": [{"type": "string"}, {"type": "integer"}], "description": "Said."},
            "f": {"const": "k"},
            "g": {"type": ["string", "null"]},
            "h": {"type": "object", "properties": {"x": {"type": "boolean"}}, "additionalProperties": false},
        },
        "required": ["a"],
        "additionalProperties": false,
        "$defs": {"D": {"type": "object", "properties": {}, "additionalProperties": false}},
    });
    let (value, strict) = lowered(&schema, OpenAiStrict);
    assert!(strict.is_strict);
    assert_eq!(strict.losses, []);
    assert_eq!(
        value["properties"],
        json!({
            "a": {"type": "string"},
            "b": {"type": ["integer", "null"]},
            "c": {"type": ["string", "null"], "enum": ["x", null]},
            "d": {"anyOf": [{"$ref": "#/$defs/D"}, {"type": "null"}]},
            "e": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}],
                  "description": "Said."},
            "f": {"anyOf": [{"const": "k", "type": "string"}, {"type": "null"}]},
            "g": {"type": ["string", "null"]},
            "h": {"type": ["object", "null"], "properties": {"x": {"type": ["boolean", "null"]}},
                  "required": ["x"], "additionalProperties": false},
        })
    );
    assert_eq!(
        value["required"],
        json!(["a", "b", "c", "d", "e", "f", "g", "h"])
    );
    let (value, strict) = lowered(&schema, AnthropicStrict);
    assert!(strict.is_strict);
    assert_eq!(value["required"], json!(["a"]));
    assert_eq!(value["properties"]["b"], json!({"type": "integer"}));
}

#[test]
fn sch_8_what_strict_mode_has_no_words_for_is_sent_without_it() {
    for (schema, path, keyword) in [
        (json!({}), "/properties/p", "type"),
        (json!(true), "/properties/p", "true"),
        (json!({"type": "array"}), "/properties/p", "items"),
        (
            json!({"type": "object"}),
            "/properties/p",
            "additionalProperties",
        ),
        (
            json!({"type": "object", "additionalProperties": {"type": "string"}}),
            "/properties/p",
            "additionalProperties",
        ),
        (
            json!({"type": "array", "items": {"type": "object", "patternProperties": {"^x": true}}}),
            "/properties/p/items",
            "patternProperties",
        ),
    ] {
        for (strict, loose) in [
            (OpenAiStrict, OpenAi),
            (AnthropicStrict, Anthropic),
            (BedrockStrict, Bedrock),
        ] {
            let (value, lowered_strict) = lowered(&with(schema.clone()), strict);
            let (expected, _) = lowered(&with(schema.clone()), loose);
            assert_eq!(value, expected);
            assert!(!lowered_strict.is_strict);
            assert_eq!(
                losses(&lowered_strict)[0],
                (path, keyword, NotStrict),
                "{schema}"
            );
        }
    }
    // What is open is closed, and that is told.
    let open =
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
    let (value, closed) = lowered(&open, OpenAiStrict);
    assert_eq!(value["additionalProperties"], false);
    assert_eq!(losses(&closed), [("", "additionalProperties", Narrowed)]);
}

/// A property that an answer may leave out is asked for as it is: whoever reads the answer knows no
/// `null` there.
#[test]
fn an_answer_has_what_it_may_have_and_no_null() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"],"additionalProperties":false}"#;
    let all = schema.replace(r#"["a"]"#, r#"["a","b"]"#);
    let openai = lower_response(schema, OpenAiStrict);
    assert_eq!((openai.schema, openai.is_strict), (all, true));
    let anthropic = lower_response(schema, AnthropicStrict);
    assert_eq!((&*anthropic.schema, anthropic.is_strict), (schema, true));
}

/// Anthropic refuses a schema within itself, however far within.
#[test]
fn sch_8_a_schema_within_itself_is_not_strict_at_anthropic() {
    let of = |defs: &str| {
        format!(
            r##"{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/A"}}}},"required":["a"],"additionalProperties":false,"$defs":{defs}}}"##
        )
    };
    let object = |inner: &str| {
        format!(
            r#"{{"type":"object","properties":{{"x":{inner}}},"required":["x"],"additionalProperties":false}}"#
        )
    };
    let to = |name: &str| format!(r##"{{"$ref":"#/$defs/{name}"}}"##);
    let own = object(&format!(r#"{{"type":"array","items":{}}}"#, to("A")));
    let (a, b) = (object(&to("B")), object(&to("A")));
    let leaf = object(r#"{"type":"string"}"#);
    for (schema, is_strict) in [
        (of(&format!(r#"{{"A":{own}}}"#)), false),
        (of(&format!(r#"{{"A":{a},"B":{b}}}"#)), false),
        (of(&format!(r#"{{"A":{a},"B":{leaf}}}"#)), true),
    ] {
        let lowered = lower(&schema, AnthropicStrict);
        assert_eq!(lowered.is_strict, is_strict, "{schema}");
        assert!(lower(&schema, OpenAiStrict).is_strict);
    }
}
