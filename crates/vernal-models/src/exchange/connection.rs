use std::sync::Arc;

use ::http::{HeaderName, HeaderValue, header};
use url::Url;
use vernal_core::model::ModelError;

use super::{base_headers, configuration, push_headers};
use crate::http::{
    ErrorReply, HttpClient, HttpLimits, HttpProxy, HttpTransport, Redactor, ReqwestTransport,
    RetryBudget, RetryPolicy, Secret, origin_of,
};

/// What a builder collects to reach a server.
#[derive(Clone, Default)]
pub(crate) struct Connection {
    pub(crate) base_url: Option<String>,
    pub(crate) api_key: Option<Secret>,
    pub(crate) headers: Vec<(String, Secret)>,
    pub(crate) limits: HttpLimits,
    pub(crate) retry: RetryPolicy,
    pub(crate) proxy: HttpProxy,
    pub(crate) transport: Option<Arc<dyn HttpTransport>>,
}

/// Where an adapter sends its requests, and what its dialect asks of a connection.
pub(crate) struct Endpoint {
    pub(crate) url: Url,
    /// The header of the key, and what stands before the key in it.
    pub(crate) key: (HeaderName, &'static str),
    /// Headers of the dialect; an application may replace them.
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    /// Who answers nothing without a key, if it is asked.
    pub(crate) needs_key: Option<&'static str>,
    pub(crate) classify: fn(&ErrorReply<'_>) -> ModelError,
}

impl Connection {
    /// The client for an endpoint.
    ///
    /// # Errors
    /// The key or a header cannot be sent, a key is needed and there is none, the proxy cannot be
    /// used, or TLS cannot be set up.
    pub(crate) fn client(mut self, endpoint: Endpoint) -> Result<HttpClient, ModelError> {
        let mut headers = base_headers(endpoint.headers.len() + self.headers.len());
        headers.extend(endpoint.headers);
        let (key_header, key_prefix) = endpoint.key;
        if let Some(key) = &self.api_key {
            headers.insert(&key_header, key.header(key_prefix)?);
        }
        push_headers(&mut headers, &self.headers)?;
        let has_key =
            headers.contains_key(key_header) || headers.contains_key(header::AUTHORIZATION);
        if let Some(provider) = endpoint.needs_key.filter(|_| !has_key) {
            return Err(configuration(&format!(
                "{provider} takes no request without a key: set `api_key`, or `base_url` for another \
                 server"
            )));
        }
        let mut redactor = Redactor::default();
        let values = self.headers.iter().map(|(_, value)| value);
        let secrets = self.api_key.iter().chain(values);
        secrets.for_each(|secret| redactor.add(secret.clone()));
        let of_proxy = self.proxy.secrets().into_iter();
        of_proxy.for_each(|secret| redactor.add(secret));
        let url = endpoint.url;
        redactor.add_query(&url);
        Ok(HttpClient {
            transport: self.take_transport(&url)?,
            origin: origin_of(&url).into(),
            url,
            headers,
            limits: self.limits,
            retry: self.retry,
            budget: RetryBudget::new(self.retry.budget),
            redactor,
            classify: endpoint.classify,
        })
    }

    /// What sends the requests: the application's own transport, or one that goes the way that was
    /// asked for.
    ///
    /// # Errors
    /// The proxy cannot be used, there is a transport too, or TLS cannot be set up.
    pub(crate) fn take_transport(
        &mut self,
        url: &Url,
    ) -> Result<Arc<dyn HttpTransport>, ModelError> {
        match (self.transport.take(), &self.proxy) {
            (Some(_), HttpProxy::At(_)) => Err(configuration(
                "a `proxy` and a `transport` are set, and a transport goes its own way: leave one out",
            )),
            (Some(own), _) => Ok(own),
            (None, way) => Ok(Arc::new(ReqwestTransport::through(url, &self.limits, way)?)),
        }
    }
}
