//! `cargo xtask each-feature`: the crates with one feature alone.

use crate::failure::{Failure, While};
use crate::process;

/// What `cargo xtask each-feature --help` prints.
pub(crate) const USAGE: &str = "\
cargo xtask each-feature

Checks `vernal-models` and `vernal` with each model alone and without any, so that nothing is missing, and no
lint fires, where no other feature brings it along.
";

/// What a program may choose alone.
const ALONE: [&str; 7] = [
    "",
    "anthropic",
    "bedrock",
    "demo",
    "gemini",
    "ollama",
    "openai",
];

/// Runs the command.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(other) = arguments.first() {
        return Err(Failure::said(format!(
            "`{other}` is no option of cargo xtask each-feature\n{USAGE}"
        )));
    }
    for feature in ALONE {
        // What tests need may switch features on: the libraries are looked at without them.
        check(feature, &["-p", "vernal-models", "-p", "vernal", "--lib"])?;
        check(feature, &["-p", "vernal", "--test", "features"])?;
    }
    Ok(())
}

/// Checks targets with one feature of the facade.
fn check(feature: &str, targets: &[&str]) -> Result<(), Failure> {
    let mut cargo = process::cargo(["clippy", "--no-default-features"]);
    cargo.args(targets);
    if !feature.is_empty() {
        cargo.args(["--features", &format!("vernal/{feature}")]);
    }
    cargo.args(["--", "-D", "warnings"]);
    let status = cargo.status().while_(process::shown(&cargo))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::Exit(process::code(status)))
    }
}
