use std::env;

use ::http::{HeaderName, HeaderValue};
use serde_json::Value;
use url::Url;
use vernal_core::model::ModelError;

use super::AnthropicChatModel;
use super::cache::AnthropicCache;
use super::model::BASE_URL;
use super::request::RequestDefaults;
use super::tools::{ToolDefaults, ToolFields};
use crate::ModelBuilder;
use crate::exchange::{Endpoint, Variables, classify, configuration};
use crate::http::parse_base_url;

const ANTHROPIC_URL: &str = "https://api.anthropic.com";
const VERSION: &str = "2023-06-01";

const VARIABLES: Variables<'_> = Variables {
    base_url: "ANTHROPIC_BASE_URL",
    keys: &["ANTHROPIC_API_KEY"],
    model: "ANTHROPIC_MODEL",
    needs_key: true,
};

/// Builds an [`AnthropicChatModel`]. The base URL is what stands before `/v1/messages`, and a `/v1` at
/// its end is understood; the key is sent as `x-api-key`, so for a bearer token set the header
/// `authorization`.
pub type AnthropicChatModelBuilder = ModelBuilder<AnthropicSettings>;

/// What only the builder of an [`AnthropicChatModel`] has to set.
#[derive(Debug, Clone, Default)]
pub struct AnthropicSettings {
    version: Option<String>,
    betas: Vec<String>,
    server_tools: Vec<Value>,
    tool_fields: ToolFields,
    cache: AnthropicCache,
    strict: bool,
}

impl AnthropicChatModelBuilder {
    /// A builder with what the environment says; see [`AnthropicChatModel::from_env`].
    ///
    /// # Errors
    /// `ANTHROPIC_API_KEY` is missing, and `ANTHROPIC_BASE_URL` names no server on this machine.
    pub fn from_env() -> Result<Self, ModelError> {
        Self::of_environment(&|name| env::var(name).ok())
    }

    pub(crate) fn of_environment(
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelError> {
        Self::from_variables(&VARIABLES, read)
    }

    /// The version of the API, sent as `anthropic-version`; `2023-06-01` unless set.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.own.version = Some(version.into());
        self
    }

    /// Adds a beta feature to the header `anthropic-beta`.
    pub fn beta(mut self, name: impl Into<String>) -> Self {
        self.own.betas.push(name.into());
        self
    }

    /// Adds a tool that the provider runs itself, such as its web search, as it is written in a
    /// request. It stands after the tools of the application.
    pub fn server_tool(mut self, definition: impl Into<Value>) -> Self {
        self.own.server_tools.push(definition.into());
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
        let fields = self.own.tool_fields.entry(tool.into()).or_default();
        fields.insert(field.into(), value.into());
        self
    }

    /// Whether the provider makes the arguments of tools fit their schemas, unless the model that is asked is
    /// known not to have that ([`strict_schema`](vernal_core::model::Capabilities::strict_schema)): what its
    /// strict mode has no words for is told in the description, and a tool that it cannot have is sent without. What is
    /// lost is told by [`ChatModel::check`](vernal_core::model::ChatModel::check). Off unless set; a
    /// [`tool_field`](Self::tool_field) `strict` decides for its tool.
    pub fn strict_tools(mut self, strict: bool) -> Self {
        self.own.strict = strict;
        self
    }

    /// What is marked for the provider's prompt cache; nothing unless set.
    pub fn cache(mut self, cache: AnthropicCache) -> Self {
        self.own.cache = cache;
        self
    }

    /// The model.
    ///
    /// # Errors
    /// The base URL, the key, a header, a beta feature, a tool or a field of one cannot be used,
    /// Anthropic is to be asked without a key, or TLS cannot be set up.
    pub fn build(self) -> Result<AnthropicChatModel, ModelError> {
        let url = endpoint(self.connection.base_url.as_deref().unwrap_or(ANTHROPIC_URL))?;
        let http = self.connection.client(Endpoint {
            key: (HeaderName::from_static("x-api-key"), ""),
            headers: self.own.headers()?,
            needs_key: (url.host_str() == Some("api.anthropic.com")).then_some("Anthropic"),
            classify: |reply| classify(reply, BASE_URL),
            url,
        })?;
        let defaults = RequestDefaults {
            model: self.model,
            options: self.options,
            tools: ToolDefaults::new(
                &self.own.server_tools,
                self.own.tool_fields,
                self.own.strict,
            )?,
            cache: self.own.cache,
            capabilities: self.capabilities,
        };
        Ok(AnthropicChatModel::of(http, defaults))
    }
}

impl AnthropicSettings {
    fn headers(&self) -> Result<Vec<(HeaderName, HeaderValue)>, ModelError> {
        let header = |name, value: &str| Ok((HeaderName::from_static(name), plain(name, value)?));
        let version = self.version.as_deref().unwrap_or(VERSION);
        let mut headers = vec![header("anthropic-version", version)?];
        if !self.betas.is_empty() {
            headers.push(header("anthropic-beta", &self.betas.join(","))?);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn from(variables: &[(&str, &str)]) -> Result<AnthropicChatModelBuilder, ModelError> {
        AnthropicChatModelBuilder::from_variables(&VARIABLES, |name| {
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
        assert!(read.connection.api_key.is_some() && read.connection.base_url.is_none());
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
        bearer.build().unwrap();
    }
}
