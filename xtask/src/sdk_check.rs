//! `cargo xtask sdk-check`: the official SDKs and the vendors' specifications as independent judges.

use std::fs;
use std::process::Command;

use crate::failure::{Failure, While};
use crate::process;
use crate::python;
use crate::workspace;

/// What `cargo xtask sdk-check --help` prints.
pub(crate) const USAGE: &str = "\
cargo xtask sdk-check

Lets the official Python SDKs (openai, for Azure too, anthropic, google-genai, ollama, boto3) hold whole conversations
with the fake servers of vernal-testing, whole and streamed; and compares the requests that our adapters send with
the SDKs' own types and with the vendors' published specifications.

The SDKs are installed once with pip, in versions that xtask/sdk/requirements.txt pins, into
target/xtask/sdk-check. Without Python or a package index the command says `SKIPPED sdk-check: …`.
";

/// Runs the command.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(other) = arguments.first() {
        return Err(Failure::said(format!(
            "`{other}` is no option of cargo xtask sdk-check\n{USAGE}"
        )));
    }
    let python = match python::environment("sdk-check", "xtask/sdk/requirements.txt") {
        Ok(python) => python,
        Err(failure) => return python::skipped("sdk-check", failure),
    };
    let servers = python::example("serve_fakes")?;
    let dump = python::example("dump_requests")?;
    let requests = workspace::cache("sdk-check").join("requests.jsonl");
    let text = process::captured(
        Command::new(dump),
        "A fake server found a request at fault.",
    )?;
    fs::write(&requests, text).while_(format!("writing {}", requests.display()))?;
    python::run(&python, "xtask/sdk/conversations.py", &[&servers])?;
    python::run(&python, "xtask/sdk/bodies.py", &[&requests])
}
