use std::env;
use std::sync::Arc;

use ::http::header;
use url::Url;
use vernal_core::model::{ChatOptions, ModelError};

use super::model::Inner;
use super::request::RequestDefaults;
use super::{BASE_URL, OllamaChatModel};
use crate::exchange::{Connection, classify};
use crate::http::{HttpLimits, HttpTransport, RetryPolicy, Secret, parse_base_url};

const HERE: &str = "http://127.0.0.1:11434";
const PORT: u16 = 11_434;

/// Builds an [`OllamaChatModel`].
#[derive(Clone, Default)]
#[must_use]
pub struct OllamaChatModelBuilder {
    connection: Connection,
    defaults: RequestDefaults,
}

impl OllamaChatModelBuilder {
    /// A builder with what the environment says; see [`OllamaChatModel::from_env`].
    pub fn from_env() -> Self {
        Self::from_variables(|name| env::var(name).ok())
    }

    fn from_variables(read: impl Fn(&str) -> Option<String>) -> Self {
        let read = |name: &str| read(name).filter(|value| !value.trim().is_empty());
        let mut builder = Self::default();
        builder.connection.base_url = read("OLLAMA_HOST").map(|host| url_of_host(host.trim()));
        builder.connection.api_key = read("OLLAMA_API_KEY").map(Secret::from);
        builder.defaults.model = read("OLLAMA_MODEL").map(Arc::from);
        builder
    }

    /// The server, with the path before `/api/chat`; `http://127.0.0.1:11434` unless set.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.connection.base_url = Some(url.into());
        self
    }

    /// A key, sent as a bearer token, for a server that is not one's own.
    pub fn api_key(mut self, key: impl Into<Secret>) -> Self {
        self.connection.api_key = Some(key.into());
        self
    }

    /// The model that is asked where the options of a request name none.
    pub fn model(mut self, model: impl Into<Arc<str>>) -> Self {
        self.defaults.model = Some(model.into());
        self
    }

    /// The tokens that the model's context holds; the server's own default is small.
    pub fn num_ctx(mut self, tokens: u32) -> Self {
        self.defaults.num_ctx = Some(tokens);
        self
    }

    /// Options that hold where a request's own do not say otherwise.
    pub fn default_options(mut self, options: ChatOptions) -> Self {
        self.defaults.options = Some(options);
        self
    }

    /// A header for every request, in place of one of ours with the same name. Its value is handled
    /// like a key: it is never shown.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<Secret>) -> Self {
        self.connection.headers.push((name.into(), value.into()));
        self
    }

    /// How long a call may take and how much it may bring.
    pub fn limits(mut self, limits: HttpLimits) -> Self {
        self.connection.limits = limits;
        self
    }

    /// When a failed call is made again.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.connection.retry = policy;
        self
    }

    /// What sends the requests, in place of [`ReqwestTransport`](crate::http::ReqwestTransport).
    pub fn transport(mut self, transport: impl HttpTransport) -> Self {
        self.connection.transport = Some(Arc::new(transport));
        self
    }

    /// The model.
    ///
    /// # Errors
    /// The base URL, the key or a header cannot be used, or TLS cannot be set up.
    pub fn build(self) -> Result<OllamaChatModel, ModelError> {
        let base = self.connection.base_url.as_deref().unwrap_or(HERE);
        let url = parse_base_url(base, "api/chat")?;
        let key = (header::AUTHORIZATION, "Bearer ");
        let http = self
            .connection
            .client(url, key, |reply| classify(reply, BASE_URL))?;
        let defaults = self.defaults;
        Ok(OllamaChatModel::of(Inner { http, defaults }))
    }
}

/// The URL of a host as Ollama names it: without a scheme or a port, and with the address that a
/// server listens at in place of the one at which it is reached.
fn url_of_host(host: &str) -> String {
    if host.contains("://") {
        return host.to_owned();
    }
    let Ok(mut url) = Url::parse(&format!("http://{host}")) else {
        return host.to_owned();
    };
    // Port 80 cannot be told from none once it is read.
    let named = host
        .split('/')
        .next()
        .is_some_and(|place| place.ends_with(":80"));
    let changed = if url.port().is_none() && !named {
        url.set_port(Some(PORT))
    } else {
        Ok(())
    };
    let everywhere = matches!(url.host_str(), Some("0.0.0.0" | "[::]"));
    let reached = if everywhere {
        url.set_host(Some("127.0.0.1")).is_ok()
    } else {
        true
    };
    if changed.is_ok() && reached {
        url.into()
    } else {
        host.to_owned()
    }
}

impl std::fmt::Debug for OllamaChatModelBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OllamaChatModelBuilder")
            .field("model", &self.defaults.model)
            .field("num_ctx", &self.defaults.num_ctx)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_as_ollama_reads_them() {
        for (host, url) in [
            ("127.0.0.1:5000", "http://127.0.0.1:5000/"),
            ("box", "http://box:11434/"),
            ("box:80", "http://box/"),
            ("0.0.0.0", "http://127.0.0.1:11434/"),
            ("[::]:1", "http://127.0.0.1:1/"),
            ("https://h/ollama", "https://h/ollama"),
        ] {
            assert_eq!(url_of_host(host), url);
        }
    }

    #[test]
    fn the_environment_needs_nothing() {
        let read = |name: &str| match name {
            "OLLAMA_HOST" => Some(" box:1 ".to_owned()),
            "OLLAMA_MODEL" => Some("m".to_owned()),
            _ => Some(" ".to_owned()),
        };
        let builder = OllamaChatModelBuilder::from_variables(read);
        assert!(builder.connection.api_key.is_none());
        let shown = format!("{:?}", builder.build().unwrap());
        assert!(
            shown.contains("http://box:1") && shown.contains("\"m\""),
            "{shown}"
        );
        OllamaChatModelBuilder::from_variables(|_| None)
            .build()
            .unwrap();
    }

    #[test]
    fn keys_and_headers_show_nowhere() {
        let builder = OllamaChatModel::builder()
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
}
