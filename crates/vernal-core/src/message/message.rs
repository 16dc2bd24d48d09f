use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    EncodedOnce, FormatVersion, MessageId, Part, PartContent, Role, ToolCall, ToolResponse,
};

/// One message of a conversation.
///
/// It is written with a format version; reading an unknown one is an error that names both.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Message {
    v: FormatVersion<1>,
    id: MessageId,
    role: Role,
    parts: Vec<Part>,
    #[serde(skip)]
    encoded: EncodedOnce,
}

impl Message {
    /// A message of the given parts, with a new id.
    pub fn new(role: Role, parts: Vec<Part>) -> Self {
        Self {
            v: FormatVersion,
            id: MessageId::new(),
            role,
            parts,
            encoded: EncodedOnce::default(),
        }
    }

    /// Instructions of the application.
    pub fn system(text: impl Into<Arc<str>>) -> Self {
        Self::new(Role::System, vec![Part::text(text)])
    }

    /// What the user says.
    pub fn user(text: impl Into<Arc<str>>) -> Self {
        Self::new(Role::User, vec![Part::text(text)])
    }

    /// What the model says.
    pub fn assistant(text: impl Into<Arc<str>>) -> Self {
        Self::new(Role::Assistant, vec![Part::text(text)])
    }

    /// The answers to the calls of the assistant message before it, in the order of the calls.
    pub fn tool(responses: impl IntoIterator<Item = ToolResponse>) -> Self {
        let parts = responses
            .into_iter()
            .map(|r| PartContent::ToolResponse(r).into())
            .collect();
        Self::new(Role::Tool, parts)
    }

    /// The same message, said another time.
    pub(crate) fn said_again(&self) -> Self {
        Self {
            id: MessageId::new(),
            ..self.clone()
        }
    }

    /// The identity of the message; copies share it.
    pub fn id(&self) -> MessageId {
        self.id
    }

    /// Who speaks.
    pub fn role(&self) -> Role {
        self.role
    }

    /// The pieces, in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Adds a piece at the end.
    pub fn push(&mut self, part: impl Into<Part>) {
        self.encoded = EncodedOnce::default();
        self.parts.push(part.into());
    }

    /// The text parts, joined.
    pub fn text(&self) -> Cow<'_, str> {
        self.joined(|content| match content {
            PartContent::Text(text) => Some(text),
            _ => None,
        })
    }

    /// The reasoning parts, joined.
    pub fn reasoning(&self) -> Cow<'_, str> {
        self.joined(|content| match content {
            PartContent::Reasoning(text) => Some(text),
            _ => None,
        })
    }

    /// The model's refusal, where it refused.
    pub fn refusal(&self) -> Option<&str> {
        self.parts.iter().find_map(|part| match &part.content {
            PartContent::Refusal(text) => Some(&**text),
            _ => None,
        })
    }

    /// The calls that the model asks for, in order.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match &part.content {
            PartContent::ToolCall(call) => Some(call),
            _ => None,
        })
    }

    /// The answers that a tool message carries, in order.
    pub fn tool_responses(&self) -> impl Iterator<Item = &ToolResponse> {
        self.parts.iter().filter_map(|part| match &part.content {
            PartContent::ToolResponse(response) => Some(response),
            _ => None,
        })
    }

    /// Whether the model asks for tools.
    pub fn has_tool_calls(&self) -> bool {
        self.tool_calls().next().is_some()
    }

    /// The place where adapters keep the wire form of this message.
    pub fn encoded(&self) -> &EncodedOnce {
        &self.encoded
    }

    fn joined<'a>(
        &'a self,
        pick: impl Fn(&'a PartContent) -> Option<&'a Arc<str>>,
    ) -> Cow<'a, str> {
        let mut picked = self.parts.iter().filter_map(|part| pick(&part.content));
        let Some(first) = picked.next() else {
            return Cow::Borrowed("");
        };
        let Some(second) = picked.next() else {
            return Cow::Borrowed(first);
        };
        let mut text = String::with_capacity(first.len() + second.len());
        text.push_str(first);
        text.push_str(second);
        picked.for_each(|more| text.push_str(more));
        Cow::Owned(text)
    }
}
