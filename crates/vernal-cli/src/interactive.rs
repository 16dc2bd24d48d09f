//! A conversation: one line per question, until the user leaves.

use std::io::{self, BufRead};

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use vernal::advisor::ChatClientResponse;
use vernal::message::{History, Message};

use crate::chat::{Ended, Interrupts, ask};
use crate::nearest::nearest;
use crate::output::Output;
use crate::session::Session;

/// How a conversation ended.
#[derive(Debug, PartialEq)]
pub(crate) enum Left {
    /// By `/quit` or Ctrl-D.
    AtWill,
    /// By Ctrl-C, pressed twice.
    Interrupted,
}

/// What a line means.
#[derive(Debug, PartialEq)]
enum Line<'a> {
    Blank,
    Question(&'a str),
    Quit,
    Tools,
    Clear,
    Help,
    Unknown(String),
}

const COMMANDS: [&str; 4] = ["/quit", "/tools", "/clear", "/help"];
const HELP: &str =
    "ask something, or: /tools lists the tools, /clear forgets what was said, /quit ends";

fn read_line(line: &str) -> Line<'_> {
    let line = line.trim();
    match line {
        "" => Line::Blank,
        "/quit" | "/exit" => Line::Quit,
        "/tools" => Line::Tools,
        "/clear" => Line::Clear,
        "/help" | "/?" => Line::Help,
        // A path is a question, a single word with a slash is a slip.
        _ if line.starts_with('/') && !line.contains(' ') && line.matches('/').count() == 1 => {
            let meant = nearest(line, COMMANDS);
            let hint = meant.map_or("there is /help".to_owned(), |m| {
                format!("did you mean {m}?")
            });
            Line::Unknown(format!("there is no command {line}; {hint}"))
        }
        question => Line::Question(question),
    }
}

/// A conversation that goes on.
pub(crate) struct Conversation<'a> {
    session: &'a Session,
    output: &'a mut Output,
    interrupts: &'a mut Interrupts,
    lines: UnboundedReceiver<String>,
    /// What was said; a turn is added when it is over.
    history: History,
    /// Whether Ctrl-C was the last that was pressed.
    interrupted: bool,
}

impl<'a> Conversation<'a> {
    /// A conversation in which nothing was said yet.
    pub(crate) fn new(
        session: &'a Session,
        output: &'a mut Output,
        interrupts: &'a mut Interrupts,
        lines: UnboundedReceiver<String>,
    ) -> Self {
        let history = History::new();
        Self {
            session,
            output,
            interrupts,
            lines,
            history,
            interrupted: false,
        }
    }

    /// Talks until the user leaves.
    ///
    /// # Errors
    /// The output is closed.
    pub(crate) async fn hold(mut self) -> io::Result<Left> {
        self.output.notice(HELP)?;
        loop {
            self.output.prompt("> ")?;
            let left = tokio::select! {
                line = self.lines.recv() => self.take_line(line).await?,
                () = self.interrupts.next() => self.interrupted()?,
                alarm = self.session.alarms.next_due() => {
                    self.output.prompt("\n")?;
                    self.output.alarm(&alarm.to_string())?;
                    None
                }
            };
            if let Some(left) = left {
                return Ok(left);
            }
        }
    }

    fn interrupted(&mut self) -> io::Result<Option<Left>> {
        if std::mem::replace(&mut self.interrupted, true) {
            return Ok(Some(Left::Interrupted));
        }
        self.output.notice("\npress Ctrl-C once more to leave")?;
        Ok(None)
    }

    async fn take_line(&mut self, line: Option<String>) -> io::Result<Option<Left>> {
        self.interrupted = false;
        let Some(line) = line else {
            self.output.prompt("\n")?;
            return Ok(Some(Left::AtWill));
        };
        match read_line(&line) {
            Line::Blank => {}
            Line::Quit => return Ok(Some(Left::AtWill)),
            Line::Help => self.output.notice(HELP)?,
            Line::Unknown(problem) => self.output.notice(&problem)?,
            Line::Tools => self.output.notice(&tools(self.session))?,
            Line::Clear => {
                self.history = History::new();
                self.output.notice("forgotten")?;
            }
            Line::Question(question) => self.take_question(question).await?,
        }
        Ok(None)
    }

    async fn take_question(&mut self, question: &str) -> io::Result<()> {
        let history = self.history.clone();
        match ask(
            self.session,
            history,
            question,
            self.output,
            self.interrupts,
        )
        .await?
        {
            Ended::Answered(response) => self.remember(question, &response),
            Ended::Failed => self
                .output
                .notice("what was just asked is not remembered")?,
            Ended::Interrupted => self.interrupted = true,
        }
        Ok(())
    }

