//! From schema text to the form in which it is checked.

use std::collections::HashMap;

use super::json::{Document, Kind, NodeId, path};
use super::keywords::{DynamicReference, Keywords, NamePattern, Properties, Schema, SchemaId};
use super::normalize;
use super::resources::{Nowhere, Resources};
use super::schema_error::{SchemaError, wrong};
use super::value;

/// The largest schema text, in bytes (rule SCH-6).
const MAX_BYTES: usize = 256 * 1024;
/// How many schemas with an address of their own a schema may contain.
const MAX_RESOURCES: usize = 256;
/// How many keywords that are not checked are listed.
const MAX_UNCHECKED: usize = 100;

/// A JSON schema, read once and ready to check arguments.
#[derive(Debug, Clone)]
pub struct CompiledSchema {
    pub(super) schemas: Vec<Schema>,
    pub(super) root: SchemaId,
    /// Whether some schema asks what the others have looked at.
    pub(super) has_unevaluated: bool,
    /// The schemas by `$dynamicAnchor` and resource, where more than one resource has any.
    pub(super) dynamic_anchors: HashMap<String, HashMap<usize, SchemaId>>,
    unchecked: Vec<String>,
}

impl CompiledSchema {
    /// Reads any schema.
    ///
    /// # Errors
    /// The text is no schema, is larger than 256 KB or nested deeper than 100 levels, refers to
    /// something outside itself, or refers to itself without end.
    pub fn new(text: &str) -> Result<Self, SchemaError> {
        Compiler::compile(&parse(text)?)
    }

    /// Reads the input schema of a tool, in its normal form: blank is the schema of no input, a
    /// missing `type` or one that allows `object` is `object`, and white space is dropped.
    ///
    /// # Errors
    /// As [`new`](Self::new), and a schema of something else than an object (rule SCH-6).
    pub fn for_tool_input(text: &str) -> Result<(String, Self), SchemaError> {
        let text = if text.trim().is_empty() {
            normalize::EMPTY
        } else {
            text
        };
        let normal = normalize::of_object(&parse(text)?)?;
        let compiled = Self::new(&normal)?;
        Ok((normal, compiled))
    }

    /// The places of keywords that arguments are not checked against, such as `#/properties/id/pattern`;
    /// of very many, the first.
    pub fn unchecked(&self) -> &[String] {
        &self.unchecked
    }
}

fn parse(text: &str) -> Result<Document<'_>, SchemaError> {
    if text.len() > MAX_BYTES {
        let size = text.len();
        return Err(SchemaError(format!(
            "has {size} bytes; at most {MAX_BYTES} are allowed"
        )));
    }
    let document = Document::read(text).map_err(|error| SchemaError(format!("is {error}")))?;
    match document.repeated().first() {
        Some(twice) => {
            let at = path::pointer(&document, *twice);
            Err(SchemaError(format!(
                "has two members of one name at `{at}`; leave one out"
            )))
        }
        None => Ok(document),
    }
}

struct Compiler<'a> {
    document: &'a Document<'a>,
    resources: Resources,
    schemas: Vec<Schema>,
    by_node: HashMap<NodeId, SchemaId>,
    /// Schemas that have a place, but are not compiled yet.
    waiting: Vec<(NodeId, SchemaId)>,
    has_unevaluated: bool,
    unchecked: Vec<NodeId>,
}

impl<'a> Compiler<'a> {
    fn compile(document: &'a Document<'a>) -> Result<CompiledSchema, SchemaError> {
        let resources = Resources::of(document);
        if resources.len() > MAX_RESOURCES {
            let count = resources.len();
            return Err(SchemaError(format!(
                "contains {count} schemas with an `$id`; at most {MAX_RESOURCES} are allowed"
            )));
        }
        let mut compiler = Self {
            document,
            resources,
            schemas: Vec::new(),
            by_node: HashMap::new(),
            waiting: Vec::new(),
            has_unevaluated: false,
            unchecked: Vec::new(),
        };
        let root = compiler.schema(NodeId::ROOT)?;
        let dynamic_anchors = compiler.dynamic_anchors()?;
        compiler.compile_waiting()?;
        compiler.refuse_endless()?;
        compiler.unchecked.sort_unstable();
        compiler.unchecked.truncate(MAX_UNCHECKED);
        let unchecked = compiler
            .unchecked
            .iter()
            .map(|at| path::pointer(document, *at))
            .collect();
        let Self {
            schemas,
            has_unevaluated,
            ..
        } = compiler;
        Ok(CompiledSchema {
            schemas,
            root,
            has_unevaluated,
            dynamic_anchors,
            unchecked,
        })
    }

