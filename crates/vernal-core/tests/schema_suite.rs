//! The official JSON Schema test suite for draft 2020-12, on every keyword that is checked.
//!
//! It is fetched by `cargo xtask schema-suite`, which sets `VERNAL_SCHEMA_SUITE` to its folder
//! `draft2020-12`. A group whose schema has a keyword that is not checked, or refers to something
//! outside itself, must say so when it is compiled; everything else must agree case by case.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;
use vernal_core::tool::schema::CompiledSchema;

/// The files of the folder `optional` whose behaviour is ours too: big numbers are exact, and what
/// older drafts write is understood.
const OPTIONAL: [&str; 9] = [
    "anchor",
    "bignum",
    "dependencies-compatibility",
    "dynamicRef",
    "float-overflow",
    "id",
    "no-schema",
    "refOfUnknownKeyword",
    "unknownKeyword",
];

#[derive(Deserialize)]
struct Group {
    description: String,
    // As they are written: a parsed number would have lost its digits.
    schema: Box<RawValue>,
    tests: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    description: String,
    data: Box<RawValue>,
    valid: bool,
}

#[derive(Default)]
struct Tally {
    by_file: BTreeMap<String, (usize, usize)>,
    wrong: Vec<String>,
}

#[test]
fn agrees_with_the_official_suite() {
    let Ok(folder) = std::env::var("VERNAL_SCHEMA_SUITE") else {
        println!(
            "SKIPPED schema-suite: VERNAL_SCHEMA_SUITE is not set; run cargo xtask schema-suite"
        );
        return;
    };
    let folder = Path::new(&folder);
    let mut tally = Tally::default();
    for entry in std::fs::read_dir(folder).expect("the suite's folder") {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            tally.run(&path);
        }
    }
    for name in OPTIONAL {
        tally.run(&folder.join(format!("optional/{name}.json")));
    }
    println!("{:<28} {:>6} {:>10}", "file", "cases", "unchecked");
    for (name, (cases, unchecked)) in &tally.by_file {
        println!("{name:<28} {cases:>6} {unchecked:>10}");
    }
    let cases: usize = tally.by_file.values().map(|(cases, _)| cases).sum();
    println!("{cases} cases, {} wrong", tally.wrong.len());
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(cases >= 1126, "only {cases} cases were run");
}

impl Tally {
    fn run(&mut self, path: &Path) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).unwrap();
        let groups: Vec<Group> = serde_json::from_str(&text).unwrap();
        let (cases, unchecked) = self.by_file.entry(name.clone()).or_default();
        for Group {
            description,
            schema,
            tests,
        } in groups
        {
            let compiled = match CompiledSchema::new(schema.get()) {
                Ok(compiled) if compiled.unchecked().is_empty() => compiled,
                Ok(_) => {
                    *unchecked += tests.len();
                    continue;
                }
                Err(error) if error.to_string().contains("is outside of it") => {
                    *unchecked += tests.len();
                    continue;
                }
                Err(error) => {
                    self.wrong
                        .push(format!("{name}: {description}: the schema {error}"));
                    continue;
                }
            };
            for test in tests {
                *cases += 1;
                let fits = compiled.check_value(test.data.get());
                if fits.is_ok() != test.valid {
                    let case = test.description;
                    self.wrong
                        .push(format!("{name}: {description} / {case}: {fits:?}"));
                }
            }
        }
    }
}
