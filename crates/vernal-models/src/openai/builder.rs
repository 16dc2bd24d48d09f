use std::env;
use std::sync::Arc;

use ::http::{HeaderMap, header};
use url::Url;
use vernal_core::model::{ChatOptions, ModelError};

use super::OpenAiChatModel;
use super::model::{BASE_URL, Inner};
use super::profile::OpenAiProfile;
use super::request::RequestDefaults;
use crate::exchange::{base_headers, classify, configuration, push_headers};
use crate::http::{
    HttpClient, HttpLimits, HttpTransport, Redactor, ReqwestTransport, RetryPolicy, Secret,
    is_loopback, origin_of, parse_base_url,
};

const OPENAI_URL: &str = "https://api.openai.com/v1";

/// Builds an [`OpenAiChatModel`].
#[derive(Clone, Default)]
#[must_use]
pub struct OpenAiChatModelBuilder {
    base_url: Option<String>,
    api_key: Option<Secret>,
    model: Option<Arc<str>>,
    options: Option<ChatOptions>,
    profile: Option<OpenAiProfile>,
    headers: Vec<(String, Secret)>,
    limits: HttpLimits,
    retry: RetryPolicy,
    transport: Option<Arc<dyn HttpTransport>>,
}

impl OpenAiChatModelBuilder {
    /// A builder with what the environment says; see [`OpenAiChatModel::from_env`].
    ///
    /// # Errors
    /// `OPENAI_API_KEY` is missing, and `OPENAI_BASE_URL` names no server on this machine.
    pub fn from_env() -> Result<Self, ModelError> {
        Self::from_variables(|name| env::var(name).ok())
    }

    fn from_variables(read: impl Fn(&str) -> Option<String>) -> Result<Self, ModelError> {
        let read = |name: &str| read(name).filter(|value| !value.trim().is_empty());
        let base_url = read("OPENAI_BASE_URL");
        let api_key = read("OPENAI_API_KEY").map(Secret::from);
        if api_key.is_none() && !base_url.as_deref().is_some_and(is_here) {
            return Err(configuration(
                "the environment variable OPENAI_API_KEY is not set; set it to your key, or set \
                 OPENAI_BASE_URL to a server on this machine, which needs none",
            ));
        }
        let model = read("OPENAI_MODEL").map(Arc::from);
        Ok(Self {
            base_url,
            api_key,
            model,
            ..Self::default()
        })
    }

    /// The server, with the path before `/chat/completions`; OpenAI unless set.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// The key, sent as a bearer token; a server on this machine mostly needs none.
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

    /// What the server does in its own way; chosen by the host unless set.
    pub fn profile(mut self, profile: OpenAiProfile) -> Self {
        self.profile = Some(profile);
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
    /// The base URL, the key or a header cannot be used, OpenAI is to be asked without a key, or
    /// TLS cannot be set up.
    pub fn build(self) -> Result<OpenAiChatModel, ModelError> {
        let url = parse_base_url(
            self.base_url.as_deref().unwrap_or(OPENAI_URL),
            "chat/completions",
        )?;
        let headers = self.request_headers(&url)?;
        let mut redactor = Redactor::default();
        let secrets = self
            .api_key
            .iter()
            .chain(self.headers.iter().map(|(_, value)| value));
        secrets.for_each(|secret| redactor.add(secret.clone()));
        let profile = self
            .profile
            .unwrap_or_else(|| OpenAiProfile::for_host(url.host_str().unwrap_or("")));
        let transport = match self.transport {
            Some(transport) => transport,
            None => Arc::new(ReqwestTransport::new(&url, &self.limits)?),
        };
        let defaults = RequestDefaults {
            message_key: profile.message_dialect(),
            tools_key: profile.tools_dialect(),
            profile,
            model: self.model,
            options: self.options,
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
        Ok(OpenAiChatModel::of(Inner { http, defaults }))
    }

    fn request_headers(&self, url: &Url) -> Result<HeaderMap, ModelError> {
        let mut headers = base_headers(self.headers.len());
        if let Some(key) = &self.api_key {
            headers.insert(header::AUTHORIZATION, key.header("Bearer ")?);
        }
        push_headers(&mut headers, &self.headers)?;
        if url.host_str() == Some("api.openai.com") && !headers.contains_key(header::AUTHORIZATION)
        {
            return Err(configuration(
                "OpenAI takes no request without a key: set `api_key`, or `base_url` for another \
                 server",
            ));
        }
        Ok(headers)
    }
}

/// Whether a base URL names this machine.
fn is_here(base_url: &str) -> bool {
    Url::parse(base_url.trim()).is_ok_and(|url| is_loopback(&url))
}

impl std::fmt::Debug for OpenAiChatModelBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenAiChatModelBuilder")
            .field("model", &self.model)
            .field("api_key", &self.api_key)
            .field("profile", &self.profile)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(variables: &[(&str, &str)]) -> Result<OpenAiChatModelBuilder, ModelError> {
        OpenAiChatModelBuilder::from_variables(|name| {
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
        assert!(read.api_key.is_some() && read.base_url.is_none());
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
        assert!(
            headed
                .request_headers(&Url::parse(OPENAI_URL).unwrap())
                .is_ok()
        );
    }
}
