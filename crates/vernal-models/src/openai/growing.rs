//! One choice of a streamed answer while it grows.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::value::{RawValue, to_raw_value};
use vernal_core::message::FinishReason;
use vernal_core::model::{ArgumentsDelta, Generation, ModelEvent, ToolCallDelta};

use super::answer::{Answer, Asked, ContentSeams, arguments_of, content_of};
use super::custom;
use super::reasoning::{DetailMerger, in_fields, text_of_details};
use super::wire::{CallFields, Choice, MessageFields};
use crate::exchange::{Events, MOST_OF_AN_ANSWER};
use crate::json::Seam;

/// One choice with what only a stream needs.
pub(super) struct Growing {
    pub(super) index: i64,
    pub(super) answer: Answer<'static>,
    details: DetailMerger,
    /// The reasoning stands in a content that is a list.
    thinks_in_content: bool,
    /// How many calls were told to whoever watches.
    announced: usize,
    /// The calls of custom tools whose text is still growing.
    texts: Vec<CustomText>,
    /// Where the content, and what was thought, go on.
    seams: ContentSeams,
    refusal_seam: Seam,
}

/// The text for a custom tool: the call's position, here and as the server counts, and where it goes on.
struct CustomText {
    position: usize,
    index: Option<i64>,
    seam: Seam,
}

impl Growing {
    pub(super) fn new(index: i64, asked: &Asked<'_>) -> Self {
        let mut answer = Answer::new(asked);
        // A name may still grow; it is read when all has come.
        answer.names_are_wire_names = true;
        let details = DetailMerger::default();
        Self {
            index,
            answer,
            details,
            thinks_in_content: false,
            announced: 0,
            texts: Vec::new(),
            seams: ContentSeams::default(),
            refusal_seam: Seam::default(),
        }
    }

    fn is_empty(&self) -> bool {
        self.answer.text.is_empty() && self.answer.calls.is_empty()
    }

