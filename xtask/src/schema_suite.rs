//! `cargo xtask schema-suite`: the official JSON Schema test suite, fetched once and run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self as std_process, Command};

use crate::failure::{Failure, While};
use crate::process;
use crate::workspace;

/// What `cargo xtask schema-suite --help` prints.
pub(crate) const USAGE: &str = "\
cargo xtask schema-suite

Runs the official JSON Schema test suite, draft 2020-12, against what checks the arguments of tools:
cargo test -p vernal-core --test schema_suite with VERNAL_SCHEMA_SUITE set to the suite's folder.

The suite comes with the Python package jsonschema, 370 KB, which is fetched with pip the first time,
checked against a pinned sha256 and kept in target/xtask/schema-suite.
";

/// The package that has the suite in its source archive.
const PACKAGE: &str = "jsonschema";
/// Its version.
const VERSION: &str = "4.26.0";
/// The hash of its source archive: pip takes nothing else.
const SHA256: &str = "0c26707e2efad8aa1bfc5b7ce170f3fccc2e4918ff85989ba9ffa9facb2be326";
/// Where the suite is in the archive.
const INSIDE: &str = "json/tests/draft2020-12";
/// What mends a failed download.
const FIX: &str = "Python 3 with pip, and a package index that it reaches, are needed once \
                   (on Debian: apt-get install python3 python3-pip)";

/// Runs the command.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(other) = arguments.first() {
        return Err(Failure::said(format!(
            "`{other}` is no option of cargo xtask schema-suite\n{USAGE}"
        )));
    }
    let suite = suite()?;
    let test = ["test", "-p", "vernal-core", "--test", "schema_suite"];
    let mut command = process::cargo(test.into_iter().chain(["--", "--show-output"]));
    command.env("VERNAL_SCHEMA_SUITE", &suite);
    let status = command.status().while_("running cargo")?;
    match status.code() {
        Some(0) => Ok(()),
        code => Err(Failure::Exit(
            code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1),
        )),
    }
}

/// The suite's folder, from the cache or from the package index.
fn suite() -> Result<PathBuf, Failure> {
    let cache = workspace::cache("schema-suite");
    let folder = cache.join(format!("{PACKAGE}-{VERSION}"));
    if !folder.exists() {
        fs::create_dir_all(&cache).while_(format!("creating {}", cache.display()))?;
        let scratch = cache.join(format!("scratch-{}", std_process::id()));
        let fetched = fetch(&scratch, &folder);
        let _ = fs::remove_dir_all(&scratch);
        fetched?;
    }
    Ok(folder.join(INSIDE))
}

/// Downloads and unpacks the archive; what is there at the end is whole.
fn fetch(scratch: &Path, folder: &Path) -> Result<(), Failure> {
    eprintln!("fetching the JSON Schema test suite with pip, once: {PACKAGE} {VERSION}");
    let creating = format!("creating {}", scratch.display());
    fs::create_dir_all(scratch).while_(&creating)?;
    let wanted = scratch.join("requirements.txt");
    fs::write(
        &wanted,
        format!("{PACKAGE}=={VERSION} --hash=sha256:{SHA256}\n"),
    )
    .while_(&creating)?;
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--no-deps", "--no-input"])
        .args(["--no-binary", ":all:", "--disable-pip-version-check"])
        .args(["--require-hashes", "--requirement"])
        .arg(&wanted)
        .arg("--dest")
        .arg(scratch);
    process::captured(pip, FIX)?;
    let mut unpack = Command::new("python3");
    unpack
        .args(["-m", "tarfile", "-e"])
        .arg(scratch.join(format!("{PACKAGE}-{VERSION}.tar.gz")))
        .arg(scratch);
    process::captured(unpack, "Is the disk full?")?;
    let unpacked = scratch.join(format!("{PACKAGE}-{VERSION}"));
    match fs::rename(&unpacked, folder) {
        // Somebody else was faster.
        Err(_) if folder.exists() => Ok(()),
        renamed => renamed.while_(format!("moving {}", unpacked.display())),
    }
}
