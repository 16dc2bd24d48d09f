use std::sync::Arc;

use bytes::Bytes;
use url::Url;
use vernal_core::model::{ChatOptions, ChatResponse, ModelError, Prompt};

use super::collect::Collector;
use super::format::supports_schema;
use super::request::{Prepared, RequestDefaults};
use super::{BASE_URL, GeminiChatModelBuilder};
use crate::exchange::{
    Adapter, Dialect, ErrorPlace, Events, Origin, Progress, chat_model, error_said,
};
use crate::http::{HttpClient, SseEvent};

/// A chat model behind Gemini's `generateContent`.
///
/// A copy shares connections and settings. It needs a tokio runtime with time and I/O.
#[derive(Clone)]
pub struct GeminiChatModel(Arc<Adapter<RequestDefaults>>);

impl GeminiChatModel {
    /// A builder, for Google's server unless it is told otherwise.
    pub fn builder() -> GeminiChatModelBuilder {
        GeminiChatModelBuilder::default()
    }

    /// A model with the key in `GEMINI_API_KEY` or else `GOOGLE_API_KEY`, at `GEMINI_BASE_URL` or else
    /// at Google's server; a model named in `GEMINI_MODEL` is used where the options of a request name
    /// none.
    ///
    /// # Errors
    /// A variable is missing or cannot be used; the error names it.
    pub fn from_env() -> Result<Self, ModelError> {
        GeminiChatModelBuilder::from_env()?.build()
    }
}

chat_model!(GeminiChatModel);

impl Dialect for Adapter<RequestDefaults> {
    type Prepared = Prepared;
    type Collector = Collector;

    const BASE_URL: &'static str = BASE_URL;

    fn name(&self) -> &str {
        self.defaults.model.as_deref().unwrap_or(super::PROVIDER)
    }

    fn supports_response_schema(&self, options: &ChatOptions) -> bool {
        let model = options.model().or(self.defaults.model.as_ref());
        let form = self.defaults.schema_form;
        supports_schema(options, model.map(|name| &**name), form)
    }

    fn http(&self) -> &HttpClient {
        &self.http
    }

    fn prepare(&self, prompt: &Prompt, stream: bool) -> Result<Prepared, ModelError> {
        self.defaults.prepare(&self.http.url, prompt, stream)
    }

    fn body(prepared: &Prepared) -> Bytes {
        prepared.body.clone()
    }

    fn url<'a>(&'a self, prepared: &'a Prepared) -> &'a Url {
        &prepared.url
    }

    fn read(
        &self,
        body: &str,
        prepared: &Prepared,
        origin: &Origin<'_>,
    ) -> Result<ChatResponse, ModelError> {
        let (mut collector, mut unwatched) = (Collector::default(), Events::new());
        let place = ErrorPlace::InAnswer;
        collector.take(body, place, prepared, origin, &mut unwatched)?;
        collector.end();
        collector.finish(prepared, origin, &mut unwatched)
    }

    fn take(
        &self,
        collector: &mut Collector,
        event: SseEvent<'_>,
        prepared: &Prepared,
        origin: &Origin<'_>,
        events: &mut Events,
    ) -> Result<(), ModelError> {
        let (data, place) = (event.data.trim(), ErrorPlace::InStream);
        if event.name == "error" {
            return Err(error_said(data, place, origin));
        }
        if data == "[DONE]" {
            collector.end();
            return Ok(());
        }
        // Signs of life hold no JSON.
        if !data.starts_with(['{', '[']) {
            return Ok(());
        }
        collector.take(data, place, prepared, origin, events)
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
