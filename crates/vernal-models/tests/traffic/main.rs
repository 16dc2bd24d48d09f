//! Every recorded exchange with a provider whose language an adapter speaks: the answer as the adapter
//! and an independent reader in another language read it, and the request written again through our
//! messages.
//!
//! The recordings are read from `VERNAL_TRAFFIC`, or from `shared/traffic` beside the project. Streams
//! are fed in pieces of 1 and 7 bytes and whole, and what a stream ends with is what a call gives.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod anthropic;
mod gemini;
mod hearing;
mod native;
mod ollama;
mod openai_chat;
mod pairs;
mod recordings;
mod requests;
mod responses;
#[path = "../support/mod.rs"]
mod support;
mod table;
mod taken;

use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::Value;
use vernal_core::model::{ChatModel, ChatResponse};

use hearing::{Heard, compare_error, hear};
use pairs::Pairs;
use recordings::{Exchange, Recordings};
use requests::Requests;
use support::canned::Canned;
use support::view::Told;
use table::Table;

type CompareTold = for<'a> fn(
    &'a Value,
    &'a Value,
    &'a Told,
    &'a ChatResponse,
) -> BoxFuture<'a, Result<(), String>>;

/// A language of requests and answers, and how its recordings are checked.
struct Dialect {
    /// Its name among the recordings.
    name: &'static str,
    /// The independent reader, under `readers/`, and its options.
    reader: &'static [&'static str],
    /// How many answers there are at least.
    least: usize,
    /// A model that talks to the server of a recording.
    model: fn(&Canned) -> Arc<dyn ChatModel>,
    /// Compares an answer with a reading; the error says what differs.
    compare: fn(&Value, &ChatResponse) -> Result<(), String>,
    /// Compares what a stream told with its reading, its recording and its answer.
    told: CompareTold,
    /// Writes a recorded request again; the error says why our messages cannot express it.
    write: for<'a> fn(&'a Value) -> BoxFuture<'a, Result<Value, String>>,
    /// A request with one spelling for what may be spelled in several ways.
    normal: fn(&Value) -> Value,
    /// Where requests may differ, and why.
    differences: &'static str,
}

const DIALECTS: [Dialect; 5] = [
    openai_chat::DIALECT,
    responses::DIALECT,
    anthropic::DIALECT,
    gemini::DIALECT,
    ollama::DIALECT,
];

fn main() {
    support::run_alone("traffic", run);
}

fn run() -> Result<(), String> {
    let recordings = Recordings::find()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let mut table = Table::default();
    let mut pairs = Pairs::default();
    let mut problems = Vec::new();
    for dialect in &DIALECTS {
        let mut requests = Requests::new(dialect);
        recordings.each(dialect.reader, |exchange| {
            let row = table.row(dialect.name, exchange.provider);
            let streamed = exchange.reading["stream"] == true;
            let heard = runtime.block_on(hear(dialect.model, exchange.response, streamed));
            let found = runtime.block_on(compare(dialect, &exchange, &heard));
            row.answer(exchange.name, found);
            if let Some(request) = &exchange.request {
                let outcome = runtime.block_on(requests.check(exchange.name, request));
                row.request(outcome);
                if let Ok(response) = &heard.answer {
                    let asked = (dialect.normal)(request);
                    pairs.add(exchange.name, dialect.name, asked, streamed, response);
                }
            }
        })?;
        problems.extend(table.problems(dialect.name, dialect.least));
        problems.extend(requests.problems());
    }
    table.print();
    problems.extend(pairs.report());
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    Ok(())
}

async fn compare(dialect: &Dialect, exchange: &Exchange<'_>, heard: &Heard) -> Result<(), String> {
    let reading = exchange.reading;
    let answer = match &heard.answer {
        _ if reading["kind"] == "error" => {
            return compare_error(reading, heard.answer.as_ref().err());
        }
        Ok(answer) => answer,
        Err(error) => return Err(format!("an error: {error}")),
    };
    if let Some(told) = &heard.told {
        (dialect.told)(reading, exchange.response, told, answer).await?;
    }
    (dialect.compare)(reading, answer)
}
