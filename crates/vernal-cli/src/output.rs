//! Where events go: to a person or to a program.

use std::io;

use vernal::advisor::ChatEvent;

use crate::json_events::JsonEvents;
use crate::render::{INTERRUPTED, Terminal};

/// The one output of a run.
pub(crate) enum Output {
    Person(Terminal),
    /// Events go to the program; the terminal has what is said beside them.
    Program(JsonEvents, Terminal),
}

impl Output {
    pub(crate) fn of_process(json: bool, quiet: bool) -> Self {
        let terminal = Terminal::of_process(quiet);
        if json {
            Self::Program(JsonEvents::of_process(), terminal)
        } else {
            Self::Person(terminal)
        }
    }

    /// # Errors
    /// The output is closed.
    pub(crate) fn event(&mut self, event: &ChatEvent) -> io::Result<()> {
        match self {
            Self::Person(terminal) => terminal.event(event),
            Self::Program(json, _) => json.event(event),
        }
    }

    /// The model that was chosen.
    pub(crate) fn model(&mut self, name: &str, reason: &str) -> io::Result<()> {
        if let Self::Program(json, _) = self {
            json.model(name, reason)?;
        }
        self.notice(&format!("model: {name}, because {reason}"))
    }

    pub(crate) fn notice(&mut self, text: &str) -> io::Result<()> {
        self.terminal().notice(text)
    }

    /// A request, or the whole run, failed.
    pub(crate) fn failed(&mut self, message: &str) -> io::Result<()> {
        match self {
            Self::Person(terminal) => {
                terminal.finish()?;
                terminal.failed(message)
            }
            Self::Program(json, _) => json.failed(message),
        }
    }

    /// The user ended a request.
    pub(crate) fn interrupted(&mut self) -> io::Result<()> {
        match self {
            Self::Person(terminal) => terminal.interrupted(),
            Self::Program(json, _) => json.failed(INTERRUPTED),
        }
    }

    /// An alarm goes off.
    pub(crate) fn alarm(&mut self, text: &str) -> io::Result<()> {
        if let Self::Program(json, _) = self {
            json.alarm(text)?;
        }
        self.terminal().ring(text)
    }

    pub(crate) fn prompt(&mut self, text: &str) -> io::Result<()> {
        self.terminal().prompt(text)
    }

    fn terminal(&mut self) -> &mut Terminal {
        match self {
            Self::Person(terminal) | Self::Program(_, terminal) => terminal,
        }
    }
}
