//! The one answer that a turn may still give when its budget is used up.

use std::sync::Arc;

use super::BudgetExceeded;
use crate::advisor::ChatClientRequest;
use crate::advisor::system_text::append_to_system;
use crate::message::{FinishReason, Message, Part, PartContent, Role};
use crate::model::{ChatResponse, ToolChoice};

const NOTE: &str = "The budget of this turn is used up. No tool can be called any more: give your final \
                    answer now, with what you have, and say what is missing.";

/// The request for the last answer. The tools stay in it, for providers want those that the transcript
/// speaks of, but none may be called.
pub(super) fn asked_for(mut request: ChatClientRequest) -> ChatClientRequest {
    if !request.prompt().options().tools().is_empty() {
        let options = request.prompt_mut().options_mut();
        options.set_tool_choice(ToolChoice::None);
    }
    append_to_system(request.prompt_mut().messages_mut(), NOTE);
    request
}

/// Marks the response as the last answer, and drops calls that the model asks for all the same.
pub(super) fn mark(response: &mut ChatResponse, exceeded: &BudgetExceeded, key: &str) {
    for generation in &mut response.generations {
        if generation.message.has_tool_calls() {
            generation.message = Arc::new(without_calls(&generation.message, exceeded));
            generation.finish_reason = Some(FinishReason::Stop);
        }
        let limit = exceeded.limit().to_string();
        generation.metadata.insert(key.to_owned(), limit.into());
    }
}

fn without_calls(message: &Message, exceeded: &BudgetExceeded) -> Message {
    let is_call = |part: &&Part| matches!(part.content, PartContent::ToolCall(_));
    let rest = message.parts().iter().filter(|part| !is_call(part));
    let mut parts: Vec<Part> = rest.cloned().collect();
    if message.text().trim().is_empty() {
        let limit = exceeded.limit();
        parts.push(Part::text(format!("The budget of {limit} is used up.")));
    }
    Message::new(Role::Assistant, parts)
}
