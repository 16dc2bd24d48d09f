//! What a program reads: one JSON object per line for every event.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use vernal::advisor::{ChatClientResponse, ChatEvent, RoundKind};
use vernal::message::{FinishReason, ToolOutcome, Usage};

/// Writes events as lines of JSON.
pub(crate) struct JsonEvents(Box<dyn Write>);

/// A line.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line<'a> {
    Model {
        name: &'a str,
        reason: &'a str,
    },
    TextDelta {
        round: u32,
        text: &'a str,
    },
    ReasoningDelta {
        round: u32,
        text: &'a str,
    },
    ToolCallStarted {
        round: u32,
        index: usize,
        call_id: Option<&'a str>,
        name: &'a str,
    },
    ToolCallDelta {
        round: u32,
        index: usize,
        arguments: &'a str,
    },
    RoundFinished {
        round: u32,
        kind: &'static str,
        usage: Option<Usage>,
    },
    ToolExecutionStarted {
        round: u32,
        call_id: &'a str,
        name: &'a str,
        arguments: &'a str,
    },
    ToolResult {
        round: u32,
        call_id: &'a str,
        name: &'a str,
        outcome: ToolOutcome,
        content: Cow<'a, str>,
        /// `null` where the tool did not run.
        duration_ms: Option<f64>,
    },
    Alarm {
        text: &'a str,
    },
    Done {
        content: String,
        usage: Usage,
        rounds: u32,
        finish_reason: Option<&'a str>,
    },
    Error {
        message: &'a str,
    },
}

impl JsonEvents {
    pub(crate) fn of_process() -> Self {
        Self(Box::new(io::stdout()))
    }

    /// # Errors
    /// The output is closed.
    pub(crate) fn event(&mut self, event: &ChatEvent) -> io::Result<()> {
        described(event).map_or(Ok(()), |line| self.line(&line))
    }

    /// The model that was chosen.
    pub(crate) fn model(&mut self, name: &str, reason: &str) -> io::Result<()> {
        self.line(&Line::Model { name, reason })
    }

    pub(crate) fn alarm(&mut self, text: &str) -> io::Result<()> {
        self.line(&Line::Alarm { text })
    }

    pub(crate) fn failed(&mut self, message: &str) -> io::Result<()> {
        self.line(&Line::Error { message })
    }

    fn line(&mut self, line: &Line<'_>) -> io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.0.write_all(text.as_bytes())?;
        self.0.flush()
    }
}

fn described(event: &ChatEvent) -> Option<Line<'_>> {
    Some(match event {
        ChatEvent::TextDelta { round, text } => Line::TextDelta {
            round: *round,
            text,
        },
        ChatEvent::ReasoningDelta { round, text } => Line::ReasoningDelta {
            round: *round,
            text,
        },
        ChatEvent::ToolCallStarted {
            round,
            index,
            id,
            name,
        } => Line::ToolCallStarted {
            round: *round,
            index: *index,
            call_id: id.as_deref(),
            name,
        },
        ChatEvent::ToolCallDelta {
            round,
            index,
            arguments,
        } => Line::ToolCallDelta {
            round: *round,
            index: *index,
            arguments,
        },
        ChatEvent::RoundFinished { round, kind, usage } => Line::RoundFinished {
            round: *round,
            kind: kind_name(*kind),
            usage: *usage,
        },
        ChatEvent::ToolExecutionStarted { round, call } => Line::ToolExecutionStarted {
            round: *round,
            call_id: &call.id,
            name: &call.name,
            arguments: call.arguments.as_str(),
        },
        ChatEvent::ToolResult {
            round,
            response,
            duration,
        } => Line::ToolResult {
            round: *round,
            call_id: &response.call_id,
            name: &response.name,
            outcome: response.outcome,
            content: response.text(),
            duration_ms: duration.map(|duration| duration.as_micros() as f64 / 1e3),
        },
        ChatEvent::Done { response } => done(response),
        _ => return None,
    })
}

fn kind_name(kind: RoundKind) -> &'static str {
    match kind {
        RoundKind::Answer => "answer",
        _ => "commentary",
    }
}

fn done(response: &ChatClientResponse) -> Line<'_> {
    Line::Done {
        content: response.content(),
        usage: response.usage(),
        rounds: response.rounds(),
        finish_reason: response
            .chat_response()
            .finish_reason()
            .map(FinishReason::as_str),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use vernal::message::{ToolCall, ToolResponse};
    use vernal::model::ChatResponse;

    use super::*;

    fn line(event: &ChatEvent) -> String {
        serde_json::to_string(&described(event).unwrap()).unwrap()
    }

    #[test]
    fn events_are_described_by_type() {
        let call = ToolCall::new("a", "weather", "{\"town\":\"가\"}");
        let response = ToolResponse::success(&call, vec![]);
        for (event, expected) in [
            (
                ChatEvent::TextDelta {
                    round: 1,
                    text: "a\n\"".into(),
                },
                r#"{"type":"text_delta","round":1,"text":"a\n\""}"#,
            ),
            (
                ChatEvent::ToolCallStarted {
                    round: 1,
                    index: 0,
                    id: None,
                    name: "x".into(),
                },
                r#"{"type":"tool_call_started","round":1,"index":0,"call_id":null,"name":"x"}"#,
            ),
            (
                ChatEvent::ToolExecutionStarted { round: 1, call },
                r#"{"type":"tool_execution_started","round":1,"call_id":"a","name":"weather","arguments":"{\"town\":\"가\"}"}"#,
            ),
            (
                ChatEvent::ToolResult {
                    round: 1,
                    response,
                    duration: Some(Duration::from_nanos(2_345_678)),
                },
                r#"{"type":"tool_result","round":1,"call_id":"a","name":"weather","outcome":"success","content":"","duration_ms":2.345}"#,
            ),
            (
                ChatEvent::RoundFinished {
                    round: 2,
                    kind: RoundKind::Answer,
                    usage: None,
                },
                r#"{"type":"round_finished","round":2,"kind":"answer","usage":null}"#,
            ),
        ] {
            assert_eq!(line(&event), expected);
        }
        let answer = ChatClientResponse::new(ChatResponse::text("Hi.\n"));
        let done = line(&ChatEvent::Done {
            response: Box::new(answer),
        });
        assert!(
            done.starts_with(r#"{"type":"done","content":"Hi.\n","usage":{"input_tokens":0,"#),
            "{done}"
        );
        assert!(
            done.ends_with(r#""rounds":0,"finish_reason":"stop"}"#),
            "{done}"
        );
    }
}
