//! Binary frames as the service sends them, written apart from the code that reads them.

#![allow(dead_code)]

use crate::support::server::Step;

/// The checksum, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 {
                (sum >> 1) ^ 0xedb8_8320
            } else {
                sum >> 1
            };
        }
    }
    !sum
}

/// A frame with text headers.
pub(crate) fn frame(headers: &[(&str, &str)], payload: &[u8]) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in headers {
        block.push(u8::try_from(name.len()).unwrap());
        block.extend_from_slice(name.as_bytes());
        block.push(7);
        block.extend_from_slice(&u16::try_from(value.len()).unwrap().to_be_bytes());
        block.extend_from_slice(value.as_bytes());
    }
    let whole = u32::try_from(16 + block.len() + payload.len()).unwrap();
    let mut frame = whole.to_be_bytes().to_vec();
    frame.extend_from_slice(&u32::try_from(block.len()).unwrap().to_be_bytes());
    frame.extend_from_slice(&crc32(&frame).to_be_bytes());
    frame.extend_from_slice(&block);
    frame.extend_from_slice(payload);
    frame.extend_from_slice(&crc32(&frame).to_be_bytes());
    frame
}

/// An event with this payload.
pub(crate) fn event(name: &str, payload: &str) -> Vec<u8> {
    let headers = [
        (":event-type", name),
        (":content-type", "application/json"),
        (":message-type", "event"),
    ];
    frame(&headers, payload.as_bytes())
}

/// A frame that tells that the service failed.
pub(crate) fn exception(name: &str, payload: &str) -> Vec<u8> {
    let headers = [
        (":exception-type", name),
        (":content-type", "application/json"),
        (":message-type", "exception"),
    ];
    frame(&headers, payload.as_bytes())
}

/// These events, one after the other.
pub(crate) fn events(events: &[(&str, &str)]) -> Vec<u8> {
    events
        .iter()
        .flat_map(|(name, payload)| event(name, payload))
        .collect()
}

/// The head of a chunked stream of frames.
pub(crate) fn head() -> Step {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/vnd.amazon.eventstream\r\n\
                x-amzn-requestid: req-7\r\ntransfer-encoding: chunked\r\n\r\n";
    Step::Write(head.into())
}

/// Bytes as HTTP chunks of this size.
pub(crate) fn chunks(bytes: &[u8], size: usize) -> Vec<Step> {
    let chunk = |piece: &[u8]| {
        let mut chunk = format!("{:x}\r\n", piece.len()).into_bytes();
        chunk.extend_from_slice(piece);
        chunk.extend_from_slice(b"\r\n");
        Step::Write(chunk)
    };
    bytes.chunks(size).map(chunk).collect()
}
