use std::fmt;
use std::sync::Arc;

use futures::StreamExt;
use jiff::ZonedDateTime;
use jiff::tz::TimeZone;
use vernal_core::message::{FinishReason, Message, PartContent, ToolCall, Usage};
use vernal_core::model::{
    Capabilities, ChatModel, ChatOptions, ChatResponse, Generation, ModelEvent, ModelFuture,
    ModelStream, Prompt, ResponseMetadata,
};

use super::decide::{Decision, decide};
use super::now::Now;

/// How many characters count as one token.
const CHARACTERS_PER_TOKEN: u64 = 4;
/// How many characters of a call's arguments one piece of a stream has.
const PIECE: usize = 16;

type Clock = Arc<dyn Fn() -> ZonedDateTime + Send + Sync>;

/// A model of rules, not a language model: it needs no key, no server and no download.
///
/// It matches the words of the last user message to the tools of the prompt, fills their parameters
/// from the message, calls tools one after another where one needs what another finds, and words
/// the results. It is deterministic: the same prompt at the same time gives the same answer. See
/// [the module](super) for an example.
#[derive(Clone)]
pub struct DemoModel {
    clock: Clock,
}

/// Builds a [`DemoModel`].
#[derive(Clone)]
#[must_use]
pub struct DemoModelBuilder {
    clock: Clock,
}

impl DemoModel {
    /// The model with the system's clock.
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// A builder.
    pub fn builder() -> DemoModelBuilder {
        DemoModelBuilder {
            clock: Arc::new(|| ZonedDateTime::new(jiff::Timestamp::now(), TimeZone::UTC)),
        }
    }

    fn answer(&self, prompt: &Prompt) -> ChatResponse {
        let now = || Now::from((self.clock)());
        let (message, reason) = match decide(prompt, &now) {
            Decision::Say(text) => (Message::assistant(text), FinishReason::Stop),
            Decision::Call(calls) => {
                let made: usize = prompt
                    .messages()
                    .iter()
                    .map(|message| message.tool_calls().count())
                    .sum();
                let calls = calls
                    .into_iter()
                    .enumerate()
                    .map(|(at, (name, arguments))| {
                        let id = format!("demo_{}", made + at);
                        PartContent::ToolCall(ToolCall::new(id, name, arguments.to_string())).into()
                    });
                let role = vernal_core::message::Role::Assistant;
                (Message::new(role, calls.collect()), FinishReason::ToolCalls)
            }
        };
        let mut metadata = ResponseMetadata::default();
        metadata.model = Some(self.name().into());
        metadata.usage = Some(usage(prompt, &message));
        ChatResponse::of(Generation::new(message, Some(reason)), metadata)
    }
}

impl DemoModelBuilder {
    /// The clock that is asked where no tool tells the time; the system's clock in UTC by default.
    pub fn clock(mut self, clock: impl Fn() -> ZonedDateTime + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// The model.
    pub fn build(self) -> DemoModel {
        DemoModel { clock: self.clock }
    }
}

impl Default for DemoModel {
    fn default() -> Self {
        Self::new()
    }
}

impl ChatModel for DemoModel {
    fn name(&self) -> &str {
        "demo (rules, not a language model)"
    }

    fn call(&self, prompt: Prompt) -> ModelFuture {
        let model = self.clone();
        Box::pin(async move { Ok(model.answer(&prompt)) })
    }

    fn capabilities(&self, _: &ChatOptions) -> Capabilities {
        let mut can = Capabilities::default();
        can.tools = Some(true);
        can.parallel_tool_calls = Some(true);
        can.streamed_arguments = Some(true);
        can.required_tool_choice = Some(true);
        // A call is only made if its arguments fit.
        can.strict_schema = Some(true);
        can.response_schema = Some(false);
        can.image_input = Some(false);
        can
    }

    fn stream(&self, prompt: Prompt) -> ModelStream {
        let model = self.clone();
        let answered = futures::stream::once(async move { model.answer(&prompt) });
        Box::pin(
            answered
                .flat_map(|response| futures::stream::iter(events(response).into_iter().map(Ok))),
        )
    }
}

/// The answer piece by piece: words of the text, calls, and the whole.
fn events(response: ChatResponse) -> Vec<ModelEvent> {
    let mut events = Vec::new();
    if let Some(generation) = response.generation() {
        let text = generation.message.text();
        events.extend(
            text.split_inclusive(char::is_whitespace)
                .map(|word| ModelEvent::TextDelta(word.into())),
        );
        for (index, call) in generation.message.tool_calls().enumerate() {
            let (id, name) = (Some(call.id.clone()), call.name.clone());
            events.push(ModelEvent::ToolCallStarted { index, id, name });
            let arguments: Vec<char> = call.arguments.as_str().chars().collect();
            events.extend(
                arguments
                    .chunks(PIECE)
                    .map(|piece| ModelEvent::ToolCallDelta {
                        index,
                        arguments: piece.iter().collect::<String>().into(),
                    }),
            );
        }
    }
    events.push(ModelEvent::Completed(Box::new(response)));
    events
}

/// Roughly what a language model would count.
fn usage(prompt: &Prompt, answer: &Message) -> Usage {
    let of_message = |message: &Message| {
        let calls: usize = message
            .tool_calls()
            .map(|call| call.name.len() + call.arguments.as_str().len())
            .sum();
        let responses: usize = message
            .tool_responses()
            .map(|response| response.text().len())
            .sum();
        message.text().chars().count() + calls + responses
    };
    let tools: usize = prompt
        .options()
        .tools()
        .definitions()
        .map(|tool| tool.name().len() + tool.description().len() + tool.input_schema().len())
        .sum();
    let input: usize = prompt
        .messages()
        .iter()
        .map(|message| of_message(message))
        .sum();
    let tokens = |characters: usize| (characters as u64).div_ceil(CHARACTERS_PER_TOKEN);
    Usage::new(tokens(input + tools), tokens(of_message(answer)))
}

impl fmt::Debug for DemoModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DemoModel").finish_non_exhaustive()
    }
}

impl fmt::Debug for DemoModelBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DemoModelBuilder").finish_non_exhaustive()
    }
}
