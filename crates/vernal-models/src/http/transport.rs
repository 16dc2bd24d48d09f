use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use ::http::{HeaderMap, Method, StatusCode};
use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use url::Url;

use super::origin_of;

/// What sends requests.
///
/// It follows no redirect, retries nothing and waits without end: limits and retries are above it.
/// Dropping the future, or the body of the response, ends the exchange.
pub trait HttpTransport: Send + Sync + 'static {
    /// Sends the request and gives the response once its head is there.
    ///
    /// # Errors
    /// No connection, or it broke before the head of a response had come. An HTTP status is no
    /// error here.
    fn send(&self, request: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>>;
}

impl<T: HttpTransport + ?Sized> HttpTransport for Arc<T> {
    fn send(&self, request: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        (**self).send(request)
    }
}

/// A request; its headers and body do not show in its `Debug` form.
#[derive(Clone)]
#[non_exhaustive]
pub struct HttpRequest {
    /// The method.
    pub method: Method,
    /// Where to; `http` or `https`.
    pub url: Url,
    /// The headers, `Host` and `Content-Length` excepted.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl HttpRequest {
    /// A request without headers and body.
    pub fn new(method: Method, url: Url) -> Self {
        Self {
            method,
            url,
            headers: HeaderMap::new(),
            body: Bytes::new(),
        }
    }
}

impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpRequest")
            .field("method", &self.method)
            .field("origin", &origin_of(&self.url))
            .field("path", &self.url.path())
            .field("body_length", &self.body.len())
            .finish_non_exhaustive()
    }
}

/// A response whose body is still to come.
#[non_exhaustive]
pub struct HttpResponse {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: HttpBody,
}

/// The bytes of a response as they come; after an error nothing follows.
pub type HttpBody = BoxStream<'static, Result<Bytes, HttpError>>;

impl HttpResponse {
    /// A response.
    pub fn new(status: StatusCode, headers: HeaderMap, body: HttpBody) -> Self {
        Self {
            status,
            headers,
            body,
        }
    }
}

impl fmt::Debug for HttpResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpResponse")
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

/// Why bytes could not be moved.
#[derive(Debug)]
pub struct HttpError {
    kind: HttpErrorKind,
    proxy: Option<Arc<str>>,
    source: Box<dyn StdError + Send + Sync>,
}

/// The kinds of an [`HttpError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HttpErrorKind {
    /// There was no connection.
    Connect,
    /// Connecting took too long.
    ConnectTimeout,
    /// There was a connection, but no TLS over it: the certificate is not trusted, or one side does not
    /// speak it.
    Tls,
    /// The proxy wants other credentials.
    ProxyCredentials,
    /// The connection broke, or what came over it was no HTTP.
    Broken,
    /// The request could not be made.
    Request,
}

impl HttpError {
    /// An error with its cause. The cause must not show headers or a URL's credentials.
    pub fn new(kind: HttpErrorKind, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self {
            kind,
            proxy: None,
            source: cause.into(),
        }
    }

    /// With the proxy on the way, as it may be shown: its scheme, host and port.
    #[must_use]
    pub fn with_proxy(mut self, origin: impl Into<Arc<str>>) -> Self {
        self.proxy = Some(origin.into());
        self
    }

    /// The proxy on the way, where it is known.
    pub fn proxy(&self) -> Option<&str> {
        self.proxy.as_deref()
    }

    /// What went wrong.
    pub fn kind(&self) -> HttpErrorKind {
        self.kind
    }

    /// The innermost cause, the one that says most.
    pub(crate) fn root(&self) -> &(dyn StdError + 'static) {
        let mut cause: &(dyn StdError + 'static) = &*self.source;
        while let Some(deeper) = cause.source() {
            cause = deeper;
        }
        cause
    }
}

impl fmt::Display for HttpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            HttpErrorKind::Connect => "no connection",
            HttpErrorKind::ConnectTimeout => "connecting took too long",
            HttpErrorKind::Tls => "no TLS",
            HttpErrorKind::ProxyCredentials => "the proxy wants other credentials",
            HttpErrorKind::Broken => "the connection broke",
            HttpErrorKind::Request => "the request could not be made",
        })
    }
}

impl StdError for HttpError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&*self.source)
    }
}
