use std::cell::OnceCell;
use std::sync::Arc;

use bytes::Bytes;
use vernal_core::model::{ChatOptions, ChatResponse, ModelError, Prompt, ToolChoice};

use super::collect::Collector;
use super::request::{Prepared, RequestDefaults};
use super::{BASE_URL, OllamaChatModelBuilder};
use crate::exchange::{
    Adapter, Dialect, ErrorPlace, Events, Framing, Origin, Progress, chat_model,
};
use crate::http::{HttpClient, SseEvent};
use crate::json::from_text;

/// A chat model behind an Ollama server.
///
/// A copy shares connections and settings. It needs a tokio runtime with time and I/O.
#[derive(Clone)]
pub struct OllamaChatModel(Arc<Adapter<RequestDefaults>>);

impl OllamaChatModel {
    /// A builder, for a server on this machine unless it is told otherwise.
    pub fn builder() -> OllamaChatModelBuilder {
        OllamaChatModelBuilder::default()
    }

    /// A model at `OLLAMA_HOST` or else on this machine; a model named in `OLLAMA_MODEL` is used where
    /// the options of a request name none, and a key in `OLLAMA_API_KEY` is sent.
    ///
    /// # Errors
    /// A variable cannot be used; the error says what is wrong with it.
    pub fn from_env() -> Result<Self, ModelError> {
        OllamaChatModelBuilder::from_env()?.build()
    }
}

chat_model!(OllamaChatModel);

impl Dialect for Adapter<RequestDefaults> {
    type Prepared = Prepared;
    type Collector = Collector;

    const BASE_URL: &'static str = BASE_URL;
    const FRAMING: Framing = Framing::Lines;

    fn name(&self) -> &str {
        self.defaults.model.as_deref().unwrap_or(super::PROVIDER)
    }

    /// A form that is asked for leaves no room for calls.
    fn supports_response_schema(&self, options: &ChatOptions) -> bool {
        options.tools().is_empty() || options.tool_choice() == &ToolChoice::None
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

    /// A whole answer is one line, or one value over several lines; a proxy may send a stream instead.
    fn read(
        &self,
        body: &str,
        prepared: &Prepared,
        origin: &Origin<'_>,
    ) -> Result<ChatResponse, ModelError> {
        let (mut collector, mut unwatched) = (Collector::default(), Events::new());
        let mut take = |line| {
            let place = ErrorPlace::InAnswer;
            collector.take(line, place, prepared, origin, &mut unwatched)?;
            Ok(collector.progress())
        };
        let lines = || body.lines().filter(|line| !line.trim().is_empty());
        if is_json(body) || !lines().next().is_some_and(is_json) {
            take(body)?;
        } else {
            for line in lines() {
                if take(line)? == Progress::Done {
                    break;
                }
            }
        }
        collector.finish(prepared, origin, &mut unwatched)
    }

    fn take(
        &self,
        collector: &mut Collector,
        line: SseEvent<'_>,
        prepared: &Prepared,
        origin: &Origin<'_>,
        events: &mut Events,
    ) -> Result<(), ModelError> {
        let place = ErrorPlace::InStream;
        collector.take(line.data, place, prepared, origin, events)
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

fn is_json(text: &str) -> bool {
    from_text::<serde::de::IgnoredAny>(text, &OnceCell::new()).is_ok()
}
