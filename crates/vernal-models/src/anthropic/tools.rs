//! Tools on the wire: those of the application, and those that the provider runs.

use std::collections::BTreeMap;

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
    /// The last tool of the provider has a cache mark of its own.
    server_is_marked: bool,
    fields: ToolFields,
}

impl ToolDefaults {
    /// Takes what a builder was given.
    ///
    /// # Errors
    /// A tool of the provider is no object, or a field would take the place of a tool's own.
    pub(super) fn new(
        of_server: &[Value],
        fields: ToolFields,
        strict: bool,
    ) -> Result<Self, ModelError> {
        for (tool, fields) in &fields {
            for name in ["name", "description", "input_schema"] {
                if fields.contains_key(name) {
                    return Err(configuration(&format!(
                        "the `tool_field` `{name}` of the tool `{tool}` cannot be set: it is what \
                         the tool itself says"
                    )));
                }
            }
        }
        let shown = serde_json::to_string(&fields).unwrap_or_default();
        let form = |dialect| ToolForm {
            dialect,
            key: DialectKey::from_name(&format!("anthropic-messages 1 tools {dialect:?} {shown}")),
        };
        Ok(Self {
            forms: ToolForms {
                plain: form(SchemaDialect::Anthropic),
                strict: strict.then(|| form(SchemaDialect::AnthropicStrict)),
            },
            of_server: text_of(of_server)?,
            server_is_marked: of_server.last().is_some_and(is_marked),
            fields,
        })
    }

    /// Whether the tool that comes last has a cache mark of its own.
    pub(super) fn last_is_marked(&self, tools: &ToolSet) -> bool {
        if !self.of_server.is_empty() {
            return self.server_is_marked;
        }
        let last = tools.definitions().last();
        last.and_then(|tool| self.fields.get(&**tool.name()))
            .is_some_and(|fields| fields.contains_key("cache_control"))
    }

    /// The tools as the server reads them, in order, with commas between them.
    pub(super) fn encode(&self, tools: &ToolSet, dialect: SchemaDialect) -> String {
        let of_tool =
            |tool: &ToolDefinition| 128 + tool.description().len() + tool.input_schema().len();
        let mut out = String::with_capacity(tools.definitions().map(of_tool).sum());
        for tool in tools.definitions() {
            if !out.is_empty() {
                out.push(',');
            }
            let mut object = JsonObject::begin(&mut out);
            object.string("name", &wire_name(tool.name()));
            object.string("description", tool.description());
            let lowered = lower(tool.input_schema(), dialect);
            object.raw("input_schema", lowered.schema);
            let fields = self.fields.get(&**tool.name());
            if lowered.is_strict && fields.is_none_or(|fields| !fields.contains_key("strict")) {
                object.raw("strict", true);
            }
            for (name, value) in fields.into_iter().flatten() {
                object.raw(name, value);
            }
            object.end();
        }
        out
    }
}

fn text_of(tools: &[Value]) -> Result<String, ModelError> {
    let mut texts = Vec::with_capacity(tools.len());
    for tool in tools {
        if tool.as_object().is_none_or(Map::is_empty) {
            return Err(configuration(&format!(
                "a `server_tool` is `{tool}`; it has to be an object such as \
                 {{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}}"
            )));
        }
        texts.push(tool.to_string());
    }
    Ok(texts.join(","))
}

fn is_marked(tool: &Value) -> bool {
    tool.get("cache_control").is_some()
}
