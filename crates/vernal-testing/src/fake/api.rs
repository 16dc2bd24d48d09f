use std::fmt;

use super::dialect::Dialect;
use super::{anthropic, bedrock, gemini, ollama, openai_chat, openai_responses};

/// The APIs that a [`FakeServer`](super::FakeServer) can speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FakeApi {
    /// OpenAI Chat Completions: `POST /v1/chat/completions`.
    OpenAiChat,
    /// OpenAI Responses: `POST /v1/responses`.
    OpenAiResponses,
    /// Anthropic Messages: `POST /v1/messages`.
    Anthropic,
    /// Gemini `generateContent` and `streamGenerateContent`.
    Gemini,
    /// Ollama `POST /api/chat`.
    Ollama,
    /// Bedrock `Converse` and `ConverseStream`. Whether a signature is right is not looked at.
    Bedrock,
    /// Chat Completions at Azure: `POST /openai/v1/chat/completions`, and
    /// `POST /openai/deployments/DEPLOYMENT/chat/completions?api-version=…`.
    AzureChat,
    /// Responses at Azure: `POST /openai/v1/responses`, and `POST /openai/responses?api-version=…`.
    AzureResponses,
}

impl FakeApi {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::OpenAiChat,
        Self::OpenAiResponses,
        Self::Anthropic,
        Self::Gemini,
        Self::Ollama,
        Self::Bedrock,
        Self::AzureChat,
        Self::AzureResponses,
    ];

    /// The name, such as `openai-chat`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenAiChat => "openai-chat",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic-messages",
            Self::Gemini => "gemini-generate-content",
            Self::Ollama => "ollama-chat",
            Self::Bedrock => "bedrock-converse",
            Self::AzureChat => "azure-chat",
            Self::AzureResponses => "azure-responses",
        }
    }

    /// What a client's base URL has after the origin.
    pub(crate) fn base_path(self) -> &'static str {
        match self {
            Self::OpenAiChat | Self::OpenAiResponses => "/v1",
            Self::Gemini => "/v1beta",
            Self::AzureChat | Self::AzureResponses => "/openai/v1",
            Self::Anthropic | Self::Ollama | Self::Bedrock => "",
        }
    }

    pub(crate) fn dialect(self) -> &'static Dialect {
        match self {
            Self::OpenAiChat => &openai_chat::DIALECT,
            Self::OpenAiResponses => &openai_responses::DIALECT,
            Self::Anthropic => &anthropic::DIALECT,
            Self::Gemini => &gemini::DIALECT,
            Self::Ollama => &ollama::DIALECT,
            Self::Bedrock => &bedrock::DIALECT,
            Self::AzureChat => &openai_chat::AZURE,
            Self::AzureResponses => &openai_responses::AZURE,
        }
    }
}

impl fmt::Display for FakeApi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
