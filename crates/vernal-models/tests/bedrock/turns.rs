//! Messages as turns: who speaks, and which result belongs to which call.

use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use vernal_core::message::{
    Media, Message, Part, PartContent, ProviderData, Role, ToolCall, ToolContent, ToolOutcome,
    ToolResponse,
};

use vernal_core::model::{ChatModel, ChatOptions, Prompt};

use crate::model::builder;
use crate::support::canned::Canned;
use crate::{HELLO, asks, turns_of};

fn result(call: &ToolCall, text: &str) -> ToolResponse {
    ToolResponse::success(call, vec![ToolContent::Text(text.into())])
}

fn with_data(part: impl Into<Part>, data: Value) -> Part {
    let data = ProviderData::new("bedrock", to_raw_value(&data).unwrap());
    part.into().with_provider_data(data)
}

/// Who speaks, and the kinds of the blocks.
fn shape(turns: &Value) -> Vec<String> {
    let kind = |block: &Value| block.as_object().unwrap().keys().next().unwrap().clone();
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
            "assistant: toolUse toolUse",
            "user: toolResult toolResult text",
            "assistant: text text"
        ]
    );
    assert_eq!(turns[2]["content"][0]["toolResult"]["toolUseId"], "b");
}

#[tokio::test]
async fn every_call_has_exactly_one_result() {
    let (a, b) = (ToolCall::new("a", "f", "{}"), ToolCall::new("b", "f", "{}"));
    let turns = turns_of(vec![
        Message::user("x"),
        asks(&[&a, &b]),
        Message::tool([result(&b, "B")]),
    ])
    .await;
    assert_eq!(shape(&turns)[2], "user: toolResult toolResult");
    let lost = &turns[2]["content"][1]["toolResult"];
    assert_eq!(
        (&lost["toolUseId"], &lost["status"]),
        (&json!("a"), &json!("error"))
    );
    // A result without its call is left out, and so is a second one.
    let twice = turns_of(vec![
        Message::tool([result(&a, "early")]),
        Message::user("x"),
        asks(&[&a]),
        Message::tool([result(&a, "A"), result(&a, "again"), result(&b, "B")]),
    ])
    .await;
    assert_eq!(
        shape(&twice),
        ["user: text", "assistant: toolUse", "user: toolResult"]
    );
}

#[tokio::test]
async fn results_are_a_turn_of_their_own_for_models_that_want_it() {
    let call = ToolCall::new("a", "f", "{}");
    let messages = || {
        vec![
            Message::user("x"),
            asks(&[&call]),
            Message::user(" "),
            Message::tool([result(&call, "A")]),
            Message::user("Well?"),
            Message::user("Now?"),
        ]
    };
    let apart = [
        "user: text",
        "assistant: toolUse",
        "user: toolResult",
        "assistant: text",
        "user: text text",
    ];
    let together = [
        "user: text",
        "assistant: toolUse",
        "user: toolResult text text",
    ];
    for (model, set, expected) in [
        (
            "us.meta.llama4-maverick-17b-instruct-v1:0",
            None,
            &apart[..],
        ),
        (
            "arn:aws:bedrock:us-east-1::foundation-model/mistral.pixtral-large-2502-v1:0",
            None,
            &apart,
        ),
        ("us.writer.palmyra-x5-v1:0", None, &apart),
        (
            "us.meta.llama4-maverick-17b-instruct-v1:0",
            Some(false),
            &together,
        ),
        (
            "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
            None,
            &together,
        ),
        (
            "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
            Some(true),
            &apart,
        ),
    ] {
        let canned = Canned::new(HELLO);
        let mut builder = builder(&canned).model(model);
        if let Some(alone) = set {
            builder = builder.results_alone(alone);
        }
        let prompt = Prompt::new(messages(), ChatOptions::default());
        builder.build().unwrap().call(prompt).await.unwrap();
        let sent: Value = serde_json::from_str(&canned.last_sent()).unwrap();
        assert_eq!(shape(&sent["messages"]), expected, "{model}");
    }
}

