//! The `vernal` command: talk to a model that can use tools.

mod calls;
mod chat;
mod choose;
mod cli;
mod interactive;
mod json_events;
mod list_tools;
mod nearest;
mod output;
mod paint;
mod probe;
mod render;
mod run;
mod session;
mod tools;
mod url;

use std::process::ExitCode;

use cli::Command;

fn main() -> ExitCode {
    let command = match cli::parse(std::env::args_os().skip(1)) {
        Ok(command) => command,
        Err(error) => return run::misused(&error.to_string()),
    };
    match command {
        Command::Help => run::say(cli::HELP),
        Command::Version => run::say(concat!("vernal ", env!("CARGO_PKG_VERSION"), "\n")),
        Command::Tools { json } => run::written(list_tools::list_tools(json)),
        Command::Chat(arguments) => run::chat(&arguments),
    }
}
