use std::sync::Arc;

use bytes::Bytes;
use vernal_core::message::Message;
use vernal_core::model::{ChatOptions, ChatResponse, ModelError, Prompt};

use super::OpenAiResponsesModelBuilder;
use super::collect::Collector;
use super::format::supports_schema;
use super::request::{Prepared, RequestDefaults};
use super::response;
use crate::exchange::{Adapter, Dialect, Events, Origin, Progress, chat_model};
use crate::http::{HttpClient, SseEvent};

/// How the base URL should look.
pub(super) const BASE_URL: &str = "usually ends in /v1";

/// A chat model behind a server that speaks OpenAI Responses.
///
/// A copy shares connections and settings. It needs a tokio runtime with time and I/O.
#[derive(Clone)]
pub struct OpenAiResponsesModel(Arc<Adapter<RequestDefaults>>);

impl OpenAiResponsesModel {
    /// A builder, for OpenAI unless it is told otherwise.
    pub fn builder() -> OpenAiResponsesModelBuilder {
        OpenAiResponsesModelBuilder::default()
    }

    /// A model with the key in `OPENAI_API_KEY`, at `OPENAI_BASE_URL` or else at OpenAI; a model
    /// named in `OPENAI_MODEL` is used where the options of a request name none.
    ///
    /// # Errors
    /// A variable is missing or cannot be used; the error names it.
    pub fn from_env() -> Result<Self, ModelError> {
        OpenAiResponsesModelBuilder::from_env()?.build()
    }
}

chat_model!(OpenAiResponsesModel);

impl Dialect for Adapter<RequestDefaults> {
    type Prepared = Prepared;
    type Collector = Collector;

    const BASE_URL: &'static str = BASE_URL;

    fn name(&self) -> &str {
        self.defaults
            .model
            .as_deref()
            .unwrap_or(self.defaults.provider)
    }

    fn supports_response_schema(&self, options: &ChatOptions) -> bool {
        let defaults = &self.defaults;
        supports_schema(options, defaults.family())
            && defaults.capabilities(options).response_schema != Some(false)
    }

    fn http(&self) -> &HttpClient {
        &self.http
    }

    fn knows_call(&self, prompt: &Prompt, latest: Option<&Message>, id: &str) -> bool {
        self.defaults.knows_call(prompt, latest, id)
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
