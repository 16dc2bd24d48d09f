//! One request: its events as they come, until it ends or is ended.

use std::io;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::Instant;
use vernal::advisor::{ChatClientResponse, ChatEvent};
use vernal::message::{FinishReason, History, Message};

use crate::output::Output;
use crate::session::Session;

/// How a request ended.
#[derive(Debug)]
pub(crate) enum Ended {
    Answered(Box<ChatClientResponse>),
    /// Without an answer; the output has said why.
    Failed,
    /// By Ctrl-C.
    Interrupted,
}

/// Ctrl-C, each time it is pressed.
pub(crate) struct Interrupts(UnboundedReceiver<()>);

impl Interrupts {
    /// From now on Ctrl-C does not end the process.
    pub(crate) fn listen() -> Self {
        let (pressed, interrupts) = unbounded_channel();
        tokio::spawn(async move {
            while tokio::signal::ctrl_c().await.is_ok() && pressed.send(()).is_ok() {}
        });
        Self(interrupts)
    }

    /// The next press; never where the system tells of none.
    pub(crate) async fn next(&mut self) {
        if self.0.recv().await.is_none() {
            std::future::pending().await
        }
    }
}

/// Asks and draws what happens. Whatever way it ends, what still runs is cancelled.
///
/// # Errors
/// The output is closed.
pub(crate) async fn ask(
    session: &Session,
    mut messages: History,
    question: &str,
    output: &mut Output,
    interrupts: &mut Interrupts,
) -> io::Result<Ended> {
    messages.push(Message::user(question));
    let mut events = session.client.prompt(messages).stream();
    let deadline = session
        .timeout
        .and_then(|timeout| Instant::now().checked_add(timeout));
    loop {
        let event = tokio::select! {
            biased;
            () = interrupts.next() => {
                drop(events);
                output.interrupted()?;
                return Ok(Ended::Interrupted);
            }
            () = at(deadline) => {
                drop(events);
                output.failed(&too_long(session.timeout.unwrap_or_default()))?;
                return Ok(Ended::Failed);
            }
            alarm = session.alarms.next_due(), if session.alarms.ring() => {
                output.alarm(&alarm.to_string())?;
                continue;
            }
            event = events.next() => event,
        };
        match event {
            Some(Ok(event)) => {
                output.event(&event)?;
                if let ChatEvent::Done { response } = event {
                    return ended(response, session, output);
                }
            }
            Some(Err(error)) => {
                output.failed(&session.explain(&error))?;
                return Ok(Ended::Failed);
            }
            None => {
                output.failed("the model's stream ended before its answer did; try again")?;
                return Ok(Ended::Failed);
            }
        }
    }
}

/// A limit is reported like an answer and is none.
fn ended(
    response: Box<ChatClientResponse>,
    session: &Session,
    output: &mut Output,
) -> io::Result<Ended> {
    let reason = response.chat_response().finish_reason();
    match reason {
        Some(FinishReason::ToolCallLimitExceeded) => {
            // A program has read it in the last event.
            if matches!(output, Output::Person(_)) {
                let by_rounds = response.rounds() >= session.max_rounds;
                let hint = if by_rounds {
                    " --max-rounds can raise it."
                } else {
                    ""
                };
                output.failed(&format!("{}{hint}", response.content()))?;
            }
            return Ok(Ended::Failed);
        }
        Some(FinishReason::Length) => {
            output.notice("the answer was cut at the model's length limit")?;
        }
        _ => {}
    }
    Ok(Ended::Answered(response))
}

fn too_long(timeout: Duration) -> String {
    format!("the request took longer than {timeout:?} (--timeout) and was cancelled")
}

async fn at(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}
