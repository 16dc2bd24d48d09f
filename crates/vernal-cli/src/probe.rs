//! Asking model servers which models they have.

use std::time::Duration;

use futures::future::join_all;
use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::choose::{Found, Key};
use crate::url::Url;

/// Where servers listen that people run on their own machine.
const USUAL: [(&str, &str); 3] = [
    ("Ollama", "http://127.0.0.1:11434/v1"),
    ("llama.cpp", "http://127.0.0.1:8080/v1"),
    ("LM Studio", "http://127.0.0.1:1234/v1"),
];

/// A server of this machine that does not answer in this time is not waited for.
const PATIENCE: Duration = Duration::from_millis(300);

/// A list of models is never this long.
const LONGEST: usize = 1 << 20;

/// The servers of this machine that answer, in the order of preference.
pub(crate) async fn servers_of_this_machine() -> Vec<Found> {
    let usual = USUAL
        .iter()
        .filter_map(|(program, url)| Some((*program, Url::parse(url).ok()?)));
    answering(usual, PATIENCE).await
}

async fn answering(
    servers: impl IntoIterator<Item = (&'static str, Url)>,
    patience: Duration,
) -> Vec<Found> {
    let asked = servers.into_iter().map(|(program, base_url)| async move {
        let models = models_of(&base_url, None, patience).await.ok()?;
        Some(Found {
            program,
            base_url,
            models,
        })
    });
    join_all(asked).await.into_iter().flatten().collect()
}

/// The names of the models that a server lists.
///
/// # Errors
/// One line that says why there is no list.
pub(crate) async fn models_of(
    base_url: &Url,
    key: Option<&Key>,
    patience: Duration,
) -> Result<Vec<String>, String> {
    let answer = tokio::time::timeout(patience, get_models(base_url, key)).await;
    let answer = answer.map_err(|_| format!("it did not answer within {patience:?}"))?;
    let answer = answer.map_err(|error| error.to_string())?;
    read(&answer)
}

/// HTTP/1.0, so that the answer ends with the connection and comes in one piece.
async fn get_models(base_url: &Url, key: Option<&Key>) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(base_url.address()).await?;
    let bearer = match key {
        // A line break in it would begin a header of its own.
        Some(key) if !key.value.contains(char::is_control) => {
            format!("Authorization: Bearer {}\r\n", key.value)
        }
        _ => String::new(),
    };
    let request = format!(
        "GET {}/models HTTP/1.0\r\nHost: {}\r\nAccept: application/json\r\n{bearer}\r\n",
        base_url.path(),
        base_url.host()
    );
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    let mut piece = [0; 8192];
    while answer.len() < LONGEST && !is_whole(&answer) {
        match stream.read(&mut piece).await? {
            0 => break,
            length => answer.extend_from_slice(piece.get(..length).unwrap_or_default()),
        }
    }
    Ok(answer)
}

/// The head and the body, once the head is there.
fn split(answer: &[u8]) -> Option<(&str, &[u8])> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    Some((
        str::from_utf8(answer.get(..end)?).ok()?,
        answer.get(end + 4..)?,
    ))
}

/// Whether the body is as long as the head says, so that the end of the connection need not be
/// waited for.
fn is_whole(answer: &[u8]) -> bool {
    let Some((head, body)) = split(answer) else {
        return false;
    };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length
            .then(|| value.trim().parse::<usize>().ok())
            .flatten()
    });
    length.is_some_and(|length| body.len() >= length)
}

#[derive(Deserialize)]
struct List {
    data: Vec<Model>,
}

#[derive(Deserialize)]
struct Model {
    id: String,
}

fn read(answer: &[u8]) -> Result<Vec<String>, String> {
    let (head, body) = split(answer).ok_or("what it answered is no HTTP")?;
    let status = head.split_whitespace().nth(1).unwrap_or_default();
    if status != "200" {
        return Err(format!("it answered with the status {status}"));
    }
    let list: List =
        serde_json::from_slice(body).map_err(|_| "it answered with no list of models")?;
    Ok(list.data.into_iter().map(|model| model.id).collect())
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    /// A server that gives this answer once and then keeps the connection open.
    async fn serve(answer: &'static str) -> (Url, tokio::task::JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let served = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 4096];
            let length = stream.read(&mut request).await.unwrap();
            stream.write_all(answer.as_bytes()).await.unwrap();
            let _ = stream.read(&mut [0; 1]).await;
            String::from_utf8(request[..length].to_vec()).unwrap()
        });
        (Url::parse(&url).unwrap(), served)
    }

    const LIST: &str = "HTTP/1.1 200 OK\r\ncontent-length: 37\r\n\r\n{\"data\":[{\"id\":\"qwen3\",\"owned_by\":1}]}";

    #[tokio::test]
    async fn a_server_tells_its_models() {
        let (url, served) = serve(LIST).await;
        let key = Key {
            variable: "K".to_owned(),
            value: "sk-1".to_owned(),
        };
        let models = models_of(&url, Some(&key), Duration::from_secs(5)).await;
        assert_eq!(models, Ok(vec!["qwen3".to_owned()]));
        let request = served.await.unwrap();
        assert!(
            request.starts_with("GET /v1/models HTTP/1.0\r\n"),
            "{request}"
        );
        assert!(
            request.contains("\r\nAuthorization: Bearer sk-1\r\n"),
            "{request}"
        );
    }

    #[tokio::test]
    async fn servers_that_do_not_answer_are_passed_over() {
        let (good, _) = serve(LIST).await;
        let (other, _) = serve("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n").await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let closed = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        drop(listener);
        let mut servers = vec![("closed", closed), ("other", other)];
        for _ in 0..4 {
            servers.push(("silent", serve("").await.0));
        }
        servers.push(("good", good));
        let (patience, began) = (Duration::from_secs(1), std::time::Instant::now());
        let found = answering(servers, patience).await;
        let programs: Vec<_> = found.iter().map(|found| found.program).collect();
        assert_eq!(programs, ["good"]);
        assert!(
            began.elapsed() < patience * 3,
            "they are asked at the same time"
        );
    }

    #[test]
    fn what_is_no_list_is_told() {
        for (answer, problem) in [
            ("", "no HTTP"),
            ("HTTP/1.1 401 Unauthorized\r\n\r\n", "status 401"),
            ("HTTP/1.1 200 OK\r\n\r\n<html>", "no list of models"),
            ("HTTP/1.1 200 OK\r\n\r\n{\"data\":{}}", "no list of models"),
        ] {
            assert!(
                read(answer.as_bytes()).unwrap_err().contains(problem),
                "{answer}"
            );
        }
    }
}