    /// The place of the schema at a node, which is compiled later, once.
    fn schema(&mut self, node: NodeId) -> Result<SchemaId, SchemaError> {
        if let Some(id) = self.by_node.get(&node) {
            return Ok(*id);
        }
        let schema = match (self.document.kind(node), self.document.raw(node)) {
            (Kind::Bool, "false") => Schema::Nothing,
            (Kind::Bool | Kind::Object, _) => Schema::Anything,
            _ => return Err(wrong(self.document, node, "a schema")),
        };
        let id = self.schemas.len();
        self.schemas.push(schema);
        self.by_node.insert(node, id);
        if self.document.kind(node) == Kind::Object {
            self.waiting.push((node, id));
        }
        Ok(id)
    }

    fn compile_waiting(&mut self) -> Result<(), SchemaError> {
        while let Some((node, id)) = self.waiting.pop() {
            let mut keywords = Keywords {
                resource: self.resources.around(self.document, node),
                ..Keywords::default()
            };
            for member in self.document.children(node) {
                self.keyword(&mut keywords, node, member)?;
            }
            value::finish(self.document, node, &mut keywords);
            if let Some(place) = self.schemas.get_mut(id) {
                *place = Schema::Keywords(Box::new(keywords));
            }
        }
        Ok(())
    }

    fn keyword(&mut self, k: &mut Keywords, schema: NodeId, at: NodeId) -> Result<(), SchemaError> {
        let name = self.document.name(at);
        if value::keyword(self.document, k, name, at)? {
            return Ok(());
        }
        match name {
            "$ref" => k.reference = Some(self.reference(schema, at)?.0),
            "$dynamicRef" => {
                let (target, anchor) = self.reference(schema, at)?;
                let single = self.resources.len() == 1;
                let anchor = anchor.filter(|_| !single);
                k.dynamic_reference = Some(DynamicReference { target, anchor });
            }
            "prefixItems" => k.prefix_items = self.schemas_of(at)?,
            // How older drafts write `prefixItems` and `items`.
            "items" if self.document.kind(at) == Kind::Array => {
                k.prefix_items = self.schemas_of(at)?;
                let rest = self.document.member(schema, "additionalItems");
                k.items = rest.map(|rest| self.schema(rest)).transpose()?;
            }
            "items" => k.items = Some(self.schema(at)?),
            "contains" => k.contains = Some(self.schema(at)?),
            "unevaluatedItems" => {
                self.has_unevaluated = true;
                k.unevaluated_items = Some(self.schema(at)?);
            }
            "properties" => k.properties = Properties::new(self.named_schemas(at)?),
            "patternProperties" => self.patterns(k, at)?,
            "additionalProperties" => k.additional = Some(self.schema(at)?),
            "propertyNames" => k.property_names = Some(self.schema(at)?),
            "unevaluatedProperties" => {
                self.has_unevaluated = true;
                k.unevaluated_properties = Some(self.schema(at)?);
            }
            "dependentSchemas" => k.dependent_schemas.extend(self.named_schemas(at)?),
            "dependencies" => self.dependencies(k, at)?,
            "allOf" => k.all_of = self.schemas_of(at)?,
            "anyOf" => k.any_of = self.schemas_of(at)?,
            "oneOf" => k.one_of = self.schemas_of(at)?,
            "not" => k.not = Some(self.schema(at)?),
            "if" => k.condition = Some(self.schema(at)?),
            "then" => k.then = Some(self.schema(at)?),
            "else" => k.otherwise = Some(self.schema(at)?),
            "$schema" if !self.document.string(at).contains("json-schema.org") => {
                self.unchecked.push(at);
            }
            "pattern" => self.unchecked.push(at),
            // Annotations, definitions (compiled where they are referred to) and unknown keywords.
            _ => {}
        }
        Ok(())
    }

