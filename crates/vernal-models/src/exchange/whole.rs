//! Bodies that are read whole.

use vernal_core::model::{ChatResponse, ModelError, ModelErrorKind, Prompt};

use super::bounds::bounded;
use super::framing::Decoder;
use super::stream::take_events;
use super::{Dialect, Events, Origin, excerpt, response_error};
use crate::http::{Failure, Tries, request_id};

/// What a body turns out to be, by its first byte that says something.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    Json,
    Events,
    Html,
}

/// Sends the prompt and waits for the whole answer. Nothing of it is handed on before, so that every
/// failure that may pass is tried again.
pub(crate) async fn call<D: Dialect>(
    dialect: &D,
    prompt: &Prompt,
) -> Result<ChatResponse, ModelError> {
    let prepared = dialect.prepare_paired(prompt, false)?;
    let http = dialect.http();
    let mut tries = http.tries();
    loop {
        match ask(dialect, &prepared, &tries).await {
            Ok(answer) => return Ok(answer),
            Err(failure) => http.wait_to_try_again(failure, &mut tries).await?,
        }
    }
}

async fn ask<D: Dialect>(
    dialect: &D,
    prepared: &D::Prepared,
    tries: &Tries,
) -> Result<ChatResponse, Failure> {
    let (url, body) = (dialect.url(prepared), D::body(prepared));
    let mut reply = dialect.http().post(url, body, tries).await?;
    let headers = std::mem::take(&mut reply.headers);
    let body = reply.bytes(&headers).await?;
    let origin = dialect.origin(request_id(&headers));
    Ok(read_body(dialect, &body, prepared, &origin)?)
}

/// Reads a whole body, even where it is a stream that nobody asked for.
fn read_body<D: Dialect>(
    dialect: &D,
    body: &[u8],
    prepared: &D::Prepared,
    origin: &Origin<'_>,
) -> Result<ChatResponse, ModelError> {
    match kind_of(body) {
        Some(Body::Events) if looks_like_events(body) => {
            let mut decoder = Decoder::new(D::FRAMING, dialect.http().limits.event);
            let (mut collector, mut events) = (D::Collector::default(), Events::new());
            let mut take = |decoder: &mut Decoder| {
                take_events(
                    dialect,
                    decoder,
                    &mut collector,
                    prepared,
                    origin,
                    &mut events,
                )
            };
            decoder.push(body);
            take(&mut decoder)?;
            decoder.end();
            take(&mut decoder)?;
            let response = dialect.finish(collector, prepared, origin, &mut events)?;
            bounded(response, origin)
        }
        Some(kind) => read_whole(dialect, kind, body, prepared, origin),
        None => Err(response_error(
            format!("the answer of {} is empty", origin.server),
            origin,
        )),
    }
}

/// `None` where nothing but white space and a byte order mark have come.
pub(super) fn kind_of(bytes: &[u8]) -> Option<Body> {
    if BYTE_ORDER_MARK.starts_with(bytes) {
        return None;
    }
    match without_mark(bytes).trim_ascii_start().first()? {
        b'{' | b'[' => Some(Body::Json),
        b'<' => Some(Body::Html),
        _ => Some(Body::Events),
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
}

fn looks_like_events(body: &[u8]) -> bool {
    let body = without_mark(body).trim_ascii_start();
    [&b"data:"[..], b"event:", b"id:", b"retry:", b":"]
        .iter()
        .any(|field| body.starts_with(field))
}

pub(super) fn read_whole<D: Dialect>(
    dialect: &D,
    kind: Body,
    body: &[u8],
    prepared: &D::Prepared,
    origin: &Origin<'_>,
) -> Result<ChatResponse, ModelError> {
    let body = without_mark(body);
    let text = std::str::from_utf8(body).map_err(|error| {
        let at = error.valid_up_to();
        let text = format!(
            "the answer of {} is not valid UTF-8 at byte {at}",
            origin.server
        );
        ModelError::new(ModelErrorKind::Response, text)
    })?;
    if kind == Body::Html {
        let text = format!(
            "{} answered with an HTML page; the base URL is probably wrong: it {} ({})",
            origin.server,
            origin.base_url,
            excerpt(text, origin.redactor)
        );
        return Err(response_error(text, origin));
    }
    bounded(dialect.read(text, prepared, origin)?, origin)
}
