use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use vernal_core::model::{
    Capabilities, ChatModel, ChatOptions, ChatResponse, Finding, ModelError, ModelFuture,
    ModelStream, Prompt,
};

use super::OpenAiResponsesModelBuilder;
use super::collect::Collector;
use super::format::supports_schema;
use super::request::{Prepared, RequestDefaults};
use super::response;
use crate::exchange::{Dialect, Events, Origin, Progress, call, stream};
use crate::http::{HttpClient, SseEvent};

/// How the base URL should look.
pub(super) const BASE_URL: &str = "usually ends in /v1";

/// A chat model behind a server that speaks OpenAI Responses.
///
/// A copy shares connections and settings. It needs a tokio runtime with time and I/O.
#[derive(Clone)]
pub struct OpenAiResponsesModel(Arc<Inner>);

pub(super) struct Inner {
    pub(super) http: HttpClient,
    pub(super) defaults: RequestDefaults,
}

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

    pub(super) fn of(inner: Inner) -> Self {
        Self(Arc::new(inner))
    }
}

impl ChatModel for OpenAiResponsesModel {
    fn name(&self) -> &str {
        let defaults = &self.0.defaults;
        defaults.model.as_deref().unwrap_or(defaults.provider)
    }

    fn call(&self, prompt: Prompt) -> ModelFuture {
        let inner = self.0.clone();
        Box::pin(async move { call(&*inner, &prompt).await })
    }

    fn stream(&self, prompt: Prompt) -> ModelStream {
        stream(self.0.clone(), prompt)
    }

    fn supports_response_schema(&self, options: &ChatOptions) -> bool {
        let defaults = &self.0.defaults;
        supports_schema(options, defaults.family())
            && defaults.capabilities(options).response_schema != Some(false)
    }

    fn check(&self, options: &ChatOptions) -> Vec<Finding> {
        self.0.defaults.check(options)
    }

    fn capabilities(&self, options: &ChatOptions) -> Capabilities {
        self.0.defaults.capabilities(options)
    }
}

impl Dialect for Inner {
    type Prepared = Prepared;
    type Collector = Collector;

    const BASE_URL: &'static str = BASE_URL;

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

impl fmt::Debug for OpenAiResponsesModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiResponsesModel")
            .field("server", &self.0.http.origin)
            .field("model", &self.0.defaults.model)
            .field("state", &self.0.defaults.state)
            .finish_non_exhaustive()
    }
}
