//! Gemini's `generateContent` and `streamGenerateContent`.
//!
//! A [`GeminiChatModel`] is a key and a model's name.
//!
//! ```
//! use vernal_models::gemini::GeminiChatModel;
//!
//! let model = GeminiChatModel::builder()
//!     .api_key("the key")
//!     .model("gemini-2.5-flash")
//!     .build()?;
//! # Ok::<(), vernal_core::model::ModelError>(())
//! ```
//!
//! # What a request holds
//!
//! The system messages before the conversation as its instruction, the settings under
//! `generationConfig`, the tools, and the messages, each written once in its life and copied from then
//! on. Messages of one side in a row are one content; answers to calls are a content of their own. A
//! prompt in which nobody but the system speaks is refused before anything is sent.
//! Fields of [`ChatOptions::extra`](vernal_core::model::ChatOptions::extra), such as `safetySettings`,
//! stand beside ours or take their place, and those of an extra `generationConfig` stand in there; one
//! that is `null` is left out.
//!
//! Tools are described in JSON Schema unless [`SchemaForm::OpenApi`] is chosen. A tool's name that the
//! server does not take is sent as another and read back. Ids that Vernal made are not sent. Models since
//! Gemini 3 want a signature on the model's first call: where none came, as from another provider's
//! model, it is the one that Google has for this.
//!
//! # What becomes of an answer
//!
//! One message for each candidate, its parts in their order. A thought signature stays on the part that
//! it came with, and goes back with it: pieces of text are joined, but never across one. Code that the
//! server ran and other parts of its own are kept whole and sent back as they came. A prompt that was
//! blocked is an error; a candidate that was stopped is an answer with the reason. A stream that ends
//! before the server gave a reason was cut, and is an error after what came.

mod builder;
mod collect;
mod format;
mod generation;
mod message;
mod model;
mod names;
mod parts;
mod request;
mod tools;
mod usage;
mod wire;

pub use builder::{GeminiChatModelBuilder, GeminiSettings};
pub use model::GeminiChatModel;
pub use tools::SchemaForm;

/// Under which name the data of this dialect stands on message parts.
const PROVIDER: &str = "gemini";

/// How the base URL looks, for errors.
const BASE_URL: &str = "usually ends in /v1beta";
