//! ERR-1 to ERR-3 and ERR-9: what becomes of what a tool returns as its error.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use vernal_core::calling::{
    DefaultToolExecutionErrorProcessor, ToolExecutionError, ToolExecutionErrorProcessor,
};
use vernal_core::message::ToolOutcome;
use vernal_core::tool::ToolError;

use crate::closures::ends;
use crate::drivers::Outcome;
use crate::kit::tool;
use crate::scenario::Scenario;
use crate::transcript::last_answers;

/// An error with something behind it that no model may read.
#[derive(Debug)]
struct NoSeats(io::Error);

impl fmt::Display for NoSeats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there are no seats left")
    }
}

impl StdError for NoSeats {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&self.0)
    }
}

fn no_seats() -> NoSeats {
    NoSeats(io::Error::other("db-7 says: row locked"))
}

/// One tool that fails like this, called once.
fn failing(end: impl Fn() -> ToolError + Send + Sync + 'static) -> Scenario {
    Scenario::new()
        .callback(ends("book", move || Err(end())))
        .calls("book", "{}")
        .says("done")
}

/// The model read `text` as the answer of the call, and went on.
fn model_read(outcome: &Outcome, text: &str) {
    let expected = [(ToolOutcome::Failed, text.to_owned())];
    assert_eq!(last_answers(&outcome.history), expected);
    assert_eq!(outcome.text(), "done");
    let prompt = outcome.prompts.last().unwrap();
    assert_eq!(last_answers(prompt.messages()), expected);
}

/// The caller got the error, the transcript is closed, and the model was not called again.
fn caller_got(outcome: &Outcome, check: impl Fn(&ToolExecutionError)) {
    check(outcome.error().tool_error().expect("a tool's error"));
    assert_eq!(outcome.model_calls(), 1);
    let [(answer, text)] = &last_answers(&outcome.history)[..] else {
        panic!("one answer")
    };
    assert_eq!(*answer, ToolOutcome::Failed);
    assert!(
        !text.contains("seats"),
        "the model reads nothing of it: {text}"
    );
}

type Seen = Arc<Mutex<Vec<(String, bool)>>>;

/// Writes down what it gets, and gives it on to the caller if it is to.
struct Noting {
    seen: Seen,
    rethrow: bool,
}

impl ToolExecutionErrorProcessor for Noting {
    fn process(&self, error: ToolExecutionError) -> Result<String, ToolExecutionError> {
        let is_ours = error.cause().downcast_ref::<NoSeats>().is_some();
        let seen = (error.tool_name().to_owned(), is_ours);
        self.seen.lock().unwrap().push(seen);
        if self.rethrow {
            return Err(error);
        }
        Ok(format!("{} is closed", error.tool_name()))
    }
}

#[tokio::test]
async fn err_1_the_processor_gets_the_tools_name_and_the_cause_and_decides() {
    for rethrow in [false, true] {
        let seen = Seen::default();
        let noting = Noting {
            seen: seen.clone(),
            rethrow,
        };
        let scenario = failing(|| no_seats().into());
        let scenario = scenario.manager(|m| m.tool_execution_error_processor(noting));
        scenario
            .check(|outcome| {
                let seen = std::mem::take(&mut *seen.lock().unwrap());
                assert!(!seen.is_empty());
                assert!(seen.iter().all(|one| *one == ("book".to_owned(), true)));
                if rethrow {
                    caller_got(outcome, |error| {
                        assert_eq!(error.tool_name(), "book");
                        assert!(error.cause().downcast_ref::<NoSeats>().is_some());
                        let source = error.source().unwrap();
                        assert_eq!(source.to_string(), "there are no seats left");
                        let behind = source.source().unwrap().to_string();
                        assert_eq!(behind, "db-7 says: row locked");
                    });
                } else {
                    model_read(outcome, "book is closed");
                }
            })
            .await;
    }
}

#[tokio::test]
async fn err_1_the_callers_error_names_the_tool() {
    let scenario = failing(|| ToolError::fatal("disk full"));
    scenario
        .check(|outcome| {
            let error = outcome.error();
            assert_eq!(error.tool_name(), Some("book"));
            assert_eq!(error.to_string(), "the tool `book` failed: disk full");
        })
        .await;
}

#[tokio::test]
async fn err_2_a_recoverable_errors_own_text_goes_to_the_model_and_never_its_sources() {
    let scenario = failing(|| no_seats().into());
    scenario
        .check(|outcome| model_read(outcome, "there are no seats left"))
        .await;
}

#[tokio::test]
async fn err_2_the_redactor_sees_every_text_before_the_model() {
    let processor = DefaultToolExecutionErrorProcessor::default()
        .redact(|text| text.replace("seats", "[…]").replace("100 ms", "[…]"));
    let scenario = failing(|| no_seats().into());
    let scenario = scenario.manager(|m| m.tool_execution_error_processor(processor));
    scenario
        .check(|outcome| model_read(outcome, "there are no […] left"))
        .await;
}

