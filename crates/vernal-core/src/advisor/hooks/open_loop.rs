//! A turn that is being driven, with the hooks that hear of it.

use std::sync::Arc;

use super::loop_end::End;
use super::{HookList, LoopEnd};
use crate::Error;
use crate::advisor::{ChatClientRequest, ChatClientResponse};
use crate::calling::{ToolExecutionResult, Turn, TurnStep};
use crate::message::{History, Message, Role, ToolOutcome};
use crate::model::{ChatResponse, Prompt};

/// A turn and the request that it runs for. Whatever way it is left, dropped in the middle too, the hooks
/// that began it are told once (rule LOOP-1).
pub(in crate::advisor) struct OpenLoop<'a> {
    pub(in crate::advisor) turn: Turn,
    /// The request without its messages, which the turn has. Its options are those of the newest round.
    pub(in crate::advisor) request: ChatClientRequest,
    hooks: &'a HookList,
    streamed: bool,
    /// Whether each round sends all that was said (rule LOOP-5).
    own_history: bool,
    begun: usize,
    is_over: bool,
    /// A response that the hooks look at.
    response: Option<ChatClientResponse>,
}

impl<'a> OpenLoop<'a> {
    pub(in crate::advisor) fn new(
        mut request: ChatClientRequest,
        hooks: &'a HookList,
        streamed: bool,
        own_history: bool,
    ) -> Self {
        request.begin_turn();
        let turn = match hooks.is_empty() {
            true => Turn::start(std::mem::take(request.prompt_mut().messages_mut())),
            // They see the messages first, and the turn has them should it end there.
            false => Turn::start(request.prompt().messages().clone()),
        };
        Self {
            turn,
            request,
            hooks,
            streamed,
            own_history,
            begun: 0,
            is_over: false,
            response: None,
        }
    }

    /// Begins the turn with what the hooks make of the request.
    pub(in crate::advisor) async fn initialize(&mut self) -> Result<(), Error> {
        if self.hooks.is_empty() {
            return Ok(());
        }
        let begun = self
            .hooks
            .initialize(self.streamed, &mut self.request, &mut self.begun);
        begun.await?;
        self.turn = Turn::start(std::mem::take(self.request.prompt_mut().messages_mut()));
        Ok(())
    }

    /// What the next round sends, with what the hooks make of it.
    pub(in crate::advisor) async fn next_request(&mut self) -> Result<ChatClientRequest, Error> {
        let mut request = self.unchanged_request();
        if !self.hooks.is_empty() {
            let given = request.prompt().messages().clone();
            self.hooks.before(self.streamed, &mut request).await?;
            self.take_over(&given, request.prompt());
            request.refresh_turn_messages(self.turn.instructions());
        }
        Ok(request)
    }

    /// Takes the response to what was `sent`, from the rest of the chain, and gives what the hooks make of
    /// it. Where they fail or are cut off, the turn keeps what it said and cost.
    pub(in crate::advisor) async fn received(
        &mut self,
        sent: SentRequest,
        mut response: ChatClientResponse,
    ) -> Result<ChatClientResponse, Error> {
        self.request.state().paid().taken_up();
        let SentRequest { messages, request } = sent;
        let prompt = response.take_prompt();
        if let Some(prompt) = &prompt {
            self.take_over(&messages, prompt);
        }
        let Some(mut request) = request else {
            return Ok(response);
        };
        if let Some(prompt) = prompt {
            *request.prompt_mut() = prompt;
        }
        let held = self.response.insert(response);
        self.hooks.after(self.streamed, &request, held).await?;
        let seen = self.response.take();
        Ok(seen.unwrap_or_else(|| ChatClientResponse::new(ChatResponse::text(""))))
    }

    /// What must be known of a request when its response comes.
    pub(in crate::advisor) fn remember(&self, request: &ChatClientRequest) -> SentRequest {
        SentRequest {
            messages: request.prompt().messages().clone(),
            request: (!self.hooks.is_empty()).then(|| request.clone()),
        }
    }

    /// Leaves the choice to the model from here on, if the round has run a call that it was made to make:
    /// it could never answer otherwise.
    pub(in crate::advisor) fn reset_choice(&mut self) {
        let choice = self.request.prompt().options().tool_choice();
        if !choice.is_forced() {
            return;
        }
        let newest = self.turn.messages().last();
        let mut answers = newest
            .into_iter()
            .flat_map(|message| message.tool_responses());
        let has_run = answers.any(|answer| {
            matches!(answer.outcome, ToolOutcome::Success | ToolOutcome::Failed)
                && choice.permits(&answer.name)
        });
        if has_run {
            let unforced = choice.unforced();
            self.request
                .prompt_mut()
                .options_mut()
                .set_tool_choice(unforced);
        }
    }

