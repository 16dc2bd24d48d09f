//! Tools on the wire: those of the application, and those that the provider runs.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use vernal_core::message::DialectKey;
use vernal_core::model::{ModelError, ToolChoice};
use vernal_core::tool::{ToolDefinition, ToolSet};

use crate::exchange::configuration;
use crate::json::JsonObject;
use crate::lowering::{SchemaDialect, lower};
use crate::wire_names::wire_name;

/// Fields of the specifications of tools, by the tools' names.
pub(super) type ToolFields = BTreeMap<String, Map<String, Value>>;

/// Stands in for the tools of a request that has none although its conversation has calls: the server
/// refuses these without a list of tools, and an empty list.
pub(super) const STAND_IN: &str = r#"{"toolSpec":{"name":"no_tool_is_available","description":"Stands for the tools of earlier turns. It is not available: never call it.","inputSchema":{"json":{"type":"object"}}}}"#;

/// What an adapter adds to the tools of every request.
pub(super) struct ToolDefaults {
    /// Strict mode is asked for.
    pub(super) strict: bool,
    /// The keys of a tool list's bytes, loose and strict: the fields that change them are in them.
    keys: [DialectKey; 2],
    /// The tools of the provider, as they are written, with commas between them.
    pub(super) of_server: String,
    fields: ToolFields,
}

impl ToolDefaults {
    /// Takes what a builder was given.
    ///
    /// # Errors
    /// A field would take the place of a tool's own.
    pub(super) fn new(
        system_tools: &[String],
        fields: ToolFields,
        strict: bool,
    ) -> Result<Self, ModelError> {
        for (tool, fields) in &fields {
            for name in ["name", "description", "inputSchema"] {
                if fields.contains_key(name) {
                    return Err(configuration(&format!(
                        "the `tool_field` `{name}` of the tool `{tool}` cannot be set: it is what \
                         the tool itself says"
                    )));
                }
            }
        }
        let shown = serde_json::to_string(&fields).unwrap_or_default();
        let key =
            |mode: &str| DialectKey::from_name(&format!("bedrock-converse 1 tools {mode} {shown}"));
        Ok(Self {
            strict,
            keys: [key("loose"), key("strict")],
            of_server: of_server(system_tools),
            fields,
        })
    }

    /// The key of a tool list's bytes.
    pub(super) fn key(&self, strict: bool) -> DialectKey {
        let [loose, in_strict] = self.keys;
        if strict { in_strict } else { loose }
    }

    /// The tools as the server reads them, in order, with commas between them.
    pub(super) fn encode(&self, tools: &ToolSet, strict: bool) -> String {
        let of_tool =
            |tool: &ToolDefinition| 128 + tool.description().len() + tool.input_schema().len();
        let mut out = String::with_capacity(tools.definitions().map(of_tool).sum());
        for tool in tools.definitions() {
            if !out.is_empty() {
                out.push(',');
            }
            let mut object = JsonObject::begin(&mut out);
            let mut spec = JsonObject::begin(object.member("toolSpec"));
            spec.string("name", &wire_name(tool.name()));
            spec.string("description", tool.description());
            let mut schema = JsonObject::begin(spec.member("inputSchema"));
            let lowered = lower(tool.input_schema(), dialect(strict));
            schema.raw("json", lowered.schema);
            schema.end();
            let fields = self.fields.get(&**tool.name());
            if lowered.is_strict && fields.is_none_or(|fields| !fields.contains_key("strict")) {
                spec.raw("strict", true);
            }
            for (name, value) in fields.into_iter().flatten() {
                spec.raw(name, value);
            }
            spec.end();
            object.end();
        }
        out
    }
}

/// What is read of a tool's schema.
pub(super) fn dialect(strict: bool) -> SchemaDialect {
    if strict {
        SchemaDialect::BedrockStrict
    } else {
        SchemaDialect::Bedrock
    }
}

fn of_server(names: &[String]) -> String {
    let mut out = String::new();
    for name in names {
        if !out.is_empty() {
            out.push(',');
        }
        let mut object = JsonObject::begin(&mut out);
        let mut tool = JsonObject::begin(object.member("systemTool"));
        tool.string("name", name);
        tool.end();
        object.end();
    }
    out
}

/// What the model must call. Nothing where it decides: so does the server. It has no word for calling
/// nothing.
pub(super) fn push_choice(config: &mut JsonObject<'_>, choice: &ToolChoice) {
    match choice {
        ToolChoice::Required => config.raw("toolChoice", r#"{"any":{}}"#),
        ToolChoice::Tool(name) => {
            let mut choice = JsonObject::begin(config.member("toolChoice"));
            let mut tool = JsonObject::begin(choice.member("tool"));
            tool.string("name", &wire_name(name));
            tool.end();
            choice.end();
        }
        _ => {}
    }
}
