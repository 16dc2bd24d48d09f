//! The developer commands of the workspace: `cargo xtask help`.
//!
//! Nothing here is published, and nothing here depends on the other crates: the commands must
//! work while those do not compile.

mod each_feature;
mod failure;
mod fuzz;
mod llama;
mod mock_check;
mod process;
mod python;
mod schema_suite;
mod sdk_check;
#[cfg(unix)]
mod services;
mod test;
mod workspace;

use std::env;
use std::process::ExitCode;

use failure::Failure;

/// What a command is called, what it says about itself, and what runs it.
struct Command {
    name: &'static str,
    line: &'static str,
    usage: &'static str,
    run: fn(&[String]) -> Result<(), Failure>,
}

/// Every command but `help`, in the order of the help text.
const COMMANDS: &[Command] = &[
    Command {
        name: "test",
        line: "set up and run every check and test; say what was skipped and why",
        usage: test::USAGE,
        run: test::run,
    },
    #[cfg(unix)]
    Command {
        name: "services",
        line: "run a command with real databases on loopback",
        usage: services::USAGE,
        run: services::run,
    },
    Command {
        name: "schema-suite",
        line: "run the official JSON Schema test suite",
        usage: schema_suite::USAGE,
        run: schema_suite::run,
    },
    Command {
        name: "sdk-check",
        line: "let the official SDKs talk to our fake servers, and judge our requests",
        usage: sdk_check::USAGE,
        run: sdk_check::run,
    },
    Command {
        name: "mock-check",
        line: "run our client against mocks that others wrote",
        usage: mock_check::USAGE,
        run: mock_check::run,
    },
    Command {
        name: "each-feature",
        line: "check the crates with each model's feature alone",
        usage: each_feature::USAGE,
        run: each_feature::run,
    },
    Command {
        name: "fuzz",
        line: "run fuzz targets on the stable compiler",
        usage: fuzz::USAGE,
        run: fuzz::run,
    },
    Command {
        name: "llama",
        line: "fetch a small language model (opt-in download) and serve it on loopback",
        usage: llama::USAGE,
        run: llama::run,
    },
];

fn main() -> ExitCode {
    match arguments().and_then(|arguments| dispatch(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Said(text)) => {
            eprintln!("error: {text}");
            ExitCode::FAILURE
        }
        Err(Failure::Exit(code)) => ExitCode::from(code),
    }
}

/// The arguments after the program's name; text only, since every command's are.
fn arguments() -> Result<Vec<String>, Failure> {
    env::args_os()
        .skip(1)
        .map(|argument| {
            argument
                .into_string()
                .map_err(|raw| Failure::said(format!("an argument is not text: {}", raw.display())))
        })
        .collect()
}

/// Finds the command that the first argument names and runs it with the rest.
fn dispatch(arguments: &[String]) -> Result<(), Failure> {
    let Some((name, rest)) = arguments.split_first() else {
        help();
        return Ok(());
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        match rest.first() {
            None => help(),
            Some(about) => print!("{}", find(about)?.usage),
        }
        return Ok(());
    }
    let command = find(name)?;
    // What follows `--` belongs to another program, its `--help` included.
    let asks_for_help = |argument: &&String| matches!(argument.as_str(), "--help" | "-h");
    if rest
        .iter()
        .take_while(|argument| *argument != "--")
        .find(asks_for_help)
        .is_some()
    {
        print!("{}", command.usage);
        return Ok(());
    }
    (command.run)(rest)
}

/// The command of that name.
fn find(name: &str) -> Result<&'static Command, Failure> {
    COMMANDS
        .iter()
        .find(|command| command.name == name)
        .ok_or_else(|| {
            Failure::said(format!(
                "there is no command `{name}`; `cargo xtask help` lists them"
            ))
        })
}

/// Prints the commands, one line each.
fn help() {
    println!("Developer commands of the workspace\n\n    cargo xtask COMMAND [OPTIONS]\n");
    println!("    help          list the commands, or explain one: cargo xtask help COMMAND");
    for command in COMMANDS {
        println!("    {:<14}{}", command.name, command.line);
    }
}
