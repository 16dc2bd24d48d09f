use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::{StreamExt, stream};
use vernal_core::model::{ChatModel, ModelError, ModelErrorKind, ModelFuture, ModelStream, Prompt};

use crate::Reply;

/// A model that answers from a script, one reply for each call, and records its prompts.
///
/// When the script is at its end it fails, so that a loop which calls too often is noticed. Copies
/// share the script.
#[derive(Debug, Clone, Default)]
pub struct ScriptedModel(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    replies: VecDeque<Reply>,
    /// Given again and again once the replies are used up.
    forever: Option<Reply>,
    prompts: Vec<Prompt>,
}

impl ScriptedModel {
    /// A model with an empty script.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an answer of text.
    #[must_use]
    pub fn says(self, text: impl Into<Arc<str>>) -> Self {
        self.replies(Reply::text(text))
    }

    /// Adds an answer that asks for a tool.
    #[must_use]
    pub fn calls(self, name: impl Into<Arc<str>>, arguments: impl Into<Arc<str>>) -> Self {
        self.replies(Reply::call(name, arguments))
    }

    /// Adds a failure.
    #[must_use]
    pub fn fails(self, error: ModelError) -> Self {
        self.replies(Reply::error(error))
    }

    /// Adds a reply.
    #[must_use]
    pub fn replies(self, reply: Reply) -> Self {
        self.state().replies.push_back(reply);
        self
    }

    /// What is answered, again and again, once the script is used up.
    #[must_use]
    pub fn then_always(self, reply: Reply) -> Self {
        self.state().forever = Some(reply);
        self
    }

    /// The prompts of the calls so far.
    pub fn prompts(&self) -> Vec<Prompt> {
        self.state().prompts.clone()
    }

    /// The number of calls so far.
    pub fn call_count(&self) -> usize {
        self.state().prompts.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_reply(&self, prompt: Prompt) -> Reply {
        let mut state = self.state();
        state.prompts.push(prompt);
        let calls = state.prompts.len();
        state
            .replies
            .pop_front()
            .or_else(|| state.forever.clone())
            .unwrap_or_else(|| {
                Reply::error(ModelError::new(
                    ModelErrorKind::Configuration,
                    format!(
                        "the script has no reply for call {calls}; add one with `says` or `calls`"
                    ),
                ))
            })
    }
}

impl ChatModel for ScriptedModel {
    fn name(&self) -> &str {
        "scripted"
    }

    fn call(&self, prompt: Prompt) -> ModelFuture {
        let model = self.clone();
        Box::pin(async move { model.next_reply(prompt).response() })
    }

    fn stream(&self, prompt: Prompt) -> ModelStream {
        let model = self.clone();
        let events = async move { stream::iter(model.next_reply(prompt).events()) };
        stream::once(events).flatten().boxed()
    }
}
