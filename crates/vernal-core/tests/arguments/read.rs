//! ARG-5: what arrives in a Rust type.

use serde::Deserialize;
use serde_json::value::RawValue;
use vernal_core::tool::{ArgumentPolicy, ToolInput};

use crate::{accepted, read};

#[derive(Debug, Deserialize, PartialEq)]
struct Numbers {
    u: u64,
    i: i64,
    w: i128,
    x: u128,
    f: f64,
    g: f32,
    decimal: String,
}

#[test]
fn arg_5_numbers_arrive_with_every_digit() {
    let schema = r#"{"properties":{"u":{"type":"integer"},"i":{"type":"integer"},"w":{"type":"integer"},
        "x":{"type":"integer"},"f":{"type":"number"},"g":{"type":"number"},"decimal":{"type":"string"}}}"#;
    let expected = Numbers {
        u: u64::MAX,
        i: i64::MIN,
        w: i128::MIN,
        x: u128::MAX,
        f: 0.1 + 0.2,
        g: 16_777_217.0_f64 as f32,
        decimal: "123456789012345678901234567890.10".to_owned(),
    };
    let numbers = |quote: &str, unquote: &str| {
        format!(
            r#"{{"u":{quote}18446744073709551615{quote},"i":{quote}-9223372036854775808{quote},
            "w":{quote}-170141183460469231731687303715884105728{quote},
            "x":{quote}340282366920938463463374607431768211455{quote},
            "f":{quote}0.30000000000000004{quote},"g":{quote}16777217{quote},
            "decimal":{unquote}123456789012345678901234567890.10{unquote}}}"#
        )
    };
    for text in [numbers("", "\""), numbers("\"", "")] {
        let taken = accepted(&ArgumentPolicy::default(), schema, &text).unwrap();
        assert_eq!(read::<Numbers>(&taken), expected, "{text}");
        let input = ToolInput::parse(&taken).unwrap();
        let fields = input.fields().unwrap();
        assert_eq!(fields.read::<u128>("x").unwrap(), u128::MAX);
        assert_eq!(
            fields.read::<f64>("f").unwrap().to_bits(),
            0.300_000_000_000_000_04_f64.to_bits()
        );
        assert_eq!(fields.raw("i").unwrap().get(), "-9223372036854775808");
    }
}

