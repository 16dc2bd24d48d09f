//! Any text as the arguments of a few tools, with coercion and every repair on.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use serde::Deserialize;
use serde_json::Value;
use vernal_core::message::RawArguments;
use vernal_core::tool::{ArgumentPolicy, ToolDefinition, ToolInput};

const SCHEMAS: [&str; 5] = [
    "{}",
    r#"{"properties":{"a":{"type":"integer","minimum":-5,"maximum":1e3},"b":{"type":["string","null"],"maxLength":4},
        "c":{"type":"array","items":{"type":"number","multipleOf":0.5},"uniqueItems":true},"d":{"enum":[1,"x",null,{"y":[2.0]}]}},
        "required":["a"],"additionalProperties":false}"#,
    r##"{"properties":{"t":{"$ref":"#/$defs/tree"}},"$defs":{"tree":{"type":"object","properties":{"v":{"type":"boolean"},
        "l":{"type":"array","items":{"$ref":"#/$defs/tree"}}},"required":["v"],"additionalProperties":false}}}"##,
    r#"{"properties":{"s":{"oneOf":[{"type":"object","properties":{"k":{"const":"a"},"n":{"type":"integer"}},"required":["k","n"]},
        {"type":"object","properties":{"k":{"const":"b"},"n":{"type":"string"}},"required":["k","n"]},{"type":"integer"}]},
        "u":{"anyOf":[{"type":"integer"},{"type":"boolean"},{"type":"array","prefixItems":[{"type":"integer"}],"items":false}]}}}"#,
    r#"{"allOf":[{"properties":{"x":{"type":"number"}}}],"patternProperties":{"^\\d+$":{"type":"integer"}},
        "propertyNames":{"maxLength":3},"dependentRequired":{"x":["y"]},"unevaluatedProperties":{"type":"string"},
        "if":{"required":["q"]},"then":{"maxProperties":1},"minProperties":1}"#,
];

static TOOLS: LazyLock<Vec<ToolDefinition>> = LazyLock::new(|| {
    let tool = |schema: &&str| ToolDefinition::builder("t").input_schema(*schema).build();
    SCHEMAS
        .iter()
        .map(|schema| tool(schema).expect("a good schema"))
        .collect()
});

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Typed {
    a: i64,
    b: Option<String>,
    c: Vec<f64>,
    d: Value,
    n: u128,
    e: Option<Choice>,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "read, not used")]
enum Choice {
    Unit,
    One(u8),
    Two(u8, char),
    Named { x: f32 },
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let raw = RawArguments(text.as_ref().into());
    let strict = ArgumentPolicy::default().coerce(false);
    let lenient = ArgumentPolicy::default()
        .repair_code_fences(true)
        .repair_double_encoding(true);
    for tool in &*TOOLS {
        let taken = strict.accept(tool, &raw);
        for policy in [&ArgumentPolicy::default(), &lenient] {
            match policy.accept(tool, &raw) {
                Ok(input) => {
                    assert_eq!(tool.compiled_schema().check(input.as_str()), Ok(()));
                    assert_eq!(ToolInput::parse(input.as_str()).ok().as_ref(), Some(&input));
                    if let Ok(strictly) = &taken {
                        assert_eq!(strictly, &input);
                    }
                    read(&input);
                }
                Err(violations) => {
                    assert!(taken.is_err());
                    assert!(violations.iter().count() > 0);
                    assert!(violations.to_string().len() <= 1900);
                }
            }
        }
    }
    if let Ok(input) = ToolInput::parse(&text) {
        read(&input);
    }
    let valid = raw.as_valid_object();
    assert!(matches!(
        serde_json::from_str(&valid),
        Ok(Value::Object(_)) | Err(_)
    ));
});

fn read(input: &ToolInput) {
    let _ = input.parse_as::<Typed>();
    let ours = input.parse_as::<Value>();
    let theirs = serde_json::from_str::<Value>(input.as_str());
    assert_eq!(ours.is_ok(), theirs.is_ok(), "{ours:?} {theirs:?}");
    let fields = input.fields().expect("checked input has fields");
    for (name, value) in fields.iter() {
        assert_eq!(fields.raw(name).map(|raw| raw.get()), Some(value.get()));
        let _ = fields.read::<i128>(name);
        let _ = fields.read::<Choice>(name);
    }
}
