//! Python environments with pinned packages, made once and kept among what `cargo clean` removes.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Failure, While};
use crate::process;
use crate::workspace;

/// What mends a missing Python.
const FIX: &str = "Python 3 with venv and pip, and a package index that it reaches, are needed once \
                   (on Debian: apt-get install python3 python3-venv)";

/// Why there can be no environment, if so.
pub(crate) fn missing() -> Option<String> {
    let mut python = Command::new("python3");
    python.args(["-c", "import ensurepip, venv"]);
    (!process::succeeds(python)).then(|| "python3 with venv is not installed".to_owned())
}

/// The Python of an environment that has what the file of requirements says. It is made anew when the
/// file has changed.
///
/// # Errors
/// There is no Python, or a package cannot be had.
pub(crate) fn environment(command: &str, requirements: &str) -> Result<PathBuf, Failure> {
    let cache = workspace::cache(command);
    let folder = cache.join("venv");
    let python = folder.join("bin").join("python");
    let wanted = workspace::root().join(requirements);
    let text = fs::read_to_string(&wanted).while_(format!("reading {}", wanted.display()))?;
    let stamp = folder.join("requirements.txt");
    if fs::read_to_string(&stamp).is_ok_and(|made| made == text) {
        return Ok(python);
    }
    eprintln!("installing what {requirements} says with pip, once");
    fs::create_dir_all(&cache).while_(format!("creating {}", cache.display()))?;
    let mut make = Command::new("python3");
    make.args(["-m", "venv", "--clear"]).arg(&folder);
    process::captured(make, FIX)?;
    let mut pip = Command::new(&python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--no-input",
        "--disable-pip-version-check",
    ])
    .args(["--only-binary", ":all:", "--quiet", "--requirement"])
    .arg(&wanted);
    process::captured(pip, FIX)?;
    fs::write(&stamp, text).while_(format!("writing {}", stamp.display()))?;
    Ok(python)
}

/// Runs a script of the workspace; its output is this program's.
///
/// # Errors
/// It cannot be started, or it fails, which it has said itself.
pub(crate) fn run(python: &Path, script: &str, arguments: &[&Path]) -> Result<(), Failure> {
    let mut command = Command::new(python);
    // Nothing is written beside the scripts.
    command
        .arg("-B")
        .arg(workspace::root().join(script))
        .args(arguments);
    let status = command.status().while_(format!("running {script}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::Exit(process::code(status)))
    }
}

/// Builds an example of `vernal-testing` and returns its program.
///
/// # Errors
/// It does not build.
pub(crate) fn example(name: &str) -> Result<PathBuf, Failure> {
    let arguments = [
        "build",
        "-p",
        "vernal-testing",
        "--features",
        "fakes",
        "--example",
        name,
    ];
    let status = process::cargo(arguments).status().while_("running cargo")?;
    if !status.success() {
        return Err(Failure::Exit(process::code(status)));
    }
    let program = format!("{name}{}", env::consts::EXE_SUFFIX);
    Ok(workspace::target()
        .join("debug")
        .join("examples")
        .join(program))
}

/// Says that a command was skipped for what is missing, which is no failure by itself: a run that minds
/// it reads the line.
pub(crate) fn skipped(command: &str, failure: Failure) -> Result<(), Failure> {
    println!("SKIPPED {command}: {}", what_lacks(failure)?);
    Ok(())
}

/// What is missing, on one line; what failed in another way stays a failure.
fn what_lacks(failure: Failure) -> Result<String, Failure> {
    let Failure::Said(text) = failure else {
        return Err(failure);
    };
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    Ok(lines.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_no_failure_and_what_failed_is() {
        let said = what_lacks(Failure::said("no index\n\n  was found\n"));
        assert!(matches!(said.as_deref(), Ok("no index was found")));
        assert!(matches!(
            what_lacks(Failure::Exit(2)),
            Err(Failure::Exit(2))
        ));
    }

    #[test]
    fn every_requirement_is_pinned() {
        for list in ["xtask/sdk/requirements.txt", "xtask/mocks/requirements.txt"] {
            let text = fs::read_to_string(workspace::root().join(list)).unwrap();
            let mut wanted = text
                .lines()
                .filter(|line| !line.starts_with('#') && !line.is_empty());
            assert!(wanted.all(|line| line.contains("==")), "{list}");
        }
    }
}
