//! Reading what the steps print: the results of test targets, and the skips.

use std::collections::BTreeMap;

use super::failures::{Failures, Listener};

/// Counts of tests.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) ignored: u64,
}

/// What all steps printed.
///
/// The unit is the test target, such as `tests/traffic/main.rs`. When a later step runs a target
/// again, its result and its skips stand in place of the earlier ones, so nothing counts twice and
/// a skip that was made up for is none.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    targets: BTreeMap<String, Target>,
    failures: Failures,
}

/// The last run of a test target.
#[derive(Debug, Default)]
struct Target {
    step: String,
    count: Count,
    skips: Vec<(String, String)>,
}

impl Tally {
    /// Notes that a step was skipped as a whole.
    pub(crate) fn skipped(&mut self, step: &str, reason: &str) {
        self.target(step, step)
            .skips
            .push((step.to_owned(), reason.to_owned()));
    }

    /// A reader for the output of a step.
    pub(crate) fn reader<'a>(&'a mut self, step: &'a str) -> Reader<'a> {
        Reader {
            tally: self,
            step,
            target: step.to_owned(),
            listener: Listener::new(step),
        }
    }

    /// What failed, with what it printed.
    pub(crate) fn failures(&self) -> &Failures {
        &self.failures
    }

    /// The tests of all targets together.
    pub(crate) fn sum(&self) -> Count {
        let mut sum = Count::default();
        for target in self.targets.values() {
            sum.passed += target.count.passed;
            sum.failed += target.count.failed;
            sum.ignored += target.count.ignored;
        }
        sum
    }

    /// Name and reason of every skip, sorted by name. A name that was skipped in several places
    /// comes once; a step sorts before its tests, so its reason is the one given.
    pub(crate) fn skips(&self) -> BTreeMap<&str, &str> {
        let mut skips = BTreeMap::new();
        for (name, reason) in self.targets.values().flat_map(|target| &target.skips) {
            skips.entry(name.as_str()).or_insert(reason.as_str());
        }
        skips
    }

    /// The target for this step, emptied if what it holds is an earlier step's.
    fn target(&mut self, step: &str, name: &str) -> &mut Target {
        let target = self.targets.entry(name.to_owned()).or_default();
        if target.step != step {
            *target = Target {
                step: step.to_owned(),
                ..Target::default()
            };
        }
        target
    }
}

/// Reads the output of one step.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    tally: &'a mut Tally,
    step: &'a str,
    target: String,
    listener: Listener,
}

impl Reader<'_> {
    /// The step ended, and failed.
    pub(crate) fn step_failed(self) {
        self.listener.step_failed(&mut self.tally.failures);
    }

    /// Takes in a line.
    pub(crate) fn line(&mut self, line: &str) {
        let line = without_colours(line);
        self.listener.line(&line, &mut self.tally.failures);
        if let Some(target) = started(&line) {
            // Empties what an earlier step left, even if this run prints nothing that counts.
            self.tally.target(self.step, &target);
            self.listener.started(&target);
            self.target = target;
        } else if let Some(count) = result(&line) {
            let sum = &mut self.tally.target(self.step, &self.target).count;
            sum.passed += count.passed;
            sum.failed += count.failed;
            sum.ignored += count.ignored;
        } else if let Some((name, reason)) = skip(&line) {
            let skip = (name.to_owned(), reason.to_owned());
            self.tally.target(self.step, &self.target).skips.push(skip);
        }
    }
}

/// The target that cargo says it runs:
/// `Running tests/replay.rs (target/debug/deps/replay-0123456789abcdef)` or `Doc-tests vernal`.
fn started(line: &str) -> Option<String> {
    let text = line.strip_prefix(' ')?.trim_start();
    if let Some(name) = text.strip_prefix("Doc-tests ") {
        return Some(format!("doc-tests of {name}"));
    }
    let (source, path) = text
        .strip_prefix("Running ")?
        .strip_suffix(')')?
        .rsplit_once(" (")?;
    let file = path.rsplit(['/', '\\']).next()?;
    // The hash changes with the features, the target stays the same one.
    let (name, _hash) = file.rsplit_once('-')?;
    Some(format!("{name}: {source}"))
}

