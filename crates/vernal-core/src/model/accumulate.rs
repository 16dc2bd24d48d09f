//! Putting streamed tool calls together, whatever the server does to them.
//!
//! The rules are numbered as in the notes on wire facts: servers repeat names and ids, leave out
//! indices, count every call as 0, send a new id with each fragment, or send everything twice.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::value::RawValue;

use crate::message::{FinishReason, Part, PartContent, ProviderData, ToolCall};

mod lookup;
mod open;
#[cfg(test)]
mod tests;

use lookup::{Calls, FEW};
use open::{Held, Open, keep_first};

/// One fragment of a tool call, as the wire had it.
#[derive(Debug, Clone, Copy, Default)]
pub struct ToolCallDelta<'a> {
    /// The position that the server claims.
    pub index: Option<i64>,
    /// The call's id.
    pub id: Option<&'a str>,
    /// The tool's name, or a fragment of it where the accumulator was told so.
    pub name: Option<&'a str>,
    /// A piece of the arguments.
    pub arguments: ArgumentsDelta<'a>,
    /// What the provider wants back with the call.
    pub provider_data: Option<&'a RawValue>,
}

/// A piece of a call's arguments.
#[derive(Debug, Clone, Copy, Default)]
pub enum ArgumentsDelta<'a> {
    /// No arguments in this fragment, or `null`.
    #[default]
    None,
    /// A piece of JSON text, to be appended.
    Fragment(&'a str),
    /// The whole arguments as a JSON value.
    Whole(&'a RawValue),
}

/// What a fragment did, to be told to whoever watches the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeltaEffect {
    /// The position of the call among those of the answer.
    pub index: usize,
    /// Whether the fragment opened the call.
    pub opened: bool,
    /// From which byte on the call's [arguments](ToolCallAccumulator::arguments) are new; their
    /// length where the fragment brought none.
    pub arguments_from: usize,
}

/// Collects the tool calls of one answer from their fragments.
///
/// ```
/// use vernal_core::model::{ArgumentsDelta, ToolCallAccumulator, ToolCallDelta};
///
/// let mut calls = ToolCallAccumulator::new("demo");
/// calls.add(ToolCallDelta { id: Some("a"), name: Some("sum"), ..Default::default() });
/// calls.add(ToolCallDelta { arguments: ArgumentsDelta::Fragment("{\"x\":"), ..Default::default() });
/// calls.add(ToolCallDelta { arguments: ArgumentsDelta::Fragment("1}"), ..Default::default() });
/// let parts = calls.finish(None);
/// assert_eq!(parts.len(), 1);
/// ```
#[derive(Debug)]
pub struct ToolCallAccumulator {
    provider: &'static str,
    name_fragments: bool,
    turn: Option<usize>,
    calls: Calls,
    /// What came for a call whose name has not come yet (rule 3).
    held: Option<Held>,
}

impl ToolCallAccumulator {
    /// Collects calls of the named provider; the name goes onto its opaque data.
    pub fn new(provider: &'static str) -> Self {
        Self {
            provider,
            name_fragments: false,
            turn: None,
            calls: Calls::default(),
            held: None,
        }
    }

    /// For servers that send a name piece by piece (rule 5).
    #[must_use]
    pub fn with_name_fragments(mut self) -> Self {
        self.name_fragments = true;
        self
    }

    /// Puts a number into the ids that are made for calls without one, so that they differ from
    /// those of earlier answers of the conversation (rule 11).
    #[must_use]
    pub fn with_turn(mut self, turn: usize) -> Self {
        self.turn = Some(turn);
        self
    }

    /// Whether no call was opened.
    pub fn is_empty(&self) -> bool {
        self.calls.as_slice().is_empty()
    }

    /// The number of calls opened so far.
    pub fn len(&self) -> usize {
        self.calls.as_slice().len()
    }

    /// The name of the call at `index`, as far as it is known.
    pub fn name(&self, index: usize) -> Option<&str> {
        self.calls.get(index).map(|call| &*call.name)
    }

