//! Models by name, with keys from the environment.

mod address;
#[cfg(feature = "http-client")]
mod at_url;
mod nearest;
mod provider;

use std::sync::Arc;

use vernal_core::model::{ChatModel, ModelError, ModelErrorKind};

use address::{is_url, meant_by};
use nearest::nearest;
use provider::{PROVIDERS, Provider};

/// A model by its name: `openai:gpt-5.1`, `anthropic:claude-sonnet-4-5`, `ollama:qwen3:8b`,
/// `groq:llama-3.3-70b-versatile` and so on for the servers that the module `openai` knows;
/// `http://127.0.0.1:8080/v1#model` for any server that speaks Chat Completions; and `demo`.
///
/// | Name | Feature | Variables |
/// |---|---|---|
/// | `openai:gpt-5.1` | `openai` | `OPENAI_API_KEY`, `OPENAI_BASE_URL` |
/// | `openai-responses:gpt-5.1` | `openai` | the same |
/// | `anthropic:claude-sonnet-4-5` | `anthropic` | `ANTHROPIC_API_KEY`, `ANTHROPIC_BASE_URL` |
/// | `gemini:gemini-2.5-flash` | `gemini` | `GEMINI_API_KEY` or `GOOGLE_API_KEY`, `GEMINI_BASE_URL` |
/// | `ollama:qwen3:8b` | `ollama` | `OLLAMA_HOST`, `OLLAMA_API_KEY` |
/// | `bedrock:us.anthropic.claude-sonnet-4-5-20250929-v1:0` | `bedrock` | `AWS_BEARER_TOKEN_BEDROCK`, or `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`; `AWS_REGION` or `AWS_DEFAULT_REGION`; `AWS_ENDPOINT_URL_BEDROCK_RUNTIME` |
/// | `azure:my-deployment`, `azure-responses:my-deployment` | `openai` | `AZURE_OPENAI_API_KEY`, `AZURE_OPENAI_ENDPOINT`, `OPENAI_API_VERSION` |
/// | `groq:…`, `xai:…`, `mistral:…` and others | `openai` | `GROQ_API_KEY`, `GROQ_BASE_URL`, and so on |
/// | `http://127.0.0.1:8080/v1#model` | `openai` | `VERNAL_API_KEY`, if there is one |
/// | `https://api.groq.com/openai/v1#model` and other hosts of those above | theirs | the key of the provider whose host it is |
/// | `demo` | `demo` | none |
///
/// Keys and base URLs come from the environment, and are shown nowhere. A URL means the server that it
/// names, whatever the variables of base URLs say: the host of a provider is asked as the provider by
/// its name is, in its own words and with its own key, and never in clear text. So
/// `https://api.anthropic.com#claude-sonnet-4-5` speaks Messages with `ANTHROPIC_API_KEY`,
/// `https://generativelanguage.googleapis.com/v1beta#gemini-2.5-flash` speaks `generateContent` (and
/// Chat Completions below `/v1beta/openai`), and `https://ollama.com#model` Ollama's own API (below
/// `/v1`, Chat Completions). Any other server is asked in Chat Completions with the key of
/// `VERNAL_API_KEY`, which no known provider gets.
///
/// ```no_run
/// let model = vernal_models::model("openai:gpt-5.1")?;
/// # Ok::<(), vernal_core::model::ModelError>(())
/// ```
///
/// # Errors
/// A name that says nothing known, with the nearest one that does, or a URL without its scheme or its
/// model, with the one that is meant; a variable that is missing, by its name; a provider whose feature
/// of this crate is off, with the feature.
pub fn model(name: &str) -> Result<Arc<dyn ChatModel>, ModelError> {
    model_from(name, &|variable| std::env::var(variable).ok())
}

/// A model by its name, with keys and base URLs from `read`, which is asked for variables by their
/// names; see [`model`].
///
/// ```
/// # #[cfg(feature = "openai")] {
/// let read = |variable: &str| (variable == "GROQ_API_KEY").then(|| "gsk-123".to_owned());
/// let model = vernal_models::model_from("groq:llama-3.3-70b-versatile", &read).unwrap();
/// assert_eq!(model.name(), "llama-3.3-70b-versatile");
///
/// let error = vernal_models::model_from("xai:grok-4", &read).err().unwrap();
/// assert!(error.to_string().contains("XAI_API_KEY"));
/// # }
/// ```
///
/// # Errors
/// As [`model`].
pub fn model_from(
    name: &str,
    read: &dyn Fn(&str) -> Option<String>,
) -> Result<Arc<dyn ChatModel>, ModelError> {
    let name = name.trim();
    if name == "demo" {
        return provider::demo();
    }
    if is_url(name) {
        #[cfg(feature = "http-client")]
        return at_url::at(name, read);
        #[cfg(not(feature = "http-client"))]
        return Err(provider::no_url());
    }
    if let Some(url) = meant_by(name) {
        return Err(wrong(format!(
            "a URL begins with its scheme: write `{url}`, with the model's name behind the `#`"
        )));
    }
    let Some((provider, model)) = name.split_once(':') else {
        return Err(no_provider(name));
    };
    let (provider, model) = (provider.trim().to_lowercase(), model.trim());
    let Some(known) = PROVIDERS.iter().find(|known| known.is(&provider)) else {
        // Names of models have colons too.
        return Err(match model_of(name) {
            Some(_) => no_provider(name),
            None => unknown(&provider),
        });
    };
    if model.is_empty() {
        let example = known.example;
        return Err(wrong(format!(
            "`{provider}:` names no model; write it like `{provider}:{example}`"
        )));
    }
    known.model(model, read)
}

/// The names of the providers that [`model`] knows, whatever features are on.
pub fn provider_names() -> impl Iterator<Item = &'static str> {
    PROVIDERS.iter().map(|provider| provider.name)
}

fn wrong(text: impl Into<String>) -> ModelError {
    ModelError::new(ModelErrorKind::Configuration, text.into())
}

fn listed() -> String {
    let names: Vec<&str> = provider_names().collect();
    format!("known are {}, `demo`, and URLs", names.join(", "))
}

fn unknown(provider: &str) -> ModelError {
    let hint = match nearest(provider, provider_names()) {
        Some(name) => format!("did you mean `{name}`? "),
        None => String::new(),
    };
    wrong(format!(
        "there is no provider `{provider}`; {hint}{}",
        listed()
    ))
}

/// The provider whose models have such names.
fn model_of(name: &str) -> Option<&'static Provider> {
    let lower = name.to_lowercase();
    PROVIDERS.iter().find(|known| {
        let mut starts = known.starts.iter();
        starts.any(|start| lower.starts_with(start))
    })
}

/// A name without a provider, which many models give away.
fn no_provider(name: &str) -> ModelError {
    let lower = name.to_lowercase();
    let provider = model_of(name);
    let is_provider = PROVIDERS.iter().find(|known| known.is(&lower));
    let hint = match (provider, is_provider) {
        (_, Some(Provider { name, example, .. })) => format!("`{name}:{example}`"),
        (Some(Provider { name: provider, .. }), None) => format!("`{provider}:{name}`"),
        (None, None) => match nearest(&lower, ["demo"]) {
            Some(demo) => format!("`{demo}`"),
            None => "`openai:gpt-5.1`".to_owned(),
        },
    };
    wrong(format!(
        "`{name}` names no provider; write it like {hint}; {}",
        listed()
    ))
}
