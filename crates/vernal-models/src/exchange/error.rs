//! What servers say when they fail, in all the shapes they say it in.

use std::time::Duration;

use serde_json::Value;
use vernal_core::model::{ModelError, ModelErrorKind};

use super::Origin;
use crate::http::ErrorReply;

/// The longest text of a server that an error repeats, in bytes.
const LONGEST: usize = 500;

/// The status of a proxy that lets nobody through who does not say who it is.
const PROXY_WANTS_A_KEY: u16 = 407;

/// Where an error stood.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorPlace {
    /// In an answer whose status was good.
    InAnswer,
    /// In a stream.
    InStream,
}

/// What an error response means. `base_url` says how the base URL of the dialect should look.
pub(crate) fn classify(reply: &ErrorReply<'_>, base_url: &str) -> ModelError {
    let status = reply.status.as_u16();
    let said = Said::read(reply.body);
    let kind = said.kind(Some(status));
    let code = said
        .label()
        .map(|code| format!(" ({code})"))
        .unwrap_or_default();
    let mut text = format!("{} answered {status}{code}: {}", reply.origin, said.line());
    push_hint(&mut text, kind, status, base_url);
    said.name(ModelError::new(kind, text))
}

/// An error that stood in an answer or in a stream whose status was good.
pub(crate) fn error_said(raw: &str, place: ErrorPlace, origin: &Origin<'_>) -> ModelError {
    let said = Said::read(&origin.redactor.redact(raw));
    let kind = said.kind(None);
    let place = match place {
        ErrorPlace::InAnswer => "failed, with a good status",
        ErrorPlace::InStream => "failed in the middle of its answer",
    };
    let code = said
        .label()
        .map(|code| format!(" ({code})"))
        .unwrap_or_default();
    let mut text = format!("{} {place}{code}: {}", origin.server, said.line());
    push_hint(&mut text, kind, said.status.unwrap_or(0), origin.base_url);
    let mut error = said.name(ModelError::new(kind, text));
    if let Some(status) = said.status {
        error = error.with_status(status);
    }
    match origin.request_id {
        Some(id) => error.with_request_id(id),
        None => error,
    }
}

/// Adds what can be done about it.
fn push_hint(text: &mut String, kind: ModelErrorKind, status: u16, base_url: &str) {
    let hint = match (kind, status) {
        (_, PROXY_WANTS_A_KEY) => {
            "the proxy on the way wants a user name and a password: put them in its URL"
        }
        (ModelErrorKind::Authentication, _) => "check the API key and what it is allowed to do",
        (ModelErrorKind::Quota, _) => "check the account's plan and its billing",
        (ModelErrorKind::ContextLength, _) => "send fewer messages, shorter results or fewer tools",
        (_, 404 | 405) => {
            let hint = format!("; check the model's name, and the base URL, which {base_url}");
            return text.push_str(&hint);
        }
        _ => return,
    };
    text.push_str("; ");
    text.push_str(hint);
}

/// What a server said.
#[derive(Default)]
struct Said {
    message: String,
    code: Option<String>,
    kind: Option<String>,
    inner_code: Option<String>,
    status: Option<u16>,
    /// How long the server asks to wait.
    wait: Option<Duration>,
}

impl Said {
    fn read(body: &str) -> Self {
        match serde_json::from_str::<Value>(body) {
            Ok(Value::Array(list)) => list.first().map(Self::of).unwrap_or_default(),
            Ok(value) => Self::of(&value),
            Err(_) if body.trim_start().starts_with('<') => Self {
                message: "an HTML page".to_owned(),
                ..Self::default()
            },
            Err(_) => Self {
                message: body.to_owned(),
                ..Self::default()
            },
        }
    }

    /// The error in a value: under `error`, or the value itself; a bare text too.
    fn of(value: &Value) -> Self {
        let error = value
            .get("error")
            .filter(|error| !error.is_null())
            .unwrap_or(value);
        if let Value::String(text) = error {
            return Self {
                message: text.clone(),
                ..Self::default()
            };
        }
        let inner = error.get("innererror");
        let code = text_of(error.get("code"));
        let status = text_of(error.get("status_code")).or_else(|| code.clone());
        let message = ["message", "detail", "msg", "error"]
            .iter()
            .find_map(|name| {
                let said = error.get(name).or_else(|| value.get(name))?;
                text_of(Some(said)).or_else(|| Some(said.to_string()))
            });
        Self {
            message: message.unwrap_or_else(|| error.to_string()),
            kind: text_of(error.get("type")).or_else(|| text_of(error.get("status"))),
            inner_code: inner
                .and_then(|inner| text_of(inner.get("code")))
                .or_else(|| reason_of(error.get("details")?)),
            status: status
                .and_then(|code| code.parse().ok())
                .filter(|s| (400..600).contains(s)),
            wait: error.get("details").and_then(wait_of),
            code,
        }
    }

    /// The code as it is shown and kept: that of the error, else its type.
    fn label(&self) -> Option<&str> {
        let code = self
            .code
            .as_deref()
            .filter(|code| code.parse::<f64>().is_err());
        code.or(self.kind.as_deref())
            .or(self.code.as_deref())
            .filter(|code| !code.is_empty())
    }