/// The counts of a line that ends a target's tests:
/// `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s`.
fn result(line: &str) -> Option<Count> {
    let (_verdict, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let count = |what: &str| {
        counts
            .split("; ")
            .find_map(|part| part.strip_suffix(what)?.trim_end().parse().ok())
    };
    Some(Count {
        passed: count("passed")?,
        failed: count("failed")?,
        ignored: count("ignored").unwrap_or(0),
    })
}

/// Name and reason of a line `SKIPPED NAME: REASON`.
fn skip(line: &str) -> Option<(&str, &str)> {
    let (name, reason) = line.strip_prefix("SKIPPED ")?.split_once(':')?;
    let one_word = !name.is_empty() && !name.contains(char::is_whitespace);
    one_word.then(|| (name, reason.trim()))
}

/// The line without the escape sequences that colour it.
fn without_colours(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        let end = after
            .find(|c: char| c.is_ascii_alphabetic())
            .map_or(after.len(), |at| at + 1);
        rest = after.get(end..).unwrap_or_default();
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPLAY: &str = "     Running tests/replay.rs (target/debug/deps/replay-00112233aabbccdd)";

    fn read(tally: &mut Tally, step: &str, output: &[&str]) {
        let mut reader = tally.reader(step);
        for line in output {
            reader.line(line);
        }
    }

    #[test]
    fn results_are_read() {
        let line = "test result: FAILED. 12 passed; 3 failed; 4 ignored; 0 measured; 5 filtered \
                    out; finished in 1.25s";
        assert_eq!(
            result(line),
            Some(Count {
                passed: 12,
                failed: 3,
                ignored: 4
            })
        );
        assert_eq!(result("test result: ok"), None);
        assert_eq!(result("the test result: ok. 1 passed; 0 failed"), None);
        assert_eq!(result("test result: ok. many passed; 0 failed"), None);
    }

    #[test]
    fn skips_are_read() {
        assert_eq!(
            skip("SKIPPED traffic: no data: none"),
            Some(("traffic", "no data: none"))
        );
        assert_eq!(skip("SKIPPED traffic:"), Some(("traffic", "")));
        assert_eq!(skip("SKIPPED : no name"), None);
        assert_eq!(skip("SKIPPED two words: no"), None);
        assert_eq!(skip(" SKIPPED traffic: not at the start"), None);
        assert_eq!(skip("SKIPPED"), None);
    }

    #[test]
    fn targets_are_read() {
        assert_eq!(started(REPLAY), Some("replay: tests/replay.rs".to_owned()));
        assert_eq!(
            started("     Running unittests src/lib.rs (target/debug/deps/vernal_core-0f)"),
            Some("vernal_core: unittests src/lib.rs".to_owned())
        );
        assert_eq!(
            started("   Doc-tests vernal"),
            Some("doc-tests of vernal".to_owned())
        );
        assert_eq!(started("Running wild (a/b-c)"), None);
        assert_eq!(started("     Running `target/debug/xtask test`"), None);
    }

    #[test]
    fn colours_do_not_matter() {
        let line = "\u{1b}[1m\u{1b}[92m     Running\u{1b}[0m tests/a.rs (deps/a-01)";
        assert_eq!(
            started(&without_colours(line)),
            Some("a: tests/a.rs".to_owned())
        );
        assert_eq!(without_colours("plain"), "plain");
        assert_eq!(without_colours("cut off \u{1b}["), "cut off ");
    }

    #[test]
    fn the_targets_of_a_step_add_up() {
        let mut tally = Tally::default();
        let fine = "test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out";
        read(
            &mut tally,
            "tests",
            &[REPLAY, fine, "   Doc-tests vernal", fine, REPLAY, fine],
        );
        assert_eq!(
            tally.sum(),
            Count {
                passed: 6,
                failed: 0,
                ignored: 3
            }
        );
    }

    #[test]
    fn a_target_that_runs_again_counts_once() {
        let mut tally = Tally::default();
        let first = "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured";
        let again = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured";
        read(&mut tally, "tests", &[REPLAY, first]);
        read(
            &mut tally,
            "traffic",
            &[&REPLAY.replace("00112233", "44556677"), again],
        );
        assert_eq!(
            tally.sum(),
            Count {
                passed: 3,
                failed: 0,
                ignored: 0
            }
        );
    }

    #[test]
    fn a_skip_that_is_made_up_for_is_none() {
        let mut tally = Tally::default();
        read(&mut tally, "tests", &[REPLAY, "SKIPPED replay: no server"]);
        assert_eq!(tally.skips().get("replay"), Some(&"no server"));
        read(&mut tally, "live", &[REPLAY]);
        assert!(tally.skips().is_empty());
    }

    #[test]
    fn a_step_can_be_skipped_as_a_whole() {
        let mut tally = Tally::default();
        let llama = "     Running tests/llama.rs (target/debug/deps/llama-01)";
        read(&mut tally, "tests", &[llama, "SKIPPED llama: no server"]);
        tally.skipped("llama", "not asked for");
        assert_eq!(tally.skips(), BTreeMap::from([("llama", "not asked for")]));
    }
}
