//! OpenAI Chat Completions, for OpenAI and every server that speaks the same language; the newer
//! language of OpenAI is in [`responses`].
//!
//! An [`OpenAiChatModel`] is a base URL, a key and a model's name. What servers do differently is
//! in an [`OpenAiProfile`], chosen by the host unless one is given.
//!
//! ```
//! use vernal_core::model::ChatOptions;
//! use vernal_models::openai::OpenAiChatModel;
//!
//! let model = OpenAiChatModel::builder()
//!     .base_url("http://127.0.0.1:8080/v1")
//!     .model("qwen3")
//!     .default_options(ChatOptions::builder().temperature(0.2).build())
//!     .build()?;
//! # Ok::<(), vernal_core::model::ModelError>(())
//! ```
//!
//! # What a request holds
//!
//! The options that are set, the tools, and the messages, each written once in its life and copied
//! from then on. Fields of [`ChatOptions::extra`](vernal_core::model::ChatOptions::extra) take the
//! place of ours; one that is `null` is left out.
//!
//! # Media
//!
//! In messages of the user and the application, images are sent (their bytes or a URL), `audio/wav`,
//! `audio/mpeg` and `application/pdf` (their bytes). A result of a tool is text alone; its images follow
//! in a message of the user where the server is known to take them ([`ToolMedia`]). Anything else
//! becomes a note that names its type, and in a message of the model it is left out. Each time, a
//! warning (`tracing`, target `vernal_models`) names the provider, the type, and where the media stood;
//! a message is written once, and warned of once.
//!
//! # The prompt cache
//!
//! The server caches by itself. To models that read where a prefix ends (OpenAI's since GPT-5.6), an
//! [`OpenAiCache`] says it of the system's texts; of any other place a part of a message of the user or
//! the application does, in data of the provider, whose name is that of the profile. `prompt_cache_key`
//! is an extra field.
//!
//! ```
//! use serde_json::value::RawValue;
//! use vernal_core::message::{Message, Part, ProviderData, Role};
//!
//! let mark = r#"{"prompt_cache_breakpoint":{"mode":"explicit"}}"#;
//! let mark = ProviderData::new("openai", RawValue::from_string(mark.to_owned())?);
//! let rules = Part::text("The rules of the house: …").with_provider_data(mark);
//! let first = Message::new(Role::System, vec![rules]);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! # What becomes of an answer
//!
//! One message for each choice, its parts in the order reasoning, text, refusal, calls. Reasoning and
//! calls carry what their server wants back, and are sent back to servers of the same profile only.
//! A call of a custom tool has its text as the argument `input`, and goes back as what it was.
//!
//! A streamed answer is complete with its reason to end. The tokens come after that: where the stream
//! breaks off between the two, the answer has no [usage](vernal_core::model::ResponseMetadata::usage).
//!
//! An answer has at most 4096 choices and as many calls. Half of a surrogate pair that stays alone in a
//! text is U+FFFD; in arguments it makes them invalid, and the model is told so.
//!
//! # Servers that are known
//!
//! Each of these has a profile, found by its host unless one is given; every column is a field of
//! [`OpenAiProfile`]. A server on this machine is known by its port where that is its own.
//!
#![doc = include_str!("profile/servers.md")]

mod answer;
mod azure;
mod builder;
mod cache;
mod collect;
mod custom;
mod format;
mod growing;
mod message;
mod model;
mod profile;
mod reasoning;
mod request;
mod response;
pub mod responses;
mod usage;
mod wire;

pub use builder::{OpenAiChatModelBuilder, OpenAiSettings};
pub use cache::OpenAiCache;
pub use model::OpenAiChatModel;
pub use profile::{
    CallIds, KeyHeader, MaxTokensField, OpenAiProfile, ReasoningEcho, ResponseFormats,
    SystemMessages, ToolChoiceForms, ToolMedia, ToolNames,
};
pub use responses::{
    OpenAiResponsesModel, OpenAiResponsesModelBuilder, OpenAiResponsesSettings, ResponsesState,
};

#[cfg(test)]
pub(crate) use profile::SERVERS;
