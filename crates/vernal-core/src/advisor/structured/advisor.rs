use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::reading::{Readable, is_refused, read};
use super::{
    InvalidAnswer, StructuredOutputMode, StructuredOutputValidationAdvisorBuilder, wording,
};
use crate::Error;
use crate::advisor::around::order;
use crate::advisor::base::run_rest;
use crate::advisor::emitter::{Emitter, stream_of};
use crate::advisor::own_changes::without_own_changes;
use crate::advisor::system_text::append_to_system;
use crate::advisor::{
    Advisor, AdvisorChain, CallFuture, ChatClientRequest, ChatClientResponse, ChatEvent,
    EventStream,
};
use crate::message::{FinishReason, Message, Usage};
use crate::model::{ChatResponse, Prompt, ResponseFormat, ResponseSchema, ToolChoice};
use crate::tool::schema::Violations;

/// Has the model answer in JSON that fits a schema, and asks again where it does not.
///
/// The schema is sent natively where the model's provider can hold an answer to one, and otherwise in
/// words at the end of the system message. Every answer is validated here, whoever made it. One that
/// does not fit is given back to the model once more with every violation, at most
/// [`max_corrections`](StructuredOutputValidationAdvisorBuilder::max_corrections) times, and then the
/// request fails with an [`InvalidAnswer`].
///
/// It stands inside of the tool loop. A response that asks for tools is none of its concern: it is
/// neither validated nor repeated. A correction repeats the last model call only, and the model may not
/// call tools in it. The answers that did not fit are in nobody's history or memory, but their tokens are in
/// the usage (rule LOOP-6).
///
/// A stream yields each try as it comes; one that does not fit is followed by
/// [`ChatEvent::AnswerRejected`], and the text that follows is the next try. The
/// [`text`](crate::client::ChatEventStream::text) of a stream is the answer that fits alone.
///
/// A request has one. Of several the last that was given counts: a client's is what its requests have that
/// ask for no type themselves.
#[derive(Debug, Clone)]
pub struct StructuredOutputValidationAdvisor {
    pub(super) schema: ResponseSchema,
    pub(super) is_readable: Option<Readable>,
    pub(super) max_corrections: u32,
    pub(super) mode: StructuredOutputMode,
    pub(super) order: i32,
}

impl StructuredOutputValidationAdvisor {
    /// Inside of nearly everything else (rule ORD-2).
    pub const DEFAULT_ORDER: i32 = order::LOWEST_PRECEDENCE - 2000;
    /// How often an answer is corrected unless set.
    pub const DEFAULT_MAX_CORRECTIONS: u32 = 3;

    /// A builder of an advisor for answers that can be read as a `T`, for example with
    /// [`ChatClientResponse::entity`].
    pub fn of<T: DeserializeOwned + JsonSchema + 'static>()
    -> StructuredOutputValidationAdvisorBuilder {
        StructuredOutputValidationAdvisorBuilder::for_type::<T>()
    }

    /// A builder of an advisor for answers that fit a schema.
    pub fn for_schema(schema: ResponseSchema) -> StructuredOutputValidationAdvisorBuilder {
        StructuredOutputValidationAdvisorBuilder::for_schema(schema)
    }

    /// What answers have to fit.
    pub fn schema(&self) -> &ResponseSchema {
        &self.schema
    }

