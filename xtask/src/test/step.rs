//! The steps of a test run.

use std::env;
use std::io::{self, IsTerminal};
use std::process::Command;

use super::Options;
use crate::failure::{Failure, While};
use crate::mock_check;
use crate::process;
use crate::python;
use crate::workspace;

/// One step: a command, and what has to be there for it.
pub(crate) struct Step {
    /// A short name, which is also the name of its skip.
    pub(crate) name: &'static str,
    /// What it is for.
    pub(crate) what: &'static str,
    /// Why it cannot or shall not run, if so.
    pub(crate) skip: fn(Options) -> Option<String>,
    /// The command to run.
    pub(crate) command: fn() -> Result<Command, Failure>,
    /// The command as one would type it, where it differs from what is run.
    pub(crate) shown: Option<&'static str>,
}

/// What the llama step does, as one would type it.
const LLAMA: &str = "cargo xtask llama -- cargo test -p vernal-models --test llama -- --nocapture";

/// What the stores step does, as one would type it.
const STORES: &str = "cargo xtask services -- cargo test -p vernal-memory --all-features --no-fail-fast -- --show-output";

/// What the each-feature step does, as one would type it.
const EACH_FEATURE: &str = "cargo xtask each-feature";

/// What the schema-suite step does, as one would type it.
const SCHEMA_SUITE: &str = "cargo xtask schema-suite";

/// What the sdk-check step does, as one would type it.
const SDK_CHECK: &str = "cargo xtask sdk-check";

/// What the mock-check step does, as one would type it.
const MOCK_CHECK: &str = "cargo xtask mock-check";

