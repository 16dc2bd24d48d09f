//! PostgreSQL: a database cluster of its own in a folder of its own.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::server::{Folder, Server};
use super::{Service, free_port};
use crate::failure::{Failure, While};
use crate::process;

const FIX: &str = "install PostgreSQL (on Debian: apt-get install postgresql)";
const PASSWORD: &str = "vernal-postgres-secret";

/// Whether the programs are on the machine.
pub(super) fn there() -> Result<(), Failure> {
    programs().map(|_| ())
}

/// Starts a server whose data is new.
pub(super) fn start(folder: &Folder) -> Result<Service, Failure> {
    let programs = programs()?;
    let port = free_port()?;
    let folder = folder.make("postgres")?;
    let user = user(&folder)?;
    if let Some((user, group)) = user {
        let giving = format!("giving {} to the user postgres", folder.display());
        chown(&folder, Some(user), Some(group)).while_(giving)?;
    }
    let run = {
        let folder = folder.clone();
        move |program: PathBuf| as_user(program, &folder, user)
    };
    initialise(run(programs.join("initdb")), &folder, user)?;
    let ready = programs.join("pg_isready");
    let command = move || server(run(programs.join("postgres")), port);
    let server = Server::start("postgres", &folder, command, move || {
        let mut ask = Command::new(&ready);
        ask.args(["-q", "-h", "127.0.0.1", "-p", &port.to_string()]);
        process::succeeds(ask)
    })?;
    let url = format!("postgres://vernal:{PASSWORD}@127.0.0.1:{port}/postgres");
    Ok(Service {
        servers: vec![server],
        variables: vec![("VERNAL_POSTGRES_URL", url)],
    })
}

/// The folder of the newest version's programs.
fn programs() -> Result<PathBuf, Failure> {
    let versions = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten();
    let mut found: Vec<(u32, PathBuf)> = versions
        .filter_map(|entry| {
            let version = entry.file_name().to_str()?.parse().ok()?;
            Some((version, entry.path().join("bin")))
        })
        .filter(|(_, programs)| programs.join("initdb").is_file())
        .collect();
    found.sort();
    let newest = found.pop().map(|(_, programs)| programs);
    newest.ok_or_else(|| Failure::said(format!("/usr/lib/postgresql holds no programs: {FIX}")))
}

/// The user and group to run as: PostgreSQL refuses to run as root.
fn user(folder: &Path) -> Result<Option<(u32, u32)>, Failure> {
    let own = fs::metadata(folder)
        .while_(format!("looking at {}", folder.display()))?
        .uid();
    if own != 0 {
        return Ok(None);
    }
    let users = fs::read_to_string("/etc/passwd").while_("reading /etc/passwd")?;
    let found = users.lines().find_map(|line| {
        let mut fields = line.strip_prefix("postgres:")?.split(':').skip(1);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    });
    found
        .map(Some)
        .ok_or_else(|| Failure::said(format!("there is no user postgres: {FIX}")))
}

fn as_user(program: PathBuf, folder: &Path, user: Option<(u32, u32)>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder);
    if let Some((user, group)) = user {
        command.uid(user).gid(group);
    }
    command
}

/// Makes the data: sorted by language, so that it shows who relies on that.
fn initialise(mut initdb: Command, folder: &Path, user: Option<(u32, u32)>) -> Result<(), Failure> {
    let secret = folder.join("secret");
    fs::write(&secret, PASSWORD).while_(format!("writing {}", secret.display()))?;
    if let Some((user, group)) = user {
        chown(&secret, Some(user), Some(group)).while_(format!("giving {}", secret.display()))?;
    }
    initdb.args([
        "-D",
        "data",
        "-U",
        "vernal",
        "--pwfile=secret",
        "--auth=scram-sha-256",
    ]);
    initdb.args([
        "--encoding=UTF8",
        "--locale=C.UTF-8",
        "--locale-provider=icu",
        "--icu-locale=en",
    ]);
    initdb.arg("--no-sync");
    process::captured(initdb, FIX).map(|_| ())
}

fn server(mut postgres: Command, port: u16) -> Command {
    postgres.args([
        "-D",
        "data",
        "-h",
        "127.0.0.1",
        "-p",
        &port.to_string(),
        "-k",
        "",
    ]);
    postgres
}
