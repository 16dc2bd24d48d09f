use serde::de::IgnoredAny;

#[cfg(feature = "bedrock")]
use crate::http::{EventStreamDecoder, EventStreamError, Frame};
use crate::http::{NdjsonDecoder, NdjsonError, SseDecoder, SseError, SseEvent};

/// How the events of a stream are told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Server-sent events.
    Events,
    /// A line of JSON each.
    #[cfg_attr(not(feature = "ollama"), allow(dead_code))]
    Lines,
    /// Binary frames of AWS.
    #[cfg(feature = "bedrock")]
    Frames,
}

/// The events of a stream, however it is framed; a line is an event without a name.
pub(super) enum Decoder {
    Events(SseDecoder),
    Lines(NdjsonDecoder),
    #[cfg(feature = "bedrock")]
    Frames(EventStreamDecoder),
}

impl Decoder {
    /// A decoder that refuses lines and events of more than `limit` bytes.
    pub(super) fn new(framing: Framing, limit: usize) -> Self {
        match framing {
            Framing::Events => Self::Events(SseDecoder::new(limit)),
            Framing::Lines => Self::Lines(NdjsonDecoder::new(limit)),
            #[cfg(feature = "bedrock")]
            Framing::Frames => Self::Frames(EventStreamDecoder::new(limit)),
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        match self {
            Self::Events(events) => events.push(bytes),
            Self::Lines(lines) => lines.push(bytes),
            #[cfg(feature = "bedrock")]
            Self::Frames(frames) => frames.push(bytes),
        }
    }

    /// Says that the body is over, and gives the event that it left open, if that is whole: some
    /// servers leave out the last blank line. Half an event is none, and no error either: the body
    /// was cut there.
    pub(super) fn last_event(&mut self) -> Option<SseEvent<'_>> {
        match self {
            Self::Events(events) => events.end(),
            Self::Lines(lines) => lines.end(),
            #[cfg(feature = "bedrock")]
            Self::Frames(_) => return None,
        }
        let last = self.next_event().ok().flatten();
        last.filter(|event| is_whole(event.data.trim()))
    }

    pub(super) fn next_event(&mut self) -> Result<Option<SseEvent<'_>>, SseError> {
        match self {
            Self::Events(events) => events.next_event(),
            Self::Lines(lines) => match lines.next_line() {
                Ok(line) => Ok(line.map(|data| SseEvent {
                    name: "",
                    data,
                    fault: false,
                })),
                Err(NdjsonError::TooLarge) => Err(SseError::TooLarge),
                Err(NdjsonError::NotUtf8) => Err(SseError::NotUtf8),
            },
            #[cfg(feature = "bedrock")]
            Self::Frames(frames) => match frames.next_frame() {
                Ok(frame) => {
                    Ok(frame.map(|Frame { fault, name, data }| SseEvent { name, data, fault }))
                }
                Err(EventStreamError::TooLarge) => Err(SseError::TooLarge),
                Err(EventStreamError::NotUtf8) => Err(SseError::NotUtf8),
                Err(EventStreamError::Checksum) => Err(SseError::Checksum),
                Err(EventStreamError::Malformed) => Err(SseError::Malformed),
            },
        }
    }
}

/// Whether nothing is missing at the end of an event's data: it is JSON, or the word that ends a stream.
fn is_whole(data: &str) -> bool {
    data == "[DONE]" || serde_json::from_str::<IgnoredAny>(data).is_ok()
}
