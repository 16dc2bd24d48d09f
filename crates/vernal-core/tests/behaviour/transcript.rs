//! Transcripts: whether one is valid, and how it reads.

use std::collections::HashSet;

use vernal_core::message::{History, Message, PartContent, Role};

/// Checks what every transcript must keep, however its turn ended: each tool call has exactly one
/// answer, in the message right after it, in the order of the calls.
pub(crate) fn assert_valid(history: &History) {
    let lines = lines(history);
    let mut message_ids = HashSet::new();
    let mut messages = history.iter().peekable();
    while let Some(message) = messages.next() {
        assert!(
            message_ids.insert(message.id()),
            "a message occurs twice: {lines:#?}"
        );
        let calls: Vec<_> = message
            .tool_calls()
            .map(|c| (c.id.clone(), c.name.clone()))
            .collect();
        if calls.is_empty() {
            assert_ne!(
                message.role(),
                Role::Tool,
                "answers without calls: {lines:#?}"
            );
            continue;
        }
        assert_eq!(message.role(), Role::Assistant, "{lines:#?}");
        let ids: HashSet<_> = calls.iter().map(|(id, _)| id).collect();
        assert_eq!(
            ids.len(),
            calls.len(),
            "a call id occurs twice in one message: {lines:#?}"
        );
        let answers = messages
            .next()
            .unwrap_or_else(|| panic!("unanswered calls: {lines:#?}"));
        assert!(
            message_ids.insert(answers.id()),
            "a message occurs twice: {lines:#?}"
        );
        assert_eq!(answers.role(), Role::Tool, "unanswered calls: {lines:#?}");
        assert_eq!(
            answers.parts().len(),
            answers.tool_responses().count(),
            "{lines:#?}"
        );
        let answered: Vec<_> = answers
            .tool_responses()
            .map(|r| (r.call_id.clone(), r.name.clone()))
            .collect();
        assert_eq!(
            answered, calls,
            "answers do not match the calls: {lines:#?}"
        );
        for response in answers.tool_responses() {
            assert!(
                !response.content.is_empty(),
                "an answer says nothing: {lines:#?}"
            );
        }
    }
}

/// A history to compare: a line for each message.
///
/// `assistant: I look. [a {"x":1}] [b {}]` and `tool: [a success one] [b failed boom]`.
pub(crate) fn lines(history: &History) -> Vec<String> {
    history.iter().map(|message| line(message)).collect()
}

fn line(message: &Message) -> String {
    let role = serde_json::to_value(message.role()).unwrap();
    let mut line = format!("{}:", role.as_str().unwrap());
    for part in message.parts() {
        line.push(' ');
        line.push_str(&match &part.content {
            PartContent::Text(text) => text.to_string(),
            PartContent::Reasoning(text) => format!("({text})"),
            PartContent::ToolCall(call) => format!("[{} {}]", call.name, call.arguments),
            PartContent::ToolResponse(response) => {
                let outcome = serde_json::to_value(response.outcome).unwrap();
                format!(
                    "[{} {} {}]",
                    response.name,
                    outcome.as_str().unwrap(),
                    response.text()
                )
            }
            other => format!("{other:?}"),
        });
    }
    line
}

/// The answers of the newest tool message: outcome and text.
pub(crate) fn last_answers(history: &History) -> Vec<(vernal_core::message::ToolOutcome, String)> {
    let message = history
        .iter()
        .rev()
        .find(|message| message.role() == Role::Tool);
    let message = message.unwrap_or_else(|| panic!("no tool answered: {:#?}", lines(history)));
    message
        .tool_responses()
        .map(|r| (r.outcome, r.text().into_owned()))
        .collect()
}