/// All steps in their order: what fails fast comes first.
///
/// The traffic comparison runs among the tests too. It has a step of its own so that it cannot get
/// lost: cargo fails when there is no test of that name. Its result is counted once.
pub(crate) fn all() -> Vec<Step> {
    vec![
        Step {
            name: "fmt",
            what: "every file is formatted",
            skip: |_| component("fmt", "rustfmt"),
            command: || cargo(&["fmt", "--all", "--check"]),
            shown: None,
        },
        Step {
            name: "clippy",
            what: "no lint fires",
            skip: |_| component("clippy", "clippy"),
            command: || {
                cargo(&[
                    "clippy",
                    "--workspace",
                    "--all-targets",
                    "--",
                    "-D",
                    "warnings",
                ])
            },
            shown: None,
        },
        Step {
            name: "features",
            what: "no lint fires with every feature on",
            skip: |_| component("clippy", "clippy"),
            command: || {
                cargo(&[
                    "clippy",
                    "-p",
                    "vernal-core",
                    "-p",
                    "vernal-models",
                    "-p",
                    "vernal-memory",
                    "-p",
                    "vernal-testing",
                    "-p",
                    "vernal",
                    "--all-features",
                    "--all-targets",
                    "--",
                    "-D",
                    "warnings",
                ])
            },
            shown: None,
        },
        Step {
            name: "each-feature",
            what: "each model's feature does by itself",
            skip: |_| component("clippy", "clippy"),
            command: || this(EACH_FEATURE),
            shown: Some(EACH_FEATURE),
        },
        Step {
            name: "tests",
            what: "all tests of the workspace",
            skip: |_| None,
            // The output of tests that pass is shown because their skips are in it.
            command: || {
                cargo(&[
                    "test",
                    "--workspace",
                    "--no-fail-fast",
                    "--",
                    "--show-output",
                ])
            },
            shown: None,
        },
        Step {
            name: "docs",
            what: "the documentation builds without a warning",
            skip: |_| None,
            command: || {
                let mut command = cargo(&["doc", "--workspace", "--no-deps"])?;
                command.env("RUSTDOCFLAGS", "-D warnings");
                Ok(command)
            },
            shown: Some("RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps"),
        },
        Step {
            name: "traffic",
            what: "recorded traffic of real providers, read by the adapters and by Python alike",
            skip: |_| {
                let mut python = Command::new("python3");
                python.arg("--version");
                let missing = !process::succeeds(python);
                missing.then(|| "python3 is not installed".to_owned())
            },
            command: || {
                let test = [
                    "test",
                    "-p",
                    "vernal-models",
                    "--all-features",
                    "--test",
                    "traffic",
                    "--test",
                    "bedrock_traffic",
                ];
                cargo(&[&test[..], &["--", "--show-output"]].concat())
            },
            shown: None,
        },
        Step {
            name: "schema-suite",
            what: "arguments are checked as the official JSON Schema test suite has it",
            skip: |_| {
                let mut python = Command::new("python3");
                python.args(["-m", "pip", "--version"]);
                let missing = !process::succeeds(python);
                missing.then(|| "python3 with pip is not installed".to_owned())
            },
            command: || this(SCHEMA_SUITE),
            shown: Some(SCHEMA_SUITE),
        },
        Step {
            name: "sdk-check",
            what: "official SDKs understand our fake servers, and find our requests right",
            skip: |_| python::missing(),
            command: || this(SDK_CHECK),
            shown: Some(SDK_CHECK),
        },
        Step {
            name: "mock-check",
            what: "our client keeps its promises with mocks that others wrote",
            skip: |_| mock_check::missing(),
            command: || this(MOCK_CHECK),
            shown: Some(MOCK_CHECK),
        },
        Step {
            name: "agreement",
            what: "arguments are checked as another implementation of JSON Schema does",
            skip: |_| None,
            command: || {
                let test = ["test", "--manifest-path", "fuzz/Cargo.toml"];
                let package = ["-p", "vernal-agreement", "--target-dir", "target/fuzz"];
                cargo(
                    &[
                        &test[..],
                        &package,
                        &["--test", "agreement", "--", "--show-output"],
                    ]
                    .concat(),
                )
            },
            shown: None,
        },
        Step {
            name: "json-features",
            what: "schemas and arguments do not depend on the features of serde_json that a program has",
            skip: |_| None,
            command: || {
                let test = ["test", "--manifest-path", "fuzz/Cargo.toml"];
                let package = ["-p", "vernal-features", "--target-dir", "target/fuzz"];
                cargo(
                    &[
                        &test[..],
                        &package,
                        &["--no-fail-fast", "--", "--show-output"],
                    ]
                    .concat(),
                )
            },
            shown: None,
        },
        Step {
            name: "stores",
            what: "the repositories of chat memory keep their promises on real databases",
            skip: |_| (!cfg!(unix)).then(|| "databases are started on Unix only".to_owned()),
            command: || this(STORES),
            shown: Some(STORES),
        },
        Step {
            name: "allocations",
            what: "the ceilings on allocations and on memory per turn hold",
            skip: |_| None,
            command: || {
                cargo(&[
                    "bench",
                    "-p",
                    "vernal",
                    "--bench",
                    "allocations",
                    "--bench",
                    "concurrent_turns",
                ])
            },
            shown: None,
        },
        Step {
            name: "instructions",
            what: "the ceiling on instructions per model call holds",
            skip: |_| {
                let mut valgrind = Command::new("valgrind");
                valgrind.arg("--version");
                let missing = !process::succeeds(valgrind);
                missing.then(|| {
                    "valgrind is not installed (on Debian: apt-get install valgrind)".to_owned()
                })
            },
            command: || cargo(&["bench", "-p", "vernal", "--bench", "instructions"]),
            shown: None,
        },
        Step {
            name: "llama",
            what: "a real language model calls tools",
            skip: |options| {
                let why = "opt-in, downloads a model: cargo xtask test --with-llama";
                (!options.with_llama).then(|| why.to_owned())
            },
            command: || this(LLAMA),
            shown: Some(LLAMA),
        },
    ]
}

/// A cargo command that keeps its colours although its output is read, if a terminal shows it.
fn cargo(arguments: &[&str]) -> Result<Command, Failure> {
    let mut command = process::cargo(arguments.iter().copied());
    let chosen = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    if io::stdout().is_terminal() && !chosen("NO_COLOR") && !chosen("CARGO_TERM_COLOR") {
        command.env("CARGO_TERM_COLOR", "always");
    }
    Ok(command)
}

/// Why a cargo command that comes with a toolchain component cannot run, if so.
fn component(command: &str, component: &str) -> Option<String> {
    let there = process::succeeds(process::cargo([command, "--version"]));
    (!there).then(|| format!("{component} is not installed: rustup component add {component}"))
}

/// This program again, with what stands behind `cargo xtask` in `line`.
fn this(line: &str) -> Result<Command, Failure> {
    let this = env::current_exe().while_("finding xtask's own program")?;
    let mut command = Command::new(this);
    command.args(line.split(' ').skip(2));
    command.current_dir(workspace::root());
    Ok(command)
}
