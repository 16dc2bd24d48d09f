//! What holds for every value of every supported shape, and for every text at all.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod any_text;
mod mutated;
mod shapes;
mod values;

use proptest::test_runner::Config;

/// So many cases, or `PROPTEST_CASES` / 256 times as many; without files for those that failed: what
/// proptest prints has the value in it.
fn cases(cases: u32) -> Config {
    let config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    Config {
        cases: cases * (config.cases / 256).max(1),
        ..config
    }
}
