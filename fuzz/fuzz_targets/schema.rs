//! Any text as a schema, and a few values against it; what follows a NUL is one more value.

#![no_main]

use libfuzzer_sys::fuzz_target;
use vernal_core::message::RawArguments;
use vernal_core::tool::schema::CompiledSchema;
use vernal_core::tool::{ArgumentPolicy, ToolDefinition};

const VALUES: [&str; 8] = [
    "{}",
    r#"{"a":1,"b":"x"}"#,
    r#"{"a":{"a":{"a":[{"b":null}]}}}"#,
    r#"{"a":"1","b":"{\"a\":\"true\"}","c":["1","2",1]}"#,
    r#"[1,1.0,"x",[],{"a":[]}]"#,
    "\"a text\"",
    "1e2",
    "null",
];

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let (schema, value) = text.split_once('\0').unwrap_or((&text, "{}"));
    let values = || VALUES.iter().copied().chain([value]);
    if let Ok(compiled) = CompiledSchema::new(schema) {
        assert!(compiled.unchecked().len() <= 100);
        for value in values() {
            if let Err(violations) = compiled.check_value(value) {
                assert!(violations.iter().count() > 0);
                assert!(violations.to_string().len() <= 1900);
            }
        }
    }
    match ToolDefinition::builder("t").input_schema(schema).build() {
        Ok(tool) => {
            let again = ToolDefinition::builder("t")
                .input_schema(tool.input_schema())
                .build();
            assert_eq!(
                again.expect("the normal form is one").input_schema(),
                tool.input_schema()
            );
            for value in values() {
                let raw = RawArguments(value.into());
                if let Ok(input) = ArgumentPolicy::default().accept(&tool, &raw) {
                    assert_eq!(tool.compiled_schema().check(input.as_str()), Ok(()));
                }
            }
        }
        Err(error) => assert!(error.to_string().len() < 1000),
    }
});
