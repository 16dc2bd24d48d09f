//! The check of a body against its shape.

use serde_json::{Map, Value};

use super::shape::{ANY_OTHER, Field, Shape};
use super::violation::Findings;

/// Compares a value with a shape.
pub(crate) fn inspect(value: &Value, shape: &Shape, at: &mut Findings) {
    match shape {
        Shape::Anything => {}
        Shape::OrNull(_) if value.is_null() => {}
        Shape::OrNull(inner) => inspect(value, inner, at),
        Shape::Either(shapes) => match shapes.iter().find(|shape| has_kind(value, shape)) {
            Some(shape) => inspect(value, shape, at),
            None => {
                let kinds: Vec<_> = shapes.iter().map(|shape| kind_of(shape)).collect();
                at.note(format!(
                    "wanted {}, found {}",
                    kinds.join(" or "),
                    shown(value)
                ));
            }
        },
        Shape::Ruled(inner, rule) => {
            let fits = has_kind(value, inner);
            inspect(value, inner, at);
            if fits {
                rule(value, at);
            }
        }
        _ if !has_kind(value, shape) => {
            at.note(format!("wanted {}, found {}", kind_of(shape), shown(value)));
        }
        _ => inspect_inside(value, shape, at),
    }
}

/// Compares a value that has the right JSON kind.
fn inspect_inside(value: &Value, shape: &Shape, at: &mut Findings) {
    match (shape, value) {
        (Shape::FilledText, Value::String(text)) if text.is_empty() => {
            at.note("a text that is not empty is wanted");
        }
        (Shape::Written(what, fits), Value::String(text)) if !fits(text) => {
            at.note(format!("wanted {what}, found {}", shown(value)));
        }
        (Shape::Word(words), Value::String(text)) if !words.contains(&text.as_str()) => {
            let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
            at.note(format!("wanted {}, found `{text}`", words.join(" or ")));
        }
        (Shape::Whole(least, most), _) => {
            let within = match value.as_i64() {
                Some(number) => (least..=most).contains(&&number),
                None => value.is_u64() && *most == i64::MAX,
            };
            if !within {
                at.note(format!(
                    "wanted a whole number {}, found {value}",
                    range(least, most)
                ));
            }
        }
        (Shape::Number(least, most), _) => {
            let within = value
                .as_f64()
                .is_some_and(|number| (*least..=*most).contains(&number));
            if !within {
                at.note(format!(
                    "wanted a number from {least} to {most}, found {value}"
                ));
            }
        }
        (Shape::List(item), Value::Array(items)) => inspect_items(items, item, at),
        (Shape::Filled(item, most), Value::Array(items)) => {
            if items.is_empty() || items.len() > *most {
                at.note(format!("wanted 1 to {most} items, found {}", items.len()));
            }
            inspect_items(items, item, at);
        }
        (Shape::Map(of), Value::Object(members)) => {
            for (name, value) in members {
                at.member(name, |at| inspect(value, of, at));
            }
        }
        (Shape::Object(fields), Value::Object(members)) => {
            inspect_members(members, fields, None, at)
        }
        (Shape::Tagged(tag, cases), Value::Object(members)) => {
            inspect_tagged(members, tag, cases, at)
        }
        _ => {}
    }
}

fn inspect_items(items: &[Value], shape: &Shape, at: &mut Findings) {
    for (index, item) in items.iter().enumerate() {
        at.item(index, |at| inspect(item, shape, at));
    }
}

fn inspect_tagged(
    members: &Map<String, Value>,
    tag: &'static str,
    cases: &[(&'static str, &'static [Field])],
    at: &mut Findings,
) {
    let known = || {
        let names: Vec<_> = cases.iter().map(|(name, _)| format!("`{name}`")).collect();
        names.join(" or ")
    };
    match members.get(tag) {
        None => at.note(format!("`{tag}` is missing: {}", known())),
        Some(value) => match cases.iter().find(|(name, _)| value == name) {
            Some((_, fields)) => inspect_members(members, fields, Some(tag), at),
            None => at.member(tag, |at| {
                at.note(format!("wanted {}, found {}", known(), shown(value)));
            }),
        },
    }
}

fn inspect_members(
    members: &Map<String, Value>,
    fields: &[Field],
    tag: Option<&str>,
    at: &mut Findings,
) {
    for field in fields {
        match members.get(field.name) {
            Some(value) => at.member(field.name, |at| inspect(value, field.shape, at)),
            None if field.required => at.note(format!("`{}` is missing", field.name)),
            None => {}
        }
    }
    for name in members.keys() {
        let known = tag == Some(name)
            || fields
                .iter()
                .any(|field| field.name == name || field.name == ANY_OTHER.name);
        if !known {
            at.member(name, |at| at.note("no such field is documented here"));
        }
    }
}

/// How often a member that is not null stands in a request. What a tool was given or takes is not looked
/// into.
pub(crate) fn count_members(value: &Value, wanted: &str) -> usize {
    match value {
        Value::Array(items) => items.iter().map(|item| count_members(item, wanted)).sum(),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| match name.as_str() {
                name if name == wanted => usize::from(!value.is_null()),
                "input_schema" | "parameters" => 0,
                "input" if value.is_object() => 0,
                _ => count_members(value, wanted),
            })
            .sum(),
        _ => 0,
    }
}

