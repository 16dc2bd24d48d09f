//! Turns that can be told apart when they come back.

use std::sync::Arc;

use vernal_core::memory::{ChatMemoryRepository, ConversationId};
use vernal_core::message::{Message, Part, PartContent, Role, ToolCall, ToolContent, ToolResponse};

pub const STEPS: usize = 4;

pub fn turn(number: usize) -> Vec<Arc<Message>> {
    let text = |step: usize| format!("turn {number} step {step}");
    let call = ToolCall::new("call-1", "look", "{}");
    let asks = vec![
        Part::text(text(1)),
        PartContent::ToolCall(call.clone()).into(),
    ];
    let answer = ToolResponse::success(&call, vec![ToolContent::Text(text(2).into())]);
    let messages = [
        Message::user(text(0)),
        Message::new(Role::Assistant, asks),
        Message::tool([answer]),
        Message::assistant(text(3)),
    ];
    messages.map(Arc::new).into()
}

/// The turns of a conversation, each of which must be whole.
pub fn whole(messages: &[Arc<Message>]) -> Vec<usize> {
    let numbers = |message: &Arc<Message>| -> Vec<usize> {
        let answer = message.tool_responses().next().map(|answer| answer.text());
        let text = answer.unwrap_or_else(|| message.text());
        text.split(' ')
            .filter_map(|word| word.parse().ok())
            .collect()
    };
    let turns = messages.chunks(STEPS).map(|turn| {
        let found: Vec<_> = turn.iter().map(numbers).collect();
        let number = found[0][0];
        let wanted: Vec<_> = (0..STEPS).map(|step| vec![number, step]).collect();
        assert_eq!(found, wanted, "a turn that is not whole");
        number
    });
    turns.collect()
}

/// The whole turns that a repository holds.
pub async fn kept(repository: &impl ChatMemoryRepository, id: &ConversationId) -> Vec<usize> {
    whole(&repository.load(id, None).await.unwrap())
}
