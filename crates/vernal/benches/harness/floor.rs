//! The least that the job can cost: an HTTP client and a buffer to which messages are appended.

use serde::{Deserialize, Serialize};

use super::{fillers, tool_result};

pub struct Floor {
    http: reqwest::Client,
    url: String,
    tools: String,
}

#[derive(Deserialize)]
struct Response {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
    #[serde(default)]
    tool_calls: Vec<Call>,
}

#[derive(Deserialize, Serialize)]
struct Call {
    id: String,
    r#type: String,
    function: Function,
}

#[derive(Deserialize, Serialize)]
struct Function {
    name: String,
    arguments: String,
}

#[derive(Deserialize)]
struct Arguments {
    city: String,
}

impl Floor {
    pub fn new(base_url: &str) -> Self {
        let real = r#"{"type":"function","function":{"name":"get_weather","description":"Get the weather for a city","parameters":{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city","days"]}}}"#;
        let fillers = fillers().map(|(name, description, schema)| {
            format!(
                r#"{{"type":"function","function":{{"name":"{name}","description":"{description}","parameters":{schema}}}}}"#
            )
        });
        let tools: Vec<_> = std::iter::once(real.to_owned()).chain(fillers).collect();
        // Another part of the build turns TLS on without choosing who provides its cryptography.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Self {
            http: reqwest::Client::new(),
            url: format!("{base_url}/chat/completions"),
            tools: format!("[{}]", tools.join(",")),
        }
    }

    pub async fn run(&self, model: &str) -> String {
        let mut messages = String::from(
            r#"{"role":"system","content":"You are a helpful agent."},{"role":"user","content":"What is the weather?"}"#,
        );
        loop {
            let mut body = String::with_capacity(messages.len() + self.tools.len() + 128);
            for part in [
                r#"{"model":""#,
                model,
                r#"","messages":["#,
                &messages,
                r#"],"tools":"#,
                &self.tools,
                "}",
            ] {
                body.push_str(part);
            }
            let request = self.http.post(&self.url).bearer_auth("k");
            let request = request
                .header("content-type", "application/json")
                .body(body);
            let bytes = request.send().await.unwrap().bytes().await.unwrap();
            let response: Response = serde_json::from_slice(&bytes).unwrap();
            let message = response.choices.into_iter().next().unwrap().message;
            if message.tool_calls.is_empty() {
                return message.content.unwrap();
            }
            messages.push_str(r#",{"role":"assistant","content":null,"tool_calls":"#);
            messages.push_str(&serde_json::to_string(&message.tool_calls).unwrap());
            messages.push('}');
            for call in message.tool_calls {
                let at: Arguments = serde_json::from_str(&call.function.arguments).unwrap();
                messages.push_str(r#",{"role":"tool","tool_call_id":""#);
                messages.push_str(&call.id);
                messages.push_str(r#"","content":"#);
                messages.push_str(&serde_json::to_string(&tool_result(&at.city)).unwrap());
                messages.push('}');
            }
        }
    }
}
