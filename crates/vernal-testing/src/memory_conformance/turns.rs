//! Turns that can be told apart when they come back.

use std::sync::Arc;

use vernal_core::message::{Message, Part, PartContent, Role, ToolCall, ToolContent, ToolResponse};

/// How many messages a turn has.
pub(super) const STEPS: usize = 4;

/// A turn with two tool calls: user, assistant with calls, answers, assistant.
pub(super) fn turn(task: usize, number: usize) -> Vec<Arc<Message>> {
    let text = |step: usize| format!("task {task} turn {number} step {step}");
    let calls = [1, 2].map(|call| ToolCall::new(format!("call-{call}"), "look", "{}"));
    let mut asks = Message::new(Role::Assistant, vec![Part::text(text(1))]);
    for call in &calls {
        asks.push(PartContent::ToolCall(call.clone()));
    }
    let answer = |call| ToolResponse::success(call, vec![ToolContent::Text(text(2).into())]);
    let answers = Message::tool(calls.iter().map(answer));
    [
        Message::user(text(0)),
        asks,
        answers,
        Message::assistant(text(3)),
    ]
    .map(Arc::new)
    .into()
}

/// The numbers in the first text of a message of [`turn`]: task, turn and step.
pub(super) fn place(message: &Message) -> Option<[usize; 3]> {
    let answer = message.tool_responses().next().map(|answer| answer.text());
    let text = answer.unwrap_or_else(|| message.text());
    let numbers: Vec<usize> = text
        .split(' ')
        .filter_map(|word| word.parse().ok())
        .collect();
    numbers.try_into().ok()
}

/// Plain messages of these texts.
pub(super) fn said(texts: &[&str]) -> Vec<Arc<Message>> {
    texts
        .iter()
        .map(|text| Arc::new(Message::user(*text)))
        .collect()
}
