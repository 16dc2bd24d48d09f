use std::sync::Arc;

use ::http::HeaderName;
use url::Url;
use vernal_core::model::ModelError;

use super::{base_headers, push_headers};
use crate::http::{
    ErrorReply, HttpClient, HttpLimits, HttpTransport, Redactor, ReqwestTransport, RetryPolicy,
    Secret, origin_of,
};

/// What a builder collects to reach a server.
#[derive(Clone, Default)]
pub(crate) struct Connection {
    pub(crate) base_url: Option<String>,
    pub(crate) api_key: Option<Secret>,
    pub(crate) headers: Vec<(String, Secret)>,
    pub(crate) limits: HttpLimits,
    pub(crate) retry: RetryPolicy,
    pub(crate) transport: Option<Arc<dyn HttpTransport>>,
}

impl Connection {
    /// The client for `url`; the key goes into the header of this name, after the prefix.
    ///
    /// # Errors
    /// The key or a header cannot be sent, or TLS cannot be set up.
    pub(crate) fn client(
        self,
        url: Url,
        (key_header, key_prefix): (HeaderName, &str),
        classify: fn(&ErrorReply<'_>) -> ModelError,
    ) -> Result<HttpClient, ModelError> {
        let mut headers = base_headers(self.headers.len());
        if let Some(key) = &self.api_key {
            headers.insert(key_header, key.header(key_prefix)?);
        }
        push_headers(&mut headers, &self.headers)?;
        let mut redactor = Redactor::default();
        let values = self.headers.iter().map(|(_, value)| value);
        let secrets = self.api_key.iter().chain(values);
        secrets.for_each(|secret| redactor.add(secret.clone()));
        let transport = match self.transport {
            Some(transport) => transport,
            None => Arc::new(ReqwestTransport::new(&url, &self.limits)?),
        };
        Ok(HttpClient {
            transport,
            origin: origin_of(&url).into(),
            url,
            headers,
            limits: self.limits,
            retry: self.retry,
            redactor,
            classify,
        })
    }
}