#[tokio::test]
async fn err_2_what_is_fatal_or_listed_or_all_goes_to_the_caller() {
    type Set = fn(DefaultToolExecutionErrorProcessor) -> DefaultToolExecutionErrorProcessor;
    type End = fn() -> ToolError;
    let as_is: Set = |p| p;
    let throw: Set = |p| p.throw_on_error(true);
    let listed: Set = |p| p.rethrow::<io::Error>().rethrow::<NoSeats>();
    let other_listed: Set = |p| p.rethrow::<fmt::Error>();
    let recoverable: End = || no_seats().into();
    let fatal: End = || ToolError::fatal(no_seats());
    let table: [(Set, End, bool); 6] = [
        (as_is, recoverable, false),
        (as_is, fatal, true),
        (throw, recoverable, true),
        (throw, fatal, true),
        (listed, recoverable, true),
        (other_listed, recoverable, false),
    ];
    for (row, (set, end, to_caller)) in table.into_iter().enumerate() {
        println!("row {row}");
        let processor = set(DefaultToolExecutionErrorProcessor::default());
        let scenario = failing(end).manager(|m| m.tool_execution_error_processor(processor));
        scenario
            .check(|outcome| {
                if to_caller {
                    caller_got(outcome, |error| assert_eq!(error.tool_name(), "book"));
                } else {
                    model_read(outcome, "there are no seats left");
                }
            })
            .await;
    }
}

#[tokio::test]
async fn err_3_blank_text_becomes_the_name_and_the_type() {
    let blank_io: fn() -> ToolError = || io::Error::other(" \n").into();
    let boxed: fn() -> ToolError = || Box::<dyn StdError + Send + Sync>::from("").into();
    type Row = (fn() -> ToolError, &'static str);
    let table: [Row; 4] = [
        (|| ToolError::model(""), "String"),
        (blank_io, "Error"),
        (boxed, "Box"),
        (|| ToolError::retry(Duration::ZERO).because(""), "&str"),
    ];
    for (end, kind) in table {
        let expected = format!("Exception occurred in tool: book ({kind})");
        failing(end)
            .check(|outcome| model_read(outcome, &expected))
            .await;
    }
}

/// A processor that has nothing to say.
struct Silent;

impl ToolExecutionErrorProcessor for Silent {
    fn process(&self, _error: ToolExecutionError) -> Result<String, ToolExecutionError> {
        Ok(" ".to_owned())
    }
}

#[tokio::test]
async fn err_3_a_processor_or_redactor_without_words_does_not_leave_a_blank_answer() {
    let redactor = DefaultToolExecutionErrorProcessor::default().redact(|_| String::new());
    let failing = || failing(|| no_seats().into());
    for scenario in [
        failing().manager(|m| m.tool_execution_error_processor(redactor)),
        failing().manager(|m| m.tool_execution_error_processor(Silent)),
    ] {
        let expected = "Exception occurred in tool: book (NoSeats)";
        scenario
            .check(|outcome| model_read(outcome, expected))
            .await;
    }
}

#[tokio::test(start_paused = true)]
async fn err_9_a_tool_author_chooses_by_what_is_returned() {
    fn parse(text: &str) -> Result<&'static str, ToolError> {
        let _: u8 = text.parse()?;
        Ok("parsed")
    }
    type Row = (fn() -> Result<&'static str, ToolError>, &'static str);
    let table: [Row; 4] = [
        (
            || Err(ToolError::model("say it in Korean")),
            "say it in Korean",
        ),
        (|| parse("x"), "invalid digit found in string"),
        (|| Err("plain words".into()), "plain words"),
        (
            || Err(ToolError::retry(Duration::from_secs(60))),
            "the tool is busy; try again later",
        ),
    ];
    for (end, expected) in table {
        let scenario = Scenario::new()
            .callback(ends("book", end))
            .calls("book", "{}");
        let scenario = scenario.says("done");
        scenario
            .check(|outcome| model_read(outcome, expected))
            .await;
    }
    failing(|| ToolError::fatal(no_seats()))
        .check(|outcome| caller_got(outcome, |error| assert!(error.cause().is_fatal())))
        .await;
}

#[tokio::test]
async fn err_2_after_a_fatal_error_what_its_siblings_did_is_kept() {
    let reply = vernal_testing::Reply::call("ok", "{}").and_call("bad", "{}");
    let scenario = Scenario::new()
        .tool(tool("ok").says("done before"))
        .tool(
            tool("bad")
                .fails_fatally("gone")
                .takes(Duration::from_millis(1)),
        )
        .reply(reply);
    scenario
        .check(|outcome| {
            let answers = last_answers(&outcome.history);
            assert_eq!(answers[0], (ToolOutcome::Success, "done before".to_owned()));
            assert_eq!(answers[1].0, ToolOutcome::Failed);
        })
        .await;
}
