//! Tools on the wire: those of the application, and those that the provider knows by their type.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use vernal_core::message::DialectKey;
use vernal_core::model::ModelError;
use vernal_core::tool::{ToolDefinition, ToolSet};

use crate::exchange::{ToolForm, ToolForms, configuration};
use crate::json::JsonObject;
use crate::lowering::{SchemaDialect, lower};
use crate::wire_names::wire_name;

/// Fields of the definitions of tools, by the tools' names.
pub(super) type ToolFields = BTreeMap<String, Map<String, Value>>;

/// What an adapter adds to the tools of every request.
pub(super) struct ToolDefaults {
    pub(super) forms: ToolForms,
    /// The tools of the provider, as they are written, with commas between them.
    pub(super) of_server: String,
    /// How many these are.
    of_server_count: usize,
    /// The names of those that take plain text in place of JSON.
    pub(super) custom: BTreeSet<String>,
    fields: ToolFields,
}

impl ToolDefaults {
    /// Takes what a builder was given.
    ///
    /// # Errors
    /// A tool of the provider has no type, or a field would take the place of a tool's own.
    pub(super) fn new(
        of_server: &[Value],
        fields: ToolFields,
        strict: bool,
    ) -> Result<Self, ModelError> {
        for (tool, fields) in &fields {
            for name in ["type", "name", "description", "parameters"] {
                if fields.contains_key(name) {
                    return Err(configuration(&format!(
                        "the `tool_field` `{name}` of the tool `{tool}` cannot be set: it is what \
                         the tool itself says"
                    )));
                }
            }
        }
        let custom: BTreeSet<String> = of_server.iter().filter_map(custom_name).collect();
        let shown = serde_json::to_string(&fields).unwrap_or_default();
        let form = |dialect| ToolForm {
            dialect,
            key: DialectKey::from_name(&format!(
                "openai-responses 1 tools {dialect:?} {shown} {custom:?}"
            )),
        };
        Ok(Self {
            forms: ToolForms {
                plain: form(SchemaDialect::OpenAi),
                strict: strict.then(|| form(SchemaDialect::OpenAiStrict)),
            },
            of_server: text_of(of_server)?,
            of_server_count: of_server.len(),
            custom,
            fields,
        })
    }

    /// How many tools a request has that offers these.
    pub(super) fn count(&self, tools: &ToolSet) -> usize {
        self.of_server_count + self.written(tools).count()
    }

    /// The tools that are written: one that the provider is told of as a custom tool is not written
    /// again.
    fn written<'a>(&'a self, tools: &'a ToolSet) -> impl Iterator<Item = &'a ToolDefinition> {
        let tools = tools.definitions();
        tools.filter(|tool| !self.custom.contains(&**tool.name()))
    }

    /// The tools as the server reads them, in order, with commas between them.
    pub(super) fn encode(&self, tools: &ToolSet, dialect: SchemaDialect) -> String {
        let of_tool =
            |tool: &ToolDefinition| 128 + tool.description().len() + tool.input_schema().len();
        let mut out = String::with_capacity(tools.definitions().map(of_tool).sum());
        for tool in self.written(tools) {
            if !out.is_empty() {
                out.push(',');
            }
            let own = self.fields.get(&**tool.name());
            let mut object = JsonObject::begin(&mut out);
            object.string("type", "function");
            object.string("name", &wire_name(tool.name()));
            object.string("description", tool.description());
            let lowered = lower(tool.input_schema(), dialect);
            object.raw("parameters", lowered.schema);
            // Where nothing is said, the server tries to be strict and says nothing when it is not.
            if own.is_none_or(|own| !own.contains_key("strict")) {
                object.raw("strict", lowered.is_strict);
            }
            for (name, value) in own
                .into_iter()
                .flatten()
                .filter(|(_, value)| !value.is_null())
            {
                object.raw(name, value);
            }
            object.end();
        }
        out
    }
}

fn custom_name(tool: &Value) -> Option<String> {
    if tool.get("type")? != "custom" {
        return None;
    }
    tool.get("name")?.as_str().map(str::to_owned)
}

fn text_of(tools: &[Value]) -> Result<String, ModelError> {
    let mut texts = Vec::with_capacity(tools.len());
    for tool in tools {
        if tool.get("type").is_none_or(|kind| !kind.is_string()) {
            return Err(configuration(&format!(
                "a `server_tool` is `{tool}`; it has to be an object with a type, such as \
                 {{\"type\":\"web_search\"}}"
            )));
        }
        texts.push(tool.to_string());
    }
    Ok(texts.join(","))
}
