//! Where tests ask for the death of a server, and for its return.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::server::Server;
use crate::failure::{Failure, While};

/// The variable that holds the address.
pub(super) const VARIABLE: &str = "VERNAL_SERVICES_CONTROL";

type Servers = Arc<Mutex<Vec<Server>>>;

pub(super) fn lock(servers: &Servers) -> MutexGuard<'_, Vec<Server>> {
    servers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers at the address that is returned for as long as this process lives.
pub(super) fn listen(servers: Servers) -> Result<String, Failure> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).while_("listening for tests")?;
    let address = listener
        .local_addr()
        .while_("listening for tests")?
        .to_string();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let _ = serve(stream, &servers);
        }
    });
    Ok(address)
}

fn serve(mut stream: TcpStream, servers: &Servers) -> std::io::Result<()> {
    let mut line = String::new();
    BufReader::new(stream.try_clone()?).read_line(&mut line)?;
    let answer = match obey(line.trim(), servers) {
        Ok(()) => "ok".to_owned(),
        Err(Failure::Said(why)) => format!("error: {}", why.replace('\n', " ")),
        Err(Failure::Exit(code)) => format!("error: {code}"),
    };
    writeln!(stream, "{answer}")
}

fn obey(line: &str, servers: &Servers) -> Result<(), Failure> {
    let (verb, name) = line.split_once(' ').unwrap_or((line, ""));
    let mut servers = lock(servers);
    let server = servers.iter_mut().find(|server| server.name == name);
    let server = server.ok_or_else(|| Failure::said(format!("there is no server `{name}`")))?;
    match verb {
        "kill" => {
            server.kill();
            Ok(())
        }
        "start" => server.run(),
        _ => Err(Failure::said(format!("`{verb}` is neither kill nor start"))),
    }
}
