use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use url::Url;
use vernal_core::model::{
    Capabilities, ChatModel, ChatOptions, ChatResponse, Finding, ModelError, ModelFuture,
    ModelStream, Prompt,
};

use super::collect::Collector;
use super::format::supports_schema;
use super::request::{Prepared, RequestDefaults};
use super::{BASE_URL, BedrockChatModelBuilder, PROVIDER, response};
use crate::exchange::{Dialect, Events, Framing, Origin, Progress, call, stream};
use crate::http::{HttpClient, SseEvent};

/// A chat model behind Bedrock's Converse.
///
/// A copy shares connections and settings. It needs a tokio runtime with time and I/O.
#[derive(Clone)]
pub struct BedrockChatModel(Arc<Inner>);

pub(super) struct Inner {
    pub(super) http: HttpClient,
    pub(super) defaults: RequestDefaults,
}

impl BedrockChatModel {
    /// A builder; it needs a region, and credentials or an API key.
    pub fn builder() -> BedrockChatModelBuilder {
        BedrockChatModelBuilder::default()
    }

    /// A model with what the environment says, under the names that the tools of AWS know: the API key
    /// in `AWS_BEARER_TOKEN_BEDROCK`, or else the credentials in `AWS_ACCESS_KEY_ID`,
    /// `AWS_SECRET_ACCESS_KEY` and, for those of a session, `AWS_SESSION_TOKEN`; the region in
    /// `AWS_REGION` or else `AWS_DEFAULT_REGION`; another server than the region's in
    /// `AWS_ENDPOINT_URL_BEDROCK_RUNTIME`. A model named in `BEDROCK_MODEL` is used where the options
    /// of a request name none.
    ///
    /// # Errors
    /// A variable is missing or cannot be used; the error names it.
    pub fn from_env() -> Result<Self, ModelError> {
        BedrockChatModelBuilder::from_env()?.build()
    }

    pub(super) fn of(inner: Inner) -> Self {
        Self(Arc::new(inner))
    }
}

impl ChatModel for BedrockChatModel {
    fn name(&self) -> &str {
        self.0.defaults.model.as_deref().unwrap_or(PROVIDER)
    }

    fn call(&self, prompt: Prompt) -> ModelFuture {
        let inner = self.0.clone();
        Box::pin(async move { call(&*inner, &prompt).await })
    }

    fn stream(&self, prompt: Prompt) -> ModelStream {
        stream(self.0.clone(), prompt)
    }

    fn supports_response_schema(&self, options: &ChatOptions) -> bool {
        supports_schema(options, &self.0.defaults.capabilities(options))
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
    const FRAMING: Framing = Framing::Frames;

    fn http(&self) -> &HttpClient {
        &self.http
    }

    fn prepare(&self, prompt: &Prompt, stream: bool) -> Result<Prepared, ModelError> {
        self.defaults.prepare(&self.http.url, prompt, stream)
    }

    fn url<'a>(&'a self, prepared: &'a Prepared) -> &'a Url {
        &prepared.url
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
        _: &mut Events,
    ) -> Result<ChatResponse, ModelError> {
        collector.finish(prepared, origin)
    }
}

impl fmt::Debug for BedrockChatModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BedrockChatModel")
            .field("server", &self.0.http.origin)
            .field("model", &self.0.defaults.model)
            .finish_non_exhaustive()
    }
}
