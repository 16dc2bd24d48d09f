//! One endpoint: requests to it under limits, with retries, and errors that name it.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use ::http::{HeaderMap, Method, StatusCode, header};
use bytes::Bytes;
use futures::{FutureExt, StreamExt};
use tokio::time::{Instant, sleep, timeout_at};
use url::Url;
use vernal_core::model::{ModelError, ModelErrorKind};

use super::retry::Advice;
use super::runtime;
use super::{
    HttpBody, HttpError, HttpErrorKind, HttpLimits, HttpRequest, HttpTransport, Redactor,
    RetryPolicy, origin_of,
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
    pub(crate) redactor: Redactor,
    pub(crate) origin: Arc<str>,
    /// What an error response of this dialect means.
    pub(crate) classify: fn(&ErrorReply<'_>) -> ModelError,
}

/// Why a request failed, and whether it may be sent again.
struct Failure {
    error: ModelError,
    advice: Advice,
}

impl HttpClient {
    /// Sends `body` to an address of the endpoint and gives the answer, once its status says that it is one.
    pub(crate) async fn post(&self, url: &Url, body: Bytes) -> Result<Reply, ModelError> {
        runtime::check_time()?;
        let deadline = self
            .limits
            .total
            .and_then(|total| Instant::now().checked_add(total));
        let mut done = 0;
        loop {
            let Failure { error, advice } = match self.send(url, body.clone(), deadline).await {
                Ok(reply) => return Ok(reply),
                Err(failure) => failure,
            };
            let Some(wait) = self.retry.wait(done, &error, &advice) else {
                return Err(error);
            };
            if deadline.is_some_and(|deadline| Instant::now() + wait >= deadline) {
                return Err(error);
            }
            done += 1;
            tracing::debug!(
                server = &*self.origin,
                status = error.status(),
                retry = done,
                wait = ?wait,
                "the model call failed and is made again"
            );
            sleep(wait).await;
        }
    }

    async fn send(
        &self,
        url: &Url,
        body: Bytes,
        deadline: Option<Instant>,
    ) -> Result<Reply, Failure> {
        let request = HttpRequest {
            method: Method::POST,
            url: url.clone(),
            headers: self.headers.clone(),
            body,
        };
        let (by, limit) = earlier(self.limits.first_byte, Limit::FirstByte, deadline);
        let sending = runtime::with_io(self.transport.send(request));
        let response = match timeout_at(by, sending).await {
            Ok(Ok(Ok(response))) => response,
            Ok(Ok(Err(error))) => return Err(self.not_sent(error)),
            Ok(Err(error)) => return Err(Failure::last(error)),
            Err(_) => return Err(Failure::last(self.timed_out(limit))),
        };
        let mut headers = response.headers;
        self.hide_secrets(&mut headers);
        let reply = Reply {
            status: response.status,
            headers,
            body: response.body,
            origin: self.origin.clone(),
            limits: self.limits,
            deadline,
            received: 0,
        };
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
            HttpErrorKind::Connect => (
                ModelErrorKind::Connection,
                Advice::RETRY,
                format!(
                    "cannot connect to {origin}: {cause}; check that the server runs and that the \
                     base URL is right"
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
        Failure {
            error: ModelError::new(kind, text).with_source(error),
            advice,
        }
    }

    fn timed_out(&self, limit: Limit) -> ModelError {
        limit.error(&self.origin, &self.limits)
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
        ModelError::new(
            ModelErrorKind::Configuration,
            format!(
                "{} answered {} and points to {to}; redirects are not followed, for they would take \
                 the key along: make the final address the base URL",
                self.origin,
                reply.status.as_u16()
            ),
        )
        .with_status(reply.status.as_u16())
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

impl Failure {
    fn last(error: ModelError) -> Self {
        Self {
            error,
            advice: Advice::NEVER,
        }
    }
}

/// An answer whose status was good and whose body is still to come.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) origin: Arc<str>,
    pub(crate) limits: HttpLimits,
    body: HttpBody,
    deadline: Option<Instant>,
    received: usize,
}

impl Reply {
    /// The next piece; `None` at the end. After an error the answer is lost.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, ModelError> {
        let (by, limit) = earlier(self.limits.idle, Limit::Idle, self.deadline);
        let chunk = match timeout_at(by, self.body.next()).await {
            Ok(None) => return Ok(None),
            Ok(Some(Ok(chunk))) => chunk,
            Ok(Some(Err(error))) => return Err(self.broken(error)),
            Err(_) => return Err(limit.error(&self.origin, &self.limits)),
        };
        self.received = self.received.saturating_add(chunk.len());
        if self.received > self.limits.body {
            return Err(self.too_large());
        }
        Ok(Some(chunk))
    }

    /// The whole body. One that came in one piece is not copied.
    pub(crate) async fn bytes(mut self, headers: &HeaderMap) -> Result<Bytes, ModelError> {
        let Some(first) = self.chunk().await? else {
            return Ok(Bytes::new());
        };
        let Some(second) = self.chunk().await? else {
            return Ok(first);
        };
        let announced = headers
            .get(header::CONTENT_LENGTH)
            .and_then(|n| n.to_str().ok());
        let announced = announced.and_then(|n| n.parse::<usize>().ok()).unwrap_or(0);
        let mut whole = Vec::with_capacity(announced.clamp(self.received, self.limits.body));
        whole.extend_from_slice(&first);
        whole.extend_from_slice(&second);
        while let Some(chunk) = self.chunk().await? {
            whole.extend_from_slice(&chunk);
        }
        Ok(whole.into())
    }

    /// The first `most` bytes, or what came of them before the body failed, and whether they are all.
    async fn beginning(mut self, most: usize) -> (Vec<u8>, bool) {
        let mut bytes = Vec::new();
        while bytes.len() < most {
            let chunk = match self.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => return (bytes, true),
                Err(_) => break,
            };
            let room = chunk.len().min(most - bytes.len());
            bytes.extend_from_slice(chunk.get(..room).unwrap_or_default());
        }
        (bytes, false)
    }

    /// Lets go of an answer that has said all it has to say. The last bytes, if they are there, are
    /// read first, so that the connection can be used again.
    pub(crate) fn release(mut self) {
        let mut pieces = 0;
        while let Some(Some(Ok(_))) = self.body.next().now_or_never() {
            pieces += 1;
            if pieces == 16 {
                return;
            }
        }
    }

    /// The provider's id of the request.
    pub(crate) fn request_id(&self) -> Option<&str> {
        request_id(&self.headers)
    }

    fn broken(&self, error: HttpError) -> ModelError {
        let text = format!(
            "the connection to {} broke in the middle of the answer: {}",
            self.origin,
            error.root()
        );
        ModelError::new(ModelErrorKind::Connection, text).with_source(error)
    }

    fn too_large(&self) -> ModelError {
        ModelError::new(
            ModelErrorKind::Response,
            format!(
                "the answer of {} is larger than {} bytes, the limit `body`",
                self.origin, self.limits.body
            ),
        )
    }
}

/// Which limit a wait runs into.
#[derive(Clone, Copy)]
enum Limit {
    FirstByte,
    Idle,
    Total,
}

impl Limit {
    fn error(self, origin: &str, limits: &HttpLimits) -> ModelError {
        let text = match self {
            Self::FirstByte => format!(
                "{origin} did not begin to answer within {:?}; stream the answer, or raise the limit \
                 `first_byte`",
                limits.first_byte
            ),
            Self::Idle => format!(
                "{origin} sent nothing for {:?} in the middle of its answer; raise the limit `idle` \
                 if the model thinks that long",
                limits.idle
            ),
            Self::Total => format!(
                "the call to {origin} took longer than {:?}, the limit `total`",
                limits.total.unwrap_or_default()
            ),
        };
        ModelError::new(ModelErrorKind::Timeout, text)
    }
}

/// When a wait has to end, and by which limit.
fn earlier(wait: Duration, limit: Limit, deadline: Option<Instant>) -> (Instant, Limit) {
    let now = Instant::now();
    // A limit beyond what a clock can show is none; a hundred years stand for it.
    let never = || now + Duration::from_secs(100 * 365 * 86_400);
    let end = now.checked_add(wait).unwrap_or_else(never);
    match deadline {
        Some(deadline) if deadline < end => (deadline, Limit::Total),
        _ => (end, limit),
    }
}

/// Where the provider's id of a request stands.
const REQUEST_IDS: [&str; 4] = [
    "x-request-id",
    "request-id",
    "x-amzn-requestid",
    "apim-request-id",
];

/// The provider's id of a request, for its support.
pub(crate) fn request_id(headers: &HeaderMap) -> Option<&str> {
    REQUEST_IDS
        .iter()
        .find_map(|name| headers.get(*name)?.to_str().ok())
        .filter(|id| !id.is_empty() && id.len() <= 200)
}
