use std::env;

use ::http::{HeaderName, header};
use serde_json::Value;
use vernal_core::model::ModelError;

use super::input::Writing;
use super::model::BASE_URL;
use super::request::{OPENAI, RequestDefaults};
use super::tools::{ToolDefaults, ToolFields};
use super::{OpenAiResponsesModel, ResponsesState};
use crate::ModelBuilder;
use crate::exchange::{Endpoint, Variables, classify};
use crate::http::{ErrorReply, parse_base_url};
use crate::openai::azure::{self, Resource};
use crate::openai::{KeyHeader, OpenAiCache, OpenAiProfile};

const OPENAI_URL: &str = "https://api.openai.com/v1";

const VARIABLES: Variables<'_> = Variables {
    base_url: "OPENAI_BASE_URL",
    keys: &["OPENAI_API_KEY"],
    model: "OPENAI_MODEL",
    needs_key: true,
};

/// Builds an [`OpenAiResponsesModel`]. The base URL is what stands before `/responses`; the key is sent
/// as a bearer token, and to Azure in the header `api-key`.
pub type OpenAiResponsesModelBuilder = ModelBuilder<OpenAiResponsesSettings>;

/// What only the builder of an [`OpenAiResponsesModel`] has to set.
#[derive(Debug, Clone, Default)]
pub struct OpenAiResponsesSettings {
    state: ResponsesState,
    provider: Option<&'static str>,
    is_azure: bool,
    server_tools: Vec<Value>,
    tool_fields: ToolFields,
    strict: bool,
    cache: OpenAiCache,
}

impl OpenAiResponsesModelBuilder {
    /// A builder with what the environment says; see [`OpenAiResponsesModel::from_env`].
    ///
    /// # Errors
    /// `OPENAI_API_KEY` is missing, and `OPENAI_BASE_URL` names no server on this machine.
    pub fn from_env() -> Result<Self, ModelError> {
        Self::of_environment(&|name| env::var(name).ok())
    }

