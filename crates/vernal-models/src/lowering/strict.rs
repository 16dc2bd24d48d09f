//! Strict mode: closed objects, and optional properties that are `null`.

use vernal_core::model::LossOutcome;

use super::Subject;
use super::node::{Members, Node};
use super::rules::Strict;
use super::walk::Lowering;

/// Keywords that say which members an object has.
const OF_OBJECTS: [&str; 5] = [
    "properties",
    "required",
    "additionalProperties",
    "unevaluatedProperties",
    "patternProperties",
];

impl Lowering<'_> {
    /// An object with members of its own beside alternatives, as alternatives that have those members
    /// too: closed objects cannot be put together. `None` for any other schema.
    pub(super) fn distributed(&mut self, members: &Members) -> Option<Members> {
        self.rules.strict?;
        let name = match (members.has("anyOf"), members.has("oneOf")) {
            (true, false) => "anyOf",
            (false, true) => "oneOf",
            _ => return None,
        };
        if !OF_OBJECTS.iter().any(|keyword| members.has(keyword)) {
            return None;
        }
        let mut rest = members.clone();
        let choices = rest.remove(name)?;
        let mut apart = Members::default();
        for kept in ["description", "title", "$defs", "definitions"] {
            if let Some(value) = rest.remove(kept) {
                apart.set(kept, value);
            }
        }
        let mut alternatives = Vec::with_capacity(choices.items().len());
        for choice in choices.items() {
            let Some(mut choice) = self.resolved(choice, &mut Vec::new()) else {
                self.unfit(name);
                return None;
            };
            let is_other = !choice.types().is_empty() && !choice.has_type("object");
            match (is_other, rest.has("type")) {
                (false, _) => self.merge(&mut choice, &rest),
                // What is said of members does not concern it.
                (true, false) => {}
                // No value is both.
                (true, true) => continue,
            }
            alternatives.push(Node::Object(choice));
        }
        apart.set(name, Node::Array(alternatives));
        Some(apart)
    }

    /// Makes a schema what strict mode takes; `original` is what it was made from.
    pub(super) fn strict(&mut self, out: &mut Members, original: &Members) {
        let is_object = out.has_type("object") || out.has("properties");
        if is_object {
            self.close(out, original);
        }
        if out.has_type("array") && !out.has("items") {
            self.unfit("items");
        }
        let says_what = ["type", "anyOf", "allOf", "$ref", "enum", "const"];
        if !says_what.iter().any(|keyword| out.has(keyword)) {
            self.unfit("type");
        }
        if self.rules.strict == Some(Strict::AllRequired)
            && !out.has("type")
            && let Some(kind) = kind_of_values(out)
        {
            out.set("type", Node::text(kind));
        }
    }

    fn close(&mut self, out: &mut Members, original: &Members) {
        if !out.has("type") {
            out.set("type", Node::text("object"));
        }
        let is_root = self.path.is_empty();
        let more = original.get("additionalProperties");
        let has_patterns = original.has("patternProperties");
        let closed = more.is_some_and(Node::is_false)
            || original
                .get("unevaluatedProperties")
                .is_some_and(Node::is_false);
        let names_nothing = original.properties().is_empty() && !closed && !is_root;
        if has_patterns || more.is_some_and(|more| !more.is_false()) || names_nothing {
            let keyword = if has_patterns {
                "patternProperties"
            } else {
                "additionalProperties"
            };
            self.unfit(keyword);
        } else if !closed {
            self.lose("additionalProperties", LossOutcome::Narrowed);
        }
        if !out.has("properties") {
            out.set("properties", Node::anything());
        }
        let required: Vec<String> = out.required().into_iter().map(str::to_owned).collect();
        let known: Vec<String> = out
            .properties()
            .iter()
            .map(|(name, _)| name.clone())
            .collect();
        if required.iter().any(|name| !known.contains(name)) {
            self.unfit("required");
        }
        if self.rules.strict == Some(Strict::AllRequired) {
            let stays = self.subject == Subject::Answer;
            let optional = |(name, schema): &(String, Node)| {
                let schema = if stays || required.contains(name) {
                    schema.clone()
                } else {
                    nullable(schema)
                };
                (name.clone(), schema)
            };
            let properties = out.properties().iter().map(optional).collect();
            out.set("properties", Node::Object(Members(properties)));
            if !out.has("required") || !known.iter().all(|name| required.contains(name)) {
                out.set("required", Node::texts(known.iter().map(String::as_str)));
            }
        }
        out.set("additionalProperties", Node::bool(false));
    }
}

/// The schema, or `null`.
fn nullable(schema: &Node) -> Node {
    let null = || {
        let mut null = Members::default();
        null.set("type", Node::text("null"));
        Node::Object(null)
    };
    let Node::Object(members) = schema else {
        return schema.clone();
    };
    let mut members = members.clone();
    if members.has_type("null") {
        return Node::Object(members);
    }
    if let Some(Node::Array(choices)) = members.get("anyOf") {
        let has_null = choices.iter().any(|choice| {
            choice
                .get("type")
                .is_some_and(|kind| kind.as_str() == Some("null"))
        });
        if !has_null {
            let mut choices = choices.clone();
            choices.push(null());
            members.set("anyOf", Node::Array(choices));
        }
        return Node::Object(members);
    }
    let listed = members.get("enum").map(|values| values.items().to_vec());
    if !members.types().is_empty() && !members.has("const") {
        let mut types: Vec<String> = members.types().into_iter().map(str::to_owned).collect();
        types.push("null".to_owned());
        members.set("type", Node::texts(types.iter().map(String::as_str)));
        if let Some(mut values) = listed.filter(|values| !values.iter().any(Node::is_null)) {
            values.push(Node::Raw("null".to_owned()));
            members.set("enum", Node::Array(values));
        }
        return Node::Object(members);
    }
    // The words stay outside, where they are of the property.
    let words = members.remove("description");
    let mut any = Members::default();
    any.set("anyOf", Node::Array(vec![Node::Object(members), null()]));
    if let Some(words) = words {
        any.set("description", words);
    }
    Node::Object(any)
}

/// The kind that all listed values have.
fn kind_of_values(schema: &Members) -> Option<&'static str> {
    let kind = |value: &Node| match value {
        Node::Text(_) => Some("string"),
        Node::Raw(text) => match text.as_str() {
            "true" | "false" => Some("boolean"),
            "null" => Some("null"),
            _ if text.contains(['.', 'e', 'E']) => Some("number"),
            _ => Some("integer"),
        },
        Node::Object(_) | Node::Array(_) => None,
    };
    let values: Vec<&Node> = match (schema.get("const"), schema.get("enum")) {
        (Some(value), _) => vec![value],
        (None, Some(values)) => values.items().iter().collect(),
        (None, None) => return None,
    };
    let first = kind(values.first()?)?;
    values
        .iter()
        .all(|value| kind(value) == Some(first))
        .then_some(first)
}
