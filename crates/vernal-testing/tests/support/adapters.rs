//! The adapters of Vernal for the APIs of the fake servers, all in one place: whoever adds an adapter
//! adds it here, and the tests and examples have it.

use std::sync::Arc;

use vernal_core::model::{ChatModel, ModelError};
use vernal_models::anthropic::AnthropicChatModel;
use vernal_models::bedrock::BedrockChatModel;
use vernal_models::gemini::GeminiChatModel;
use vernal_models::http::{HttpLimits, RetryPolicy};
use vernal_models::ollama::OllamaChatModel;
use vernal_models::openai::responses::{OpenAiResponsesModel, OpenAiResponsesModelBuilder};
use vernal_models::openai::{OpenAiChatModel, OpenAiProfile};
use vernal_testing::fake::FakeApi;

/// The APIs that there is an adapter for.
pub(crate) const ADAPTED: [FakeApi; 8] = [
    FakeApi::OpenAiChat,
    FakeApi::OpenAiResponses,
    FakeApi::Anthropic,
    FakeApi::Gemini,
    FakeApi::Ollama,
    FakeApi::Bedrock,
    FakeApi::AzureChat,
    FakeApi::AzureResponses,
];

/// The key that is sent; no error shows it.
pub(crate) const KEY: &str = "key-0123456789";

/// The endpoint of a resource whose API is at a base URL.
fn azure_endpoint(url: &str) -> &str {
    url.strip_suffix("/openai/v1").unwrap_or(url)
}

/// A model behind the API at a base URL.
pub(crate) fn model(
    api: FakeApi,
    url: String,
    limits: HttpLimits,
    retry: RetryPolicy,
) -> Result<Arc<dyn ChatModel>, ModelError> {
    Ok(match api {
        FakeApi::Anthropic => Arc::new(
            AnthropicChatModel::builder()
                .base_url(url)
                .api_key(KEY)
                .model("claude-sonnet-4-5")
                .limits(limits)
                .retry(retry)
                .build()?,
        ),
        FakeApi::Bedrock => Arc::new(
            BedrockChatModel::builder()
                .base_url(url)
                .api_key(KEY)
                .region("us-east-1")
                .model("anthropic.claude-sonnet-4-5-v1:0")
                .limits(limits)
                .retry(retry)
                .build()?,
        ),
        FakeApi::OpenAiResponses => Arc::new(
            OpenAiResponsesModel::builder()
                .base_url(url)
                .api_key(KEY)
                .model("gpt-5.1")
                .limits(limits)
                .retry(retry)
                .build()?,
        ),
        FakeApi::AzureChat => Arc::new(
            OpenAiChatModel::builder()
                .base_url(url)
                .profile(OpenAiProfile::AZURE)
                .api_key(KEY)
                .model("gpt-5.1")
                .limits(limits)
                .retry(retry)
                .build()?,
        ),
        FakeApi::AzureResponses => Arc::new(
            OpenAiResponsesModelBuilder::azure(azure_endpoint(&url), "gpt-5.1", None)?
                .api_key(KEY)
                .limits(limits)
                .retry(retry)
                .build()?,
        ),
        FakeApi::Gemini => Arc::new(
            GeminiChatModel::builder()
                .base_url(url)
                .api_key(KEY)
                .model("gemini-2.5-flash")
                .limits(limits)
                .retry(retry)
                .build()?,
        ),
        FakeApi::Ollama => Arc::new(
            OllamaChatModel::builder()
                .base_url(url)
                .model("qwen3")
                .limits(limits)
                .retry(retry)
                .build()?,
        ),
        // Whatever else there is has no adapter, and is not among those above.
        _ => Arc::new(
            OpenAiChatModel::builder()
                .base_url(url)
                .api_key(KEY)
                .model("gpt-5.1")
                .limits(limits)
                .retry(retry)
                .build()?,
        ),
    })
}
