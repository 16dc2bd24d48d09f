//! Why an answer ended.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use vernal_core::message::FinishReason;
use vernal_core::model::ToolCallAccumulator;

use super::PROVIDER;
use crate::json::lenient::text;

/// Why an answer ended, and what goes with it.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct StopFields<'a> {
    #[serde(borrow, deserialize_with = "text")]
    pub(super) stop_reason: Option<Cow<'a, str>>,
    #[serde(borrow)]
    stop_sequence: Option<&'a RawValue>,
    #[serde(borrow)]
    stop_details: Option<&'a RawValue>,
    #[serde(borrow)]
    container: Option<&'a RawValue>,
}

/// What is kept of [`StopFields`].
#[derive(Default)]
pub(super) struct Stop {
    pub(super) reason: Option<FinishReason>,
    /// The facts that a generation tells by name.
    pub(super) facts: Map<String, Value>,
}

impl Stop {
    /// Takes what is said; what was said before stays where nothing is said now.
    pub(super) fn take(&mut self, fields: &StopFields<'_>) {
        let reason = fields.stop_reason.as_deref().and_then(reason);
        self.reason = reason.or(self.reason.take());
        for (name, raw) in [
            ("stop_sequence", fields.stop_sequence),
            ("stop_details", fields.stop_details),
            ("container", fields.container),
        ] {
            let value = raw.and_then(|raw| serde_json::from_str::<Value>(raw.get()).ok());
            if let Some(value) = value.filter(|value| !value.is_null()) {
                self.facts.insert(name.to_owned(), value);
            }
        }
    }
}

/// The reason by its name on the wire; an empty name says nothing.
fn reason(name: &str) -> Option<FinishReason> {
    Some(match name {
        "" => return None,
        "end_turn" | "stop_sequence" => FinishReason::Stop,
        "tool_use" => FinishReason::ToolCalls,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "pause_turn" => FinishReason::Pause,
        "refusal" => FinishReason::Refusal,
        other => FinishReason::Other(other.into()),
    })
}

/// Collects the calls of the answer to a request of so many messages.
pub(super) fn calls_of(turn: usize) -> ToolCallAccumulator {
    ToolCallAccumulator::new(PROVIDER).with_turn(turn)
}
