//! Messages as turns: who speaks, and which result belongs to which call.

use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use vernal_core::message::{
    Media, Message, Part, PartContent, ProviderData, Role, ToolCall, ToolContent, ToolOutcome,
    ToolResponse,
};

use crate::{asks, turns_of};

fn result(call: &ToolCall, text: &str) -> ToolResponse {
    ToolResponse::success(call, vec![ToolContent::Text(text.into())])
}

fn marked(part: Part, data: Value) -> Part {
    part.with_provider_data(ProviderData::new("anthropic", to_raw_value(&data).unwrap()))
}

/// Who speaks, and the kinds of the blocks.
fn shape(turns: &Value) -> Vec<String> {
    let kind = |block: &Value| block["type"].as_str().unwrap().to_owned();
    let blocks = |turn: &Value| {
        let content = turn["content"].as_array().unwrap();
        content.iter().map(kind).collect::<Vec<_>>().join(" ")
    };
    let turns = turns.as_array().unwrap();
    turns
        .iter()
        .map(|turn| format!("{}: {}", turn["role"].as_str().unwrap(), blocks(turn)))
        .collect()
}

#[tokio::test]
async fn messages_that_follow_each_other_are_one_turn_with_the_results_first() {
    let (a, b) = (ToolCall::new("a", "f", "{}"), ToolCall::new("b", "f", "{}"));
    let turns = turns_of(vec![
        Message::user("One."),
        Message::user("Two."),
        asks(&[&a, &b]),
        Message::user("Be quick."),
        Message::tool([result(&b, "B")]),
        Message::tool([result(&a, "A")]),
        Message::assistant("Done."),
        Message::assistant("Really."),
    ])
    .await;
    assert_eq!(
        shape(&turns),
        [
            "user: text text",
            "assistant: tool_use tool_use",
            "user: tool_result tool_result text",
            "assistant: text text"
        ]
    );
    assert_eq!(turns[2]["content"][0]["tool_use_id"], "b");
    assert_eq!(turns[2]["content"][1]["content"], "A");
}

#[tokio::test]
async fn calls_without_results_get_errors() {
    let (a, b) = (ToolCall::new("a", "f", "{}"), ToolCall::new("b", "f", "{}"));
    let lost = |id: &str, turn: &Value| {
        let blocks = turn["content"].as_array().unwrap();
        let of_id: Vec<_> = blocks
            .iter()
            .filter(|block| block["tool_use_id"] == id)
            .collect();
        assert_eq!(of_id.len(), 1, "{turn}");
        assert_eq!(of_id[0]["is_error"], true);
        assert!(of_id[0]["content"].as_str().unwrap().contains("not run"));
    };
    // At the end, before a word of the user, before a word of the model, and one of two.
    let turns = turns_of(vec![Message::user("x"), asks(&[&a, &b])]).await;
    assert_eq!(shape(&turns)[2], "user: tool_result tool_result");
    lost("a", &turns[2]);
    lost("b", &turns[2]);
    let turns = turns_of(vec![asks(&[&a]), Message::user("Go on.")]).await;
    assert_eq!(shape(&turns)[1], "user: tool_result text");
    lost("a", &turns[1]);
    let turns = turns_of(vec![asks(&[&a]), Message::assistant("Hm.")]).await;
    assert_eq!(
        shape(&turns),
        [
            "assistant: tool_use",
            "user: tool_result",
            "assistant: text"
        ]
    );
    lost("a", &turns[1]);
    let turns = turns_of(vec![asks(&[&a, &b]), Message::tool([result(&b, "B")])]).await;
    assert_eq!(shape(&turns)[1], "user: tool_result tool_result");
    lost("a", &turns[1]);
}

