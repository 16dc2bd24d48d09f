//! The servers that `cargo xtask services` starts.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use tokio::sync::{Mutex, MutexGuard};

/// The value of a variable of `cargo xtask services`; says that the test is skipped without it.
pub fn variable(store: &str, variable: &str) -> Option<String> {
    let value = env::var(variable).ok().filter(|value| !value.is_empty());
    if value.is_none() {
        println!("SKIPPED {store}: {variable} is not set; run cargo xtask services");
    }
    value
}

/// Stops and starts a server, where `cargo xtask services` runs the tests.
pub struct Control(String);

impl Control {
    pub fn new(store: &str) -> Option<Self> {
        variable(store, "VERNAL_SERVICES_CONTROL").map(Self)
    }

    pub async fn kill(&self, server: &str) {
        self.say(format!("kill {server}")).await;
    }

    pub async fn start(&self, server: &str) {
        self.say(format!("start {server}")).await;
    }

    async fn say(&self, line: String) {
        let address = self.0.clone();
        let said = tokio::task::spawn_blocking(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            writeln!(stream, "{line}").unwrap();
            let mut answer = String::new();
            BufReader::new(stream).read_line(&mut answer).unwrap();
            answer
        });
        assert_eq!(said.await.unwrap().trim(), "ok");
    }
}

/// Held by a test while its server must be up, or by the one that kills it: they take turns.
pub async fn alone() -> MutexGuard<'static, ()> {
    static SERVER: Mutex<()> = Mutex::const_new(());
    SERVER.lock().await
}
