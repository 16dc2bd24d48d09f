//! Every rule has a test of its name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The groups of rules that are all tested in [`FOLDERS`], and the last number of each. SCH-8 is about
/// the dialects of providers, and is not there.
const RULES: [(&str, u32); 17] = [
    ("tools", 9),
    ("lim", 10),
    ("rd", 3),
    ("err", 9),
    ("def", 7),
    ("sch", 8),
    ("arg", 5),
    ("res", 4),
    ("ctx", 4),
    ("exe", 5),
    ("rsv", 3),
    ("aug", 4),
    ("ord", 5),
    ("auto", 6),
    ("loop", 11),
    ("str", 6),
    ("mem", 8),
];

const FOLDERS: [&str; 2] = ["tests/behaviour", "tests/memory"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, found),
            false => found.push(path),
        }
    }
}

/// The names of the functions that are tests.
fn tests_of(source: &str) -> impl Iterator<Item = &str> {
    let mut marked = false;
    source.lines().filter_map(move |line| {
        let line = line.trim();
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            marked = true;
            return None;
        }
        let function = line.strip_prefix("async ").unwrap_or(line);
        let function = function.strip_prefix("fn ")?;
        let name = function.split('(').next()?;
        std::mem::take(&mut marked).then_some(name)
    })
}

#[test]
fn every_rule_has_a_test_of_its_name() {
    let mut files = Vec::new();
    for folder in FOLDERS {
        sources(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
            &mut files,
        );
    }
    let mut tested = BTreeSet::new();
    for file in files {
        let source = std::fs::read_to_string(file).unwrap();
        tested.extend(tests_of(&source).map(str::to_owned));
    }
    assert!(tested.len() > 200, "the tests are found");
    let rules = RULES
        .iter()
        .flat_map(|(group, last)| (1..=*last).map(move |number| format!("{group}_{number}_")));
    let untested: Vec<_> = rules
        .filter(|rule| !tested.iter().any(|name| name.starts_with(rule)))
        .collect();
    assert!(untested.is_empty(), "rules without a test: {untested:?}");
}

#[test]
fn only_functions_that_are_tests_count() {
    let source = "#[test]\nfn a_1_x() {}\nfn a_2_x() {}\n#[tokio::test(start_paused = true)]\n\
                  #[ignore]\nasync fn a_3_x() {\n    fn a_4_x() {}\n}\n";
    assert_eq!(tests_of(source).collect::<Vec<_>>(), ["a_1_x", "a_3_x"]);
}
