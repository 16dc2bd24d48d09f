//! What servers want back: reasoning and signatures.

use vernal_core::model::{ChatModel, ChatOptions, Prompt};

use crate::support::canned::Canned;
use crate::support::view::view;
use crate::{deltas, message};

#[tokio::test]
async fn reasoning_that_only_details_have() {
    let details =
        r#"[{"type":"reasoning.text","text":"Hmm.","signature":"sig","format":"f","index":0}]"#;
    let canned = Canned::new(format!(
        r#"{{"choices":[{{"message":{{"content":"a","reasoning_details":{details}}}}}]}}"#
    ));
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
