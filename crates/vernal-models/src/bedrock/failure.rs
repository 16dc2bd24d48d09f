//! What Bedrock says when it fails: an exception with a name, in a header, a body or a frame.

use std::borrow::Cow;
use std::time::SystemTime;

use ::http::{HeaderMap, header};
use serde::Deserialize;
use vernal_core::model::{ModelError, ModelErrorKind};

use super::BASE_URL;
use crate::exchange::{ErrorPlace, Origin, classify, error_said, one_line};
use crate::http::{ErrorReply, SseEvent, parse_http_date};
use crate::json::lenient::text;

/// The longest text of the server that an error repeats, in bytes.
const LONGEST: usize = 500;

/// The body of a failure.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Said<'a> {
    #[serde(borrow, deserialize_with = "text")]
    message: Option<Cow<'a, str>>,
    #[serde(rename = "Message", borrow, deserialize_with = "text")]
    big_message: Option<Cow<'a, str>>,
    #[serde(rename = "originalMessage", borrow, deserialize_with = "text")]
    original_message: Option<Cow<'a, str>>,
    #[serde(rename = "__type", borrow, deserialize_with = "text")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    code: Option<Cow<'a, str>>,
}

impl<'a> Said<'a> {
    fn read(body: &'a str) -> Self {
        serde_json::from_str(body).unwrap_or_default()
    }

    /// What the server says, without the text that it wanted to see signed.
    fn line(&self, body: &str) -> String {
        let message = self.message.as_deref().or(self.big_message.as_deref());
        let mut said = message.unwrap_or(body);
        if let Some((before, _)) = said.split_once("The Canonical String") {
            said = before;
        }
        let mut line = one_line(said, LONGEST);
        if let Some(original) = self
            .original_message
            .as_deref()
            .filter(|text| !text.is_empty())
        {
            line.push_str(&format!(" ({})", one_line(original, LONGEST)));
        }
        if line.is_empty() {
            line.push_str("it said nothing more");
        }
        line
    }
}

/// What an error response means.
pub(super) fn failure(reply: &ErrorReply<'_>) -> ModelError {
    let said = Said::read(reply.body);
    let header = reply
        .headers
        .get("x-amzn-errortype")
        .and_then(|name| name.to_str().ok());
    let name = [header, said.kind.as_deref(), said.code.as_deref()]
        .into_iter()
        .flatten()
        .map(bare_name)
        .find(|name| !name.is_empty());
    let unnamed = classify(reply, BASE_URL);
    let line = said.line(reply.body);
    let kind = match name.as_deref().and_then(kind_of) {
        // A status may say more than such a name.
        None | Some(ModelErrorKind::InvalidRequest) => match unnamed.kind() {
            ModelErrorKind::InvalidRequest if is_too_long(&line) => ModelErrorKind::ContextLength,
            kind => kind,
        },
        Some(kind) => kind,
    };
    let Some(name) = name else {
        return if kind == unnamed.kind() {
            unnamed
        } else {
            let mut shown = unnamed.to_string();
            push_hint(&mut shown, kind, "", reply.headers);
            ModelError::new(kind, shown)
        };
    };
    let mut shown = format!(
        "{} answered {} ({name}): {line}",
        reply.origin,
        reply.status.as_u16()
    );
    push_hint(&mut shown, kind, &name, reply.headers);
    ModelError::new(kind, shown).with_code(name)
}

/// What a frame means that tells of a failure in the middle of an answer.
pub(super) fn stream_failure(event: SseEvent<'_>, origin: &Origin<'_>) -> ModelError {
    let name = bare_name(event.name);
    if name.is_empty() {
        return error_said(event.data, ErrorPlace::InStream, origin);
    }
    let body = origin.redactor.redact(event.data);
    let line = Said::read(&body).line(&body);
    let kind = match kind_of(&name) {
        Some(ModelErrorKind::InvalidRequest) if is_too_long(&line) => ModelErrorKind::ContextLength,
        kind => kind.unwrap_or(ModelErrorKind::Server),
    };
    let mut shown = format!(
        "{} failed in the middle of its answer ({name}): {line}",
        origin.server
    );
    push_hint(&mut shown, kind, &name, &HeaderMap::new());
    let error = ModelError::new(kind, shown).with_code(name);
    match origin.request_id {
        Some(id) => error.with_request_id(id),
        None => error,
    }
}

