//! Who keeps the conversation, and what of a prompt the server knows already.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use vernal_core::message::{History, Message, Part, PartContent, ProviderData, Role};
use vernal_core::model::ChatOptions;

use crate::json::JsonObject;
use crate::json::lenient::text;

/// Who keeps the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ResponsesState {
    /// The application alone. The server is told to keep nothing (`store: false`) and to give its
    /// reasoning encrypted, so that it can be sent back; each request has the whole conversation.
    #[default]
    Stateless,
    /// The application; the server may keep its answers, and reads its own reasoning by its id. Each
    /// request has the whole conversation.
    Stored,
    /// The server. A request names the answer that it continues (`previous_response_id`) and has only
    /// the messages after it, and the instructions; where no message of the prompt is an answer of the
    /// server, it has them all.
    PreviousResponse,
}

/// What an answer that the server keeps is marked with, in an opaque part.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Mark<'a> {
    #[serde(borrow, deserialize_with = "text")]
    response_id: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    conversation: Option<Cow<'a, str>>,
}

/// What of a prompt the server knows.
#[derive(Default)]
pub(super) struct Known<'a> {
    /// The number of messages from the oldest one on.
    pub(super) messages: usize,
    /// The answer that the request continues.
    pub(super) previous_response_id: Option<Cow<'a, str>>,
}

impl ResponsesState {
    /// What the server knows of these messages.
    pub(super) fn known<'a>(
        self,
        messages: &'a History,
        options: &ChatOptions,
        provider: &str,
    ) -> Known<'a> {
        let conversation = conversation_of(options);
        let pinned = options.extra().contains_key("previous_response_id");
        if conversation.is_none() && (self != Self::PreviousResponse || pinned) {
            return Known::default();
        }
        let marked = |message: &'a Message| {
            let mark = mark_of(message, provider)?;
            match conversation {
                Some(id) => (mark.conversation.as_deref() == Some(id)).then_some(mark),
                None => mark.response_id.is_some().then_some(mark),
            }
        };
        let newest_first = messages.iter().enumerate().rev();
        let mut found = newest_first.filter_map(|(at, message)| Some((at, marked(message)?)));
        let Some((at, mark)) = found.next() else {
            return Known::default();
        };
        Known {
            messages: at + 1,
            previous_response_id: mark.response_id.filter(|_| conversation.is_none()),
        }
    }

    /// How answers to a request with these options are marked; `None` where the server is not asked
    /// about them again.
    pub(super) fn marking(self, options: &ChatOptions) -> Option<Marking> {
        let conversation = conversation_of(options).map(Box::from);
        let wanted = self == Self::PreviousResponse || conversation.is_some();
        wanted.then_some(Marking { conversation })
    }
}

/// How the answers to a request are marked.
pub(super) struct Marking {
    conversation: Option<Box<str>>,
}

impl Marking {
    /// The part that marks the answer of this id.
    pub(super) fn part(&self, response_id: &str, provider: &'static str) -> Option<Part> {
        let mut out = String::new();
        let mut object = JsonObject::begin(&mut out);
        object.string("response_id", response_id);
        if let Some(id) = &self.conversation {
            object.string("conversation", id);
        }
        object.end();
        let data = RawValue::from_string(out).ok()?;
        let part = Part::from(PartContent::Opaque);
        Some(part.with_provider_data(ProviderData::new(provider, data)))
    }
}

/// The conversation of the server that a request belongs to: an id, or an object that has one.
fn conversation_of(options: &ChatOptions) -> Option<&str> {
    match options.extra().get("conversation")? {
        Value::String(id) => Some(id),
        other => other.get("id")?.as_str(),
    }
}

fn mark_of<'a>(message: &'a Message, provider: &str) -> Option<Mark<'a>> {
    if message.role() != Role::Assistant {
        return None;
    }
    let opaque = |part: &&Part| matches!(part.content, PartContent::Opaque);
    message
        .parts()
        .iter()
        .rev()
        .filter(opaque)
        .find_map(|part| {
            let data = part.provider_data(provider)?.get();
            let mark: Mark<'_> = serde_json::from_str(data).ok()?;
            (mark.response_id.is_some()).then_some(mark)
        })
}
