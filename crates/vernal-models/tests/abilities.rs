//! The document of the adapters' abilities is true to the source: the tests that it names exist.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::fs;
use std::path::Path;

const DOCUMENT: &str = include_str!("../ABILITIES.md");

/// Where a test's file may be, below `crates`.
const PLACES: [&str; 3] = [
    "vernal-models/tests",
    "vernal-testing/tests",
    "vernal-models",
];

/// Whether `name`, such as `fixtures/openai::refusal`, is a test.
fn is_test(name: &str) -> bool {
    let Some((file, function)) = name.split_once("::") else {
        return false;
    };
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let at = |place: &&str| crates.join(place).join(format!("{file}.rs"));
    let sources = PLACES.iter().filter_map(|p| fs::read_to_string(at(p)).ok());
    let declared = format!("fn {function}()");
    sources.into_iter().any(|source| {
        let lines: Vec<&str> = source.lines().map(str::trim).collect();
        lines.windows(2).any(|pair| {
            let attribute = matches!(pair[0], "#[test]" | "#[tokio::test]")
                || pair[0].starts_with("#[tokio::test(");
            attribute && pair[1].trim_start_matches("async ").starts_with(&declared)
        })
    })
}

/// What stands between backquotes and is the path of a function.
fn tests_in(text: &str) -> impl Iterator<Item = &str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|name| name.contains("::"))
}

/// The rows of the table of abilities.
fn rows() -> Vec<Vec<&'static str>> {
    let (_, table) = DOCUMENT
        .split_once("| ability |")
        .expect("the table is there");
    let lines = table.lines().skip(2).take_while(|l| l.starts_with('|'));
    let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim).collect();
    lines.map(cells).collect()
}

#[test]
fn every_test_that_is_named_exists() {
    let missing: Vec<_> = tests_in(DOCUMENT).filter(|name| !is_test(name)).collect();
    assert!(missing.is_empty(), "no such tests: {missing:#?}");
    assert!(!is_test("shapes/openai::a_test_that_nobody_wrote"));
    assert!(!is_test("shapes/main::choice"));
}

#[test]
fn every_ability_is_shown_or_said_to_be_missing() {
    let abilities = rows();
    assert!(abilities.len() > 20);
    for row in abilities {
        assert_eq!(row.len(), 7, "{row:?}");
        for cell in &row[1..] {
            let said = cell.contains("none at the provider") || cell.contains("not here");
            assert!(
                said || tests_in(cell).next().is_some(),
                "{}: {cell}",
                row[0]
            );
        }
    }
}
