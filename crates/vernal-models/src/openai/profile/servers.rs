//! The profiles of known servers.

use super::{
    CallIds, KeyHeader, MaxTokensField, OpenAiProfile, ReasoningEcho, ResponseFormats,
    SystemMessages, ToolChoiceForms, ToolMedia, ToolNames,
};
use crate::lowering::SchemaDialect;

impl OpenAiProfile {
    /// For any compatible server: what the most of them take.
    pub const COMPATIBLE: Self = Self {
        name: "openai-compatible",
        max_tokens_field: MaxTokensField::MaxTokens,
        stream_usage: true,
        name_fragments: false,
        reasoning_echo: ReasoningEcho::AsReceived,
        tool_names: ToolNames::Ascii64,
        tool_media: ToolMedia::Note,
        tool_choice: ToolChoiceForms::Named,
        parallel_switch: true,
        call_ids: CallIds::AsTheyAre,
        system_messages: SystemMessages::AsTheyAre,
        key_header: KeyHeader::Bearer,
        schemas: SchemaDialect::OpenAi,
        strict_tools: false,
        response_formats: ResponseFormats::JsonSchemaOrTools,
        json_wants_word: false,
        most_tools: None,
        longest_description: None,
    };

    /// For OpenAI itself.
    pub const OPENAI: Self = Self {
        name: "openai",
        max_tokens_field: MaxTokensField::MaxCompletionTokens,
        reasoning_echo: ReasoningEcho::Never,
        tool_media: ToolMedia::UserMessage,
        tool_choice: ToolChoiceForms::All,
        strict_tools: true,
        response_formats: ResponseFormats::JsonSchema,
        json_wants_word: true,
        most_tools: Some(128),
        longest_description: Some(1024),
        ..Self::COMPATIBLE
    };

    /// For OpenAI's models at Azure. A version of the API may know nothing of `allowed_tools`.
    pub const AZURE: Self = Self {
        name: "azure",
        tool_choice: ToolChoiceForms::Named,
        key_header: KeyHeader::ApiKey,
        ..Self::OPENAI
    };

    /// For vLLM; many templates of models take one message of the application, at the beginning.
    pub const VLLM: Self = Self {
        name: "vllm",
        system_messages: SystemMessages::OneFirst,
        ..Self::COMPATIBLE
    };

    /// For llama.cpp's server, which reads a choice of a tool by name as no choice.
    pub const LLAMA_CPP: Self = Self {
        name: "llama.cpp",
        tool_choice: ToolChoiceForms::Keywords,
        system_messages: SystemMessages::OneFirst,
        ..Self::COMPATIBLE
    };

    /// For LM Studio, which refuses a choice that is no word.
    pub const LM_STUDIO: Self = Self {
        name: "lm-studio",
        tool_choice: ToolChoiceForms::Keywords,
        system_messages: SystemMessages::OneFirst,
        ..Self::COMPATIBLE
    };

    /// For Ollama's `/v1`. Its own dialect is in the module `ollama`.
    pub const OLLAMA: Self = Self {
        name: "ollama-v1",
        tool_names: ToolNames::AsTheyAre,
        tool_choice: ToolChoiceForms::NotRead,
        schemas: SchemaDialect::Ollama,
        parallel_switch: false,
        ..Self::COMPATIBLE
    };

    /// For Groq, which takes no reasoning back.
    pub const GROQ: Self = Self {
        name: "groq",
        max_tokens_field: MaxTokensField::MaxCompletionTokens,
        reasoning_echo: ReasoningEcho::Never,
        most_tools: Some(128),
        ..Self::COMPATIBLE
    };

    /// For DeepSeek, whose thinking models refuse a call without its reasoning, and which knows no schema
    /// of an answer.
    pub const DEEPSEEK: Self = Self {
        name: "deepseek",
        reasoning_echo: ReasoningEcho::AlwaysWithCalls,
        response_formats: ResponseFormats::JsonObject,
        json_wants_word: true,
        most_tools: Some(128),
        ..Self::COMPATIBLE
    };

    /// For xAI.
    pub const XAI: Self = Self {
        name: "xai",
        tool_media: ToolMedia::UserMessage,
        ..Self::COMPATIBLE
    };

    /// For Mistral, which refuses fields that it does not know and counts the tokens of every stream.
    pub const MISTRAL: Self = Self {
        name: "mistral",
        stream_usage: false,
        strict_tools: true,
        call_ids: CallIds::Alphanumeric9,
        ..Self::COMPATIBLE
    };

    /// For Moonshot's Kimi, which cannot be told that a tool must be called.
    pub const MOONSHOT: Self = Self {
        name: "moonshot",
        reasoning_echo: ReasoningEcho::AlwaysWithCalls,
        tool_choice: ToolChoiceForms::NoneOnly,
        parallel_switch: false,
        most_tools: Some(128),
        ..Self::COMPATIBLE
    };

    /// For OpenRouter.
    pub const OPENROUTER: Self = Self {
        name: "openrouter",
        strict_tools: true,
        ..Self::COMPATIBLE
    };

    /// For Together.
    pub const TOGETHER: Self = Self {
        name: "together",
        ..Self::COMPATIBLE
    };

    /// For Gemini's endpoint that speaks Chat Completions. Its own dialect is in the module `gemini`.
    pub const GEMINI: Self = Self {
        name: "gemini-v1",
        reasoning_echo: ReasoningEcho::Never,
        tool_media: ToolMedia::UserMessage,
        parallel_switch: false,
        ..Self::COMPATIBLE
    };
}
