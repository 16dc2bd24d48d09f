//! One endpoint: requests to it under limits, and errors that name it.

use std::sync::Arc;
use std::time::SystemTime;

use ::http::{HeaderMap, Method, StatusCode, header};
use bytes::Bytes;
use tokio::time::timeout_at;
use url::Url;
use vernal_core::model::{ModelError, ModelErrorKind, Prompt};

use super::reply::{Limit, REQUEST_IDS, earlier};
use super::retry::Advice;
use super::runtime;
use super::{
    Failure, HttpError, HttpErrorKind, HttpLimits, HttpRequest, HttpTransport, Redactor, Reply,
    RetryBudget, RetryPolicy, Tries, origin_of, request_id,
};

/// The most that is read of an error's body.
const ERROR_BODY: usize = 64 << 10;

/// An error response, for a dialect to say what it means.
pub(crate) struct ErrorReply<'a> {
    pub(crate) status: StatusCode,
    /// Some servers name the error in one of them.
    #[cfg_attr(not(feature = "bedrock"), allow(dead_code))]
    pub(crate) headers: &'a HeaderMap,
    /// The body as text, cut at a bound, without secrets.
    pub(crate) body: &'a str,
    /// The server, for the error's text.
    pub(crate) origin: &'a str,
}

/// An endpoint with everything that its requests share, made once.
pub(crate) struct HttpClient {
    pub(crate) transport: Arc<dyn HttpTransport>,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) limits: HttpLimits,
    pub(crate) retry: RetryPolicy,
    pub(crate) budget: RetryBudget,
    pub(crate) redactor: Redactor,
    pub(crate) origin: Arc<str>,
    /// What an error response of this dialect means.
    pub(crate) classify: fn(&ErrorReply<'_>) -> ModelError,
}

impl HttpClient {
    /// Begins the tries of a call.
    pub(crate) fn tries(&self, prompt: &Prompt) -> Tries {
        Tries::begin(&self.limits, prompt.deadline())
    }

    /// Sends `body` to an address of the endpoint, once, and gives the answer, once its status says
    /// that it is one.
    pub(crate) async fn post(
        &self,
        url: &Url,
        body: Bytes,
        tries: &Tries,
    ) -> Result<Reply, Failure> {
        runtime::check_time().map_err(Failure::last)?;
        let request = HttpRequest {
            method: Method::POST,
            url: url.clone(),
            headers: self.headers.clone(),
            body,
        };
        let deadline = tries.deadline;
        let (by, limit) = earlier(self.limits.first_byte, Limit::FirstByte, deadline);
        let sending = runtime::with_io(self.transport.send(request));
        let mut response = match timeout_at(by, sending).await {
            Ok(Ok(Ok(response))) => response,
            Ok(Ok(Err(error))) => return Err(self.not_sent(error)),
            Ok(Err(error)) => return Err(Failure::last(error)),
            Err(_) => return Err(Failure::last(limit.error(&self.origin, &self.limits))),
        };
        self.hide_secrets(&mut response.headers);
        let reply = Reply::begin(response, self.origin.clone(), self.limits, deadline);
        match reply.status {
            status if status.is_success() => Ok(reply),
            status if status.is_redirection() => Err(Failure::last(self.redirected(&reply))),
            _ => Err(self.refused(reply).await),
        }
    }

