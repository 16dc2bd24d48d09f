use std::env;

use ::http::{HeaderName, header};
use vernal_core::model::ModelError;

use super::OpenAiChatModel;
use super::azure::{Resource, base_url};
use super::cache::OpenAiCache;
use super::model::BASE_URL;
use super::profile::{KeyHeader, OpenAiProfile, SERVERS};
use super::request::RequestDefaults;
use crate::ModelBuilder;
use crate::exchange::{Endpoint, Variables, classify, configuration};
use crate::http::{is_loopback, parse_base_url};

const OPENAI_URL: &str = "https://api.openai.com/v1";

const VARIABLES: Variables<'_> = Variables {
    base_url: "OPENAI_BASE_URL",
    keys: &["OPENAI_API_KEY"],
    model: "OPENAI_MODEL",
    needs_key: true,
};

/// Builds an [`OpenAiChatModel`]. The base URL is what stands before `/chat/completions`; the key is
/// sent as a bearer token.
pub type OpenAiChatModelBuilder = ModelBuilder<OpenAiSettings>;

/// What only the builder of an [`OpenAiChatModel`] has to set.
#[derive(Debug, Clone, Default)]
pub struct OpenAiSettings {
    profile: Option<OpenAiProfile>,
    strict: bool,
    cache: OpenAiCache,
}

impl OpenAiChatModelBuilder {
    /// A builder with what the environment says; see [`OpenAiChatModel::from_env`].
    ///
    /// # Errors
    /// `OPENAI_API_KEY` is missing, and `OPENAI_BASE_URL` names no server on this machine.
    pub fn from_env() -> Result<Self, ModelError> {
        Self::from_variables(&VARIABLES, |name: &str| env::var(name).ok())
    }

