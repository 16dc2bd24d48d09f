//! Changing arguments into what a schema expects where nothing is lost by it (rule ARG-4).

use super::check::steps_for;
use super::compile::CompiledSchema;
use super::json::{Decimal, Document, Kind, NodeId, path};
use super::keywords::{Keywords, Schema, SchemaId, Types};

/// How many schemas may be looked at one inside another.
const MAX_NESTED: usize = 200;
/// How many changes are named, and how long the name of one is.
const MAX_PATHS: usize = 50;
const MAX_PATH_BYTES: usize = 200;

/// Arguments that were changed, and what was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Coerced {
    /// The arguments as they fit.
    pub(crate) text: String,
    /// Where something was changed, as `$.tags[1]`; of very many places, the first.
    pub(crate) paths: Vec<String>,
}

impl CompiledSchema {
    /// The arguments with each value that has the wrong type replaced by the value that it spells: a
    /// number or boolean in a string, a number where a string is expected, an object or array inside
    /// a string; a `null` that means that a member is absent is taken out. `None` where nothing could be changed; the result may still not fit.
    pub(crate) fn coerce(&self, arguments: &Document<'_>) -> Option<Coerced> {
        let mut coercer = Coercer {
            compiled: self,
            path: "$".to_owned(),
            nested: 0,
            steps: steps_for(arguments),
            paths: Vec::new(),
        };
        let text = coercer.value(self.root, arguments, NodeId::ROOT)?;
        (coercer.steps > 0).then_some(Coerced {
            text,
            paths: coercer.paths,
        })
    }
}

struct Coercer<'s> {
    compiled: &'s CompiledSchema,
    path: String,
    nested: usize,
    steps: usize,
    paths: Vec<String>,
}

