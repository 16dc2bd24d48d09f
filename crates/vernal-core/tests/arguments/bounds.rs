//! Sizes, depths, times, and the 2 KB of ERR-4.

use std::time::{Duration, Instant};

use vernal_core::message::RawArguments;
use vernal_core::tool::schema::CompiledSchema;
use vernal_core::tool::{ArgumentPolicy, ToolDefinition, ToolInput};

use crate::{OPEN, accepted, definition};

#[test]
fn size_and_depth_are_bounded() {
    let policy = ArgumentPolicy::default().max_bytes(20);
    assert!(accepted(&policy, OPEN, r#"{"a":"1234567890"}"#).is_ok());
    let error = accepted(&policy, OPEN, r#"{"a":"1234567890123"}"#).unwrap_err();
    assert_eq!(error, "$: the arguments have 21 bytes; at most 20 are read");

    let nested = |levels: usize| format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
    let policy = ArgumentPolicy::default();
    assert!(accepted(&policy, OPEN, &nested(100)).is_ok());
    assert!(
        ToolInput::parse(&nested(100))
            .unwrap()
            .parse_as::<serde_json::Value>()
            .is_ok()
    );
    for levels in [101, 1000, 100_000] {
        let error = accepted(&policy, OPEN, &nested(levels)).unwrap_err();
        assert_eq!(error, "$: the arguments are nested deeper than 100 levels");
        assert!(ToolInput::parse(&nested(levels)).is_err());
    }
}

/// Texts that try to make the complaint about them long.
#[test]
fn err_4_what_a_model_is_told_is_at_most_2_kb() {
    let values: Vec<String> = (0..10_000)
        .map(|n| format!("\"value number {n}\""))
        .collect();
    let long_name = "n".repeat(50_000);
    let schemas = [
        format!(r#"{{"additionalProperties":{{"enum":[{}]}}}}"#, values[..8000].join(",")),
        r#"{"additionalProperties":{"type":"integer"}}"#.to_owned(),
        r#"{"additionalProperties":{"anyOf":[{"type":"integer"},{"enum":["é"]},{"const":{"a":[]}},{"maxProperties":0},{"maxItems":0}]}}"#.to_owned(),
        format!(r#"{{"properties":{{"{long_name}":{{}}}},"required":["{long_name}"],"additionalProperties":false}}"#),
        format!(r#"{{"const":{{"a":"{long_name}"}}}}"#),
        format!(r#"{{"required":[{}]}}"#, values.join(",")),
        r#"{"propertyNames":{"maxLength":1},"not":{}}"#.to_owned(),
    ];
    let many: Vec<String> = (0..20_000).map(|n| format!("\"k{n}\":\"é{n}\"")).collect();
    let deep = format!(
        "{}{}",
        r#"{"long name of many":["#.repeat(40),
        "]}".repeat(40)
    );
    let arguments = [
        format!("{{{}}}", many.join(",")),
        format!(r#"{{"{0}":"{0}","{0}x":["{0}"]}}"#, "é\\\"".repeat(20_000)),
        deep,
        format!("{{\"a\":{}", "1".repeat(100_000)),
        "{}".to_owned(),
    ];
    let name = "t".repeat(128);
    for schema in &schemas {
        let tool = ToolDefinition::builder(name.as_str())
            .input_schema(schema.as_str())
            .build()
            .unwrap();
        for arguments in &arguments {
            let Err(violations) = tool.compiled_schema().check(arguments) else {
                continue;
            };
            let told =
                format!("The tool `{name}` was not run: its arguments do not fit.\n{violations}");
            assert!(told.len() <= 2048, "{}: {told}", told.len());
            assert!(violations.iter().count() <= 100);
            for violation in violations.iter() {
                assert!(violation.message.len() <= 512 && violation.path.len() <= 2048);
            }
        }
    }
}

fn quickly<T>(what: &str, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = run();
    let took = start.elapsed();
    // A debug build on a busy machine gets here in well under a second.
    assert!(took < Duration::from_secs(20), "{what} took {took:?}");
    result
}

fn told(schema: &str, arguments: &str) -> String {
    let compiled = CompiledSchema::new(schema).unwrap();
    let said = quickly(schema.get(..60).unwrap_or(schema), || {
        compiled.check(arguments)
    });
    said.map_or_else(|violations| violations.to_string(), |()| "fits".to_owned())
}

#[test]
fn a_hostile_schema_cannot_make_checking_take_long() {
    // Every level doubles the work.
    let bomb = |keyword: &str| {
        let levels: Vec<String> = (0..60)
            .map(|n| format!(r##""d{n}":{{"{keyword}":[{{"$ref":"#/$defs/d{0}"}},{{"$ref":"#/$defs/d{0}"}}]}}"##, n + 1))
            .collect();
        format!(
            r##"{{"$ref":"#/$defs/d0","$defs":{{{},"d60":{{"minProperties":1}}}}}}"##,
            levels.join(",")
        )
    };
    for keyword in ["allOf", "anyOf", "oneOf"] {
        for arguments in ["{}", r#"{"a":1}"#] {
            let text = told(&bomb(keyword), arguments);
            assert!(text.len() <= 2048, "{keyword}: {text}");
        }
    }
    assert!(told(&bomb("allOf"), r#"{"a":1}"#).contains("too many steps"));
    // With nothing but the result in question, every answer is known after the first time.
    assert_eq!(told(&bomb("anyOf"), r#"{"a":1}"#), "fits");

    // One schema for every level of the value, tried for every alternative.
    let tree = r##"{"anyOf":[{"properties":{"a":{"$ref":"#"}},"required":["a","b"]},
        {"properties":{"a":{"$ref":"#"}},"required":["a","c"]},{"properties":{"a":{"$ref":"#"}},"required":["a","d"]}]}"##;
    let value = format!("{}1{}", r#"{"a":"#.repeat(90), "}".repeat(90));
    assert!(told(tree, &value).len() <= 2048);
    let unevaluated = tree.replacen('{', r#"{"unevaluatedProperties":false,"#, 1);
    assert!(told(&unevaluated, &value).len() <= 2048);

    let numbers: Vec<String> = (0..50_000).map(|n| n.to_string()).collect();
    let values = format!(r#"{{"a":[{}]}}"#, numbers.join(","));
    let listed = format!(
        r#"{{"properties":{{"a":{{"items":{{"enum":[{}]}}}}}}}}"#,
        numbers[..20_000].join(",")
    );
    assert!(told(&listed, &values).contains("too many steps"));
    assert_eq!(
        told(r#"{"properties":{"a":{"uniqueItems":true}}}"#, &values),
        "fits"
    );
    let contains = r#"{"properties":{"a":{"contains":{"const":-1},"unevaluatedItems":true}}}"#;
    assert!(told(contains, &values).contains("matching items"));

    let members: Vec<String> = (0..20_000).map(|n| format!("\"k{n}\":0")).collect();
    let names: Vec<String> = (0..20_000).map(|n| format!("\"x{n}\"")).collect();
    let object = format!("{{{}}}", members.join(","));
    assert!(told(&format!(r#"{{"required":[{}]}}"#, names.join(",")), &object).contains("and "));
    assert!(told(r#"{"propertyNames":{"minLength":1}}"#, &object) == "fits");
}

#[test]
fn a_hostile_schema_cannot_make_coercion_take_long() {
    let accept = |schema: &str, arguments: &str| {
        let tool = definition(schema);
        let raw = RawArguments(arguments.into());
        let policy = ArgumentPolicy::default();
        quickly(schema.get(..60).unwrap_or(schema), || {
            policy.accept(&tool, &raw)
        })
    };
    // A long text that each of many alternatives is tried for.
    let values: Vec<String> = (0..15_000).map(|n| format!("{{\"const\":{n}}}")).collect();
    let schema = format!(
        r#"{{"properties":{{"a":{{"anyOf":[{}]}}}}}}"#,
        values.join(",")
    );
    let long = format!(r#"{{"a":"{}"}}"#, "x".repeat(900_000));
    assert!(accept(&schema, &long).is_err());
    // Alternatives inside alternatives, each with something to change.
    let tree = r##"{"anyOf":[{"properties":{"a":{"$ref":"#"},"d":{"type":"integer"}},"required":["a","b"]},
        {"properties":{"a":{"$ref":"#"},"d":{"type":"integer"}},"required":["a","d"]}]}"##;
    let deep = format!("{}1{}", r#"{"d":"1","a":"#.repeat(90), "}".repeat(90));
    assert!(accept(tree, &deep).is_err());
    let chain: Vec<String> = (0..60)
        .map(|n| {
            format!(
                r##""d{n}":{{"anyOf":[{{"$ref":"#/$defs/d{0}"}},{{"$ref":"#/$defs/d{0}"}}]}}"##,
                n + 1
            )
        })
        .collect();
    let bomb = format!(
        r##"{{"$ref":"#/$defs/d0","$defs":{{{},"d60":{{"properties":{{"x":{{"type":"integer"}}}}}}}}}}"##,
        chain.join(",")
    );
    assert_eq!(
        accept(&bomb, r#"{"x":"1"}"#).unwrap().as_str(),
        r#"{"x":1}"#
    );
    let items: Vec<String> = (0..50_000).map(|n| format!("\"{n}\"")).collect();
    let many = format!(r#"{{"a":[{}]}}"#, items.join(","));
    let schema =
        r#"{"properties":{"a":{"items":{"anyOf":[{"type":"boolean"},{"type":"integer"}]}}}}"#;
    assert_eq!(
        accept(schema, &many).unwrap().as_str(),
        many.replace("[\"", "[")
            .replace("\",\"", ",")
            .replace("\"]", "]")
    );
}

#[test]
fn a_large_value_is_checked_whole() {
    let items: Vec<String> = (0..100_000)
        .map(|n| format!(r#"{{"id":{n},"tag":"x"}}"#))
        .collect();
    let schema = r#"{"properties":{"a":{"type":"array","items":{"anyOf":[{"type":"null"},
        {"type":"object","properties":{"id":{"type":"integer"},"tag":{"enum":["x","y"]}},"required":["id","tag"],
         "additionalProperties":false}]}}}}"#;
    let mut value = format!(r#"{{"a":[{}]}}"#, items.join(","));
    assert_eq!(told(schema, &value), "fits");
    let last = value.rfind("\"x\"").unwrap();
    value.replace_range(last..last + 3, "\"z\"");
    assert_eq!(
        told(schema, &value),
        r#"$.a[99999].tag: expected one of "x", "y", got "z""#
    );
}

#[test]
fn nesting_never_overflows_the_stack() {
    // 100 levels of the value, each through a chain of references: on half the stack of a thread.
    let chain: Vec<String> = (0..30)
        .map(|n| format!(r##""d{n}":{{"allOf":[{{"$ref":"#/$defs/d{}"}}]}}"##, n + 1))
        .collect();
    let schema = format!(
        r##"{{"$ref":"#/$defs/d0","$defs":{{{},"d30":{{"type":["object","array","integer","string"],"additionalProperties":{{"$ref":"#/$defs/d0"}},"items":{{"$ref":"#/$defs/d0"}}}}}}}}"##,
        chain.join(",")
    );
    let values = [
        format!("{}1{}", r#"{"a":"#.repeat(100), "}".repeat(100)),
        format!(r#"{{"a":{}"1"{}}}"#, "[".repeat(99), "]".repeat(99)),
    ];
    let worker = std::thread::Builder::new().stack_size(1024 * 1024).spawn(move || {
        for value in values {
            let schema = definition(&schema);
            let compiled = schema.compiled_schema();
            let text = compiled.check(&value).unwrap_err().to_string();
            assert!(text.contains("nested too deep"), "{text}");
            assert!(ArgumentPolicy::default().accept(&schema, &RawArguments(value.into())).is_err());
        }
        // A string in a string in a string: each level is unpacked by coercion.
        let mut text = "1".to_owned();
        while text.len() < 200_000 {
            text = serde_json::to_string(&format!("[{text}]")).unwrap();
        }
        let nested = definition(r##"{"properties":{"a":{"$ref":"#/$defs/l"}},"$defs":{"l":{"type":["array","integer"],"items":{"$ref":"#/$defs/l"}}}}"##);
        let arguments = format!(r#"{{"a":{text}}}"#);
        let taken = ArgumentPolicy::default().accept(&nested, &RawArguments(arguments.into()));
        assert!(taken.unwrap().as_str().starts_with(r#"{"a":[["#));
    });
    worker.unwrap().join().unwrap();
}
