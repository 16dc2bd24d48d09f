use std::env;

use ::http::header;
use url::Url;
use vernal_core::model::ModelError;

use super::request::RequestDefaults;
use super::{BASE_URL, OllamaChatModel};
use crate::ModelBuilder;
use crate::exchange::{Endpoint, Variables, classify};
use crate::http::parse_base_url;

const HERE: &str = "http://127.0.0.1:11434";
const PORT: u16 = 11_434;

const VARIABLES: Variables<'_> = Variables {
    base_url: "OLLAMA_HOST",
    keys: &["OLLAMA_API_KEY"],
    model: "OLLAMA_MODEL",
    needs_key: false,
};

/// Builds an [`OllamaChatModel`]. The base URL is what stands before `/api/chat`, and
/// `http://127.0.0.1:11434` unless set; a key is for a server that is not one's own, and is sent as a
/// bearer token.
pub type OllamaChatModelBuilder = ModelBuilder<OllamaSettings>;

/// What only the builder of an [`OllamaChatModel`] has to set.
#[derive(Debug, Clone, Default)]
pub struct OllamaSettings {
    num_ctx: Option<u32>,
}

impl OllamaChatModelBuilder {
    /// A builder with what the environment says; see [`OllamaChatModel::from_env`].
    ///
    /// # Errors
    /// None today.
    pub fn from_env() -> Result<Self, ModelError> {
        Self::of_environment(&|name| env::var(name).ok())
    }

    pub(crate) fn of_environment(
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelError> {
        let mut builder = Self::from_variables(&VARIABLES, read)?;
        let host = builder.connection.base_url.take();
        builder.connection.base_url = host.map(|host| url_of_host(host.trim()));
        Ok(builder)
    }

    /// The tokens that the model's context holds; the server's own default is small.
    pub fn num_ctx(mut self, tokens: u32) -> Self {
        self.own.num_ctx = Some(tokens);
        self
    }

    /// The model.
    ///
    /// # Errors
    /// The base URL, the key or a header cannot be used, or TLS cannot be set up.
    pub fn build(self) -> Result<OllamaChatModel, ModelError> {
        let base = self.connection.base_url.as_deref().unwrap_or(HERE);
        let url = parse_base_url(base, "api/chat")?;
        let http = self.connection.client(Endpoint {
            key: (header::AUTHORIZATION, "Bearer "),
            headers: Vec::new(),
            needs_key: None,
            classify: |reply| classify(reply, BASE_URL),
            url,
        })?;
        let defaults = RequestDefaults {
            model: self.model,
            options: self.options,
            num_ctx: self.own.num_ctx,
            capabilities: self.capabilities,
        };
        Ok(OllamaChatModel::of(http, defaults))
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
        let builder = OllamaChatModelBuilder::of_environment(&read).unwrap();
        assert!(builder.connection.api_key.is_none());
        let shown = format!("{:?}", builder.build().unwrap());
        assert!(
            shown.contains("http://box:1") && shown.contains("\"m\""),
            "{shown}"
        );
        OllamaChatModelBuilder::of_environment(&|_| None)
            .unwrap()
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
