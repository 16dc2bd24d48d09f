//! A stream out of a future: the future emits events while it runs, and its result is the last one.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use futures::Stream;
use futures::future::BoxFuture;
use futures::task::AtomicWaker;

use super::{ChatClientResponse, ChatEvent, EventStream};
use crate::Error;

/// Where a running request puts its events. In a plain call nobody listens and nothing is kept.
#[derive(Clone, Default)]
pub(crate) struct Emitter(Option<Arc<Queue>>);

#[derive(Default)]
struct Queue {
    events: Mutex<VecDeque<ChatEvent>>,
    /// Who waits for events: a tool on another thread may have news.
    listener: AtomicWaker,
}

impl Emitter {
    /// An emitter that nobody listens to.
    pub(crate) fn silent() -> Self {
        Self(None)
    }

    /// Whether somebody listens.
    pub(crate) fn is_heard(&self) -> bool {
        self.0.is_some()
    }

    /// Puts an event, from any thread, and tells the listener.
    pub(crate) fn put(&self, event: ChatEvent) {
        if let Some(queue) = &self.0 {
            queue.lock().push_back(event);
            queue.listener.wake();
        }
    }

    /// Puts an event and lets the listener have it before going on.
    pub(crate) async fn emit(&self, event: ChatEvent) {
        if self.is_heard() {
            self.put(event);
            yield_to_listener().await;
        }
    }

    fn take(&self) -> Option<ChatEvent> {
        self.0.as_ref()?.lock().pop_front()
    }

    fn listen(&self, context: &Context<'_>) {
        if let Some(queue) = &self.0 {
            queue.listener.register(context.waker());
        }
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, VecDeque<ChatEvent>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits until the stream has handed over what was put: pending once, without waking anybody, for the
/// stream itself is about to return an event and will be polled again.
fn yield_to_listener() -> impl Future<Output = ()> {
    let mut yielded = false;
    std::future::poll_fn(move |_| {
        if std::mem::replace(&mut yielded, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
}

/// The events of a request that is run by `run`; nothing runs before the first poll, and dropping
/// the stream drops the request (rule STR-3).
pub(crate) fn stream_of<R, F>(run: R) -> EventStream
where
    R: FnOnce(Emitter) -> F,
    F: Future<Output = Result<ChatClientResponse, Error>> + Send + 'static,
{
    let events = Emitter(Some(Arc::default()));
    let running = Box::pin(run(events.clone()));
    Box::pin(Running {
        events,
        running: Some(running),
        result: None,
    })
}

struct Running {
    events: Emitter,
    running: Option<BoxFuture<'static, Result<ChatClientResponse, Error>>>,
    result: Option<Result<ChatClientResponse, Error>>,
}

impl Running {
    /// Whether the result was handed over: what a tool still reports from its thread comes too late.
    fn is_over(&self) -> bool {
        self.running.is_none() && self.result.is_none()
    }
}

impl Stream for Running {
    type Item = Result<ChatEvent, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.is_over() {
            return Poll::Ready(None);
        }
        self.events.listen(context);
        if let Some(event) = self.events.take() {
            return Poll::Ready(Some(Ok(event)));
        }
        if let Some(running) = &mut self.running {
            match running.as_mut().poll(context) {
                Poll::Ready(result) => {
                    self.running = None;
                    self.result = Some(result);
                }
                Poll::Pending => {
                    let event = self.events.take();
                    return event.map_or(Poll::Pending, |event| Poll::Ready(Some(Ok(event))));
                }
            }
        }
        if let Some(event) = self.events.take() {
            return Poll::Ready(Some(Ok(event)));
        }
        Poll::Ready(self.result.take().map(|result| {
            result.map(|response| ChatEvent::Done {
                response: Box::new(response),
            })
        }))
    }
}

#[cfg(test)]
mod tests {
    use futures::StreamExt;

    use super::*;
    use crate::model::ChatResponse;

    #[test]
    fn what_comes_after_the_result_is_not_handed_over() {
        let kept: Arc<Mutex<Emitter>> = Arc::default();
        let keep = kept.clone();
        let mut events = stream_of(move |events| async move {
            *keep.lock().unwrap() = events;
            Ok(ChatClientResponse::new(ChatResponse::text("done")))
        });
        futures::executor::block_on(async {
            let last = events.next().await;
            assert!(matches!(last, Some(Ok(ChatEvent::Done { .. }))));
            let late = ChatEvent::TextDelta {
                round: 1,
                text: "late".into(),
            };
            kept.lock().unwrap().put(late);
            assert!(events.next().await.is_none());
        });
    }
}