impl Coercer<'_> {
    /// The changed value, or `None` where it stays as it is.
    fn value(&mut self, schema: SchemaId, document: &Document<'_>, node: NodeId) -> Option<String> {
        self.steps = self.steps.saturating_sub(1);
        if self.nested == MAX_NESTED || self.steps == 0 {
            return None;
        }
        let Some(Schema::Keywords(keywords)) = self.compiled.schemas.get(schema) else {
            return None;
        };
        self.nested += 1;
        let changed = match spelled(keywords, document, node) {
            None => self.inside(keywords, document, node),
            Some(spelled) => {
                self.note();
                self.again(&spelled, |this, read| {
                    this.inside(keywords, read, NodeId::ROOT)
                })
                .or(Some(spelled))
            }
        };
        self.nested -= 1;
        changed
    }

    /// Goes on with a value that was changed.
    fn again(
        &mut self,
        text: &str,
        go_on: impl FnOnce(&mut Self, &Document<'_>) -> Option<String>,
    ) -> Option<String> {
        self.steps = self.steps.saturating_sub(text.len() / 16);
        go_on(self, &Document::read(text).ok()?)
    }

    /// Changes what is inside a value whose own type is right, and what other schemas say about it.
    fn inside(&mut self, k: &Keywords, document: &Document<'_>, node: NodeId) -> Option<String> {
        let mut current = match document.kind(node) {
            Kind::Object => {
                let left = self.without_nulls(k, document, node);
                self.then(left, document, node, |this, document, node| {
                    this.members(k, document, node)
                })
            }
            Kind::Array => self.items(k, document, node),
            _ => None,
        };
        let dynamic = k.dynamic_reference.iter().map(|reference| reference.target);
        for schema in k
            .reference
            .into_iter()
            .chain(dynamic)
            .chain(k.all_of.iter().copied())
        {
            current = self.then(current, document, node, |this, document, node| {
                this.value(schema, document, node)
            });
        }
        for alternatives in [&k.any_of, &k.one_of] {
            current = self.then(current, document, node, |this, document, node| {
                this.alternative(alternatives, document, node)
            });
        }
        current
    }

    /// Applies a change to what an earlier one left.
    fn then(
        &mut self,
        changed: Option<String>,
        document: &Document<'_>,
        node: NodeId,
        change: impl FnOnce(&mut Self, &Document<'_>, NodeId) -> Option<String>,
    ) -> Option<String> {
        match changed {
            None => change(self, document, node),
            Some(text) => {
                let again = self.again(&text, |this, read| change(this, read, NodeId::ROOT));
                again.or(Some(text))
            }
        }
    }

    /// The object without the members that are `null` and may be absent: in a provider's strict mode a
    /// model writes every member (rule SCH-8).
    fn without_nulls(
        &mut self,
        k: &Keywords,
        document: &Document<'_>,
        node: NodeId,
    ) -> Option<String> {
        let is_absent = |this: &mut Self, member: NodeId| {
            document.kind(member) == Kind::Null && this.may_be_absent(k, document, member)
        };
        let mut kept = Vec::new();
        let mut absent = 0_usize;
        for member in document.children(node) {
            if !is_absent(self, member) {
                kept.push(member);
                continue;
            }
            absent += 1;
            let length = self.path.len();
            path::push_member(&mut self.path, document.name(member));
            self.note();
            self.path.truncate(length);
        }
        if absent == 0 {
            return None;
        }
        let written = kept.into_iter().map(|member| {
            let name = serde_json::Value::from(document.name(member));
            format!("{name}:{}", document.raw(member))
        });
        Some(format!("{{{}}}", written.collect::<Vec<_>>().join(",")))
    }

    /// Whether a `null` stands under a name that need not be there: where it is not allowed, or where
    /// the name itself is not, as with the members of another alternative.
    fn may_be_absent(&mut self, k: &Keywords, document: &Document<'_>, member: NodeId) -> bool {
        let compiled = self.compiled;
        let name = document.name(member);
        let requires = |k: &Keywords| k.required.iter().any(|required| required == name);
        if requires(k) {
            return false;
        }
        if let Some(schema) = k.properties.get(name) {
            return !compiled.fits(schema, document, member, &mut self.steps);
        }
        let is_nothing = |schema: Option<SchemaId>| {
            let schema = schema.and_then(|schema| compiled.schemas.get(schema));
            matches!(schema, Some(Schema::Nothing))
        };
        let is_closed = is_nothing(k.additional) || is_nothing(k.unevaluated_properties);
        if !is_closed || k.known_member(name).is_some() {
            return false;
        }
        let beside: Vec<SchemaId> = k.in_place().collect();
        // An alternative may ask for it, and take `null`.
        !beside.into_iter().any(|id| match compiled.schemas.get(id) {
            Some(Schema::Keywords(other)) if requires(other) => {
                let schema = other.properties.get(name);
                schema.is_none_or(|schema| compiled.fits(schema, document, member, &mut self.steps))
            }
            _ => false,
        })
    }

    /// Notes that something was changed here.
    fn note(&mut self) {
        if self.paths.len() < MAX_PATHS {
            let end = self.path.floor_char_boundary(MAX_PATH_BYTES);
            self.paths.extend(self.path.get(..end).map(str::to_owned));
        }
    }

    fn members(&mut self, k: &Keywords, document: &Document<'_>, node: NodeId) -> Option<String> {
        self.children(document, node, |_, member| {
            k.known_member(document.name(member)).or(k.additional)
        })
    }

    fn items(&mut self, k: &Keywords, document: &Document<'_>, node: NodeId) -> Option<String> {
        self.children(document, node, |position, _| {
            k.prefix_items.get(position).copied().or(k.items)
        })
    }

    /// The value with its members or items changed, each by the schema that `schema_of` finds for it.
    fn children(
        &mut self,
        document: &Document<'_>,
        node: NodeId,
        schema_of: impl Fn(usize, NodeId) -> Option<SchemaId>,
    ) -> Option<String> {
        let is_object = document.kind(node) == Kind::Object;
        let mut text = String::new();
        // Up to where the text is written.
        let mut done = document.start(node);
        for (position, child) in document.children(node).enumerate() {
            let Some(schema) = schema_of(position, child) else {
                continue;
            };
            let length = self.path.len();
            match is_object {
                true => path::push_member(&mut self.path, document.name(child)),
                false => self.path.push_str(&format!("[{position}]")),
            }
            let changed = self.value(schema, document, child);
            self.path.truncate(length);
            if let Some(changed) = changed {
                text.push_str(document.between(done, document.start(child)));
                text.push_str(&changed);
                done = document.end(child);
            }
        }
        if text.is_empty() {
            return None;
        }
        text.push_str(document.between(done, document.end(node)));
        Some(text)
    }

    /// Whether a value that was changed fits a schema.
    fn fits(&mut self, schema: SchemaId, text: &str) -> bool {
        self.steps = self.steps.saturating_sub(text.len() / 16);
        let read = Document::read(text);
        read.is_ok_and(|read| {
            self.compiled
                .fits(schema, &read, NodeId::ROOT, &mut self.steps)
        })
    }

    /// The value changed for the first alternative that it then fits, unless it fits one as it is.
    fn alternative(
        &mut self,
        alternatives: &[SchemaId],
        document: &Document<'_>,
        node: NodeId,
    ) -> Option<String> {
        if alternatives.is_empty() {
            return None;
        }
        let compiled = self.compiled;
        for schema in alternatives {
            if self.steps == 0 || compiled.fits(*schema, document, node, &mut self.steps) {
                return None;
            }
        }
        for schema in alternatives {
            let named = self.paths.len();
            let changed = self.value(*schema, document, node);
            if let Some(changed) = changed.filter(|changed| self.fits(*schema, changed)) {
                return Some(changed);
            }
            self.paths.truncate(named);
        }
        None
    }
}

/// The value that this one spells, where its own type is not allowed and the other is.
fn spelled(k: &Keywords, document: &Document<'_>, node: NodeId) -> Option<String> {
    let types = k.types?;
    let raw = document.raw(node);
    if allows(types, document, node) {
        return None;
    }
    let text = match document.kind(node) {
        Kind::String => document.string(node).trim().to_owned(),
        Kind::Number => serde_json::to_string(raw).ok()?,
        _ => return None,
    };
    let read = Document::read(text.as_str()).ok()?;
    // A string spells null only for a model that means the word.
    let means = read.kind(NodeId::ROOT) != Kind::Null && read.repeated().is_empty();
    let fits = means && allows(types, &read, NodeId::ROOT);
    drop(read);
    fits.then_some(text)
}

fn allows(types: Types, document: &Document<'_>, node: NodeId) -> bool {
    types.allow(document.kind(node), || {
        Decimal::of(document.raw(node)).is_integer()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coerced(schema: &str, arguments: &str) -> Option<String> {
        let (_, compiled) = CompiledSchema::for_tool_input(schema).unwrap();
        compiled
            .coerce(&Document::read(arguments).unwrap())
            .map(|coerced| coerced.text)
    }

    #[test]
    fn values_become_what_they_spell() {
        let schema = r##"{"properties":{
            "days":{"type":"integer"},"ratio":{"type":"number"},"zip":{"type":"string"},
            "urgent":{"type":"boolean"},"at":{"$ref":"#/$defs/At"},"tags":{"type":"array","items":{"type":"integer"}},
            "any":{"anyOf":[{"type":"null"},{"type":"integer"}]}},
            "$defs":{"At":{"type":"object","properties":{"x":{"type":"integer"}}}}}"##;
        for (given, expected) in [
            (r#"{"days":"3"}"#, r#"{"days":3}"#),
            (r#"{"ratio":" 2.50 "}"#, r#"{"ratio":2.50}"#),
            (
                r#"{"zip":123456789012345678901}"#,
                r#"{"zip":"123456789012345678901"}"#,
            ),
            (r#"{"urgent":"true"}"#, r#"{"urgent":true}"#),
            (r#"{"at":"{\"x\":1}"}"#, r#"{"at":{"x":1}}"#),
            (r#"{"at":"{\"x\":\"1\"}"}"#, r#"{"at":{"x":1}}"#),
            (r#"{"tags":["1",2]}"#, r#"{"tags":[1,2]}"#),
            (r#"{"any":"7"}"#, r#"{"any":7}"#),
        ] {
            assert_eq!(coerced(schema, given).as_deref(), Some(expected), "{given}");
        }
        for unchanged in [
            r#"{"days":3}"#,
            r#"{"days":"three"}"#,
            r#"{"days":"3.5"}"#,
            r#"{"days":"null"}"#,
            r#"{"urgent":1}"#,
            r#"{"zip":true}"#,
            r#"{"any":null}"#,
            r#"{"tags":"1"}"#,
        ] {
            assert_eq!(coerced(schema, unchanged), None, "{unchanged}");
        }
    }

    #[test]
    fn sch_8_a_null_of_strict_mode_is_an_absent_member() {
        let schema = r##"{"properties":{"a":{"type":"string"},"b":{"type":["string","null"]},
            "c":{"$ref":"#/$defs/C"},"d":{"type":"integer"},"e":{"enum":["x"]}},"required":["d"],
            "$defs":{"C":{"type":"object","properties":{"x":{"type":"integer"}}}}}"##;
        for (given, expected) in [
            (r#"{"a":null,"d":1}"#, r#"{"d":1}"#),
            (r#"{"d":"1","a":null , "b":null}"#, r#"{"d":1,"b":null}"#),
            (r#"{"c":{"x":null},"d":1}"#, r#"{"c":{},"d":1}"#),
            (r#"{"c":null,"d":1,"e":null}"#, r#"{"d":1}"#),
        ] {
            assert_eq!(coerced(schema, given).as_deref(), Some(expected), "{given}");
        }
        for unchanged in [
            r#"{"d":null}"#,
            r#"{"b":null,"d":1}"#,
            r#"{"z":null,"d":1}"#,
        ] {
            assert_eq!(coerced(schema, unchanged), None, "{unchanged}");
        }
    }

    #[test]
    fn each_change_is_named_with_its_path() {
        let (_, compiled) = CompiledSchema::for_tool_input(
            r#"{"properties":{"a":{"type":"array","items":{"type":"integer"}}}}"#,
        )
        .unwrap();
        let paths = compiled
            .coerce(&Document::read(r#"{"a":[1,"2"]}"#).unwrap())
            .unwrap()
            .paths;
        assert_eq!(paths, ["$.a[1]"]);
    }
}
