//! Histories that were cut, kept elsewhere or come from another provider: every adapter makes valid requests of
//! them.

use serde_json::Value;
use vernal_core::message::{
    History, Message, Part, PartContent, Role, ToolCall, ToolContent, ToolResponse,
};
use vernal_testing::fake::{FakeApi, FakeServer, Script};

use crate::adapters::ADAPTED;
use crate::client;

fn call(id: &str, city: &str) -> ToolCall {
    ToolCall::new(id, "weather", format!(r#"{{"city":"{city}"}}"#))
}

fn asks(calls: &[&ToolCall]) -> Message {
    let part = |call: &&ToolCall| Part::from(PartContent::ToolCall((*call).clone()));
    Message::new(Role::Assistant, calls.iter().map(part).collect())
}

fn answers(results: &[(&ToolCall, &str)]) -> Message {
    let result = |(call, text): &(&ToolCall, &str)| {
        ToolResponse::success(call, vec![ToolContent::Text((*text).into())])
    };
    Message::tool(results.iter().map(result))
}

/// A name, a history, and texts in the order in which they are sent: those that stand for results too.
type Case = (&'static str, Vec<Message>, &'static [&'static str]);

fn cases() -> Vec<Case> {
    let user = || Message::user("Well?");
    let (a, b) = (call("call_a", "Jeju"), call("call_b", "Oslo"));
    let (same, too) = (call("x", "Jeju"), call("x", "Oslo"));
    let (blank, blank_too) = (call("", "Jeju"), call(" ", "Oslo"));
    let long = call(&"x".repeat(300), "Jeju");
    let odd = call("id 한글/:#", "Oslo");
    vec![
        (
            "a result is lost",
            vec![user(), asks(&[&a, &b]), answers(&[(&a, "R1")]), user()],
            &["Jeju", "Oslo", "R1", "was lost"],
        ),
        (
            "all results are lost",
            vec![user(), asks(&[&a, &b]), user()],
            &["Jeju", "Oslo", "was lost", "was lost", "Well?"],
        ),
        (
            "the last results are lost",
            vec![user(), asks(&[&a])],
            &["Jeju", "was lost"],
        ),
        (
            "a window begins with a result",
            vec![answers(&[(&a, "R1")]), user()],
            &["Well?"],
        ),
        (
            "a result comes twice",
            vec![
                user(),
                asks(&[&a]),
                answers(&[(&a, "R1"), (&a, "R2")]),
                user(),
            ],
            &["Jeju", "R1", "Well?"],
        ),
        (
            "a result comes late",
            vec![
                user(),
                asks(&[&a]),
                Message::user("Hm."),
                answers(&[(&a, "R1")]),
                user(),
            ],
            &["Jeju", "R1", "Hm.", "Well?"],
        ),
        (
            "a result comes after an answer",
            vec![
                user(),
                asks(&[&a]),
                Message::assistant("Hm."),
                answers(&[(&a, "R1")]),
                user(),
            ],
            &["Jeju", "R1", "Hm.", "Well?"],
        ),
        (
            "calls in messages of their own",
            vec![
                user(),
                asks(&[&a]),
                asks(&[&b]),
                answers(&[(&a, "R1")]),
                answers(&[(&b, "R2")]),
                user(),
            ],
            &["Jeju", "R1", "Oslo", "R2", "Well?"],
        ),
        (
            "one message of results for calls in messages of their own, one of them late",
            vec![
                user(),
                asks(&[&a]),
                Message::user("Hm."),
                asks(&[&b]),
                answers(&[(&b, "R2"), (&a, "R1")]),
                user(),
            ],
            &["Jeju", "R1", "Hm.", "Oslo", "R2", "Well?"],
        ),
        (
            "results of another call",
            vec![
                user(),
                asks(&[&a]),
                answers(&[(&b, "R2"), (&a, "R1")]),
                user(),
            ],
            &["Jeju", "R1", "Well?"],
        ),
        (
            "two calls of one id",
            vec![
                user(),
                asks(&[&same, &too]),
                answers(&[(&same, "R1"), (&too, "R2")]),
                user(),
            ],
            &["Jeju", "Oslo", "R1", "R2"],
        ),
        (
            "two calls of one id, in two messages of results",
            vec![
                user(),
                asks(&[&same, &too]),
                answers(&[(&same, "R1")]),
                answers(&[(&too, "R2")]),
                user(),
            ],
            &["Jeju", "Oslo", "R1", "R2"],
        ),
        (
            "blank ids",
            vec![
                user(),
                asks(&[&blank, &blank_too]),
                answers(&[(&blank, "R1"), (&blank_too, "R2")]),
                user(),
            ],
            &["Jeju", "Oslo", "R1", "R2"],
        ),
        (
            "the same id each round",
            vec![
                user(),
                asks(&[&same]),
                answers(&[(&same, "R1")]),
                asks(&[&too]),
                answers(&[(&too, "R2")]),
                user(),
            ],
            &["Jeju", "R1", "Oslo", "R2"],
        ),
        (
            "odd ids",
            vec![
                user(),
                asks(&[&long, &odd]),
                answers(&[(&long, "R1"), (&odd, "R2")]),
                user(),
            ],
            &["Jeju", "Oslo", "R1", "R2"],
        ),
        (
            "results in another order",
            vec![
                user(),
                asks(&[&a, &b]),
                answers(&[(&b, "R2")]),
                answers(&[(&a, "R1")]),
                user(),
            ],
            &["Jeju", "Oslo", "R2", "R1"],
        ),
    ]
}

/// The texts of a request's conversation that say one of these, in order.
fn said<'a>(body: &str, wanted: &[&'a str]) -> Vec<&'a str> {
    let places = |text: &&'a str| {
        let text = *text;
        body.match_indices(text)
            .map(move |(at, _)| (at, text))
            .collect::<Vec<_>>()
    };
    let mut found: Vec<_> = wanted.iter().flat_map(places).collect();
    found.sort_unstable();
    found.into_iter().map(|(_, text)| text).collect()
}