    /// A builder for a server that is known by name, with what the variables of that server say.
    pub(crate) fn of_server(
        name: &str,
        model: &str,
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelError> {
        let server = SERVERS.iter().find(|server| server.name == name);
        let server = server.ok_or_else(|| configuration(&format!("`{name}` is no server")))?;
        let variables = Variables {
            base_url: server.base_variable,
            keys: &[server.key_variable],
            model: "",
            needs_key: true,
        };
        let read = |variable: &str| match read(variable) {
            None if variable == server.base_variable => server.base_url.map(str::to_owned),
            found => found,
        };
        let mut builder = Self::from_variables(&variables, read)?;
        if server.profile.key_header == KeyHeader::ApiKey {
            let found = Resource::of(builder.connection.base_url.take(), &read)?;
            let azure = Self::azure(&found.endpoint, model, found.api_version.as_deref())?;
            builder.connection.base_url = azure.connection.base_url;
        }
        Ok(builder.profile(server.profile.clone()).model(model))
    }

    /// A builder for a server at a URL, with the key of the known server whose host it is, or else that
    /// of `VERNAL_API_KEY`.
    pub(crate) fn at(
        base_url: &str,
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelError> {
        let url = parse_base_url(base_url, "")?;
        let host = url.host_str().unwrap_or("");
        let server = SERVERS.iter().find(|server| server.has_host(host));
        if server.is_some() && url.scheme() != "https" && !is_loopback(&url) {
            return Err(configuration(&format!(
                "a key for {host} is not sent in clear text: write `https` in place of `{}`",
                url.scheme()
            )));
        }
        let variable = server.map_or("VERNAL_API_KEY", |server| server.key_variable);
        let key = read(variable).filter(|key| !key.trim().is_empty());
        let mut builder = Self::default().base_url(base_url);
        builder.connection.api_key = match (key, server) {
            (Some(key), _) => Some(key.into()),
            (None, None) => None,
            (None, Some(_)) => {
                return Err(configuration(&format!(
                    "the environment variable {variable} is not set; set it to your key for {host}"
                )));
            }
        };
        Ok(builder)
    }

    /// A builder for a deployment of a model at Azure: the endpoint of the resource, with `/openai/v1`
    /// behind it or without; the deployment's name; and the version of the API, such as
    /// `2025-04-01-preview`. Without a version, or with `preview` or `latest`, it is the API at
    /// `/openai/v1`, where the deployment's name is sent as the model's.
    ///
    /// ```
    /// use vernal_models::openai::{OpenAiChatModel, OpenAiChatModelBuilder};
    ///
    /// let endpoint = "https://my-team.openai.azure.com";
    /// let model = OpenAiChatModelBuilder::azure(endpoint, "gpt-5-mini", Some("2025-04-01-preview"))?
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
        let versioned = ["deployments", deployment];
        let url = base_url(endpoint, deployment, api_version, &versioned)?;
        Ok(Self::default()
            .base_url(url)
            .profile(OpenAiProfile::AZURE)
            .model(deployment))
    }

    /// What the server does in its own way; chosen by the host unless set.
    pub fn profile(mut self, profile: OpenAiProfile) -> Self {
        self.own.profile = Some(profile);
        self
    }

    /// Whether the arguments of tools are made to fit their schemas by the server, unless the model that is
    /// asked is known not to have that ([`strict_schema`](vernal_core::model::Capabilities::strict_schema)):
    /// optional properties become nullable and required, and what strict mode has no words for is told
    /// in the description. A tool that it cannot have is sent without. What is lost is told by
    /// [`ChatModel::check`](vernal_core::model::ChatModel::check). Off unless set.
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
    /// The base URL, the key or a header cannot be used, OpenAI is to be asked without a key, or
    /// TLS cannot be set up.
    pub fn build(self) -> Result<OpenAiChatModel, ModelError> {
        let base = self.connection.base_url.as_deref().unwrap_or(OPENAI_URL);
        let url = parse_base_url(base, "chat/completions")?;
        let profile = self.own.profile.clone();
        let profile = profile.unwrap_or_else(|| OpenAiProfile::for_url(&url));
        let http = self.connection.client(Endpoint {
            key: match profile.key_header {
                KeyHeader::Bearer => (header::AUTHORIZATION, "Bearer "),
                KeyHeader::ApiKey => (HeaderName::from_static("api-key"), ""),
            },
            headers: Vec::new(),
            needs_key: (url.host_str() == Some("api.openai.com")).then_some("OpenAI"),
            classify: |reply| classify(reply, BASE_URL),
            url,
        })?;
        let defaults = RequestDefaults {
            message_key: profile.message_dialect(),
            tool_forms: profile.tool_forms(self.own.strict),
            cache: self.own.cache,
            capabilities: self.capabilities,
            profile,
            model: self.model,
            options: self.options,
        };
        Ok(OpenAiChatModel::of(http, defaults))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(variables: &[(&str, &str)]) -> Result<OpenAiChatModelBuilder, ModelError> {
        OpenAiChatModelBuilder::from_variables(&VARIABLES, |name| {
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
        from(&[("OPENAI_BASE_URL", "http://127.0.0.1:8080/v1")])
            .unwrap()
            .build()
            .unwrap();
        let read = from(&[("OPENAI_API_KEY", "sk-123456"), ("OPENAI_MODEL", "m")]).unwrap();
        assert_eq!(read.model.as_deref(), Some("m"));
        assert!(read.connection.api_key.is_some() && read.connection.base_url.is_none());
    }

    #[test]
    fn keys_and_headers_show_nowhere() {
        let builder = OpenAiChatModel::builder()
            .base_url("http://127.0.0.1:1/v1")
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
    fn openai_is_not_asked_without_a_key() {
        let error = OpenAiChatModel::builder().model("m").build().unwrap_err();
        assert!(error.to_string().contains("api_key"), "{error}");
        let headed = OpenAiChatModel::builder().header("authorization", "Bearer 123456");
        headed.build().unwrap();
    }
}
