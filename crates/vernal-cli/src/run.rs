//! Running a command to its exit status.

use std::io::{self, IsTerminal, Read, Write};
use std::process::ExitCode;

use vernal::message::History;

use crate::chat::{Ended, Interrupts, ask};
use crate::cli::ChatArguments;
use crate::interactive::{Conversation, Left, lines_of_stdin};
use crate::output::Output;
use crate::session::{Session, SessionError};
use crate::tools::alarms::Alarms;

const FAILED: u8 = 1;
const MISUSED: u8 = 2;
const INTERRUPTED: u8 = 130;

/// The longest question that is read from stdin.
const LONGEST_QUESTION: u64 = 16 << 20;

/// A command line that means nothing.
pub(crate) fn misused(problem: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {problem}\nsee `vernal --help`");
    ExitCode::from(MISUSED)
}

/// Writes a text to stdout.
pub(crate) fn say(text: &str) -> ExitCode {
    written(io::stdout().write_all(text.as_bytes()))
}

/// Whoever closes our output, such as `head`, has what they want; that needs no message.
pub(crate) fn written(result: io::Result<()>) -> ExitCode {
    if result.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAILED)
    }
}

/// `vernal chat`: one question, or a conversation.
pub(crate) fn chat(arguments: &ChatArguments) -> ExitCode {
    let mut output = Output::of_process(arguments.json, arguments.quiet);
    let question = match question(arguments) {
        Ok(question) => question,
        Err(problem) => return misused(&problem),
    };
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return failed(&mut output, &format!("the program cannot start: {error}")),
    };
    let status = runtime.block_on(talk(arguments, question.as_deref(), &mut output));
    // Looking up a host's name cannot be cancelled and is not waited for.
    runtime.shutdown_background();
    status
}

/// The question that was given or that stdin holds; `None` where a person is to be asked for it.
fn question(arguments: &ChatArguments) -> Result<Option<String>, String> {
    if arguments.question.is_some() || io::stdin().is_terminal() {
        return Ok(arguments.question.clone());
    }
    let mut bytes = Vec::new();
    let read = io::stdin()
        .lock()
        .take(LONGEST_QUESTION + 1)
        .read_to_end(&mut bytes);
    read.map_err(|error| format!("stdin cannot be read: {error}"))?;
    if bytes.len() as u64 > LONGEST_QUESTION {
        return Err(format!(
            "the question on stdin is longer than {LONGEST_QUESTION} bytes"
        ));
    }
    let text =
        String::from_utf8(bytes).map_err(|_| "the question on stdin is not UTF-8".to_owned())?;
    match text.trim() {
        "" => Err("there is no question: give it as text or on stdin".to_owned()),
        question => Ok(Some(question.to_owned())),
    }
}

async fn talk(arguments: &ChatArguments, question: Option<&str>, output: &mut Output) -> ExitCode {
    let mut interrupts = Interrupts::listen();
    let alarms = if question.is_some() {
        Alarms::silent()
    } else {
        Alarms::ringing()
    };
    let opened = tokio::select! {
        opened = Session::open(arguments, alarms, output) => opened,
        () = interrupts.next() => return ExitCode::from(INTERRUPTED),
    };
    let session = match opened {
        Ok(session) => session,
        Err(SessionError::Usage(problem)) => {
            if arguments.json {
                let _ = output.failed(&problem);
            }
            return misused(&problem);
        }
        Err(SessionError::Failed(problem)) => return failed(output, &problem),
        Err(SessionError::Output) => return ExitCode::from(FAILED),
    };
    let status = match question {
        Some(question) => answer(&session, question, output, &mut interrupts).await,
        None => converse(&session, output, &mut interrupts).await,
    };
    ExitCode::from(status.unwrap_or(FAILED))
}

async fn answer(
    session: &Session,
    question: &str,
    output: &mut Output,
    interrupts: &mut Interrupts,
) -> io::Result<u8> {
    let ended = ask(session, History::new(), question, output, interrupts).await?;
    Ok(match ended {
        Ended::Answered(_) => 0,
        Ended::Failed => FAILED,
        Ended::Interrupted => INTERRUPTED,
    })
}

async fn converse(
    session: &Session,
    output: &mut Output,
    interrupts: &mut Interrupts,
) -> io::Result<u8> {
    let conversation = Conversation::new(session, output, interrupts, lines_of_stdin());
    Ok(match conversation.hold().await? {
        Left::AtWill => 0,
        Left::Interrupted => INTERRUPTED,
    })
}

fn failed(output: &mut Output, problem: &str) -> ExitCode {
    let _ = output.failed(problem);
    ExitCode::from(FAILED)
}
