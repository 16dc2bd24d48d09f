//! `cargo xtask test`: every check and test of the workspace, and an account of what was skipped.

mod failures;
mod permitted;
mod report;
mod step;
mod tally;

use std::env;
use std::fs;
use std::time::Instant;

use crate::failure::{Failure, While};
use crate::process;
use crate::workspace;
use permitted::Permitted;
use report::{Line, Outcome};
use step::Step;
use tally::Tally;

/// What `cargo xtask test --help` prints.
pub(crate) const USAGE: &str = "\
cargo xtask test [--ci] [--with-llama]

Runs the format check, clippy, all tests, the documentation build, the comparison with recorded
traffic, the official JSON Schema test suite, the official SDKs and the mocks of others against our
side of the wire, the comparison with another implementation of JSON Schema, the tests on real
databases (cargo xtask help services) and the ceilings on allocations and instructions; a step that
fails does not stop the others. At the end come a table, what was skipped and why, what failed with
the end of what it printed, and a closing line `N passed, M failed, K skipped`.

    --ci             a skip that xtask/permitted-skips.txt does not list is a failure (also with
                     CI=true in the environment)
    --with-llama     run the tests against a real model too; downloads it the first time
                     (cargo xtask help llama)

A line `SKIPPED NAME: REASON` in the output of a step is a skip. K counts the skips and the tests
that cargo calls ignored.
";

/// What the command line and the environment asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    /// Whether skips must be permitted.
    ci: bool,
    /// Whether to run against a real model.
    with_llama: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let mut options = Options {
        ci: env::var_os("CI").is_some_and(|value| value == "true"),
        with_llama: false,
    };
    for argument in arguments {
        match argument.as_str() {
            "--ci" => options.ci = true,
            "--with-llama" => options.with_llama = true,
            other => {
                return Err(Failure::said(format!(
                    "`{other}` is no option of cargo xtask test\n{USAGE}"
                )));
            }
        }
    }
    let list = workspace::root().join("xtask/permitted-skips.txt");
    let reading = format!("reading {}", list.display());
    let permitted = Permitted::parse(&fs::read_to_string(&list).while_(&reading)?)
        .map_err(|problem| Failure::said(format!("{}: {problem}", list.display())))?;

    let mut tally = Tally::default();
    let mut lines = Vec::new();
    for step in step::all() {
        lines.push(one(&step, options, &mut tally)?);
    }
    let problems = problems(&lines, &tally, options.ci.then_some(&permitted));
    report::print(&lines, &tally, &permitted, &problems);
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Failure::Exit(1))
    }
}

/// Runs one step, or says why not.
fn one(step: &Step, options: Options, tally: &mut Tally) -> Result<Line, Failure> {
    println!("\n=== {}: {}", step.name, step.what);
    if let Some(reason) = (step.skip)(options) {
        println!("SKIPPED {}: {reason}", step.name);
        tally.skipped(step.name, &reason);
        return Ok(Line {
            step: step.name,
            outcome: Outcome::Skipped,
            took: None,
        });
    }
    let command = (step.command)()?;
    println!(
        "$ {}",
        step.shown
            .map_or_else(|| process::shown(&command), str::to_owned)
    );
    let start = Instant::now();
    let mut reader = tally.reader(step.name);
    let status = process::streamed(command, &mut |line| {
        process::print(line);
        reader.line(String::from_utf8_lossy(line).trim_end());
    })?;
    let took = start.elapsed();
    let outcome = if status.success() {
        Outcome::Passed
    } else {
        reader.step_failed();
        Outcome::Failed
    };
    println!("=== {}: {outcome} in {}", step.name, report::duration(took));
    Ok(Line {
        step: step.name,
        outcome,
        took: Some(took),
    })
}

/// Everything that makes the run a failure, in words. `permitted` is given when skips count.
fn problems(lines: &[Line], tally: &Tally, permitted: Option<&Permitted>) -> Vec<String> {
    let mut problems: Vec<String> = lines
        .iter()
        .filter(|line| line.outcome == Outcome::Failed)
        .map(|line| format!("the step {} failed", line.step))
        .collect();
    let sum = tally.sum();
    if sum.passed + sum.failed == 0 {
        problems.push("no test ran".to_owned());
    }
    if let Some(permitted) = permitted {
        for (name, reason) in tally.skips() {
            if permitted.reason(name).is_none() {
                problems.push(format!(
                    "{name} was skipped ({reason}), which xtask/permitted-skips.txt does not permit"
                ));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(step: &'static str, outcome: Outcome) -> Line {
        Line {
            step,
            outcome,
            took: None,
        }
    }

    fn tally(output: &[&str]) -> Tally {
        let mut tally = Tally::default();
        let mut reader = tally.reader("tests");
        for line in output {
            reader.line(line);
        }
        tally
    }

    const FINE: &str = "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";

    #[test]
    fn a_failed_step_fails_the_run() {
        let lines = [line("fmt", Outcome::Failed), line("tests", Outcome::Passed)];
        assert_eq!(
            problems(&lines, &tally(&[FINE]), None),
            ["the step fmt failed"]
        );
    }

    #[test]
    fn a_run_without_a_test_fails() {
        let lines = [line("tests", Outcome::Passed)];
        assert_eq!(problems(&lines, &Tally::default(), None), ["no test ran"]);
    }

    #[test]
    fn only_ci_minds_a_skip_and_only_one_not_permitted() {
        let tally = tally(&[
            FINE,
            "SKIPPED llama: not asked for",
            "SKIPPED traffic: no data",
        ]);
        let permitted = Permitted::parse("llama # large").unwrap();
        assert!(problems(&[], &tally, None).is_empty());
        let found = problems(&[], &tally, Some(&permitted));
        assert_eq!(found.len(), 1);
        assert!(
            found[0].starts_with("traffic was skipped (no data)"),
            "{found:?}"
        );
    }

    #[test]
    fn the_checked_in_list_is_well_formed() {
        let permitted = Permitted::parse(include_str!("../permitted-skips.txt")).unwrap();
        assert!(permitted.reason("llama").is_some());
    }
}
