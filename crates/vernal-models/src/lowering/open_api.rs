//! The subset of OpenAPI 3.0 that Google's `Schema` reads, from a schema that was lowered to its
//! keywords.

use super::node::{Members, Node};

/// What is said of a list, and of an object.
const OF_LISTS: [&str; 3] = ["items", "minItems", "maxItems"];
const OF_OBJECTS: [&str; 2] = ["properties", "required"];

/// The schema with `null` as `nullable`, lists of kinds as alternatives, and kinds that are named.
pub(super) fn rewritten(schema: &Node) -> Node {
    match schema {
        Node::Object(members) => Node::Object(object(members)),
        _ => Node::anything(),
    }
}

fn object(members: &Members) -> Members {
    let mut out = Members::default();
    for (name, value) in &members.0 {
        match (name.as_str(), value) {
            ("properties", Node::Object(properties)) => {
                let inner = |(name, schema): &(String, Node)| (name.clone(), rewritten(schema));
                let inner = properties.0.iter().map(inner).collect();
                out.set(name, Node::Object(Members(inner)));
            }
            ("items", items) => out.set(name, rewritten(items)),
            ("anyOf", Node::Array(choices)) => push_choices(&mut out, choices),
            ("enum", Node::Array(values)) => push_enum(&mut out, values),
            ("required", Node::Array(names)) if names.is_empty() => {}
            _ => out.set(name, value.clone()),
        }
    }
    push_kinds(&mut out);
    complete(&mut out);
    out
}

/// A list of kinds becomes alternatives, each with what is said of it; `null` becomes `nullable`.
fn push_kinds(out: &mut Members) {
    let kinds: Vec<String> = out.types().into_iter().map(str::to_owned).collect();
    let is_list = matches!(out.get("type"), Some(Node::Array(_)));
    let is_null = |kind: &String| kind == "null";
    if !is_list && !kinds.iter().any(is_null) {
        return;
    }
    if kinds.iter().any(is_null) {
        out.set("nullable", Node::bool(true));
    }
    let kinds: Vec<String> = kinds.into_iter().filter(|kind| !is_null(kind)).collect();
    match kinds.as_slice() {
        [] => {
            out.remove("type");
        }
        [one] => out.set("type", Node::text(one.as_str())),
        several => {
            out.remove("type");
            let mut lists = Members::default();
            let mut objects = Members::default();
            for name in OF_LISTS {
                lists
                    .0
                    .extend(out.remove(name).map(|value| (name.to_owned(), value)));
            }
            for name in OF_OBJECTS {
                objects
                    .0
                    .extend(out.remove(name).map(|value| (name.to_owned(), value)));
            }
            let choices = several.iter().map(|kind| {
                let mut choice = match kind.as_str() {
                    "array" => lists.clone(),
                    "object" => objects.clone(),
                    _ => Members::default(),
                };
                choice.set("type", Node::text(kind.as_str()));
                complete(&mut choice);
                Node::Object(choice)
            });
            if !out.has("anyOf") {
                out.set("anyOf", Node::Array(choices.collect()));
            }
        }
    }
}

/// Alternatives of one are that one.
fn push_choices(out: &mut Members, choices: &[Node]) {
    let is_null = |choice: &&Node| {
        let kind = choice.get("type").and_then(Node::as_str);
        kind == Some("null")
    };
    if choices.iter().any(|choice| is_null(&choice)) {
        out.set("nullable", Node::bool(true));
    }
    let rest = choices.iter().filter(|choice| !is_null(choice));
    let mut rest: Vec<Node> = rest.map(rewritten).collect();
    if rest.len() > 1 {
        out.set("anyOf", Node::Array(rest));
    } else if let Some(Node::Object(only)) = rest.pop() {
        for (name, value) in only.0 {
            if !out.has(&name) {
                out.set(&name, value);
            }
        }
    }
}

/// Only texts are listed.
fn push_enum(out: &mut Members, values: &[Node]) {
    if values.iter().any(Node::is_null) {
        out.set("nullable", Node::bool(true));
    }
    let texts: Vec<Node> = values
        .iter()
        .filter(|value| !value.is_null())
        .cloned()
        .collect();
    if !texts.is_empty() {
        out.set("enum", Node::Array(texts));
        if !out.has("type") {
            out.set("type", Node::text("string"));
        }
    }
}

/// What has members is an object, and a list is one of something.
fn complete(out: &mut Members) {
    if out.has("properties") && !out.has("type") && !out.has("anyOf") {
        out.set("type", Node::text("object"));
    }
    let is_list = out.get("type").and_then(Node::as_str) == Some("array");
    if is_list && !out.has("items") {
        let mut text = Members::default();
        text.set("type", Node::text("string"));
        out.set("items", Node::Object(text));
    }
}
