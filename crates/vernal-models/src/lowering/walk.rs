//! One walk over a schema, keyword by keyword.

use vernal_core::model::{LossOutcome, SchemaLoss};

use super::node::{Members, Node};
use super::recursion::Recursion;
use super::rules::{Keywords, References, Rules, Strict, is_annotation, is_identity};
use super::{Subject, describe};

/// How deep a schema is looked at, and how deep before it is cut where references are followed, which
/// can make it deeper than it was.
const DEEPEST: usize = 64;
const DEEPEST_FOLLOWED: usize = 32;
/// How many schemas are written: what is referred to from many places is written in each.
const MOST: usize = 4000;
/// How long a value may be that is told in a description.
pub(super) const LONGEST_TOLD: usize = 200;

pub(super) struct Lowering<'a> {
    pub(super) root: &'a Node,
    pub(super) rules: &'static Rules,
    pub(super) subject: Subject,
    /// Looked for where schemas within themselves are refused.
    pub(super) circular: Recursion<'a>,
    pub(super) losses: Vec<SchemaLoss>,
    /// Why strict mode has no words for the schema.
    pub(super) unfit: Option<SchemaLoss>,
    /// The references that stand open around the schema.
    pub(super) open: Vec<String>,
    pub(super) path: String,
    depth: usize,
    steps: usize,
}

impl<'a> Lowering<'a> {
    pub(super) fn new(root: &'a Node, rules: &'static Rules, subject: Subject) -> Self {
        Self {
            root,
            rules,
            subject,
            circular: Recursion::default(),
            losses: Vec::new(),
            unfit: None,
            open: Vec::new(),
            path: String::new(),
            depth: 0,
            steps: 0,
        }
    }

    pub(super) fn lose(&mut self, keyword: &str, outcome: LossOutcome) {
        let loss = SchemaLoss::new(self.path.as_str(), keyword, outcome);
        if !self.losses.contains(&loss) {
            self.losses.push(loss);
        }
    }

    /// A word that no value is checked against is left out.
    pub(super) fn unsaid(&mut self, keyword: &str) {
        if !is_identity(keyword) {
            self.lose(keyword, LossOutcome::Unsaid);
        }
    }

    /// Strict mode has no words for this; the first such place is told.
    pub(super) fn unfit(&mut self, keyword: &str) {
        if self.rules.strict.is_some() && self.unfit.is_none() {
            let loss = SchemaLoss::new(self.path.as_str(), keyword, LossOutcome::NotStrict);
            self.unfit = Some(loss);
        }
    }

    /// A schema anywhere.
    pub(super) fn schema(&mut self, node: &Node) -> Node {
        let Node::Object(members) = node else {
            return self.boolean(node);
        };
        self.steps += 1;
        if self.rules.references == References::Stay {
            // Nothing is written twice there, and what lies deep is left as it is.
            if self.depth == DEEPEST {
                return node.clone();
            }
        } else if self.depth == DEEPEST_FOLLOWED || self.steps > MOST {
            self.unfit("properties");
            self.lose("properties", LossOutcome::Loosened);
            return Node::anything();
        }
        self.depth += 1;
        let single = self.with_single_reference(members);
        let members = single.as_ref().unwrap_or(members);
        let to = members.get("$ref").and_then(Node::as_str);
        let lowered = match to {
            Some(to) if self.rules.references != References::Stay => self.reference(members, to),
            _ => self.keywords(members),
        };
        self.depth -= 1;
        lowered
    }

    fn boolean(&mut self, node: &Node) -> Node {
        if node.is_false() {
            self.unfit("false");
        } else {
            self.unfit("true");
        }
        if !self.rules.no_booleans {
            return node.clone();
        }
        if node.is_false() {
            self.lose("false", LossOutcome::Loosened);
        }
        Node::anything()
    }

