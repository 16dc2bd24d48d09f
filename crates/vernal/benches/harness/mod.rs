//! The job, and how it is measured.

pub mod client;
pub mod floor;
pub mod server;

use std::fmt;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region};

/// The argument with which the benchmark runs as its own server.
pub const SERVE: &str = "--serve-the-benchmark";
const WARM_UP_RUNS: usize = 3;
const RUNS: usize = 20;

/// How many rounds, and how many calls in each.
pub struct Job {
    pub rounds: usize,
    pub calls_per_round: usize,
}

impl Job {
    pub const GRID: &[Self] = &[
        Self {
            rounds: 1,
            calls_per_round: 1,
        },
        Self {
            rounds: 10,
            calls_per_round: 1,
        },
        Self {
            rounds: 50,
            calls_per_round: 1,
        },
        Self {
            rounds: 10,
            calls_per_round: 8,
        },
    ];

    /// The name that tells the server what to ask for.
    pub fn model(&self) -> String {
        format!("bench-{}-{}", self.rounds, self.calls_per_round)
    }
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.rounds, self.calls_per_round)
    }
}

/// What one model call costs.
pub struct Measured {
    pub allocations: usize,
    pub kilobytes: f64,
    pub cpu_micros: u64,
}

impl Measured {
    pub fn line(&self, name: &str, job: &Job) -> String {
        let name = format!("{name}, {job}");
        let Self {
            allocations,
            kilobytes,
            cpu_micros,
        } = self;
        format!("{name:<34} {allocations:>8} {kilobytes:>10.1} {cpu_micros:>12}")
    }
}

/// Runs the job some times and gives the median of allocations and the minimum of CPU time, both
/// divided by the number of model calls.
pub async fn measure<F, Fut>(job: &Job, mut run: F) -> Measured
where
    F: FnMut() -> Fut,
    Fut: Future<Output = String>,
{
    for _ in 0..WARM_UP_RUNS {
        assert_eq!(run().await, "DONE");
    }
    let (mut allocations, mut bytes, mut cpu) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let cpu_before = cpu_nanos();
        let region = Region::new(&INSTRUMENTED_SYSTEM);
        assert_eq!(run().await, "DONE");
        let change = region.change();
        cpu.push(cpu_nanos() - cpu_before);
        allocations.push(change.allocations + change.reallocations);
        bytes.push(change.bytes_allocated);
    }
    let model_calls = job.rounds + 1;
    allocations.sort_unstable();
    bytes.sort_unstable();
    Measured {
        allocations: allocations[RUNS / 2] / model_calls,
        kilobytes: bytes[RUNS / 2] as f64 / 1024.0 / model_calls as f64,
        cpu_micros: cpu.iter().min().unwrap() / 1000 / model_calls as u64,
    }
}

/// CPU time of all threads of this process, where the system tells it.
fn cpu_nanos() -> u64 {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else {
        return 0;
    };
    threads
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("schedstat")).ok())
        .filter_map(|line| line.split_whitespace().next()?.parse::<u64>().ok())
        .sum()
}

/// Nine tools that are offered and never called: name, description, schema.
pub fn fillers() -> impl Iterator<Item = (String, &'static str, &'static str)> {
    let description = "Works on a resource of the workspace and returns a summary of what it did";
    (0..9).map(move |number| (format!("filler_{number}"), description, FILLER_SCHEMA))
}

const FILLER_SCHEMA: &str = r#"{"type":"object","properties":{"resource":{"type":"string","description":"Where the resource is, as an absolute path inside of the workspace of this session"},"max_rows":{"type":"integer","description":"How many rows to return at the most in a single call","minimum":1,"maximum":500},"access":{"type":"string","enum":["read","write","append"],"description":"What is going to be done with the resource once it is open"},"conditions":{"type":"array","items":{"type":"object","properties":{"column":{"type":"string"},"relation":{"type":"string","enum":["eq","ne","lt","gt"]},"operand":{"type":"string"}},"required":["column","relation","operand"]}}},"required":["resource"]}"#;

/// A result of some 300 bytes.
pub fn tool_result(city: &str) -> String {
    let forecast = "clear sky, a light wind from the south-west, no rain in sight; ".repeat(5);
    format!(
        "{{\"city\":\"{city}\",\"forecast\":\"{}\"}}",
        forecast.get(..270).unwrap_or_default()
    )
}
