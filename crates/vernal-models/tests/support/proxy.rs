//! A proxy on this machine: it passes on what comes, in the clear, in a tunnel, or by SOCKS 5, and
//! keeps what it was asked for.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

pub struct Proxy {
    /// Its host and port.
    pub address: String,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    /// A proxy that wants these credentials, if any, as `Basic …`.
    pub async fn start(wants: Option<&'static str>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let kept = heads.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(serve(client, wants, kept.clone()));
            }
        });
        Self { address, heads }
    }

    /// The heads of what came, one for each connection.
    pub fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

async fn serve(
    mut client: TcpStream,
    wants: Option<&'static str>,
    heads: Arc<Mutex<Vec<String>>>,
) -> Option<()> {
    let mut first = [0];
    client.peek(&mut first).await.ok()?;
    if first == [5] {
        return serve_socks(client, heads).await;
    }
    let mut come = Vec::new();
    let end = loop {
        if let Some(at) = come.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        if client.read_buf(&mut come).await.ok()? == 0 {
            return None;
        }
    };
    let rest = come.split_off(end);
    let head = String::from_utf8(come).unwrap();
    heads.lock().unwrap().push(head.clone());
    let credentials = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("proxy-authorization")
            .then_some(value)
    });
    if wants.is_some() && credentials != wants {
        let said = credentials.unwrap_or("nothing");
        let page = format!("<html>you said {said}</html>");
        let refused = format!(
            "HTTP/1.1 407 X\r\nproxy-authenticate: Basic\r\ncontent-length: {}\r\n\r\n{page}",
            page.len()
        );
        return client.write_all(refused.as_bytes()).await.ok();
    }
    let (line, fields) = head.split_once("\r\n").unwrap();
    let mut words = line.split(' ');
    let (method, target) = (words.next().unwrap(), words.next().unwrap());
    let mut server = if method == "CONNECT" {
        let server = TcpStream::connect(target).await.ok()?;
        client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.ok()?;
        server
    } else {
        let place = target.strip_prefix("http://").unwrap();
        let (address, path) = place.split_once('/').unwrap();
        let mut server = TcpStream::connect(address).await.ok()?;
        let head = format!("{method} /{path} HTTP/1.1\r\n{fields}");
        server.write_all(head.as_bytes()).await.ok()?;
        server
    };
    server.write_all(&rest).await.ok()?;
    copy_bidirectional(&mut client, &mut server).await.ok()?;
    Some(())
}

/// Without credentials, to an address of four numbers.
async fn serve_socks(mut client: TcpStream, heads: Arc<Mutex<Vec<String>>>) -> Option<()> {
    let mut hello = [0; 2];
    client.read_exact(&mut hello).await.ok()?;
    let mut methods = vec![0; usize::from(hello[1])];
    client.read_exact(&mut methods).await.ok()?;
    client.write_all(&[5, 0]).await.ok()?;
    let mut wish = [0; 10];
    client.read_exact(&mut wish).await.ok()?;
    let [5, 1, 0, 1, a, b, c, d, high, low] = wish else {
        return None;
    };
    let address = format!("{a}.{b}.{c}.{d}:{}", u16::from_be_bytes([high, low]));
    heads.lock().unwrap().push(format!("SOCKS {address}"));
    let mut server = TcpStream::connect(address).await.ok()?;
    let done = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    client.write_all(&done).await.ok()?;
    copy_bidirectional(&mut client, &mut server).await.ok()?;
    Some(())
}
