use std::sync::{Arc, Mutex};

use vernal::model::ChatResponse;

use super::*;

#[derive(Clone, Default)]
pub(crate) struct Screen(Arc<Mutex<Vec<u8>>>);

impl Screen {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What the two outputs show of the events.
fn drawn(style: Style, events: Vec<ChatEvent>) -> (String, String) {
    let (answer, side) = (Screen::default(), Screen::default());
    let mut terminal = Terminal::new(Box::new(answer.clone()), Box::new(side.clone()), style);
    for event in &events {
        terminal.event(event).unwrap();
    }
    (answer.text(), side.text())
}

pub(crate) fn style(live: bool) -> Style {
    Style {
        live,
        paint: Paint(false),
        quiet: false,
    }
}

fn text(round: u32, text: &str) -> ChatEvent {
    ChatEvent::TextDelta {
        round,
        text: text.into(),
    }
}

fn finished(round: u32, kind: RoundKind) -> ChatEvent {
    ChatEvent::RoundFinished {
        round,
        kind,
        usage: None,
    }
}

fn done(content: &str) -> ChatEvent {
    let response = Box::new(ChatClientResponse::new(ChatResponse::text(content)));
    ChatEvent::Done { response }
}

fn a_call() -> ToolCall {
    ToolCall::new("a", "weather", r#"{"town":"Willowmere"}"#)
}

/// A round with words and a call, then the answer.
fn turn() -> Vec<ChatEvent> {
    let (id, name) = (Some("a".into()), "weather".into());
    let response = ToolResponse::success(&a_call(), vec![]);
    vec![
        text(1, "Let me "),
        text(1, "look."),
        ChatEvent::ToolCallStarted {
            round: 1,
            index: 0,
            id,
            name,
        },
        finished(1, RoundKind::Commentary),
        ChatEvent::ToolExecutionStarted {
            round: 1,
            call: a_call(),
        },
        ChatEvent::ToolResult {
            round: 1,
            response,
            duration: Some(Duration::from_micros(1_240)),
        },
        text(2, "It is "),
        text(2, "sunny."),
        finished(2, RoundKind::Answer),
        done("It is sunny."),
    ]
}

#[test]
fn a_file_holds_the_answer_only() {
    let (answer, side) = drawn(style(false), turn());
    assert_eq!(answer, "It is sunny.\n");
    assert_eq!(
        side,
        "  │ Let me look.\n  → weather {\"town\":\"Willowmere\"}\n  ← weather (1.2 ms)\n"
    );
}

#[test]
fn a_terminal_shows_text_as_it_comes() {
    let (answer, side) = drawn(style(true), turn());
    assert_eq!(answer, "Let me look.\nIt is sunny.\n");
    assert!(
        side.starts_with("  ↑ said on the way, not yet the answer\n  → weather"),
        "{side}"
    );
    let (first, _) = drawn(style(true), turn().into_iter().take(1).collect());
    assert_eq!(first, "Let me ");
}

#[test]
fn quiet_is_the_answer_only() {
    let (answer, side) = drawn(
        Style {
            quiet: true,
            ..style(false)
        },
        turn(),
    );
    assert_eq!((answer.as_str(), side.as_str()), ("It is sunny.\n", ""));
    let live = Style {
        quiet: true,
        ..style(true)
    };
    assert_eq!(drawn(live, turn()).0, "Let me look.\nIt is sunny.\n");
}

#[test]
fn a_call_that_did_not_run_is_shown_with_its_arguments() {
    let call = ToolCall::new("b", "wether", "{}");
    let response = ToolResponse::error(
        &call,
        ToolOutcome::UnknownTool,
        "There is no tool `wether`.",
    );
    let (id, name) = (Some("b".into()), "wether".into());
    let (_, side) = drawn(
        style(false),
        vec![
            ChatEvent::ToolCallStarted {
                round: 1,
                index: 0,
                id,
                name,
            },
            ChatEvent::ToolCallDelta {
                round: 1,
                index: 0,
                arguments: "{\"x\":1}".into(),
            },
            finished(1, RoundKind::Commentary),
            ChatEvent::ToolResult {
                round: 1,
                response,
                duration: None,
            },
        ],
    );
    assert_eq!(
        side,
        "  → wether {\"x\":1}\n  ✗ wether There is no tool `wether`.\n"
    );
}

#[test]
fn an_answer_of_the_loop_itself_is_written() {
    let events = vec![
        finished(1, RoundKind::Commentary),
        done("the result of a tool"),
    ];
    assert_eq!(
        drawn(style(false), events.clone()).0,
        "the result of a tool\n"
    );
    assert_eq!(drawn(style(true), events).0, "the result of a tool\n");
}

#[test]
fn long_and_dangerous_values_are_tamed() {
    let arguments = format!("{{\"text\":\"\u{1b}[2J{}\"}}", "x".repeat(500));
    let call = ToolCall::new("a", "note\u{7}", arguments);
    let events = vec![
        ChatEvent::ToolExecutionStarted { round: 1, call },
        text(2, "\u{1b}[31mred"),
    ];
    let (answer, side) = drawn(style(true), events);
    assert_eq!(answer, "[31mred");
    assert!(
        side.contains('…') && side.lines().all(|line| line.chars().count() < 130),
        "{side}"
    );
    assert!(!side.contains(char::from(0x1b)) && !side.contains('\u{7}'));
}

#[test]
fn durations_are_short() {
    for (micros, text) in [
        (400, "(0.4 ms)"),
        (12_300, "(12 ms)"),
        (3_100_000, "(3.1 s)"),
    ] {
        assert_eq!(in_figures(Duration::from_micros(micros)), text);
    }
}
