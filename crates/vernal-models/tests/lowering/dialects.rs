//! What becomes of each keyword in each dialect.

use serde_json::{Value, json};
use vernal_core::model::LossOutcome::{self, *};
use vernal_models::lowering::SchemaDialect::{self, *};

use crate::{ALL, losses, lowered};

/// An object with this one property, which is required.
pub(crate) fn with(property: Value) -> Value {
    json!({"type": "object", "properties": {"p": property}, "required": ["p"],
           "additionalProperties": false})
}

/// What becomes of a property's schema, and what it loses.
fn property(schema: Value, dialect: SchemaDialect) -> (Value, Vec<(String, LossOutcome)>) {
    let (mut value, lowered) = lowered(&with(schema), dialect);
    let lost = losses(&lowered);
    let lost = lost
        .iter()
        .map(|(_, keyword, outcome)| ((*keyword).to_owned(), *outcome));
    (value["properties"]["p"].take(), lost.collect())
}

#[test]
fn sch_8_what_a_dialect_takes_stays_byte_for_byte() {
    let text = r#"{"type":"object", "properties":{"b":{"type":["string","null"]},"a":{"type":"array","items":{"type":"number"}}},"required":["a","b"],"additionalProperties":false}"#;
    for dialect in [
        OpenAi,
        OpenAiStrict,
        Anthropic,
        AnthropicStrict,
        Gemini,
        Ollama,
    ] {
        let lowered = vernal_models::lowering::lower(text, dialect);
        assert_eq!(lowered.schema, text, "{dialect:?}");
        assert_eq!(lowered.losses, []);
    }
    for dialect in ALL {
        assert_eq!(
            vernal_models::lowering::lower("no json", dialect).schema,
            "no json"
        );
    }
}