    /// A schema whose reference, if it has one, was dealt with.
    pub(super) fn keywords(&mut self, members: &Members) -> Node {
        let open = self.open.len();
        let merged = self.merged(members);
        let members = merged.as_ref().unwrap_or(members);
        let lowered = match self.distributed(members) {
            Some(apart) => self.keywords(&apart),
            None => self.each_keyword(members),
        };
        self.open.truncate(open);
        lowered
    }

    fn each_keyword(&mut self, members: &Members) -> Node {
        let mut out = Members::default();
        let mut told = Vec::new();
        for (name, value) in &members.0 {
            self.keyword(&mut out, &mut told, members, (name, value));
        }
        if !told.is_empty() {
            describe(&mut out, &format!("({})", told.join(", ")));
        }
        let is_array = out.has_type("array");
        if self.rules.items_needed && is_array && !out.has("items") {
            out.set("items", Node::anything());
        }
        if self.rules.open_api && is_array && !out.has("items") {
            // A list is one of something there: texts, where nothing is said.
            self.lose("items", LossOutcome::Narrowed);
        }
        if self.rules.strict.is_some() {
            self.strict(&mut out, members);
        }
        Node::Object(out)
    }

    fn keyword(
        &mut self,
        out: &mut Members,
        told: &mut Vec<String>,
        beside: &Members,
        (name, value): (&str, &Node),
    ) {
        let rules = self.rules;
        let is_tuple = beside.has("prefixItems") && !self.sends("prefixItems");
        match (name, value) {
            ("properties", Node::Object(members)) => {
                let lowered = self.members(name, members);
                out.set(name, Node::Object(lowered));
            }
            ("$defs" | "definitions", Node::Object(members)) => {
                let kept = rules.references == References::Stay || self.path.is_empty();
                if kept && rules.references != References::Inlined {
                    let lowered = self.members(name, members);
                    out.set(name, Node::Object(lowered));
                }
            }
            ("items", Node::Array(schemas)) | ("prefixItems", Node::Array(schemas)) => {
                self.tuple(out, told, beside, (name, schemas));
            }
            // What comes after the first items.
            ("items", _) if is_tuple => {}
            ("items", _) => {
                let items = self.within(name, value);
                out.set(name, items);
            }
            ("anyOf", Node::Array(schemas)) => {
                let lowered = self.list(name, schemas);
                out.set(name, lowered);
            }
            ("oneOf", Node::Array(schemas)) => self.one_of(out, told, schemas),
            ("allOf", Node::Array(schemas)) if self.sends(name) => {
                let lowered = self.list(name, schemas);
                out.set(name, lowered);
                self.ignored(name);
            }
            ("const", value) if rules.const_as_enum => {
                let only = Node::Array(vec![value.clone()]);
                if self.refuses("enum", &only) {
                    self.leave(told, name, value);
                } else {
                    out.set("enum", only);
                }
            }
            // What `const` says is less.
            ("enum", _) if rules.const_as_enum && beside.has("const") => {}
            ("format", Node::Text(format)) if is_number_format(format) => {
                // It says no more than the kind of number and its bounds.
                if self.sends(name) && self.takes_format(format) {
                    out.set(name, value.clone());
                }
            }
            _ if self.refuses(name, value) => self.leave(told, name, value),
            // Which objects may be closed is decided once all of it is known.
            ("additionalProperties", _) if rules.strict.is_some() => {
                out.set(name, Node::bool(false));
            }
            ("additionalProperties", Node::Object(_)) if self.sends(name) => {
                let lowered = self.within(name, value);
                out.set(name, lowered);
                self.ignored(name);
            }
            ("additionalProperties" | "unevaluatedProperties", Node::Raw(_))
                if !self.sends(name) => {}
            _ if self.sends(name) && !self.is_stranded(value) => {
                out.set(name, value.clone());
                if name != "additionalProperties" {
                    self.ignored(name);
                }
            }
            _ => self.leave(told, name, value),
        }
    }

