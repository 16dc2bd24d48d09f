//! A client that sends what it is told to.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::Value;
use vernal_testing::fake::{FakeApi, FakeServer};

/// A request; its parts may be wrong.
#[derive(Clone)]
pub(crate) struct Raw {
    pub(crate) method: &'static str,
    pub(crate) target: String,
    pub(crate) headers: Vec<(&'static str, &'static str)>,
    pub(crate) body: String,
}

impl Raw {
    /// A request as the API wants it around the body.
    pub(crate) fn new(api: FakeApi, body: &Value) -> Self {
        let (target, headers) = match api {
            FakeApi::OpenAiChat => ("/v1/chat/completions", vec![("authorization", "Bearer k")]),
            FakeApi::OpenAiResponses => ("/v1/responses", vec![("authorization", "Bearer k")]),
            FakeApi::Anthropic => (
                "/v1/messages",
                vec![("x-api-key", "k"), ("anthropic-version", "2023-06-01")],
            ),
            FakeApi::Gemini => (
                "/v1beta/models/m:generateContent",
                vec![("x-goog-api-key", "k")],
            ),
            FakeApi::Ollama => ("/api/chat", Vec::new()),
            FakeApi::Bedrock => ("/model/m/converse", vec![("authorization", "Bearer k")]),
            FakeApi::AzureChat => (
                "/openai/deployments/d/chat/completions?api-version=2024-10-21",
                vec![("api-key", "k")],
            ),
            FakeApi::AzureResponses => ("/openai/v1/responses", vec![("api-key", "k")]),
            other => panic!("{other}"),
        };
        Self {
            method: "POST",
            target: target.to_owned(),
            headers: [headers, vec![("content-type", "application/json")]].concat(),
            body: body.to_string(),
        }
    }

    pub(crate) fn without(mut self, header: &str) -> Self {
        self.headers.retain(|(name, _)| *name != header);
        self
    }

    /// The status and the rest of the answer, head and body.
    pub(crate) fn send(&self, server: &FakeServer) -> (u16, String) {
        let address = server.origin();
        let mut stream = TcpStream::connect(address.trim_start_matches("http://")).unwrap();
        let mut request = format!("{} {} HTTP/1.1\r\nhost: x\r\n", self.method, self.target);
        for (name, value) in &self.headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str(&format!("content-length: {}\r\n\r\n", self.body.len()));
        request.push_str(&self.body);
        stream.write_all(request.as_bytes()).unwrap();
        // The server keeps the connection: the other side says that nothing more comes.
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.get(9..12).and_then(|status| status.parse().ok());
        (status.unwrap_or(0), answer)
    }

    /// The JSON of a whole answer.
    pub(crate) fn json(&self, server: &FakeServer) -> (u16, Value) {
        let (status, answer) = self.send(server);
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        (status, serde_json::from_str(body).unwrap())
    }
}
