//! What a person sees: the answer on one output, everything else on the other.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use vernal::advisor::{ChatClientResponse, ChatEvent, RoundKind};
use vernal::message::{FinishReason, ToolCall, ToolOutcome, ToolResponse};

use crate::calls::Calls;
use crate::paint::{Paint, harmless, one_line};

/// The longest arguments and results that are shown, in characters.
const LONGEST: usize = 110;

/// What is said about a request that the user ended.
pub(crate) const INTERRUPTED: &str = "interrupted; the request and its tools are cancelled";

/// Draws the events of requests.
pub(crate) struct Terminal {
    answer: Box<dyn Write>,
    side: Box<dyn Write>,
    style: Style,
    calls: Calls,
    /// The text of the current round.
    text: String,
    /// Whether the line on the answer's output is begun.
    in_line: bool,
    reasoned: bool,
    /// Whether calls were shown since the last text.
    called: bool,
}

/// How a [`Terminal`] draws.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    /// Whether somebody looks at the answer's output. Only there is text written before it is known
    /// to be the answer.
    pub(crate) live: bool,
    pub(crate) paint: Paint,
    /// Nothing on the side but errors.
    pub(crate) quiet: bool,
}

impl Terminal {
    /// The outputs of this process.
    pub(crate) fn of_process(quiet: bool) -> Self {
        let variable = |name: &str| std::env::var(name).ok();
        let paint = Paint::wanted(io::stderr().is_terminal(), variable);
        let style = Style {
            live: io::stdout().is_terminal(),
            paint,
            quiet,
        };
        Self::new(Box::new(io::stdout()), Box::new(io::stderr()), style)
    }

    pub(crate) fn new(answer: Box<dyn Write>, side: Box<dyn Write>, style: Style) -> Self {
        Self {
            answer,
            side,
            style,
            calls: Calls::default(),
            text: String::new(),
            in_line: false,
            reasoned: false,
            called: false,
        }
    }

    /// # Errors
    /// An output is closed.
    pub(crate) fn event(&mut self, event: &ChatEvent) -> io::Result<()> {
        match event {
            ChatEvent::TextDelta { text, .. } => self.text_delta(text),
            ChatEvent::ReasoningDelta { .. } => self.reasoning(),
            ChatEvent::ToolCallStarted {
                round, id, name, ..
            } => {
                self.calls.announce(*round, id.as_deref(), name);
                Ok(())
            }
            ChatEvent::ToolCallDelta {
                index, arguments, ..
            } => {
                self.calls.add_arguments(*index, arguments);
                Ok(())
            }
            ChatEvent::RoundFinished { kind, .. } => self.round_finished(*kind),
            ChatEvent::ToolExecutionStarted { call, .. } => self.call_started(call),
            ChatEvent::ToolResult {
                response, duration, ..
            } => self.call_finished(response, *duration),
            ChatEvent::Done { response } => self.done(response),
            _ => Ok(()),
        }
    }

    /// A line that is neither an answer nor an error.
    pub(crate) fn notice(&mut self, text: &str) -> io::Result<()> {
        if self.style.quiet {
            return Ok(());
        }
        let text = self.style.paint.dim(text);
        self.side_line(&text)
    }

    /// An alarm: a bell and a line, however quiet it is to be.
    pub(crate) fn ring(&mut self, text: &str) -> io::Result<()> {
        let text = self.style.paint.strong(&one_line(text, 500));
        self.side_line(&format!("\u{7}⏰ {text}"))
    }

    pub(crate) fn failed(&mut self, message: &str) -> io::Result<()> {
        let text = format!("{} {}", self.style.paint.bad("error:"), harmless(message));
        self.side_line(&text)
    }

    /// The user ended the request, and is told however quiet it is to be.
    pub(crate) fn interrupted(&mut self) -> io::Result<()> {
        self.finish()?;
        let text = self.style.paint.dim(INTERRUPTED);
        self.side_line(&text)
    }

    /// Writes without ending the line: a prompt.
    pub(crate) fn prompt(&mut self, text: &str) -> io::Result<()> {
        self.end_line()?;
        let text = self.style.paint.strong(text);
        self.side.write_all(text.as_bytes())?;
        self.side.flush()
    }

