//! What the server wants back comes back, on the same part, and nothing else does.

use serde_json::{Value, json};
use vernal_core::message::{Message, Part, PartContent, ProviderData, Role};
use vernal_core::model::{ChatModel, ChatOptions, Prompt};

use crate::support::canned::Canned;
use crate::support::view::collect;
use crate::{STOP, model, parts};

/// What is sent of a message.
async fn sent(message: Message) -> Value {
    let canned = Canned::new(STOP);
    let prompt = Prompt::new(vec![Message::user("hi"), message], ChatOptions::default());
    model(&canned).call(prompt).await.unwrap();
    let sent: Value = serde_json::from_str(&canned.last_sent()).unwrap();
    sent["contents"][1]["parts"].clone()
}

#[tokio::test]
async fn parts_go_back_as_they_came() {
    let received = [
        r#"{"text":"Hm.","thought":true,"thoughtSignature":"S0"}"#,
        r#"{"text":"a"}"#,
        r#"{"text":"b","thoughtSignature":"S1"}"#,
        r#"{"text":"c"}"#,
        r#"{"functionCall":{"id":"x","name":"f","args":{"z":1,"a":[2]}},"thoughtSignature":"QQ\u003d"}"#,
        r#"{"functionCall":{"name":"f","args":{}}}"#,
        r#"{"toolCall":{"toolType":"SEARCH"},"thoughtSignature":"S3"}"#,
        r#"{"inlineData":{"mimeType":"image/png","data":"AAAA"},"thoughtSignature":"S4"}"#,
        r#"{"text":"","thoughtSignature":"S5"}"#,
    ];
    let events: String = received
        .iter()
        .map(|part| parts(part))
        .chain([STOP.to_owned()])
        .map(|event| format!("data: {event}\n\n"))
        .collect();
    let whole = model(&Canned::new(parts(&received.join(","))))
        .call("hi".into())
        .await
        .unwrap();
    let (_, streamed) = collect(model(&Canned::new(events)).stream("hi".into())).await;
    for answer in [whole, streamed.unwrap()] {
        let message = &answer.generations[0].message;
        // As it is after it was stored, too.
        let stored = serde_json::to_string(&**message).unwrap();
        let loaded: Message = serde_json::from_str(&stored).unwrap();
        for message in [(**message).clone(), loaded] {
            let expected: Value =
                serde_json::from_str(&format!("[{}]", received.join(","))).unwrap();
            assert_eq!(sent(message).await, expected);
        }
    }
}

#[tokio::test]
async fn thoughts_without_a_signature_stay() {
    let canned = Canned::new(parts(r#"{"text":"Hm.","thought":true},{"text":"a"}"#));
    let answer = model(&canned).call("hi".into()).await.unwrap();
    let message = (*answer.generations[0].message).clone();
    assert_eq!(sent(message).await, json!([{"text": "a"}]));
}

#[tokio::test]
async fn data_of_others_and_forged_data_are_not_sent() {
    let with = |provider: &'static str, data: Value| {
        let raw = serde_json::value::to_raw_value(&data).unwrap();
        Part::text("a").with_provider_data(ProviderData::new(provider, raw))
    };
    let mut opaque = Part::from(PartContent::Opaque);
    opaque.provider = with("gemini", json!({"part": "text"})).provider;
    let message = Message::new(
        Role::Assistant,
        vec![
            with("openai", json!({"thoughtSignature": "S"})),
            with("gemini", json!({"thoughtSignature": {"x": 1}})),
            with("gemini", json!({"part": {"text": "b"}})),
            with("gemini", json!([1])),
            opaque,
        ],
    );
    let a = json!({"text": "a"});
    assert_eq!(sent(message).await, json!([a, a, a, a]));
}
