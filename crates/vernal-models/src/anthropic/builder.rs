use std::env;
use std::sync::Arc;

use ::http::{HeaderMap, HeaderName, HeaderValue, header};
use serde_json::Value;
use url::Url;
use vernal_core::model::{ChatOptions, ModelError};

use super::AnthropicChatModel;
use super::cache::AnthropicCache;
use super::model::{BASE_URL, Inner};
use super::request::RequestDefaults;
use super::tools::{ToolDefaults, ToolFields};
use crate::exchange::{base_headers, classify, configuration, push_headers};
use crate::http::{
    HttpClient, HttpLimits, HttpTransport, Redactor, ReqwestTransport, RetryPolicy, Secret,
    is_loopback, origin_of, parse_base_url,
};

const ANTHROPIC_URL: &str = "https://api.anthropic.com";
const VERSION: &str = "2023-06-01";
const KEY_HEADER: HeaderName = HeaderName::from_static("x-api-key");

/// Builds an [`AnthropicChatModel`].
#[derive(Clone, Default)]
#[must_use]
pub struct AnthropicChatModelBuilder {
    base_url: Option<String>,
    api_key: Option<Secret>,
    model: Option<Arc<str>>,
    options: Option<ChatOptions>,
    version: Option<String>,
    betas: Vec<String>,
    server_tools: Vec<Value>,
    tool_fields: ToolFields,
    cache: AnthropicCache,
    headers: Vec<(String, Secret)>,
    limits: HttpLimits,
    retry: RetryPolicy,
    transport: Option<Arc<dyn HttpTransport>>,
}

impl AnthropicChatModelBuilder {
    /// A builder with what the environment says; see [`AnthropicChatModel::from_env`].
    ///
    /// # Errors
    /// `ANTHROPIC_API_KEY` is missing, and `ANTHROPIC_BASE_URL` names no server on this machine.
    pub fn from_env() -> Result<Self, ModelError> {
        Self::from_variables(|name| env::var(name).ok())
    }

    fn from_variables(read: impl Fn(&str) -> Option<String>) -> Result<Self, ModelError> {
        let read = |name: &str| read(name).filter(|value| !value.trim().is_empty());
        let base_url = read("ANTHROPIC_BASE_URL");
        let api_key = read("ANTHROPIC_API_KEY").map(Secret::from);
        if api_key.is_none() && !base_url.as_deref().is_some_and(is_here) {
            return Err(configuration(
                "the environment variable ANTHROPIC_API_KEY is not set; set it to your key, or set \
                 ANTHROPIC_BASE_URL to a server on this machine, which needs none",
            ));
        }
        let model = read("ANTHROPIC_MODEL").map(Arc::from);
        Ok(Self {
            base_url,
            api_key,
            model,
            ..Self::default()
        })
    }

    /// The server, with the path before `/v1/messages`; a `/v1` at its end is understood. Anthropic
    /// unless set.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// The key, sent as `x-api-key`. For a bearer token, set the header `authorization`.
    pub fn api_key(mut self, key: impl Into<Secret>) -> Self {
        self.api_key = Some(key.into());
        self
    }

    /// The model that is asked where the options of a request name none.
    pub fn model(mut self, model: impl Into<Arc<str>>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// Options that hold where a request's own do not say otherwise.
    pub fn default_options(mut self, options: ChatOptions) -> Self {
        self.options = Some(options);
        self
    }

    /// The version of the API, sent as `anthropic-version`; `2023-06-01` unless set.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// Adds a beta feature to the header `anthropic-beta`.
    pub fn beta(mut self, name: impl Into<String>) -> Self {
        self.betas.push(name.into());
        self
    }

    /// Adds a tool that the provider runs itself, such as its web search, as it is written in a
    /// request. It stands after the tools of the application.
    pub fn server_tool(mut self, definition: impl Into<Value>) -> Self {
        self.server_tools.push(definition.into());
        self
    }

    /// Adds a field to the definition of a tool of the application wherever that is on offer, such as
    /// `strict`, `defer_loading` or `input_examples`.
    pub fn tool_field(
        mut self,
        tool: impl Into<String>,
        field: impl Into<String>,
        value: impl Into<Value>,
    ) -> Self {
        let fields = self.tool_fields.entry(tool.into()).or_default();
        fields.insert(field.into(), value.into());
        self
    }

    /// What is marked for the provider's prompt cache; nothing unless set.
    pub fn cache(mut self, cache: AnthropicCache) -> Self {
        self.cache = cache;
        self
    }

    /// A header for every request, in place of one of ours with the same name. Its value is handled
    /// like a key: it is never shown.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<Secret>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// How long a call may take and how much it may bring.
    pub fn limits(mut self, limits: HttpLimits) -> Self {
        self.limits = limits;
        self
    }

    /// When a failed call is made again.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.retry = policy;
        self
    }

    /// What sends the requests, in place of [`ReqwestTransport`].
    pub fn transport(mut self, transport: impl HttpTransport) -> Self {
        self.transport = Some(Arc::new(transport));
        self
    }

