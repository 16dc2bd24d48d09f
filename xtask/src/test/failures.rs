//! What failed, and what it printed: the end of a log tells why a run failed.

use std::collections::VecDeque;
use std::fmt::{self, Display, Formatter};

/// How much of the output of one test is kept: its last lines, and the beginning of each.
const MAX_LINES: usize = 80;
const MAX_LINE_BYTES: usize = 1000;
/// Of how many failures the output is shown; the others are named.
const MAX_SHOWN: usize = 25;

/// Everything that failed, in the order in which it did.
#[derive(Debug, Default)]
pub(crate) struct Failures(Vec<Failed>);

/// A test that failed; a target that ended in the middle, or a step without tests.
#[derive(Debug)]
struct Failed {
    step: String,
    target: String,
    /// The test's name; `None` where no test can be named.
    test: Option<String>,
    output: Tail,
}

/// The last lines of an output.
#[derive(Debug, Default, Clone)]
struct Tail {
    lines: VecDeque<String>,
    left_out: usize,
}

impl Tail {
    fn push(&mut self, line: &str) {
        if self.lines.len() == MAX_LINES {
            self.lines.pop_front();
            self.left_out += 1;
        }
        let end = line.floor_char_boundary(MAX_LINE_BYTES);
        let (line, rest) = line.split_at(end);
        let mark = if rest.is_empty() { "" } else { "…" };
        self.lines.push_back(format!("{line}{mark}"));
    }

    fn without_blank_ends(&self) -> impl Iterator<Item = &str> {
        let is_blank = |line: &&String| line.trim().is_empty();
        let after = self.lines.iter().rev().take_while(is_blank).count();
        let lines = self.lines.iter().take(self.lines.len() - after);
        lines.skip_while(is_blank).map(String::as_str)
    }
}

impl Failures {
    /// The test of a target that runs in a step, added if it is not there.
    fn test(&mut self, step: &str, target: &str, name: &str) -> Option<&mut Failed> {
        let known = self.0.iter().position(|failed| {
            failed.step == step && failed.target == target && failed.test.as_deref() == Some(name)
        });
        if known.is_none() {
            self.add(step, target, Some(name), Tail::default());
        }
        let at = known.unwrap_or(self.0.len().saturating_sub(1));
        self.0.get_mut(at)
    }

    fn add(&mut self, step: &str, target: &str, test: Option<&str>, output: Tail) {
        self.0.push(Failed {
            step: step.to_owned(),
            target: target.to_owned(),
            test: test.map(str::to_owned),
            output,
        });
    }
}

impl Display for Failures {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (number, failed) in self.0.iter().enumerate() {
            let Failed {
                step,
                target,
                test,
                output,
            } = failed;
            let what = match test {
                Some(name) => format!("{name} ({target}, in the step {step})"),
                None if target == step => format!("the step {step}"),
                None => format!("{target}, which ended early (in the step {step})"),
            };
            if number >= MAX_SHOWN {
                writeln!(f, "\n  failed too: {what}")?;
                continue;
            }
            writeln!(f, "\n  failed: {what}")?;
            if output.left_out > 0 {
                writeln!(f, "    … {} lines before", output.left_out)?;
            }
            for line in output.without_blank_ends() {
                writeln!(f, "{}", format!("    {line}").trim_end())?;
            }
        }
        Ok(())
    }
}

/// Listens to the output of one step for what fails.
#[derive(Debug)]
pub(crate) struct Listener {
    step: String,
    target: String,
    section: Section,
    /// What the target printed last, or the step before it ran one.
    tail: Tail,
    /// Whether a test of the target failed, and of the step.
    in_target: bool,
    in_step: bool,
}

/// Where in the output of a target a line stands.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Section {
    /// Where tests are named as they end.
    Running,
    /// Where those that passed show what they printed.
    Successes,
    /// After the heading of the outputs of the tests that failed.
    Failures,
    /// In the output of the test of this name.
    Output(String),
    /// Where those that failed are named once more.
    Names,
}

impl Listener {
    pub(crate) fn new(step: &str) -> Self {
        Self {
            step: step.to_owned(),
            target: step.to_owned(),
            section: Section::Running,
            tail: Tail::default(),
            in_target: false,
            in_step: false,
        }
    }

    /// A target begins to run.
    pub(crate) fn started(&mut self, target: &str) {
        self.target = target.to_owned();
        self.section = Section::Running;
        self.tail = Tail::default();
        self.in_target = false;
    }

