//! What a program gets that has `arbitrary_precision` on.

use serde::Deserialize;
use serde_json::Value;
use vernal_core::tool::ToolInput;

#[test]
fn a_value_keeps_the_digits_that_no_float_has() {
    for number in [
        "123456789012345678901234567890",
        "0.1000000000000000000001",
        "1e400",
    ] {
        let input = ToolInput::parse(&format!(r#"{{"n":{number}}}"#)).unwrap();
        let value: Value = input.parse_as().unwrap();
        assert_eq!(
            value,
            serde_json::from_str::<Value>(input.as_str()).unwrap()
        );
        assert_eq!(
            input.fields().unwrap().read::<Value>("n").unwrap(),
            value["n"]
        );
    }
}

/// serde_json alone cannot read these then.
#[test]
fn floats_in_flattened_and_tagged_types_are_read() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Outer {
        #[serde(flatten)]
        inner: Inner,
        one: Tagged,
        two: Untagged,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    struct Inner {
        f: f64,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(tag = "kind")]
    enum Tagged {
        A { f: f64 },
    }
    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(untagged)]
    enum Untagged {
        Number(f64),
    }
    let text = r#"{"f":1.5,"one":{"kind":"A","f":2.50},"two":0.1}"#;
    let read: Outer = ToolInput::parse(text).unwrap().parse_as().unwrap();
    let expected = Outer {
        inner: Inner { f: 1.5 },
        one: Tagged::A { f: 2.5 },
        two: Untagged::Number(0.1),
    };
    assert_eq!(read, expected);
}
