//! The binary event stream of AWS (`application/vnd.amazon.eventstream`), read from bytes that may be
//! cut anywhere.
//!
//! A frame is its length, the length of its headers, a checksum of these two, the headers, the payload,
//! and a checksum of everything before.

use super::crc32::crc32;

#[cfg(test)]
mod tests;

/// The two lengths and their checksum.
const PRELUDE: usize = 12;
/// A frame without headers and payload.
const SHORTEST: usize = PRELUDE + 4;
/// The most bytes of a frame that AWS itself sends or takes.
const LONGEST: usize = 24 << 20;

/// Reads the frames of a stream.
///
/// Bytes go in as they come, with [`push`](Self::push); frames come out of
/// [`next_frame`](Self::next_frame), borrowed from the one buffer that is used again and again. Both
/// checksums are checked, the first as soon as it is there: no length is believed before.
#[derive(Debug)]
pub(crate) struct EventStreamDecoder {
    /// What was pushed and is still needed.
    buffer: Vec<u8>,
    /// Where the first frame begins that was not taken yet.
    start: usize,
    limit: usize,
}

/// One frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    /// The frame tells that the server failed.
    pub(crate) fault: bool,
    /// The type of the event or of the exception, or the code of an error; empty where none is named.
    pub(crate) name: &'a str,
    /// The payload, or the message of an error that has none.
    pub(crate) data: &'a str,
}

/// Why a stream cannot be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventStreamError {
    /// A frame is larger than the limit.
    TooLarge,
    /// A text is not UTF-8.
    NotUtf8,
    /// A frame does not fit its checksum.
    Checksum,
    /// The lengths or the headers of a frame cannot be.
    Malformed,
}

impl EventStreamDecoder {
    /// A decoder that refuses frames of more than `limit` bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            buffer: Vec::new(),
            start: 0,
            limit: limit.min(LONGEST),
        }
    }

    /// Takes the next bytes of the stream. Call [`next_frame`](Self::next_frame) until it gives none
    /// before the next bytes are pushed.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.buffer.drain(..self.start);
        self.start = 0;
        self.buffer.extend_from_slice(bytes);
    }

    /// The next frame that is complete; `None` where more bytes are needed.
    pub(crate) fn next_frame(&mut self) -> Result<Option<Frame<'_>>, EventStreamError> {
        let rest = self.buffer.get(self.start..).unwrap_or_default();
        let Some((prelude, _)) = rest.split_first_chunk::<PRELUDE>() else {
            return Ok(None);
        };
        let (whole, headers) = lengths(prelude)?;
        if whole > self.limit {
            return Err(EventStreamError::TooLarge);
        }
        let Some(frame) = rest.get(..whole) else {
            return Ok(None);
        };
        self.start += whole;
        read(frame, headers).map(Some)
    }
}

/// The length of a frame and that of its headers.
fn lengths(prelude: &[u8; PRELUDE]) -> Result<(usize, usize), EventStreamError> {
    let [w1, w2, w3, w4, h1, h2, h3, h4, sum @ ..] = *prelude;
    if crc32(&[w1, w2, w3, w4, h1, h2, h3, h4]) != u32::from_be_bytes(sum) {
        return Err(EventStreamError::Checksum);
    }
    let whole = u32::from_be_bytes([w1, w2, w3, w4]) as usize;
    let headers = u32::from_be_bytes([h1, h2, h3, h4]) as usize;
    match whole.checked_sub(SHORTEST) {
        Some(room) if headers <= room => Ok((whole, headers)),
        _ => Err(EventStreamError::Malformed),
    }
}

/// Reads a frame whose headers are so long.
fn read(frame: &[u8], headers: usize) -> Result<Frame<'_>, EventStreamError> {
    let malformed = EventStreamError::Malformed;
    let (content, sum) = frame.split_last_chunk::<4>().ok_or(malformed)?;
    if crc32(content) != u32::from_be_bytes(*sum) {
        return Err(EventStreamError::Checksum);
    }
    let content = content.get(PRELUDE..).ok_or(malformed)?;
    let (headers, payload) = content.split_at_checked(headers).ok_or(malformed)?;
    let said = Headers::read(headers)?;
    let payload = text(payload)?;
    Ok(match said.message {
        "exception" => Frame {
            fault: true,
            name: said.exception,
            data: payload,
        },
        "error" => Frame {
            fault: true,
            name: said.error_code,
            data: if payload.is_empty() {
                said.error_message
            } else {
                payload
            },
        },
        _ => Frame {
            fault: false,
            name: said.event,
            data: payload,
        },
    })
}

/// The headers that say what a frame is.
#[derive(Default)]
struct Headers<'a> {
    message: &'a str,
    event: &'a str,
    exception: &'a str,
    error_code: &'a str,
    error_message: &'a str,
}

impl<'a> Headers<'a> {
    fn read(mut rest: &'a [u8]) -> Result<Self, EventStreamError> {
        let mut headers = Self::default();
        while !rest.is_empty() {
            let name = text(take_counted(&mut rest, 1)?)?;
            let Some(value) = take_value(&mut rest)? else {
                continue;
            };
            let place = match name {
                ":message-type" => &mut headers.message,
                ":event-type" => &mut headers.event,
                ":exception-type" => &mut headers.exception,
                ":error-code" => &mut headers.error_code,
                ":error-message" => &mut headers.error_message,
                _ => continue,
            };
            *place = text(value)?;
        }
        Ok(headers)
    }
}

/// The value of a header, where it is a text.
fn take_value<'a>(rest: &mut &'a [u8]) -> Result<Option<&'a [u8]>, EventStreamError> {
    let length = match take(rest, 1)? {
        // True and false.
        [0 | 1] => 0,
        [2] => 1,
        [3] => 2,
        [4] => 4,
        // A number or a time.
        [5 | 8] => 8,
        [6] => return take_counted(rest, 2).map(|_| None),
        [7] => return take_counted(rest, 2).map(Some),
        // A UUID.
        [9] => 16,
        _ => return Err(EventStreamError::Malformed),
    };
    take(rest, length).map(|_| None)
}

/// Takes bytes whose number stands before them, in so many bytes itself.
fn take_counted<'a>(rest: &mut &'a [u8], digits: usize) -> Result<&'a [u8], EventStreamError> {
    let count = take(rest, digits)?;
    let count = count
        .iter()
        .fold(0, |count, byte| (count << 8) | usize::from(*byte));
    take(rest, count)
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8], EventStreamError> {
    let (taken, after) = rest
        .split_at_checked(count)
        .ok_or(EventStreamError::Malformed)?;
    *rest = after;
    Ok(taken)
}

fn text(bytes: &[u8]) -> Result<&str, EventStreamError> {
    std::str::from_utf8(bytes).map_err(|_| EventStreamError::NotUtf8)
}
