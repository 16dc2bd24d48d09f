//! What a caller gets when a provider fails: every fault on every adapter, called and streamed.
//!
//! The table is checked in as `crates/vernal-models/FAULTS.md`; `VERNAL_WRITE_FAULTS=1` writes it anew.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[path = "support/adapters.rs"]
mod adapters;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use adapters::{ADAPTED, KEY};
use futures::future::join_all;
use tokio::sync::Semaphore;
use vernal_core::client::ChatClient;
use vernal_core::model::{ModelError, ModelErrorKind};
use vernal_core::tool::FunctionToolCallback;
use vernal_models::http::{HttpLimits, RetryPolicy};
use vernal_testing::Reply;
use vernal_testing::fake::{FakeApi, FakeServer, Fault, RetryAfter, Script, Step};

/// The first wait of the retry policy where the server names none.
const FIRST_WAIT: Duration = Duration::from_millis(40);

const SCHEMA: &str = r#"{"type":"object","properties":{"city":{"type":"string"}}}"#;

struct Case {
    fault: &'static str,
    script: Script,
    /// The waits that the server asks for, in order.
    waits: Vec<Duration>,
    /// The one API that can ask for them in this way.
    only: Option<FakeApi>,
    /// How often the tool may run.
    runs: usize,
}

fn case(fault: &'static str, script: Script) -> Case {
    Case {
        fault,
        script,
        waits: Vec::new(),
        only: None,
        runs: 0,
    }
}

fn after(fault: &'static str, after: RetryAfter) -> Case {
    let script = Script::new()
        .fails(Fault::status(429).after(after))
        .says("Hello.");
    Case {
        waits: vec![after.wait()],
        ..case(fault, script)
    }
}

