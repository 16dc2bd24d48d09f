use super::*;

/// All events of a stream that comes in these pieces, and whether it went wrong.
fn read<'a>(
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> (Vec<(String, String)>, Option<SseError>) {
    let mut decoder = SseDecoder::new(64);
    let mut events = Vec::new();
    let mut drain = |decoder: &mut SseDecoder| loop {
        match decoder.next_event() {
            Ok(Some(event)) => events.push((event.name.to_owned(), event.data.to_owned())),
            Ok(None) => return None,
            Err(error) => return Some(error),
        }
    };
    for piece in pieces {
        decoder.push(piece);
        if let Some(error) = drain(&mut decoder) {
            return (events, Some(error));
        }
    }
    decoder.end();
    let error = drain(&mut decoder);
    (events, error)
}

fn data(stream: &str) -> Vec<String> {
    let (events, error) = read([stream.as_bytes()]);
    assert_eq!(error, None);
    events.into_iter().map(|(_, data)| data).collect()
}

#[test]
fn lines_end_in_any_of_three_ways() {
    for stream in [
        "data: a\n\ndata: b\n\n",
        "data: a\r\rdata: b\r\r",
        "data: a\r\n\r\ndata: b\r\n\r\n",
    ] {
        assert_eq!(data(stream), ["a", "b"], "{stream:?}");
    }
}

#[test]
fn one_space_belongs_to_the_colon() {
    assert_eq!(
        data("data:a\n\ndata:  b\n\ndata: \n\ndata\n\ndata:c:d\n\n"),
        ["a", " b", "c:d"]
    );
}

#[test]
fn what_is_no_data_is_passed_over() {
    let stream =
        "\n\n: OPENROUTER PROCESSING\n\nid: 7\nretry: 10\nfoo: bar\ndata: a\n: ping\n\n:\n\n";
    assert_eq!(data(stream), ["a"]);
}

#[test]
fn several_data_lines_are_one_event() {
    assert_eq!(
        data("data: {\ndata:  \"a\": 1\ndata: }\n\ndata:\ndata:\n\n"),
        ["{\n \"a\": 1\n}", "\n"]
    );
}

#[test]
fn a_byte_order_mark_is_dropped_at_the_beginning_only() {
    assert_eq!(
        data("\u{feff}data: a\n\ndata: \u{feff}b\n\n"),
        ["a", "\u{feff}b"]
    );
    assert_eq!(data("data: a\n\n\u{feff}data: b\n\n"), ["a"]);
}

#[test]
fn an_event_left_open_is_complete_when_the_stream_ends_well() {
    for stream in ["data: a", "data: a\n", "data: a\r", "data: a\r\n"] {
        assert_eq!(data(stream), ["a"], "{stream:?}");
    }
    assert_eq!(data("event: x"), [""; 0]);
}

#[test]
fn names_belong_to_one_event() {
    let stream = "event: error\ndata: a\n\ndata: b\n\nevent: lost\n\ndata: c\n\n";
    let (events, _) = read([stream.as_bytes()]);
    let names: Vec<_> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["error", "", ""]);
}

#[test]
fn lines_and_events_have_a_bound() {
    let line = format!("data: {}\n\n", "x".repeat(65));
    assert_eq!(read([line.as_bytes()]).1, Some(SseError::TooLarge));
    let endless = "y".repeat(65);
    assert_eq!(read([endless.as_bytes()]).1, Some(SseError::TooLarge));
    let lines = "data: 0123456789\n".repeat(7);
    assert_eq!(read([lines.as_bytes()]).1, Some(SseError::TooLarge));
    let many = format!("data: {}\n\n", "x".repeat(58)).repeat(9);
    assert_eq!(read([many.as_bytes()]).0.len(), 9);
}

#[test]
fn bytes_that_are_no_text_are_an_error() {
    let (events, error) = read([&b"data: a\n\ndata: \xff\n\n"[..]]);
    assert_eq!((events.len(), error), (1, Some(SseError::NotUtf8)));
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

#[test]
fn any_split_reads_as_the_whole() {
    let words: [&[u8]; 16] = [
        b"data",
        b"data: ",
        b"data:",
        b"event: ",
        b"event",
        b":",
        b" ",
        b"\n",
        b"\n\n",
        b"\r",
        b"\r\n",
        b"\r\n\r\n",
        "한글 é".as_bytes(),
        b"x",
        b"\xEF\xBB\xBF",
        b"\xff",
    ];
    let mut dice = Dice(0x5eed);
    for _ in 0..20_000 {
        let length = 1 + dice.below(24);
        let stream: Vec<u8> = (0..length)
            .flat_map(|_| words[dice.below(words.len())])
            .copied()
            .collect();
        let whole = read([&stream[..]]);
        let single = read(stream.chunks(1));
        let mut rest = &stream[..];
        let mut pieces = Vec::new();
        while !rest.is_empty() {
            let (piece, more) = rest.split_at(dice.below(rest.len() + 1));
            pieces.push(piece);
            rest = more;
        }
        assert_eq!(single, whole, "{:?}", String::from_utf8_lossy(&stream));
        assert_eq!(
            read(pieces),
            whole,
            "{:?}",
            String::from_utf8_lossy(&stream)
        );
    }
}
