use vernal_core::message::{Media, MediaSource, Message, Part, PartContent, ToolContent};

/// About how long the wire form of a message is, so that its buffer seldom grows.
pub(crate) fn estimate(message: &Message) -> usize {
    48 + message.parts().iter().map(of_part).sum::<usize>()
}

fn of_part(part: &Part) -> usize {
    match &part.content {
        PartContent::Text(text) | PartContent::Refusal(text) | PartContent::Reasoning(text) => {
            text.len() + text.len() / 16
        }
        PartContent::ToolCall(call) => 96 + call.arguments.as_str().len() * 5 / 4,
        PartContent::ToolResponse(response) => {
            64 + response.content.iter().map(of_content).sum::<usize>() * 5 / 4
        }
        PartContent::Media(Media {
            source: MediaSource::Base64(data),
            ..
        }) => 128 + data.len(),
        _ => 128,
    }
}

fn of_content(content: &ToolContent) -> usize {
    match content {
        ToolContent::Text(text) => text.len(),
        ToolContent::Json(json) => json.get().len(),
        _ => 32,
    }
}
