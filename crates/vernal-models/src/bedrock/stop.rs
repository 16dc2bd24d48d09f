//! Why an answer ended, and what goes with it.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use vernal_core::message::FinishReason;

use super::usage::UsageFields;
use crate::json::lenient::{object, text};

/// What an answer says beside its content: a whole one at once, a streamed one in its last two events.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct StopFields<'a> {
    #[serde(borrow, deserialize_with = "text")]
    stop_reason: Option<Cow<'a, str>>,
    #[serde(deserialize_with = "object")]
    usage: Option<UsageFields>,
    #[serde(borrow)]
    additional_model_response_fields: Option<&'a RawValue>,
    #[serde(borrow)]
    trace: Option<&'a RawValue>,
    #[serde(borrow)]
    performance_config: Option<&'a RawValue>,
    #[serde(borrow)]
    service_tier: Option<&'a RawValue>,
}

/// What is kept of [`StopFields`].
#[derive(Default)]
pub(super) struct Stop {
    pub(super) reason: Option<FinishReason>,
    pub(super) usage: Option<UsageFields>,
    /// The facts that a generation tells by name.
    pub(super) facts: Map<String, Value>,
}

impl Stop {
    /// Takes what is said; what was said before stays where nothing is said now.
    pub(super) fn take(&mut self, fields: &StopFields<'_>) {
        let reason = fields.stop_reason.as_deref().and_then(reason);
        self.reason = reason.or(self.reason.take());
        self.usage = fields.usage.or(self.usage);
        for (name, raw) in [
            (
                "additionalModelResponseFields",
                fields.additional_model_response_fields,
            ),
            ("trace", fields.trace),
            ("performanceConfig", fields.performance_config),
            ("serviceTier", fields.service_tier),
        ] {
            let value = raw.and_then(|raw| serde_json::from_str::<Value>(raw.get()).ok());
            if let Some(value) = value.filter(|value| !value.is_null()) {
                self.facts.insert(name.to_owned(), value);
            }
        }
    }

    /// The model that a router chose, where one did.
    pub(super) fn routed_to(&self) -> Option<&str> {
        let router = self.facts.get("trace")?.get("promptRouter")?;
        router.get("invokedModelId")?.as_str()
    }
}

/// The reason by its name on the wire; an empty name says nothing.
fn reason(name: &str) -> Option<FinishReason> {
    Some(match name {
        "" => return None,
        "end_turn" | "stop_sequence" => FinishReason::Stop,
        "tool_use" => FinishReason::ToolCalls,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "guardrail_intervened" | "content_filtered" => FinishReason::ContentFilter,
        "malformed_tool_use" | "malformed_model_output" => FinishReason::Malformed,
        "refusal" => FinishReason::Refusal,
        "pause_turn" => FinishReason::Pause,
        other => FinishReason::Other(other.into()),
    })
}
