use futures::{Stream, StreamExt};
use vernal_core::message::{FinishReason, PartContent, Usage};
use vernal_core::model::{ChatResponse, Generation, ModelError, ModelEvent};

/// What a response says, without what differs from run to run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct View {
    pub text: String,
    pub reasoning: String,
    pub refusal: String,
    /// Id, name and arguments.
    pub calls: Vec<(String, String, String)>,
    pub finish: Option<FinishReason>,
    pub usage: Option<Usage>,
    pub id: Option<String>,
    pub model: Option<String>,
    /// The kinds of the parts, in order, with their opaque data.
    pub parts: Vec<String>,
}

pub fn view(response: &ChatResponse) -> View {
    let mut view = response.generation().map(view_of).unwrap_or_default();
    view.usage = response.metadata.usage;
    view.id = response.metadata.id.as_deref().map(str::to_owned);
    view.model = response.metadata.model.as_deref().map(str::to_owned);
    view
}

pub fn view_of(generation: &Generation) -> View {
    let message = &generation.message;
    let call = |call: &vernal_core::message::ToolCall| {
        (
            call.id.to_string(),
            call.name.to_string(),
            call.arguments.to_string(),
        )
    };
    let part = |part: &vernal_core::message::Part| {
        let kind = match &part.content {
            PartContent::Text(_) => "text",
            PartContent::Reasoning(_) => "reasoning",
            PartContent::ToolCall(_) => "call",
            PartContent::Refusal(_) => "refusal",
            PartContent::Opaque => "opaque",
            _ => "other",
        };
        let data = part.provider.as_ref().map(|data| format!(" {}", data.data));
        kind.to_owned() + &data.unwrap_or_default()
    };
    View {
        text: message.text().into_owned(),
        reasoning: message.reasoning().into_owned(),
        refusal: message.refusal().unwrap_or_default().to_owned(),
        calls: message.tool_calls().map(call).collect(),
        finish: generation.finish_reason.clone(),
        parts: message.parts().iter().map(part).collect(),
        ..View::default()
    }
}

/// What a stream told before its end.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Told {
    /// The events, shortened to a line each.
    pub events: Vec<String>,
    pub text: String,
    pub reasoning: String,
    /// The arguments of each call as they were told.
    pub arguments: Vec<String>,
}

/// Reads a stream to its end.
pub async fn collect(
    mut stream: impl Stream<Item = Result<ModelEvent, ModelError>> + Unpin,
) -> (Told, Result<ChatResponse, ModelError>) {
    let mut told = Told::default();
    let mut end = None;
    while let Some(item) = stream.next().await {
        assert!(end.is_none(), "something follows the end");
        match item {
            Err(error) => end = Some(Err(error)),
            Ok(ModelEvent::Completed(response)) => end = Some(Ok(*response)),
            Ok(ModelEvent::TextDelta(text)) => {
                told.text.push_str(&text);
                told.events.push(format!("text {text}"));
            }
            Ok(ModelEvent::ReasoningDelta(text)) => {
                told.reasoning.push_str(&text);
                told.events.push(format!("reasoning {text}"));
            }
            Ok(ModelEvent::ToolCallStarted { index, id, name }) => {
                assert_eq!(index, told.arguments.len());
                told.arguments.push(String::new());
                told.events.push(format!(
                    "call {index} {} {name}",
                    id.as_deref().unwrap_or("-")
                ));
            }
            Ok(ModelEvent::ToolCallDelta { index, arguments }) => {
                told.arguments[index].push_str(&arguments);
                told.events.push(format!("arguments {index} {arguments}"));
            }
            Ok(other) => panic!("unknown event {other:?}"),
        }
    }
    (told, end.expect("the stream ended without an end"))
}
