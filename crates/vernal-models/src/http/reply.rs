//! An answer that is still to come, and the limits on waiting for it.

use std::sync::Arc;
use std::time::Duration;

use ::http::{HeaderMap, HeaderValue, StatusCode, header};
use bytes::Bytes;
use futures::{FutureExt, StreamExt};
use tokio::time::{Instant, timeout_at};
use vernal_core::model::{ModelError, ModelErrorKind};

use super::tries::Failure;
use super::{HttpBody, HttpError, HttpLimits, HttpResponse};

/// How long the rest of an error's body is waited for: it may not come, and the call is to be made again.
const ERROR_WAIT: Duration = Duration::from_secs(3);

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
    pub(super) fn begin(
        response: HttpResponse,
        origin: Arc<str>,
        limits: HttpLimits,
        deadline: Option<Instant>,
    ) -> Self {
        Self {
            status: response.status,
            headers: response.headers,
            body: response.body,
            origin,
            limits,
            deadline,
            received: 0,
        }
    }

    /// The next piece; `None` at the end. After an error the answer is lost.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, Failure> {
        self.chunk_by(None).await
    }

    /// The next piece, if it comes in good time after something was last said.
    pub(crate) async fn chunk_after(
        &mut self,
        last_said: Instant,
        quiet: Duration,
    ) -> Result<Option<Bytes>, Failure> {
        self.chunk_by(last_said.checked_add(quiet)).await
    }

    async fn chunk_by(&mut self, quiet: Option<Instant>) -> Result<Option<Bytes>, Failure> {
        let (mut by, mut limit) = earlier(self.limits.idle, Limit::Idle, self.deadline);
        if let Some(quiet) = quiet.filter(|quiet| *quiet < by) {
            (by, limit) = (quiet, Limit::Quiet);
        }
        // A body that always has something ready would never let a timer have its turn.
        self.check_time()?;
        let chunk = match timeout_at(by, self.body.next()).await {
            Ok(None) => return Ok(None),
            Ok(Some(Ok(chunk))) => chunk,
            Ok(Some(Err(error))) => return Err(self.broken(error).into()),
            Err(_) => return Err(self.out_of_time(limit)),
        };
        self.received = self.received.saturating_add(chunk.len());
        if self.received > self.limits.body {
            return Err(Failure::last(self.too_large()));
        }
        Ok(Some(chunk))
    }

    /// Whether the time for the whole call has passed, for who has much to do with what is here.
    pub(crate) fn check_time(&self) -> Result<(), Failure> {
        match self.deadline {
            Some(deadline) if deadline <= Instant::now() => Err(self.out_of_time(Limit::Total)),
            _ => Ok(()),
        }
    }

    /// The whole body. One that came in one piece is not copied.
    pub(crate) async fn bytes(&mut self) -> Result<Bytes, Failure> {
        let Some(first) = self.chunk().await? else {
            return Ok(Bytes::new());
        };
        let Some(second) = self.chunk().await? else {
            return Ok(first);
        };
        let announced = self.announced().and_then(|n| n.to_str().ok());
        let announced = announced.and_then(|n| n.parse::<usize>().ok()).unwrap_or(0);
        let mut whole = Vec::with_capacity(announced.clamp(self.received, self.limits.body));
        whole.extend_from_slice(&first);
        whole.extend_from_slice(&second);
        while let Some(chunk) = self.chunk().await? {
            whole.extend_from_slice(&chunk);
        }
        Ok(whole.into())
    }

    /// The first `most` bytes of an error's body, or what came of them in time and before it failed; and
    /// whether they are all.
    pub(super) async fn beginning(mut self, most: usize) -> (Vec<u8>, bool) {
        let (by, _) = earlier(ERROR_WAIT, Limit::Idle, self.deadline);
        self.deadline = Some(by);
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

    /// Whether the head said how long the body is, so that what came in good order came whole.
    pub(crate) fn has_length(&self) -> bool {
        self.announced().is_some()
    }

    fn announced(&self) -> Option<&HeaderValue> {
        self.headers.get(header::CONTENT_LENGTH)
    }

    /// The failure of an error that was told in the answer, or found in it.
    pub(crate) fn failure(&self, error: ModelError) -> Failure {
        Failure::in_answer(error, &self.headers)
    }

    /// Who was waited for so long is not waited for again.
    fn out_of_time(&self, limit: Limit) -> Failure {
        Failure::last(self.named(limit.error(&self.origin, &self.limits)))
    }

    /// The error with what the head says for the provider's support.
    pub(super) fn named(&self, error: ModelError) -> ModelError {
        match self.request_id() {
            Some(id) => error.with_request_id(id),
            None => error,
        }
    }

    fn broken(&self, error: HttpError) -> ModelError {
        let text = format!(
            "the connection to {} broke in the middle of the answer: {}",
            self.origin,
            error.root()
        );
        self.named(ModelError::new(ModelErrorKind::Connection, text).with_source(error))
    }

    fn too_large(&self) -> ModelError {
        let text = format!(
            "the answer of {} is larger than {} bytes, the limit `body`",
            self.origin, self.limits.body
        );
        self.named(ModelError::new(ModelErrorKind::Response, text))
    }
}

/// Which limit a wait runs into.
#[derive(Clone, Copy)]
pub(super) enum Limit {
    FirstByte,
    Idle,
    Quiet,
    Total,
}

impl Limit {
    pub(super) fn error(self, origin: &str, limits: &HttpLimits) -> ModelError {
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
            Self::Quiet => format!(
                "{origin} showed signs of life and said nothing for {:?} in the middle of its answer; \
                 raise the limit `quiet` if the model thinks that long",
                limits.quiet
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
pub(super) fn earlier(wait: Duration, limit: Limit, deadline: Option<Instant>) -> (Instant, Limit) {
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
pub(super) const REQUEST_IDS: [&str; 4] = [
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
