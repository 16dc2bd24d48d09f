//! Answers that come in one piece.

use serde_json::json;
use vernal_core::message::{FinishReason, PartContent};
use vernal_core::model::{ChatModel, ModelErrorKind};

use crate::model::model;
use crate::support::canned::Canned;
use crate::{HELLO, call, called};

#[tokio::test]
async fn an_answer_has_its_text_its_usage_and_the_model_that_was_asked() {
    let answer = model(&Canned::new(HELLO)).call("hi".into()).await.unwrap();
    assert_eq!(answer.content(), "Hello.");
    assert_eq!(answer.finish_reason(), Some(&FinishReason::Stop));
    assert_eq!(answer.metadata.model.as_deref(), Some("asked"));
    assert_eq!(answer.usage().total_tokens, 5);
}

#[tokio::test]
async fn texts_calls_and_thoughts_keep_their_order() {
    let view = called(
        r#"[{"reasoningContent":{"reasoningText":{"text":"hm","signature":"c2ln"}}},
            {"text":"Let me see. "},
            {"toolUse":{"toolUseId":"tooluse_1","name":"weather","input":{"city":"서울"}}},
            {"text":""},
            {"toolUse":{"toolUseId":"tooluse_2","name":"now","input":{}}}]"#,
        "tool_use",
    )
    .await;
    assert_eq!(view.text, "Let me see. ");
    assert_eq!(view.reasoning, "hm");
    assert_eq!(
        view.calls,
        [
            call("tooluse_1", "weather", r#"{"city":"서울"}"#),
            call("tooluse_2", "now", "{}"),
        ]
    );
    assert_eq!(
        view.parts,
        [
            r#"reasoning {"reasoningContent":{"reasoningText":{"text":"hm","signature":"c2ln"}}}"#,
            "text",
            "call",
            "call",
        ]
    );
    assert_eq!(view.finish, Some(FinishReason::ToolCalls));
}

#[tokio::test]
async fn why_an_answer_ended() {
    for (said, meant) in [
        ("end_turn", Some(FinishReason::Stop)),
        ("stop_sequence", Some(FinishReason::Stop)),
        ("tool_use", Some(FinishReason::ToolCalls)),
        ("max_tokens", Some(FinishReason::Length)),
        ("model_context_window_exceeded", Some(FinishReason::Length)),
        ("guardrail_intervened", Some(FinishReason::ContentFilter)),
        ("content_filtered", Some(FinishReason::ContentFilter)),
        ("malformed_tool_use", Some(FinishReason::Malformed)),
        ("malformed_model_output", Some(FinishReason::Malformed)),
        ("refusal", Some(FinishReason::Refusal)),
        ("", None),
        ("new", Some(FinishReason::Other("new".into()))),
    ] {
        let view = called(r#"[{"text":"x"}]"#, said).await;
        assert_eq!(view.finish, meant, "{said}");
    }
    // Whether there are calls is decided by the content.
    let calls = r#"[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]"#;
    assert_eq!(
        called(calls, "end_turn").await.finish,
        Some(FinishReason::ToolCalls)
    );
}

#[tokio::test]
async fn a_call_that_was_cut_off_is_not_made_to_look_complete() {
    let cut = r#"[{"toolUse":{"toolUseId":"a","name":"f"}}]"#;
    assert_eq!(called(cut, "max_tokens").await.calls, [call("a", "f", "")]);
    assert_eq!(called(cut, "tool_use").await.calls, [call("a", "f", "{}")]);
}

#[tokio::test]
async fn what_only_the_provider_understands_is_kept_whole() {
    let content = r#"[{"reasoningContent":{"redactedContent":"AAA="}},
        {"reasoningContent":{"reasoningText":{"text":"","signature":"c2ln"}}},
        {"citationsContent":{"content":[{"text":"It is "},{"text":"so."}],"citations":[{"title":"t"}]}},
        {"toolUse":{"toolUseId":"s","name":"nova_grounding","input":{"q":1},"type":"server_tool_use"}},
        {"toolResult":{"toolUseId":"s","type":"nova_grounding_result","content":[{"json":{}}]}},
        {"future":{"a":[1]}},
        {}, null, "x", {"text":null}]"#;
    let view = called(content, "end_turn").await;
    assert_eq!(view.text, "It is so.");
    assert!(view.calls.is_empty() && view.finish == Some(FinishReason::Stop));
    let kinds: Vec<_> = view
        .parts
        .iter()
        .map(|part| part.split(' ').next().unwrap())
        .collect();
    let opaque = "opaque";
    assert_eq!(
        kinds,
        [
            opaque, opaque, "text", opaque, opaque, opaque, opaque, opaque
        ],
        "{:?}",
        view.parts
    );
    assert_eq!(view.parts[5], r#"opaque {"future":{"a":[1]}}"#);
}

#[tokio::test]
async fn images_of_the_model_are_media() {
    let body = HELLO.replace(
        r#"{"text":"Hello."}"#,
        r#"{"image":{"format":"png","source":{"bytes":"iVBO"}}},{"image":{"format":"png","source":{"s3Location":{}}}}"#,
    );
    let answer = model(&Canned::new(body)).call("hi".into()).await.unwrap();
    let parts = answer.generation().unwrap().message.parts();
    let PartContent::Media(media) = &parts[0].content else {
        panic!("{parts:?}");
    };
    assert_eq!(&*media.mime_type, "image/png");
    assert!(matches!(parts[1].content, PartContent::Opaque));
}

#[tokio::test]
async fn usage_counts_the_cache_and_facts_are_in_the_metadata() {
    let body = json!({
        "output": {"message": {"content": []}},
        "stopReason": "guardrail_intervened",
        "usage": {"inputTokens": 2, "outputTokens": 5, "totalTokens": 1329,
                  "cacheReadInputTokens": 1300, "cacheWriteInputTokens": 22},
        "additionalModelResponseFields": {"/stop_sequence": "x"},
        "trace": {"promptRouter": {"invokedModelId": "arn:aws:bedrock:m"}},
        "serviceTier": {"type": "flex"},
        "performanceConfig": null,
    });
    let answer = model(&Canned::new(body.to_string()))
        .call("hi".into())
        .await;
    let answer = answer.unwrap();
    let usage = answer.usage();
    assert_eq!((usage.input_tokens, usage.total_tokens), (1324, 1329));
    assert_eq!(usage.cache_read_input_tokens, 1300);
    assert_eq!(usage.cache_write_input_tokens, 22);
    assert_eq!(answer.metadata.model.as_deref(), Some("arn:aws:bedrock:m"));
    let metadata = &answer.generation().unwrap().metadata;
    assert_eq!(
        metadata["additionalModelResponseFields"]["/stop_sequence"],
        "x"
    );
    assert_eq!(metadata["serviceTier"]["type"], "flex");
    assert!(!metadata.contains_key("performanceConfig"));
}

#[tokio::test]
async fn what_is_no_answer_is_an_error() {
    for (body, said) in [
        ("{}", "output.message.content"),
        (
            r#"{"output":{"message":{"content":"x"}}}"#,
            "output.message.content",
        ),
        (r#"{"message":"Unable to process"}"#, "Unable to process"),
        (r#"{"error":{"message":"gateway"}}"#, "gateway"),
        ("{", "no JSON"),
        ("<html>", "HTML"),
        ("", "empty"),
    ] {
        let error = model(&Canned::new(body)).call("hi".into()).await;
        let error = error.unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
        assert!(matches!(
            error.kind(),
            ModelErrorKind::Response | ModelErrorKind::Server
        ));
    }
}
