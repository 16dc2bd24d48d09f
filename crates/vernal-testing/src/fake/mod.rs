//! Servers on this machine that pass for a provider's.
//!
//! A [`FakeServer`] speaks one [`FakeApi`]. It checks every request against the documented shape of
//! that API and answers from a [`Script`], which is the same for all of them. So a test covers
//! everything of an application but the model: the adapter, what it sends, the retries, the loop.
//!
//! ```
//! use vernal_core::client::ChatClient;
//! use vernal_core::tool::FunctionToolCallback;
//! use vernal_models::openai::OpenAiChatModel;
//! use vernal_testing::fake::{FakeApi, FakeServer, Script};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! let script = Script::new().calls("current_time", "{}").says("It is noon.");
//! let server = FakeServer::start(FakeApi::OpenAiChat, script);
//!
//! let model = OpenAiChatModel::builder()
//!     .base_url(server.base_url())
//!     .api_key("any key")
//!     .model("gpt-5.1")
//!     .build()?;
//! let time = FunctionToolCallback::builder("current_time", || "12:00")
//!     .description("The current time")
//!     .build()?;
//! let answer = ChatClient::create(model).prompt("What time is it?").tools(time).call().await?;
//!
//! assert_eq!(answer.content(), "It is noon.");
//! let requests = server.requests();
//! assert_eq!(requests[1].json()["messages"][2]["content"], "12:00");
//! server.verify();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is checked
//!
//! Every field: its name, its type, its bounds, whether it has to be there; images and documents are
//! base64. Then what belongs together: each call has one answer in its place, roles follow each other as
//! the API has it, tools have distinct names of the API's pattern and schemas of objects, strict ones only
//! what strict mode takes and no more than it takes, a choice names a tool on offer, and what an answer
//! wants back (signatures, encrypted reasoning) comes back. Then method, path, query, content type,
//! version and key, whatever key it is. What breaks a rule is refused in the API's own error format, and
//! the server panics at its end with a line such as
//!
//! ```text
//! request 2: $.messages[3].tool_call_id: `call_7` is no open call: a tool message answers …
//! ```
//!
//! A field that only one compatible server has, a path and a key that a gateway has of its own, are
//! [allowed](Script::allows) by the script. All else stays checked. A script calls a tool by its own name,
//! in any script of the world: the server says the name by which the request offers it.
//!
//! What depends on a model is checked only where its name tells it: signatures for Gemini 3, and what
//! families of models at Bedrock refuse. Not checked are: which parameters of sampling a reasoning model
//! takes, what a beta header has to be sent for, whether examples of a tool's input fit its schema, the
//! items of tools that a provider runs itself, the sizes of images, and whether a signature is right.
//!
//! # What can go wrong
//!
//! A [`Fault`] stands in place of an answer: statuses with every form of `retry-after`, a closed or silent
//! connection, an error with the status 200, HTML, a huge body, bad UTF-8. A [`Step`] says how an answer
//! travels: in fragments, a few bytes at a time, slowly, cut or stalled in the middle of a call.
//!
//! ```
//! use vernal_testing::fake::{FakeApi, FakeServer, Fault, RetryAfter, Script, Step};
//! use vernal_testing::Reply;
//!
//! let script = Script::new()
//!     .fails(Fault::status(429).after(RetryAfter::Millis(10)))
//!     .then(Step::from(Reply::call("current_time", "{}")).cut())
//!     .says("It is noon.");
//! # let server = FakeServer::start(FakeApi::Ollama, script);
//! ```
//!
//! # The other APIs
//!
//! Every client whose base URL can be set may ask, whoever made it: the official ones are let talk to
//! these servers too.
//!
//! ```
//! use vernal_models::{anthropic, gemini, ollama};
//! use vernal_testing::fake::{FakeApi, FakeServer, Script};
//!
//! let server = FakeServer::start(FakeApi::Anthropic, Script::new());
//! let model = anthropic::AnthropicChatModel::builder()
//!     .base_url(server.base_url())
//!     .api_key("any key")
//!     .model("claude-sonnet-4-5")
//!     .build()?;
//!
//! let server = FakeServer::start(FakeApi::Gemini, Script::new());
//! let model = gemini::GeminiChatModel::builder()
//!     .base_url(server.base_url())
//!     .api_key("any key")
//!     .model("gemini-2.5-flash")
//!     .build()?;
//!
//! let server = FakeServer::start(FakeApi::Ollama, Script::new());
//! let model = ollama::OllamaChatModel::builder()
//!     .base_url(server.base_url())
//!     .model("qwen3")
//!     .build()?;
//! # Ok::<(), vernal_core::model::ModelError>(())
//! ```

//!
//! # Azure
//!
//! [`FakeApi::AzureChat`] and [`FakeApi::AzureResponses`] are OpenAI's APIs as Azure has them: with the
//! deployment and the version in the URL, or at `/openai/v1`; with a key in the header `api-key` or a
//! token of the directory, not both; with the errors of its gateway. A stream of chat begins with the
//! chunk without choices in which the filters tell about the prompt. A part of the provider `azure` in a
//! [`Reply`](crate::Reply) is a chunk of a stream as it is.
//!
//! ```
//! use vernal_models::openai::OpenAiChatModelBuilder;
//! use vernal_testing::fake::{FakeApi, FakeServer, Script};
//!
//! let server = FakeServer::start(FakeApi::AzureChat, Script::new());
//! let version = Some("2025-04-01-preview");
//! let model = OpenAiChatModelBuilder::azure(&server.origin(), "my-deployment", version)?
//!     .api_key("any key")
//!     .build()?;
//! # Ok::<(), vernal_core::model::ModelError>(())
//! ```

mod answer;
mod anthropic;
mod api;
mod azure;
mod bedrock;
mod dialect;
mod fault;
mod gemini;
mod head;
mod http;
mod inspect;
mod ollama;
mod openai_chat;
mod openai_responses;
mod play;
mod request;
mod script;
mod server;
mod shape;
mod step;
mod strict_schema;
mod tool_names;
mod violation;

pub use api::FakeApi;
pub use fault::{Fault, RetryAfter};
pub use request::RecordedRequest;
pub use script::Script;
pub use server::FakeServer;
pub use step::Step;
pub use violation::Violation;
