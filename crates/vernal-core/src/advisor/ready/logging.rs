use std::fmt;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::Error;
use crate::advisor::around::order;
use crate::advisor::base::run_rest;
use crate::advisor::emitter::{Emitter, stream_of};
use crate::advisor::{
    Advisor, AdvisorChain, CallFuture, ChatClientRequest, ChatClientResponse, EventStream,
};
use crate::message::{History, Message};

/// Logs each model call and its answer, at debug.
///
/// What is said stays out of the log, and of an error everything but its kind, unless
/// [`content`](SimpleLoggerAdvisorBuilder::content) is on; then
/// it passes through the [redactor](SimpleLoggerAdvisorBuilder::redact) first (rule OBS-3). What tools
/// get in their context is never logged.
#[derive(Clone)]
pub struct SimpleLoggerAdvisor(SimpleLoggerAdvisorBuilder);

impl SimpleLoggerAdvisor {
    /// Inside of the tool loop: each of its model calls is logged.
    pub const DEFAULT_ORDER: i32 = order::DEFAULT;

    /// A logger that logs no content.
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// A builder.
    pub fn builder() -> SimpleLoggerAdvisorBuilder {
        SimpleLoggerAdvisorBuilder {
            order: Self::DEFAULT_ORDER,
            content: false,
            redact: None,
        }
    }

    async fn run(
        &self,
        request: ChatClientRequest,
        rest: AdvisorChain,
        events: Emitter,
    ) -> Result<ChatClientResponse, Error> {
        if !tracing::enabled!(tracing::Level::DEBUG) {
            return run_rest(&rest, request, &events).await;
        }
        let (round, began) = (request.round(), Instant::now());
        self.log_request(&request);
        let result = run_rest(&rest, request, &events).await;
        match &result {
            Ok(response) => self.log_response(response, round, began.elapsed()),
            Err(error) => {
                // Its text may quote what the model or a tool said.
                let content = self.0.content.then(|| self.redacted(&error.to_string()));
                let (kind, elapsed) = (&*error.kind_name(), began.elapsed());
                tracing::debug!(round, ?elapsed, kind, content, "the request failed");
            }
        }
        result
    }

    fn log_request(&self, request: &ChatClientRequest) {
        let (messages, options) = (request.prompt().messages(), request.prompt().options());
        tracing::debug!(
            round = request.round(),
            model = options.model().map(|name| &**name),
            messages = messages.len(),
            tools = options.tools().len(),
            content = self.0.content.then(|| self.redacted(&all_lines(messages))),
            "request"
        );
    }

    fn log_response(&self, response: &ChatClientResponse, round: u32, elapsed: Duration) {
        let response = response.chat_response();
        let usage = response.usage();
        let said = || {
            let messages = response.generations.iter().map(|one| one.message.clone());
            self.redacted(&all_lines(&messages.collect()))
        };
        tracing::debug!(
            round,
            ?elapsed,
            model = response.metadata.model.as_deref(),
            finish_reason = response.finish_reason().map(|reason| reason.as_str()),
            tool_calls = response.tool_calls().count(),
            input_tokens = usage.input_tokens,
            output_tokens = usage.output_tokens,
            content = self.0.content.then(said),
            "response"
        );
    }

    fn redacted(&self, text: &str) -> String {
        match &self.0.redact {
            Some(redact) => redact(text),
            None => text.to_owned(),
        }
    }
}

fn all_lines(messages: &History) -> String {
    let lines: Vec<String> = messages.iter().map(|message| line(message)).collect();
    lines.join("\n")
}

/// What a message says: its text, its calls with their arguments, and answers to calls.
fn line(message: &Message) -> String {
    let mut line = format!("{:?}: {}", message.role(), message.text());
    for call in message.tool_calls() {
        let _ = write!(line, " {}({})", call.name, call.arguments);
    }
    for answer in message.tool_responses() {
        let _ = write!(line, " {} = {}", answer.name, answer.text());
    }
    line
}

impl Default for SimpleLoggerAdvisor {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for SimpleLoggerAdvisor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Advisor for SimpleLoggerAdvisor {
    fn name(&self) -> &str {
        "simple-logger"
    }

    fn order(&self) -> i32 {
        self.0.order
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
}

/// Builds a [`SimpleLoggerAdvisor`].
#[derive(Clone)]
#[must_use]
pub struct SimpleLoggerAdvisorBuilder {
    order: i32,
    content: bool,
    redact: Option<Redact>,
}

type Redact = Arc<dyn Fn(&str) -> String + Send + Sync>;

impl SimpleLoggerAdvisorBuilder {
    /// Whether the messages themselves are logged, with the arguments and results of calls and the texts
    /// of errors, which may quote them; by default they are not.
    pub fn content(mut self, content: bool) -> Self {
        self.content = content;
        self
    }

    /// Rewrites every text before it is logged, that of errors too.
    pub fn redact(mut self, redact: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        self.redact = Some(Arc::new(redact));
        self
    }

    /// Where the advisor stands. With an order lower than the tool loop's it logs a turn as one.
    pub fn advisor_order(mut self, order: i32) -> Self {
        self.order = order;
        self
    }

    /// The advisor.
    pub fn build(self) -> SimpleLoggerAdvisor {
        SimpleLoggerAdvisor(self)
    }
}

impl fmt::Debug for SimpleLoggerAdvisorBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimpleLoggerAdvisor")
            .field("order", &self.order)
            .field("content", &self.content)
            .field("redact", &self.redact.is_some())
            .finish()
    }
}
