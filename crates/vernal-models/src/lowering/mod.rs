//! A tool's schema in the words that a provider takes, with a report of what it loses (rule SCH-8).
//!
//! Providers take different parts of JSON Schema, and refuse a request for the rest. What a
//! [`SchemaDialect`] has no word for is put into other words where they mean the same, else told in the
//! description, else left out; each loss is a [`SchemaLoss`]. Arguments are always checked against the
//! tool's own schema, so a loss costs a model a hint and never lets anything through.
//!
//! ```
//! use vernal_core::model::LossOutcome;
//! use vernal_models::lowering::{SchemaDialect, lower};
//!
//! let schema = r#"{"type":"object","properties":{"name":{"type":"string","minLength":1}},
//!                  "required":[],"additionalProperties":false}"#;
//! let lowered = lower(schema, SchemaDialect::OpenAiStrict);
//! assert_eq!(
//!     lowered.schema,
//!     r#"{"type":"object","properties":{"name":{"type":["string","null"],"description":"(minLength: 1)"}},"required":["name"],"additionalProperties":false}"#
//! );
//! assert_eq!(lowered.losses[0].path, "/properties/name");
//! assert_eq!(lowered.losses[0].outcome, LossOutcome::Described);
//! ```

mod all_of;
mod alternatives;
mod limits;
mod lists;
mod node;
mod open_api;
mod recursion;
mod references;
mod root;
mod rules;
mod strict;
mod walk;

pub use limits::{SchemaSize, size_of};
use node::{Members, Node};
use vernal_core::model::{LossOutcome, SchemaLoss};
use walk::Lowering;

/// What a provider reads of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SchemaDialect {
    /// OpenAI's functions, and those of compatible servers: anything, but no choice at the root.
    OpenAi,
    /// OpenAI's functions in strict mode.
    OpenAiStrict,
    /// Anthropic's tools: anything, but no choice at the root.
    Anthropic,
    /// Anthropic's tools in strict mode.
    AnthropicStrict,
    /// Gemini's `parametersJsonSchema`.
    Gemini,
    /// Gemini's `parameters`: a subset of OpenAPI 3.0.
    GeminiOpenApi,
    /// Ollama, whose reader is typed and passes over what it does not know.
    Ollama,
    /// Bedrock's Converse, with what all of its models take.
    Bedrock,
    /// Bedrock's Converse in strict mode: what Anthropic's takes, whose models have it there.
    BedrockStrict,
}

/// A schema in the words of a dialect.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoweredSchema {
    /// The schema as JSON: the same bytes every time, and those that were given where nothing had to
    /// be changed.
    pub schema: String,
    /// What it lost.
    pub losses: Vec<SchemaLoss>,
    /// Whether it is in strict mode. Where a strict dialect has no words for a schema, it is in those
    /// of the same provider without strict mode.
    pub is_strict: bool,
}

/// What a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    Arguments,
    Answer,
}

/// Lowers a tool's input schema. A text that is no JSON stays as it is.
pub fn lower(schema: &str, dialect: SchemaDialect) -> LoweredSchema {
    lower_of(schema, dialect, Subject::Arguments)
}

/// Lowers the schema of an answer: as [`lower`] does, but where strict mode wants every property, an
/// optional one is required as it is. Nobody takes a `null` out of an answer again before it is read.
pub fn lower_response(schema: &str, dialect: SchemaDialect) -> LoweredSchema {
    lower_of(schema, dialect, Subject::Answer)
}

fn lower_of(schema: &str, dialect: SchemaDialect, subject: Subject) -> LoweredSchema {
    let Some(root) = Node::read(schema) else {
        return LoweredSchema {
            schema: schema.to_owned(),
            losses: Vec::new(),
            is_strict: false,
        };
    };
    let rules = dialect.rules();
    let mut lowering = Lowering::new(&root, rules, subject);
    if rules.no_recursion {
        lowering.circular = lowering.recursion();
    }
    let mut lowered = lowering.root();
    if let (Some(reason), Some(loose)) = (lowering.unfit.take(), dialect.without_strict()) {
        let mut lowered = lower_of(schema, loose, subject);
        lowered.losses.insert(0, reason);
        return lowered;
    }
    if rules.open_api {
        lowered = open_api::rewritten(&lowered);
    }
    LoweredSchema {
        schema: if lowered == root {
            schema.to_owned()
        } else {
            lowered.to_string()
        },
        losses: lowering.losses,
        is_strict: rules.strict.is_some(),
    }
}

impl LoweredSchema {
    /// Whether a model that reads it knows all that the schema asks for, if only in words: nothing was
    /// loosened or left out.
    pub fn says_all(&self) -> bool {
        let is_silent = |loss: &SchemaLoss| {
            matches!(loss.outcome, LossOutcome::Loosened | LossOutcome::Dropped)
        };
        !self.losses.iter().any(is_silent)
    }
}

impl SchemaDialect {
    /// The same provider's dialect without strict mode, for those that have one.
    fn without_strict(self) -> Option<Self> {
        match self {
            Self::OpenAiStrict => Some(Self::OpenAi),
            Self::AnthropicStrict => Some(Self::Anthropic),
            Self::BedrockStrict => Some(Self::Bedrock),
            _ => None,
        }
    }
}

/// Adds words to what a schema says of itself.
fn describe(schema: &mut Members, words: &str) {
    let said = schema.get("description").and_then(Node::as_str);
    let said = match said.filter(|said| !said.is_empty()) {
        Some(said) => format!("{said} {words}"),
        None => words.to_owned(),
    };
    schema.set("description", Node::Text(said));
}
