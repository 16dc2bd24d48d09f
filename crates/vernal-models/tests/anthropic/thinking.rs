//! Thinking with a budget, where another provider's model made the calls of the turn.

use serde_json::{Value, json};
use vernal_core::message::{
    Message, Part, PartContent, ProviderData, Role, ToolCall, ToolResponse,
};
use vernal_core::model::{ChatOptions, Prompt};

use crate::{asks, sent};

fn call() -> ToolCall {
    ToolCall::new("a", "f", "{}")
}

fn result() -> Message {
    Message::tool([ToolResponse::success(&call(), vec![])])
}

/// Calls with a part that Anthropic's model said first.
fn after(content: PartContent, block: Value) -> Message {
    let block = serde_json::value::to_raw_value(&block).unwrap();
    let said = Part::from(content).with_provider_data(ProviderData::new("anthropic", block));
    Message::new(
        Role::Assistant,
        vec![said, PartContent::ToolCall(call()).into()],
    )
}

fn thought() -> Message {
    let block = json!({"signature": "S", "type": "thinking", "thinking": "Hm."});
    after(PartContent::Reasoning("Hm.".into()), block)
}

async fn request(mut messages: Vec<Message>, thinking: Value) -> Value {
    messages.insert(0, Message::user("x"));
    let options = ChatOptions::builder().extra("thinking", thinking).build();
    serde_json::from_str(&sent(Prompt::new(messages, options)).await).unwrap()
}

#[tokio::test]
async fn thinking_is_left_out_while_calls_without_thoughts_are_answered() {
    let enabled = || json!({"type": "enabled", "budget_tokens": 2048});
    let foreign = || asks(&[&call()]);
    let said = |text: &str| Message::assistant(text);
    let redacted = json!({"type": "redacted_thinking", "data": "D"});
    let redacted = after(PartContent::Opaque, redacted);
    let cited = json!({"type": "text", "text": "a", "citations": []});
    let cited = after(PartContent::Text("a".into()), cited);
    for (messages, thinks) in [
        (vec![], true),
        (vec![foreign(), result()], false),
        (vec![said("Let me see."), foreign(), result()], false),
        (vec![foreign(), result(), Message::user("Quick!")], false),
        (
            vec![foreign(), result(), Message::system("Be brief.")],
            false,
        ),
        (vec![thought(), result(), foreign(), result()], false),
        (vec![cited, result()], false),
        (vec![thought(), result()], true),
        (vec![redacted, result()], true),
        (vec![foreign(), result(), thought(), result()], true),
        // The turn is over.
        (vec![foreign(), result(), said("Done.")], true),
        (
            vec![foreign(), result(), said("Done."), Message::user("And?")],
            true,
        ),
    ] {
        let shown = format!("{messages:?}");
        let sent = request(messages, enabled()).await;
        assert_eq!(sent.get("thinking").is_some(), thinks, "{shown}");
        let most = if thinks { 4096 + 2048 } else { 4096 };
        assert_eq!(sent["max_tokens"], most, "{shown}");
    }
    let adaptive = json!({"type": "adaptive"});
    let sent = request(vec![foreign(), result()], adaptive.clone()).await;
    assert_eq!(sent["thinking"], adaptive);
}
