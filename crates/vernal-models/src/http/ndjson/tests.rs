use super::*;

const STREAM: &str =
    "\u{feff}{\"a\":1}\n\r\n{\"b\":\"한 😀\"}\r\n  \n {\"c\":[\"\\n\"]} \n{\"d\":4}";
const LINES: [&str; 4] = [
    "{\"a\":1}",
    "{\"b\":\"한 😀\"}",
    "{\"c\":[\"\\n\"]}",
    "{\"d\":4}",
];

fn drain(decoder: &mut NdjsonDecoder, lines: &mut Vec<String>) {
    while let Some(line) = decoder.next_line().unwrap() {
        lines.push(line.to_owned());
    }
}

fn read<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<String> {
    let mut decoder = NdjsonDecoder::new(64);
    let mut lines = Vec::new();
    for piece in pieces {
        decoder.push(piece);
        drain(&mut decoder, &mut lines);
    }
    decoder.end();
    drain(&mut decoder, &mut lines);
    lines
}

#[test]
fn a_stream_may_be_cut_anywhere() {
    let bytes = STREAM.as_bytes();
    assert_eq!(read([bytes]), LINES);
    for size in 1..bytes.len() {
        assert_eq!(read(bytes.chunks(size)), LINES, "pieces of {size}");
    }
    for at in 0..=bytes.len() {
        let (first, second) = bytes.split_at(at);
        assert_eq!(read([first, second]), LINES, "cut at {at}");
    }
}

#[test]
fn lines_come_out_as_soon_as_they_end() {
    let mut decoder = NdjsonDecoder::new(64);
    decoder.push(b"{}");
    assert_eq!(decoder.next_line(), Ok(None));
    decoder.push(b"\n{");
    assert_eq!(decoder.next_line(), Ok(Some("{}")));
    assert_eq!(decoder.next_line(), Ok(None));
}

#[test]
fn a_line_has_a_bound_whether_it_ends_or_not() {
    for tail in ["", "\n"] {
        let mut decoder = NdjsonDecoder::new(8);
        decoder.push(b"12345678\n");
        assert_eq!(decoder.next_line(), Ok(Some("12345678")));
        decoder.push(format!("123456789{tail}").as_bytes());
        assert_eq!(decoder.next_line(), Err(NdjsonError::TooLarge));
    }
}

#[test]
fn what_is_not_utf8_is_refused() {
    let mut decoder = NdjsonDecoder::new(8);
    decoder.push(b"\xff\n");
    assert_eq!(decoder.next_line(), Err(NdjsonError::NotUtf8));
}
