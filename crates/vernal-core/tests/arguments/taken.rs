//! ARG-1, ARG-2 and the names of ARG-5: which texts are arguments at all.

use serde::Deserialize;
use vernal_core::tool::{ArgumentPolicy, ToolInput};

use crate::{OPEN, accepted, complaints, read};

#[test]
fn arg_1_null_empty_and_blank_are_the_empty_object() {
    for arguments in ["", " ", "\t\n", "null", " null\r\n", "\u{3000}"] {
        assert_eq!(
            accepted(&ArgumentPolicy::default(), "", arguments).unwrap(),
            "{}"
        );
        assert_eq!(ToolInput::parse(arguments).unwrap().as_str(), "{}");
        let required = r#"{"required":["a"]}"#;
        assert_eq!(
            complaints(required, arguments),
            ["$.a: is required, but missing"]
        );
    }
}

#[test]
fn arg_2_the_whole_text_is_one_json_object() {
    for (arguments, needle) in [
        ("{} x", "trailing characters"),
        ("{}{}", "trailing characters"),
        ("{}\0", "trailing characters"),
        ("\0{}", "not valid JSON"),
        ("\u{feff}{}", "not valid JSON"),
        ("{\"a\":\"\u{1}\"}", "control character"),
        ("{\"a\":\"\n\"}", "control character"),
        ("{\"\u{0}\":1}", "control character"),
        (
            r#"{"a":"\ud800"}"#,
            "the string at $.a has half of a surrogate pair",
        ),
        (
            r#"{"a":{"\udc00":1}}"#,
            "the string at $.a has half of a surrogate pair",
        ),
        (r#"{"a":"\x41"}"#, "invalid escape"),
        (r#"{"a":01}"#, "not valid JSON"),
        (r#"{"a":+1}"#, "not valid JSON"),
        (r#"{"a":NaN}"#, "not valid JSON"),
        (r#"{"a":1,}"#, "not valid JSON"),
        ("{'a':1}", "not valid JSON"),
        ("[]", "must be one JSON object, not an array"),
        (r#""{}""#, "must be one JSON object, not a string"),
        ("0", "must be one JSON object, not a number"),
        ("false", "must be one JSON object, not a boolean"),
    ] {
        for policy in [
            ArgumentPolicy::default(),
            ArgumentPolicy::default().repair_code_fences(true),
        ] {
            let error = accepted(&policy, OPEN, arguments).unwrap_err();
            assert!(error.contains(needle), "{arguments:?}: {error}");
        }
        let error = ToolInput::parse(arguments).unwrap_err().to_string();
        assert!(error.contains(needle), "{arguments:?}: {error}");
    }
    // A pair of surrogates is a character, and an escaped NUL is one too.
    let text = r#"{"a":"\ud83d\ude00\u0000"}"#;
    assert_eq!(
        accepted(&ArgumentPolicy::default(), OPEN, text).unwrap(),
        text
    );
    assert_eq!(read::<Text>(text).a, "😀\0");
}

#[derive(Deserialize)]
struct Text {
    a: String,
}

#[test]
fn arg_2_repairs_are_off_unless_chosen() {
    let schema = r#"{"properties":{"a":{"type":"integer"}},"additionalProperties":false}"#;
    let fences = ArgumentPolicy::default().repair_code_fences(true);
    let strings = ArgumentPolicy::default().repair_double_encoding(true);
    let both = fences.clone().repair_double_encoding(true);
    for (arguments, repaired_by) in [
        ("```json\n{\"a\":1}\n```", [true, false, true]),
        ("```{\"a\":1}```", [true, false, true]),
        (r#""{\"a\":1}""#, [false, true, true]),
        ("```\n\"{\\\"a\\\":1}\"\n```", [false, false, true]),
        (r#""```json\n{\"a\":1}\n```""#, [false, false, true]),
        // Nothing else is guessed.
        ("Sure: ```{\"a\":1}```", [false; 3]),
        ("```json\n{\"a\":1}", [false; 3]),
        ("```json\n```", [false; 3]),
        ("```1```", [false; 3]),
        (r#""\"{\\\"a\\\":1}\"""#, [false; 3]),
        (r#""a""#, [false; 3]),
    ] {
        assert!(
            accepted(&ArgumentPolicy::default(), schema, arguments).is_err(),
            "{arguments}"
        );
        for (policy, repaired) in [&fences, &strings, &both].into_iter().zip(repaired_by) {
            let result = accepted(policy, schema, arguments);
            assert_eq!(
                result.is_ok(),
                repaired,
                "{arguments} {policy:?}: {result:?}"
            );
            if repaired {
                assert_eq!(result.unwrap(), r#"{"a":1}"#);
            }
        }
    }
}

#[test]
fn arg_5_a_name_given_twice_is_an_error_at_every_depth() {
    for (arguments, path) in [
        (r#"{"a":1,"a":1}"#, "$.a"),
        (r#"{"a":1,"\u0061":2}"#, "$.a"),
        (r#"{"x":[{"a":{"b":1,"c":2,"b":3}}]}"#, "$.x[0].a.b"),
    ] {
        assert_eq!(
            complaints(OPEN, arguments),
            [format!("{path}: is given twice")]
        );
        let error = ToolInput::parse(arguments).unwrap_err().to_string();
        assert_eq!(error, format!("the argument at {path} is given twice"));
    }
    let members: Vec<String> = (0..1000).map(|n| format!(r#""k{}":0"#, n % 999)).collect();
    let arguments = format!(r#"{{"x":{{{}}}}}"#, members.join(","));
    assert_eq!(complaints(OPEN, &arguments), ["$.x.k0: is given twice"]);
}
