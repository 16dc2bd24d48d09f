//! Rules about sizes, about what only some models refuse, and about what is kept from request to request.

use serde_json::{Value, json};
use vernal_testing::fake::{FakeApi, FakeServer, Script};

use super::changed;
use crate::bodies::good;
use crate::raw::Raw;

/// What is found wrong with a request.
fn found(request: &Raw, api: FakeApi) -> Vec<String> {
    let server = FakeServer::start(api, Script::new().says("Good."));
    request.json(&server);
    server
        .violations()
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn anthropic_tools(schemas: impl Iterator<Item = Value>) -> Value {
    let tool = |(index, schema): (usize, Value)| json!({"name": format!("t{index}"), "strict": true, "input_schema": schema});
    schemas.enumerate().map(tool).collect()
}

/// An object with so many properties of a kind.
fn object(count: usize, kind: &Value, is_required: bool) -> Value {
    let names: Vec<String> = (0..count).map(|index| format!("p{index}")).collect();
    let properties: Value = names
        .iter()
        .map(|name| (name.clone(), kind.clone()))
        .collect();
    let required = if is_required { names } else { Vec::new() };
    json!({
        "type": "object", "properties": properties, "required": required,
        "additionalProperties": false,
    })
}

#[test]
fn anthropic_takes_so_much_of_strict_tools() {
    let text = json!({"type": "string"});
    let either = json!({"type": ["string", "null"]});
    let choice = json!({"anyOf": [{"type": "string"}, {"type": "null"}]});
    let many = |count: usize, schema: Value| anthropic_tools(std::iter::repeat_n(schema, count));
    for (tools, said) in [
        (many(20, object(1, &text, true)), None),
        (
            many(21, object(0, &text, true)),
            Some("too many strict tools (21)"),
        ),
        (many(12, object(2, &text, false)), None),
        (
            many(5, object(5, &text, false)),
            Some("schemas contain too many optional parameters (25"),
        ),
        (many(16, object(1, &either, true)), None),
        (
            many(1, object(17, &choice, true)),
            Some("schemas contain too many parameters with union types (17"),
        ),
    ] {
        let mut body = changed(good(FakeApi::Anthropic), "/tools", &tools);
        // Tools that are not strict do not count.
        let loose = json!({"name": "loose", "input_schema": object(30, &either, false)});
        body["tools"].as_array_mut().unwrap().push(loose);
        let found = found(&Raw::new(FakeApi::Anthropic, &body), FakeApi::Anthropic);
        match said {
            None => assert_eq!(found, Vec::<String>::new()),
            Some(said) => assert!(
                found.len() == 1 && found[0].starts_with(&format!("$.tools: {said}")),
                "{found:?}"
            ),
        }
    }
}

#[test]
fn openai_takes_so_much_of_a_strict_schema() {
    let text = json!({"type": "string"});
    let mut deep = text.clone();
    for _ in 0..10 {
        deep = object(1, &deep, true);
    }
    let values: Vec<String> = (0..1001).map(|value| value.to_string()).collect();
    for (schema, said) in [
        (deep.clone(), None),
        (object(1, &deep, true), Some("at most 10 levels, found 11")),
        (object(5000, &text, true), None),
        (
            object(5001, &text, true),
            Some("at most 5000 properties, found 5001"),
        ),
        (
            object(1, &json!({"type": "string", "enum": values}), true),
            Some("at most 1000 values of enumerations, found 1001"),
        ),
    ] {
        for (api, place) in [
            (FakeApi::OpenAiChat, "/tools/0/function/parameters"),
            (FakeApi::OpenAiResponses, "/tools/0/parameters"),
        ] {
            let found = found(&Raw::new(api, &changed(good(api), place, &schema)), api);
            match said {
                None => assert_eq!(found, Vec::<String>::new()),
                Some(said) => assert!(found.len() == 1 && found[0].ends_with(said), "{found:?}"),
            }
        }
    }
}

#[test]
fn what_only_some_models_refuse() {
    let bedrock = FakeApi::Bedrock;
    let of = |model: &str, body: &Value| {
        let mut request = Raw::new(bedrock, body);
        request.target = format!("/model/{model}/converse");
        found(&request, bedrock)
    };
    let text = changed(
        good(bedrock),
        "/messages/2/content/-",
        &json!({"text": "So?"}),
    );
    let document = json!({"document": {
        "name": "a", "format": "pdf", "source": {"bytes": "aGk="},
    }});
    let with_document = changed(text.clone(), "/messages/2/content/-", &document);
    let no_status = changed(
        good(bedrock),
        "/messages/2/content/0/toolResult/status",
        &json!(null),
    );
    let image = json!({"image": {"format": "png", "source": {"bytes": "aGk="}}});
    let with_image = changed(
        no_status.clone(),
        "/messages/2/content/0/toolResult/content/-",
        &image,
    );
    for (model, body, said) in [
        ("amazon.nova-pro-v1:0", &with_document, None),
        ("us.meta.llama4-v1%3A0", &no_status, None),
        (
            "us.meta.llama4-v1%3A0",
            &text,
            Some("takes no other block beside"),
        ),
        ("mistral.large", &text, Some("takes no other block beside")),
        ("writer.palmyra-x5-v1:0", &no_status, None),
        (
            "writer.palmyra-x5-v1:0",
            &good(bedrock),
            Some("takes no `status`"),
        ),
        ("us.anthropic.claude-v1:0", &with_document, None),
        ("qwen.qwen3-v1:0", &with_image, Some("takes no media")),
        ("us.anthropic.claude-v1:0", &with_image, None),
    ] {
        let found = of(model, body);
        match said {
            None => assert_eq!(found, Vec::<String>::new(), "{model}"),
            Some(said) => assert!(
                found.len() == 1
                    && found[0].starts_with("$.messages[2]: `")
                    && found[0].contains(said),
                "{model}: {found:?}"
            ),
        }
    }
}

#[test]
fn gemini_3_wants_the_calls_of_its_turn_signed() {
    let api = FakeApi::Gemini;
    let body = changed(
        good(api),
        "/contents/1/parts/0/thoughtSignature",
        &json!(null),
    );
    let earlier = changed(
        body.clone(),
        "/contents/-",
        &json!({"role": "model", "parts": [{"text": "Noon."}]}),
    );
    let earlier = changed(
        earlier,
        "/contents/-",
        &json!({"role": "user", "parts": [{"text": "And?"}]}),
    );
    for (model, body, said) in [
        ("gemini-2.5-flash", &body, None),
        ("gemini-3-pro", &good(api), None),
        ("gemini-3-pro", &earlier, None),
        (
            "gemini-3-pro",
            &body,
            Some("$.contents[1]: Function call `weather` is missing a thought_signature"),
        ),
    ] {
        let mut request = Raw::new(api, body);
        request.target = format!("/v1beta/models/{model}:generateContent");
        assert_eq!(found(&request, api), Vec::from_iter(said), "{model}");
    }
    // The server signs what it then wants back, whatever the script says of reasoning.
    let server = FakeServer::start(api, Script::new().calls("now", "{}"));
    let mut request = Raw::new(api, &good(api));
    request.target = "/v1beta/models/gemini-3-pro:generateContent".to_owned();
    let (_, answer) = request.json(&server);
    let part = &answer["candidates"][0]["content"]["parts"][0];
    assert!(part["thoughtSignature"].is_string(), "{answer}");
}

#[test]
fn what_was_not_to_be_stored_cannot_be_gone_on_from() {
    let api = FakeApi::OpenAiResponses;
    for (stored, status) in [(json!(true), 200), (json!(null), 200), (json!(false), 400)] {
        let server = FakeServer::start(api, Script::new().says("Good.").again());
        let (_, first) = Raw::new(api, &changed(good(api), "/store", &stored)).json(&server);
        let next = json!({"model": "m", "input": "And?", "previous_response_id": first["id"]});
        assert_eq!(Raw::new(api, &next).json(&server).0, status, "{stored}");
        let _ = server.violations();
    }
}

#[test]
fn anthropic_takes_no_more_than_32_megabytes() {
    let api = FakeApi::Anthropic;
    let server = FakeServer::start(api, Script::new().says("Good."));
    let body = changed(good(api), "/system/0/text", &json!("x".repeat(33 << 20)));
    let (status, body) = Raw::new(api, &body).json(&server);
    assert_eq!(
        (status, &body["error"]["type"]),
        (413, &json!("request_too_large"))
    );
    let _ = server.violations();
}
