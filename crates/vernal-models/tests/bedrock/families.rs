//! What only some families of models refuse.

use serde_json::{Value, json};
use vernal_core::message::{Media, Message, ToolCall, ToolContent, ToolOutcome, ToolResponse};
use vernal_core::model::{ChatModel, ChatOptions, Prompt};

use crate::model::builder;
use crate::support::canned::Canned;
use crate::{HELLO, asks};

const CLAUDE: &str = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";

/// The results that a model of this id is sent for some messages.
async fn results(model: &str, messages: &[Message]) -> Vec<Value> {
    let canned = Canned::new(HELLO);
    let model = builder(&canned).model(model).build().unwrap();
    let prompt = Prompt::new(messages.to_vec(), ChatOptions::default());
    model.call(prompt).await.unwrap();
    let sent: Value = serde_json::from_str(&canned.last_sent()).unwrap();
    let turns = sent["messages"].as_array().unwrap();
    let blocks = turns
        .iter()
        .flat_map(|turn| turn["content"].as_array().unwrap());
    blocks
        .filter_map(|block| block.get("toolResult").cloned())
        .collect()
}

#[tokio::test]
async fn each_family_gets_the_results_that_it_takes() {
    let (a, b) = (ToolCall::new("a", "f", "{}"), ToolCall::new("b", "f", "{}"));
    let text = ToolContent::Text("Here:".into());
    let image = ToolContent::Media(Media::base64("image/png", "iVBO"));
    let shown = ToolResponse::success(&a, vec![text, image]);
    let failed = ToolResponse::error(&a, ToolOutcome::Failed, "no");
    // The result of the second call was lost.
    let of = |result: &ToolResponse| {
        vec![
            Message::user("x"),
            asks(&[&a, &b]),
            Message::tool([result.clone()]),
        ]
    };
    let (shown, failed) = (of(&shown), of(&failed));
    let block = json!({"image": {"format": "png", "source": {"bytes": "iVBO"}}});
    let note = json!({"text": "[image/png content]"});
    for (model, media, status) in [
        (CLAUDE, &block, Some("error")),
        (
            "us.meta.llama4-maverick-17b-instruct-v1:0",
            &block,
            Some("error"),
        ),
        ("writer.palmyra-x4-v1:0", &block, None),
        ("us.writer.palmyra-x5-v1:0", &block, None),
        ("qwen.qwen3-vl-235b-a22b", &note, Some("error")),
        ("moonshot.kimi-k2-thinking", &note, Some("error")),
        ("moonshotai.kimi-k2.5", &note, Some("error")),
        // A message is written once, and for another family again.
        (CLAUDE, &block, Some("error")),
    ] {
        let status = status.map(Value::from);
        let sent = results(model, &shown).await;
        assert_eq!(
            sent[0]["content"],
            json!([{"text": "Here:"}, media]),
            "{model}"
        );
        assert_eq!(sent[0].get("status"), None, "{model}");
        assert_eq!(sent[1].get("status"), status.as_ref(), "{model}");
        let sent = results(model, &failed).await;
        assert_eq!(sent[0]["content"], json!([{"text": "no"}]), "{model}");
        assert_eq!(sent[0].get("status"), status.as_ref(), "{model}");
    }
}