/// The name of an exception without what stands before and behind it, in one spelling: a frame begins
/// it with a small letter.
fn bare_name(name: &str) -> String {
    let name = name.split(':').next().unwrap_or_default();
    let name = name.rsplit('#').next().unwrap_or_default().trim();
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
    if name.len() > 100 || !name.bytes().all(fits) {
        return String::new();
    }
    let mut name = name.to_owned();
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    name
}

fn kind_of(name: &str) -> Option<ModelErrorKind> {
    Some(match name.strip_suffix("Exception").unwrap_or(name) {
        "Throttling"
        | "ThrottledRequest"
        | "TooManyRequests"
        | "RequestThrottled"
        | "RequestLimitExceeded"
        | "SlowDown" => ModelErrorKind::RateLimit,
        "ServiceQuotaExceeded" => ModelErrorKind::Quota,
        "AccessDenied"
        | "ExpiredToken"
        | "IncompleteSignature"
        | "InvalidClientTokenId"
        | "InvalidSignature"
        | "MissingAuthenticationToken"
        | "NotAuthorized"
        | "OptInRequired"
        | "RequestExpired"
        | "RequestInTheFuture"
        | "RequestTimeTooSkewed"
        | "SignatureDoesNotMatch"
        | "UnrecognizedClient" => ModelErrorKind::Authentication,
        "ModelTimeout" | "RequestTimeout" => ModelErrorKind::Timeout,
        "Validation" | "ResourceNotFound" | "Serialization" => ModelErrorKind::InvalidRequest,
        "InternalServer" | "InternalFailure" | "ModelError" | "ModelNotReady"
        | "ModelStreamError" | "ServiceUnavailable" => ModelErrorKind::Server,
        _ => return None,
    })
}

/// The server has no name for it.
fn is_too_long(line: &str) -> bool {
    const SIGNS: [&str; 6] = [
        "input is too long",
        "prompt is too long",
        "too many input tokens",
        "maximum context length",
        "exceeds the context window",
        "exceed context limit",
    ];
    let line = line.to_lowercase();
    SIGNS.iter().any(|sign| line.contains(sign))
}

/// Adds what can be done about it.
fn push_hint(text: &mut String, kind: ModelErrorKind, name: &str, headers: &HeaderMap) {
    let bare = name.strip_suffix("Exception").unwrap_or(name);
    let of_clock = matches!(
        bare,
        "RequestExpired" | "RequestInTheFuture" | "RequestTimeTooSkewed"
    ) || ["Signature expired", "Signature not yet current"]
        .iter()
        .any(|sign| text.contains(sign));
    let hint = match (kind, bare) {
        _ if of_clock => return push_clock(text, headers),
        (_, "ExpiredToken") => "the session token has expired: get new credentials",
        (ModelErrorKind::Authentication, _) => {
            "check the credentials, the region, and that they may use this model"
        }
        (ModelErrorKind::Quota, _) => "ask AWS for a higher quota",
        (ModelErrorKind::ContextLength, _) => "send fewer messages, shorter results or fewer tools",
        (_, "ResourceNotFound") => "check the model's id and whether the region has it",
        _ => return,
    };
    text.push_str("; ");
    text.push_str(hint);
}

/// A signature holds for some minutes around the time that it names.
fn push_clock(text: &mut String, headers: &HeaderMap) {
    let date = headers
        .get(header::DATE)
        .and_then(|date| date.to_str().ok());
    let now = SystemTime::now();
    let off = date
        .and_then(parse_http_date)
        .map(|server| match now.duration_since(server) {
            Ok(ahead) => format!("{} s ahead of", ahead.as_secs()),
            Err(behind) => format!("{} s behind", behind.duration().as_secs()),
        });
    match off {
        Some(off) => text.push_str(&format!(
            "; the clock of this machine is {off} the server's: set it"
        )),
        None => text.push_str("; set the clock of this machine: it disagrees with the server's"),
    }
}
