use super::*;

/// A frame of these headers, each a name, the number of its kind, and the bytes of its value.
fn frame_of(headers: &[(&str, u8, &[u8])], payload: &[u8]) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, kind, value) in headers {
        block.push(name.len() as u8);
        block.extend_from_slice(name.as_bytes());
        block.push(*kind);
        if matches!(kind, 6 | 7) {
            block.extend_from_slice(&(value.len() as u16).to_be_bytes());
        }
        block.extend_from_slice(value);
    }
    sealed(&block, payload)
}

fn sealed(headers: &[u8], payload: &[u8]) -> Vec<u8> {
    let whole = (SHORTEST + headers.len() + payload.len()) as u32;
    with_lengths(whole, headers.len() as u32, &[headers, payload].concat())
}

fn with_lengths(whole: u32, headers: u32, content: &[u8]) -> Vec<u8> {
    let mut frame = [whole.to_be_bytes(), headers.to_be_bytes()].concat();
    frame.extend_from_slice(&crc32(&frame).to_be_bytes());
    frame.extend_from_slice(content);
    frame.extend_from_slice(&crc32(&frame).to_be_bytes());
    frame
}

fn event(name: &str, payload: &str) -> Vec<u8> {
    let headers: [(&str, u8, &[u8]); 3] = [
        (":event-type", 7, name.as_bytes()),
        (":content-type", 7, b"application/json"),
        (":message-type", 7, b"event"),
    ];
    frame_of(&headers, payload.as_bytes())
}

/// All that a decoder gives for bytes in pieces of this size.
fn decoded(bytes: &[u8], piece: usize, limit: usize) -> (Vec<String>, Option<EventStreamError>) {
    let mut decoder = EventStreamDecoder::new(limit);
    let mut found = Vec::new();
    for piece in bytes.chunks(piece) {
        decoder.push(piece);
        loop {
            match decoder.next_frame() {
                Ok(Some(Frame { fault, name, data })) => {
                    found.push(format!("{fault} {name} {data}"));
                }
                Ok(None) => break,
                Err(error) => return (found, Some(error)),
            }
        }
    }
    (found, None)
}

fn whole(bytes: &[u8]) -> (Vec<String>, Option<EventStreamError>) {
    decoded(bytes, usize::MAX, 1 << 20)
}

#[test]
fn frames_come_out_wherever_they_are_cut() {
    let stream = [
        event("messageStart", r#"{"role":"assistant"}"#),
        event("empty", ""),
        event("contentBlockDelta", r#"{"delta":{"text":"서울"}}"#),
    ]
    .concat();
    let expected = [
        r#"false messageStart {"role":"assistant"}"#,
        "false empty ",
        r#"false contentBlockDelta {"delta":{"text":"서울"}}"#,
    ];
    for piece in 1..=stream.len() {
        let (found, error) = decoded(&stream, piece, 1 << 20);
        assert_eq!(
            (found.as_slice(), error),
            (&expected.map(String::from)[..], None)
        );
    }
}

#[test]
fn a_frame_of_the_service_is_read() {
    // As `botocore` reads it too.
    let bytes: &[u8] = b"\x00\x00\x00\x81\x00\x00\x00\x52\x6c\xc1\x76\x93\x0b:event-type\x07\x00\
        \x0cmessageStart\x0d:content-type\x07\x00\x10application/json\x0d:message-type\x07\x00\x05\
        event{\"p\":\"abcd\",\"role\":\"assistant\"}\xf5\x12\xa0\x05";
    let (found, error) = whole(bytes);
    assert_eq!(error, None);
    assert_eq!(
        found,
        [r#"false messageStart {"p":"abcd","role":"assistant"}"#]
    );
}

#[test]
fn headers_of_every_kind_are_passed_over() {
    let headers: [(&str, u8, &[u8]); 11] = [
        ("t", 0, b""),
        ("f", 1, b""),
        ("b", 2, b"1"),
        ("s", 3, b"12"),
        ("i", 4, b"1234"),
        ("l", 5, b"12345678"),
        (":event-type", 6, b"bytes"),
        ("", 7, b"no name"),
        ("d", 8, b"12345678"),
        ("u", 9, b"1234567890123456"),
        (":event-type", 7, b"found"),
    ];
    assert_eq!(whole(&frame_of(&headers, b"x")).0, ["false found x"]);
}

#[test]
fn exceptions_and_errors_are_faults() {
    let exception: [(&str, u8, &[u8]); 2] = [
        (":message-type", 7, b"exception"),
        (":exception-type", 7, b"throttlingException"),
    ];
    let error: [(&str, u8, &[u8]); 3] = [
        (":message-type", 7, b"error"),
        (":error-code", 7, b"InternalError"),
        (":error-message", 7, b"oops"),
    ];
    let stream = [
        frame_of(&exception, br#"{"message":"slow"}"#),
        frame_of(&error, b""),
        frame_of(&error, b"more"),
        frame_of(&[], b""),
    ];
    assert_eq!(
        whole(&stream.concat()).0,
        [
            r#"true throttlingException {"message":"slow"}"#,
            "true InternalError oops",
            "true InternalError more",
            "false  ",
        ]
    );
}

#[test]
fn a_changed_bit_is_found_wherever_it_is() {
    let frame = event("messageStop", r#"{"stopReason":"end_turn"}"#);
    for at in 0..frame.len() * 8 {
        let mut changed = frame.clone();
        changed[at / 8] ^= 1 << (at % 8);
        assert_eq!(whole(&changed), (vec![], Some(EventStreamError::Checksum)));
    }
}

#[test]
fn lengths_that_cannot_be_are_refused() {
    for (length, headers, error) in [
        (15, 0, EventStreamError::Malformed),
        (0, 0, EventStreamError::Malformed),
        (16, 1, EventStreamError::Malformed),
        (100, u32::MAX, EventStreamError::Malformed),
        (u32::MAX, 0, EventStreamError::TooLarge),
        (1025, 0, EventStreamError::TooLarge),
    ] {
        // The prelude alone tells.
        let prelude = &with_lengths(length, headers, b"")[..PRELUDE];
        assert_eq!(decoded(prelude, 1, 1024), (vec![], Some(error)));
    }
    let fits = with_lengths(1024, 0, &[b' '; 1024 - SHORTEST]);
    assert_eq!(decoded(&fits, 1, 1024).1, None);
    assert_eq!(whole(&with_lengths(17, 0, b"x")).0, ["false  x"]);
}

#[test]
fn headers_that_cannot_be_are_refused() {
    for headers in [
        &b"\x05ab"[..],
        b"\x01a",
        b"\x01a\x0a",
        b"\x01a\x07\x00\x05abcd",
        b"\x01a\x07\x00",
        b"\x01a\x09123",
    ] {
        let (found, error) = whole(&sealed(headers, b""));
        assert_eq!((found.len(), error), (0, Some(EventStreamError::Malformed)));
    }
}

#[test]
fn texts_have_to_be_utf_8() {
    let stream = [
        event("first", "{}"),
        frame_of(&[(":event-type", 7, b"x")], b"\xff"),
    ]
    .concat();
    let (found, error) = whole(&stream);
    assert_eq!((found.len(), error), (1, Some(EventStreamError::NotUtf8)));
    let name = frame_of(&[(":event-type", 7, b"\xff")], b"");
    assert_eq!(whole(&name).1, Some(EventStreamError::NotUtf8));
    let of_no_use = frame_of(&[("x", 7, b"\xff")], b"{}");
    assert_eq!(whole(&of_no_use).1, None);
}
