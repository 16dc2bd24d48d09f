//! What a server answers, whatever it is: the adapters never panic on it, and it makes no difference
//! where a stream is cut.

use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt, stream};
use http::{HeaderMap, StatusCode, header};
use tokio::runtime::{Builder, Runtime};
use vernal_core::model::{ChatModel, ModelError, ModelEvent};
use vernal_models::http::{HttpError, HttpRequest, HttpResponse, HttpTransport};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let mut builder = Builder::new_current_thread();
    builder.enable_time().build().expect("a runtime")
});

/// Statuses to choose from: most answers are good.
const STATUSES: [u16; 4] = [200, 200, 400, 529];

/// A server that gives one answer, cut into pieces.
#[derive(Clone)]
pub struct Server {
    status: StatusCode,
    content_type: &'static str,
    body: Bytes,
    /// The sizes of the pieces, over and over; none for one piece.
    cuts: Arc<[u8]>,
}

impl HttpTransport for Server {
    fn send(&self, _: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        let mut headers = HeaderMap::new();
        headers.insert(
            header::CONTENT_TYPE,
            self.content_type.parse().expect("a content type"),
        );
        let (mut rest, cuts, status) = (self.body.clone(), self.cuts.clone(), self.status);
        let mut at = 0;
        let pieces = stream::iter(std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let size = match cuts.get(at % cuts.len().max(1)) {
                Some(size) => usize::from(*size).max(1),
                None => rest.len(),
            };
            at += 1;
            Some(Ok(rest.split_to(size.min(rest.len()))))
        }));
        async move { Ok(HttpResponse::new(status, headers, pieces.boxed())) }.boxed()
    }
}

/// The first byte chooses the status, the next three say where to cut, the rest is the answer.
pub fn check<M: ChatModel>(data: &[u8], content_type: &'static str, model: impl Fn(Server) -> M) {
    let Some((head, body)) = data.split_first_chunk::<4>() else {
        return;
    };
    let [status, cuts @ ..] = head;
    let whole = Server {
        status: StatusCode::from_u16(STATUSES[usize::from(*status) % STATUSES.len()])
            .expect("a status"),
        content_type,
        body: Bytes::copy_from_slice(body),
        cuts: Arc::default(),
    };
    let cut = Server {
        cuts: Arc::from(cuts.as_slice()),
        ..whole.clone()
    };
    let told = RUNTIME.block_on(streamed(&model(whole.clone())));
    assert_eq!(told, RUNTIME.block_on(streamed(&model(cut))));
    let _ = RUNTIME.block_on(model(whole).call("Hi!".into()));
}

/// Everything that a stream tells, an item each.
async fn streamed(model: &dyn ChatModel) -> Vec<String> {
    let items = model.stream("Hi!".into());
    items.map(|item| told(&item)).collect().await
}

/// An item without the id of its message, which is another one each time.
fn told(item: &Result<ModelEvent, ModelError>) -> String {
    let Ok(ModelEvent::Completed(response)) = item else {
        return format!("{item:?}");
    };
    let generations = response.generations.iter();
    let said: Vec<_> = generations
        .map(|of| (of.message.parts(), &of.finish_reason, &of.metadata))
        .collect();
    format!("{said:?} {:?}", response.metadata)
}
