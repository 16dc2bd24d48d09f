use std::sync::Arc;

use bytes::Bytes;
use url::Url;
use vernal_core::model::{ChatOptions, ChatResponse, ModelError, Prompt};

use super::collect::Collector;
use super::format::FORM;
use super::request::{Prepared, RequestDefaults};
use super::{BASE_URL, BedrockChatModelBuilder, PROVIDER, response};
use crate::exchange::{Adapter, Dialect, Events, Framing, Origin, Progress, chat_model};
use crate::http::{HttpClient, SseEvent};

/// A chat model behind Bedrock's Converse.
///
/// A copy shares connections and settings. It needs a tokio runtime with time and I/O.
#[derive(Clone)]
pub struct BedrockChatModel(Arc<Adapter<RequestDefaults>>);

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
}

chat_model!(BedrockChatModel);

impl Dialect for Adapter<RequestDefaults> {
    type Prepared = Prepared;
    type Collector = Collector;

    const BASE_URL: &'static str = BASE_URL;
    const FRAMING: Framing = Framing::Frames;

    fn name(&self) -> &str {
        self.defaults.model.as_deref().unwrap_or(PROVIDER)
    }

    fn supports_response_schema(&self, options: &ChatOptions) -> bool {
        let can = self.defaults.capabilities(options).response_schema;
        can == Some(true) && FORM.says_all(options.response_format())
    }

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