    /// The error with what the server says for programs.
    fn name(&self, error: ModelError) -> ModelError {
        let error = match self.wait {
            Some(wait) => error.with_retry_after(wait),
            None => error,
        };
        match self.label() {
            Some(code) => error.with_code(one_line(code, 100)),
            None => error,
        }
    }

    fn line(&self) -> String {
        let line = one_line(&self.message, LONGEST);
        if line.is_empty() {
            "it said nothing more".to_owned()
        } else {
            line
        }
    }

    fn kind(&self, status: Option<u16>) -> ModelErrorKind {
        let codes = [&self.code, &self.kind, &self.inner_code];
        let codes = codes
            .into_iter()
            .flatten()
            .map(|code| code.to_ascii_lowercase());
        codes
            .filter_map(|code| kind_of_code(&code))
            .next()
            .or_else(|| self.is_too_long().then_some(ModelErrorKind::ContextLength))
            .unwrap_or_else(|| match status.or(self.status) {
                Some(status) => kind_of_status(status),
                None => {
                    let names = [&self.kind, &self.code].into_iter().flatten();
                    // A failure that says no more about itself is the server's.
                    let known = names.filter_map(|name| kind_of_name(name)).next();
                    known.unwrap_or(ModelErrorKind::Server)
                }
            })
    }

    /// Few servers have a code for it.
    fn is_too_long(&self) -> bool {
        const SIGNS: [&str; 10] = [
            "exceeds the context length",
            "exceeds the maximum number of tokens",
            "maximum context length",
            "context length exceeded",
            "exceeds the available context size",
            "exceeds the context window",
            "exceed the context window",
            "prompt is too long",
            "exceed context limit",
            "reduce the length of the messages",
        ];
        let message = self.message.to_lowercase();
        SIGNS.iter().any(|sign| message.contains(sign))
    }
}

/// The reason that the details of a failure name, as Google puts them.
fn reason_of(details: &Value) -> Option<String> {
    let reason = |detail: &Value| text_of(detail.get("reason"));
    details.as_array()?.iter().find_map(reason)
}

/// The time to wait that the details of a failure name, as Google puts it: `"17s"`.
fn wait_of(details: &Value) -> Option<Duration> {
    let mut details = details.as_array()?.iter();
    let delay = details.find_map(|detail| detail.get("retryDelay")?.as_str())?;
    Duration::try_from_secs_f64(delay.strip_suffix('s')?.parse().ok()?).ok()
}

fn text_of(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn kind_of_code(code: &str) -> Option<ModelErrorKind> {
    Some(match code {
        "insufficient_quota"
        | "billing_not_active"
        | "billing_hard_limit_reached"
        | "insufficient_balance"
        | "credit_balance_too_low"
        | "billing_error" => ModelErrorKind::Quota,
        "context_length_exceeded"
        | "exceed_context_size_error"
        | "context_window_exceeded"
        | "model_context_window_exceeded" => ModelErrorKind::ContextLength,
        "content_filter"
        | "responsibleaipolicyviolation"
        | "content_policy_violation"
        | "image_content_policy_violation"
        | "data_inspection_failed" => ModelErrorKind::ContentFilter,
        "invalid_api_key"
        | "api_key_invalid"
        | "authentication_error"
        | "permission_error"
        | "unauthenticated" => ModelErrorKind::Authentication,
        "rate_limit_exceeded" | "rate_limit_error" | "resource_exhausted" => {
            ModelErrorKind::RateLimit
        }
        _ => return None,
    })
}

fn kind_of_status(status: u16) -> ModelErrorKind {
    match status {
        401 | 403 => ModelErrorKind::Authentication,
        402 => ModelErrorKind::Quota,
        PROXY_WANTS_A_KEY => ModelErrorKind::Configuration,
        408 => ModelErrorKind::Timeout,
        429 => ModelErrorKind::RateLimit,
        400..500 => ModelErrorKind::InvalidRequest,
        _ => ModelErrorKind::Server,
    }
}

/// The kind by a name, of the error's type or its code, where there is no status.
fn kind_of_name(name: &str) -> Option<ModelErrorKind> {
    let begins = |word: &&str| name.starts_with(*word);
    let ends = |word: &&str| name.ends_with(*word);
    match name {
        "not_found_error" | "request_too_large" => Some(ModelErrorKind::InvalidRequest),
        "timeout_error" => Some(ModelErrorKind::Timeout),
        // As OpenAI names what is wrong with an image or a prompt.
        _ if ["invalid_", "unsupported_"].iter().any(begins)
            || ["_too_large", "_too_small", "_not_found"].iter().any(ends) =>
        {
            Some(ModelErrorKind::InvalidRequest)
        }
        _ => None,
    }
}

/// Text on one line, cut at a character's boundary.
pub(crate) fn one_line(text: &str, longest: usize) -> String {
    let mut line = String::with_capacity(text.len().min(longest + 4));
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > longest {
            line.truncate(line.floor_char_boundary(longest));
            line.push('…');
            break;
        }
    }
    line
}

#[cfg(test)]
mod tests;
