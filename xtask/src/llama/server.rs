//! The server process: started on loopback, awaited, and never left behind.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::fetch::Files;
use super::model::Model;
use crate::failure::{Failure, While};
use crate::process;
use crate::workspace;

/// How long the model may take to load.
const START_LIMIT: Duration = Duration::from_secs(180);
/// How often the waiting says that it still waits.
const SAY_EVERY: Duration = Duration::from_secs(5);
/// Tokens that a conversation may have.
const CONTEXT: &str = "4096";

/// A running server; dropping it ends it.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    watcher: Option<Child>,
    port: u16,
    log: PathBuf,
}

impl Server {
    /// Starts the server and waits until it answers.
    pub(crate) fn start(files: &Files, model: &Model, port: u16) -> Result<Self, Failure> {
        let log = files.cache.join(format!("{}.log", model.served_as));
        let out = File::create(&log).while_(format!("creating {}", log.display()))?;
        let again = out
            .try_clone()
            .while_(format!("opening {}", log.display()))?;
        let threads = thread::available_parallelism().map_or(2, |count| count.get().min(8));
        let template = workspace::root().join("xtask/assets/qwen-coder-tools.jinja");
        let mut command = Command::new(&files.server);
        command
            .arg("-m")
            .arg(&files.weights)
            .args(["--host", "127.0.0.1", "--port"]);
        command
            .arg(port.to_string())
            .args(["--alias", model.served_as, "--jinja"]);
        command
            .arg("--chat-template-file")
            .arg(template)
            .args(["-c", CONTEXT, "-t"]);
        command
            .arg(threads.to_string())
            .args(["--device", "none", "--offline"]);
        if let Some(libraries) = files.server.parent() {
            command.env("LD_LIBRARY_PATH", libraries);
        }
        command.stdin(Stdio::null()).stdout(out).stderr(again);
        eprintln!(
            "starting llama-server on 127.0.0.1:{port} (log: {})",
            log.display()
        );
        let child = command.spawn().map_err(|error| {
            Failure::said(format!("cannot start {}: {error}", files.server.display()))
        })?;
        let mut server = Self {
            child,
            watcher: None,
            port,
            log,
        };
        server.watcher = Some(process::at_end(
            process::WATCH,
            &server.child.id().to_string(),
        )?);
        server.until_ready()?;
        Ok(server)
    }

    /// The base URL of the OpenAI-compatible API.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// Waits for the server to end by itself, which is a failure.
    pub(crate) fn wait(&mut self) -> Result<(), Failure> {
        let status = self.child.wait().while_("waiting for llama-server")?;
        Err(self.ended(&status.to_string()))
    }

    /// Waits until the server says that it is healthy.
    fn until_ready(&mut self) -> Result<(), Failure> {
        let start = Instant::now();
        let mut said = Duration::ZERO;
        loop {
            if let Some(status) = self.child.try_wait().while_("waiting for llama-server")? {
                return Err(self.ended(&status.to_string()));
            }
            if healthy(self.port) {
                eprintln!("ready after {:.1} s", start.elapsed().as_secs_f64());
                return Ok(());
            }
            let waited = start.elapsed();
            if waited > START_LIMIT {
                return Err(self.ended(&format!("no answer in {} s", START_LIMIT.as_secs())));
            }
            if waited >= said + SAY_EVERY {
                said = waited;
                eprintln!(
                    "loading the model: {} s of at most {}",
                    waited.as_secs(),
                    START_LIMIT.as_secs()
                );
            }
            thread::sleep(Duration::from_millis(200));
        }
    }

    /// The failure for a server that does not serve, with the end of what it logged.
    fn ended(&self, how: &str) -> Failure {
        let log = fs::read(&self.log).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let lines: Vec<&str> = log.lines().collect();
        let tail = lines
            .get(lines.len().saturating_sub(15)..)
            .unwrap_or_default()
            .join("\n");
        Failure::said(format!(
            "llama-server does not serve ({how}); the end of {}:\n{tail}",
            self.log.display()
        ))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The watcher first: once the server is gone its number may be another process's.
        for process in self.watcher.iter_mut().chain([&mut self.child]) {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// Whether the server answers `GET /health` with 200; while it loads it answers 503.
fn healthy(port: u16) -> bool {
    let limit = Duration::from_secs(2);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect_timeout(&address, limit)?;
        stream.set_read_timeout(Some(limit))?;
        stream.set_write_timeout(Some(limit))?;
        let request =
            format!("GET /health HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes())?;
        let mut status = [0; 12];
        stream.read_exact(&mut status)?;
        Ok(status.starts_with(b"HTTP/1.") && status.ends_with(b" 200"))
    };
    ask().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// Answers one request with these bytes; returns the port.
    fn answering(answer: &'static [u8]) -> u16 {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(answer);
        });
        port
    }

    #[test]
    fn only_status_200_is_healthy() {
        assert!(healthy(answering(b"HTTP/1.1 200 OK\r\n\r\n{}")));
        assert!(!healthy(answering(
            b"HTTP/1.1 503 Service Unavailable\r\n\r\n"
        )));
        assert!(!healthy(answering(b"nonsense")));
        assert!(!healthy(answering(b"")));
    }
}
