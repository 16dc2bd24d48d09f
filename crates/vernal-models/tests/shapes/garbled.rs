//! Answers with bytes changed at random: whatever comes of them, nothing panics.

use vernal_core::model::ChatModel;

use crate::support::canned::Canned;
use crate::support::view::{collect, view};

const WHOLE: &str = r#"{"id":"c","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm"}]},{"type":"text","text":"Hi \u00e9\ud83d\ude00"}],"reasoning":"r","reasoning_details":[{"type":"reasoning.text","text":"t","index":0}],"refusal":null,"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"sum","arguments":"{\"x\":1}"},"extra_content":{"k":"v"}}],"function_call":{"name":"f","arguments":"{}"}},"finish_reason":"tool_calls","native_finish_reason":"length"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":9,"completion_tokens_details":{"reasoning_tokens":6}}}"#;

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

/// Replaces some pieces of the text: values by others of another kind, or bytes by anything.
fn garble(text: &str, dice: &mut Dice) -> Vec<u8> {
    const VALUES: [&str; 9] = [
        "null",
        "true",
        "-7",
        "1e999",
        "\"\"",
        "\"x\"",
        "[]",
        "{}",
        "[{\"a\":1}]",
    ];
    const BYTES: [&[u8]; 8] = [b"\"", b"{", b"]", b"\\", b"\n\n", b"\xff", b"x", b":"];
    let mut text = text.to_owned();
    for _ in 0..=dice.below(3) {
        // The value after some colon, as far as it is simple.
        let colons: Vec<_> = text.match_indices("\":").map(|(at, _)| at + 2).collect();
        let from = colons[dice.below(colons.len())];
        let simple = |c: char| matches!(c, ',' | '}' | ']' | '{' | '[');
        let to = text[from..]
            .find(simple)
            .map_or(text.len(), |end| from + end);
        text.replace_range(from..to, VALUES[dice.below(VALUES.len())]);
    }
    let mut bytes = text.into_bytes();
    if dice.below(3) == 0 {
        let at = dice.below(bytes.len());
        let end = (at + dice.below(6)).min(bytes.len());
        bytes.splice(at..end, BYTES[dice.below(BYTES.len())].iter().copied());
    }
    bytes
}

#[tokio::test]
async fn garbled_answers_are_answers_or_errors() {
    let chunk = WHOLE.replacen("message", "delta", 1);
    let stream = format!("data: {chunk}\n\ndata: {chunk}\n\ndata: [DONE]\n\n");
    let mut dice = Dice(0x5eed);
    let (mut read, mut refused) = (0, 0);
    for round in 0..4_000 {
        let canned = Canned::new(garble(
            if round % 2 == 0 { WHOLE } else { &stream },
            &mut dice,
        ));
        let called = canned.model().call("hi".into()).await;
        let (_, streamed) =
            collect(canned.in_pieces(1 + round % 9).model().stream("hi".into())).await;
        match (called, streamed) {
            // Both ways of asking understand the same.
            (Ok(called), Ok(streamed)) => {
                read += 1;
                assert_eq!(view(&called), view(&streamed));
            }
            (Err(_), Err(_)) => refused += 1,
            // A stream whose first line is broken is one to whoever asked for a stream only.
            (Err(_), Ok(_)) if round % 2 == 1 => refused += 1,
            (called, streamed) => panic!("{called:?} is not {streamed:?}"),
        }
    }
    assert!(
        read > 500 && refused > 500,
        "{read} were read, {refused} refused"
    );
}
