//! OpenAI Responses.
//!
//! An [`OpenAiResponsesModel`] is a key and a model's name, and where needed another base URL, tools
//! that the provider runs, and who keeps the conversation.
//!
//! ```
//! use serde_json::json;
//! use vernal_core::model::ChatOptions;
//! use vernal_models::openai::responses::{OpenAiResponsesModel, ResponsesState};
//!
//! let options = ChatOptions::builder()
//!     .extra("reasoning", json!({"effort": "low", "summary": "auto"}))
//!     .extra("prompt_cache_key", "desk");
//! let model = OpenAiResponsesModel::builder()
//!     .base_url("http://127.0.0.1:8080/v1")
//!     .model("gpt-5.1")
//!     .state(ResponsesState::Stateless)
//!     .server_tool(json!({"type": "web_search"}))
//!     .default_options(options.build())
//!     .build()?;
//! # Ok::<(), vernal_core::model::ModelError>(())
//! ```
//!
//! # What a request holds
//!
//! The options that are set, the tools, the texts of the system messages that come first as
//! `instructions`, and the other messages as items, each written once in its life and copied from
//! then on. What of a conversation the server keeps, and what is sent again, is a [`ResponsesState`].
//! The [form of answers](vernal_core::model::ResponseFormat) stands under `text`, beside what else an
//! extra `text` has there. OpenAI and Azure take JSON of any form only where a message has the word, so a
//! request without it is refused before it is sent.
//!
//! Fields of [`ChatOptions::extra`](vernal_core::model::ChatOptions::extra) take the place of ours;
//! one that is `null` is left out. Every call of the conversation has exactly one result: where there is
//! none, a note stands in its place, and a result without its call is left out. With a `conversation` of
//! the server's among them, only the messages after its last answer are sent.
//!
//! A part of a message of the user may carry data of the provider, whose members are added to its piece
//! of content, such as `{"detail":"low"}` on an image; an opaque part, a whole piece
//! (`{"type":"input_file","file_id":…}`) or a whole item.
//!
//! # Media
//!
//! In messages of the user and in results of tools, images and files are sent, their bytes or a URL. A
//! sound or a film becomes a note that names its type, and so do all media in a message of the model; in
//! one of the system they are left out. Each time, a warning (`tracing`, target `vernal_models`) names
//! the provider, the type, and where the media stood; a message is written once, and warned of once.
//!
//! # The prompt cache
//!
//! The server caches by itself; `prompt_cache_key` is an extra field. To models that read where a prefix
//! ends (OpenAI's since GPT-5.6), an [`OpenAiCache`](super::OpenAiCache) says it of the system's texts,
//! which are then the first item of the conversation, for instructions have no place for a mark; a
//! server that keeps the conversation keeps them with it. Of any other place the data of a part of the
//! user's says it: `{"prompt_cache_breakpoint":{"mode":"explicit"}}`.
//!
//! # What becomes of an answer
//!
//! One message, its parts in the order of the items. Texts, reasoning and whatever only the provider
//! understands (its searches, its calls of MCP servers) carry their item, and are sent back as they
//! came and where they stood. A call of a custom tool has its text as the argument `input`. Where an
//! answer is not complete, `incomplete_details` are in the generation's metadata.
//!
//! Reasoning that a server which keeps nothing could not read back is left out of the next request,
//! and so are then the ids of the items beside it.

mod answer;
mod builder;
mod collect;
mod content;
mod format;
mod growing;
mod input;
mod instructions;
mod item;
mod model;
mod request;
mod response;
mod state;
mod tools;
mod turns;
mod usage;

pub use builder::{OpenAiResponsesModelBuilder, OpenAiResponsesSettings};
pub use model::OpenAiResponsesModel;
pub use state::ResponsesState;