#[tokio::test]
async fn results_without_their_calls_are_left_out() {
    let (a, b) = (ToolCall::new("a", "f", "{}"), ToolCall::new("b", "f", "{}"));
    let turns = turns_of(vec![
        Message::tool([result(&a, "of nothing")]),
        Message::user("x"),
        asks(&[&a]),
        Message::tool([
            result(&b, "of another"),
            result(&a, "A"),
            result(&a, "again"),
        ]),
        Message::tool([result(&a, "once more")]),
        Message::assistant("y"),
        Message::tool([result(&a, "late")]),
    ])
    .await;
    assert_eq!(
        shape(&turns),
        [
            "user: text",
            "assistant: tool_use",
            "user: tool_result",
            "assistant: text"
        ]
    );
    assert_eq!(turns[2]["content"][0]["content"], "A");
}

#[tokio::test]
async fn results_hold_text_errors_images_and_documents() {
    let call = ToolCall::new("a", "draw", "{}");
    let png = ToolContent::Media(Media::base64("image/png", "AAAA"));
    let pdf = Media::base64("application/pdf", "BBBB");
    let json = ToolContent::Json(to_raw_value(&json!({"x": 1})).unwrap());
    let text = ToolContent::Text("Here:".into());
    let image = json!({"type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}});
    for (response, content, is_error) in [
        (
            ToolResponse::success(&call, vec![text.clone(), json.clone()]),
            json!("Here:\n{\"x\":1}"),
            Value::Null,
        ),
        (
            ToolResponse::success(&call, vec![text, json, png]),
            json!([{"type": "text", "text": "Here:"}, {"type": "text", "text": "{\"x\":1}"}, image]),
            Value::Null,
        ),
        (
            ToolResponse::success(&call, vec![ToolContent::Media(pdf)]),
            json!([{"type": "document", "source": {"type": "base64",
                "media_type": "application/pdf", "data": "BBBB"}}]),
            Value::Null,
        ),
        (
            ToolResponse::success(&call, vec![]),
            Value::Null,
            Value::Null,
        ),
        (
            ToolResponse::error(&call, ToolOutcome::InvalidArguments, "no `x`"),
            json!("no `x`"),
            json!(true),
        ),
    ] {
        let turns = turns_of(vec![asks(&[&call]), Message::tool([response])]).await;
        assert_eq!(turns[1]["content"][0]["content"], content);
        assert_eq!(turns[1]["content"][0]["is_error"], is_error);
    }
}

#[tokio::test]
async fn media_and_marks_of_the_user() {
    let mut named = Media::base64("application/pdf", "CCCC");
    named.name = Some("cats.pdf".into());
    let media = [
        Media::base64("image/jpg", "AAAA"),
        Media::url("image/jpeg", "https://h/cat.jpg"),
        named,
        Media::base64("video/mp4", "DDDD"),
        Media::base64("image/svg+xml", "EEEE"),
    ];
    let mut message = Message::new(Role::User, vec![]);
    message.push(marked(
        Part::text("Look:"),
        json!({"cache_control": {"type": "ephemeral"}}),
    ));
    media
        .into_iter()
        .for_each(|media| message.push(PartContent::Media(media)));
    let upload = json!({"type": "container_upload", "file_id": "file_1"});
    message.push(marked(PartContent::Opaque.into(), upload.clone()));
    // What is another provider's, or passes for a result, is not sent.
    message.push(marked(
        PartContent::Opaque.into(),
        json!({"type": "tool_result", "tool_use_id": "x"}),
    ));
    let foreign = ProviderData::new("openai", to_raw_value(&json!({"type": "x"})).unwrap());
    message.push(Part::from(PartContent::Opaque).with_provider_data(foreign));
    message.push(Part::text(" \n"));
    let turns = turns_of(vec![message]).await;
    assert_eq!(
        turns[0]["content"],
        json!([
            {"type": "text", "text": "Look:", "cache_control": {"type": "ephemeral"}},
            {"type": "image",
             "source": {"type": "base64", "media_type": "image/jpeg", "data": "AAAA"}},
            {"type": "image", "source": {"type": "url", "url": "https://h/cat.jpg"}},
            {"type": "document", "title": "cats.pdf",
             "source": {"type": "base64", "media_type": "application/pdf", "data": "CCCC"}},
            {"type": "text", "text": "[video/mp4 content]"},
            {"type": "text", "text": "[image/svg+xml content]"},
            upload,
        ])
    );
}

#[tokio::test]
async fn calls_of_any_provider_become_valid() {
    let call = |id: &str, arguments: &str| ToolCall::new(id, "now", arguments);
    let calls = [
        call("call:1|x", "null"),
        call("", "{broken"),
        call("c", "[1]"),
    ];
    let mut message = asks(&calls.iter().collect::<Vec<_>>());
    // Words come before calls where nothing says in which order they came from Anthropic.
    message.push(PartContent::Reasoning("Hm.".into()));
    message.push(Part::text("I look."));
    message.push(PartContent::Refusal("No.".into()));
    let results = calls.iter().map(|call| result(call, "x"));
    let turns = turns_of(vec![message, Message::tool(results)]).await;
    let blocks = &turns[0]["content"];
    assert_eq!(
        shape(&turns)[0],
        "assistant: text text tool_use tool_use tool_use"
    );
    assert_eq!(blocks[2]["input"], json!({}));
    assert_eq!(blocks[3]["input"], json!({"_invalid_arguments": "{broken"}));
    assert_eq!(blocks[4]["input"], json!({"_invalid_arguments": "[1]"}));
    let ids: Vec<_> = (2..5)
        .map(|at| blocks[at]["id"].as_str().unwrap())
        .collect();
    for (at, id) in ids.iter().enumerate() {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        assert!(!id.is_empty() && id.chars().all(fits), "{id}");
        assert_eq!(turns[1]["content"][at]["tool_use_id"], **id);
    }
    assert_eq!(ids[2], "c");
    assert_ne!(ids[0], ids[1]);
}

#[tokio::test]
async fn messages_that_say_nothing_are_left_out() {
    let turns = turns_of(vec![
        Message::user("a"),
        Message::new(Role::Assistant, vec![]),
        Message::tool([]),
        Message::user(" "),
        Message::user("b"),
    ])
    .await;
    assert_eq!(shape(&turns), ["user: text text"]);
}

#[tokio::test]
async fn what_the_model_has_begun_to_say_does_not_end_in_white_space() {
    let block = |text: &str| json!({"type": "text", "text": text});
    let marked = |text: &str| {
        let mark = json!({"cache_control": {"type": "ephemeral"}});
        let data = ProviderData::new("anthropic", to_raw_value(&mark).unwrap());
        Part::text(text).with_provider_data(data)
    };
    for (parts, sent) in [
        (
            vec![Part::text("The answer is \n\t")],
            vec![block("The answer is")],
        ),
        (vec![Part::text("a ")], vec![block("a")]),
        (
            vec![Part::text("a "), Part::text("b\u{a0}")],
            vec![block("a "), block("b")],
        ),
        (vec![Part::text("a "), Part::text(" ")], vec![block("a")]),
        (vec![Part::text(" \"a\" b")], vec![block(" \"a\" b")]),
        (
            vec![marked("a\n")],
            vec![json!({"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}})],
        ),
    ] {
        let begun = Message::new(Role::Assistant, parts);
        let turns = turns_of(vec![Message::user("x "), begun.clone()]).await;
        assert_eq!(turns[1]["content"], json!(sent));
        assert_eq!(turns[0]["content"], json!([block("x ")]));
        // What is not the last stays as it was said.
        let turns = turns_of(vec![Message::user("x"), begun.clone(), Message::user("y")]).await;
        let texts = begun.parts().iter().filter_map(|part| match &part.content {
            PartContent::Text(text) if !text.trim().is_empty() => Some(text.to_string()),
            _ => None,
        });
        let blocks = turns[1]["content"].as_array().unwrap();
        assert!(
            blocks
                .iter()
                .map(|block| block["text"].as_str().unwrap())
                .eq(texts)
        );
    }
    let turns = turns_of(vec![
        Message::user("x"),
        Message::assistant("a "),
        Message::assistant("b "),
    ])
    .await;
    assert_eq!(turns[1]["content"], json!([block("a "), block("b")]));
}
