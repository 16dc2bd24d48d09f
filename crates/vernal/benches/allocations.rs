//! Allocations of the tool loop per model call, over HTTP on loopback.
//!
//! The job: a system and a user message, ten tools (one that is called, nine with a schema of some
//! 700 bytes), a result of 300 bytes in each round, then the answer. A server in a process of its own
//! asks for as many rounds as the model's name says. The append-only floor does the same with an HTTP
//! client and byte buffers, and nothing else: no validation, no retries, no types.
//!
//! `cargo bench -p vernal --bench allocations` prints a table and fails if a ceiling is broken.
//! Allocations repeat exactly; CPU time is the minimum of the runs and only printed.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod harness;

use std::alloc::System;
use std::sync::Arc;

use harness::client::client;
use harness::{Job, Measured, measure, server};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static COUNTING: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The most allocations of one model call with ten tools, whatever the length of the history.
const CEILING: usize = 150;
/// How much the calls of a long turn may cost more than those of a short one.
const FLATNESS: usize = 5;

async fn vernal_column(base_url: &str, job: &Job) -> Measured {
    let client = client(base_url, &job.model());
    measure(job, || {
        let client = client.clone();
        async move {
            client
                .prompt("What is the weather?")
                .call()
                .await
                .unwrap()
                .content()
        }
    })
    .await
}

async fn vernal_stream_column(base_url: &str, job: &Job) -> Measured {
    let client = client(base_url, &job.model());
    measure(job, || {
        let client = client.clone();
        async move {
            let response = client
                .prompt("What is the weather?")
                .stream()
                .response()
                .await;
            response.unwrap().content()
        }
    })
    .await
}

async fn floor_column(base_url: &str, job: &Job) -> Measured {
    let floor = Arc::new(harness::floor::Floor::new(base_url));
    let model = job.model();
    measure(job, || {
        let (floor, model) = (floor.clone(), model.clone());
        async move { floor.run(&model).await }
    })
    .await
}

fn main() {
    if std::env::args().any(|argument| argument == harness::SERVE) {
        return server::serve();
    }
    let server = server::Child::start();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let broken = runtime.block_on(async {
        println!(
            "{:<34} {:>8} {:>10} {:>12}",
            "per model call", "allocs", "KB", "CPU µs (min)"
        );
        let mut flat = Vec::new();
        let mut broken = Vec::new();
        for job in Job::GRID {
            let floor = floor_column(&server.base_url, job).await;
            let call = vernal_column(&server.base_url, job).await;
            let stream = vernal_stream_column(&server.base_url, job).await;
            for (name, measured) in [
                ("append-only floor", &floor),
                ("vernal call", &call),
                ("vernal stream", &stream),
            ] {
                println!("{}", measured.line(name, job));
            }
            if job.calls_per_round == 1 {
                flat.push(call.allocations);
                if call.allocations > CEILING {
                    broken.push(format!(
                        "{job}: {} allocations, ceiling {CEILING}",
                        call.allocations
                    ));
                }
            }
        }
        let (least, most) = (flat.iter().min().unwrap(), flat.iter().max().unwrap());
        if flat.last().unwrap() > &(flat[0] + FLATNESS) {
            broken.push(format!(
                "not flat: between {least} and {most} allocations per model call"
            ));
        }
        broken
    });
    drop(server);
    if !broken.is_empty() {
        println!("BROKEN:\n{}", broken.join("\n"));
        std::process::exit(1);
    }
    println!("ceiling of {CEILING} allocations per model call: held, flat over the rounds");
}
