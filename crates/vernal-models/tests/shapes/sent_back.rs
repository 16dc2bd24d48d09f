//! What servers want back: reasoning and signatures.

use vernal_core::model::{ChatModel, ChatOptions, Prompt};
use vernal_models::openai::OpenAiProfile;

use crate::support::canned::Canned;
use crate::support::view::view;
use crate::{call, calls, deltas, message};

#[tokio::test]
async fn reasoning_then_calls() {
    let (told, streamed) = deltas(&[
        r#"{"role":"assistant","content":null,"reasoning_content":"Hm"}"#,
        r#"{"content":null,"reasoning_content":"m."}"#,
        r#"{"content":"I look.","reasoning_content":null}"#,
        r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"sum","arguments":"{}"}}]}"#,
    ])
    .await;
    assert_eq!(
        told.events[..3],
        ["reasoning Hm", "reasoning m.", "text I look."]
    );
    let whole = r#"{"content":"I look.","reasoning_content":"Hmm.","tool_calls":[{"id":"a","function":{"name":"sum","arguments":"{}"}}]}"#;
    let canned = Canned::new(format!(r#"{{"choices":[{{"message":{whole}}}]}}"#));
    let model = canned.model();
    let answer = model.call("hi".into()).await.unwrap();
    assert_eq!(
        view(&answer).parts,
        [r#"reasoning {"field":"reasoning_content"}"#, "text", "call"]
    );
    assert_eq!(view(&answer).parts, streamed.parts);
    assert_eq!(streamed.reasoning, "Hmm.");
    // It goes back to whom it came from, in the field it came in.
    let again = vec![answer.generations[0].message.clone()];
    model
        .call(Prompt::new(again.clone(), ChatOptions::default()))
        .await
        .unwrap();
    assert!(
        canned
            .last_sent()
            .contains(r#""content":"I look.","reasoning_content":"Hmm.","tool_calls""#)
    );
    let openai = canned.model_with(OpenAiProfile::OPENAI);
    openai
        .call(Prompt::new(again, ChatOptions::default()))
        .await
        .unwrap();
    assert!(!canned.last_sent().contains("Hmm."));
}

#[tokio::test]
async fn reasoning_details_go_back_whole() {
    let details =
        r#"[{"type":"reasoning.text","text":"Hmm.","signature":"sig","format":"f","index":0}]"#;
    let (_, streamed) = deltas(&[
        r#"{"reasoning":"Hm","reasoning_details":[{"type":"reasoning.text","text":"Hm","format":"f","index":0}]}"#,
        r#"{"reasoning":"m.","reasoning_details":[{"type":"reasoning.text","text":"m.","format":"f","index":0}]}"#,
        r#"{"reasoning":null,"reasoning_details":[{"type":"reasoning.text","signature":"sig","index":0}]}"#,
        r#"{"content":"a"}"#,
    ])
    .await;
    assert_eq!(streamed.reasoning, "Hmm.");
    assert!(
        streamed.parts[0].contains(r#""signature":"sig""#) && streamed.parts[0].contains("Hmm.")
    );
    for field in [r#""reasoning":"Hmm.","#, ""] {
        let body = format!(
            r#"{{"choices":[{{"message":{{"content":"a",{field}"reasoning_details":{details}}}}}]}}"#
        );
        let canned = Canned::new(body);
        let model = canned.model();
        let answer = model.call("hi".into()).await.unwrap();
        assert_eq!(view(&answer).reasoning, "Hmm.");
        let again = vec![answer.generations[0].message.clone()];
        model
            .call(Prompt::new(again, ChatOptions::default()))
            .await
            .unwrap();
        let sent = canned.last_sent();
        assert!(
            sent.contains(&format!(r#""content":"a","reasoning_details":{details}}}"#)),
            "{sent}"
        );
    }
    // What cannot be read goes back all the same.
    let sealed = r#"[{"type":"reasoning.encrypted","data":"xyz","index":0}]"#;
    let view = message(&format!(
        r#"{{"content":"a","reasoning_details":{sealed}}}"#
    ))
    .await;
    assert_eq!(
        view.parts,
        [
            format!(r#"opaque {{"reasoning_details":{sealed}}}"#),
            "text".to_owned()
        ]
    );
}

#[tokio::test]
async fn thinking_within_the_content() {
    let thinking = r#"{"type":"thinking","thinking":[{"type":"text","text":"Hm"},{"type":"text","text":"m."}],"closed":true}"#;
    let text = r#"{"type":"text","text":"Hi."}"#;
    let canned = Canned::new(format!(
        r#"{{"choices":[{{"message":{{"content":[{thinking},{text}]}}}}]}}"#
    ));
    let model = canned.model();
    let answer = model.call("hi".into()).await.unwrap();
    let whole = view(&answer);
    assert_eq!(
        (whole.reasoning.as_str(), whole.text.as_str()),
        ("Hmm.", "Hi.")
    );
    let again = vec![answer.generations[0].message.clone()];
    model
        .call(Prompt::new(again, ChatOptions::default()))
        .await
        .unwrap();
    assert!(
        canned
            .last_sent()
            .contains(&format!(r#""content":[{thinking},{text}]"#))
    );
    let (told, streamed) = deltas(&[
        r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm"}]}]}"#,
        r#"{"content":[{"type":"thinking","thinking":"m."}]}"#,
        r#"{"content":"Hi."}"#,
    ])
    .await;
    assert_eq!(
        (streamed.reasoning.as_str(), streamed.text.as_str()),
        ("Hmm.", "Hi.")
    );
    assert_eq!(told.events, ["reasoning Hm", "reasoning m.", "text Hi."]);
    assert!(streamed.parts[0].contains(r#""text":"Hmm.""#));
}

#[tokio::test]
async fn no_index_and_a_signature_that_goes_back() {
    let whole = r#"{"id":"","type":"function","function":{"name":"sum","arguments":"{\"x\":1}"},"extra_content":{"google":{"thought_signature":"sig=="}}}"#;
    let second = r#"{"function":{"name":"sum","arguments":"{\"x\":2}"}}"#;
    let nulls =
        r#"{"index":null,"id":null,"type":null,"function":{"name":"max","arguments":"{}"}}"#;
    let expected = [
        call("call_1_0", "sum", "{\"x\":1}"),
        call("call_1_1", "sum", "{\"x\":2}"),
        call("call_1_2", "max", "{}"),
    ];
    assert_eq!(calls(&[whole, second, nulls]).await, expected);
    let body =
        format!(r#"{{"choices":[{{"message":{{"tool_calls":[{whole},{second},{nulls}]}}}}]}}"#);
    let canned = Canned::new(body);
    let model = canned.model();
    let answer = model.call("hi".into()).await.unwrap();
    assert_eq!(view(&answer).calls, expected);
    let again = vec![answer.generations[0].message.clone()];
    model
        .call(Prompt::new(again.clone(), ChatOptions::default()))
        .await
        .unwrap();
    let signature = r#""extra_content":{"google":{"thought_signature":"sig=="}}"#;
    assert_eq!(canned.last_sent().matches(signature).count(), 1);
    // Another provider does not get it.
    let openai = canned.model_with(OpenAiProfile::OPENAI);
    openai
        .call(Prompt::new(again, ChatOptions::default()))
        .await
        .unwrap();
    assert!(!canned.last_sent().contains("extra_content"));
}
