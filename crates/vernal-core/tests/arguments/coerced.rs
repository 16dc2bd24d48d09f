//! ARG-4: values become what they spell.

use vernal_core::tool::ArgumentPolicy;

use crate::accepted;

#[test]
fn arg_4_values_become_what_they_spell_where_nothing_is_lost() {
    let schema = r##"{"properties":{
        "i":{"type":"integer"},"n":{"type":"number"},"s":{"type":"string"},"b":{"type":"boolean"},
        "o":{"type":"object","properties":{"x":{"type":"integer"}}},
        "l":{"type":"array","items":{"type":"integer"}},
        "p":{"prefixItems":[{"type":"integer"},{"type":"string"}]},
        "m":{"additionalProperties":{"type":"integer"}},
        "u":{"type":["integer","null"]},
        "a":{"anyOf":[{"type":"integer"},{"type":"null"}]},
        "t":{"oneOf":[{"type":"object","properties":{"k":{"const":"x"},"v":{"type":"integer"}},"required":["k","v"]},
                      {"type":"object","properties":{"k":{"const":"y"},"v":{"type":"boolean"}},"required":["k","v"]}]},
        "e":{"type":"string","enum":["1","2"]},
        "r":{"$ref":"#/$defs/tree"},
        "big":{"type":"integer","maximum":18446744073709551616}},
        "$defs":{"tree":{"type":"object","properties":{"v":{"type":"integer"},
            "kids":{"type":"array","items":{"$ref":"#/$defs/tree"}}}}}}"##;
    let policy = ArgumentPolicy::default();
    let strict = ArgumentPolicy::default().coerce(false);
    for (given, coerced) in [
        (r#"{"i":"3"}"#, r#"{"i":3}"#),
        (r#"{"i":"-0"}"#, r#"{"i":-0}"#),
        (
            r#"{"i":"12345678901234567890123"}"#,
            r#"{"i":12345678901234567890123}"#,
        ),
        (
            r#"{"n":"0.10000000000000000001"}"#,
            r#"{"n":0.10000000000000000001}"#,
        ),
        (r#"{"n":"1e400"}"#, r#"{"n":1e400}"#),
        (r#"{"n":" 2.50 "}"#, r#"{"n":2.50}"#),
        (
            r#"{"s":12345678901234567890123}"#,
            r#"{"s":"12345678901234567890123"}"#,
        ),
        (r#"{"s":1.50}"#, r#"{"s":"1.50"}"#),
        (r#"{"b":"true"}"#, r#"{"b":true}"#),
        (r#"{"o":"{\"x\":1}"}"#, r#"{"o":{"x":1}}"#),
        (r#"{"o":"{\"x\":\"1\"}"}"#, r#"{"o":{"x":1}}"#),
        (r#"{ "l" : [ "1" , 2,"3" ] }"#, r#"{ "l" : [ 1 , 2,3 ] }"#),
        (r#"{"l":"[1,\"2\"]"}"#, r#"{"l":[1,2]}"#),
        (r#"{"p":["1",2,"3"]}"#, r#"{"p":[1,"2","3"]}"#),
        (r#"{"m":{"a":"1","b":2}}"#, r#"{"m":{"a":1,"b":2}}"#),
        (r#"{"u":"7"}"#, r#"{"u":7}"#),
        (r#"{"a":"7"}"#, r#"{"a":7}"#),
        (
            r#"{"t":{"k":"y","v":"true"}}"#,
            r#"{"t":{"k":"y","v":true}}"#,
        ),
        (
            r#"{"t":"{\"k\":\"x\",\"v\":\"1\"}"}"#,
            r#"{"t":{"k":"x","v":1}}"#,
        ),
        (r#"{"e":1}"#, r#"{"e":"1"}"#),
        // A strict mode makes a model write every member: `null` means that it is absent.
        (r#"{"i":null,"s":null , "u":null}"#, r#"{"u":null}"#),
        (
            r#"{"r":{"v":1,"kids":[{"v":"2","kids":"[{\"v\":\"3\"}]"}]}}"#,
            r#"{"r":{"v":1,"kids":[{"v":2,"kids":[{"v":3}]}]}}"#,
        ),
        (
            r#"{"big":"18446744073709551616"}"#,
            r#"{"big":18446744073709551616}"#,
        ),
    ] {
        assert_eq!(
            accepted(&policy, schema, given).as_deref(),
            Ok(coerced),
            "{given}"
        );
        assert!(accepted(&strict, schema, given).is_err(), "{given}");
    }
    for refused in [
        r#"{"i":"three"}"#,
        r#"{"i":"3.5"}"#,
        r#"{"i":"007"}"#,
        r#"{"i":"0x10"}"#,
        r#"{"i":""}"#,
        r#"{"i":"null"}"#,
        r#"{"i":true}"#,
        r#"{"b":1}"#,
        r#"{"b":"yes"}"#,
        r#"{"b":"True"}"#,
        r#"{"s":true}"#,
        r#"{"t":{"k":"x","v":null}}"#,
        r#"{"s":["x"]}"#,
        r#"{"l":1}"#,
        r#"{"l":"1"}"#,
        r#"{"o":"{\"x\":1,\"x\":2}"}"#,
        r#"{"o":"{\"x\":1} "  }x"#,
        r#"{"a":"null"}"#,
        r#"{"e":3}"#,
        r#"{"big":"18446744073709551617"}"#,
        r#"{"i":"1","i":"2"}"#,
    ] {
        assert!(accepted(&policy, schema, refused).is_err(), "{refused}");
    }
    // What fits as it is stays as it is, byte for byte.
    for same in [r#"{ "i":3.0 ,"s":"3","u":null}"#, r#"{"a":null,"x":"1"}"#] {
        assert_eq!(accepted(&policy, schema, same).as_deref(), Ok(same));
    }
}

#[test]
fn arg_4_an_unmendable_violation_is_told_without_what_could_be_mended() {
    let schema =
        r#"{"properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["c"]}"#;
    let error = accepted(&ArgumentPolicy::default(), schema, r#"{"a":"1","b":"x"}"#).unwrap_err();
    assert_eq!(
        error,
        "$.b: expected an integer, got a string \"x\"\n$.c: is required, but missing"
    );
}