fn has_kind(value: &Value, shape: &Shape) -> bool {
    match shape {
        Shape::Anything => true,
        Shape::Text | Shape::FilledText | Shape::Written(..) | Shape::Word(_) => value.is_string(),
        Shape::Bool => value.is_boolean(),
        Shape::Whole(..) => value.is_i64() || value.is_u64(),
        Shape::Number(..) => value.is_number(),
        Shape::List(_) | Shape::Filled(..) => value.is_array(),
        Shape::Map(_) | Shape::Object(_) | Shape::Tagged(..) => value.is_object(),
        Shape::Either(shapes) => shapes.iter().any(|shape| has_kind(value, shape)),
        Shape::OrNull(shape) => value.is_null() || has_kind(value, shape),
        Shape::Ruled(shape, _) => has_kind(value, shape),
    }
}

fn kind_of(shape: &Shape) -> String {
    match shape {
        Shape::Anything => "anything".to_owned(),
        Shape::Text | Shape::FilledText | Shape::Written(..) | Shape::Word(_) => {
            "a text".to_owned()
        }
        Shape::Bool => "true or false".to_owned(),
        Shape::Whole(..) => "a whole number".to_owned(),
        Shape::Number(..) => "a number".to_owned(),
        Shape::List(_) | Shape::Filled(..) => "a list".to_owned(),
        Shape::Map(_) | Shape::Object(_) | Shape::Tagged(..) => "an object".to_owned(),
        Shape::Either(shapes) => {
            let kinds: Vec<_> = shapes.iter().map(|shape| kind_of(shape)).collect();
            kinds.join(" or ")
        }
        Shape::OrNull(shape) => format!("{} or null", kind_of(shape)),
        Shape::Ruled(shape, _) => kind_of(shape),
    }
}

fn range(least: &i64, most: &i64) -> String {
    if *most == i64::MAX {
        format!("of at least {least}")
    } else {
        format!("from {least} to {most}")
    }
}

/// A value in a message: short ones as they are.
pub(crate) fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.len() <= 60 {
        return text;
    }
    let end = text.floor_char_boundary(60);
    format!("{}…", text.get(..end).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::shape::{BASE64, OBJECT_SCHEMA, may, must};
    use serde_json::json;

    static POINT: Shape = Shape::Object(&[
        must("x", &Shape::Number(0.0, 1.0)),
        may("label", &Shape::FilledText),
    ]);
    static ITEM: Shape = Shape::Tagged(
        "type",
        &[
            ("point", &[must("at", &POINT)]),
            ("note", &[must("text", &Shape::Text)]),
        ],
    );
    static BODY: Shape = Shape::Object(&[
        must(
            "items",
            &Shape::Either(&[&Shape::Text, &Shape::Filled(&ITEM, 2)]),
        ),
        may("n", &Shape::OrNull(&Shape::Whole(1, 5))),
        may("tool", &OBJECT_SCHEMA),
        may("data", &BASE64),
    ]);

    fn found(value: Value) -> Vec<String> {
        let mut findings = Findings::new(Default::default());
        inspect(&value, &BODY, &mut findings);
        findings
            .into_violations()
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn what_fits_is_not_found() {
        for value in [
            json!({"items": "all"}),
            json!({"items": [{"type": "point", "at": {"x": 1, "label": "a"}}], "n": null}),
            json!({"items": [{"type": "note", "text": ""}], "n": 5, "data": "aGk="}),
            json!({"items": "", "tool": {"type": "object", "properties": {"a": {}}, "required": ["a"]}}),
        ] {
            assert_eq!(found(value.clone()), Vec::<String>::new(), "{value}");
        }
    }

    #[test]
    fn what_does_not_fit_is_named_with_its_place() {
        for (value, said) in [
            (json!([]), "$: wanted an object, found []"),
            (json!({}), "$: `items` is missing"),
            (
                json!({"items": 1}),
                "$.items: wanted a text or a list, found 1",
            ),
            (
                json!({"items": []}),
                "$.items: wanted 1 to 2 items, found 0",
            ),
            (
                json!({"items": "", "more": 1}),
                "$.more: no such field is documented here",
            ),
            (
                json!({"items": [{}]}),
                "$.items[0]: `type` is missing: `point` or `note`",
            ),
            (
                json!({"items": [{"type": "x"}]}),
                "$.items[0].type: wanted `point` or `note`, found \"x\"",
            ),
            (
                json!({"items": [{"type": "point", "at": {"x": 2}}]}),
                "$.items[0].at.x: wanted a number from 0 to 1, found 2",
            ),
            (
                json!({"items": [{"type": "point", "at": {"x": 1, "label": ""}}]}),
                "$.items[0].at.label: a text that is not empty is wanted",
            ),
            (
                json!({"items": "", "n": 6}),
                "$.n: wanted a whole number from 1 to 5, found 6",
            ),
            (
                json!({"items": "", "n": 1.5}),
                "$.n: wanted a whole number, found 1.5",
            ),
            (
                json!({"items": "", "data": "a"}),
                "$.data: wanted base64, found \"a\"",
            ),
            (
                json!({"items": "", "tool": {}}),
                "$.tool: a tool's schema has `\"type\": \"object\"`",
            ),
            (
                json!({"items": "", "tool": {"type": "object", "required": ["a"]}}),
                "$.tool.required[0]: \"a\" is no property",
            ),
        ] {
            assert_eq!(found(value.clone()), [said], "{value}");
        }
    }
}