#[test]
fn sch_8_each_keyword_has_its_fate_in_each_dialect() {
    let described = |keyword: &str| vec![(keyword.to_owned(), Described)];
    let is = |keyword: &str, outcome| vec![(keyword.to_owned(), outcome)];
    let none = Vec::new;
    let text = |more: Value| {
        let mut schema = json!({"type": "string"});
        schema
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        schema
    };
    let told = |words: &str| json!({"type": "string", "description": words});
    for (schema, dialect, expected, lost) in [
        // Texts
        (
            text(json!({"minLength": 1})),
            OpenAiStrict,
            told("(minLength: 1)"),
            described("minLength"),
        ),
        (
            text(json!({"minLength": 1})),
            AnthropicStrict,
            told("(minLength: 1)"),
            described("minLength"),
        ),
        (
            text(json!({"minLength": 1})),
            Ollama,
            text(json!({"minLength": 1})),
            is("minLength", Ignored),
        ),
        (
            text(json!({"minLength": 1})),
            GeminiOpenApi,
            text(json!({"minLength": 1})),
            none(),
        ),
        (
            text(json!({"pattern": "^a"})),
            OpenAiStrict,
            text(json!({"pattern": "^a"})),
            none(),
        ),
        (
            text(json!({"pattern": "a(?=b)"})),
            OpenAiStrict,
            told("(pattern: \"a(?=b)\")"),
            described("pattern"),
        ),
        (
            text(json!({"format": "uri"})),
            OpenAiStrict,
            told("(format: \"uri\")"),
            described("format"),
        ),
        (
            text(json!({"format": "uri"})),
            AnthropicStrict,
            text(json!({"format": "uri"})),
            none(),
        ),
        (
            text(json!({"format": "date-time"})),
            GeminiOpenApi,
            text(json!({"format": "date-time"})),
            none(),
        ),
        (
            text(json!({"description": "Said.", "maxLength": 2})),
            OpenAiStrict,
            told("Said. (maxLength: 2)"),
            described("maxLength"),
        ),
        // Nothing is checked against annotations; that they are gone is told all the same.
        (
            text(json!({"title": "T", "examples": ["x"], "$comment": "c"})),
            OpenAiStrict,
            json!({"type": "string"}),
            vec![
                ("examples".to_owned(), Unsaid),
                ("title".to_owned(), Unsaid),
            ],
        ),
        (
            text(json!({"contentEncoding": "base64", "readOnly": true, "x-own": 1})),
            AnthropicStrict,
            json!({"type": "string"}),
            vec![
                ("contentEncoding".to_owned(), Unsaid),
                ("readOnly".to_owned(), Unsaid),
                ("x-own".to_owned(), Unsaid),
            ],
        ),
        (
            text(json!({"default": "x"})),
            OpenAiStrict,
            told("(default: \"x\")"),
            described("default"),
        ),
        // Numbers
        (
            json!({"type": "integer", "format": "uint8", "minimum": 0}),
            OpenAiStrict,
            json!({"type": "integer", "minimum": 0}),
            none(),
        ),
        (
            json!({"type": "integer", "minimum": 0}),
            AnthropicStrict,
            json!({"type": "integer", "description": "(minimum: 0)"}),
            described("minimum"),
        ),
        (
            json!({"type": "number", "exclusiveMinimum": 0}),
            Gemini,
            json!({"type": "number", "description": "(exclusiveMinimum: 0)"}),
            described("exclusiveMinimum"),
        ),
        // Listed values
        (
            json!({"const": "a"}),
            Gemini,
            json!({"enum": ["a"]}),
            none(),
        ),
        (
            json!({"const": "a"}),
            OpenAiStrict,
            json!({"const": "a", "type": "string"}),
            none(),
        ),
        (
            json!({"enum": [1, 2]}),
            OpenAiStrict,
            json!({"enum": [1, 2], "type": "integer"}),
            none(),
        ),
        (
            json!({"type": "integer", "enum": [1, 2]}),
            GeminiOpenApi,
            json!({"type": "integer", "description": "(enum: [1,2])"}),
            described("enum"),
        ),
        (
            json!({"enum": ["a", null]}),
            GeminiOpenApi,
            json!({"enum": ["a"], "type": "string", "nullable": true}),
            none(),
        ),
        // Alternatives
        (
            json!({"oneOf": [{"type": "string"}, {"type": "null"}]}),
            Gemini,
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            none(),
        ),
        (
            json!({"oneOf": [{"type": "string"}, {"type": "string", "maxLength": 3}]}),
            Gemini,
            json!({"anyOf": [{"type": "string"}, {"type": "string", "maxLength": 3}]}),
            is("oneOf", Loosened),
        ),
        (
            json!({"allOf": [{"type": "string"}, {"minLength": 2}]}),
            Ollama,
            json!({"type": "string", "minLength": 2}),
            is("minLength", Ignored),
        ),
        (
            json!({"type": ["string", "array"], "items": {"type": "string"}, "minLength": 2}),
            GeminiOpenApi,
            json!({"minLength": 2, "anyOf": [{"type": "string"},
                {"items": {"type": "string"}, "type": "array"}]}),
            none(),
        ),
        (
            json!({"type": "string", "not": {"const": "a"}}),
            OpenAiStrict,
            told("(not: {\"const\":\"a\"})"),
            described("not"),
        ),
        // Lists
        (
            json!({"type": "array"}),
            OpenAi,
            json!({"type": "array", "items": {}}),
            none(),
        ),
        (
            json!({"type": "array"}),
            GeminiOpenApi,
            json!({"type": "array", "items": {"type": "string"}}),
            is("items", Narrowed),
        ),
        (
            json!({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}],
                   "items": false, "maxItems": 2}),
            OpenAiStrict,
            json!({"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
                   "maxItems": 2,
                   "description": "(in this order: [{\"type\":\"integer\"}, {\"type\":\"string\"}])"}),
            is("prefixItems", Loosened),
        ),
        (
            json!({"type": "array", "items": {"type": "string"}, "minItems": 2, "uniqueItems": true}),
            AnthropicStrict,
            json!({"type": "array", "items": {"type": "string"},
                   "description": "(minItems: 2, uniqueItems: true)"}),
            vec![
                ("minItems".to_owned(), Described),
                ("uniqueItems".to_owned(), Described),
            ],
        ),
        // Objects
        (
            json!({"type": "object", "additionalProperties": {"type": "integer"}}),
            Ollama,
            json!({"type": "object", "additionalProperties": {"type": "integer"}}),
            is("additionalProperties", Ignored),
        ),
        (
            json!({"type": "object", "additionalProperties": {"type": "integer"}}),
            GeminiOpenApi,
            json!({"type": "object", "description": "(additionalProperties: {\"type\":\"integer\"})"}),
            described("additionalProperties"),
        ),
        (json!(true), Ollama, json!({}), none()),
        (json!(true), OpenAi, json!(true), none()),
    ] {
        // The given order does not survive `json!`, and neither does that of the result.
        let (value, lost_here) = property(schema.clone(), dialect);
        assert_eq!((value, lost_here), (expected, lost), "{dialect:?} {schema}");
    }
}

