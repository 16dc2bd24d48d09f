//! What a request has paid for and nobody has taken up yet, so that an error can keep it.

use std::sync::Arc;

use super::ChatClientResponse;
use crate::message::{History, Message, Usage};
use crate::model::{ChatResponse, Generation, ResponseMetadata};

/// What a turn had done.
#[derive(Debug, Clone)]
pub(crate) struct Progress {
    pub(crate) messages: History,
    pub(crate) usage: Usage,
    pub(crate) rounds: u32,
}

/// What came of the model calls of a request, on its way to whoever takes it up: the loop, and after it
/// the client.
#[derive(Default)]
pub(crate) struct Paid {
    /// The tokens of model calls whose responses have not reached the loop.
    pub(crate) usage: Usage,
    /// What the newest of them said.
    answer: Option<Arc<Message>>,
    /// The turn that has succeeded.
    pub(crate) turn: Option<Progress>,
}

impl Paid {
    /// The model is called: what it said before was discarded.
    pub(super) fn called(&mut self) {
        self.answer = None;
    }

    /// The model has answered.
    pub(super) fn answered(&mut self, response: &ChatResponse) {
        self.usage += response.usage();
        self.answer = said(response);
    }

    /// An advisor has changed what was answered.
    pub(super) fn changed(&mut self, response: &ChatResponse) {
        if self.answer.is_some() {
            self.answer = said(response);
        }
    }

    /// The response has reached the loop.
    pub(super) fn taken_up(&mut self) {
        (self.usage, self.answer) = Default::default();
    }

    /// The turn has succeeded.
    pub(super) fn finished(&mut self, response: &ChatClientResponse) {
        self.turn = Progress::of(response);
    }

    /// What has not reached the loop, as the response that it would have got.
    pub(super) fn response(&self) -> Option<ChatResponse> {
        let (usage, answer) = (self.usage, self.answer.clone());
        if usage.is_empty() && answer.is_none() {
            return None;
        }
        let generations = answer.map(|message| Generation::new(message, None));
        let usage = (!usage.is_empty()).then_some(usage);
        Some(ChatResponse {
            generations: generations.into_iter().collect(),
            metadata: ResponseMetadata {
                usage,
                ..ResponseMetadata::default()
            },
        })
    }
}

impl Progress {
    /// What the turn of a response has done; `None` where no loop ran.
    pub(crate) fn of(response: &ChatClientResponse) -> Option<Self> {
        Some(Self {
            messages: response.messages()?.clone(),
            usage: response.usage(),
            rounds: response.rounds(),
        })
    }
}

fn said(response: &ChatResponse) -> Option<Arc<Message>> {
    let generation = response.generation()?;
    Some(generation.message.clone())
}
