use std::collections::VecDeque;

use bytes::Bytes;
use url::Url;
use vernal_core::message::Message;
use vernal_core::model::{ChatOptions, ChatResponse, ModelError, ModelEvent, Prompt};

use super::pairs::paired;
use super::{Framing, Origin};
use crate::http::{HttpClient, Reply, SseEvent};

/// The events that were made and not yet handed on.
pub(crate) type Events = VecDeque<ModelEvent>;

/// How far a streamed answer has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// More is to come.
    Open,
    /// The answer is complete, though the server may say more about it, such as its usage.
    // Ollama tells the usage with the end.
    #[cfg_attr(
        not(any(
            feature = "anthropic",
            feature = "bedrock",
            feature = "gemini",
            feature = "openai"
        )),
        allow(dead_code)
    )]
    Ended,
    /// The server said that nothing follows.
    Done,
}

/// A language of requests and answers over HTTP.
pub(crate) trait Dialect: Send + Sync + 'static {
    /// A request that is ready to be sent, and what is needed to read its answer.
    type Prepared: Send + Sync + 'static;
    /// What has come of a streamed answer so far.
    type Collector: Default + Send + 'static;

    /// How the base URL should look: what follows "the base URL, which".
    const BASE_URL: &'static str;

    /// How the events of a stream are told apart.
    const FRAMING: Framing = Framing::Events;

    /// The model's name, or the server's where requests name the model.
    fn name(&self) -> &str;

    /// See [`ChatModel`](vernal_core::model::ChatModel::supports_response_schema).
    fn supports_response_schema(&self, _: &ChatOptions) -> bool {
        false
    }

    /// The endpoint.
    fn http(&self) -> &HttpClient;

    /// Whether the server knows a call of this id that no message shows as one: in the model's `latest`
    /// message, or before all messages.
    fn knows_call(&self, _prompt: &Prompt, _latest: Option<&Message>, _id: &str) -> bool {
        false
    }

    /// Writes the request for a prompt, in which each call has its one result.
    fn prepare_paired(&self, prompt: &Prompt, stream: bool) -> Result<Self::Prepared, ModelError> {
        let knows = |latest: Option<&Message>, id: &str| self.knows_call(prompt, latest, id);
        self.prepare(&paired(prompt, &knows), stream)
    }

    /// Writes the request for a prompt whose calls and results are paired.
    fn prepare(&self, prompt: &Prompt, stream: bool) -> Result<Self::Prepared, ModelError>;

    /// Where the request goes.
    fn url<'a>(&'a self, _: &'a Self::Prepared) -> &'a Url {
        &self.http().url
    }

    /// The bytes to send.
    fn body(prepared: &Self::Prepared) -> Bytes;

    /// Reads an answer that came in one piece.
    fn read(
        &self,
        body: &str,
        prepared: &Self::Prepared,
        origin: &Origin<'_>,
    ) -> Result<ChatResponse, ModelError>;

    /// Takes one event of a streamed answer.
    fn take(
        &self,
        collector: &mut Self::Collector,
        event: SseEvent<'_>,
        prepared: &Self::Prepared,
        origin: &Origin<'_>,
        events: &mut Events,
    ) -> Result<(), ModelError>;

    /// How far the answer has come.
    fn progress(collector: &Self::Collector) -> Progress;

    /// Whether a tool of the provider was at work in the answer: to ask again would set it to work again.
    fn has_acted(_: &Self::Collector) -> bool {
        false
    }

    /// The whole answer, once the stream has ended.
    fn finish(
        &self,
        collector: Self::Collector,
        prepared: &Self::Prepared,
        origin: &Origin<'_>,
        events: &mut Events,
    ) -> Result<ChatResponse, ModelError>;

    /// Where an answer comes from.
    fn origin<'a>(&'a self, request_id: Option<&'a str>) -> Origin<'a> {
        let http = self.http();
        Origin {
            server: &http.origin,
            request_id,
            redactor: &http.redactor,
            base_url: Self::BASE_URL,
            is_open_ended: false,
        }
    }

    /// Where an answer comes from whose body is read whole.
    fn origin_of_body<'a>(&'a self, reply: &'a Reply) -> Origin<'a> {
        Origin {
            is_open_ended: !reply.has_length(),
            ..self.origin(reply.request_id())
        }
    }
}
