//! HTTP as the adapters need it: one POST, an answer whole or in pieces, and what to do when it fails.
//!
//! An [`HttpTransport`] moves bytes; [`ReqwestTransport`] is the one that is used unless an adapter
//! is given another; [`HttpProxy`] is the way that it takes. [`HttpLimits`] and [`RetryPolicy`] hold
//! over any transport.
//!
//! ```
//! use std::sync::Arc;
//! use futures::future::BoxFuture;
//! use vernal_models::http::{HttpError, HttpRequest, HttpResponse, HttpTransport};
//!
//! /// Counts what another transport sends.
//! struct Counting<T> { inner: T, sent: std::sync::atomic::AtomicUsize }
//!
//! impl<T: HttpTransport> HttpTransport for Counting<T> {
//!     fn send(&self, request: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
//!         self.sent.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
//!         self.inner.send(request)
//!     }
//! }
//! ```

mod budget;
mod client;
#[cfg(feature = "bedrock")]
mod crc32;
mod date;
mod endpoint;
#[cfg(feature = "bedrock")]
mod event_stream;
mod limits;
mod ndjson;
mod proxy;
mod redactor;
mod reply;
mod reqwest;
mod retry;
mod runtime;
mod secret;
mod sse;
mod tls;
mod transport;
mod tries;

pub use limits::HttpLimits;
pub use proxy::HttpProxy;
pub use reqwest::ReqwestTransport;
pub use retry::RetryPolicy;
pub use secret::Secret;
pub use transport::{HttpBody, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpTransport};

pub(crate) use budget::RetryBudget;
pub(crate) use client::{ErrorReply, HttpClient};
#[cfg(feature = "bedrock")]
pub(crate) use date::parse_http_date;
pub(crate) use endpoint::{is_loopback, origin_of, parse_base_url};
#[cfg(feature = "bedrock")]
pub(crate) use event_stream::{EventStreamDecoder, EventStreamError, Frame};
pub(crate) use ndjson::{NdjsonDecoder, NdjsonError};
#[cfg(feature = "bedrock")]
pub(crate) use redactor::RecentSecrets;
pub(crate) use redactor::Redactor;
pub(crate) use reply::{Reply, request_id};
pub(crate) use sse::{SseDecoder, SseError, SseEvent};
pub(crate) use tries::{Failure, Tries};
