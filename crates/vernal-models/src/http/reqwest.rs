use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::io;
use std::iter;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use ::reqwest::redirect::Policy;
use ::reqwest::{Client, Error, Proxy, Request, Response};
use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::Stream;
use url::Url;
use vernal_core::model::{ModelError, ModelErrorKind};

use super::tls;
use super::{
    HttpError, HttpErrorKind, HttpLimits, HttpProxy, HttpRequest, HttpResponse, HttpTransport,
    is_loopback,
};

/// Sends over HTTP/1.1 and keeps connections for the next request.
#[derive(Clone)]
pub struct ReqwestTransport {
    client: Client,
    /// The proxy that was asked for, as it may be shown.
    proxy: Option<Arc<str>>,
}

impl ReqwestTransport {
    /// A transport for the server at `url`, with the limit for connecting, on the way that the
    /// environment names; see [`HttpProxy::Environment`].
    ///
    /// # Errors
    /// TLS cannot be set up: no trusted certificates were found.
    pub fn new(url: &Url, limits: &HttpLimits) -> Result<Self, ModelError> {
        Self::through(url, limits, &HttpProxy::Environment)
    }

    /// A transport for the server at `url`, on a way of one's own.
    ///
    /// # Errors
    /// As [`new`](Self::new), and the proxy's URL cannot be used; the error does not show it.
    pub fn through(url: &Url, limits: &HttpLimits, way: &HttpProxy) -> Result<Self, ModelError> {
        let proxy = way.url()?;
        let shown = proxy.as_ref().map(|proxy| shown(proxy).into());
        let proxy_has_tls = proxy
            .as_ref()
            .is_some_and(|proxy| proxy.scheme() == "https");
        let tls = match (url.scheme(), is_loopback(url)) {
            ("https", _) => tls::shared_config()?,
            _ if proxy_has_tls => tls::shared_config()?,
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
        builder = match (way, proxy) {
            (_, Some(proxy)) => builder.proxy(Proxy::all(proxy).map_err(not_set_up)?),
            (HttpProxy::Environment, None) if !is_loopback(url) => builder,
            _ => builder.no_proxy(),
        };
        let client = builder.build().map_err(not_set_up)?;
        Ok(Self {
            client,
            proxy: shown,
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
        let Self { client, proxy } = self.clone();
        Box::pin(async move {
            let sent = client.execute(outgoing).await;
            let mut response = sent.map_err(|error| match proxy {
                Some(proxy) => error_of(error).with_proxy(proxy),
                None => error_of(error),
            })?;
            Ok(HttpResponse {
                status: response.status(),
                headers: std::mem::take(response.headers_mut()),
                body: Box::pin(Body(response)),
            })
        })
    }
}

/// What may be shown of a proxy's URL; there is no origin of SOCKS.
fn shown(proxy: &Url) -> String {
    let port = proxy.port().map(|port| format!(":{port}"));
    let host = proxy.host_str().unwrap_or_default();
    format!("{}://{host}{}", proxy.scheme(), port.unwrap_or_default())
}

fn not_set_up(error: Error) -> ModelError {
    ModelError::new(
        ModelErrorKind::Configuration,
        "the HTTP client cannot be set up",
    )
    .with_source(error.without_url())
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
        () if error.is_connect() => not_connected(&error),
        () if error.is_builder() => HttpErrorKind::Request,
        () => HttpErrorKind::Broken,
    };
    HttpError::new(kind, error.without_url())
}

/// Why there is no connection: some causes do not pass.
fn not_connected(error: &(dyn StdError + 'static)) -> HttpErrorKind {
    for cause in iter::successors(Some(error), |cause| beneath(*cause)) {
        if cause.is::<rustls::Error>() {
            return HttpErrorKind::Tls;
        }
        // Their types are not public.
        let said = cause.to_string();
        if REFUSALS.iter().any(|refusal| said.ends_with(refusal)) {
            return HttpErrorKind::ProxyCredentials;
        }
    }
    HttpErrorKind::Connect
}

/// How the refusals of proxies, for tunnels and for SOCKS 5, are worded.
const REFUSALS: [&str; 3] = [
    "proxy authorization required",
    "server does not support user/pass authentication",
    "credentials not accepted",
];

/// The cause of an error. An I/O error names as its cause that of the error it holds, and not that one.
fn beneath<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a (dyn StdError + 'static)> {
    let held = error
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref);
    match held {
        Some(held) => Some(held),
        None => error.source(),
    }
}

impl fmt::Debug for ReqwestTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReqwestTransport")
            .field("proxy", &self.proxy)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use rustls::CertificateError::UnknownIssuer;

    use super::*;

    #[test]
    fn what_does_not_pass_is_told_apart() {
        let untrusted = rustls::Error::InvalidCertificate(UnknownIssuer);
        let untrusted = io::Error::new(io::ErrorKind::InvalidData, untrusted);
        for (error, kind) in [
            (io::Error::other(untrusted), HttpErrorKind::Tls),
            (
                io::Error::other("tunnel error: proxy authorization required"),
                HttpErrorKind::ProxyCredentials,
            ),
            (
                io::Error::other("SOCKS error: credentials not accepted"),
                HttpErrorKind::ProxyCredentials,
            ),
            (
                io::Error::new(io::ErrorKind::UnexpectedEof, "tls handshake eof"),
                HttpErrorKind::Connect,
            ),
            (
                io::Error::from(io::ErrorKind::ConnectionRefused),
                HttpErrorKind::Connect,
            ),
        ] {
            assert_eq!(not_connected(&error), kind, "{error}");
        }
    }
}
