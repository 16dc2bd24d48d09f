//! Random and odd messages over odd schemas.

use serde_json::json;

use crate::desk::{Answer, Desk, object};

/// A small generator of numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % sides
    }
}

const PIECES: &[&str] = &[
    "set",
    "an",
    "alarm",
    "in",
    "10",
    "minutes",
    "from",
    "to",
    "and",
    "Paris",
    "Oslo",
    "weather",
    "at",
    "7pm",
    "tomorrow",
    "\"quoted",
    "\"",
    "'",
    "「",
    "」",
    "(",
    ")",
    "*",
    "+",
    "-",
    "/",
    "%",
    "$",
    "€",
    "#42",
    "A-1",
    "a@b.co",
    "https://x.io/a",
    "오후",
    "3시",
    "내일",
    "10분",
    "뒤에",
    "서울의",
    "날씨",
    "東京",
    "の",
    "天気",
    "明日",
    "北京今天",
    "12월",
    "24일",
    "24.12.",
    "2025-13-45",
    "2025-06-01T10:00:00+99:99",
    "99999999999999999999999",
    "-5",
    "1e400",
    "½",
    "🎉",
    "\u{0}",
    "\u{202e}",
    "ß",
    "İ",
    "é",
    "e\u{301}",
    "\n",
    "\t",
    " ",
    ".",
    ",",
    ":",
    "?",
    "!",
    "the",
    "of",
    "for",
    "with",
    "that",
    "saying",
    "'s",
    "next",
    "Monday",
    "half",
    "an hour",
    "two hundred",
    "zwanzig",
    "mañana",
    "ﷺ",
    "ⅷ",
    "٣",
    "-",
    "--",
    "0",
    "00:00",
    "24:00",
    "31",
    "Feb",
    "30",
    "order",
    "note",
    "create",
    "delete",
    "every",
    "low",
    "high",
    "on",
    "off",
    "yes",
    "x",
    "km",
    "kg",
    "5kg",
    "°C",
    "in 9999999 years",
    "999999999 days ago",
    "the 31st",
];

/// Tools with schemas of every kind.
fn odd_tools() -> Desk {
    let schemas = [
        json!({}),
        json!({"properties": {"a": true, "b": false, "c": {}}, "required": ["a"]}),
        object(
            json!({"time": {"type": "string", "format": "date-time"}, "n": {"type": "integer", "minimum": 3, "maximum": 5, "multipleOf": 2}}),
            &["time"],
        ),
        object(
            json!({"date": {"type": "string", "format": "date", "minLength": 3, "maxLength": 4}}),
            &["date"],
        ),
        object(
            json!({"city": {"type": "string", "maxLength": 3}, "ids": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "uniqueItems": true}}),
            &["city", "ids"],
        ),
        object(
            json!({"unit": {"enum": ["low", "high", 3, null, true]}, "on": {"type": "boolean"}}),
            &["unit", "on"],
        ),
        json!({"properties": {"node": {"$ref": "#/$defs/n"}}, "required": ["node"],
               "$defs": {"n": {"type": "object", "properties": {"name": {"type": "string"}, "next": {"$ref": "#/$defs/n"}}, "required": ["name"]}}}),
        json!({"properties": {"v": {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "string", "minLength": 2}, {"type": "null"}]}}, "required": ["v"],
               "oneOf": [{"required": ["v"]}, {"required": ["w"]}]}),
        object(
            json!({"when": {"type": "integer", "description": "unix timestamp"}, "duration": {"type": "string", "format": "duration"}, "email": {"type": "string", "format": "email"}}),
            &["when"],
        ),
        object(
            json!({"expression": {"type": "string"}, "year": {"type": "integer"}, "rate": {"type": "number", "maximum": 1}}),
            &["expression"],
        ),
        object(
            json!({"도시": {"type": "string"}, "シンボル": {"type": "string"}, "betrag": {"type": "number", "not": {"const": 5}}}),
            &["도시"],
        ),
        json!({"properties": {"x": {"type": "string"}}, "required": ["x", "not_described"]}),
        json!({"properties": {"items": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}, "quantity": {"type": "integer"}}, "required": ["name"]}}}, "required": ["items"], "minProperties": 1}),
    ];
    let names = [
        "set_alarm",
        "getWeather",
        "note",
        "注文する",
        "알람_설정",
        "order_find",
        "terminErstellen",
        "x",
        "calc",
        "current_time",
        "deleteAll",
        "sendMail",
        "convert_units",
    ];
    let mut desk = Desk::default();
    for (name, schema) in names.iter().zip(schemas) {
        desk = desk.tool(
            name,
            "Sets the alarm, order, note or weather of a city at a time",
            schema,
            "Done",
        );
    }
    desk
}

/// Nothing panics, every call fits its tool's schema (`run` checks it), and every turn ends.
#[test]
fn random_messages_never_break_anything() {
    let desk = odd_tools();
    let results = [
        "Done",
        "[]",
        "{}",
        "null",
        "{\"id\":1,\"time\":\"2025-06-01T10:00:00Z\"}",
        "[1,2,[3]]",
        "\u{0}",
        "Error: x",
        "-1e999",
        "\"",
        "[{\"name\":\"Paris\",\"id\":\"A-1\"}]",
    ];
    let mut dice = Dice(7);
    let mut made = 0;
    for round in 0..600 {
        let length = 1 + dice.roll(14);
        let mut text = String::new();
        for _ in 0..length {
            text.push_str(PIECES[dice.roll(PIECES.len())]);
            if dice.roll(5) > 0 {
                text.push(' ');
            }
        }
        let mut desk = Desk {
            tools: desk.tools.clone(),
            answers: desk.answers.clone(),
        };
        for answers in desk.answers.values_mut() {
            let result = results[dice.roll(results.len())].to_owned();
            *answers = vec![if dice.roll(4) == 0 {
                Answer::Fails(result)
            } else {
                Answer::Gives(result)
            }];
        }
        desk.tools.truncate(1 + round % desk.tools.len());
        let outcome = desk.run(&text);
        made += outcome.calls.len();
        let mut seen: Vec<(String, String)> = Vec::new();
        for (name, arguments) in &outcome.calls {
            let call = (name.clone(), arguments.to_string());
            assert!(!seen.contains(&call), "{text:?} repeats {call:?}");
            seen.push(call);
        }
    }
    assert!(made > 100, "the messages reached {made} calls only");
}

#[test]
fn long_and_strange_messages_are_taken() {
    let desk = odd_tools();
    for text in [
        "",
        " ",
        "\u{0}",
        &"alarm ".repeat(3000),
        &"(".repeat(2000),
        &"1 ".repeat(2000),
        &"서울".repeat(2000),
        &"a\u{301}".repeat(999),
    ] {
        desk.run(text);
    }
}
