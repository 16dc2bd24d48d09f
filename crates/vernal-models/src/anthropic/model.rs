use std::sync::Arc;

use bytes::Bytes;
use vernal_core::model::{ChatOptions, ChatResponse, ModelError, Prompt};

use super::AnthropicChatModelBuilder;
use super::collect::Collector;
use super::format::FORM;
use super::request::{Prepared, RequestDefaults};
use super::{PROVIDER, response};
use crate::exchange::{Adapter, Dialect, Events, Origin, Progress, chat_model};
use crate::http::{HttpClient, SseEvent};

/// How the base URL should look.
pub(super) const BASE_URL: &str = "is what stands before /v1/messages";

/// A chat model behind a server that speaks Anthropic Messages.
///
/// A copy shares connections and settings. It needs a tokio runtime with time and I/O.
#[derive(Clone)]
pub struct AnthropicChatModel(Arc<Adapter<RequestDefaults>>);

impl AnthropicChatModel {
    /// A builder, for Anthropic unless it is told otherwise.
    pub fn builder() -> AnthropicChatModelBuilder {
        AnthropicChatModelBuilder::default()
    }

    /// A model with the key in `ANTHROPIC_API_KEY`, at `ANTHROPIC_BASE_URL` or else at Anthropic; a
    /// model named in `ANTHROPIC_MODEL` is used where the options of a request name none.
    ///
    /// # Errors
    /// A variable is missing or cannot be used; the error names it.
    pub fn from_env() -> Result<Self, ModelError> {
        AnthropicChatModelBuilder::from_env()?.build()
    }
}

chat_model!(AnthropicChatModel);

impl Dialect for Adapter<RequestDefaults> {
    type Prepared = Prepared;
    type Collector = Collector;

    const BASE_URL: &'static str = BASE_URL;

    fn name(&self) -> &str {
        self.defaults.model.as_deref().unwrap_or(PROVIDER)
    }

    fn supports_response_schema(&self, options: &ChatOptions) -> bool {
        let says_all = FORM.says_all(options.response_format());
        says_all && self.defaults.holds(options) == Some(true)
    }

    fn http(&self) -> &HttpClient {
        &self.http
    }

    fn prepare(&self, prompt: &Prompt, stream: bool) -> Result<Prepared, ModelError> {
        self.defaults.prepare(prompt, stream)
    }

    fn body(prepared: &Prepared) -> Bytes {
        prepared.body.clone()
    }

    fn read(
        &self,
        body: &str,
        prepared: &Prepared,
        origin: &Origin<'_>,
    ) -> Result<ChatResponse, ModelError> {
        response::read(body, prepared, origin)
    }

    fn take(
        &self,
        collector: &mut Collector,
        event: SseEvent<'_>,
        prepared: &Prepared,
        origin: &Origin<'_>,
        events: &mut Events,
    ) -> Result<(), ModelError> {
        collector.take(event, prepared, origin, events)
    }

    fn has_acted(collector: &Collector) -> bool {
        collector.has_acted()
    }

    fn progress(collector: &Collector) -> Progress {
        collector.progress()
    }

    fn finish(
        &self,
        collector: Collector,
        prepared: &Prepared,
        origin: &Origin<'_>,
        events: &mut Events,
    ) -> Result<ChatResponse, ModelError> {
        collector.finish(prepared, origin, events)
    }
}
