//! Calls that came without a signature, to models that want one.

use serde_json::{Value, json};
use vernal_core::message::{
    Message, Part, PartContent, ProviderData, Role, ToolCall, ToolResponse,
};
use vernal_core::model::{ChatModel, ChatOptions, Prompt};

use crate::support::canned::Canned;
use crate::{STOP, builder};

fn call(id: &str) -> ToolCall {
    ToolCall::new(id, "f", "{}")
}

fn part(content: PartContent, signature: Option<&str>) -> Part {
    let part = Part::from(content);
    match signature {
        Some(signature) => {
            let data = serde_json::value::to_raw_value(&json!({"thoughtSignature": signature}));
            part.with_provider_data(ProviderData::new("gemini", data.unwrap()))
        }
        None => part,
    }
}

/// A step of the model with these calls, and their results.
fn step(calls: &[(&str, Option<&str>)]) -> [Message; 2] {
    let parts = calls
        .iter()
        .map(|(id, signature)| part(PartContent::ToolCall(call(id)), *signature));
    let results = calls
        .iter()
        .map(|(id, _)| ToolResponse::success(&call(id), vec![]));
    [
        Message::new(Role::Assistant, parts.collect()),
        Message::tool(results),
    ]
}

/// The signatures that stand on the calls that a model is sent.
async fn signatures(model: &str, messages: Vec<Message>) -> Vec<Option<String>> {
    let canned = Canned::new(STOP);
    let model = builder(&canned).model(model).build().unwrap();
    // The bytes of a message are kept: another model has had these before.
    let other = builder(&canned).model("gemini-2.5-flash").build().unwrap();
    let prompt = Prompt::new(messages, ChatOptions::default());
    for model in [&other, &model] {
        model.call(prompt.clone()).await.unwrap();
    }
    let sent: Value = serde_json::from_str(&canned.last_sent()).unwrap();
    let contents = sent["contents"].as_array().unwrap();
    let parts = contents
        .iter()
        .flat_map(|content| content["parts"].as_array().unwrap());
    parts
        .filter(|part| part.get("functionCall").is_some())
        .map(|part| part["thoughtSignature"].as_str().map(str::to_owned))
        .collect()
}

#[tokio::test]
async fn the_first_call_of_each_step_has_a_signature_where_it_is_wanted() {
    const NONE: Option<&str> = Some("c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=");
    let trailing = Message::new(
        Role::Assistant,
        vec![
            part(PartContent::ToolCall(call("a")), None),
            part(PartContent::Opaque, Some("S")),
        ],
    );
    let trailing = [
        trailing,
        Message::tool([ToolResponse::success(&call("a"), vec![])]),
    ];
    for (steps, expected) in [
        (vec![step(&[("a", None), ("b", None)])], vec![NONE, None]),
        (
            vec![step(&[("a", None)]), step(&[("b", None)])],
            vec![NONE, NONE],
        ),
        (
            vec![step(&[("a", None)]), step(&[("b", Some("S")), ("c", None)])],
            vec![NONE, Some("S"), None],
        ),
        // Where a signature came, nothing is put beside it.
        (vec![trailing], vec![None]),
    ] {
        let messages = || {
            let steps = steps.iter().flatten().cloned();
            std::iter::once(Message::user("hi")).chain(steps).collect()
        };
        for model in ["gemini-3-pro-preview", "models/gemini-3.5-flash"] {
            let found = signatures(model, messages()).await;
            let found: Vec<_> = found.iter().map(Option::as_deref).collect();
            assert_eq!(found, expected, "{model}");
        }
        for model in ["gemini-2.5-flash", "asked"] {
            let found = signatures(model, messages()).await;
            assert!(!found.contains(&NONE.map(str::to_owned)), "{model}");
        }
    }
}
