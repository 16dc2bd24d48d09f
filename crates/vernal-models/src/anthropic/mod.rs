//! Anthropic Messages.
//!
//! An [`AnthropicChatModel`] is a key and a model's name, and where needed another base URL, beta
//! features, tools that the provider runs, and marks for its prompt cache.
//!
//! ```
//! use vernal_core::model::ChatOptions;
//! use vernal_models::anthropic::{AnthropicCache, AnthropicChatModel};
//!
//! let model = AnthropicChatModel::builder()
//!     .base_url("http://127.0.0.1:8080")
//!     .model("claude-sonnet-4-5")
//!     .cache(AnthropicCache::ALL)
//!     .default_options(ChatOptions::builder().max_tokens(2048).build())
//!     .build()?;
//! # Ok::<(), vernal_core::model::ModelError>(())
//! ```
//!
//! # What a request holds
//!
//! The options that are set, the tools, the texts of all system messages as `system`, and the other
//! messages, each written once in its life and copied from then on. Messages of the user and results of
//! tools that follow each other are one turn, the results first. Every call of the conversation has
//! exactly one result: where there is none, an error stands in its place, and a result without its
//! call is left out. Fields of [`ChatOptions::extra`](vernal_core::model::ChatOptions::extra) take the
//! place of ours; one that is `null` is left out. A prompt in which nobody but the system speaks is
//! refused before anything is sent. What the model has begun to say loses the white space at its end.
//!
//! Thinking with a budget (`{"type":"enabled",…}` as the extra field `thinking`) is left out, and a warning
//! told, while the turn goes on with calls that came without thoughts: those of another provider's
//! model. The server refuses it then.
//!
//! The [form of answers](vernal_core::model::ResponseFormat) is sent where it is a schema that strict mode
//! has words for, but not to a model that is known to take none: where it is left out,
//! [`check`](vernal_core::model::ChatModel::check) says so.
//!
//! Anthropic wants the most tokens of every answer to be named: where no option does, it is
//! [`DEFAULT_MAX_TOKENS`], and as many more as a thinking budget in the extra field `thinking` takes.
//!
//! # Media
//!
//! In messages of the user and in results of tools, images (PNG, JPEG, GIF and WebP, and any by a URL)
//! and `application/pdf` are sent, their bytes or a URL. Anything else becomes a note that names its
//! type, and so do all media in a message of the system or the model. Each time, a warning (`tracing`,
//! target `vernal_models`) names the provider, the type, and where the media stood; a message is
//! written once, and warned of once.
//!
//! # What becomes of an answer
//!
//! One message, its parts in the order of the blocks. Thinking, text with citations and whatever only
//! Anthropic understands carry their block, and are sent back as they came and where they stood.
//! Where there are a `stop_sequence`, `stop_details` or a `container`, they are in the generation's
//! metadata.
//!
//! A part of a message of the user or the system may carry `{"cache_control":…}` as data of the
//! provider `anthropic`, which then stands on its block; an opaque part, a whole block of content.

mod answer;
mod block;
mod builder;
mod cache;
mod collect;
mod format;
mod growing;
mod media;
mod message;
mod model;
mod request;
mod response;
mod thinking;
mod tools;
mod usage;

pub use builder::{AnthropicChatModelBuilder, AnthropicSettings};
pub use cache::{AnthropicCache, CacheTtl};
pub use model::AnthropicChatModel;
pub use request::DEFAULT_MAX_TOKENS;

/// Whose opaque data ours is.
const PROVIDER: &str = "anthropic";