    /// A keyword that is not sent: told, or left out.
    pub(super) fn leave(&mut self, told: &mut Vec<String>, name: &str, value: &Node) {
        if is_annotation(name) {
            return self.unsaid(name);
        }
        let text = value.to_string();
        let is_told = self.rules.tells && text.len() <= LONGEST_TOLD && !text.contains("\"$ref\"");
        if is_told {
            told.push(format!("{name}: {text}"));
        }
        match name {
            _ if is_told => self.lose(name, LossOutcome::Described),
            // No value is checked against it.
            "default" => self.unsaid(name),
            _ => self.lose(name, LossOutcome::Dropped),
        }
    }

    fn members(&mut self, keyword: &str, members: &Members) -> Members {
        let length = self.path.len();
        let mut lowered = Members(Vec::with_capacity(members.0.len()));
        for (name, schema) in &members.0 {
            self.path.push('/');
            self.path.push_str(keyword);
            self.path.push('/');
            self.path
                .push_str(&name.replace('~', "~0").replace('/', "~1"));
            lowered.0.push((name.clone(), self.schema(schema)));
            self.path.truncate(length);
        }
        lowered
    }

    pub(super) fn list(&mut self, keyword: &str, schemas: &[Node]) -> Node {
        let length = self.path.len();
        let mut lowered = Vec::with_capacity(schemas.len());
        for (position, schema) in schemas.iter().enumerate() {
            self.path.push_str(&format!("/{keyword}/{position}"));
            lowered.push(self.schema(schema));
            self.path.truncate(length);
        }
        Node::Array(lowered)
    }

    pub(super) fn within(&mut self, keyword: &str, schema: &Node) -> Node {
        let length = self.path.len();
        self.path.push('/');
        self.path.push_str(keyword);
        let lowered = self.schema(schema);
        self.path.truncate(length);
        lowered
    }

    pub(super) fn sends(&self, keyword: &str) -> bool {
        match self.rules.keywords {
            Keywords::AllBut(others) => !others.contains(&keyword),
            Keywords::Only(sent) => sent.contains(&keyword),
            Keywords::Read(_) => true,
        }
    }

    /// Notes that a keyword is sent to a reader that passes over it.
    pub(super) fn ignored(&mut self, keyword: &str) {
        if let Keywords::Read(read) = self.rules.keywords
            && !read.contains(&keyword)
            && !is_annotation(keyword)
            && keyword != "default"
        {
            self.lose(keyword, LossOutcome::Ignored);
        }
    }

    /// Whether a value that is not walked refers to definitions that are no longer there.
    fn is_stranded(&self, value: &Node) -> bool {
        let is_structure = matches!(value, Node::Object(_) | Node::Array(_));
        self.rules.references == References::Inlined
            && is_structure
            && value.to_string().contains("\"$ref\"")
    }

    /// Whether a keyword is sent, but not with this value.
    fn refuses(&self, name: &str, value: &Node) -> bool {
        let strict = self.rules.strict;
        match (name, value) {
            ("enum", values) => self.rules.open_api && !values.items().iter().all(is_listed),
            ("format", Node::Text(format)) => !self.takes_format(format),
            // Patterns that look around are refused in strict mode.
            ("pattern", Node::Text(pattern)) => {
                let looks = ["(?=", "(?!", "(?<"];
                strict.is_some() && looks.iter().any(|look| pattern.contains(look))
            }
            // Anthropic's strict mode takes no other numbers than these.
            ("minItems", count) => {
                strict == Some(Strict::Optional) && !matches!(count.as_count(), Some(0 | 1))
            }
            _ => false,
        }
    }

    fn takes_format(&self, format: &str) -> bool {
        let known = self.rules.formats;
        known.is_none_or(|known| known.contains(&format))
    }
}

fn is_number_format(format: &str) -> bool {
    matches!(format, "float" | "double") || format.trim_start_matches('u').starts_with("int")
}

/// Texts and `null` can be listed everywhere.
fn is_listed(value: &Node) -> bool {
    value.as_str().is_some() || value.is_null()
}
