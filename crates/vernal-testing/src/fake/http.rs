//! As much of HTTP/1.1 as a server for tests needs.

use std::borrow::Cow;
use std::io::{self, BufRead, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

/// The longest head and the longest body of a request that are read.
const LONGEST_HEAD: u64 = 256 << 10;
const LONGEST_BODY: usize = 256 << 20;

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Incoming {
    pub(crate) method: String,
    /// Path and query.
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// How many bytes of the path a gateway has put before the API's.
    pub(crate) gateway: usize,
}

impl Incoming {
    /// The value of a header, whatever the case of its name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    /// The path, without what a gateway has put before it.
    pub(crate) fn path(&self) -> &str {
        let path = self.target.split('?').next().unwrap_or_default();
        path.get(self.gateway..).unwrap_or_default()
    }

    /// The parameters of the query.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = (&str, &str)> {
        let query = self.target.split_once('?').map(|(_, query)| query);
        let pairs = query.into_iter().flat_map(|query| query.split('&'));
        let pairs = pairs.filter(|pair| !pair.is_empty());
        pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")))
    }

    /// The value of a parameter of the query.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        let mut parameters = self.parameters();
        parameters
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }
}

/// The value of a header, whatever the case of its name.
pub(crate) fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = headers
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.as_str())
}

/// Reads the next request; `None` where the connection has ended.
pub(crate) fn read(from: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let mut head = from.take(LONGEST_HEAD);
    let Some(first) = read_line(&mut head)? else {
        return Ok(None);
    };
    let mut words = first.split(' ');
    let (Some(method), Some(target)) = (words.next(), words.next()) else {
        return Err(invalid("the first line is no request"));
    };
    let mut headers = Vec::new();
    loop {
        let line = read_line(&mut head)?.ok_or_else(|| invalid("the head ends early"))?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line
            .split_once(':')
            .ok_or_else(|| invalid("a header has no colon"))?;
        headers.push((name.to_owned(), value.trim().to_owned()));
    }
    let from = head.into_inner();
    let body = if header(&headers, "transfer-encoding").is_some() {
        read_chunks(from)?
    } else {
        let length = header(&headers, "content-length").map_or(Ok(0), str::parse);
        read_exactly(
            from,
            length.map_err(|_| invalid("content-length is no number"))?,
        )?
    };
    Ok(Some(Incoming {
        method: method.to_owned(),
        target: target.to_owned(),
        headers,
        body,
        gateway: 0,
    }))
}

fn read_line(from: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if from.read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.pop() != Some(b'\n') {
        return Err(invalid("a line of the head is too long or ends early"));
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    String::from_utf8(line)
        .map(Some)
        .map_err(|_| invalid("the head is no UTF-8"))
}

fn read_exactly(from: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    if length > LONGEST_BODY {
        return Err(invalid("the body is too long"));
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body)?;
    Ok(body)
}

fn read_chunks(from: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = read_line(from)?.ok_or_else(|| invalid("the chunks end early"))?;
        let size = line.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(size, 16).map_err(|_| invalid("a chunk has no size"))?;
        if body.len().saturating_add(size) > LONGEST_BODY {
            return Err(invalid("the body is too long"));
        }
        body.extend(read_exactly(from, size)?);
        // After the last chunk come trailers, after another one the end of its line.
        while read_line(from)?.is_some_and(|line| size == 0 && !line.is_empty()) {}
        if size == 0 {
            return Ok(body);
        }
    }
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// A response, and how its bytes travel.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Body,
    /// What is written at a time.
    pub(crate) writes: Vec<Vec<u8>>,
    pub(crate) pause: Duration,
    /// Whether the body comes to an end.
    pub(crate) is_ended: bool,
}

/// How the end of a body is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    /// By the number of its bytes, given beforehand.
    Sized(usize),
    /// By a last chunk.
    Chunked,
}

impl Response {
    pub(crate) fn write(&self, to: &mut TcpStream) -> io::Result<()> {
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        match self.body {
            Body::Sized(length) => head.push_str(&format!("content-length: {length}\r\n\r\n")),
            Body::Chunked => head.push_str("transfer-encoding: chunked\r\n\r\n"),
        }
        to.write_all(head.as_bytes())?;
        for (position, bytes) in self.writes.iter().enumerate() {
            if position > 0 && !self.pause.is_zero() {
                thread::sleep(self.pause);
            }
            to.write_all(&self.framed(bytes, position + 1 == self.writes.len()))?;
        }
        to.flush()
    }

    /// Bytes as the body's framing has them. The end comes with the last of them, so that a client
    /// sees at once that it may use the connection again.
    fn framed<'a>(&self, bytes: &'a [u8], is_last: bool) -> Cow<'a, [u8]> {
        if self.body != Body::Chunked {
            return Cow::Borrowed(bytes);
        }
        let end: &[u8] = if is_last && self.is_ended {
            b"\r\n0\r\n\r\n"
        } else {
            b"\r\n"
        };
        let size = format!("{:x}\r\n", bytes.len());
        Cow::Owned([size.as_bytes(), bytes, end].concat())
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        404 => "Not Found",
        405 => "Method Not Allowed",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        529 => "Overloaded",
        _ => "Said",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(bytes: &str) -> io::Result<Option<Incoming>> {
        read(&mut bytes.as_bytes())
    }

    #[test]
    fn requests_are_read_with_either_kind_of_body() {
        let sized = "POST /a?b=c&d=e HTTP/1.1\r\nContent-Length: 2\r\nX-A:  b \r\n\r\nhi";
        let request = parsed(sized).unwrap().unwrap();
        assert_eq!((request.method.as_str(), request.path()), ("POST", "/a"));
        assert_eq!((request.query("d"), request.query("x")), (Some("e"), None));
        assert_eq!(request.header("x-a"), Some("b"));
        assert_eq!(request.body, b"hi");
        let chunked = "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n\
                       1\r\nh\r\n1;x=y\r\ni\r\n0\r\nx: y\r\n\r\nrest";
        let mut from = chunked.as_bytes();
        assert_eq!(read(&mut from).unwrap().unwrap().body, b"hi");
        assert_eq!(from, b"rest");
    }

    #[test]
    fn what_is_no_request_is_an_error() {
        assert!(parsed("").unwrap().is_none());
        for broken in [
            "nonsense",
            "\r\n",
            "GET / HTTP/1.1\r\n",
            "GET / HTTP/1.1\r\nbroken\r\n\r\n",
            "GET / HTTP/1.1\r\ncontent-length: x\r\n\r\n",
            "GET / HTTP/1.1\r\ncontent-length: 9\r\n\r\nhi",
            "GET / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nz\r\n",
        ] {
            assert!(parsed(broken).is_err(), "{broken:?}");
        }
    }
}
