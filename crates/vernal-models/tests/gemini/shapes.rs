//! One small answer for each odd shape.

use vernal_core::message::FinishReason;
use vernal_core::model::{ChatModel, ModelErrorKind};

use crate::support::canned::Canned;
use crate::support::view::{collect, view, view_of};
use crate::{STOP, heard, model, parts};

#[tokio::test]
async fn a_signature_between_texts() {
    let (told, end) = heard(&[
        &parts(r#"{"text":"a"}"#),
        &parts(r#"{"text":"b","thoughtSignature":"S1"}"#),
        &parts(r#"{"text":"c"}"#),
        &parts(r#"{"text":"d"}"#),
        STOP,
    ])
    .await;
    let view = end.unwrap();
    let parts = ["text", r#"text {"thoughtSignature":"S1"}"#, "text"];
    assert_eq!(view.parts, parts);
    assert_eq!((&*view.text, &*told.text), ("abcd", "abcd"));
}

#[tokio::test]
async fn parts_of_the_servers_own_are_kept_in_their_place() {
    let (_, end) = heard(&[
        &parts(r#"{"executableCode":{"language":"PYTHON","code":"1+1"}},{"codeExecutionResult":{"output":"2"}}"#),
        &parts(r#"{"text":"2"},{"inlineData":{"mimeType":"image/png","data":"AAAA"},"thoughtSignature":"S"},7,"x",{},{"thoughtSignature":"T"}"#),
        STOP,
    ])
    .await;
    assert_eq!(
        end.unwrap().parts,
        [
            r#"opaque {"part":{"executableCode":{"language":"PYTHON","code":"1+1"}}}"#,
            r#"opaque {"part":{"codeExecutionResult":{"output":"2"}}}"#,
            "text",
            r#"other {"thoughtSignature":"S"}"#,
            r#"opaque {"thoughtSignature":"T"}"#,
        ]
    );
}

#[tokio::test]
async fn reasons_to_end() {
    for (said, expected) in [
        ("STOP", Some(FinishReason::Stop)),
        ("MAX_TOKENS", Some(FinishReason::Length)),
        ("SAFETY", Some(FinishReason::ContentFilter)),
        ("PROHIBITED_CONTENT", Some(FinishReason::ContentFilter)),
        ("UNEXPECTED_TOOL_CALL", Some(FinishReason::Malformed)),
        (
            "TOO_MANY_TOOL_CALLS",
            Some(FinishReason::Other("TOO_MANY_TOOL_CALLS".into())),
        ),
        ("FINISH_REASON_UNSPECIFIED", None),
    ] {
        let event = format!(
            r#"{{"candidates":[{{"content":{{}},"finishReason":"{said}","finishMessage":"why"}}]}}"#
        );
        let view = heard(&[&event]).await.1.unwrap();
        assert_eq!(view.finish, expected);
        assert!(view.parts.is_empty());
        let answer = model(&Canned::new(event)).call("hi".into()).await.unwrap();
        assert_eq!(answer.generations[0].metadata["finishMessage"], "why");
    }
}

#[tokio::test]
async fn usage_keeps_what_a_later_event_leaves_out() {
    let first = r#"{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"responseId":"r","modelVersion":"m","usageMetadata":{"promptTokenCount":10,"cachedContentTokenCount":4,"toolUsePromptTokenCount":2,"thoughtsTokenCount":5}}"#;
    let last = r#"{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"candidatesTokenCount":3,"totalTokenCount":20}}"#;
    let view = heard(&[first, last]).await.1.unwrap();
    let usage = view.usage.unwrap();
    let totals = (usage.input_tokens, usage.output_tokens, usage.total_tokens);
    assert_eq!(totals, (12, 8, 20));
    let inside = (usage.cache_read_input_tokens, usage.reasoning_output_tokens);
    assert_eq!(inside, (4, 5));
    assert_eq!(
        (view.id.as_deref(), view.model.as_deref()),
        (Some("r"), Some("m"))
    );
    assert_eq!(heard(&[STOP]).await.1.unwrap().usage, None);
}

#[tokio::test]
async fn an_error_in_the_middle_comes_after_what_came() {
    let said =
        r#"{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}"#;
    let events = format!("data: {}\n\ndata: {said}\n\n", parts(r#"{"text":"Hel"}"#));
    let (told, end) = collect(model(&Canned::new(events)).stream("hi".into())).await;
    let error = end.unwrap_err();
    assert_eq!((&*told.text, error.kind()), ("Hel", ModelErrorKind::Server));
    assert_eq!(error.status(), Some(503));
    assert!(error.to_string().contains("overloaded"), "{error}");
}

#[tokio::test]
async fn several_candidates() {
    let event = |index: u8, text: &str| {
        format!(
            r#"{{"candidates":[{{"index":{index},"content":{{"parts":[{{"text":"{text}"}}]}}}}]}}"#
        )
    };
    let stop = r#"{"candidates":[{"index":1,"finishReason":"STOP"},{"finishReason":"STOP"}]}"#;
    let events = [event(0, "a"), event(1, "x"), event(0, "b"), stop.to_owned()];
    let (told, end) = heard(&[&*events[0], &*events[1], &*events[2], &*events[3]]).await;
    assert_eq!((&*told.text, &*end.unwrap().text), ("ab", "ab"));
    let list = Canned::new(format!("[{}]", events.join(",")));
    let answer = model(&list).call("hi".into()).await.unwrap();
    let texts: Vec<_> = answer.generations.iter().map(|g| view_of(g).text).collect();
    assert_eq!(texts, ["ab", "x"]);
}

#[tokio::test]
async fn bodies_that_are_no_answer() {
    for (body, said) in [
        ("", "empty"),
        ("<html>", "HTML"),
        ("{}", "no candidates"),
        (r#"{"candidates":[]}"#, "no candidates"),
        ("{broken", "no JSON"),
        (r#"[{"error":{"message":"m"}}]"#, ": m"),
        ("[]", "before anything"),
    ] {
        let canned = Canned::new(body);
        let error = model(&canned).call("hi".into()).await.unwrap_err();
        assert!(error.to_string().contains(said), "{body}: {error}");
        collect(model(&canned).stream("hi".into()))
            .await
            .1
            .unwrap_err();
    }
    // Signs of life, and an end that others send.
    let events = format!(": life\n\ndata: ping\n\ndata: {STOP}\n\ndata: [DONE]\n\n");
    let (_, end) = collect(model(&Canned::new(events)).stream("hi".into())).await;
    assert_eq!(view(&end.unwrap()).finish, Some(FinishReason::Stop));
}