    /// The model.
    ///
    /// # Errors
    /// The base URL, the key, a header, a beta feature, a tool or a field of one cannot be used,
    /// Anthropic is to be asked without a key, or TLS cannot be set up.
    pub fn build(self) -> Result<AnthropicChatModel, ModelError> {
        let url = endpoint(self.base_url.as_deref().unwrap_or(ANTHROPIC_URL))?;
        let headers = self.request_headers(&url)?;
        let mut redactor = Redactor::default();
        let secrets = self
            .api_key
            .iter()
            .chain(self.headers.iter().map(|(_, value)| value));
        secrets.for_each(|secret| redactor.add(secret.clone()));
        let transport = match self.transport {
            Some(transport) => transport,
            None => Arc::new(ReqwestTransport::new(&url, &self.limits)?),
        };
        let defaults = RequestDefaults {
            model: self.model,
            options: self.options,
            tools: ToolDefaults::new(&self.server_tools, self.tool_fields)?,
            cache: self.cache,
        };
        let http = HttpClient {
            transport,
            origin: origin_of(&url).into(),
            url,
            headers,
            limits: self.limits,
            retry: self.retry,
            redactor,
            classify: |reply| classify(reply, BASE_URL),
        };
        Ok(AnthropicChatModel::of(Inner { http, defaults }))
    }

    fn request_headers(&self, url: &Url) -> Result<HeaderMap, ModelError> {
        let mut headers = base_headers(3 + self.headers.len());
        let version = self.version.as_deref().unwrap_or(VERSION);
        headers.insert("anthropic-version", plain("anthropic-version", version)?);
        if !self.betas.is_empty() {
            let betas = plain("anthropic-beta", &self.betas.join(","))?;
            headers.insert("anthropic-beta", betas);
        }
        if let Some(key) = &self.api_key {
            headers.insert(KEY_HEADER, key.header("")?);
        }
        push_headers(&mut headers, &self.headers)?;
        let has_key =
            headers.contains_key(KEY_HEADER) || headers.contains_key(header::AUTHORIZATION);
        if url.host_str() == Some("api.anthropic.com") && !has_key {
            return Err(configuration(
                "Anthropic takes no request without a key: set `api_key`, or `base_url` for another \
                 server",
            ));
        }
        Ok(headers)
    }
}

/// The endpoint under a base URL, which may end in `/v1` or stop before it.
fn endpoint(base_url: &str) -> Result<Url, ModelError> {
    let mut url = parse_base_url(base_url, "messages")?;
    let path = url.path();
    if !path.ends_with("/v1/messages") {
        let path = format!("{}/v1/messages", path.trim_end_matches("/messages"));
        url.set_path(&path);
    }
    Ok(url)
}

fn plain(name: &str, value: &str) -> Result<HeaderValue, ModelError> {
    HeaderValue::from_str(value)
        .map_err(|_| configuration(&format!("`{value}` cannot be sent in the header `{name}`")))
}

/// Whether a base URL names this machine.
fn is_here(base_url: &str) -> bool {
    Url::parse(base_url.trim()).is_ok_and(|url| is_loopback(&url))
}

impl std::fmt::Debug for AnthropicChatModelBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AnthropicChatModelBuilder")
            .field("model", &self.model)
            .field("api_key", &self.api_key)
            .field("betas", &self.betas)
            .field("cache", &self.cache)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(variables: &[(&str, &str)]) -> Result<AnthropicChatModelBuilder, ModelError> {
        AnthropicChatModelBuilder::from_variables(|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_environment_needs_a_key_unless_the_server_is_here() {
        for missing in [
            &[][..],
            &[("ANTHROPIC_API_KEY", " ")],
            &[("ANTHROPIC_BASE_URL", "https://h")],
        ] {
            let error = from(missing).unwrap_err().to_string();
            assert!(error.contains("ANTHROPIC_API_KEY"), "{error}");
        }
        let here = from(&[("ANTHROPIC_BASE_URL", "http://127.0.0.1:8080")]).unwrap();
        here.build().unwrap();
        let read = from(&[("ANTHROPIC_API_KEY", "sk-123456"), ("ANTHROPIC_MODEL", "m")]).unwrap();
        assert_eq!(read.model.as_deref(), Some("m"));
        assert!(read.api_key.is_some() && read.base_url.is_none());
    }

    #[test]
    fn the_endpoint_is_found_with_and_without_the_version() {
        for (base, found) in [
            ("https://h", "https://h/v1/messages"),
            ("https://h/", "https://h/v1/messages"),
            ("https://h/v1/", "https://h/v1/messages"),
            ("https://h/api", "https://h/api/v1/messages"),
            ("https://h/api/v1?a=b", "https://h/api/v1/messages?a=b"),
        ] {
            assert_eq!(endpoint(base).unwrap().as_str(), found);
        }
        assert!(endpoint("h/v1").is_err());
    }

    #[test]
    fn keys_and_headers_show_nowhere() {
        let builder = AnthropicChatModel::builder()
            .base_url("http://127.0.0.1:1")
            .api_key("sk-123456")
            .header("x-token", "geheim-1");
        let shown = format!("{builder:?} {:?}", builder.clone().build().unwrap());
        assert!(
            !shown.contains("sk-123") && !shown.contains("geheim"),
            "{shown}"
        );
        let wrong = builder.header("x-bad", "geheim\u{7f}").build().unwrap_err();
        assert!(wrong.to_string().contains("x-bad") && !wrong.to_string().contains("geheim"));
    }

    #[test]
    fn what_cannot_be_sent_is_named() {
        let builder = || AnthropicChatModel::builder().base_url("http://127.0.0.1:1");
        for (builder, said) in [
            (AnthropicChatModel::builder(), "api_key"),
            (builder().beta("a\nb"), "anthropic-beta"),
            (builder().version("\u{7f}"), "anthropic-version"),
            (builder().server_tool("web_search"), "server_tool"),
            (builder().tool_field("now", "name", "x"), "tool_field"),
        ] {
            let error = builder.build().unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        let bearer = AnthropicChatModel::builder().header("authorization", "Bearer 123456");
        let anthropic = endpoint(ANTHROPIC_URL).unwrap();
        assert!(bearer.request_headers(&anthropic).is_ok());
    }
}
