//! The providers by name, and how each is asked.

use std::sync::Arc;

use vernal_core::model::{ChatModel, ModelError};

/// Where variables are read.
pub(super) type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

pub(super) type Made = Result<Arc<dyn ChatModel>, ModelError>;

/// A provider that is known by name.
pub(super) struct Provider {
    pub(super) name: &'static str,
    others: &'static [&'static str],
    /// With what the names of its models start, where no other provider's do.
    pub(super) starts: &'static [&'static str],
    /// A model's name, for errors.
    pub(super) example: &'static str,
    dialect: Dialect,
}

#[derive(Clone, Copy)]
enum Dialect {
    OpenAi,
    Responses,
    Anthropic,
    Gemini,
    Ollama,
    Bedrock,
}

const fn provider(
    name: &'static str,
    others: &'static [&'static str],
    starts: &'static [&'static str],
    example: &'static str,
) -> Provider {
    Provider {
        name,
        others,
        starts,
        example,
        dialect: Dialect::OpenAi,
    }
}

/// The providers, in the order in which errors list them.
pub(super) const PROVIDERS: &[Provider] = &[
    provider("openai", &[], &["gpt-", "o1", "o3", "o4"], "gpt-5.1"),
    Provider {
        dialect: Dialect::Responses,
        ..provider("openai-responses", &["responses"], &[], "gpt-5.1")
    },
    Provider {
        dialect: Dialect::Anthropic,
        ..provider("anthropic", &["claude"], &["claude"], "claude-sonnet-4-5")
    },
    Provider {
        dialect: Dialect::Gemini,
        ..provider("gemini", &["google"], &["gemini"], "gemini-2.5-flash")
    },
    Provider {
        dialect: Dialect::Ollama,
        ..provider("ollama", &[], &["qwen", "llama3", "gemma"], "qwen3")
    },
    Provider {
        dialect: Dialect::Bedrock,
        ..provider(
            "bedrock",
            &["aws"],
            &["anthropic.", "amazon.", "us.", "eu.", "global.", "arn:aws"],
            "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        )
    },
    provider("azure", &["azure-openai"], &[], "my-deployment"),
    Provider {
        dialect: Dialect::Responses,
        ..provider("azure-responses", &[], &[], "my-deployment")
    },
    provider("groq", &[], &[], "llama-3.3-70b-versatile"),
    provider("deepseek", &[], &["deepseek"], "deepseek-chat"),
    provider("xai", &["x-ai", "grok"], &["grok"], "grok-4"),
    provider(
        "mistral",
        &[],
        &["mistral-", "codestral"],
        "mistral-large-latest",
    ),
    provider("moonshot", &["kimi"], &["kimi"], "kimi-k2-thinking"),
    provider("openrouter", &[], &[], "openai/gpt-5.1"),
    provider(
        "together",
        &[],
        &[],
        "meta-llama/Llama-3.3-70B-Instruct-Turbo",
    ),
    provider("gemini-v1", &[], &[], "gemini-2.5-flash"),
    provider("vllm", &[], &[], "Qwen/Qwen3-8B"),
    provider("llama.cpp", &["llama-cpp", "llamacpp"], &[], "default"),
    provider("lm-studio", &["lmstudio"], &[], "qwen3-8b"),
    provider("ollama-v1", &[], &[], "qwen3"),
];

impl Provider {
    pub(super) fn is(&self, name: &str) -> bool {
        self.name == name || self.others.contains(&name)
    }

    pub(super) fn model(&self, model: &str, read: Read<'_>) -> Made {
        match self.dialect {
            Dialect::OpenAi => openai(self.name, model, read),
            Dialect::Responses => responses(self.name, model, read),
            Dialect::Anthropic => anthropic(model, read),
            Dialect::Gemini => gemini(model, read),
            Dialect::Ollama => ollama(model, read),
            Dialect::Bedrock => bedrock(model, read),
        }
    }
}

#[cfg(feature = "openai")]
fn openai(provider: &str, model: &str, read: Read<'_>) -> Made {
    use crate::openai::OpenAiChatModelBuilder;
    let builder = OpenAiChatModelBuilder::of_server(provider, model, read)?;
    Ok(Arc::new(builder.build()?))
}

#[cfg(feature = "openai")]
fn responses(provider: &str, model: &str, read: Read<'_>) -> Made {
    use crate::openai::OpenAiResponsesModelBuilder;
    let builder = match provider {
        "azure-responses" => OpenAiResponsesModelBuilder::of_azure(model, read)?,
        _ => OpenAiResponsesModelBuilder::of_environment(read)?,
    };
    Ok(Arc::new(builder.model(model).build()?))
}

/// A model at a base URL.
#[cfg(feature = "openai")]
pub(super) fn at(base: &str, model: &str, read: Read<'_>) -> Made {
    use crate::openai::OpenAiChatModelBuilder;
    let builder = OpenAiChatModelBuilder::at(base, read)?;
    Ok(Arc::new(builder.model(model).build()?))
}

#[cfg(feature = "anthropic")]
fn anthropic(model: &str, read: Read<'_>) -> Made {
    let builder = crate::anthropic::AnthropicChatModelBuilder::of_environment(read)?;
    Ok(Arc::new(builder.model(model).build()?))
}

#[cfg(feature = "gemini")]
fn gemini(model: &str, read: Read<'_>) -> Made {
    let builder = crate::gemini::GeminiChatModelBuilder::of_environment(read)?;
    Ok(Arc::new(builder.model(model).build()?))
}

#[cfg(feature = "ollama")]
fn ollama(model: &str, read: Read<'_>) -> Made {
    let builder = crate::ollama::OllamaChatModelBuilder::of_environment(read)?;
    Ok(Arc::new(builder.model(model).build()?))
}

#[cfg(feature = "bedrock")]
fn bedrock(model: &str, read: Read<'_>) -> Made {
    let builder = crate::bedrock::BedrockChatModelBuilder::of_environment(read)?;
    Ok(Arc::new(builder.model(model).build()?))
}

/// The embedded model of rules.
#[cfg(feature = "demo")]
pub(super) fn demo() -> Made {
    Ok(Arc::new(crate::demo::DemoModel::new()))
}

#[cfg(not(feature = "openai"))]
fn openai(provider: &str, _: &str, _: Read<'_>) -> Made {
    Err(off(provider, "openai"))
}

#[cfg(not(feature = "openai"))]
fn responses(provider: &str, _: &str, _: Read<'_>) -> Made {
    Err(off(provider, "openai"))
}

#[cfg(all(feature = "http-client", not(feature = "openai")))]
pub(super) fn at(_: &str, _: &str, _: Read<'_>) -> Made {
    Err(no_url())
}

#[cfg(not(feature = "openai"))]
pub(super) fn no_url() -> ModelError {
    super::wrong(
        "a model at a URL needs the feature `openai`, which is off: turn it on for this crate",
    )
}

#[cfg(not(feature = "anthropic"))]
fn anthropic(_: &str, _: Read<'_>) -> Made {
    Err(off("anthropic", "anthropic"))
}

#[cfg(not(feature = "gemini"))]
fn gemini(_: &str, _: Read<'_>) -> Made {
    Err(off("gemini", "gemini"))
}

#[cfg(not(feature = "ollama"))]
fn ollama(_: &str, _: Read<'_>) -> Made {
    Err(off("ollama", "ollama"))
}

#[cfg(not(feature = "bedrock"))]
fn bedrock(_: &str, _: Read<'_>) -> Made {
    Err(off("bedrock", "bedrock"))
}

#[cfg(not(feature = "demo"))]
pub(super) fn demo() -> Made {
    Err(off("demo", "demo"))
}

#[cfg(not(all(
    feature = "openai",
    feature = "anthropic",
    feature = "gemini",
    feature = "ollama",
    feature = "bedrock",
    feature = "demo"
)))]
fn off(provider: &str, feature: &str) -> ModelError {
    super::wrong(format!(
        "`{provider}` needs the feature `{feature}`, which is off: turn it on in Cargo.toml, as in \
         `vernal = {{ features = [\"{feature}\"] }}`"
    ))
}

#[cfg(all(test, feature = "openai"))]
mod tests {
    use super::*;

    #[test]
    fn every_server_of_the_table_has_a_name() {
        for server in crate::openai::SERVERS {
            let named = PROVIDERS.iter().find(|provider| provider.is(server.name));
            let is_openai = |provider: &Provider| matches!(provider.dialect, Dialect::OpenAi);
            assert!(named.is_some_and(is_openai), "{}", server.name);
        }
        for provider in PROVIDERS {
            let mut servers = crate::openai::SERVERS.iter();
            let has_server = servers.any(|server| server.name == provider.name);
            assert_eq!(has_server, matches!(provider.dialect, Dialect::OpenAi));
        }
    }
}
