//! Neo4j Community, fetched with Maven and started with Bolt alone.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::server::{Folder, Server};
use super::{Service, free_port};
use crate::failure::{Failure, While};
use crate::process;
use crate::workspace;

const FIX: &str = "Neo4j needs Java 17 and Maven (on Debian: apt-get install openjdk-17-jdk-headless \
                   maven) and is fetched from Maven's central repository";
const PASSWORD: &str = "vernal-neo4j-secret";
/// How often Maven is asked before it is given up: it goes on where it was cut off.
const TRIES: u32 = 3;

/// Whether Java is on the machine and Neo4j was, or could be, fetched.
pub(super) fn there() -> Result<(), Failure> {
    let mut version = Command::new("java");
    version.arg("-version");
    process::captured(version, FIX)?;
    classes().map(|_| ())
}

/// Starts a server whose data is new.
pub(super) fn start(folder: &Folder) -> Result<Service, Failure> {
    let classes = classes()?;
    let port = free_port()?;
    let folder = folder.make("neo4j")?;
    let data = folder.join("data");
    let command = move || command(&classes, &data, port);
    let log = folder.join("log");
    let server = Server::start("neo4j", &folder, command, move || is_ready(&log))?;
    let variables = vec![
        ("VERNAL_NEO4J_URL", format!("bolt://127.0.0.1:{port}")),
        ("VERNAL_NEO4J_USER", "neo4j".to_owned()),
        ("VERNAL_NEO4J_PASSWORD", PASSWORD.to_owned()),
    ];
    Ok(Service {
        servers: vec![server],
        variables,
    })
}

/// The class path. What Maven fetches stays in Maven's own cache, which a fresh clone finds again.
fn classes() -> Result<String, Failure> {
    let cache = workspace::cache("services");
    fs::create_dir_all(&cache).while_(format!("creating {}", cache.display()))?;
    let pom = workspace::root().join("xtask/assets/neo4j-pom.xml");
    let list = cache.join("neo4j-classes");
    if let Some(classes) = listed(&list, &pom) {
        return Ok(classes);
    }
    eprintln!("asking Maven for Neo4j (125 MB the first time)…");
    // Maven leaves a list alone that says the same already, and an old one would stay too old.
    match fs::remove_file(&list) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(error).while_(format!("removing {}", list.display()));
        }
        _ => {}
    }
    let mut tried = Err(Failure::said(FIX));
    for _ in 0..TRIES {
        let mut maven = Command::new("mvn");
        maven
            .args(["-B", "-q", "-f"])
            .arg(&pom)
            .args(["dependency:build-classpath", "-DincludeScope=runtime"]);
        maven.arg(format!("-Dmdep.outputFile={}", list.display()));
        tried = process::captured(maven, FIX);
        if tried.is_ok() {
            break;
        }
    }
    tried?;
    listed(&list, &pom).ok_or_else(|| Failure::said(format!("Maven gave no class path; {FIX}")))
}

/// The class path that was noted for this version, if all of it is still there.
fn listed(list: &Path, pom: &Path) -> Option<String> {
    let age = |path: &Path| fs::metadata(path).and_then(|about| about.modified()).ok();
    let classes = fs::read_to_string(list)
        .ok()
        .filter(|_| age(list) > age(pom))?;
    let there = !classes.is_empty() && std::env::split_paths(&classes).all(|jar| jar.is_file());
    there.then_some(classes)
}

fn command(classes: &str, data: &Path, port: u16) -> Command {
    let source: PathBuf = workspace::root().join("xtask/assets/BoltServer.java");
    let mut java = Command::new("java");
    // A start that is quick matters more here than one that runs for long.
    java.args([
        "-Xmx512m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-cp",
        classes,
    ]);
    for package in ["java.nio", "java.io", "sun.nio.ch"] {
        java.arg(format!("--add-opens=java.base/{package}=ALL-UNNAMED"));
    }
    java.arg(source)
        .arg(data)
        .arg(port.to_string())
        .arg(PASSWORD);
    java
}

/// Whether the server says that it is: it answers before its password is set.
fn is_ready(log: &Path) -> bool {
    fs::read_to_string(log).is_ok_and(|text| text.lines().any(|line| line == "ready"))
}
