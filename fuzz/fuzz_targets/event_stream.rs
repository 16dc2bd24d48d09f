//! The frames of AWS: wherever a stream is cut, it reads as it does whole, and whatever the bytes are,
//! nothing panics. The adapter for Bedrock reads them, so that the events in the frames are tried too.

#![no_main]

use std::sync::LazyLock;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt, ready};
use futures::stream::{self, StreamExt};
use http::{HeaderMap, StatusCode};
use libfuzzer_sys::fuzz_target;
use tokio::runtime::{Builder, Runtime};
use vernal_core::model::{ChatModel, ModelEvent};
use vernal_models::bedrock::BedrockChatModel;
use vernal_models::http::{HttpError, HttpLimits, HttpRequest, HttpResponse, HttpTransport};

/// The most bytes of a frame.
const LIMIT: usize = 1024;

const NAMES: [&str; 8] = [
    "messageStart",
    "contentBlockStart",
    "contentBlockDelta",
    "contentBlockStop",
    "messageStop",
    "metadata",
    "throttlingException",
    "future",
];

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let mut builder = Builder::new_current_thread();
    builder.enable_time().build().expect("a runtime")
});

fuzz_target!(|data: &[u8]| {
    // The bytes up to the first 0xFF say where to cut.
    let (cuts, rest) = match data.iter().position(|byte| *byte == 0xff) {
        Some(at) => (&data[..at], &data[at + 1..]),
        None => (&data[..0], data),
    };
    same_however_it_is_cut(rest, cuts);
    same_however_it_is_cut(&framed(rest), cuts);
});

fn same_however_it_is_cut(bytes: &[u8], cuts: &[u8]) {
    let whole = heard(vec![Bytes::copy_from_slice(bytes)]);
    assert_eq!(heard(cut(bytes, cuts)), whole);
}

/// Frames of the texts between bytes of 0xFF, each named by its first byte; where that is 0xFE, the
/// last of what came before is damaged.
fn framed(data: &[u8]) -> Vec<u8> {
    let mut frames = Vec::new();
    for text in data.split(|byte| *byte == 0xff) {
        match text {
            [0xfe, ..] => {
                if let Some(last) = frames.last_mut() {
                    *last ^= 1;
                }
            }
            [name, payload @ ..] => {
                let name = NAMES[usize::from(*name) % NAMES.len()];
                frames.extend(frame(name, payload));
            }
            [] => {}
        }
    }
    frames
}

fn frame(name: &str, payload: &[u8]) -> Vec<u8> {
    let kind = if name.ends_with("Exception") {
        [(":message-type", "exception"), (":exception-type", name)]
    } else {
        [(":message-type", "event"), (":event-type", name)]
    };
    let mut headers = Vec::new();
    for (name, value) in kind {
        headers.push(name.len() as u8);
        headers.extend_from_slice(name.as_bytes());
        headers.push(7);
        headers.extend_from_slice(&(value.len() as u16).to_be_bytes());
        headers.extend_from_slice(value.as_bytes());
    }
    let whole = (16 + headers.len() + payload.len()) as u32;
    let mut frame = whole.to_be_bytes().to_vec();
    frame.extend_from_slice(&(headers.len() as u32).to_be_bytes());
    frame.extend_from_slice(&crc32(&frame).to_be_bytes());
    frame.extend_from_slice(&headers);
    frame.extend_from_slice(payload);
    frame.extend_from_slice(&crc32(&frame).to_be_bytes());
    frame
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ (0xedb8_8320 * (sum & 1))
        })
    })
}

/// The bytes in pieces whose lengths the cuts say.
fn cut(bytes: &[u8], cuts: &[u8]) -> Vec<Bytes> {
    let mut rest = Bytes::copy_from_slice(bytes);
    let mut pieces: Vec<Bytes> = Vec::new();
    for length in cuts {
        let length = (usize::from(*length) % 64).min(rest.len());
        pieces.push(rest.split_to(length));
    }
    pieces.push(rest);
    pieces
}

/// What the adapter tells of a stream, and how it ends.
fn heard(pieces: Vec<Bytes>) -> Vec<String> {
    let model = BedrockChatModel::builder()
        .base_url("http://127.0.0.1:1")
        .model("m")
        .limits(HttpLimits::default().with_event(LIMIT))
        .transport(Pieces(pieces))
        .build()
        .expect("a model");
    let mut events = model.stream("hi".into());
    RUNTIME.block_on(async {
        let mut told = Vec::new();
        while let Some(item) = events.next().await {
            told.push(match item {
                Ok(ModelEvent::Completed(answer)) => {
                    let generation = answer.generation().expect("an answer");
                    format!(
                        "{:?} {:?} {:?}",
                        generation.message.parts(),
                        generation.finish_reason,
                        answer.metadata
                    )
                }
                Ok(event) => format!("{event:?}"),
                Err(error) => format!("{error:?}"),
            });
        }
        told
    })
}

struct Pieces(Vec<Bytes>);

impl HttpTransport for Pieces {
    fn send(&self, _: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        let pieces = stream::iter(self.0.clone().into_iter().map(Ok)).boxed();
        ready(Ok(HttpResponse::new(
            StatusCode::OK,
            HeaderMap::new(),
            pieces,
        )))
        .boxed()
    }
}