    pub(crate) fn of_environment(
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelError> {
        Self::from_variables(&VARIABLES, read)
    }

    /// A builder for a deployment of a model at Azure, with what the variables of Azure say.
    pub(crate) fn of_azure(
        deployment: &str,
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelError> {
        let mut builder = Self::from_variables(&azure::VARIABLES, read)?;
        let found = Resource::of(builder.connection.base_url.take(), read)?;
        let version = found.api_version.as_deref();
        let azure = Self::azure(&found.endpoint, deployment, version)?;
        let key = builder.connection.api_key.take();
        Ok(key.map_or(azure.clone(), |key| azure.api_key(key)))
    }

    /// A builder for a deployment of a model at Azure: the endpoint of the resource, with `/openai/v1`
    /// behind it or without; the deployment's name, which is sent as the model's; and the version of the
    /// API, such as `2025-04-01-preview`. Without a version, or with `preview` or `latest`, it is the API
    /// at `/openai/v1`. The key is sent in the header
    /// `api-key`; a token of the directory is set as the [`header`](Self::header) `authorization` in its
    /// place. A base URL whose host is Azure's needs none of this.
    ///
    /// ```
    /// use vernal_models::openai::responses::OpenAiResponsesModelBuilder;
    ///
    /// let endpoint = "https://my-team.openai.azure.com";
    /// let model = OpenAiResponsesModelBuilder::azure(endpoint, "gpt-5-mini", None)?
    ///     .api_key("the key")
    ///     .build()?;
    /// # Ok::<(), vernal_core::model::ModelError>(())
    /// ```
    ///
    /// # Errors
    /// The endpoint is no URL, or the deployment has no name.
    pub fn azure(
        endpoint: &str,
        deployment: &str,
        api_version: Option<&str>,
    ) -> Result<Self, ModelError> {
        let url = azure::base_url(endpoint, deployment, api_version, &[])?;
        let mut builder = Self::default().base_url(url).model(deployment);
        builder.own.is_azure = true;
        Ok(builder)
    }

    /// Who keeps the conversation; the application alone unless set.
    pub fn state(mut self, state: ResponsesState) -> Self {
        self.own.state = state;
        self
    }

    /// Whose opaque data the server's is: encrypted reasoning and the like goes back to a server of
    /// the same name and to no other. Chosen by the host unless set.
    pub fn provider(mut self, name: &'static str) -> Self {
        self.own.provider = Some(name);
        self
    }

    /// Adds a tool that the provider knows by its type, such as `{"type":"web_search"}`, as it is
    /// written in a request. It stands after the tools of the application.
    ///
    /// One of type `custom` takes plain text. Where a tool of the application has its name, that one
    /// runs its calls, with the text as the argument `input`.
    pub fn server_tool(mut self, definition: impl Into<Value>) -> Self {
        self.own.server_tools.push(definition.into());
        self
    }

    /// Adds a field to the definition of a tool of the application wherever that is on offer, such as
    /// `strict`, which is `false` unless set.
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

    /// Whether the arguments of tools are made to fit their schemas by the server, unless the model that is
    /// asked is known not to have that
    /// ([`strict_schema`](vernal_core::model::Capabilities::strict_schema)): optional properties become nullable and required,
    /// and what strict mode has no words for is told in the description. A
    /// tool that it cannot have is sent without. What is lost is told by
    /// [`ChatModel::check`](vernal_core::model::ChatModel::check). Off unless set; a
    /// [`tool_field`](Self::tool_field) `strict` decides for its tool.
    pub fn strict_tools(mut self, strict: bool) -> Self {
        self.own.strict = strict;
        self
    }

    /// What is marked for the provider's prompt cache; nothing unless set.
    pub fn cache(mut self, cache: OpenAiCache) -> Self {
        self.own.cache = cache;
        self
    }

    /// The model.
    ///
    /// # Errors
    /// The base URL, the key, a header, a tool or a field of one cannot be used, OpenAI is to be asked
    /// without a key, or TLS cannot be set up.
    pub fn build(self) -> Result<OpenAiResponsesModel, ModelError> {
        let base = self.connection.base_url.as_deref().unwrap_or(OPENAI_URL);
        let url = parse_base_url(base, "responses")?;
        let is_openai = url.host_str() == Some("api.openai.com");
        let of_host = OpenAiProfile::for_url(&url).key_header;
        let is_azure = self.own.is_azure || of_host == KeyHeader::ApiKey;
        let http = self.connection.client(Endpoint {
            url,
            key: match is_azure {
                true => (HeaderName::from_static("api-key"), ""),
                false => (header::AUTHORIZATION, "Bearer "),
            },
            headers: Vec::new(),
            needs_key: is_openai.then_some("OpenAI"),
            classify: failure,
        })?;
        let host = http.url.host_str().unwrap_or_default();
        let of_server = if is_azure { OPENAI } else { provider_of(host) };
        let provider = self.own.provider.unwrap_or(of_server);
        let tools = ToolDefaults::new(
            &self.own.server_tools,
            self.own.tool_fields,
            self.own.strict,
        )?;
        let defaults = RequestDefaults {
            message_key: Writing::new(provider, self.own.state, &tools).key(),
            provider,
            is_azure,
            state: self.own.state,
            model: self.model,
            options: self.options,
            tools,
            cache: self.own.cache,
            capabilities: self.capabilities,
        };
        Ok(OpenAiResponsesModel::of(http, defaults))
    }
}

/// Whose opaque data that of a host is.
fn provider_of(host: &str) -> &'static str {
    let of = |domain: &str| host == domain || host.ends_with(&format!(".{domain}"));
    if of("api.openai.com") {
        OPENAI
    } else if of("api.x.ai") {
        "xai-responses"
    } else {
        "compatible-responses"
    }
}

/// What an error response means.
fn failure(reply: &ErrorReply<'_>) -> ModelError {
    let error = classify(reply, BASE_URL);
    if error.code() != Some("previous_response_not_found") {
        return error;
    }
    let text = format!(
        "{error}; the server keeps the conversation no more, or another account's key asks for it: \
         ask with `ResponsesState::Stateless`, which sends the whole conversation, or begin a new one"
    );
    ModelError::new(error.kind(), text).with_code("previous_response_not_found")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(variables: &[(&str, &str)]) -> Result<OpenAiResponsesModelBuilder, ModelError> {
        OpenAiResponsesModelBuilder::of_environment(&|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_environment_needs_a_key_unless_the_server_is_here() {
        for missing in [
            &[][..],
            &[("OPENAI_API_KEY", " ")],
            &[("OPENAI_BASE_URL", "https://h/v1")],
        ] {
            let error = from(missing).unwrap_err().to_string();
            assert!(error.contains("OPENAI_API_KEY"), "{error}");
        }
        let here = from(&[("OPENAI_BASE_URL", "http://127.0.0.1:8080/v1")]).unwrap();
        here.build().unwrap();
        let read = from(&[("OPENAI_API_KEY", "sk-123456"), ("OPENAI_MODEL", "m")]).unwrap();
        assert_eq!(read.model.as_deref(), Some("m"));
    }

    #[test]
    fn keys_and_headers_show_nowhere() {
        let builder = OpenAiResponsesModel::builder()
            .base_url("http://127.0.0.1:1/v1")
            .api_key("sk-123456")
            .header("x-token", "geheim-1");
        let shown = format!("{builder:?} {:?}", builder.clone().build().unwrap());
        assert!(
            !shown.contains("sk-123") && !shown.contains("geheim"),
            "{shown}"
        );
    }

    #[test]
    fn what_cannot_be_sent_is_named() {
        let builder = || OpenAiResponsesModel::builder().base_url("http://127.0.0.1:1/v1");
        for (builder, said) in [
            (OpenAiResponsesModel::builder(), "api_key"),
            (builder().base_url("h/v1"), "base URL"),
            (builder().server_tool("web_search"), "server_tool"),
            (builder().tool_field("now", "name", "x"), "tool_field"),
        ] {
            let error = builder.build().unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn each_provider_has_its_own_data() {
        for (host, provider) in [
            ("api.openai.com", "openai-responses"),
            ("eu.api.openai.com", "openai-responses"),
            ("api.x.ai", "xai-responses"),
            ("127.0.0.1", "compatible-responses"),
            ("notapi.openai.com.evil", "compatible-responses"),
        ] {
            assert_eq!(provider_of(host), provider, "{host}");
        }
    }
}
