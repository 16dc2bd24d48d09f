//! What most programs need: `use vernal::prelude::*;`
//!
//! ```
//! use vernal::prelude::*;
//!
//! # fn example(model: impl ChatModel) -> Result<(), Error> {
//! let client = ChatClient::builder(model).default_system("Be brief.").build()?;
//! # let _ = client;
//! # Ok(()) }
//! ```

pub use vernal_core::Error;
pub use vernal_core::advisor::{
    Advisor, AdvisorParams, BaseAdvisor, BudgetAdvisor, ChatClientRequest, ChatClientResponse,
    ChatEvent, MessageChatMemoryAdvisor, OnUnavailable, RequestDeadlineAdvisor, RequestState,
    RetryAdvisor, RoundKind, SafeGuardAdvisor, SimpleLoggerAdvisor,
    StructuredOutputValidationAdvisor, ToolCallingAdvisor, ToolLoopHooks,
};
pub use vernal_core::calling::{ToolCallLimitBehavior, ToolCallingManager, Turn};
pub use vernal_core::client::{ChatClient, ChatClientMessageAggregator, ResponseEntity};
pub use vernal_core::memory::{
    ChatMemory, ChatMemoryRepository, ConversationId, InMemoryChatMemoryRepository, MemoryWindow,
};
pub use vernal_core::message::{History, Message};
pub use vernal_core::model::{
    ChatModel, ChatOptions, ChatResponse, Prompt, ResponseFormat, ToolChoice,
};
pub use vernal_core::tool::{
    FunctionToolCallback, IntoTools, ToolCallback, ToolCallbackProvider, ToolCallbacks,
    ToolContext, ToolDefinition, ToolError, ToolMetadata, ToolOutput, tool, tools,
};
