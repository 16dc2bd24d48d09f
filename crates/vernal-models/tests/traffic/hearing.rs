//! A recorded answer as an adapter reads it.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::Value;
use vernal_core::model::{ChatModel, ChatResponse, ModelError};

use crate::support::canned::Canned;
use crate::support::view::{Told, View, collect, view};

/// What a model makes of a recorded answer, and what it told on the way where that was a stream.
pub(crate) struct Heard {
    pub(crate) answer: Result<ChatResponse, ModelError>,
    pub(crate) told: Option<Told>,
}

/// A stream is read however it is cut, gives the same each time, and ends with what a call gives.
pub(crate) async fn hear(
    model: fn(&Canned) -> Arc<dyn ChatModel>,
    response: &Value,
    streamed: bool,
) -> Heard {
    let status = response["status"].as_u64().unwrap() as u16;
    let body = response["body"]
        .as_str()
        .map_or_else(|| response["body"].to_string(), str::to_owned);
    let canned = Canned::new(body).with_status(status);
    let answer = model(&canned).call("hi".into()).await;
    if !streamed {
        return Heard { answer, told: None };
    }
    let mut seen: Vec<(Told, Result<View, String>)> = Vec::new();
    for piece in [1, 7, usize::MAX] {
        let stream = model(&canned.clone().in_pieces(piece)).stream("hi".into());
        let (told, end) = collect(stream).await;
        seen.push((told, end.as_ref().map(view).map_err(ToString::to_string)));
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]));
    let (told, end) = seen.pop().unwrap();
    assert_eq!(end.ok(), answer.as_ref().ok().map(view));
    Heard {
        answer,
        told: Some(told),
    }
}

/// What was told on the way is what the answer says.
pub(crate) fn told_whole<'a>(
    _: &'a Value,
    _: &'a Value,
    told: &'a Told,
    answer: &'a ChatResponse,
) -> BoxFuture<'a, Result<(), String>> {
    let view = view(answer);
    let whole = (&told.text, &told.reasoning) == (&view.text, &view.reasoning)
        && told.arguments.len() == view.calls.len();
    let found = whole
        .then_some(())
        .ok_or_else(|| format!("{told:?} was told of {view:?}"));
    async move { found }.boxed()
}

/// Whether an error says the beginning of a message, however long that goes on.
pub(crate) fn compare_error(reading: &Value, error: Option<&ModelError>) -> Result<(), String> {
    let error = error.ok_or("no error was seen")?;
    let status = reading["status"].as_u64().map(|status| status as u16);
    if status >= Some(400) && error.status() != status {
        return Err(format!("status {status:?} is {:?}", error.status()));
    }
    let message = reading["error"].as_str().unwrap();
    let beginning: Vec<_> = message.split_whitespace().take(8).collect();
    let beginning = beginning.join(" ");
    if error.to_string().contains(&beginning) {
        Ok(())
    } else {
        Err(format!("`{error}` does not say `{beginning}`"))
    }
}

pub(crate) fn same(what: &str, expected: &Value, found: &str) -> Result<(), String> {
    if expected.as_str().unwrap_or_default() == found {
        Ok(())
    } else {
        Err(format!("{what}: {expected} is {found:?}"))
    }
}

/// An empty id or model says nothing.
pub(crate) fn same_if_said(
    what: &str,
    expected: &Value,
    found: Option<&str>,
) -> Result<(), String> {
    let expected = expected.as_str().filter(|text| !text.is_empty());
    if expected == found {
        Ok(())
    } else {
        Err(format!("{what}: {expected:?} is {found:?}"))
    }
}
