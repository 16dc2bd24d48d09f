use std::fmt;
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use ::reqwest::redirect::Policy;
use ::reqwest::{Client, Error, Request, Response};
use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::Stream;
use url::Url;
use vernal_core::model::{ModelError, ModelErrorKind};

use super::tls;
use super::{
    HttpError, HttpErrorKind, HttpLimits, HttpRequest, HttpResponse, HttpTransport, is_loopback,
};

/// Sends over HTTP/1.1 and keeps connections for the next request.
///
/// Proxies are taken from the environment (`HTTPS_PROXY`, `NO_PROXY`, …), though never for this
/// machine.
#[derive(Clone)]
pub struct ReqwestTransport(Client);

impl ReqwestTransport {
    /// A transport for the server at `url`, with the limit for connecting.
    ///
    /// # Errors
    /// TLS cannot be set up: no trusted certificates were found.
    pub fn new(url: &Url, limits: &HttpLimits) -> Result<Self, ModelError> {
        let tls = match (url.scheme(), is_loopback(url)) {
            ("https", _) => tls::shared_config()?,
            // Redirects are not followed, so nobody but this server is ever talked to.
            (_, true) => tls::no_trust()?,
            // A proxy on the way may want TLS; that there are no certificates matters only then.
            (_, false) => tls::shared_config().or_else(|_| tls::no_trust())?,
        };
        let mut builder = Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(Policy::none())
            .connect_timeout(limits.connect)
            .tcp_nodelay(true);
        if is_loopback(url) {
            builder = builder.no_proxy();
        }
        builder.build().map(Self).map_err(|error| {
            ModelError::new(
                ModelErrorKind::Configuration,
                "the HTTP client cannot be set up",
            )
            .with_source(error.without_url())
        })
    }
}

impl HttpTransport for ReqwestTransport {
    fn send(&self, request: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        let HttpRequest {
            method,
            url,
            headers,
            body,
        } = request;
        let mut outgoing = Request::new(method, url);
        *outgoing.headers_mut() = headers;
        *outgoing.body_mut() = Some(body.into());
        // Made now and polled later: nothing is sent before.
        let client = self.0.clone();
        Box::pin(async move {
            let mut response = client.execute(outgoing).await.map_err(error_of)?;
            Ok(HttpResponse {
                status: response.status(),
                headers: std::mem::take(response.headers_mut()),
                body: Box::pin(Body(response)),
            })
        })
    }
}

/// The rest of a response as a stream.
struct Body(Response);

impl Stream for Body {
    type Item = Result<Bytes, HttpError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        // The future holds nothing but the borrow, so that a new one for each poll loses no byte.
        let next = pin!(self.0.chunk()).poll(context);
        next.map(|chunk| chunk.map_err(error_of).transpose())
    }
}

fn error_of(error: Error) -> HttpError {
    let kind = match () {
        () if error.is_connect() && error.is_timeout() => HttpErrorKind::ConnectTimeout,
        () if error.is_connect() => HttpErrorKind::Connect,
        () if error.is_builder() => HttpErrorKind::Request,
        () => HttpErrorKind::Broken,
    };
    HttpError::new(kind, error.without_url())
}

impl fmt::Debug for ReqwestTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReqwestTransport")
    }
}
