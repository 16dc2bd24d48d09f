//! A server process: started, awaited, stopped and started again, and never left behind.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Failure, While};
use crate::process;

/// How long a server may take to answer.
const START_LIMIT: Duration = Duration::from_secs(90);
/// How long a server may take to end before it is killed.
const END_LIMIT: Duration = Duration::from_secs(5);
/// Removes the folder that its argument names when this process ends for whatever reason, after the
/// servers have had time to end.
const SWEEP: &str = r#"trap "" INT TERM HUP; read -r _; sleep 3; rm -rf "$1""#;

/// The folder of a run, in which each server has one of its own; it goes away with its value.
pub(super) struct Folder {
    path: PathBuf,
    _sweeper: Child,
}

impl Folder {
    pub(super) fn new() -> Result<Self, Failure> {
        // Not below the workspace: PostgreSQL may run as another user, who must get there.
        let path = std::env::temp_dir().join(format!("vernal-services-{}", std::process::id()));
        fs::create_dir(&path).while_(format!("creating {}", path.display()))?;
        let _sweeper = process::at_end(SWEEP, &path.to_string_lossy())?;
        Ok(Self { path, _sweeper })
    }

    /// A new folder in it.
    pub(super) fn make(&self, name: &str) -> Result<PathBuf, Failure> {
        let path = self.path.join(name);
        fs::create_dir(&path).while_(format!("creating {}", path.display()))?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A server, running or not; dropping it ends it.
pub(super) struct Server {
    /// What tests and messages call it.
    pub(super) name: String,
    log: PathBuf,
    command: Box<dyn Fn() -> Command + Send>,
    ready: Box<dyn Fn() -> bool + Send>,
    /// The process, and the one that ends it if this one ends without doing so.
    running: Option<(Child, Child)>,
}

impl Server {
    /// Starts the server that `command` runs and waits until it is `ready`.
    pub(super) fn start(
        name: &str,
        folder: &Path,
        command: impl Fn() -> Command + Send + 'static,
        ready: impl Fn() -> bool + Send + 'static,
    ) -> Result<Self, Failure> {
        let mut server = Self {
            name: name.to_owned(),
            log: folder.join("log"),
            command: Box::new(command),
            ready: Box::new(ready),
            running: None,
        };
        server.run()?;
        Ok(server)
    }

    /// Starts it (again) and waits until it is ready.
    pub(super) fn run(&mut self) -> Result<(), Failure> {
        self.kill();
        let start = Instant::now();
        loop {
            self.spawn()?;
            match self.until_ready(start) {
                // After a kill, what is left of the former process can be in the way for a moment.
                Err(_) if self.running.is_none() && start.elapsed() < END_LIMIT => {
                    thread::sleep(Duration::from_millis(300));
                }
                done => return done,
            }
        }
    }

    fn spawn(&mut self) -> Result<(), Failure> {
        let log = File::create(&self.log).while_(format!("creating {}", self.log.display()))?;
        let again = log
            .try_clone()
            .while_(format!("opening {}", self.log.display()))?;
        let mut command = (self.command)();
        command.stdin(Stdio::null()).stdout(log).stderr(again);
        let child = command
            .spawn()
            .while_(format!("cannot start {}", self.name))?;
        let watcher = process::at_end(process::WATCH, &child.id().to_string())?;
        self.running = Some((child, watcher));
        Ok(())
    }

    fn until_ready(&mut self, start: Instant) -> Result<(), Failure> {
        while let Some((child, _)) = &mut self.running {
            if let Some(status) = child
                .try_wait()
                .while_(format!("waiting for {}", self.name))?
            {
                self.kill();
                return Err(self.failed(&status.to_string()));
            }
            if (self.ready)() {
                return Ok(());
            }
            if start.elapsed() > START_LIMIT {
                return Err(self.failed(&format!("no answer in {} s", START_LIMIT.as_secs())));
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Ends it at once, as a crash would.
    pub(super) fn kill(&mut self) {
        let Some((mut child, mut watcher)) = self.running.take() else {
            return;
        };
        // The watcher first: once the server is gone its number may be another process's.
        for process in [&mut watcher, &mut child] {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Asks it to end.
    fn interrupt(&mut self) {
        let Some((child, _)) = &mut self.running else {
            return;
        };
        let mut command = Command::new("kill");
        command.args(["-INT", &child.id().to_string()]);
        let start = Instant::now();
        if process::succeeds(command) {
            while start.elapsed() < END_LIMIT && matches!(child.try_wait(), Ok(None)) {
                thread::sleep(Duration::from_millis(20));
            }
        }
    }

    fn failed(&self, how: &str) -> Failure {
        let log = fs::read(&self.log).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let lines: Vec<&str> = log.lines().collect();
        let tail = lines
            .get(lines.len().saturating_sub(15)..)
            .unwrap_or_default()
            .join("\n");
        Failure::said(format!(
            "{} does not serve ({how}); the end of its log:\n{tail}",
            self.name
        ))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.interrupt();
        self.kill();
    }
}