#[test]
fn arg_5_floats_are_read_to_the_last_bit() {
    #[derive(Deserialize)]
    struct Float {
        f: f64,
    }
    // serde_json on its own is off by one bit for some of these.
    let mut bits = 0x3ff0_0000_0000_0001_u64;
    for _ in 0..2000 {
        bits = bits
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let float = f64::from_bits(bits);
        if float.is_finite() {
            let text = format!(r#"{{"f":{float:e}}}"#);
            assert_eq!(read::<Float>(&text).f.to_bits(), bits, "{text}");
        }
    }
    for (text, value) in [
        ("-0", -0.0),
        ("-0.0", -0.0),
        ("1e-400", 0.0),
        ("5e-324", 5e-324),
    ] {
        let read = read::<Float>(&format!(r#"{{"f":{text}}}"#)).f;
        assert_eq!(read.to_bits(), f64::to_bits(value), "{text}");
    }
    // Rounded once: as an `f64` in between, this would be half way and go down.
    let input = ToolInput::parse(r#"{"g":16777217.00000000000001}"#).unwrap();
    assert_eq!(
        input.fields().unwrap().read::<f32>("g").unwrap(),
        16_777_218.0
    );
    let too_large = ToolInput::parse(r#"{"f":1e400}"#)
        .unwrap()
        .parse_as::<Float>();
    assert!(
        too_large
            .err()
            .unwrap()
            .to_string()
            .contains("$.f: expected a number that a float can hold, got a number 1e400")
    );
    let too_large = ToolInput::parse(r#"{"g":1e39}"#).unwrap();
    let error = too_large.fields().unwrap().read::<f32>("g").unwrap_err();
    assert!(error.to_string().contains("a float can hold"), "{error}");
}

#[test]
fn arg_5_an_integer_may_be_spelled_like_a_float() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Count {
        n: u8,
    }
    let schema = r#"{"properties":{"n":{"type":"integer"}}}"#;
    for text in [
        r#"{"n":3.0}"#,
        r#"{"n":3e0}"#,
        r#"{"n":0.3e1}"#,
        r#"{"n":"3.0"}"#,
    ] {
        let taken = accepted(&ArgumentPolicy::default(), schema, text).unwrap();
        assert_eq!(read::<Count>(&taken), Count { n: 3 }, "{text}");
    }
    // Not one that only looks like an integer once digits are dropped.
    assert!(
        accepted(
            &ArgumentPolicy::default(),
            schema,
            r#"{"n":3.00000000000000000001}"#
        )
        .is_err()
    );
}

#[test]
fn what_a_type_cannot_read_is_told_with_its_path() {
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "read, not used")]
    struct Outer {
        list: Vec<Inner>,
        #[serde(default)]
        raw: Option<Box<RawValue>>,
        #[serde(default)]
        by_id: std::collections::BTreeMap<u8, bool>,
        #[serde(default)]
        way: Option<Way>,
    }
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "read, not used")]
    struct Inner {
        n: u8,
    }
    #[derive(Debug, Deserialize)]
    enum Way {
        Out,
        In(u8),
        Both { a: (u8, u8) },
    }
    let error = |text: &str| {
        let result = ToolInput::parse(text).unwrap().parse_as::<Outer>();
        result.unwrap_err().to_string()
    };
    for (text, expected) in [
        (
            r#"{"list":[{"n":1},{"n":300}]}"#,
            "$.list[1].n: expected an integer from 0 to 255, got a number 300",
        ),
        (
            r#"{"list":[{"n":1.5}]}"#,
            "$.list[0].n: expected an integer from 0 to 255, got a number 1.5",
        ),
        (r#"{"list":[{}]}"#, "$.list[0].n: is required, but missing"),
        (
            r#"{"list":[],"by_id":{"x":true}}"#,
            r#"$.by_id.x: expected an integer from 0 to 255, got a string "x""#,
        ),
        (
            r#"{"list":[],"way":"In"}"#,
            "$.way: expected a variant with a value, got unit variant",
        ),
        (
            r#"{"list":[],"way":{"Out":1}}"#,
            "$.way.Out: expected null, got a number 1",
        ),
        (
            r#"{"list":[],"way":{"Both":{"a":[1]}}}"#,
            "$.way.Both.a: expected a tuple of size 2, got 1 in all",
        ),
        (
            r#"{"list":[],"way":{"Both":{"a":[1,2,3]}}}"#,
            "$.way.Both.a: expected fewer elements in array, got 3 in all",
        ),
        (
            r#"{"list":[],"way":{"In":1,"Out":1}}"#,
            "$.way: expected an object with a single member, got an object",
        ),
        (
            r#"{"list":[],"way":7}"#,
            "$.way: expected a string or an object, got a number 7",
        ),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
    let long = error(&format!(r#"{{"list":"{}"}}"#, "é".repeat(100_000)));
    assert!(long.len() < 1000, "{}", long.len());

    let fine = r#"{"list":[{"n":1,"extra":{}}],"raw":{"big":12345678901234567890123,"a":[ 1 ]},
        "by_id":{"7":true},"way":{"Both":{"a":[1,2]}}}"#;
    let outer: Outer = read(fine);
    assert_eq!(
        outer.raw.unwrap().get(),
        r#"{"big":12345678901234567890123,"a":[ 1 ]}"#
    );
    assert!(outer.by_id[&7]);
    assert!(matches!(outer.way, Some(Way::Both { a: (1, 2) })));
    assert!(matches!(
        read::<Outer>(r#"{"list":[],"way":"Out"}"#).way,
        Some(Way::Out)
    ));
    assert!(matches!(
        read::<Outer>(r#"{"list":[],"way":{"In":7}}"#).way,
        Some(Way::In(7))
    ));
    // As serde_json itself reads it.
    let value: serde_json::Value =
        read(r#"{"a":[1,-1,1.5,true,null,"x",{"b":18446744073709551615}]}"#);
    assert_eq!(
        value,
        serde_json::json!({"a":[1,-1,1.5,true,null,"x",{"b":u64::MAX}]})
    );
}