    /// The id of the call at `index`, where the provider gave one.
    pub fn id(&self, index: usize) -> Option<&Arc<str>> {
        self.calls.get(index)?.id.as_ref()
    }

    /// The arguments of the call at `index`, as far as they have come.
    pub fn arguments(&self, index: usize) -> Option<&str> {
        self.calls.get(index).map(|call| call.arguments.as_str())
    }

    /// Whether any call's arguments are empty or no JSON value as they stand: those of a call that
    /// was cut off (rule 12).
    pub fn has_incomplete_arguments(&self) -> bool {
        let mut calls = self.calls.as_slice().iter();
        calls.any(|call| serde_json::from_str::<&RawValue>(&call.arguments).is_err())
    }

    /// Takes a call that came in one piece outside a stream: it is merged with no other.
    pub fn add_whole(
        &mut self,
        id: Option<&str>,
        name: impl Into<Arc<str>>,
        arguments: impl Into<String>,
        provider_data: Option<&RawValue>,
    ) {
        self.calls.push(Open {
            index: None,
            id: id.filter(|id| !id.is_empty()).map(Arc::from),
            name: name.into(),
            arguments: arguments.into(),
            provider_data: provider_data.map(ToOwned::to_owned),
        });
    }

    /// Takes a fragment. `None` means that it belonged to no call yet.
    pub fn add(&mut self, delta: ToolCallDelta<'_>) -> Option<DeltaEffect> {
        let delta = ToolCallDelta {
            id: delta.id.filter(|id| !id.is_empty()),
            name: delta.name.filter(|name| !name.is_empty()),
            ..delta
        };
        let (index, opened) = match (self.matching(&delta), delta.name) {
            (Some(known), _) => (known, false),
            (None, Some(name)) => (self.open(delta.index, delta.id, name), true),
            (None, None) => {
                self.held.get_or_insert_default().take(&delta);
                return None;
            }
        };
        let fragments = self.name_fragments;
        let taken_from = self.calls.change(index, |call| {
            if !opened {
                call.take_identity(delta.id, delta.name, fragments);
            }
            keep_first(&mut call.provider_data, delta.provider_data);
            call.take_arguments(delta.arguments)
        })?;
        let arguments_from = if opened { 0 } else { taken_from };
        Some(DeltaEffect {
            index,
            opened,
            arguments_from,
        })
    }

    /// The open call that a fragment belongs to (rules 2 to 5 and 13).
    fn matching(&self, delta: &ToolCallDelta<'_>) -> Option<usize> {
        if let Some(at) = self.matching_id(delta) {
            return Some(at);
        }
        let Some(index) = delta.index else {
            return self.matching_unnumbered(delta);
        };
        match self.calls.with_number(index) {
            Some(at) => {
                let another = self
                    .calls
                    .get(at)
                    .is_some_and(|call| self.starts_another(call, delta));
                if another { None } else { Some(at) }
            }
            // A new number without a name: the rest of the latest call, or a call's bare beginning.
            None if delta.name.is_some() => None,
            None if delta.id.is_some() && delta.arguments.is_blank() => None,
            None => self.calls.latest(),
        }
    }

    fn matching_id(&self, delta: &ToolCallDelta<'_>) -> Option<usize> {
        let id = delta.id?;
        if let Some(at) = self.calls.with_id_and_number(id, delta.index) {
            return Some(at);
        }
        let at = self.calls.with_id(id)?;
        let call = self.calls.get(at)?;
        match (delta.index, call.index, delta.name) {
            // One id, two numbers: another call, unless it says the first once more (rule 13).
            (Some(_), Some(_), Some(name)) => {
                let repeats = *call.name == *name
                    && (!call.is_complete() || call.is_repeated_by(&delta.arguments));
                repeats.then_some(at)
            }
            _ => Some(at),
        }
    }

    /// Whether a fragment with the number of `call` and not its id begins a call of its own
    /// (rule 4).
    fn starts_another(&self, call: &Open, delta: &ToolCallDelta<'_>) -> bool {
        let Some(name) = delta.name else { return false };
        let renamed = *call.name != *name && !self.name_fragments;
        let new_id = delta.id.is_some() && call.id.as_deref() != delta.id;
        if new_id {
            renamed || (call.id.is_some() && call.is_complete())
        } else {
            renamed && call.is_complete()
        }
    }

