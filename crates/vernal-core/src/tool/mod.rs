//! Tools: what a model may call, and how a call reaches Rust code.
//!
//! Every way to make a tool ends in a [`ToolCallback`]: a [`ToolDefinition`] that the model sees, a
//! [`ToolMetadata`] that it does not, and the code that runs. `#[tools]` on an `impl` block and
//! `#[tool]` on a function write them for you; [`FunctionToolCallback`] makes one from a closure, and
//! [`MethodToolCallback`] one from a method of a type that is not yours.
//!
//! ```
//! use serde::Deserialize;
//! use vernal_core::tool::{FunctionToolCallback, ToolCallback, ToolContext, ToolInput};
//!
//! #[derive(Deserialize, schemars::JsonSchema)]
//! struct WeatherRequest {
//!     /// The city's name.
//!     location: String,
//! }
//!
//! # futures::executor::block_on(async {
//! let weather = FunctionToolCallback::builder("currentWeather", |request: WeatherRequest| async move {
//!     format!("Sunny in {}", request.location)
//! })
//! .description("Get the weather in location")
//! .build()?;
//!
//! let input = ToolInput::parse(r#"{"location":"Jeju"}"#)?;
//! let output = weather.call(input, ToolContext::empty()).await.unwrap();
//! assert_eq!(output.text(), "Sunny in Jeju");
//! # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
//! ```

mod arguments;
pub mod augment;
mod callback;
mod cancel;
mod context;
mod converter;
mod definition;
mod destructive;
mod error;
mod extract;
mod function;
mod input;
mod into_tools;
mod metadata;
pub(crate) mod method;
pub(crate) mod name;
mod optional;
pub(crate) mod output;
pub(crate) mod parameter;
mod progress;
mod provider;
#[cfg(feature = "registry")]
pub(crate) mod registry;
mod resolver;
mod result_store;
pub mod schema;
mod set;

pub use arguments::ArgumentPolicy;
pub use callback::{ToolCallback, ToolFuture};
pub use cancel::{CancelOnDrop, CancellationToken};
pub(crate) use context::CallScope;
pub use context::ToolContext;
pub use converter::{ToolCallResultConverter, ToolResult};
pub use definition::{ToolDefinition, ToolDefinitionBuilder, ToolDefinitionError, ToolDefinitions};
pub(crate) use destructive::DestructiveWarnings;
pub use error::ToolError;
pub use extract::{Context, FromToolContext};
pub use function::{
    FunctionToolCallback, FunctionToolCallbackBuilder, FunctionToolCallbackParts, ToolFunction,
};
pub use input::{ToolFields, ToolInput, ToolInputError};
pub use into_tools::{IntoTools, ToolCallbacks, ToolSource};
pub use metadata::{ToolMetadata, ToolMetadataBuilder};
pub use method::{
    BoundMethod, BoundMethodBuilder, MethodParameter, MethodToolCallback,
    MethodToolCallbackBuilder, MethodToolCallbackError, NoObject, ToolMethod,
};
pub use optional::OptionalTools;
pub use output::{IntoToolResult, ToolOutput};
pub use parameter::{ToolParameter, ToolParameters};
pub use progress::{ProgressSender, ToolProgress};
pub use provider::{ToolCallbackProvider, ToolProviderError};
#[cfg(feature = "registry")]
pub use registry::registered_tools;
pub use resolver::{StaticToolCallbackResolver, ToolCallbackResolver};
pub use result_store::ToolResultStore;
pub use set::{DuplicateTool, ToolOrigin, ToolSet};
#[cfg(feature = "macros")]
pub use vernal_macros::{tool, tools};