    fn remember(&mut self, question: &str, response: &ChatClientResponse) {
        if let Some(messages) = response.messages() {
            self.history = messages.clone();
            return;
        }
        self.history.push(Message::user(question));
        if let Some(generation) = response.chat_response().generation() {
            self.history.push(generation.message.clone());
        }
    }
}

fn tools(session: &Session) -> String {
    let lines: Vec<String> = session
        .tools
        .iter()
        .map(|tool| {
            let definition = tool.tool_definition();
            let summary = definition.description().lines().next().unwrap_or_default();
            format!("  {}: {summary}", definition.name())
        })
        .collect();
    if lines.is_empty() {
        "no tools are offered".to_owned()
    } else {
        lines.join("\n")
    }
}

/// The lines that are typed. They are read on a thread of their own, for a terminal cannot be waited
/// for in another way; it ends with the process.
pub(crate) fn lines_of_stdin() -> UnboundedReceiver<String> {
    let (typed, lines) = unbounded_channel();
    std::thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        let mut line = Vec::new();
        while let Ok(1..) = stdin.read_until(b'\n', &mut line) {
            if typed
                .send(String::from_utf8_lossy(&line).into_owned())
                .is_err()
            {
                return;
            }
            line.clear();
        }
    });
    lines
}

#[cfg(test)]
mod tests {
    use vernal_testing::ScriptedModel;

    use super::*;
    use crate::render::Terminal;
    use crate::render::tests::{Screen, style};

    /// What is on the screen after the lines were typed, and the prompts that the model got.
    async fn talked(model: ScriptedModel, typed: &[&str]) -> (String, Vec<Vec<String>>) {
        let screen = Screen::default();
        let both = || Box::new(screen.clone());
        let mut output = Output::Person(Terminal::new(both(), both(), style(true)));
        let session = Session::of_model(model.clone());
        let (keyboard, lines) = unbounded_channel();
        for line in typed {
            keyboard.send(format!("{line}\n")).unwrap();
        }
        drop(keyboard);
        let mut interrupts = Interrupts::listen();
        let conversation = Conversation::new(&session, &mut output, &mut interrupts, lines);
        assert_eq!(conversation.hold().await.unwrap(), Left::AtWill);
        let texts = |prompt: &vernal::model::Prompt| {
            prompt
                .messages()
                .iter()
                .map(|message| message.text().into_owned())
                .collect()
        };
        (screen.text(), model.prompts().iter().map(texts).collect())
    }

    #[tokio::test]
    async fn what_was_said_is_remembered_until_it_is_cleared() {
        let model = ScriptedModel::new().says("A1").says("A2").says("A3");
        let (screen, prompts) =
            talked(model, &["Q1", "", "/qiut", "Q2", "/clear", "Q3", "/quit"]).await;
        assert_eq!(prompts, [&["Q1"][..], &["Q1", "A1", "Q2"], &["Q3"]]);
        assert!(
            screen.contains("> A1\n> > there is no command /qiut"),
            "{screen}"
        );
        assert!(screen.contains("> forgotten\n> A3\n> "), "{screen}");
    }

    #[tokio::test]
    async fn a_turn_that_failed_is_not_remembered() {
        let (screen, prompts) = talked(ScriptedModel::new().says("A1"), &["Q1", "Q2", "Q3"]).await;
        assert_eq!(prompts.last().unwrap(), &["Q1", "A1", "Q3"]);
        assert!(
            screen.contains("error: the script has no reply"),
            "{screen}"
        );
    }

    #[test]
    fn lines_are_questions_or_commands() {
        for (line, meaning) in [
            ("\n", Line::Blank),
            (" What time is it?\n", Line::Question("What time is it?")),
            ("/quit\n", Line::Quit),
            ("/exit", Line::Quit),
            ("/tools", Line::Tools),
            ("/clear", Line::Clear),
            ("/help", Line::Help),
            ("/tmp/notes is what?", Line::Question("/tmp/notes is what?")),
            ("/tmp/notes", Line::Question("/tmp/notes")),
            (
                "/qiut",
                Line::Unknown("there is no command /qiut; did you mean /quit?".to_owned()),
            ),
            (
                "/dance",
                Line::Unknown("there is no command /dance; there is /help".to_owned()),
            ),
        ] {
            assert_eq!(read_line(line), meaning, "{line}");
        }
    }
}
