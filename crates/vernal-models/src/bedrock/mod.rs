//! Bedrock Converse.
//!
//! A [`BedrockChatModel`] is a region, credentials or an API key, and a model's id, or the ARN of a
//! model or an inference profile.
//!
//! ```
//! use vernal_core::model::ChatOptions;
//! use vernal_models::bedrock::{AwsCredentials, BedrockCache, BedrockChatModel};
//!
//! let model = BedrockChatModel::builder()
//!     .region("us-east-1")
//!     .credentials(AwsCredentials::new("AKIDEXAMPLE", "the secret key"))
//!     .model("us.anthropic.claude-sonnet-4-5-20250929-v1:0")
//!     .cache(BedrockCache::ALL)
//!     .default_options(ChatOptions::builder().max_tokens(2048).build())
//!     .build()?;
//! # Ok::<(), vernal_core::model::ModelError>(())
//! ```
//!
//! Each request is signed when it is sent (SigV4), unless there is an API key. Credentials that expire
//! are given with [`credentials_from`](BedrockChatModelBuilder::credentials_from).
//!
//! # What a request holds
//!
//! The settings under `inferenceConfig`, the tools, the texts of all system messages as `system`, and
//! the other messages, each written once in its life and copied from then on. Messages of the user and
//! results of tools that follow each other are one turn, the results first; models that refuse that get
//! them [apart](BedrockChatModelBuilder::results_alone). Every call of the conversation has exactly one
//! result: where there is none, an error stands in its place, and a result without its call is left
//! out. Blank texts are left out too, and so is the white space at the end of what the model has begun
//! to say where it is to go on: the server refuses them. Writer's models are not told that a result is a
//! failure, and Qwen's and Kimi's get a note in place of media in results.
//!
//! Fields of [`ChatOptions::extra`](vernal_core::model::ChatOptions::extra), such as
//! `additionalModelRequestFields` and `guardrailConfig`, stand beside ours or take their place, and
//! those of an extra `inferenceConfig` stand in there; one that is `null` is left out.
//!
//! Bedrock has no word for [`ToolChoice::None`](vernal_core::model::ToolChoice::None): the tools are
//! left out, unless the conversation has calls, with which the server wants to see tools. Where there
//! are none then, a tool stands in that is not available. Nor has it one for a single call at a time.
//! Of a [choice among some tools](vernal_core::model::ToolChoice::Allowed) only those are sent.
//!
//! The [form of answers](vernal_core::model::ResponseFormat) is sent where it is a schema that strict mode
//! has words for, but not to a model that is known to take none: where it is left out,
//! [`check`](vernal_core::model::ChatModel::check) says so, and it tells of a model of which it is not
//! known. For an entity only models are asked that are known to take it;
//! others are asked in words. Bedrock has no word for JSON without a schema, which is left out and told.
//!
//! A tool's schema has what all models take: references are put in their place, and of the root only its
//! type, its properties, which of them are required and whether there may be others are sent. In
//! [strict mode](BedrockChatModelBuilder::strict_tools), it has what Anthropic's strict mode takes. What
//! is known of models can be told with [`capabilities`](crate::ModelBuilder::capabilities).
//!
//! A prompt in which nobody but the system speaks is refused before anything is sent.
//!
//! A name of a tool, or an id of a call, that the server does not take is sent as another. A tool's
//! result that is a JSON object is sent as such, and other JSON as text. Images, documents, videos and
//! sounds are sent where they are in the message or at an `s3://` address; a note that names their type
//! stands for others.
//!
//! # What becomes of an answer
//!
//! One message, its parts in the order of the blocks. Thoughts, texts with citations and whatever only
//! Bedrock understands carry their block, and are sent back as they came and where they stood. Where
//! there are `additionalModelResponseFields`, a `trace` (of a guardrail or a router), a
//! `performanceConfig` or a `serviceTier`, they are in the generation's metadata.
//!
//! A part of a message may carry data of the provider `bedrock`: `{"cachePoint":{"type":"default"}}`
//! marks the cache behind it, `citations` and `context` stand in the block of a document; an opaque part
//! is a whole block of content, such as a `guardContent`.

mod block;
mod builder;
mod cache;
mod collect;
mod credentials;
mod endpoint;
mod failure;
mod family;
mod format;
mod growing;
mod media;
mod message;
mod model;
mod request;
mod response;
mod sign;
mod stop;
mod tools;
mod usage;

pub use builder::{BedrockChatModelBuilder, BedrockSettings};
pub use cache::{BedrockCache, CacheTtl};
pub use credentials::AwsCredentials;
pub use model::BedrockChatModel;

/// Whose opaque data ours is.
const PROVIDER: &str = "bedrock";

/// How the base URL looks, for errors.
const BASE_URL: &str = "is what stands before /model";