    pub(super) fn take(&mut self, choice: Choice<'_>, asked: &Asked<'_>, events: &mut Events) {
        // Some servers send one chunk that is a whole answer.
        let whole = choice.message.filter(|_| self.is_empty());
        if let Some(delta) = &choice.delta.or(whole) {
            self.take_texts(delta, events);
            for call in &delta.tool_calls {
                // An answer of more calls is refused.
                if self.answer.calls.len() <= MOST_OF_AN_ANSWER {
                    self.take_call(call, asked, events);
                }
            }
            self.take_rest(delta);
        }
        let filled = |text: Option<Cow<'_, str>>| {
            text.filter(|text| !text.is_empty())
                .map(|text| Cow::Owned(text.into_owned()))
        };
        let answer = &mut self.answer;
        answer.finish = filled(choice.finish_reason).or(answer.finish.take());
        answer.native_finish = filled(choice.native_finish_reason).or(answer.native_finish.take());
    }

    fn take_texts(&mut self, delta: &MessageFields<'_>, events: &mut Events) {
        let seams = &mut self.seams;
        let in_fields = in_fields(delta, &mut seams.thinking);
        let content = delta.content.map(|raw| content_of(raw, seams));
        let content = content.unwrap_or_default();
        let (field, mut reasoning) = match in_fields {
            Some((field, text)) => (Some(field), text),
            None => (None, content.thinking),
        };
        if let Some(details) = delta.reasoning_details {
            self.details.add(details);
            if reasoning.is_empty() && field.is_none() {
                let text = text_of_details(details, &mut seams.thinking);
                reasoning = Cow::Owned(text.unwrap_or_default());
            }
        }
        if !content.chunks.is_empty() && field.is_none() {
            self.thinks_in_content = true;
        }
        self.answer.reasoning_field = self.answer.reasoning_field.or(field);
        self.add_texts(reasoning, content.text, events);
    }

    fn add_texts(&mut self, reasoning: Cow<'_, str>, text: Cow<'_, str>, events: &mut Events) {
        if !reasoning.is_empty() {
            self.answer.reasoning.to_mut().push_str(&reasoning);
            events.push_back(ModelEvent::ReasoningDelta(reasoning.into()));
        }
        if !text.is_empty() {
            self.answer.text.to_mut().push_str(&text);
            events.push_back(ModelEvent::TextDelta(text.into()));
        }
    }

    fn take_call(&mut self, call: &CallFields<'_>, asked: &Asked<'_>, events: &mut Events) {
        let Some(function) = call.function() else {
            return;
        };
        let delta = ToolCallDelta {
            index: call.index,
            id: call.id.as_deref(),
            name: function.name.as_deref(),
            arguments: ArgumentsDelta::None,
            provider_data: call.extra_content,
        };
        if call.is_custom() {
            return self.take_text(delta, function.said(), asked, events);
        }
        let arguments = arguments_of(function);
        let arguments = arguments.as_delta();
        self.take_delta(ToolCallDelta { arguments, ..delta }, asked, events);
    }

    /// Takes a piece of the text that a custom tool is called with: it grows inside the arguments.
    fn take_text(
        &mut self,
        delta: ToolCallDelta<'_>,
        said: Option<&RawValue>,
        asked: &Asked<'_>,
        events: &mut Events,
    ) {
        let bare = ToolCallDelta {
            provider_data: custom::mark(),
            ..delta
        };
        let Some(effect) = self.answer.calls.add(bare) else {
            return;
        };
        let known = |text: &&mut CustomText| text.position == effect.index;
        let mut news = String::new();
        if !self.texts.iter_mut().any(|text| known(&text)) {
            self.texts.push(CustomText {
                position: effect.index,
                index: delta.index,
                seam: Seam::default(),
            });
            news.push_str(custom::BEFORE_TEXT);
        }
        if let (Some(text), Some(raw)) = (self.texts.iter_mut().rfind(known), said) {
            let more = text.seam.read(raw).unwrap_or(Cow::Borrowed(raw.get()));
            custom::push_inside_string(&mut news, &more);
        }
        let more = ToolCallDelta {
            name: None,
            arguments: ArgumentsDelta::Fragment(&news),
            provider_data: None,
            ..delta
        };
        self.take_delta(more, asked, events);
    }

    /// Ends the texts, those for custom tools unless they were cut.
    pub(super) fn end_texts(&mut self, asked: &Asked<'_>, events: &mut Events) {
        let (thought, text) = (self.seams.thinking.end(), self.seams.text.end());
        self.add_texts(thought.into(), text.into(), events);
        let refusal = self.refusal_seam.end();
        self.add_refusal(refusal);
        if self.answer.finish_reason() == Some(FinishReason::Length) {
            return;
        }
        for mut text in std::mem::take(&mut self.texts) {
            let id = self.answer.calls.id(text.position).cloned();
            let rest = [text.seam.end(), custom::AFTER_TEXT].concat();
            let end = ToolCallDelta {
                index: text.index,
                id: id.as_deref(),
                arguments: ArgumentsDelta::Fragment(&rest),
                ..ToolCallDelta::default()
            };
            self.take_delta(end, asked, events);
        }
    }

    fn take_delta(&mut self, delta: ToolCallDelta<'_>, asked: &Asked<'_>, events: &mut Events) {
        let Some(effect) = self.answer.calls.add(delta) else {
            return;
        };
        let arguments = self
            .answer
            .calls
            .arguments(effect.index)
            .unwrap_or_default();
        let news: Arc<str> = arguments
            .get(effect.arguments_from..)
            .unwrap_or_default()
            .into();
        // A name that comes in pieces is whole when the arguments begin.
        if !asked.profile.name_fragments || !news.is_empty() {
            self.announce(effect.index + 1, asked, events);
        }
        if !news.is_empty() {
            events.push_back(ModelEvent::ToolCallDelta {
                index: effect.index,
                arguments: news,
            });
        }
    }

    /// Tells of the calls before `end` that were not told yet.
    pub(super) fn announce(&mut self, end: usize, asked: &Asked<'_>, events: &mut Events) {
        let calls = &self.answer.calls;
        for index in self.announced..end.min(calls.len()) {
            let name = asked.tool_name(calls.name(index).unwrap_or_default());
            let id = calls.id(index).cloned();
            events.push_back(ModelEvent::ToolCallStarted { index, id, name });
            self.announced = index + 1;
        }
    }

    fn take_rest(&mut self, delta: &MessageFields<'_>) {
        let refusal = delta.refusal.and_then(|raw| self.refusal_seam.read(raw));
        self.add_refusal(&refusal.unwrap_or_default());
        let answer = &mut self.answer;
        if answer.extra_content.is_none() {
            answer.extra_content = delta.extra_content.map(|raw| Cow::Owned(raw.to_owned()));
        }
        if let Some(function) = &delta.function_call {
            let (name, arguments) = answer.old_call.get_or_insert_default();
            name.to_mut()
                .push_str(function.name.as_deref().unwrap_or_default());
            arguments
                .to_mut()
                .push_str(&arguments_of(function).into_text());
        }
    }

    fn add_refusal(&mut self, more: &str) {
        if !more.is_empty() {
            self.answer.refusal.to_mut().push_str(more);
        }
    }

    pub(super) fn into_generation(mut self, asked: &Asked<'_>) -> Generation {
        self.answer.details = self.details.finish().map(Cow::Owned);
        if self.thinks_in_content && self.answer.reasoning_field.is_none() {
            let text = serde_json::json!({"type": "text", "text": &*self.answer.reasoning});
            let chunk = serde_json::json!([{"type": "thinking", "thinking": [text]}]);
            self.answer.thinking = to_raw_value(&chunk).ok();
        }
        self.answer.into_generation(asked)
    }
}
