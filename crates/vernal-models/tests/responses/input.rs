//! Messages as items.

use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use vernal_core::message::{
    Media, Message, Part, PartContent, ProviderData, Role, ToolCall, ToolContent, ToolResponse,
};

use crate::input_of;

fn with_data(content: PartContent, data: Value) -> Part {
    let data = ProviderData::new("compatible-responses", to_raw_value(&data).unwrap());
    Part::from(content).with_provider_data(data)
}

#[tokio::test]
async fn images_and_files_of_the_user() {
    let mut named = Media::base64("text/csv", "Qg==");
    named.name = Some("table.csv".into());
    let cut = PartContent::Media(Media::url("image/png", "https://h/a.png"));
    let parts = vec![
        Part::text("Look:"),
        PartContent::Media(Media::base64("image/png", "QQ==")).into(),
        with_data(cut, json!({"detail": "low"})),
        PartContent::Media(Media::base64("application/pdf", "Qg==")).into(),
        PartContent::Media(named).into(),
        PartContent::Media(Media::url("application/pdf", "https://h/a.pdf")).into(),
        PartContent::Media(Media::base64("audio/wav", "Qw==")).into(),
        with_data(
            PartContent::Opaque,
            json!({"type": "input_file", "file_id": "file_1"}),
        ),
        with_data(
            PartContent::Opaque,
            json!({"type": "item_reference", "id": "msg_9"}),
        ),
        with_data(
            PartContent::Opaque,
            json!({"type": "function_call", "call_id": "x"}),
        ),
        with_data(
            PartContent::Text("And?".into()),
            json!({"prompt_cache_breakpoint": {"mode": "explicit"}}),
        ),
    ];
    let input = input_of(vec![Message::new(Role::User, parts)]).await;
    assert_eq!(
        input,
        json!([
            {"type": "message", "role": "user", "content": [
                {"type": "input_text", "text": "Look:"},
                {"type": "input_image", "image_url": "data:image/png;base64,QQ==", "detail": "auto"},
                {"type": "input_image", "image_url": "https://h/a.png", "detail": "low"},
                {"type": "input_file", "filename": "document.pdf", "file_data": "data:application/pdf;base64,Qg=="},
                {"type": "input_file", "filename": "table.csv", "file_data": "data:text/csv;base64,Qg=="},
                {"type": "input_file", "file_url": "https://h/a.pdf"},
                {"type": "input_text", "text": "[audio/wav content]"},
                {"type": "input_file", "file_id": "file_1"},
            ]},
            {"type": "item_reference", "id": "msg_9"},
            {"type": "message", "role": "user", "content": [
                {"type": "input_text", "text": "And?", "prompt_cache_breakpoint": {"mode": "explicit"}},
            ]},
        ])
    );
}

#[tokio::test]
async fn images_and_files_in_results() {
    let call = ToolCall::new("call_a", "shot", "{}");
    let content = vec![
        ToolContent::Text("See:".into()),
        ToolContent::Media(Media::base64("image/png", "QQ==")),
        ToolContent::Media(Media::url("application/pdf", "https://h/a.pdf")),
    ];
    let mut asks = Message::assistant("");
    asks.push(PartContent::ToolCall(call.clone()));
    let answers = Message::tool([ToolResponse::success(&call, content)]);
    let input = input_of(vec![asks, answers]).await;
    assert_eq!(
        input[1],
        json!({"type": "function_call_output", "call_id": "call_a", "output": [
            {"type": "input_text", "text": "See:"},
            {"type": "input_image", "image_url": "data:image/png;base64,QQ==", "detail": "auto"},
            {"type": "input_file", "file_url": "https://h/a.pdf"},
        ]})
    );
    // A message without text is no item.
    assert_eq!(input.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn ids_that_are_too_long_are_mapped_alike() {
    let call = ToolCall::new("x".repeat(65), "now", "not JSON");
    let mut asks = Message::assistant("");
    asks.push(PartContent::ToolCall(call.clone()));
    let answers = Message::tool([ToolResponse::success(&call, Vec::new())]);
    let input = input_of(vec![asks, answers]).await;
    let id = input[0]["call_id"].as_str().unwrap();
    assert!(id.len() <= 64, "{id}");
    assert_eq!(input[0]["call_id"], input[1]["call_id"]);
    assert_eq!(
        input[0]["arguments"],
        r#"{"_invalid_arguments":"not JSON"}"#
    );
}

#[tokio::test]
async fn every_call_has_one_result_and_every_result_its_call() {
    let calls = ["a", "b"].map(|id| ToolCall::new(id, "now", "{}"));
    let asks = |calls: &[ToolCall]| {
        let parts = calls
            .iter()
            .cloned()
            .map(|call| PartContent::ToolCall(call).into());
        Message::new(Role::Assistant, parts.collect())
    };
    let result = |id: &str| {
        let call = ToolCall::new(id, "now", "{}");
        ToolResponse::success(&call, vec![ToolContent::Text(format!("of {id}").into())])
    };
    let outputs = |input: &Value| -> Vec<String> {
        let items = input.as_array().unwrap().iter();
        let results = items.filter(|item| item["type"] == "function_call_output");
        results
            .map(|item| format!("{} {}", item["call_id"], item["output"]))
            .collect()
    };
    let lost = r#""b" "The tool was not run, or its result was lost; call it again if it is still needed.""#;
    let user = || Message::user("Go on.");
    let search = json!({"type": "tool_search_call", "call_id": "a", "execution": "client"});
    let searches = Message::new(
        Role::Assistant,
        vec![with_data(PartContent::Opaque, search)],
    );
    for (messages, expected) in [
        // The provider's own call is answered by the application.
        (
            vec![searches, Message::tool([result("a"), result("b")])],
            vec![r#""a" "of a""#],
        ),
        // Nobody answered the second call before something else was said, or at all.
        (
            vec![user(), asks(&calls), Message::tool([result("a")]), user()],
            vec![r#""a" "of a""#, lost],
        ),
        (vec![user(), asks(&calls[1..])], vec![lost]),
        // Their messages were cut off, or are answered twice.
        (vec![Message::tool([result("a")]), user()], vec![]),
        (
            vec![
                asks(&calls[..1]),
                Message::tool([result("b"), result("a"), result("a")]),
            ],
            vec![r#""a" "of a""#],
        ),
        // Results may come in two messages, in any order.
        (
            vec![
                asks(&calls),
                Message::tool([result("b")]),
                Message::tool([result("a")]),
            ],
            vec![r#""b" "of b""#, r#""a" "of a""#],
        ),
        // The ids are used again.
        (
            vec![
                asks(&calls[..1]),
                Message::tool([result("a")]),
                asks(&calls[..1]),
                Message::tool([result("a")]),
            ],
            vec![r#""a" "of a""#, r#""a" "of a""#],
        ),
    ] {
        assert_eq!(outputs(&input_of(messages).await), expected);
    }
}
