//! A stretch of network between a test and a server, which can get slow or break.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Way {
    /// Everything gets through.
    Open,
    /// Connections stay, and nothing gets through.
    Stalled,
    /// Connections break, and new ones break at once.
    Cut,
}

pub struct Proxy {
    pub address: SocketAddr,
    way: watch::Sender<Way>,
}

impl Proxy {
    pub async fn to(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (way, current) = watch::channel(Way::Open);
        let server = Arc::new(server);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(join(client, server.clone(), current.clone()));
            }
        });
        Self { address, way }
    }

    pub fn set(&self, way: Way) {
        self.way.send_replace(way);
    }
}

async fn join(client: TcpStream, server: Arc<String>, way: watch::Receiver<Way>) {
    if *way.borrow() == Way::Cut {
        return;
    }
    let Ok(server) = TcpStream::connect(server.as_str()).await else {
        return;
    };
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    tokio::join!(
        carry(from_client, to_server, way.clone()),
        carry(from_server, to_client, way),
    );
}

async fn carry(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut way: watch::Receiver<Way>) {
    let mut cut = way.clone();
    let work = async {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(count @ 1..) = from.read(&mut buffer).await {
            if way.wait_for(|way| *way != Way::Stalled).await.is_err() {
                return;
            }
            if to.write_all(&buffer[..count]).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = work => {}
        _ = cut.wait_for(|way| *way == Way::Cut) => {}
    }
}

/// The host and port in a URL.
pub fn host_and_port(url: &str) -> String {
    let rest = url.split_once("://").unwrap().1;
    let authority = rest.split('/').next().unwrap();
    authority.rsplit('@').next().unwrap().to_owned()
}

/// Longer than any wait that a test sets.
pub const PATIENCE: Duration = Duration::from_secs(8);