    fn not_sent(&self, error: HttpError) -> Failure {
        let origin = &self.origin;
        let cause = error.root();
        let (kind, advice, text) = match error.kind() {
            HttpErrorKind::Connect => {
                let (by, check) = match error.proxy() {
                    Some(proxy) => (
                        format!(" through the proxy {proxy}"),
                        "check that the proxy runs and lets you through",
                    ),
                    None => (
                        String::new(),
                        "check that the server runs and that the base URL is right",
                    ),
                };
                (
                    ModelErrorKind::Connection,
                    Advice::RETRY,
                    format!("cannot connect to {origin}{by}: {cause}; {check}"),
                )
            }
            HttpErrorKind::Tls => (
                ModelErrorKind::Connection,
                Advice::NEVER,
                format!(
                    "{origin} cannot be spoken to over TLS: {cause}; check its certificate, whether this \
                     machine trusts who issued it, and that the base URL is right"
                ),
            ),
            HttpErrorKind::ProxyCredentials => (
                ModelErrorKind::Configuration,
                Advice::NEVER,
                format!(
                    "{} lets no request to {origin} through: {cause}; put the user name and the password \
                     that it knows into its URL",
                    match error.proxy() {
                        Some(proxy) => format!("the proxy {proxy}"),
                        None => "the proxy on the way".to_owned(),
                    }
                ),
            ),
            HttpErrorKind::ConnectTimeout => (
                ModelErrorKind::Timeout,
                Advice::RETRY,
                format!(
                    "there was no connection to {origin} within {:?}; check the base URL, or raise \
                     the limit `connect`",
                    self.limits.connect
                ),
            ),
            HttpErrorKind::Broken => (
                ModelErrorKind::Connection,
                Advice::RETRY,
                format!("the connection to {origin} broke before an answer came: {cause}"),
            ),
            HttpErrorKind::Request => (
                ModelErrorKind::Configuration,
                Advice::NEVER,
                format!("the request to {origin} could not be made: {cause}"),
            ),
        };
        let error = ModelError::new(kind, text).with_source(error);
        Failure {
            error: error.with_retryable(advice.may_retry),
            advice,
        }
    }

    fn redirected(&self, reply: &Reply) -> ModelError {
        let to = reply
            .headers
            .get(header::LOCATION)
            .and_then(|to| to.to_str().ok());
        let to = to
            .and_then(|to| self.url.join(to).ok())
            .map(|to| self.redactor.redact(&origin_of(&to)).into_owned());
        let to = to.as_deref().unwrap_or("an address it does not name");
        let status = reply.status.as_u16();
        let text = format!(
            "{} answered {status} and points to {to}; redirects are not followed, for they would take the \
             key along: make the final address the base URL",
            self.origin
        );
        reply.named(ModelError::new(ModelErrorKind::Configuration, text).with_status(status))
    }

    /// A key that a server repeats in a header that is shown is no id and no name of an error.
    fn hide_secrets(&self, headers: &mut HeaderMap) {
        for name in REQUEST_IDS.into_iter().chain(["x-amzn-errortype"]) {
            let shown = headers.get(name).and_then(|value| value.to_str().ok());
            if shown.is_some_and(|shown| self.redactor.finds_in(shown)) {
                headers.remove(name);
            }
        }
    }

    async fn refused(&self, reply: Reply) -> Failure {
        let (status, headers) = (reply.status, reply.headers.clone());
        let (body, is_whole) = reply.beginning(ERROR_BODY).await;
        let body = String::from_utf8_lossy(&body);
        let body = match is_whole {
            true => self.redactor.redact(&body),
            false => self.redactor.redact_cut(&body),
        };
        let said = ErrorReply {
            status,
            headers: &headers,
            body: &body,
            origin: &self.origin,
        };
        let mut advice = Advice::of_response(status, &headers, SystemTime::now());
        let mut error = (self.classify)(&said).with_status(status.as_u16());
        // Some servers tell a rate limit, or the time to wait, in the body alone.
        advice.may_retry |= error.is_rate_limit() && !headers.contains_key("x-should-retry");
        advice.after = advice.after.or(error.retry_after());
        error = if super::retry::is_final(error.kind()) {
            error.with_retryable(false)
        } else {
            error.with_retryable(advice.may_retry)
        };
        if let Some(after) = advice.after {
            error = error.with_retry_after(after);
        }
        if let Some(id) = request_id(&headers) {
            error = error.with_request_id(id);
        }
        Failure { error, advice }
    }
}
