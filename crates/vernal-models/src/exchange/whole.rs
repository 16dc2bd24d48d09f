//! Bodies that are read whole.

use vernal_core::model::{ChatResponse, ModelError, Prompt};

use super::bounds::bounded;
use super::framing::Decoder;
use super::stream::unreadable;
use super::{Dialect, Events, Origin, Progress, cut_short, excerpt, response_error};
use crate::http::{Failure, Tries};

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
    let mut tries = http.tries(prompt);
    loop {
        match ask(dialect, &prepared, &tries).await {
            Ok(mut answer) => {
                http.answered();
                answer.metadata.retries = tries.retries();
                return Ok(answer);
            }
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
    let body = reply.bytes().await?;
    let origin = dialect.origin_of_body(&reply);
    read_body(dialect, &body, prepared, &origin).map_err(|error| reply.failure(error))
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
            // An event in the middle of it was not cut.
            let origin = &Origin {
                is_open_ended: false,
                ..*origin
            };
            decoder.push(body);
            while D::progress(&collector) != Progress::Done {
                let event = match decoder.next_event() {
                    Ok(Some(event)) => event,
                    Ok(None) => break,
                    Err(error) => return Err(unreadable(error, origin)),
                };
                dialect.take(&mut collector, event, prepared, origin, &mut events)?;
            }
            if D::progress(&collector) != Progress::Done
                && let Some(event) = decoder.last_event()
            {
                dialect.take(&mut collector, event, prepared, origin, &mut events)?;
            }
            let response = dialect.finish(collector, prepared, origin, &mut events)?;
            bounded(response, origin)
        }
        Some(kind) => read_whole(dialect, kind, body, prepared, origin),
        None if origin.is_open_ended => Err(cut_short(origin)),
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

/// Whether a body that begins like this is one of events, as far as can be told.
pub(super) fn looks_like_events(body: &[u8]) -> bool {
    let body = without_mark(body).trim_ascii_start();
    [&b"data:"[..], b"event:", b"id:", b"retry:", b":"]
        .iter()
        .any(|field| body.starts_with(field) || field.starts_with(body))
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
        if origin.is_open_ended && error.error_len().is_none() {
            return cut_short(origin);
        }
        let at = error.valid_up_to();
        let text = format!(
            "the answer of {} is not valid UTF-8 at byte {at}",
            origin.server
        );
        response_error(text, origin)
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
