//! What models can do, as data: a table by provider and pattern of the model's name, which an
//! application can extend or contradict.
//!
//! ```
//! use vernal_core::model::{ChatModel, ChatOptions};
//! use vernal_models::capabilities::CapabilityTable;
//! use vernal_models::openai::OpenAiChatModel;
//!
//! let own = CapabilityTable::from_json(
//!     r#"[{"provider": "vllm", "model": "qwen3-*", "can": {"tools": true, "context_window": 32768}}]"#,
//! )?;
//! let model = OpenAiChatModel::builder()
//!     .base_url("http://127.0.0.1:8000/v1")
//!     .profile(vernal_models::openai::OpenAiProfile::VLLM)
//!     .model("qwen3-8b")
//!     .capabilities(own)
//!     .build()?;
//! let can = model.capabilities(&ChatOptions::default());
//! assert_eq!(can.context_window, Some(32_768));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which models a row is for
//!
//! In both the provider and the model of a row, `*` stands for any text and `?` for one character; case
//! plays no part. `"provider": "*"` is every provider. A row for another provider than the one that is
//! asked says nothing, so these are the names:
//!
//! | adapter | provider |
//! |---|---|
//! | OpenAI Chat | the `name` of its `OpenAiProfile`: `openai`, `azure`, `groq`, `deepseek`, `xai`, `mistral`, `moonshot`, `openrouter`, `together`, `gemini-v1`, `vllm`, `llama.cpp`, `lm-studio`, `ollama-v1`; of a profile of your own what you call it; `openai-compatible` of any other server, such as a gateway, whatever it has behind it |
//! | OpenAI Responses | `openai`, `azure`, `xai`; `compatible` of any other server; or what the builder's `provider` says, without a `-responses` at its end |
//! | Anthropic, Gemini, Ollama, Bedrock | `anthropic`, `gemini`, `ollama`, `bedrock`, wherever they are asked |
//!
//! # What follows from it
//!
//! What is not known is sent. What is known not to be there decides about these, for the model of each
//! request:
//!
//! | capability | where it is `false` |
//! |---|---|
//! | `strict_schema` | tools are sent without the strict mode that was asked for |
//! | `parallel_tool_calls` | the switch is left out, which such models refuse |
//! | `response_schema` | `entity` asks in words |
//! | `tools`, `required_tool_choice` | sent as it was asked for: to leave it out would be another request |
//!
//! [`ChatModel::check`](vernal_core::model::ChatModel::check) tells of each. The other fields are for
//! the application: an image is sent to a model whatever is known of its `image_input`, and the
//! provider says what it makes of it.
//!
//! The application's own rows win over what an adapter says of all its models, such as an
//! `OpenAiProfile` without strict mode, and that wins over the built-in
//! rows.

mod pattern;

use std::fmt;
use std::sync::{Arc, LazyLock};

use serde::Deserialize;
use vernal_core::model::Capabilities;

use pattern::fits;

/// Rows that say what models can do; a later row wins over an earlier one.
///
/// A copy is one reference count.
#[derive(Debug, Clone, Default)]
pub struct CapabilityTable(Arc<[Row]>);

/// One row: which models, and what is known of them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// A pattern like that of the model.
    provider: String,
    /// Its name, in which `*` stands for any text and `?` for one character.
    model: String,
    can: Capabilities,
}

static BUILT_IN: LazyLock<CapabilityTable> = LazyLock::new(|| {
    // A test reads it.
    CapabilityTable::from_json(include_str!("table.json")).unwrap_or_default()
});

impl CapabilityTable {
    /// The table that comes with Vernal.
    pub fn built_in() -> Self {
        BUILT_IN.clone()
    }

    /// A table from JSON: a list of objects with `provider` and `model`, which are
    /// [patterns](self#which-models-a-row-is-for), and `can`, whose members are the fields of
    /// [`Capabilities`].
    ///
    /// # Errors
    /// It is no such list; the error names the member and the line.
    pub fn from_json(json: &str) -> Result<Self, CapabilityTableError> {
        let rows: Vec<Row> = serde_json::from_str(json).map_err(CapabilityTableError)?;
        Ok(Self(rows.into()))
    }

    /// These rows and then others, which win.
    #[must_use]
    pub fn followed_by(&self, others: &Self) -> Self {
        Self(self.0.iter().chain(&*others.0).cloned().collect())
    }

    /// What is known of a model of a provider. Case plays no part.
    pub fn lookup(&self, provider: &str, model: &str) -> Capabilities {
        let rows = self.0.iter();
        rows.filter(|row| fits(&row.provider, provider) && fits(&row.model, model))
            .fold(Capabilities::default(), |known, row| row.can.over(&known))
    }
}

/// Why a table cannot be read.
#[derive(Debug)]
pub struct CapabilityTableError(serde_json::Error);

impl fmt::Display for CapabilityTableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the table of capabilities cannot be read: {}; a row is \
             {{\"provider\": …, \"model\": …, \"can\": {{…}}}}",
            self.0
        )
    }
}

impl std::error::Error for CapabilityTableError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}