#[test]
fn sch_8_references_are_kept_or_followed() {
    let schema = json!({
        "type": "object",
        "properties": {
            "unit": {"$ref": "#/$defs/Unit", "description": "own"},
            "tree": {"$ref": "#/$defs/Tree"},
            "first": {"$ref": "#/properties/list/items"},
            "list": {"type": "array", "items": {"type": "integer"}},
        },
        "required": ["unit", "tree", "first", "list"],
        "additionalProperties": false,
        "$defs": {
            "Unit": {"type": "string", "enum": ["C", "F"], "description": "of Unit"},
            "Tree": {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
                     "required": ["kids"], "additionalProperties": false},
        },
    });
    for dialect in [OpenAi, Anthropic, Gemini] {
        assert_eq!(lowered(&schema, dialect).0, schema);
    }
    let (strict, report) = lowered(&schema, OpenAiStrict);
    assert_eq!(
        strict["properties"]["unit"],
        json!({"anyOf": [{"$ref": "#/$defs/Unit"}], "description": "own"})
    );
    assert_eq!(
        strict["properties"]["tree"],
        json!({"$ref": "#/$defs/Tree"})
    );
    assert_eq!(strict["properties"]["first"], json!({"type": "integer"}));
    assert_eq!(strict["$defs"], schema["$defs"]);
    assert_eq!(report.losses, []);
    for dialect in [Ollama, Bedrock, GeminiOpenApi] {
        let (inlined, report) = lowered(&schema, dialect);
        assert!(!report.schema.contains("$ref") && !report.schema.contains("$defs"));
        assert_eq!(
            inlined["properties"]["unit"],
            json!({"type": "string", "enum": ["C", "F"], "description": "own"})
        );
        let path = "/properties/tree/properties/kids/items";
        assert!(
            losses(&report).contains(&(path, "$ref", Loosened)),
            "{dialect:?} {report:?}"
        );
    }
}

/// The way in which a reference with words beside it was written before it could have any.
#[test]
fn sch_8_a_single_all_of_is_the_reference_in_it() {
    let schema = json!({
        "type": "object",
        "properties": {"tree": {"allOf": [{"$ref": "#/$defs/Tree"}], "description": "own"}},
        "required": ["tree"],
        "additionalProperties": false,
        "$defs": {"Tree": {"type": "object", "required": ["kid", "name"], "additionalProperties": false,
            "properties": {"name": {"type": "string"}, "kid": {"allOf": [{"$ref": "#/$defs/Tree"}], "description": "kid"}}}},
    });
    // Anthropic takes no schema within itself.
    let mut flat = schema.clone();
    flat["$defs"]["Tree"]["properties"]["kid"] = json!({"type": "string"});
    for (dialect, schema, around) in [
        (OpenAiStrict, &schema, "anyOf"),
        (AnthropicStrict, &flat, "allOf"),
    ] {
        let (value, report) = lowered(schema, dialect);
        assert_eq!(report.losses, []);
        assert!(report.is_strict);
        let expected = json!({around: [{"$ref": "#/$defs/Tree"}], "description": "own"});
        assert_eq!(value["properties"]["tree"], expected);
    }
    for dialect in [Ollama, GeminiOpenApi] {
        let (value, report) = lowered(&schema, dialect);
        assert_eq!(value["properties"]["tree"]["description"], "own");
        assert_eq!(
            value["properties"]["tree"]["properties"]["kid"]["description"],
            "kid"
        );
        assert!(report.schema.len() < 800, "{}", report.schema);
    }
}