#[tokio::test]
async fn results_are_text_or_objects_and_never_empty() {
    let call = ToolCall::new("a", "f", "{}");
    let json = |text: &str| ToolContent::Json(serde_json::from_str(text).unwrap());
    let text = |text: &str| ToolContent::Text(text.into());
    let image = Media::base64("image/png", "iVBO");
    let mut pdf = Media::base64("application/pdf", "JVBE");
    pdf.name = Some("Report 1.pdf".into());
    for (content, sent) in [
        (vec![text("x")], json!([{"text": "x"}])),
        (
            vec![text("x"), text("y")],
            json!([{"text": "x"}, {"text": "y"}]),
        ),
        (vec![json(r#"{"a":1}"#)], json!([{"json": {"a": 1}}])),
        (vec![json("[1, 2]")], json!([{"text": "[1, 2]"}])),
        (vec![json("3")], json!([{"text": "3"}])),
        (vec![], json!([{"text": "(no output)"}])),
        (vec![text(" \n")], json!([{"text": "(no output)"}])),
        (
            vec![text(""), ToolContent::Media(image), text("y")],
            json!([{"image": {"format": "png", "source": {"bytes": "iVBO"}}}, {"text": "y"}]),
        ),
        (
            vec![ToolContent::Media(pdf)],
            json!([{"document": {"format": "pdf", "name": "Report 1 pdf", "source": {"bytes": "JVBE"}}}]),
        ),
        (
            vec![ToolContent::Media(Media::base64("audio/wav", "UklG"))],
            json!([{"text": "[audio/wav content]"}]),
        ),
    ] {
        let answered = Message::tool([ToolResponse::success(&call, content)]);
        let turns = turns_of(vec![Message::user("x"), asks(&[&call]), answered]).await;
        let result = &turns[2]["content"][0]["toolResult"];
        assert_eq!(result["content"], sent);
        assert_eq!(result.get("status"), None);
    }
}

#[tokio::test]
async fn what_the_model_has_begun_to_say_does_not_end_in_white_space() {
    let turns = turns_of(vec![
        Message::user("x "),
        Message::assistant("The answer is \n"),
    ])
    .await;
    assert_eq!(turns[0]["content"], json!([{"text": "x "}]));
    assert_eq!(turns[1]["content"], json!([{"text": "The answer is"}]));
}

#[tokio::test]
async fn every_failure_of_a_call_has_its_status() {
    let call = ToolCall::new("a", "f", "{}");
    for outcome in [
        ToolOutcome::Failed,
        ToolOutcome::InvalidArguments,
        ToolOutcome::UnknownTool,
        ToolOutcome::Refused,
        ToolOutcome::NotRun,
    ] {
        let answered = Message::tool([ToolResponse::error(&call, outcome, "no")]);
        let turns = turns_of(vec![Message::user("x"), asks(&[&call]), answered]).await;
        assert_eq!(turns[2]["content"][0]["toolResult"]["status"], "error");
    }
}

#[tokio::test]
async fn ids_that_do_not_fit_are_mapped_on_both_sides() {
    let long = "i".repeat(65);
    for id in ["", "a b", "한", &long] {
        let call = ToolCall::new(id, "f", "{}");
        let turns = turns_of(vec![
            Message::user("x"),
            asks(&[&call]),
            Message::tool([result(&call, "A")]),
        ])
        .await;
        let wire = turns[1]["content"][0]["toolUse"]["toolUseId"]
            .as_str()
            .unwrap();
        assert!(
            (1..=64).contains(&wire.len()) && wire.starts_with("call_"),
            "{wire}"
        );
        assert_eq!(turns[2]["content"][0]["toolResult"]["toolUseId"], *wire);
    }
    let fits = format!("{}.:-_Z9", "i".repeat(58));
    let call = ToolCall::new(fits.as_str(), "f", "{}");
    let turns = turns_of(vec![Message::user("x"), asks(&[&call])]).await;
    assert_eq!(turns[1]["content"][0]["toolUse"]["toolUseId"], *fits);
}

#[tokio::test]
async fn parts_may_carry_marks_and_whole_blocks() {
    let mark = json!({"cachePoint": {"type": "default"}});
    let guard = json!({"guardContent": {"text": {"text": "g"}}});
    let call = ToolCall::new("a", "f", "{}");
    let answered = with_data(PartContent::ToolResponse(result(&call, "A")), mark.clone());
    let turns = turns_of(vec![
        Message::new(
            Role::User,
            vec![
                with_data(Part::text("long"), mark.clone()),
                with_data(PartContent::Opaque, guard.clone()),
                with_data(PartContent::Opaque, mark.clone()),
                with_data(
                    PartContent::Media(Media::base64("image/png", "iVBO")),
                    mark.clone(),
                ),
                Part::text(" "),
            ],
        ),
        asks(&[&call]),
        Message::new(Role::Tool, vec![answered]),
    ])
    .await;
    assert_eq!(
        shape(&turns),
        [
            "user: text cachePoint guardContent cachePoint image cachePoint",
            "assistant: toolUse",
            "user: toolResult cachePoint",
        ]
    );
    assert_eq!(turns[0]["content"][1], mark);
    assert_eq!(turns[0]["content"][2], guard);
}

#[tokio::test]
async fn data_that_is_no_block_of_ours_is_not_sent() {
    let foreign = ProviderData::new("anthropic", to_raw_value(&json!({"type": "x"})).unwrap());
    let parts = vec![
        with_data(PartContent::Opaque, json!([1])),
        with_data(PartContent::Opaque, json!({})),
        with_data(
            PartContent::Opaque,
            json!({"toolUse": {"toolUseId": "z", "name": "f", "input": {}}}),
        ),
        with_data(
            PartContent::Opaque,
            json!({"toolResult": {"toolUseId": "z", "content": []}}),
        ),
        Part::from(PartContent::Opaque).with_provider_data(foreign.clone()),
        Part::from(PartContent::Reasoning("mine".into())).with_provider_data(foreign),
        PartContent::Reasoning("bare".into()).into(),
        with_data(Part::text("x"), json!({"cachePoint": "no object"})),
    ];
    let turns = turns_of(vec![
        Message::user("x"),
        Message::new(Role::Assistant, parts),
    ])
    .await;
    assert_eq!(turns[1]["content"], json!([{"text": "x"}]));
}

#[tokio::test]
async fn calls_of_other_providers_come_last_and_ours_stay() {
    let call = ToolCall::new("a", "f", "{}");
    let parts = |data: Option<Value>| {
        let said = Part::text("after");
        let said = match data {
            Some(data) => with_data(said, data),
            None => said,
        };
        vec![PartContent::ToolCall(call.clone()).into(), said]
    };
    let foreign = Message::new(Role::Assistant, parts(None));
    let turns = turns_of(vec![Message::user("x"), foreign]).await;
    assert_eq!(shape(&turns)[1], "assistant: text toolUse");
    let ours = Message::new(Role::Assistant, parts(Some(json!({"a": 1}))));
    let turns = turns_of(vec![Message::user("x"), ours]).await;
    assert_eq!(shape(&turns)[1], "assistant: toolUse text");
}
