//! Instructions of the tool loop per model call, over HTTP on loopback, counted by callgrind.
//!
//! The job is that of the benchmark `allocations`: ten tools, one called in each round. This program runs
//! itself under valgrind, with some turns and with twice as many: the difference is what those turns cost,
//! without start and warm-up. Unlike time, the count is nearly the same on every run and machine.
//!
//! `cargo bench -p vernal --bench instructions` prints a table and fails if a ceiling is broken, or if a
//! model call of a long turn costs more than its longer request explains.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[allow(dead_code, reason = "the benchmark `allocations` needs more of it")]
mod harness;

use std::process::Command;

use harness::client::client;
use harness::{Job, server};

/// The argument with which this program does the job, to be counted.
const WORK: &str = "--work";

/// How a turn is run, and the most instructions of one model call with ten tools in a short turn: some
/// 40 % more than was counted when the ceilings were set.
const WAYS: [(&str, u64); 2] = [("call", 150_000), ("stream", 180_000)];
/// The most that a model call of a long turn may cost more, for each message of the history: its bytes are
/// sent again, and nothing else is done with it.
const PER_MESSAGE: u64 = 1_500;

struct Turns {
    rounds: usize,
    /// How many are counted.
    turns: usize,
}

const SHORT: Turns = Turns {
    rounds: 1,
    turns: 20,
};
const LONG: Turns = Turns {
    rounds: 20,
    turns: 4,
};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.iter().any(|argument| argument == harness::SERVE) {
        return server::serve();
    }
    if let Some(at) = arguments.iter().position(|argument| argument == WORK) {
        return work(&arguments[at + 1..]);
    }
    if !Command::new("valgrind")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
    {
        println!(
            "SKIPPED instructions: valgrind is not installed (on Debian: apt-get install valgrind)"
        );
        return;
    }
    let server = server::Child::start();
    println!("{:<34} {:>12}", "per model call", "instructions");
    let mut broken = Vec::new();
    for (way, ceiling) in WAYS {
        let short = per_model_call(&server.base_url, way, &SHORT);
        let long = per_model_call(&server.base_url, way, &LONG);
        println!(
            "{:<34} {short:>12}",
            format!("{way}, {} round", SHORT.rounds)
        );
        println!(
            "{:<34} {long:>12}",
            format!("{way}, {} rounds", LONG.rounds)
        );
        if short > ceiling {
            broken.push(format!("{way}: {short} instructions, ceiling {ceiling}"));
        }
        // On average a request of a turn has as many messages as the turn has rounds: two for each round
        // that is past, of which there are half.
        let more = u64::try_from(LONG.rounds - SHORT.rounds).unwrap() * PER_MESSAGE;
        if long > short + more {
            broken.push(format!(
                "{way}: {long} instructions in a turn of {} rounds, {short} in a short one; at most {more} more are allowed",
                LONG.rounds
            ));
        }
    }
    drop(server);
    if !broken.is_empty() {
        println!("BROKEN:\n{}", broken.join("\n"));
        std::process::exit(1);
    }
    println!("ceilings on instructions per model call: held, flat over the rounds");
}

fn per_model_call(base_url: &str, way: &str, job: &Turns) -> u64 {
    let [once, twice] = [1, 2].map(|times| counted(base_url, way, job, times * job.turns));
    let model_calls = u64::try_from(job.turns * (job.rounds + 1)).unwrap();
    twice.saturating_sub(once) / model_calls
}

/// Runs this program under callgrind and reads how many instructions it took.
fn counted(base_url: &str, way: &str, job: &Turns, turns: usize) -> u64 {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe().unwrap())
        .args([WORK, base_url, way])
        .args([job.rounds.to_string(), turns.to_string()])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let collected = said
        .lines()
        .find_map(|line| line.split_once("Collected : "));
    let (_, count) = collected.unwrap_or_else(|| panic!("callgrind says no count: {said}"));
    count.trim().parse().unwrap()
}

/// Does the job: one turn to warm up, and as many as are asked for.
fn work(arguments: &[String]) {
    let [base_url, way, rounds, turns] = arguments else {
        panic!("{WORK} takes an address, a way, rounds and turns");
    };
    let job = Job {
        rounds: rounds.parse().unwrap(),
        calls_per_round: 1,
    };
    let client = client(base_url, &job.model());
    let turns: usize = turns.parse().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        for _ in 0..=turns {
            let request = client.prompt("What is the weather?");
            let response = match way.as_str() {
                "stream" => request.stream().response().await,
                _ => request.call().await,
            };
            assert_eq!(response.unwrap().content(), "DONE");
        }
    });
}