#[test]
fn sch_8_the_root_has_no_choice_where_a_provider_takes_none() {
    let kinds = json!({
        "type": "object",
        "description": "Said.",
        "oneOf": [
            {"type": "object", "properties": {"kind": {"const": "a"}, "x": {"type": "integer"}},
             "required": ["kind", "x"], "additionalProperties": false},
            {"type": "object", "properties": {"kind": {"const": "b"}, "y": {"type": "string"}},
             "required": ["kind"], "additionalProperties": false},
        ],
    });
    for dialect in [OpenAi, Anthropic, OpenAiStrict, AnthropicStrict, Bedrock] {
        let (value, report) = lowered(&kinds, dialect);
        for gone in ["oneOf", "anyOf", "allOf"] {
            assert!(value.get(gone).is_none(), "{dialect:?} {value}");
        }
        let kind = &value["properties"]["kind"];
        assert_eq!(kind["enum"], json!(["a", "b"]));
        assert_eq!(losses(&report)[0], ("", "oneOf", Loosened));
        // What the root says of itself is said by the tool.
        let said = usize::from(dialect == Bedrock);
        assert_eq!(report.losses.len(), 1 + said, "{dialect:?}");
    }
    assert_eq!(lowered(&kinds, Anthropic).0["required"], json!(["kind"]));
    let all = json!({
        "$ref": "#/$defs/Own",
        "allOf": [{"properties": {"b": {"type": "string"}}, "required": ["b"]}],
        "unevaluatedProperties": false,
        "$defs": {"Own": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}},
    });
    let (value, report) = lowered(&all, OpenAi);
    assert_eq!(report.losses, []);
    assert_eq!(value["required"], json!(["a", "b"]));
    assert_eq!(value["additionalProperties"], false);
    assert_eq!(value["properties"].as_object().unwrap().len(), 2);
    let unless = json!({"type": "object", "properties": {}, "not": {"required": ["x"]}});
    let (value, report) = lowered(&unless, OpenAi);
    assert_eq!(value["description"], "(not: {\"required\":[\"x\"]})");
    assert_eq!(losses(&report), [("", "not", Described)]);
}

#[test]
fn sch_8_bedrock_has_little_at_the_root() {
    let schema = json!({"type": "object", "title": "T", "description": "Said.", "properties": {"a": {"type": "string"}},
        "required": [], "additionalProperties": false, "minProperties": 1});
    let (value, report) = lowered(&schema, Bedrock);
    let members: Vec<&String> = value.as_object().unwrap().keys().collect();
    assert_eq!(
        members,
        ["additionalProperties", "properties", "required", "type"]
    );
    let lost = [
        ("", "description", Unsaid),
        ("", "minProperties", Dropped),
        ("", "title", Unsaid),
    ];
    assert_eq!(losses(&report), lost);
}

#[test]
fn sch_8_the_order_of_members_and_the_digits_of_numbers_stay() {
    let text = r#"{"type":"object","properties":{"zeta":{"type":"string","minLength":1},"alpha":{"type":"number","minimum":1.50}},"required":["zeta"],"additionalProperties":false}"#;
    let lowered = vernal_models::lowering::lower(text, OpenAiStrict);
    assert_eq!(
        lowered.schema,
        r#"{"type":"object","properties":{"zeta":{"type":"string","description":"(minLength: 1)"},"alpha":{"type":["number","null"],"minimum":1.50}},"required":["zeta","alpha"],"additionalProperties":false}"#
    );
}
