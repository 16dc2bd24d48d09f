//! The root of a schema: an object for every provider, and for some without any choice.

use vernal_core::model::LossOutcome;

use super::describe;
use super::node::{Members, Node};
use super::walk::Lowering;

/// How many alternatives are looked at, one in another.
const MOST: usize = 256;

impl Lowering<'_> {
    /// The whole schema.
    pub(super) fn root(&mut self) -> Node {
        let Node::Object(members) = self.root else {
            return self.root.clone();
        };
        if !self.rules.flat_root {
            return self.schema(&Node::Object(members.clone()));
        }
        let mut flat = members.clone();
        if flat.has("$ref") {
            let whole = Node::Object(flat);
            flat = self.resolved(&whole, &mut Vec::new()).unwrap_or_default();
        }
        if let Some(merged) = self.with_all_of(&flat, &mut Vec::new()) {
            flat = merged;
        }
        self.without_choice(&mut flat);
        let mut told = Vec::new();
        for name in ["not", "enum", "const", "if", "then", "else"] {
            if let Some(value) = flat.remove(name) {
                self.leave(&mut told, name, &value);
            }
        }
        if !told.is_empty() {
            describe(&mut flat, &format!("({})", told.join(", ")));
        }
        if flat != *members && flat.get("type").and_then(Node::as_str) != Some("object") {
            flat.set("type", Node::text("object"));
        }
        let mut lowered = self.keywords(&flat);
        if let (Some(kept), Node::Object(members)) = (self.rules.root_keywords, &mut lowered) {
            let names: Vec<String> = members.0.iter().map(|(name, _)| name.clone()).collect();
            for name in names.iter().filter(|name| !kept.contains(&name.as_str())) {
                let value = members.remove(name);
                let says_little = value.is_none_or(|value| value.is_false() || value.is_true());
                let is_words = name == "description" || name == "default";
                if is_words || super::rules::is_annotation(name) {
                    self.unsaid(name);
                } else if !says_little {
                    self.lose(name, LossOutcome::Dropped);
                }
            }
        }
        lowered
    }

    /// Alternatives of the root become one object that has the properties of all of them.
    fn without_choice(&mut self, flat: &mut Members) {
        for name in ["anyOf", "oneOf"] {
            let Some(choices) = flat.remove(name) else {
                continue;
            };
            let mut left = MOST;
            let objects = self.objects(choices.items(), &mut left);
            let joined = union(&objects);
            self.lose(name, LossOutcome::Loosened);
            if !is_closed(flat) && is_narrower(&objects, &joined) {
                self.lose(name, LossOutcome::Narrowed);
            }
            self.merge(flat, &joined);
            let outer = flat.remove("unevaluatedProperties");
            let all_closed = !objects.is_empty() && objects.iter().all(is_closed);
            if all_closed || outer.is_some_and(|outer| outer.is_false()) {
                flat.set("additionalProperties", Node::bool(false));
            }
        }
    }

    /// The alternatives, each as one object; those within one stand for it.
    fn objects(&mut self, choices: &[Node], left: &mut usize) -> Vec<Members> {
        let mut objects = Vec::new();
        for choice in choices {
            *left = left.saturating_sub(1);
            if *left == 0 {
                // What is not looked at may have any properties.
                objects.push(Members::default());
                break;
            }
            let Some(mut object) = self.resolved(choice, &mut Vec::new()) else {
                objects.push(Members::default());
                continue;
            };
            if let Some(merged) = self.with_all_of(&object, &mut Vec::new()) {
                object = merged;
            }
            let inner = object.remove("anyOf").or_else(|| object.remove("oneOf"));
            match inner {
                None => objects.push(object),
                Some(inner) => {
                    for mut alternative in self.objects(inner.items(), left) {
                        self.merge(&mut alternative, &object);
                        objects.push(alternative);
                    }
                }
            }
        }
        objects
    }
}

/// One object that any of the alternatives fits.
fn union(choices: &[Members]) -> Members {
    let mut properties: Vec<(String, Vec<Node>)> = Vec::new();
    for choice in choices {
        for (name, schema) in choice.properties() {
            match properties.iter_mut().find(|(known, _)| known == name) {
                None => properties.push((name.clone(), vec![schema.clone()])),
                Some((_, schemas)) if schemas.contains(schema) => {}
                Some((_, schemas)) => schemas.push(schema.clone()),
            }
        }
    }
    let mut required = choices.first().map_or_else(Vec::new, Members::required);
    required.retain(|name| {
        choices
            .iter()
            .all(|choice| choice.required().contains(name))
    });
    let joined = properties
        .into_iter()
        .map(|(name, schemas)| (name, one_of(schemas)));
    let mut object = Members::default();
    object.set("properties", Node::Object(Members(joined.collect())));
    object.set("required", Node::texts(required));
    object
}

/// Whether an object has no other members than those that it names.
fn is_closed(object: &Members) -> bool {
    let closed = ["additionalProperties", "unevaluatedProperties"];
    closed
        .iter()
        .any(|name| object.get(name).is_some_and(Node::is_false))
}

/// Whether an alternative takes anything under a name that another has a schema for.
fn is_narrower(choices: &[Members], joined: &Members) -> bool {
    let names = joined.properties().iter().map(|(name, _)| name);
    let mut open = choices.iter().filter(|choice| !is_closed(choice));
    let names: Vec<&String> = names.collect();
    open.any(|choice| {
        let knows = |name: &String| choice.properties().iter().any(|(known, _)| known == name);
        !names.iter().all(|name| knows(name))
    })
}

/// A schema that fits what one of these does. Constants become a list of values.
fn one_of(mut schemas: Vec<Node>) -> Node {
    if schemas.len() == 1
        && let Some(only) = schemas.pop()
    {
        return only;
    }
    let plain = |schema: &Node| {
        schema.as_object().is_some_and(|members| {
            let mut names = members.0.iter().map(|(name, _)| name.as_str());
            names.all(|name| matches!(name, "type" | "const" | "enum"))
                && (members.has("const") || members.has("enum"))
        })
    };
    let mut any = Members::default();
    if !schemas.iter().all(plain) {
        any.set("anyOf", Node::Array(schemas));
        return Node::Object(any);
    }
    let kind = schemas
        .first()
        .and_then(|schema| schema.get("type").cloned());
    let same = schemas
        .iter()
        .all(|schema| schema.get("type") == kind.as_ref());
    if let Some(kind) = kind.filter(|_| same) {
        any.set("type", kind);
    }
    let mut values: Vec<Node> = Vec::new();
    for schema in &schemas {
        let listed = schema.get("enum").map_or(&[][..], Node::items);
        for value in schema.get("const").into_iter().chain(listed) {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
    }
    any.set("enum", Node::Array(values));
    Node::Object(any)
}
