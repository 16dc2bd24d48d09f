//! What a prompt says: the last thing that the user wants, and what has been done about it since.

use std::sync::Arc;

use serde_json::Value;
use vernal_core::message::{Message, Role};
use vernal_core::model::Prompt;

/// A call of a tool and its answer.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) tool: Arc<str>,
    pub(crate) arguments: Value,
    /// The result as text.
    pub(crate) text: String,
    /// Whether the answer is an error, or says one.
    pub(crate) failed: bool,
}

/// The turn that the prompt asks to go on with.
#[derive(Debug, Clone, Default)]
pub(crate) struct Turn {
    /// What the user said last.
    pub(crate) text: String,
    /// What the user said before that.
    pub(crate) before: Option<String>,
    /// What the assistant answered before the user said the last thing.
    pub(crate) answered: Option<String>,
    /// What was done since.
    pub(crate) steps: Vec<Step>,
    /// What was done in earlier turns.
    pub(crate) earlier: Vec<Step>,
}

/// Reads a prompt.
pub(crate) fn turn_of(prompt: &Prompt) -> Turn {
    let messages: Vec<&Message> = prompt.messages().iter().map(|message| &**message).collect();
    let last = messages
        .iter()
        .rposition(|message| message.role() == Role::User);
    let Some(last) = last else {
        return Turn {
            steps: steps(&messages),
            ..Turn::default()
        };
    };
    let (head, tail) = messages.split_at(last);
    let (user, since) = match tail.split_first() {
        Some((user, since)) => (user.text().into_owned(), since),
        None => (String::new(), tail),
    };
    let said = |role: Role| {
        let found = head
            .iter()
            .rev()
            .find(|message| message.role() == role && !message.text().trim().is_empty());
        found.map(|message| message.text().into_owned())
    };
    Turn {
        text: user.trim().to_owned(),
        before: said(Role::User),
        answered: said(Role::Assistant),
        steps: steps(since),
        earlier: steps(head),
    }
}

/// The calls that were answered, in the order of the answers.
fn steps(messages: &[&Message]) -> Vec<Step> {
    let calls: Vec<_> = messages
        .iter()
        .flat_map(|message| message.tool_calls())
        .collect();
    let mut steps = Vec::new();
    for response in messages.iter().flat_map(|message| message.tool_responses()) {
        let call = calls.iter().rev().find(|call| call.id == response.call_id);
        let arguments = call.and_then(|call| serde_json::from_str(call.arguments.as_str()).ok());
        let text = response.text().into_owned();
        steps.push(Step {
            tool: response.name.clone(),
            arguments: arguments.unwrap_or(Value::Object(Default::default())),
            failed: response.is_error() || says_error(&text),
            text,
        });
    }
    steps
}

/// Whether a result that was not marked as an error says one.
fn says_error(text: &str) -> bool {
    let trimmed = text.trim();
    if let Ok(Value::Object(members)) = serde_json::from_str::<Value>(trimmed) {
        let set = |value: &Value| match value {
            Value::Null | Value::Bool(false) => false,
            Value::String(text) => !text.is_empty(),
            Value::Array(items) => !items.is_empty(),
            _ => true,
        };
        let error = ["error", "errors", "isError"]
            .iter()
            .any(|name| members.get(*name).is_some_and(set));
        let refused = ["success", "ok"]
            .iter()
            .any(|name| members.get(*name) == Some(&Value::Bool(false)));
        return error || refused;
    }
    let lower = trimmed.chars().take(24).collect::<String>().to_lowercase();
    [
        "error",
        "exception",
        "failed:",
        "failure:",
        "오류",
        "에러",
        "fehler:",
        "エラー",
    ]
    .iter()
    .any(|head| lower.starts_with(head))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vernal_core::message::{History, PartContent, ToolCall, ToolContent, ToolResponse};

    #[test]
    fn the_turn_begins_with_the_last_user_message() {
        let call = ToolCall::new("c1", "clock", "{}");
        let mut asks = Message::assistant("");
        asks.push(PartContent::ToolCall(call.clone()));
        let answer = ToolResponse::success(&call, vec![ToolContent::Text("noon".into())]);
        let history = History::from_iter([
            Message::system("Be brief."),
            Message::user("Hi"),
            Message::assistant("Hello."),
            Message::user(" What time is it? "),
            asks,
            Message::tool([answer]),
        ]);
        let turn = turn_of(&Prompt::from(history));
        assert_eq!(
            (turn.text.as_str(), turn.before.as_deref()),
            ("What time is it?", Some("Hi"))
        );
        assert_eq!(turn.answered.as_deref(), Some("Hello."));
        assert_eq!(
            (turn.steps.len(), &*turn.steps[0].tool, turn.steps[0].failed),
            (1, "clock", false)
        );
    }

    #[test]
    fn results_may_say_errors() {
        for error in [
            "Error: no",
            r#"{"error":"no"}"#,
            r#"{"success":false}"#,
            "오류: 없음",
        ] {
            assert!(says_error(error), "{error}");
        }
        for fine in [
            "Done",
            r#"{"error":null}"#,
            r#"{"errors":[],"ok":true}"#,
            "no errors found",
            "",
        ] {
            assert!(!says_error(fine), "{fine}");
        }
    }
}