    /// Takes in a line without colours.
    pub(crate) fn line(&mut self, line: &str, failures: &mut Failures) {
        self.tail.push(line);
        let of_test = line
            .strip_prefix("---- ")
            .and_then(|rest| rest.strip_suffix(" stdout ----"));
        match &self.section {
            Section::Running if line == "successes:" => self.section = Section::Successes,
            Section::Running | Section::Successes if line == "failures:" => {
                self.section = Section::Failures;
            }
            Section::Running => self.ended(line, failures),
            _ if line.starts_with("test result: ") => self.section = Section::Running,
            Section::Names | Section::Successes => {}
            _ if line == "failures:" => self.section = Section::Names,
            Section::Failures | Section::Output(_) if of_test.is_some() => {
                let name = of_test.unwrap_or_default();
                self.failed();
                failures.test(&self.step, &self.target, name);
                self.section = Section::Output(name.to_owned());
            }
            Section::Failures => {}
            Section::Output(name) => {
                if let Some(failed) = failures.test(&self.step, &self.target, name) {
                    failed.output.push(line);
                }
            }
        }
    }

    /// A line that may say how a test or the target ended.
    fn ended(&mut self, line: &str, failures: &mut Failures) {
        let test = line
            .strip_prefix("test ")
            .and_then(|rest| rest.strip_suffix(" ... FAILED"));
        if let Some(name) = test {
            let name = name.strip_suffix(" - should panic").unwrap_or(name);
            self.failed();
            failures.test(&self.step, &self.target, name);
        } else if line.starts_with("error: test failed, to rerun") && !self.in_target {
            self.failed();
            failures.add(&self.step, &self.target, None, self.tail.clone());
        }
    }

    fn failed(&mut self) {
        (self.in_target, self.in_step) = (true, true);
    }

    /// The step failed. If none of its tests did, the end of its output tells why.
    pub(crate) fn step_failed(self, failures: &mut Failures) {
        if !self.in_step {
            failures.add(&self.step, &self.step, None, self.tail);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a step `tests` that printed this in a target `t`.
    fn told(output: &str) -> String {
        let mut failures = Failures::default();
        let mut listener = Listener::new("tests");
        listener.line("   Compiling x", &mut failures);
        listener.started("t");
        for line in output.lines() {
            listener.line(line, &mut failures);
        }
        listener.step_failed(&mut failures);
        failures.to_string()
    }

    const FAILED: &str = "\
running 3 tests
test a::fine ... ok
test a::bad ... FAILED
test b - should panic ... FAILED

successes:

---- a::fine stdout ----
of no interest

successes:
    a::fine

failures:

---- a::bad stdout ----

thread 'a::bad' panicked at src/a.rs:1:2:
left is not right

---- b stdout ----
note: test did not panic as expected

failures:
    a::bad
    b

test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.0s

error: test failed, to rerun pass `-p x --test t`";

    #[test]
    fn each_failed_test_is_shown_with_what_it_printed() {
        let expected = "
  failed: a::bad (t, in the step tests)
    thread 'a::bad' panicked at src/a.rs:1:2:
    left is not right

  failed: b (t, in the step tests)
    note: test did not panic as expected
";
        assert_eq!(told(FAILED), expected);
    }

    #[test]
    fn of_a_long_output_the_end_is_shown() {
        let lines: Vec<_> = (1..=200).map(|n| format!("line {n}")).collect();
        let output = FAILED.replace("left is not right", &lines.join("\n"));
        let said = told(&output);
        assert!(said.contains("    … 123 lines before\n"), "{said}");
        assert!(
            !said.contains("line 121\n") && said.contains("line 122\n"),
            "{said}"
        );
        let long = FAILED.replace("left is not right", &"날".repeat(5000));
        assert!(told(&long).len() < 3000);
    }

    #[test]
    fn a_target_that_ends_early_shows_its_end() {
        let told = told(
            "running 2 tests\ntest a ... ok\nfatal runtime error: stack overflow\n\
             error: test failed, to rerun pass `-p x --test t`\n\nCaused by:\n  (signal: 6)",
        );
        assert!(told.contains("failed: t, which ended early"), "{told}");
        assert!(told.contains("    fatal runtime error: stack overflow\n"));
        assert_eq!(told.matches("failed: ").count(), 1);
    }

    #[test]
    fn a_step_without_tests_shows_its_end() {
        let mut failures = Failures::default();
        let mut listener = Listener::new("clippy");
        listener.line("error: a lint", &mut failures);
        listener.step_failed(&mut failures);
        let expected = "\n  failed: the step clippy\n    error: a lint\n";
        assert_eq!(failures.to_string(), expected);
    }

    #[test]
    fn very_many_failures_are_named_only() {
        let many: Vec<_> = (0..100).map(|n| format!("test t{n} ... FAILED")).collect();
        let told = told(&many.join("\n"));
        assert_eq!(told.matches("  failed: ").count(), MAX_SHOWN);
        assert!(told.contains("failed too: t99 (t, in the step tests)"));
    }

    #[test]
    fn what_a_test_prints_is_not_taken_for_a_result() {
        let output = FAILED.replace("of no interest", "test other ... FAILED");
        assert!(
            !told(&output).contains("failed: other"),
            "{}",
            told(&output)
        );
    }
}
