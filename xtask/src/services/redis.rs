//! Redis: one server, and a cluster of three.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use super::server::{Folder, Server};
use super::{Service, free_port};
use crate::failure::Failure;
use crate::process;

const FIX: &str = "install redis-server and redis-tools (on Debian: apt-get install redis-server)";
const PASSWORD: &str = "vernal-redis-secret";

/// Whether the programs are on the machine.
pub(super) fn there() -> Result<(), Failure> {
    for program in ["redis-server", "redis-cli"] {
        let mut version = Command::new(program);
        version.arg("--version");
        process::captured(version, FIX)?;
    }
    Ok(())
}

/// One server that asks for a password and keeps its data over a kill.
pub(super) fn single(folder: &Folder) -> Result<Service, Failure> {
    let port = free_port()?;
    let server = server("redis", folder, port, &["--requirepass", PASSWORD])?;
    let url = format!("redis://:{PASSWORD}@127.0.0.1:{port}/");
    Ok(Service {
        servers: vec![server],
        variables: vec![("VERNAL_REDIS_URL", url)],
    })
}

/// Three nodes without replicas, each with a third of the slots.
pub(super) fn cluster(folder: &Folder) -> Result<Service, Failure> {
    let mut servers = Vec::new();
    let mut ports = Vec::new();
    for number in 1..=3 {
        let (port, bus) = (free_port()?, free_port()?.to_string());
        let more = [
            "--cluster-enabled",
            "yes",
            "--cluster-port",
            &bus,
            "--cluster-node-timeout",
            "2000",
        ];
        servers.push(server(
            &format!("redis-cluster-{number}"),
            folder,
            port,
            &more,
        )?);
        ports.push(port);
    }
    let mut create = Command::new("redis-cli");
    create
        .args(["--cluster", "create"])
        .args(ports.iter().map(|port| format!("127.0.0.1:{port}")));
    create.args(["--cluster-replicas", "0", "--cluster-yes"]);
    process::captured(create, FIX)?;
    until_whole(&ports)?;
    let urls: Vec<_> = ports
        .iter()
        .map(|port| format!("redis://127.0.0.1:{port}/"))
        .collect();
    Ok(Service {
        servers,
        variables: vec![("VERNAL_REDIS_CLUSTER_URLS", urls.join(","))],
    })
}

fn server(name: &str, folder: &Folder, port: u16, more: &[&str]) -> Result<Server, Failure> {
    let folder = folder.make(name)?;
    let more: Vec<String> = more.iter().map(|&argument| argument.to_owned()).collect();
    let within = folder.clone();
    let command = move || command(&within, port, &more);
    Server::start(name, &folder, command, move || {
        answers(port, b"PING\r\n", &[b"+PONG", b"-NOAUTH"])
    })
}

fn command(folder: &Path, port: u16, more: &[String]) -> Command {
    let mut command = Command::new("redis-server");
    command.args(["--bind", "127.0.0.1", "--port", &port.to_string()]);
    // The log of appends is what a killed server comes back with.
    command
        .args(["--save", "", "--appendonly", "yes"])
        .arg("--dir")
        .arg(folder)
        .args(more);
    command
}

/// Whether the server at the port answers with one of these.
fn answers(port: u16, question: &[u8], wanted: &[&[u8]]) -> bool {
    let ask = || {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_read_timeout(Some(Duration::from_secs(1)))?;
        stream.write_all(question)?;
        let mut answer = [0; 512];
        let count = stream.read(&mut answer)?;
        std::io::Result::Ok(answer.into_iter().take(count).collect::<Vec<u8>>())
    };
    ask().is_ok_and(|answer| {
        wanted
            .iter()
            .any(|wanted| answer.windows(wanted.len()).any(|part| part == *wanted))
    })
}

fn until_whole(ports: &[u16]) -> Result<(), Failure> {
    let start = Instant::now();
    let whole = |port: &u16| answers(*port, b"CLUSTER INFO\r\n", &[b"cluster_state:ok"]);
    while !ports.iter().all(whole) {
        if start.elapsed() > Duration::from_secs(30) {
            return Err(Failure::said("the Redis cluster is not whole after 30 s"));
        }
        thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}
