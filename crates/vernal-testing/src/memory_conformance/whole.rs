//! Nothing of a message is lost or changed.

use std::sync::Arc;

use vernal_core::message::{Message, Part, PartContent, Role, ToolCall, ToolContent, ToolResponse};

use super::check::Store;
use super::samples;

pub(super) async fn every_kind_of_message(store: &Store) {
    let check = store.check("every kind of message");
    let conversation = check.conversation("kinds");
    let samples = samples::all();
    check.append(&store.first, &conversation, &samples).await;
    check
        .holds(
            &conversation,
            &samples,
            "every part is kept byte for byte, in order",
        )
        .await;
}

pub(super) async fn large_texts(store: &Store, bytes: usize) {
    let check = store.check("large texts");
    let conversation = check.conversation("large");
    let text = "한국어 🦀 text. ".chars().cycle();
    let mut large = String::with_capacity(bytes + 4);
    large.extend(text.take_while({
        let mut length = 0;
        move |c| {
            length += c.len_utf8();
            length <= bytes
        }
    }));
    let messages = [
        Message::user(large.as_str()),
        Message::assistant("short"),
        Message::user(large),
    ];
    let messages = messages.map(Arc::new);
    check.append(&store.first, &conversation, &messages).await;
    check
        .holds(&conversation, &messages, "a large text is kept whole")
        .await;
}

pub(super) async fn parallel_answers(store: &Store) {
    let check = store.check("thirteen parallel answers");
    let conversation = check.conversation("parallel");
    let calls: Vec<ToolCall> = (0..13)
        .map(|n| ToolCall::new(format!("call-{n}"), "look", format!("{{\"n\":{n}}}")))
        .collect();
    let parts = calls
        .iter()
        .cloned()
        .map(PartContent::ToolCall)
        .map(Part::from);
    let answer =
        |call: &ToolCall| ToolResponse::success(call, vec![ToolContent::Text("ok".into())]);
    let mut messages = vec![
        Message::user("Look."),
        Message::new(Role::Assistant, parts.collect()),
    ];
    messages.push(Message::tool(calls.iter().map(answer)));
    // Some programs keep each answer in a message of its own.
    messages.extend(calls.iter().map(|call| Message::tool([answer(call)])));
    let messages: Vec<_> = messages.into_iter().map(Arc::new).collect();
    check.append(&store.first, &conversation, &messages).await;
    let rule = "more than ten answers stay in the order of their calls";
    check.holds(&conversation, &messages, rule).await;
}