    async fn run(
        &self,
        mut request: ChatClientRequest,
        rest: AdvisorChain,
        events: Emitter,
    ) -> Result<ChatClientResponse, Error> {
        rest.check_inside(self, "a correction would run the whole turn again")?;
        let given = request.prompt().clone();
        let is_native = self.ask_natively(&mut request, &rest);
        if !is_native {
            let instruction = wording::instruction(&self.schema);
            append_to_system(request.prompt_mut().messages_mut(), &instruction);
        }
        let mut discarded = Usage::default();
        let mut next = request.clone();
        let mut tries = 0;
        loop {
            let sent = next.prompt().clone();
            let result = run_rest(&rest, next, &events).await;
            let mut response = result.map_err(|error| error.with_discarded_usage(discarded))?;
            tries += 1;
            let Err(violations) = self.judge(response.chat_response(), tries == 1) else {
                add_usage(response.chat_response_mut(), discarded);
                return Ok(without_own_changes(response, &given, &sent));
            };
            let answer = response.chat_response();
            discarded += answer.usage();
            request.state().paid().called();
            if tries > self.max_corrections || is_refused(answer) {
                let invalid = InvalidAnswer::of(&self.schema, answer, violations).after(tries);
                return Err(Error::answer(invalid).with_discarded_usage(discarded));
            }
            tracing::debug!(tries, schema = self.schema.name(), "an answer does not fit");
            if events.is_heard() {
                let (round, reason) = (request.round(), violations.to_string().into());
                events
                    .emit(ChatEvent::AnswerRejected { round, reason })
                    .await;
            }
            next = self.correction(&request, answer, &violations, is_native);
            self.ask_natively(&mut next, &rest);
        }
    }

    /// Sends the schema along, where that is the way to ask.
    fn ask_natively(&self, request: &mut ChatClientRequest, rest: &AdvisorChain) -> bool {
        if self.mode == StructuredOutputMode::Instruction {
            return false;
        }
        let prompt = request.prompt_mut();
        let mut options = prompt.options().clone();
        options.set_response_format(ResponseFormat::JsonSchema(self.schema.clone()));
        let is_native =
            self.mode == StructuredOutputMode::Native || rest.supports_response_schema(&options);
        if is_native {
            *prompt = Prompt::new(std::mem::take(prompt.messages_mut()), options);
        }
        is_native
    }

    /// Whether a response may go to whoever asked. Only the first may ask for tools.
    fn judge(&self, response: &ChatResponse, is_first: bool) -> Result<(), Violations> {
        match response.has_tool_calls() {
            true if is_first => return Ok(()),
            true => return Err(wording::asks_for_tools()),
            false => {}
        }
        // Somebody answered in the model's place.
        if response.finish_reason() == Some(&FinishReason::SafeGuard) {
            return Ok(());
        }
        if is_refused(response) {
            return Err(wording::refused());
        }
        read(&self.schema, &response.content(), self.is_readable).map(drop)
    }

    /// The request with the newest wrong answer and what is wrong with it.
    fn correction(
        &self,
        request: &ChatClientRequest,
        wrong: &ChatResponse,
        violations: &Violations,
        is_native: bool,
    ) -> ChatClientRequest {
        let mut request = request.clone();
        if !request.prompt().options().tools().is_empty() {
            let options = request.prompt_mut().options_mut();
            options.set_tool_choice(ToolChoice::None);
        }
        let is_cut = wrong.finish_reason() == Some(&FinishReason::Length);
        let unread = is_native.then_some(&self.schema);
        let correction = wording::correction(violations, is_cut, unread);
        let messages = request.prompt_mut().messages_mut();
        // An unanswered call, or a message that says nothing, is no valid history.
        let said = wrong.generation().map(|generation| &generation.message);
        let said = said.filter(|said| !said.has_tool_calls() && !said.text().trim().is_empty());
        if let Some(said) = said {
            messages.push(said.clone());
        }
        messages.push(Message::user(correction));
        request
    }
}

/// Counts the tokens of discarded answers among those of the response.
fn add_usage(response: &mut ChatResponse, discarded: Usage) {
    if !discarded.is_empty() {
        *response.metadata.usage.get_or_insert_default() += discarded;
    }
}

impl Advisor for StructuredOutputValidationAdvisor {
    fn name(&self) -> &str {
        "structured-output-validation"
    }

    fn order(&self) -> i32 {
        self.order
    }

    fn advise_call(self: Arc<Self>, request: ChatClientRequest, rest: AdvisorChain) -> CallFuture {
        Box::pin(async move { self.run(request, rest, Emitter::silent()).await })
    }

    fn advise_stream(
        self: Arc<Self>,
        request: ChatClientRequest,
        rest: AdvisorChain,
    ) -> EventStream {
        stream_of(move |events| async move { self.run(request, rest, events).await })
    }

    fn as_structured_output(&self) -> Option<&StructuredOutputValidationAdvisor> {
        Some(self)
    }
}
