//! SCH-6: schemas that somebody else wrote.

use vernal_core::tool::ToolDefinition;
use vernal_core::tool::schema::CompiledSchema;

fn normal(schema: &str) -> Result<String, String> {
    let definition = ToolDefinition::builder("t").input_schema(schema).build();
    definition
        .map(|definition| definition.input_schema().to_owned())
        .map_err(|error| error.to_string())
}

#[test]
fn sch_6_foreign_schemas_become_schemas_of_objects() {
    const EMPTY: &str =
        r#"{"type":"object","properties":{},"required":[],"additionalProperties":false}"#;
    for (schema, expected) in [
        ("", EMPTY),
        (" \n ", EMPTY),
        ("{}", r#"{"type":"object"}"#),
        (" { } ", r#"{"type":"object"}"#),
        (r#"{"type":"object"}"#, r#"{"type":"object"}"#),
        (
            r#"{ "properties" : { "a b" : true } }"#,
            r#"{"type":"object","properties":{"a b":true}}"#,
        ),
        (
            r#"{"type":["object","null"],"required":[]}"#,
            r#"{"type":"object","required":[]}"#,
        ),
        (
            r#"{"required":[],"type":[ "null", "object" ]}"#,
            r#"{"required":[],"type":"object"}"#,
        ),
        (
            r##"{"$ref":"#/$defs/a","$defs":{"a":{}}}"##,
            r##"{"type":"object","$ref":"#/$defs/a","$defs":{"a":{}}}"##,
        ),
        (
            r#"{"anyOf":[{"required":["a"]},true]}"#,
            r#"{"type":"object","anyOf":[{"required":["a"]},true]}"#,
        ),
    ] {
        assert_eq!(normal(schema).as_deref(), Ok(expected), "{schema}");
    }
}

#[test]
fn sch_6_what_cannot_be_a_tools_schema_is_refused_with_the_reason() {
    let deep = format!("{}true{}", r#"{"not":"#.repeat(200), "}".repeat(200));
    let large = format!(r#"{{"description":"{}"}}"#, "x".repeat(300_000));
    for (schema, why) in [
        (
            "true",
            "must be a JSON object with a schema in it, not true",
        ),
        ("[]", "must be a JSON object with a schema in it, not []"),
        ("null", "must be a JSON object"),
        ("\"object\"", "must be a JSON object"),
        ("{", "is not valid JSON"),
        ("{} {}", "is not valid JSON"),
        ("{}\0", "is not valid JSON"),
        (
            r#"{"type":"string"}"#,
            r#"describes "string", not an object; wrap it into a property"#,
        ),
        (
            r#"{"type":["string","null"]}"#,
            r#"describes ["string","null"], not an object"#,
        ),
        (r#"{"type":null}"#, "describes null, not an object"),
        (
            r#"{"type":"object","type":"string"}"#,
            "has two members of one name at `#/type`",
        ),
        (
            r#"{"properties":{"a":{"type":"strin"}}}"#,
            r##"must have a type name or a list of type names at `#/properties/a/type`, not "strin""##,
        ),
        (
            r#"{"properties":{"a":{"minimum":"1"}}}"#,
            r##"must have a number at `#/properties/a/minimum`, not "1""##,
        ),
        (
            r#"{"properties":{"a":{"minLength":-1}}}"#,
            "must have a count at `#/properties/a/minLength`, not -1",
        ),
        (
            r#"{"properties":{"a":{"required":true}}}"#,
            "must have a list of names at `#/properties/a/required`, not true",
        ),
        (
            r#"{"properties":[]}"#,
            "must have an object at `#/properties`, not []",
        ),
        (
            r#"{"properties":{"a":7}}"#,
            "must have a schema at `#/properties/a`, not 7",
        ),
        (
            r#"{"$ref":"https://example.com/schema.json"}"#,
            "refers to `https://example.com/schema.json`, which is outside of it; references are never fetched",
        ),
        (
            r#"{"properties":{"a":{"$ref":"other.json#/x"}}}"#,
            "refers to `other.json#/x`, which is outside of it",
        ),
        (r#"{"$ref":"file:///etc/passwd"}"#, "which is outside of it"),
        (
            r##"{"$ref":"#/$defs/no"}"##,
            "refers to `#/$defs/no`, which it does not contain",
        ),
        (
            r##"{"$ref":"#anchor"}"##,
            "refers to `#anchor`, which it does not contain",
        ),
        (r#"{"$ref":7}"#, "must have a reference at `#/$ref`, not 7"),
        (r##"{"$ref":"#"}"##, "refers to itself without end at `#`"),
        (
            r##"{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"anyOf":[{},{"$ref":"#/$defs/a"}]}}}"##,
            "refers to itself without end at `#/$defs/",
        ),
        (
            r##"{"properties":{"a":{"not":{"$ref":"#/properties/a"}}}}"##,
            "refers to itself without end at `#/properties/a`",
        ),
        (deep.as_str(), "is nested deeper than 100 levels"),
        (
            large.as_str(),
            "has 300018 bytes; at most 262144 are allowed",
        ),
    ] {
        let error = normal(schema).unwrap_err();
        assert!(
            error.starts_with("the input schema of the tool `t` "),
            "{error}"
        );
        assert!(error.contains(why), "{schema}: {error}");
        assert!(error.len() < 500);
    }
}

fn compiled(schema: &str) -> CompiledSchema {
    CompiledSchema::new(schema).unwrap_or_else(|error| panic!("{schema} {error}"))
}

fn fits(schema: &str, value: &str) -> bool {
    compiled(schema).check_value(value).is_ok()
}

#[test]
fn sch_6_references_inside_of_a_schema_are_followed() {
    for schema in [
        r##"{"properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"integer"}}}"##,
        r##"{"properties":{"a":{"$ref":"#/definitions/n"}},"definitions":{"n":{"type":"integer"}}}"##,
        r##"{"properties":{"a":{"$ref":"#n"}},"$defs":{"x":{"$anchor":"n","type":"integer"}}}"##,
        r##"{"properties":{"a":{"$ref":"#n"}},"$defs":{"x":{"$id":"#n","type":"integer"}}}"##,
        r##"{"properties":{"a":{"$dynamicRef":"#n"}},"$defs":{"x":{"$dynamicAnchor":"n","type":"integer"}}}"##,
        r##"{"$id":"https://x.org/a","properties":{"a":{"$ref":"n"}},"$defs":{"x":{"$id":"n","type":"integer"}}}"##,
        r##"{"$id":"https://x.org/a","properties":{"a":{"$ref":"https://x.org/a#/$defs/n"}},"$defs":{"n":{"type":"integer"}}}"##,
        r##"{"properties":{"a":{"$ref":"urn:n"}},"$defs":{"x":{"$id":"urn:n","type":"integer"}}}"##,
        r##"{"properties":{"a":{"$ref":"#/components/schemas/n"}},"components":{"schemas":{"n":{"type":"integer"}}}}"##,
        r##"{"properties":{"a":{"$ref":"#/$defs/a~1b~0%25"}},"$defs":{"a/b~%":{"type":"integer"}}}"##,
    ] {
        assert!(fits(schema, r#"{"a":1}"#), "{schema}");
        assert!(!fits(schema, r#"{"a":"x"}"#), "{schema}");
    }
}

#[test]
fn sch_6_older_drafts_are_understood() {
    for (schema, good, bad) in [
        (
            r#"{"items":[{"type":"integer"}],"additionalItems":false}"#,
            "[1]",
            "[1,2]",
        ),
        (
            r#"{"items":[{"type":"integer"}]}"#,
            r#"[1,"x"]"#,
            r#"["x"]"#,
        ),
        (
            r#"{"dependencies":{"a":["b"],"c":{"maxProperties":1}}}"#,
            r#"{"a":1,"b":2}"#,
            r#"{"a":1}"#,
        ),
        (
            r#"{"dependencies":{"a":["b"],"c":{"maxProperties":1}}}"#,
            r#"{"c":1}"#,
            r#"{"c":1,"d":2}"#,
        ),
        (r#"{"minimum":1,"exclusiveMinimum":true}"#, "2", "1"),
        (r#"{"exclusiveMaximum":true,"maximum":1}"#, "0", "1"),
        (r#"{"minimum":1,"exclusiveMinimum":false}"#, "1", "0"),
    ] {
        assert!(fits(schema, good) && !fits(schema, bad), "{schema}");
    }
}

#[test]
fn sch_6_keywords_that_are_not_checked_are_named_and_do_no_harm() {
    let schema = r##"{"properties":{"id":{"pattern":"^[a-z]+$"},"m":{"patternProperties":{"^x-":{"type":"integer"}},
        "additionalProperties":false}}}"##;
    assert_eq!(
        compiled(schema).unchecked(),
        [
            "#/properties/id/pattern",
            "#/properties/m/patternProperties"
        ]
    );
    // A name that may match is not called unknown.
    assert!(fits(schema, r#"{"id":"7","m":{"x-a":1,"y":2}}"#));
    let numbers =
        r#"{"patternProperties":{"^-?\\d+$":{"type":"integer"}},"additionalProperties":false}"#;
    assert!(compiled(numbers).unchecked().is_empty());
    assert!(fits(numbers, r#"{"-17":1,"0":2}"#));
    for value in [
        r#"{"1":"x"}"#,
        r#"{"x":1}"#,
        r#"{"":1}"#,
        r#"{"-":1}"#,
        r#"{"1.5":1}"#,
        r#"{"١":1}"#,
    ] {
        assert!(!fits(numbers, value), "{value}");
    }
    let many: Vec<_> = (0..5000)
        .map(|n| format!(r#""p{n}":{{"pattern":"x"}}"#))
        .collect();
    let many = compiled(&format!(r#"{{"properties":{{{}}}}}"#, many.join(",")));
    assert_eq!(many.unchecked().len(), 100);
    let dialect = compiled(r#"{"$schema":"https://example.com/my-own"}"#);
    assert_eq!(dialect.unchecked(), ["#/$schema"]);
}

#[test]
fn sch_6_a_long_chain_of_references_compiles_and_a_wide_schema_too() {
    let chain: Vec<_> = (0..3000)
        .map(|n| {
            format!(
                r##""d{n}":{{"properties":{{"x":{{"$ref":"#/$defs/d{}"}}}}}}"##,
                n + 1
            )
        })
        .collect();
    let schema = format!(
        r##"{{"$ref":"#/$defs/d0","$defs":{{{},"d3000":{{"type":"integer"}}}}}}"##,
        chain.join(",")
    );
    assert!(fits(&schema, r#"{"x":{"x":{}}}"#));
    // Without a step into the value the chain is only as long as it is allowed to be.
    let direct: Vec<_> = (0..5000)
        .map(|n| format!(r##""d{n}":{{"$ref":"#/$defs/d{}"}}"##, n + 1))
        .collect();
    let schema = format!(
        r##"{{"$ref":"#/$defs/d0","$defs":{{{},"d5000":{{}}}}}}"##,
        direct.join(",")
    );
    let error = compiled(&schema).check("{}").unwrap_err().to_string();
    assert!(error.contains("nested too deep"), "{error}");
}
