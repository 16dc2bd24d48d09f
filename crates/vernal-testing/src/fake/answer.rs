//! A reply, as every API needs it for its own words.

use std::sync::Arc;

use serde_json::Value;
use vernal_core::message::{FinishReason, Part, PartContent, Usage};

use super::dialect::Asked;
use super::step::Delivery;
use super::tool_names::as_offered;
use crate::Reply;
use crate::reply::Piece;

/// What an answer costs where the script does not say.
const USUAL: (u64, u64) = (12, 7);

/// What is to be said, in order.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) said: Vec<Said>,
    pub(crate) finish: FinishReason,
    pub(crate) usage: Usage,
    pub(crate) id: Option<Arc<str>>,
    pub(crate) request_id: Option<Arc<str>>,
    fragments: usize,
}

#[derive(Debug)]
pub(crate) enum Said {
    /// Each piece is streamed for itself.
    Text(Vec<Arc<str>>),
    Reasoning(Arc<str>),
    Refusal(Arc<str>),
    Call(SaidCall),
    /// A piece that only one API understands, in its words.
    Own(String, Value),
}

#[derive(Debug)]
pub(crate) struct SaidCall {
    /// `None` where the script leaves the id to the API.
    pub(crate) id: Option<Arc<str>>,
    pub(crate) name: Arc<str>,
    pub(crate) arguments: Arc<str>,
}

impl Answer {
    pub(crate) fn of(reply: &Reply, delivery: &Delivery, asked: &Asked) -> Self {
        let mut said = Vec::new();
        for piece in reply.pieces() {
            match piece {
                Piece::Text(text) => match said.last_mut() {
                    Some(Said::Text(pieces)) => pieces.push(text.clone()),
                    _ => said.push(Said::Text(vec![text.clone()])),
                },
                Piece::Call(call) => said.push(Said::Call(SaidCall {
                    id: None,
                    name: call.name.clone(),
                    arguments: call.arguments.as_str().into(),
                })),
                Piece::Part(part) => said.extend(said_of(part)),
            }
        }
        for said in &mut said {
            if let Said::Call(call) = said {
                call.name = as_offered(&call.name, &asked.mapped);
            }
        }
        let metadata = reply.metadata();
        Self {
            said,
            finish: reply.reason(),
            usage: metadata.usage.unwrap_or(Usage::new(USUAL.0, USUAL.1)),
            id: metadata.id.clone(),
            request_id: metadata.request_id.clone(),
            fragments: delivery.fragments,
        }
    }

    pub(crate) fn calls(&self) -> impl Iterator<Item = &SaidCall> {
        self.said.iter().filter_map(|said| match said {
            Said::Call(call) => Some(call),
            _ => None,
        })
    }

    /// All text in one.
    pub(crate) fn text(&self) -> String {
        let pieces = self.said.iter().filter_map(|said| match said {
            Said::Text(pieces) => Some(pieces.concat()),
            _ => None,
        });
        pieces.collect()
    }

    /// All reasoning in one.
    pub(crate) fn reasoning(&self) -> String {
        let pieces = self.said.iter().filter_map(|said| match said {
            Said::Reasoning(text) => Some(&**text),
            _ => None,
        });
        pieces.collect()
    }

    pub(crate) fn refusal(&self) -> Option<&str> {
        self.said.iter().find_map(|said| match said {
            Said::Refusal(text) => Some(&**text),
            _ => None,
        })
    }

    /// A text in as many fragments as the script wants, cut anywhere.
    pub(crate) fn fragments<'a>(&self, text: &'a str) -> Vec<&'a str> {
        let mut fragments = Vec::with_capacity(self.fragments);
        let mut rest = text;
        for left in (1..=self.fragments).rev() {
            let (first, second) = rest.split_at(rest.ceil_char_boundary(rest.len().div_ceil(left)));
            fragments.push(first);
            rest = second;
        }
        fragments.retain(|fragment| !fragment.is_empty());
        fragments
    }
}

impl SaidCall {
    /// The arguments as a value; text that is no JSON stays text.
    pub(crate) fn value(&self) -> Value {
        serde_json::from_str(&self.arguments).unwrap_or_else(|_| Value::from(&*self.arguments))
    }
}

fn said_of(part: &Part) -> Option<Said> {
    match &part.content {
        PartContent::Text(text) => Some(Said::Text(vec![text.clone()])),
        PartContent::Reasoning(text) => Some(Said::Reasoning(text.clone())),
        PartContent::Refusal(text) => Some(Said::Refusal(text.clone())),
        PartContent::ToolCall(call) => Some(Said::Call(SaidCall {
            id: Some(call.id.clone()),
            name: call.name.clone(),
            arguments: call.arguments.as_str().into(),
        })),
        PartContent::Opaque => {
            let data = part.provider.as_deref()?;
            let value = serde_json::from_str(data.data.get()).ok()?;
            Some(Said::Own(data.provider.to_string(), value))
        }
        _ => None,
    }
}
