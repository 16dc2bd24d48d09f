//! Tools on the wire.

use vernal_core::model::ToolChoice;
use vernal_core::tool::{ToolDefinition, ToolSet};

use super::names::name_for;
use crate::exchange::ChoiceWords;
use crate::json::{JsonObject, push_string};
use crate::lowering::{SchemaDialect, lower, size_of};

/// In which language the arguments of tools are described.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum SchemaForm {
    /// JSON Schema, as the tool has it (`parametersJsonSchema`).
    #[default]
    JsonSchema,
    /// The subset of OpenAPI 3.0 that older servers read (`parameters`). References, `oneOf`, `const`
    /// and kinds of `null` are put into its words; what it has no word for is left out, and still
    /// checked by Vernal.
    OpenApi,
}

impl SchemaForm {
    pub(super) fn dialect(self) -> SchemaDialect {
        match self {
            Self::JsonSchema => SchemaDialect::Gemini,
            Self::OpenApi => SchemaDialect::GeminiOpenApi,
        }
    }
}

/// An object without members is refused in OpenAPI; no schema means no arguments.
fn takes_nothing(tool: &ToolDefinition) -> bool {
    size_of(tool.input_schema()).properties == 0
}

/// The tools as the server reads them, in order.
pub(super) fn encode_tools(tools: &ToolSet, form: SchemaForm) -> String {
    let mut out = String::from("[{\"functionDeclarations\":[");
    for (position, tool) in tools.definitions().enumerate() {
        if position > 0 {
            out.push(',');
        }
        let mut function = JsonObject::begin(&mut out);
        function.string("name", &name_for(tool.name()));
        function.string("description", tool.description());
        let lowered = lower(tool.input_schema(), form.dialect());
        match form {
            SchemaForm::JsonSchema => function.raw("parametersJsonSchema", lowered.schema),
            SchemaForm::OpenApi if takes_nothing(tool) => {}
            SchemaForm::OpenApi => function.raw("parameters", lowered.schema),
        }
        function.end();
    }
    out.push_str("]}]");
    out
}

/// Every choice has a word here.
pub(super) const CHOICES: ChoiceWords = ChoiceWords {
    server: "Gemini",
    none: true,
    required: true,
    named: true,
    allowed: true,
};

/// Whether and what the model must call; `None` where the model decides.
pub(super) fn encode_choice(choice: &ToolChoice) -> Option<String> {
    let (mode, only) = match choice {
        ToolChoice::None => ("NONE", [].as_slice()),
        ToolChoice::Required => ("ANY", [].as_slice()),
        ToolChoice::Tool(name) => ("ANY", std::slice::from_ref(name)),
        // `AUTO` takes no names; `VALIDATED` is the mode that leaves the choice and does.
        ToolChoice::Allowed { tools, required } => {
            (if *required { "ANY" } else { "VALIDATED" }, &**tools)
        }
        _ => return None,
    };
    let mut out = String::from("{\"functionCallingConfig\":");
    let mut config = JsonObject::begin(&mut out);
    config.string("mode", mode);
    if !only.is_empty() {
        let names = config.member("allowedFunctionNames");
        names.push('[');
        for (position, name) in only.iter().enumerate() {
            if position > 0 {
                names.push(',');
            }
            push_string(names, &name_for(name));
        }
        names.push(']');
    }
    config.end();
    out.push('}');
    Some(out)
}
