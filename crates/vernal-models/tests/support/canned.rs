use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt, stream};
use http::{HeaderMap, StatusCode, header};
use vernal_models::http::{HttpError, HttpRequest, HttpResponse, HttpTransport, RetryPolicy};
use vernal_models::openai::{OpenAiChatModel, OpenAiProfile};

/// A transport that answers every request alike, in pieces of a chosen size.
#[derive(Clone)]
pub struct Canned {
    pub status: u16,
    pub content_type: &'static str,
    pub body: Bytes,
    pub piece: usize,
    /// The bodies of the requests.
    pub sent: Arc<Mutex<Vec<String>>>,
    /// The paths that were asked.
    pub paths: Arc<Mutex<Vec<String>>>,
    /// Where the last request went, and its headers.
    pub head: Arc<Mutex<Option<(String, HeaderMap)>>>,
}

impl Canned {
    pub fn new(body: impl Into<Bytes>) -> Self {
        Self {
            status: 200,
            content_type: "application/json",
            body: body.into(),
            piece: usize::MAX,
            sent: Arc::default(),
            paths: Arc::default(),
            head: Arc::default(),
        }
    }

    /// A stream of these events, in order, ended by `[DONE]`.
    pub fn events(events: &[&str]) -> Self {
        let lines: String = events
            .iter()
            .map(|event| format!("data: {event}\n\n"))
            .collect();
        Self {
            content_type: "text/event-stream",
            ..Self::new(lines + "data: [DONE]\n\n")
        }
    }

    pub fn in_pieces(mut self, piece: usize) -> Self {
        self.piece = piece;
        self
    }

    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// A model that talks to it.
    pub fn model(&self) -> OpenAiChatModel {
        self.model_with(OpenAiProfile::COMPATIBLE)
    }

    pub fn model_with(&self, profile: OpenAiProfile) -> OpenAiChatModel {
        OpenAiChatModel::builder()
            .base_url("http://127.0.0.1:1/v1")
            .model("asked")
            .profile(profile)
            .retry(RetryPolicy::never())
            .transport(self.clone())
            .build()
            .unwrap()
    }

    /// The body of the last request.
    pub fn last_sent(&self) -> String {
        self.sent.lock().unwrap().last().unwrap().clone()
    }
}

impl HttpTransport for Canned {
    fn send(&self, request: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        let body = String::from_utf8(request.body.to_vec()).unwrap();
        self.sent.lock().unwrap().push(body);
        let path = request.url.path().to_owned();
        self.paths.lock().unwrap().push(path);
        *self.head.lock().unwrap() = Some((request.url.into(), request.headers));
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, self.content_type.parse().unwrap());
        headers.insert(header::CONTENT_LENGTH, self.body.len().into());
        let status = StatusCode::from_u16(self.status).unwrap();
        let (mut rest, piece) = (self.body.clone(), self.piece);
        let pieces = stream::iter(std::iter::from_fn(move || {
            (!rest.is_empty()).then(|| Ok(rest.split_to(piece.min(rest.len()))))
        }));
        async move { Ok(HttpResponse::new(status, headers, pieces.boxed())) }.boxed()
    }
}
