use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures::{Stream, StreamExt};

use crate::Error;
use crate::advisor::{ChatClientResponse, ChatEvent, EventStream, events_of_model};
use crate::model::ModelStream;

/// Passes the events of a streamed request on as they come, and collects them into the response that a
/// plain call would have given: what makes a streamed loop of one's own as short as a called one.
///
/// [`ChatEvent::Done`] is not passed on, for it is the response of one request and a loop makes several.
///
/// ```
/// use vernal_core::client::{ChatClient, ChatClientMessageAggregator};
/// # use vernal_core::advisor::AdvisorParams;
/// # use vernal_testing::ScriptedModel;
/// # futures::executor::block_on(async {
/// # let model = ScriptedModel::new().calls("weather", r#"{"city":"Jeju"}"#);
/// # let client = ChatClient::create(model);
/// # let request = client.prompt("Weather?").advisors(AdvisorParams::tool_calling_advisor_auto_register(false));
/// let mut events = ChatClientMessageAggregator::new(request.stream());
/// while let Some(event) = events.next().await {
///     println!("{:?}", event?); // to a user interface, for example
/// }
/// let response = events.response().await?;
/// assert!(response.chat_response().has_tool_calls());
/// # Ok::<(), vernal_core::Error>(()) }).unwrap();
/// ```
#[must_use = "a stream does nothing until it is polled"]
pub struct ChatClientMessageAggregator {
    events: EventStream,
    response: Option<ChatClientResponse>,
    is_over: bool,
}

impl ChatClientMessageAggregator {
    /// Collects the events of a request.
    pub fn new(events: impl Stream<Item = Result<ChatEvent, Error>> + Send + 'static) -> Self {
        Self {
            events: Box::pin(events),
            response: None,
            is_over: false,
        }
    }

    /// Collects what a model streams that is used without a client.
    ///
    /// ```
    /// use vernal_core::client::ChatClientMessageAggregator;
    /// use vernal_core::model::ChatModel;
    /// # use vernal_testing::ScriptedModel;
    /// # futures::executor::block_on(async {
    /// # let model = ScriptedModel::new().says("Hello.");
    /// let events = ChatClientMessageAggregator::of_model(model.stream("Hi!".into()));
    /// assert_eq!(events.response().await?.content(), "Hello.");
    /// # Ok::<(), vernal_core::Error>(()) }).unwrap();
    /// ```
    pub fn of_model(events: ModelStream) -> Self {
        Self::new(events_of_model(events))
    }

    /// The next event; `None` when all have come.
    pub async fn next(&mut self) -> Option<Result<ChatEvent, Error>> {
        StreamExt::next(self).await
    }

    /// The collected response; waits for the events that have not come yet, and passes them over.
    ///
    /// # Errors
    /// As the request's; where an event was an error already, one that says so.
    pub async fn response(mut self) -> Result<ChatClientResponse, Error> {
        while let Some(event) = self.next().await {
            event?;
        }
        self.response.ok_or_else(|| {
            Error::setup(
                "the stream has no response: it failed, or it ended without `Done`; look at the errors \
                 among its events first",
            )
        })
    }
}

impl Stream for ChatClientMessageAggregator {
    type Item = Result<ChatEvent, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let item = ready!(self.events.poll_next_unpin(context));
        self.is_over = !matches!(&item, Some(Ok(event)) if !event.is_done());
        Poll::Ready(match item {
            Some(Ok(ChatEvent::Done { response })) => {
                self.response = Some(*response);
                None
            }
            item => item,
        })
    }
}