    /// Lets the hooks see the results of a round, where another one follows.
    pub(in crate::advisor) async fn executed(&mut self) -> Result<(), Error> {
        if self.hooks.is_empty() || !matches!(self.turn.step(), TurnStep::CallModel) {
            return Ok(());
        }
        let mut request = self.unchanged_request();
        let given = request.prompt().messages().clone();
        let result = ToolExecutionResult::of(&self.turn);
        let seen = self.hooks.next(self.streamed, &mut request, &result);
        seen.await?;
        self.take_over(&given, request.prompt());
        Ok(())
    }

    /// Ends the turn: the caller's response or error, after the hooks were told.
    pub(in crate::advisor) fn close(
        mut self,
        result: Result<(), Error>,
    ) -> Result<ChatClientResponse, Error> {
        let result = match result {
            Ok(()) => Ok(self.response()),
            Err(error) => {
                let error = error.without_discarded(self.request.state().paid().usage);
                self.keep_what_is_paid();
                Err(error.with_progress(&self.turn))
            }
        };
        if let Ok(response) = &result {
            self.request.state().paid().finished(response);
        }
        self.finalize(match &result {
            Ok(_) => End::Response,
            Err(error) => End::Error(error),
        });
        result
    }

    fn unchanged_request(&self) -> ChatClientRequest {
        let round = self.turn.rounds() + 1;
        let instructions = self.turn.instructions().clone();
        let (messages, whole) = match self.own_history || round == 1 {
            true => (instructions, None),
            false => (newest(&instructions), Some(instructions)),
        };
        let prompt = self.request.prompt().with_messages(messages);
        self.request.for_round(prompt, round, whole)
    }

    /// Makes what was changed in a round's request hold from here on (rule LOOP-4).
    fn take_over(&mut self, given: &History, changed: &Prompt) {
        self.request.prompt_mut().share_options_of(changed);
        self.turn.revise(given, changed.messages());
    }

    fn response(&self) -> ChatClientResponse {
        let end = match self.turn.step() {
            TurnStep::Done(end) => end.response().cloned(),
            _ => None,
        };
        let response = end.unwrap_or_else(|| ChatResponse::text(""));
        ChatClientResponse::of_turn(response, self.turn.messages().clone(), self.turn.rounds())
            .with_state(self.request.state().clone())
    }

    /// Takes a response that was on its way when the turn ended.
    fn keep_what_is_paid(&mut self) {
        let held = self.response.take();
        let held = held.map(ChatClientResponse::into_chat_response);
        if let Some(response) = held.or_else(|| self.on_its_way()) {
            self.turn.on_final_response(response);
        }
    }

    /// What an advisor inside of the loop has not handed over.
    fn on_its_way(&self) -> Option<ChatResponse> {
        let mut paid = self.request.state().paid();
        let response = paid.response();
        paid.taken_up();
        response
    }

    fn finalize(&mut self, end: End<'_>) {
        if std::mem::replace(&mut self.is_over, true) {
            return;
        }
        self.keep_what_is_paid();
        let end = LoopEnd {
            request: &self.request,
            turn: &self.turn,
            end,
        };
        self.hooks.finalize(self.streamed, self.begun, &end);
    }
}

impl Drop for OpenLoop<'_> {
    fn drop(&mut self) {
        self.finalize(End::Nothing);
    }
}

/// See [`OpenLoop::remember`].
pub(in crate::advisor) struct SentRequest {
    messages: History,
    /// The request, where there are hooks to see it.
    request: Option<ChatClientRequest>,
}

/// What a loop without a history of its own sends: the system messages, and what came in with the
/// newest answers (rule LOOP-5).
fn newest(turn: &History) -> History {
    let is_tool = |message: &Arc<Message>| message.role() == Role::Tool;
    let start = turn.iter().rposition(is_tool).unwrap_or(0);
    let is_sent = |at: usize, role| at >= start || role == Role::System;
    let messages = turn.iter().enumerate();
    let messages = messages.filter(|(at, message)| is_sent(*at, message.role()));
    messages.map(|(_, message)| message.clone()).collect()
}
