//! ARG-3: what does not fit, where, and in words that help.

use crate::{complaints, definition};

#[test]
fn arg_3_an_unknown_argument_is_named_with_the_one_that_may_be_meant() {
    let schema = r#"{"properties":{"city":{},"days":{}},"additionalProperties":false}"#;
    assert_eq!(
        complaints(schema, r#"{"citty":"x","zzzzzz":1}"#),
        [
            "$.citty: there is no such argument; did you mean `city`? known are: city, days",
            "$.zzzzzz: there is no such argument; known are: city, days",
        ]
    );
    let enumerated = r#"{"properties":{"u":{"enum":["celsius","fahrenheit"]}}}"#;
    assert_eq!(
        complaints(enumerated, r#"{"u":"celcius"}"#),
        [r#"$.u: expected one of "celsius", "fahrenheit", got "celcius"; did you mean "celsius"?"#]
    );
}

#[test]
fn arg_3_paths_are_clear_whatever_the_names_are() {
    let schema = r#"{"additionalProperties":{"additionalProperties":{"type":"integer"}}}"#;
    let arguments = r#"{"a.b":{"c":""},"a":{"b.c":"","it's":"","\"]":"","도시":"","0":"","":""}}"#;
    let paths: Vec<String> = definition(schema)
        .compiled_schema()
        .check(arguments)
        .unwrap_err()
        .iter()
        .map(|violation| violation.path.clone())
        .collect();
    assert_eq!(
        paths,
        [
            r#"$["a.b"].c"#,
            r#"$.a["b.c"]"#,
            r#"$.a["it's"]"#,
            r#"$.a["\"]"]"#,
            "$.a.도시",
            r#"$.a["0"]"#,
            r#"$.a[""]"#,
        ]
    );
}

const SHAPES: &str = r##"{"properties":{"shape":{"oneOf":[{"$ref":"#/$defs/circle"},{"$ref":"#/$defs/square"}]},
    "size":{"anyOf":[{"type":"integer"},{"type":"string","maxLength":3},{"type":"null"}]},
    "maybe":{"anyOf":[{"$ref":"#/$defs/circle"},{"type":"null"}]},
    "wrapped":{"oneOf":[{"type":"object","properties":{"A":{"type":"integer"}},"required":["A"],"additionalProperties":false},
        {"type":"object","properties":{"B":{"type":"integer"}},"required":["B"],"additionalProperties":false}]},
    "word":{"oneOf":[{"const":"on","description":"x"},{"const":"off"}]},
    "same":{"oneOf":[{"type":"integer"},{"multipleOf":2}]}},
    "$defs":{"circle":{"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"}},
        "required":["kind","r"],"additionalProperties":false},
      "square":{"type":"object","properties":{"kind":{"const":"square"},"a":{"type":"number"}},
        "required":["kind","a"],"additionalProperties":false}}}"##;

#[test]
fn arg_3_of_alternatives_the_one_that_was_meant_is_spoken_of() {
    for (arguments, expected) in [
        (
            r#"{"shape":{"kind":"circle"}}"#,
            "$.shape.r: is required, but missing",
        ),
        (
            r#"{"shape":{"kind":"square","a":"1x"}}"#,
            r#"$.shape.a: expected a number, got a string "1x""#,
        ),
        (
            r#"{"shape":{"kind":"sqare","a":1}}"#,
            r#"$.shape.kind: expected one of "circle", "square", got "sqare"; did you mean "square"?"#,
        ),
        (
            r#"{"shape":{"a":1}}"#,
            r#"$.shape.kind: is required, but missing; it is one of "circle", "square""#,
        ),
        (
            r#"{"shape":7}"#,
            "$.shape: expected an object, got a number 7",
        ),
        (
            r#"{"size":true}"#,
            "$.size: expected a string or an integer or null, got a boolean true",
        ),
        (
            r#"{"size":"long"}"#,
            "$.size: expected a string of at most 3 characters, got 4",
        ),
        (
            r#"{"maybe":{"kind":"circle","r":1,"x":0}}"#,
            "$.maybe.x: there is no such argument; known are: kind, r",
        ),
        (
            r#"{"wrapped":{"B":"x"}}"#,
            r#"$.wrapped.B: expected an integer, got a string "x""#,
        ),
        (
            r#"{"wrapped":{"C":1}}"#,
            "$.wrapped: fits no alternative: $.wrapped.C: there is no such argument; known are: A; \
             or $.wrapped.C: there is no such argument; known are: B",
        ),
        (
            r#"{"word":"offf"}"#,
            r#"$.word: expected one of "on", "off", got "offf"; did you mean "off"?"#,
        ),
        (
            r#"{"same":4}"#,
            "$.same: fits more than one alternative, but must fit just one",
        ),
    ] {
        assert_eq!(complaints(SHAPES, arguments), [expected], "{arguments}");
    }
    for fine in [
        r#"{"shape":{"kind":"circle","r":1},"size":"abc","maybe":null,"wrapped":{"A":1},"word":"on","same":3}"#,
        r#"{"shape":{"kind":"square","a":0.5},"size":null,"same":"text"}"#,
    ] {
        assert_eq!(complaints(SHAPES, fine), Vec::<String>::new(), "{fine}");
    }
}

#[test]
fn arg_3_what_was_looked_at_counts_however_often_it_was_asked() {
    let schema = r##"{"anyOf":[{"allOf":[{"$ref":"#/$defs/x"},{"required":["zz"]}]},{"$ref":"#/$defs/x"}],
        "unevaluatedProperties":false,
        "$defs":{"x":{"anyOf":[{"properties":{"a":{"type":"integer"}},"required":["a"]}]}}}"##;
    assert_eq!(complaints(schema, r#"{"a":1}"#), Vec::<String>::new());
    assert_eq!(
        complaints(schema, r#"{"a":1,"b":2}"#),
        ["$.b: there is no such argument; known are: a"]
    );
}

#[test]
fn arg_3_an_argument_of_another_alternative_is_not_called_unknown() {
    let schema = r#"{"properties":{"kind":{"enum":["a","b"]}},"required":["kind"],"unevaluatedProperties":false,
        "oneOf":[{"properties":{"kind":{"const":"a"},"x":{}}},{"properties":{"kind":{"const":"b"},"y":{}}}]}"#;
    assert_eq!(
        complaints(schema, r#"{"kind":"a","x":1,"y":2,"z":3}"#),
        [
            "$.y: does not go with the other arguments",
            "$.z: there is no such argument; known are: kind, x, y",
        ]
    );
}
