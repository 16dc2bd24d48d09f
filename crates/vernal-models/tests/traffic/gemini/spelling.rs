//! One spelling of a request for what the server takes in several.

use serde_json::{Map, Value, json};

/// Names are in one case, what is `null` or the default says nothing, bytes are in one base64, and an
/// answer to a call stands under one name.
pub(super) fn normal(request: &Value) -> Value {
    let mut request = camel(request);
    if let Some(tools @ Value::Object(_)) = request.get_mut("tools") {
        *tools = Value::Array(vec![tools.take()]);
    }
    if let Some(config) = request.get_mut("toolConfig").and_then(Value::as_object_mut) {
        config.retain(|_, value| value["mode"] != "AUTO");
        if config.is_empty() {
            request.as_object_mut().unwrap().remove("toolConfig");
        }
    }
    if let Some(system) = request.get_mut("systemInstruction") {
        system.as_object_mut().unwrap().remove("role");
        let parts = system["parts"].as_array_mut().into_iter().flatten();
        parts.for_each(normal_part);
    }
    if request["generationConfig"] == json!({}) {
        request.as_object_mut().unwrap().remove("generationConfig");
    }
    for content in request["contents"].as_array_mut().unwrap() {
        for part in content["parts"].as_array_mut().unwrap() {
            normal_part(part);
        }
    }
    request
}

fn normal_part(part: &mut Value) {
    if part["thought"] == false {
        part.as_object_mut().unwrap().remove("thought");
    }
    if let Some(result) = part.get_mut("functionResponse") {
        normal_result(result);
    }
    if let Some(Value::String(data)) = part.pointer_mut("/inlineData/data") {
        *data = data.replace('-', "+").replace('_', "/");
    }
}

/// An answer that is neither under `output` nor under `error` is taken whole for the output.
fn normal_result(result: &mut Value) {
    if let Some(said) = result.get_mut("response").filter(|said| said.is_object()) {
        let only = match said.as_object().map(Map::len) {
            Some(1) => ["output", "error", "return_value", "result"]
                .into_iter()
                .find(|name| said.get(name).is_some()),
            _ => None,
        };
        match only {
            Some("output" | "error") => {}
            Some(name) => *said = json!({"output": said[name]}),
            None => *said = json!({"output": said}),
        }
    }
    let inner = result.get_mut("parts").and_then(Value::as_array_mut);
    inner.into_iter().flatten().for_each(normal_part);
}

/// Fields whose values are the application's own.
const OWN: [&str; 6] = [
    "args",
    "response",
    "parameters",
    "parametersJsonSchema",
    "responseJsonSchema",
    "responseSchema",
];

fn camel(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut named = Map::new();
            for (name, value) in fields.iter().filter(|(_, value)| !value.is_null()) {
                let name = camel_name(name);
                let value = if OWN.contains(&&*name) {
                    value.clone()
                } else {
                    camel(value)
                };
                named.insert(name, value);
            }
            Value::Object(named)
        }
        Value::Array(items) => items.iter().map(camel).collect(),
        other => other.clone(),
    }
}

fn camel_name(name: &str) -> String {
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}
