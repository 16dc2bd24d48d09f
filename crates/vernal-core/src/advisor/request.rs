use tokio::time::Instant;

use super::RequestState;
use super::memory::{MemoryAdvisor, TurnScope};
use super::ready::Deadline;
use crate::Error;
use crate::memory::ConversationId;
use crate::message::History;
use crate::model::Prompt;

/// A request on its way through the advisors: the prompt with its messages, options and tools.
///
/// Cheap to clone, so that the rest of a chain can be run again.
#[derive(Debug, Clone)]
pub struct ChatClientRequest {
    prompt: Prompt,
    round: u32,
    conversation: Option<ConversationId>,
    turn: Option<TurnScope>,
    state: RequestState,
    deadline: Option<Deadline>,
}

impl ChatClientRequest {
    /// A request for `prompt`, outside of any loop.
    pub fn new(prompt: impl Into<Prompt>) -> Self {
        Self::with_state(prompt.into(), RequestState::default())
    }

    /// A request whose state begins with the caller's values.
    pub(crate) fn with_state(prompt: Prompt, state: RequestState) -> Self {
        Self {
            prompt,
            round: 1,
            conversation: None,
            turn: None,
            state,
            deadline: None,
        }
    }

    /// The prompt.
    pub fn prompt(&self) -> &Prompt {
        &self.prompt
    }

    /// The prompt, to be changed.
    pub fn prompt_mut(&mut self) -> &mut Prompt {
        &mut self.prompt
    }

    /// The prompt.
    pub fn into_prompt(self) -> Prompt {
        self.prompt
    }

    /// The round of the tool loop, counted from 1; outside of the loop it is 1.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// What advisors and hooks remember during the request, a value for each type. All copies of the
    /// request share it, and so does the response.
    pub fn state(&self) -> &RequestState {
        &self.state
    }

    /// The request as one of a conversation.
    #[must_use]
    pub fn with_conversation(mut self, conversation: ConversationId) -> Self {
        self.conversation = Some(conversation);
        self
    }

    /// The conversation that the request belongs to, if it was given one.
    pub fn conversation(&self) -> Option<&ConversationId> {
        self.conversation.as_ref()
    }

    /// The error of a request that a memory cannot serve (rule MEM-1).
    pub(crate) fn without_conversation(memory: &dyn MemoryAdvisor) -> Error {
        Error::setup(format!(
            "the memory `{}` needs to know the conversation; name it on the request, as with \
             `.conversation(\"user-42\")`",
            memory.name()
        ))
    }

    /// When the request will be given up, if somebody said so: a
    /// [`RequestDeadlineAdvisor`](super::RequestDeadlineAdvisor), or inside of the loop also its
    /// [`turn_timeout`](crate::calling::ToolCallingManagerBuilder::turn_timeout). The nearest counts.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline.map(|deadline| deadline.at)
    }

    /// The prompt for the model, and the same with the deadline that it is told.
    pub(super) fn into_sent(self) -> (Prompt, Prompt) {
        let told = match self.deadline {
            Some(deadline) => self.prompt.clone().with_deadline(deadline.at),
            None => self.prompt.clone(),
        };
        (self.prompt, told)
    }

    /// The deadline with the time that was given.
    pub(super) fn given_deadline(&self) -> Option<Deadline> {
        self.deadline
    }

    /// The request with a deadline, unless it has a nearer one.
    #[must_use]
    pub(super) fn with_deadline(mut self, deadline: Deadline) -> Self {
        let nearest = self.deadline.filter(|own| own.at <= deadline.at);
        self.deadline = nearest.or(Some(deadline));
        self
    }

    /// The whole turn so far, but for what somebody left out of it, inside of a loop whose requests carry
    /// only the newest of it (rule LOOP-5); `None` where the prompt has it all.
    pub fn turn_messages(&self) -> Option<&History> {
        self.turn.as_ref()?.messages.as_ref()
    }

    /// Says what the whole turn is now, where the prompt has only the newest of it.
    pub(super) fn refresh_turn_messages(&mut self, messages: &History) {
        let known = self.turn.as_mut().and_then(|turn| turn.messages.as_mut());
        if let Some(known) = known {
            *known = messages.clone();
        }
    }

    /// What rounds of a turn share; `None` outside of the loop.
    pub(super) fn turn_scope(&self) -> Option<&TurnScope> {
        self.turn.as_ref()
    }

    /// Begins a turn. This and [`for_round`](Self::for_round) are for a tool advisor of one's own: the
    /// memories inside of its loop leave it to the loop to say when the turn has succeeded, with
    /// [`AdvisorChain::commit_turn`](super::AdvisorChain::commit_turn).
    pub fn begin_turn(&mut self) {
        self.turn = Some(TurnScope::begin(&self.state));
    }

    /// The request of a round, counted from 1, of the turn that this request began: `prompt` is what it
    /// sends, and `turn` the whole turn where `prompt` has only the newest of it.
    #[must_use]
    pub fn for_round(&self, prompt: Prompt, round: u32, turn: Option<History>) -> Self {
        Self {
            prompt,
            round,
            conversation: self.conversation.clone(),
            turn: self.turn.as_ref().map(|scope| scope.with_messages(turn)),
            state: self.state.clone(),
            deadline: self.deadline,
        }
    }
}
