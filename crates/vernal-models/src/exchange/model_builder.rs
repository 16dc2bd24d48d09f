use std::fmt;
use std::sync::Arc;

use url::Url;
use vernal_core::model::{ChatOptions, ModelError};

use super::{Connection, configuration};
use crate::capabilities::CapabilityTable;
use crate::http::{HttpLimits, HttpProxy, HttpTransport, RetryPolicy, Secret, is_loopback};

/// Builds the chat model of an adapter. What all adapters have is set here; `S` is what only one of
/// them has, and brings the methods for it.
///
/// ```
/// use std::time::Duration;
/// use vernal_models::http::RetryPolicy;
/// use vernal_models::openai::OpenAiChatModel;
///
/// let model = OpenAiChatModel::builder()
///     .base_url("http://127.0.0.1:8080/v1")
///     .model("qwen3")
///     .header("x-team", "search")
///     .retry(RetryPolicy::never())
///     .build()?;
/// # Ok::<(), vernal_core::model::ModelError>(())
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct ModelBuilder<S> {
    pub(crate) connection: Connection,
    pub(crate) model: Option<Arc<str>>,
    pub(crate) options: Option<ChatOptions>,
    pub(crate) capabilities: CapabilityTable,
    pub(crate) own: S,
}

impl<S> ModelBuilder<S> {
    /// The server, with the path before that of a request; the provider's own unless set.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.connection.base_url = Some(url.into());
        self
    }

    /// The key, sent in the header that the provider wants it in; a server on this machine mostly
    /// needs none. A blank one is no key.
    pub fn api_key(mut self, key: impl Into<Secret>) -> Self {
        self.connection.api_key = Some(key.into()).filter(|key| !key.reveal().is_empty());
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

    /// What models can do, in rows that win over those of the
    /// [built-in table](CapabilityTable::built_in). Some of it decides what is sent; see
    /// [`capabilities`](crate::capabilities).
    pub fn capabilities(mut self, rows: CapabilityTable) -> Self {
        self.capabilities = self.capabilities.followed_by(&rows);
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

    /// The proxy through which every request goes, such as `http://proxy.example.org:3128`, whatever
    /// the environment says; see [`HttpProxy::At`]. Its URL may hold a user name and a password, and is
    /// handled like a key.
    /// Unless set, the environment names the proxy: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and
    /// `NO_PROXY`, though never for a server on this machine.
    pub fn proxy(mut self, url: impl Into<Secret>) -> Self {
        self.connection.proxy = HttpProxy::At(url.into());
        self
    }

    /// No request goes through a proxy, whatever the environment says.
    pub fn no_proxy(mut self) -> Self {
        self.connection.proxy = HttpProxy::Never;
        self
    }

    /// What sends the requests, in place of [`ReqwestTransport`](crate::http::ReqwestTransport).
    pub fn transport(mut self, transport: impl HttpTransport) -> Self {
        self.connection.transport = Some(Arc::new(transport));
        self
    }
}

/// The environment variables that say how a provider is reached.
pub(crate) struct Variables<'a> {
    pub(crate) base_url: &'a str,
    /// The key's, in the order in which they are looked at.
    pub(crate) keys: &'a [&'a str],
    pub(crate) model: &'a str,
    /// Whether a server that is not on this machine is asked only with a key.
    pub(crate) needs_key: bool,
}

impl<S: Default> ModelBuilder<S> {
    /// A builder with what the variables say; a blank one says nothing.
    ///
    /// # Errors
    /// A key is needed and there is none; the error names its variable.
    pub(crate) fn from_variables(
        variables: &Variables<'_>,
        read: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelError> {
        let read = |name: &str| read(name).filter(|value| !value.trim().is_empty());
        let mut builder = Self::default();
        builder.connection.base_url = read(variables.base_url);
        let key = variables.keys.iter().find_map(|name| read(name));
        builder.connection.api_key = key.map(Secret::from);
        builder.model = read(variables.model).map(|name| name.trim().into());
        let connection = &builder.connection;
        let is_here = connection.base_url.as_deref().is_some_and(is_here);
        match variables.keys {
            [name, ..] if variables.needs_key && connection.api_key.is_none() && !is_here => {
                Err(configuration(&format!(
                    "the environment variable {name} is not set; set it to your key, or set {} to a \
                     server on this machine, which needs none",
                    variables.base_url
                )))
            }
            _ => Ok(builder),
        }
    }
}

/// Whether a base URL names this machine.
fn is_here(base_url: &str) -> bool {
    Url::parse(base_url.trim()).is_ok_and(|url| is_loopback(&url))
}

impl<S: fmt::Debug> fmt::Debug for ModelBuilder<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelBuilder")
            .field("model", &self.model)
            .field("api_key", &self.connection.api_key)
            .field("proxy", &self.connection.proxy)
            .field("own", &self.own)
            .finish_non_exhaustive()
    }
}