    /// Without a number, a name opens a call unless the latest still waits for one; everything else
    /// belongs to the latest, a fragment with an id of its own too (rule 3).
    fn matching_unnumbered(&self, delta: &ToolCallDelta<'_>) -> Option<usize> {
        let Some(name) = delta.name else {
            return self.calls.latest();
        };
        let waits = |call: &Open| *call.name == *name && !call.is_complete();
        self.calls
            .latest()
            .filter(|at| delta.id.is_none() && self.calls.get(*at).is_some_and(waits))
    }

    fn open(&mut self, index: Option<i64>, id: Option<&str>, name: &str) -> usize {
        let belongs =
            |held: &mut Held| held.index.is_none() || index.is_none() || held.index == index;
        let held = self.held.take_if(belongs).unwrap_or_default();
        self.calls.push(Open {
            index: index.or(held.index),
            id: id.map(Arc::from).or(held.id),
            name: name.into(),
            arguments: held.arguments,
            provider_data: held.provider_data,
        })
    }

    /// The collected calls as message parts, in order of appearance (rules 1, 8 to 11, 13).
    ///
    /// `finish_reason` is the provider's: where it says that the answer was cut, arguments stay as
    /// they came, empty ones too, and are not made to look complete (rule 12).
    pub fn finish(self, finish_reason: Option<&FinishReason>) -> Vec<Part> {
        let mut parts = Vec::with_capacity(self.len());
        self.finish_into(finish_reason, &mut parts);
        parts
    }

    /// As [`finish`](Self::finish), after the parts that are there.
    pub fn finish_into(self, finish_reason: Option<&FinishReason>, parts: &mut Vec<Part>) {
        let Self {
            provider,
            turn,
            calls,
            ..
        } = self;
        let calls = calls.into_vec();
        let truncated = finish_reason == Some(&FinishReason::Length);
        let first = parts.len();
        parts.reserve_exact(calls.len());
        let mut ids = (calls.len() > FEW).then(HashSet::new);
        for (position, call) in calls.into_iter().enumerate() {
            let synthetic = call.id.is_none();
            let mut id = call.id.unwrap_or_else(|| synthetic_id(turn, position));
            while match &mut ids {
                Some(ids) => !ids.insert(id.clone()),
                None => parts.iter().skip(first).any(|part| is_call(part, &id)),
            } {
                id = format!("{id}_{position}").into();
            }
            let arguments = if truncated {
                call.arguments
            } else {
                unwrapped(call.arguments)
            };
            let mut whole = ToolCall::new(id, call.name, arguments);
            whole.synthetic_id = synthetic;
            let part = Part::from(PartContent::ToolCall(whole));
            parts.push(match call.provider_data {
                Some(data) => part.with_provider_data(ProviderData::new(provider, data)),
                None => part,
            });
        }
    }
}

impl ArgumentsDelta<'_> {
    fn is_blank(&self) -> bool {
        match self {
            Self::None => true,
            Self::Fragment(text) => text.is_empty(),
            Self::Whole(_) => false,
        }
    }
}

fn synthetic_id(turn: Option<usize>, position: usize) -> Arc<str> {
    match turn {
        Some(turn) => format!("call_{turn}_{position}").into(),
        None => format!("call_{position}").into(),
    }
}

fn is_call(part: &Part, id: &str) -> bool {
    matches!(&part.content, PartContent::ToolCall(call) if *call.id == *id)
}

/// Empty arguments are `{}`; an object inside a JSON string is taken out of it, once (rule 9).
fn unwrapped(arguments: String) -> String {
    if arguments.trim().is_empty() {
        return "{}".to_owned();
    }
    if arguments.trim_start().starts_with('"')
        && let Ok(inner) = serde_json::from_str::<String>(&arguments)
        && inner.trim_start().starts_with('{')
        && serde_json::from_str::<&RawValue>(&inner).is_ok()
    {
        return inner;
    }
    arguments
}