    fn reference(
        &mut self,
        schema: NodeId,
        at: NodeId,
    ) -> Result<(SchemaId, Option<String>), SchemaError> {
        let text = self.document.string(at);
        if self.document.kind(at) != Kind::String {
            return Err(wrong(self.document, at, "a reference"));
        }
        let target = self
            .resources
            .find(self.document, schema, text)
            .map_err(|nowhere| {
                let why = match nowhere {
                    Nowhere::Outside => "is outside of it; references are never fetched",
                    Nowhere::Missing => "it does not contain",
                };
                SchemaError(format!(
                    "refers to `{}`, which {why}",
                    value::shortened(text)
                ))
            })?;
        Ok((self.schema(target.node)?, target.dynamic_anchor))
    }

    fn schemas_of(&mut self, at: NodeId) -> Result<Vec<SchemaId>, SchemaError> {
        value::expect(self.document, at, Kind::Array, "a list of schemas")?;
        self.document
            .children(at)
            .map(|schema| self.schema(schema))
            .collect()
    }

    fn named_schemas(&mut self, at: NodeId) -> Result<Vec<(String, SchemaId)>, SchemaError> {
        value::expect(self.document, at, Kind::Object, "an object")?;
        let members = self.document.children(at);
        members
            .map(|at| Ok((self.document.name(at).to_owned(), self.schema(at)?)))
            .collect()
    }

    fn patterns(&mut self, k: &mut Keywords, at: NodeId) -> Result<(), SchemaError> {
        for (pattern, schema) in self.named_schemas(at)? {
            match NamePattern::of(&pattern) {
                Some(pattern) => k.patterns.push((pattern, schema)),
                None => k.unknown_patterns = true,
            }
        }
        if k.unknown_patterns {
            self.unchecked.push(at);
        }
        Ok(())
    }

    /// How older drafts write `dependentRequired` and `dependentSchemas`.
    fn dependencies(&mut self, k: &mut Keywords, at: NodeId) -> Result<(), SchemaError> {
        value::expect(self.document, at, Kind::Object, "an object")?;
        for member in self.document.children(at) {
            let name = self.document.name(member).to_owned();
            if self.document.kind(member) == Kind::Array {
                k.dependent_required
                    .push((name, value::names(self.document, member)?));
            } else {
                k.dependent_schemas.push((name, self.schema(member)?));
            }
        }
        Ok(())
    }

    fn dynamic_anchors(
        &mut self,
    ) -> Result<HashMap<String, HashMap<usize, SchemaId>>, SchemaError> {
        let mut anchors: HashMap<String, HashMap<usize, SchemaId>> = HashMap::new();
        if self.resources.len() == 1 {
            return Ok(anchors);
        }
        let found: Vec<_> = self
            .resources
            .dynamic_anchors()
            .map(|(resource, name, node)| (resource, name.to_owned(), node))
            .collect();
        for (resource, name, node) in found {
            anchors
                .entry(name)
                .or_default()
                .insert(resource, self.schema(node)?);
        }
        Ok(anchors)
    }

    /// Refuses a schema that would have to be checked forever: one that contains itself for the same
    /// value.
    fn refuse_endless(&self) -> Result<(), SchemaError> {
        let inside: Vec<Vec<SchemaId>> = self
            .schemas
            .iter()
            .map(|schema| match schema {
                Schema::Keywords(keywords) => keywords.in_place().collect(),
                _ => Vec::new(),
            })
            .collect();
        let Some(id) = first_in_circle(&inside) else {
            return Ok(());
        };
        let node = self
            .by_node
            .iter()
            .find(|(_, known)| **known == id)
            .map(|(node, _)| *node);
        let at = path::pointer(self.document, node.unwrap_or(NodeId::ROOT));
        Err(SchemaError(format!(
            "refers to itself without end at `{at}`"
        )))
    }
}

/// A node from which edges lead back to it, if there is one.
fn first_in_circle(edges: &[Vec<usize>]) -> Option<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; edges.len()];
    for start in 0..edges.len() {
        // Each node on the way, and which of its edges is next.
        let mut way = vec![(start, 0)];
        while let Some((node, edge)) = way.pop() {
            let state = states.get_mut(node)?;
            if *state == State::Done {
                continue;
            }
            *state = State::Open;
            match edges.get(node).and_then(|edges| edges.get(edge)) {
                None => *state = State::Done,
                Some(next) => {
                    way.push((node, edge + 1));
                    match states.get(*next) {
                        Some(State::Open) => return Some(*next),
                        Some(State::New) => way.push((*next, 0)),
                        _ => {}
                    }
                }
            }
        }
    }
    None
}
