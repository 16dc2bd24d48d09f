//! `cargo xtask mock-check`: our client with mocks that others wrote.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::failure::{Failure, While};
use crate::process;
use crate::python;
use crate::workspace;

/// What `cargo xtask mock-check --help` prints.
pub(crate) const USAGE: &str = "\
cargo xtask mock-check

Runs whole turns of our client with two mocks that others wrote, their faults included: llmock (Python),
whose verdict on our retries has to be PASS, and aimock (Node).

llmock is installed once with pip, aimock with npm, in pinned versions, into target/xtask/mock-check.
What is missing is said in a line `SKIPPED mock-check: …`.
";

/// The mock for Node, and its version.
const AIMOCK: &str = "@copilotkit/aimock@1.43.0";
/// The name of the command, for its cache and its skips.
const NAME: &str = "mock-check";
/// What mends a missing Node.
const FIX: &str = "Node 20 or later with npm, and a package registry that it reaches, are needed once \
                   (on Debian: apt-get install nodejs npm)";

/// Why the command cannot run, if so.
pub(crate) fn missing() -> Option<String> {
    let npm = || {
        let mut npm = Command::new("npm");
        npm.arg("--version");
        (!process::succeeds(npm)).then(|| "node with npm is not installed".to_owned())
    };
    python::missing().or_else(npm)
}

/// Runs the command.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(other) = arguments.first() {
        return Err(Failure::said(format!(
            "`{other}` is no option of cargo xtask mock-check\n{USAGE}"
        )));
    }
    let python = match python::environment(NAME, "xtask/mocks/requirements.txt") {
        Ok(python) => python,
        Err(failure) => return python::skipped(NAME, failure),
    };
    let folder = match aimock() {
        Ok(folder) => folder,
        Err(failure) => return python::skipped(NAME, failure),
    };
    let turn = python::example("one_turn")?;
    python::run(&python, "xtask/mocks/with_llmock.py", &[&turn, &folder])?;
    python::run(&python, "xtask/mocks/with_aimock.py", &[&turn, &folder])
}

/// The folder that has aimock's package, installed once.
fn aimock() -> Result<PathBuf, Failure> {
    let folder = workspace::cache(NAME).join("node");
    let stamp = folder.join("installed");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == AIMOCK) {
        return Ok(folder);
    }
    eprintln!("installing {AIMOCK} with npm, once");
    fs::create_dir_all(&folder).while_(format!("creating {}", folder.display()))?;
    let mut npm = Command::new("npm");
    npm.args([
        "install",
        "--no-save",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
    ])
    .args(["--prefix"])
    .arg(&folder)
    .arg(AIMOCK);
    process::captured(npm, FIX)?;
    fs::write(&stamp, AIMOCK).while_(format!("writing {}", stamp.display()))?;
    Ok(folder)
}
