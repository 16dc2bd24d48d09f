//! Ollama's own `/api/chat`, for models that run on this machine or nearby; no key is needed.
//!
//! An [`OllamaChatModel`] is a model's name and, where the server is not this machine, a base URL.
//!
//! ```
//! use vernal_models::ollama::OllamaChatModel;
//!
//! let model = OllamaChatModel::builder().model("qwen3:4b").num_ctx(16_384).build()?;
//! # Ok::<(), vernal_core::model::ModelError>(())
//! ```
//!
//! # What a request holds
//!
//! The tools and the messages, each written once in its life and copied from then on, and under
//! `options` the settings that are set. Fields of
//! [`ChatOptions::extra`](vernal_core::model::ChatOptions::extra), such as `think`, `format` and
//! `keep_alive`, stand beside ours or take their place, and those of an extra `options` stand in
//! `options`; one that is `null` is left out.
//!
//! The default context of a server is small, and what does not fit is cut off in silence, tools too:
//! set [`num_ctx`](OllamaChatModelBuilder::num_ctx) to what the conversation needs.
//!
//! # What the server cannot do
//!
//! Nothing makes a model call a tool: a request that asks for that with
//! [`ToolChoice`](vernal_core::model::ToolChoice) is refused. With `ToolChoice::None` the tools are left
//! out. Whether one answer holds several calls cannot be chosen either, and a form of answers leaves no
//! room for calls; [`ChatModel::check`](vernal_core::model::ChatModel::check) tells of both.
//! The server reads only part of JSON Schema: references, `oneOf`, `allOf` of one, `const` and
//! boolean schemas are put into words that it knows, and the arguments are checked by Vernal.
//!
//! # Media
//!
//! The bytes of images are sent, in messages of the user and the application and in results of tools.
//! Anything else, an image by a URL too, becomes a note that names its type; in a message of the model
//! it is left out. Each time, a warning (`tracing`, target `vernal_models`) names the provider, the
//! type, and where the media stood; a message is written once, and warned of once.
//!
//! # What becomes of an answer
//!
//! One message, its parts in the order reasoning, text, calls. A stream that ends before the server
//! said that it is done is an error.

mod builder;
mod collect;
mod message;
mod model;
mod request;
mod wire;

pub use builder::{OllamaChatModelBuilder, OllamaSettings};
pub use model::OllamaChatModel;

/// Under which name the data of this dialect stands on message parts.
const PROVIDER: &str = "ollama";

/// How the base URL looks, for errors.
const BASE_URL: &str = "usually has no path";
