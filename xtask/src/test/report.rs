//! The summary at the end of a test run.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use super::permitted::Permitted;
use super::tally::Tally;

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Its command succeeded.
    Passed,
    /// Its command failed.
    Failed,
    /// It did not run.
    Skipped,
}

impl Display for Outcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Passed => "ok",
            Self::Failed => "FAILED",
            Self::Skipped => "skipped",
        })
    }
}

/// A line of the table.
#[derive(Debug)]
pub(crate) struct Line {
    /// The step's name.
    pub(crate) step: &'static str,
    /// How it ended.
    pub(crate) outcome: Outcome,
    /// How long it took, if it ran.
    pub(crate) took: Option<Duration>,
}

/// Prints the table, the skips, the problems and, last of all, the closing line.
pub(crate) fn print(lines: &[Line], tally: &Tally, permitted: &Permitted, problems: &[String]) {
    println!("\n{:<14}{:<10}{:>12}", "step", "result", "time");
    for Line {
        step,
        outcome,
        took,
    } in lines
    {
        println!(
            "{step:<14}{outcome:<10}{:>12}",
            took.map_or_else(String::new, duration)
        );
    }
    let total = lines.iter().filter_map(|line| line.took).sum();
    println!("{:<24}{:>12}", "in all", duration(total));

    let skips = tally.skips();
    println!(
        "\n{}",
        if skips.is_empty() {
            "Nothing was skipped."
        } else {
            "Skipped:"
        }
    );
    for (name, reason) in &skips {
        println!("  {name}: {reason}");
        match permitted.reason(name) {
            Some(why) => println!("      permitted in CI: {why}"),
            None => println!("      not permitted in CI"),
        }
    }
    if !problems.is_empty() {
        println!("\nThis run failed:");
        for problem in problems {
            println!("  {problem}");
        }
        print!("{}", tally.failures());
    }
    println!("\n{}", closing(tally));
}

/// The line that says how many tests ran, alone on the last line so that CI finds it.
fn closing(tally: &Tally) -> String {
    let sum = tally.sum();
    let skipped = sum.ignored + tally.skips().len() as u64;
    format!(
        "{} passed, {} failed, {skipped} skipped",
        sum.passed, sum.failed
    )
}

/// A duration for people.
pub(crate) fn duration(time: Duration) -> String {
    let tenths = time.as_millis().div_ceil(100);
    let (minutes, tenths) = (tenths / 600, tenths % 600);
    let (seconds, tenth) = (tenths / 10, tenths % 10);
    if minutes == 0 {
        format!("{seconds}.{tenth} s")
    } else {
        format!("{minutes} min {seconds:02} s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_well() {
        assert_eq!(duration(Duration::ZERO), "0.0 s");
        assert_eq!(duration(Duration::from_millis(1_234)), "1.3 s");
        assert_eq!(duration(Duration::from_secs(59)), "59.0 s");
        assert_eq!(duration(Duration::from_secs(125)), "2 min 05 s");
    }

    #[test]
    fn the_closing_line_adds_everything_up() {
        let mut tally = Tally::default();
        let mut reader = tally.reader("tests");
        reader.line("test result: ok. 5 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out");
        reader.line("test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured");
        reader.line("SKIPPED traffic: no data");
        tally.skipped("llama", "not asked for");
        assert_eq!(closing(&tally), "6 passed, 1 failed, 4 skipped");
    }
}