#[tokio::test]
async fn every_adapter_makes_a_valid_request_of_it() {
    const TEXTS: [&str; 7] = ["Jeju", "Oslo", "R1", "R2", "was lost", "Hm.", "Well?"];
    for (name, messages, expected) in cases() {
        for api in ADAPTED {
            let server = FakeServer::start(api, Script::new().says("Fine."));
            let asked = client(&server)
                .prompt("")
                .messages(History::from(messages.clone()));
            let answer = asked.call().await;
            let answer = answer.unwrap_or_else(|error| panic!("{name}, {api}: {error}"));
            assert_eq!(answer.content(), "Fine.");
            let body = server.requests()[0].text().to_owned();
            let mut told = said(&body, &TEXTS);
            // What the user says at both ends is in all of them.
            if !expected.contains(&"Well?") {
                told.retain(|text| *text != "Well?");
            } else if told.first() == Some(&"Well?") && told.len() > 1 {
                told.remove(0);
            }
            assert_eq!(told, expected, "{name}, {api}: {body}");
        }
    }
}

#[tokio::test]
async fn results_keep_to_their_calls() {
    let (same, too) = (call("x", "Jeju"), call("x", "Oslo"));
    let messages = || {
        vec![
            Message::user("Well?"),
            asks(&[&same, &too]),
            answers(&[(&same, "R1"), (&too, "R2")]),
            asks(&[&same]),
            answers(&[(&same, "R3")]),
        ]
    };
    for api in [FakeApi::OpenAiChat, FakeApi::Anthropic] {
        let server = FakeServer::start(api, Script::new().says("Fine."));
        let asked = client(&server)
            .prompt("")
            .messages(History::from(messages()));
        asked.call().await.unwrap();
        let sent = server.requests()[0].json().clone();
        let pairs = match api {
            FakeApi::Anthropic => of_anthropic(&sent),
            _ => of_chat(&sent),
        };
        let expected = [("Jeju", "R1"), ("Oslo", "R2"), ("Jeju", "R3")];
        let ids = ["x", "x_2", "x"];
        assert_eq!(pairs.len(), ids.len());
        for ((id, (city, result)), pair) in ids.into_iter().zip(expected).zip(pairs) {
            assert_eq!(pair.0, id, "{sent}");
            assert!(pair.1.contains(city) && pair.2.contains(result), "{sent}");
        }
    }
}

/// The id of each call, what it says, and its result.
fn of_chat(sent: &Value) -> Vec<(String, String, String)> {
    let messages = sent["messages"].as_array().unwrap();
    let mut pairs = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let of_call = |result: &&Value| result["tool_call_id"] == call["id"];
            let result = messages[at..].iter().find(of_call).unwrap();
            pairs.push((text(&call["id"]), call.to_string(), result.to_string()));
        }
    }
    pairs
}

fn of_anthropic(sent: &Value) -> Vec<(String, String, String)> {
    let turns = sent["messages"].as_array().unwrap().iter();
    let blocks: Vec<_> = turns
        .flat_map(|turn| turn["content"].as_array().into_iter().flatten())
        .collect();
    let calls = blocks.iter().filter(|block| block["type"] == "tool_use");
    calls
        .map(|call| {
            let of_call = |result: &&&Value| result["tool_use_id"] == call["id"];
            let at = blocks.iter().position(|block| std::ptr::eq(*block, *call));
            let result = blocks[at.unwrap()..].iter().find(of_call).unwrap();
            (text(&call["id"]), call.to_string(), result.to_string())
        })
        .collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
