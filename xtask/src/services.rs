//! `cargo xtask services`: real databases on loopback for the length of a command.
//!
//! Redis and PostgreSQL are Debian's, found on the machine; Neo4j is fetched with Maven. All of them
//! listen on free ports with data of their own, so that servers that run already are left alone.

mod control;
mod neo4j;
mod postgres;
mod redis;
mod server;

use std::net::{Ipv4Addr, TcpListener};
use std::process::Command;
use std::sync::{Arc, Mutex};

use crate::failure::{Failure, While};
use crate::process;
use server::{Folder, Server};

/// What `cargo xtask services --help` prints.
pub(crate) const USAGE: &str = "\
cargo xtask services [--only NAME…] [-- COMMAND ARGUMENTS…]

Starts databases on free ports of 127.0.0.1, runs the command with their addresses in its
environment, stops them and exits with the command's status. Without a command they run until
Ctrl-C.

    redis            VERNAL_REDIS_URL             apt-get install redis-server
    redis-cluster    VERNAL_REDIS_CLUSTER_URLS    the same; three nodes, addresses with commas
    postgres         VERNAL_POSTGRES_URL          apt-get install postgresql
    neo4j            VERNAL_NEO4J_URL, _USER and _PASSWORD
                                                  Java 17 and Maven; fetches 125 MB the first time

    --only NAME…     these, and it is a failure if one of them cannot be had; otherwise all that can
    -- COMMAND …     for example cargo test -p vernal-memory --all-features

VERNAL_SERVICES_CONTROL is an address at which tests stop and start a server: a line `kill NAME` or
`start NAME` is answered by a line `ok`.
";

/// What is started of a database.
struct Service {
    servers: Vec<Server>,
    /// Variables for the command.
    variables: Vec<(&'static str, String)>,
}

/// A database that can be started.
struct Kind {
    name: &'static str,
    /// Whether all that is needed is there, or could be fetched; else what is missing.
    there: fn() -> Result<(), Failure>,
    start: fn(&Folder) -> Result<Service, Failure>,
}

const KINDS: [Kind; 4] = [
    Kind {
        name: "redis",
        there: redis::there,
        start: redis::single,
    },
    Kind {
        name: "redis-cluster",
        there: redis::there,
        start: redis::cluster,
    },
    Kind {
        name: "postgres",
        there: postgres::there,
        start: postgres::start,
    },
    Kind {
        name: "neo4j",
        there: neo4j::there,
        start: neo4j::start,
    },
];

/// What the command line asked for.
#[derive(Debug, Default)]
struct Options {
    only: Vec<String>,
    command: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options(arguments)?;
    // Dropped last, after the servers that use it.
    let folder = Folder::new()?;
    let mut servers = Vec::new();
    let mut variables = Vec::new();
    for kind in KINDS.iter().filter(|kind| options.wants(kind.name)) {
        match (kind.there)() {
            // What is there and does not start is a failure: its tests would seem to be skipped.
            Ok(()) => {
                let service = (kind.start)(&folder)?;
                servers.extend(service.servers);
                variables.extend(service.variables);
            }
            Err(Failure::Said(why)) if options.only.is_empty() => {
                eprintln!("note: {} cannot be had: {why}", kind.name);
            }
            Err(failure) => return Err(failure),
        }
    }
    let servers = Arc::new(Mutex::new(servers));
    variables.push((control::VARIABLE, control::listen(servers.clone())?));
    let status = under(&options.command, &variables);
    control::lock(&servers).clear();
    status
}

/// Runs the command with the variables, or waits for Ctrl-C.
fn under(command: &[String], variables: &[(&str, String)]) -> Result<(), Failure> {
    let Some((program, arguments)) = command.split_first() else {
        for (name, value) in variables {
            println!("export {name}='{value}'");
        }
        println!("# Ctrl-C stops them.");
        loop {
            std::thread::park();
        }
    };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .envs(variables.iter().map(|(name, value)| (name, value)));
    process::forget_own_package(&mut command);
    let name = process::shown(&command);
    eprintln!("$ {name}");
    let status = command.status().while_(format!("cannot start `{name}`"))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::Exit(process::code(status)))
    }
}

impl Options {
    fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }
}

/// Reads the command line.
fn options(arguments: &[String]) -> Result<Options, Failure> {
    let mut options = Options::default();
    let mut rest = arguments.iter().peekable();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--only" => {
                while let Some(name) = rest.next_if(|next| !next.starts_with("--")) {
                    if !KINDS.iter().any(|kind| kind.name == name) {
                        return Err(Failure::said(format!(
                            "there is no service `{name}`\n{USAGE}"
                        )));
                    }
                    options.only.push(name.clone());
                }
                if options.only.is_empty() {
                    return Err(Failure::said("--only wants the names of services"));
                }
            }
            "--" => {
                options.command = rest.by_ref().cloned().collect();
                if options.command.is_empty() {
                    return Err(Failure::said("a command is missing after `--`"));
                }
            }
            other => {
                return Err(Failure::said(format!(
                    "`{other}` is no option of cargo xtask services (a command goes after `--`)\n{USAGE}"
                )));
            }
        }
    }
    Ok(options)
}

/// A port of loopback that nothing listens on.
fn free_port() -> Result<u16, Failure> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).while_("finding a free port")?;
    Ok(listener.local_addr().while_("finding a free port")?.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn names_end_where_the_command_begins() {
        let options = options(&words("--only redis neo4j -- cargo test -- --only x")).unwrap();
        assert_eq!(options.only, words("redis neo4j"));
        assert_eq!(options.command, words("cargo test -- --only x"));
        assert!(options.wants("neo4j") && !options.wants("postgres"));
        assert!(Options::default().wants("postgres"));
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (line, named) in [
            ("--only", "--only wants"),
            ("--only mysql", "`mysql`"),
            ("cargo test", "`cargo`"),
            ("--", "command is missing"),
        ] {
            let Err(Failure::Said(text)) = options(&words(line)) else {
                panic!("`{line}` was understood");
            };
            assert!(text.contains(named), "{line}: {text}");
        }
    }
}