fn call() -> Reply {
    Reply::text("Let me see.").and_call("weather", r#"{"city":"Jeju"}"#)
}

/// A fault in place of the first answer; what follows would be an answer.
fn once(fault: Fault) -> Script {
    Script::new().fails(fault).says("Hello.")
}

fn cases() -> Vec<Case> {
    let always = |fault: &Fault| Script::new().fails(fault.clone()).again();
    vec![
        after("429, `retry-after-ms: 150`", RetryAfter::Millis(150)),
        after("429, `retry-after: 1`", RetryAfter::Seconds(1)),
        after(
            "429, `retry-after` as a date 1 s ahead",
            RetryAfter::Date(1),
        ),
        Case {
            only: Some(FakeApi::Gemini),
            ..after("429, `RetryInfo` of 1 s in the body", RetryAfter::InBody(1))
        },
        case(
            "429, `retry-after: 61`, above the ceiling",
            once(Fault::status(429).after(RetryAfter::Seconds(61))),
        ),
        case("429, for ever", always(&Fault::status(429))),
        case(
            "429, `insufficient_quota`",
            once(Fault::status(429).code("insufficient_quota")),
        ),
        case(
            "307 to another server",
            once(Fault::status(307).header("location", "http://127.0.0.1:1/v1")),
        ),
        case("401", once(Fault::status(401))),
        case("500, then an answer", once(Fault::status(500))),
        case(
            "500, `x-should-retry: false`",
            once(Fault::status(500).header("x-should-retry", "false")),
        ),
        case("501, then an answer", once(Fault::status(501))),
        case("520, then an answer", once(Fault::status(520))),
        case("529, then an answer", once(Fault::status(529))),
        case("529, for ever", always(&Fault::status(529))),
        case(
            "cut before the first byte, then an answer",
            once(Fault::cut()),
        ),
        case("cut before the first byte, for ever", always(&Fault::cut())),
        case(
            "cut in the middle of an answer, then an answer",
            Script::new()
                .then(Step::from(Reply::text("Well.")).cut())
                .says("Hello."),
        ),
        case(
            "cut in the middle of a call",
            Script::new().then(Step::from(call()).cut()).says("Hello."),
        ),
        case(
            "cut in the middle of an answer whose body ends in good order, then an answer",
            Script::new()
                .then(Step::from(Reply::text("Well.")).cut_in_order())
                .says("Hello."),
        ),
        case(
            "cut in the middle of a call, and the body ends in good order",
            Script::new()
                .then(Step::from(call()).cut_in_order())
                .says("Hello."),
        ),
        case("silence before the first byte", once(Fault::silence())),
        case(
            "silence in the middle of a call",
            Script::new()
                .then(Step::from(call()).stalled())
                .says("Hello."),
        ),
        case(
            "200 with a failure of the server as the body or as the first event, then an answer",
            once(Fault::in_answer()),
        ),
        case("the same, for ever", always(&Fault::in_answer())),
        case(
            "200 with an overload (529) told so, then an answer",
            once(Fault::told(529)),
        ),
        case(
            "200 with a rate limit (429) told so, then an answer",
            once(Fault::told(429)),
        ),
        case(
            "200 with an invalid request (400) told so",
            once(Fault::told(400)),
        ),
        case(
            "an error after some text",
            Script::new()
                .replies(
                    Reply::text("Well, ")
                        .then_error(ModelError::new(ModelErrorKind::Server, "Out of order.")),
                )
                .says("Hello."),
        ),
        case("200 with an HTML page", once(Fault::html())),
        case("a body above the limit", once(Fault::huge(200_000))),
        case("text that is no UTF-8", once(Fault::bad_utf8())),
        Case {
            runs: 1,
            ..case(
                "a call, one byte at a time",
                Script::new()
                    .then(Step::from(call()).in_writes_of(1))
                    .says("Hello."),
            )
        },
        Case {
            runs: 1,
            ..case(
                "500 after a tool ran, then an answer",
                Script::new()
                    .replies(call())
                    .fails(Fault::status(500))
                    .says("Hello."),
            )
        },
        Case {
            runs: 1,
            ..case(
                "cut in the middle of the answer after a tool ran",
                Script::new()
                    .replies(call())
                    .then(Step::from(Reply::text("Hello, world.")).cut())
                    .says("Hello."),
            )
        },
    ]
}

fn client(server: &FakeServer) -> ChatClient {
    let retry = RetryPolicy::default().with_first_wait(FIRST_WAIT);
    let limits = HttpLimits::default()
        .with_first_byte(Duration::from_secs(3))
        .with_idle(Duration::from_secs(3))
        .with_body(100_000);
    let model = adapters::model(server.api(), server.base_url(), limits, retry);
    ChatClient::create(model.unwrap())
}

/// Runs a case, and says in a cell of the table what came of it.
async fn cell(case: &Case, api: FakeApi, streamed: bool) -> String {
    let server = FakeServer::start(api, case.script.clone());
    let ran = Arc::new(AtomicUsize::new(0));
    let counter = ran.clone();
    let tool = FunctionToolCallback::builder("weather", move |_: BTreeMap<String, String>| {
        counter.fetch_add(1, Ordering::Relaxed);
        "Sunny"
    });
    let tool = tool.description("w").input_schema(SCHEMA).build().unwrap();
    let asked = client(&server).prompt("Hi!").tools(tool);
    let outcome = match streamed {
        false => asked.call().await,
        true => asked.stream().response().await,
    };
    let what = format!("{}, {api}, streamed: {streamed}", case.fault);
    assert_eq!(
        ran.load(Ordering::Relaxed),
        case.runs,
        "{what}: tools that ran"
    );
    let requests = server.requests();
    let waits = match case.only {
        Some(only) if only != api => &[][..],
        _ => &case.waits,
    };
    for (pair, asked) in requests.windows(2).zip(waits) {
        let waited = pair[1].received_at - pair[0].received_at;
        assert!(
            waited >= *asked && waited < *asked + Duration::from_secs(15),
            "{what}: {waited:?}"
        );
    }
    assert_eq!(server.violations(), Vec::new(), "{what}");
    let mut cell = match &outcome {
        Ok(answer) => {
            assert_eq!(answer.content(), "Hello.", "{what}");
            "answer".to_owned()
        }
        Err(error) => {
            let error = error
                .model_error()
                .unwrap_or_else(|| panic!("{what}: {error}"));
            assert!(!error.to_string().contains(KEY), "{error}");
            let retryable = if error.is_retryable() {
                ", retryable"
            } else {
                ""
            };
            format!("`{:?}`{retryable}", error.kind())
        }
    };
    let _ = write!(cell, "; {} sent", requests.len());
    if !waits.is_empty() && outcome.is_ok() {
        cell.push_str(", waited as asked");
    }
    if let Err(error) = &outcome
        && let Some(after) = error.retry_after()
    {
        let _ = write!(cell, ", tells to wait {after:?}");
    }
    cell
}

const HEAD: &str = "\
# What a caller gets when a provider fails

Every fault on every adapter, called and streamed, over a real connection to a fake server
(`vernal_testing::fake`). A cell has the outcome (`answer`, or the kind of the `ModelError` and whether
it says that sending again may help), and how many requests were sent for it. In no case did a tool run
but where the fault is said to come after one, and then it ran once. The test `faults` of
`vernal-testing` prints this table and compares it.

The retry policy is the default, two retries within a ceiling of 60 s, with a shorter first wait; the
limits `first_byte` and `idle` are 3 s, `body` is 100 kB.

A call is made again as long as nothing of its answer was handed on: never of an answer that was streamed
in part. Half of a short stream of openai-responses, anthropic-messages or azure-chat is still before its
first word. A body that ends in good order was cut all the same where its last event, line or value is not
whole and nobody had told its length. Ollama tells no kind of error but its text, and Bedrock none in a body without a status, so that these are
taken for failures of the server.

| fault | API | called | streamed |
|---|---|---|---|
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faults() {
    let cases = cases();
    // Not all at once: a machine that is busy must not look like a server that stalls.
    let at_once = &Semaphore::new(24);
    let one = |case: Case| async move {
        let case = &case;
        let cells = ADAPTED.into_iter().map(|api| async move {
            let mut cells = Vec::new();
            for streamed in [false, true] {
                let _turn = at_once.acquire().await.unwrap();
                cells.push(cell(case, api, streamed).await);
            }
            (api, cells.join(" | "))
        });
        (case.fault, join_all(cells).await)
    };
    let rows = join_all(cases.into_iter().map(one)).await;
    let mut table = HEAD.to_owned();
    for (fault, cells) in rows {
        let mut groups: Vec<(Vec<FakeApi>, String)> = Vec::new();
        for (api, cells) in cells {
            match groups.iter_mut().find(|(_, known)| *known == cells) {
                Some((apis, _)) => apis.push(api),
                None => groups.push((vec![api], cells)),
            }
        }
        for (apis, cells) in &groups {
            let names: Vec<_> = apis.iter().map(|api| api.as_str()).collect();
            let names = if groups.len() == 1 {
                "all".to_owned()
            } else {
                names.join(", ")
            };
            let _ = writeln!(table, "| {fault} | {names} | {cells} |");
        }
    }
    println!("{table}");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vernal-models/FAULTS.md");
    if std::env::var_os("VERNAL_WRITE_FAULTS").is_some() {
        std::fs::write(&file, &table).unwrap();
    }
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    let differing = table
        .lines()
        .zip(known.lines())
        .find(|(new, old)| new != old);
    assert!(
        table == known,
        "crates/vernal-models/FAULTS.md differs, first in {differing:?}; if that is meant, write it anew \
         with VERNAL_WRITE_FAULTS=1"
    );
}
