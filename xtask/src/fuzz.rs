//! `cargo xtask fuzz`: runs fuzz targets on the stable compiler.

use std::path::PathBuf;
use std::process::Command;

use crate::failure::{Failure, While};
use crate::process;
use crate::workspace;

/// What `cargo xtask fuzz --help` prints.
pub(crate) const USAGE: &str = "\
cargo xtask fuzz [TARGET…] [--seconds N]

Runs fuzz targets, one after the other, until one of them finds something:

    arguments      any text as the arguments of a few tools, with coercion and repairs
    schema         any text as a schema, with values to check
    accumulator    tool calls in pieces, and fragments that make no sense
    openai, responses, anthropic, gemini, ollama
                   any bytes as the answer of a server, whole and cut anywhere
    event_stream   frames of AWS, good and damaged, and the answer that Bedrock's adapter makes of them
    lowering       any text as a schema, in the words of every provider

    TARGET…        these; otherwise all
    --seconds N    each for so long; 60 unless said otherwise

cargo-fuzz is installed into target/xtask/fuzz the first time; a C++ compiler is needed. What is
found is in fuzz/artifacts; what was tried and was new goes into target/xtask/fuzz/corpus, on top of
the seeds in fuzz/corpus.
";

/// The targets, in the order of the help text.
const TARGETS: [&str; 10] = [
    "arguments",
    "schema",
    "accumulator",
    "openai",
    "responses",
    "anthropic",
    "gemini",
    "ollama",
    "event_stream",
    "lowering",
];
/// The version of cargo-fuzz that is installed.
const CARGO_FUZZ: &str = "0.13.2";
/// The longest input that is made up, in bytes.
const MAX_LEN: usize = 4096;
/// How long one input may take, in seconds.
const TIMEOUT: u32 = 10;

/// What the command line asked for.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    targets: Vec<&'static str>,
    seconds: u32,
}

/// Runs the command.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options(arguments)?;
    let program = cargo_fuzz()?;
    for target in options.targets {
        println!("=== {target}: {} s", options.seconds);
        fuzz(&program, target, options.seconds)?;
    }
    Ok(())
}

fn options(arguments: &[String]) -> Result<Options, Failure> {
    let mut targets = Vec::new();
    let mut seconds = 60;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument == "--seconds" {
            let given = rest.next().and_then(|given| given.parse().ok());
            seconds = given.ok_or_else(|| {
                Failure::said(format!("--seconds needs a number of seconds\n{USAGE}"))
            })?;
        } else if let Some(target) = TARGETS.iter().find(|known| *known == argument) {
            targets.push(*target);
        } else {
            return Err(Failure::said(format!(
                "`{argument}` is no target and no option of cargo xtask fuzz\n{USAGE}"
            )));
        }
    }
    if targets.is_empty() {
        targets.extend(TARGETS);
    }
    Ok(Options { targets, seconds })
}

/// The program, installed if it is not there.
fn cargo_fuzz() -> Result<PathBuf, Failure> {
    let root = workspace::cache("fuzz");
    let program = root.join("bin").join("cargo-fuzz");
    if !program.exists() {
        eprintln!(
            "installing cargo-fuzz {CARGO_FUZZ} into {}, once",
            root.display()
        );
        let install = [
            "install",
            "cargo-fuzz",
            "--locked",
            "--version",
            CARGO_FUZZ,
            "--root",
        ];
        let mut command = process::cargo(install);
        command.arg(&root);
        let status = command.status().while_("running cargo install")?;
        if !status.success() {
            return Err(Failure::said("cargo-fuzz cannot be installed; see above"));
        }
    }
    Ok(program)
}

fn fuzz(program: &PathBuf, target: &str, seconds: u32) -> Result<(), Failure> {
    let cache = workspace::cache("fuzz");
    let corpus = cache.join("corpus").join(target);
    std::fs::create_dir_all(&corpus).while_(format!("creating {}", corpus.display()))?;
    let seeds = workspace::root().join("fuzz").join("corpus").join(target);
    let mut command = Command::new(program);
    process::forget_own_package(&mut command);
    // Without a sanitizer, and with the switch that lets the stable compiler take the flags of the
    // coverage: what is looked for are panics and hangs, for there is no unsafe code.
    command
        .args(["run", "--sanitizer", "none", "--target-dir"])
        .arg(cache.join("target"))
        .arg(target)
        .arg(&corpus)
        .arg(&seeds)
        .arg("--")
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={MAX_LEN}"))
        .arg(format!("-timeout={TIMEOUT}"))
        .args(["-print_final_stats=1", "-verbosity=1"])
        .env("RUSTC_BOOTSTRAP", "1")
        .current_dir(workspace::root().join("fuzz"));
    let status = command
        .status()
        .while_(format!("running {}", program.display()))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::said(format!(
        "the target {target} found something: the input is in fuzz/artifacts/{target}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Options, Failure> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        options(&words)
    }

    #[test]
    fn targets_and_seconds_are_read() {
        let all = Options {
            targets: TARGETS.to_vec(),
            seconds: 60,
        };
        assert_eq!(read("").unwrap(), all);
        let some = Options {
            targets: vec!["schema"],
            seconds: 600,
        };
        assert_eq!(read("schema --seconds 600").unwrap(), some);
        assert!(read("--seconds").is_err());
        assert!(read("--seconds soon").is_err());
        assert!(read("schemas").is_err());
    }

    #[test]
    fn every_target_is_declared() {
        let manifest = include_str!("../../fuzz/Cargo.toml");
        for target in TARGETS {
            assert!(
                manifest.contains(&format!("name = \"{target}\"")),
                "{target}"
            );
        }
    }
}