    /// A request is over, whatever way: the next one begins on a new line.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.calls = Calls::default();
        self.text.clear();
        (self.reasoned, self.called) = (false, false);
        self.end_line()
    }

    fn text_delta(&mut self, text: &str) -> io::Result<()> {
        self.text.push_str(text);
        if !self.style.live || text.is_empty() {
            return Ok(());
        }
        if std::mem::take(&mut self.called) && !self.style.quiet {
            self.side_line("")?;
        }
        self.write_answer(text)
    }

    fn reasoning(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.reasoned, true) || !self.style.live {
            return Ok(());
        }
        self.notice("  (thinking …)")
    }

    fn round_finished(&mut self, kind: RoundKind) -> io::Result<()> {
        self.reasoned = false;
        if kind == RoundKind::Answer {
            return if self.style.live {
                Ok(())
            } else {
                self.write_answer(&self.text.clone())
            };
        }
        let commentary = std::mem::take(&mut self.text);
        if commentary.trim().is_empty() {
            return Ok(());
        }
        if self.style.live {
            self.end_line()?;
            return self.notice("  ↑ said on the way, not yet the answer");
        }
        for line in commentary.lines() {
            self.notice(&format!("  │ {}", harmless(line)))?;
        }
        Ok(())
    }

    fn call_started(&mut self, call: &ToolCall) -> io::Result<()> {
        let number = self.calls.start(call);
        self.call_line(number, &call.name, call.arguments.as_str())
    }

    fn call_finished(
        &mut self,
        response: &ToolResponse,
        duration: Option<Duration>,
    ) -> io::Result<()> {
        let (number, not_run) = self.calls.finish(response);
        if let Some(arguments) = not_run.map(|call| call.arguments.clone()) {
            self.call_line(number, &response.name, &arguments)?;
        }
        let paint = self.style.paint;
        let name = numbered(number, &response.name);
        let result = one_line(&response.text(), LONGEST);
        let line = match (response.outcome, duration) {
            (ToolOutcome::Success, duration) => {
                let time = duration.map(in_figures).unwrap_or_default();
                format!("  ← {} {} {result}", paint.name(&name), paint.dim(&time))
            }
            (_, Some(duration)) => {
                let time = paint.dim(&in_figures(duration));
                format!("  {} {} {time} {result}", paint.bad("✗"), paint.name(&name))
            }
            (_, None) => format!("  {} {} {result}", paint.bad("✗"), paint.name(&name)),
        };
        self.side_detail(line.trim_end())
    }

    fn call_line(&mut self, number: Option<usize>, name: &str, arguments: &str) -> io::Result<()> {
        self.called = true;
        let name = self.style.paint.name(&numbered(number, name));
        let line = format!("  → {name} {}", one_line(arguments, LONGEST));
        self.side_detail(line.trim_end())
    }

    /// The answer may be the loop's own and not what was streamed last.
    fn done(&mut self, response: &ChatClientResponse) -> io::Result<()> {
        let reason = response.chat_response().finish_reason();
        let content = response.content();
        if reason != Some(&FinishReason::ToolCallLimitExceeded) && content != self.text {
            self.end_line()?;
            self.write_answer(&content)?;
        }
        self.finish()
    }

    fn write_answer(&mut self, text: &str) -> io::Result<()> {
        let Some(last) = text.chars().next_back() else {
            return Ok(());
        };
        let text = if self.style.live {
            harmless(text)
        } else {
            text.to_owned()
        };
        self.answer.write_all(text.as_bytes())?;
        self.answer.flush()?;
        self.in_line = last != '\n';
        Ok(())
    }

    fn end_line(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.in_line) {
            self.answer.write_all(b"\n")?;
            self.answer.flush()?;
        }
        Ok(())
    }

    fn side_detail(&mut self, line: &str) -> io::Result<()> {
        if self.style.quiet {
            Ok(())
        } else {
            self.side_line(line)
        }
    }

    fn side_line(&mut self, line: &str) -> io::Result<()> {
        // Both outputs may be one terminal.
        if self.style.live {
            self.end_line()?;
        }
        writeln!(self.side, "{line}")?;
        self.side.flush()
    }
}

fn numbered(number: Option<usize>, name: &str) -> String {
    let name = one_line(name, 64);
    number.map_or(name.clone(), |number| format!("{number}. {name}"))
}

/// `0.4 ms`, `12 ms`, `3.1 s`.
fn in_figures(duration: Duration) -> String {
    let millis = duration.as_secs_f64() * 1e3;
    match millis {
        _ if millis < 10.0 => format!("({millis:.1} ms)"),
        _ if millis < 1000.0 => format!("({millis:.0} ms)"),
        _ => format!("({:.1} s)", millis / 1e3),
    }
}

#[cfg(test)]
pub(crate) mod tests;
