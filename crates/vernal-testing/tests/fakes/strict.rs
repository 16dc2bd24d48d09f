//! Each rule, broken once.

use serde_json::{Value, json};
use vernal_testing::fake::{FakeApi, FakeServer, Script};

use crate::bodies::good;
use crate::raw::Raw;

/// A change to a good body, and what is said of it. `null` takes the place out; a place that ends in
/// `/-` is added to a list.
type Row = (&'static str, Value, &'static str);

fn changed(mut body: Value, pointer: &str, value: &Value) -> Value {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let place = body
        .pointer_mut(parent)
        .unwrap_or_else(|| panic!("{parent}"));
    match place {
        Value::Array(items) if name == "-" => items.push(value.clone()),
        Value::Array(items) if value.is_null() => drop(items.remove(name.parse().unwrap())),
        Value::Array(items) => items[name.parse::<usize>().unwrap()] = value.clone(),
        Value::Object(members) if value.is_null() => drop(members.remove(name).unwrap()),
        Value::Object(members) => drop(members.insert(name.to_owned(), value.clone())),
        other => panic!("{other}"),
    }
    body
}

/// The message in an API's error body.
fn message_of(api: FakeApi, body: &Value) -> &str {
    let message = match api {
        FakeApi::Ollama => &body["error"],
        _ => &body["error"]["message"],
    };
    message.as_str().unwrap()
}

fn check(api: FakeApi, rows: &[Row]) {
    let server = FakeServer::start(api, Script::new().says("Good.").again());
    let (status, _) = Raw::new(api, &good(api)).json(&server);
    assert_eq!((status, server.violations()), (200, Vec::new()), "{api}");
    let mut wrong = Vec::new();
    for (pointer, value, said) in rows {
        let body = changed(good(api), pointer, value);
        let (status, body) = Raw::new(api, &body).json(&server);
        if status != 400 || message_of(api, &body) == "" {
            wrong.push(format!("{pointer}: {status} {body}"));
            continue;
        }
        let found = server.requests().pop().unwrap().violations;
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        if !found.iter().any(|found| found.starts_with(said)) {
            wrong.push(format!("{pointer}: {found:?}, not {said:?}"));
        }
        assert_eq!(message_of(api, &body), found[0]);
    }
    assert!(wrong.is_empty(), "{api}:\n{}", wrong.join("\n"));
}

#[test]
fn openai_chat() {
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "now", "arguments": "{}"}});
    check(
        FakeApi::OpenAiChat,
        &[
            ("/model", json!(null), "$: `model` is missing"),
            ("/model", json!(""), "$.model: a text that is not empty"),
            ("/messages", json!([]), "$.messages: wanted 1 to"),
            ("/top_k", json!(3), "$.top_k: no such field"),
            (
                "/temperature",
                json!(3),
                "$.temperature: wanted a number from 0 to 2",
            ),
            (
                "/temperature",
                json!("warm"),
                "$.temperature: wanted a number",
            ),
            (
                "/messages/0/role",
                json!("robot"),
                "$.messages[0].role: wanted `developer`",
            ),
            (
                "/messages/0/extra",
                json!(1),
                "$.messages[0].extra: no such field",
            ),
            (
                "/messages/1/content/0/type",
                json!("input_text"),
                "$.messages[1].content[0].type: wanted `text`",
            ),
            (
                "/messages/1/content/1/image_url",
                json!("data:"),
                "$.messages[1].content[1].image_url: wanted an object",
            ),
            (
                "/messages/2/tool_calls/0/function/arguments",
                json!({}),
                "$.messages[2].tool_calls[0].function.arguments: wanted a text",
            ),
            (
                "/messages/2/tool_calls/0/function/arguments",
                json!("{"),
                "$.messages[2].tool_calls[0].function.arguments: wanted the text of a JSON object",
            ),
            (
                "/messages/2/tool_calls/0/function/name",
                json!("get weather"),
                "$.messages[2].tool_calls[0].function.name: wanted a name",
            ),
            (
                "/messages/2/tool_calls/0/id",
                json!(null),
                "$.messages[2].tool_calls[0]: `id` is missing",
            ),
            (
                "/messages/2/tool_calls/-",
                call("b"),
                "$.messages[2].tool_calls[2]: another call has the id `b` too",
            ),
            (
                "/messages/2/tool_calls/-",
                call("c"),
                "$.messages: no tool message answers the calls c",
            ),
            (
                "/messages/3",
                json!({"role": "user", "content": "So?"}),
                "$.messages[3]: a message of the role `user` comes before the calls a, b",
            ),
            (
                "/messages/3/tool_call_id",
                json!("x"),
                "$.messages[3].tool_call_id: `x` is no open call",
            ),
            (
                "/messages/-",
                json!({"role": "tool", "tool_call_id": "a", "content": ""}),
                "$.messages[5].tool_call_id: `a` is no open call",
            ),
            (
                "/messages/4",
                json!(null),
                "$.messages: no tool message answers the calls a",
            ),
            (
                "/messages/4/tool_call_id",
                json!(null),
                "$.messages[4]: `tool_call_id` is missing",
            ),
            (
                "/messages/-",
                json!({"role": "assistant"}),
                "$.messages[5]: an assistant's message has `content`",
            ),
            (
                "/messages/2/reasoning_content",
                json!("Hm."),
                "$.messages[2].reasoning_content: no such field",
            ),
            (
                "/tools/0/function/name",
                json!("a".repeat(65)),
                "$.tools[0].function.name: wanted a name",
            ),
            (
                "/tools/0/function/name",
                json!("now"),
                "$.tools[1]: another tool is called `now`",
            ),
            (
                "/tools/0/function/parameters/type",
                json!("string"),
                "$.tools[0].function.parameters: a tool's schema has",
            ),
            (
                "/tools/0/function/parameters/additionalProperties",
                json!(null),
                "$.tools[0].function.parameters: a strict schema has",
            ),
            (
                "/tools/0/function/parameters/required",
                json!([]),
                "$.tools[0].function.parameters.properties.city: a strict schema requires",
            ),
            (
                "/tools/0/function/parameters/required/-",
                json!("town"),
                "$.tools[0].function.parameters.required[1]: \"town\" is no property",
            ),
            (
                "/tools/0/type",
                json!("tool"),
                "$.tools[0].type: wanted `function`",
            ),
            (
                "/tools",
                json!(null),
                "$.tool_choice: it is allowed only where `tools` are",
            ),
            ("/tool_choice", json!("any"), "$.tool_choice: wanted `none`"),
            (
                "/tool_choice/function/name",
                json!("later"),
                "$.tool_choice: `later` is no tool",
            ),
            (
                "/stream_options",
                json!({"include_usage": true}),
                "$.stream_options: only a stream has options",
            ),
            (
                "/stop",
                json!(["1", "2", "3", "4", "5"]),
                "$.stop: wanted 1 to 4 items",
            ),
        ],
    );
}

#[test]
fn openai_responses() {
    check(
        FakeApi::OpenAiResponses,
        &[
            ("/model", json!(null), "$: `model` is missing"),
            ("/input", json!([]), "$.input: wanted 1 to"),
            ("/messages", json!([]), "$.messages: no such field"),
            (
                "/input/0/content/0/type",
                json!("text"),
                "$.input[0].content[0].type: wanted `input_text`",
            ),
            (
                "/input/0/role",
                json!("tool"),
                "$.input[0].role: wanted `user`",
            ),
            (
                "/input/0/type",
                json!("note"),
                "$.input[0].type: `note` is no kind of item",
            ),
            (
                "/input/1/summary",
                json!(null),
                "$.input[1]: `summary` is missing",
            ),
            (
                "/input/2/arguments",
                json!({}),
                "$.input[2].arguments: wanted a text",
            ),
            (
                "/input/2/call_id",
                json!(null),
                "$.input[2]: `call_id` is missing",
            ),
            (
                "/input/3/call_id",
                json!("a"),
                "$.input[3].call_id: another call has the id `a`",
            ),
            (
                "/input/4/call_id",
                json!("x"),
                "$.input[4].call_id: `x` is no call before it",
            ),
            (
                "/input/5",
                json!(null),
                "$.input: no `function_call_output` answers the calls b",
            ),
            (
                "/input/-",
                json!({"type": "reasoning", "id": "rs_2", "summary": []}),
                "$.input[6]: reasoning comes with the item",
            ),
            (
                "/previous_response_id",
                json!("resp_x"),
                "$.previous_response_id: `resp_x` is no response",
            ),
            (
                "/tools/0/function",
                json!({}),
                "$.tools[0].function: no such field",
            ),
            (
                "/tools/0/name",
                json!("get weather"),
                "$.tools[0].name: wanted a name",
            ),
            (
                "/tools/0/name",
                json!("now"),
                "$.tools[1]: another tool is called `now`",
            ),
            (
                "/tools/0/parameters/additionalProperties",
                json!(null),
                "$.tools[0].parameters: a strict schema has",
            ),
            (
                "/tool_choice/name",
                json!("later"),
                "$.tool_choice: `later` is no tool",
            ),
            (
                "/tools",
                json!(null),
                "$.tool_choice: it is allowed only where `tools` are",
            ),
            (
                "/max_output_tokens",
                json!(1),
                "$.max_output_tokens: wanted a whole number of at least 16",
            ),
        ],
    );
}

#[test]
fn anthropic() {
    let result = json!({"type": "tool_result", "tool_use_id": "a", "content": ""});
    check(
        FakeApi::Anthropic,
        &[
            ("/max_tokens", json!(null), "$: `max_tokens` is missing"),
            (
                "/max_tokens",
                json!(0),
                "$.max_tokens: wanted a whole number of at least 1",
            ),
            (
                "/frequency_penalty",
                json!(1),
                "$.frequency_penalty: no such field",
            ),
            (
                "/temperature",
                json!(1.5),
                "$.temperature: wanted a number from 0 to 1",
            ),
            (
                "/system/0/text",
                json!(""),
                "$.system[0].text: a text that is not empty",
            ),
            (
                "/messages/0/role",
                json!("tool"),
                "$.messages[0].role: wanted `user`",
            ),
            (
                "/messages/0/content/0/text",
                json!(""),
                "$.messages[0].content[0].text: a text that is not empty",
            ),
            (
                "/messages/0/content/1/source/media_type",
                json!("image/tiff"),
                "$.messages[0].content[1].source.media_type: wanted `image/jpeg`",
            ),
            (
                "/messages/0/content/1/source/data",
                json!("?"),
                "$.messages[0].content[1].source.data: wanted base64",
            ),
            (
                "/messages/1/content/0/signature",
                json!(null),
                "$.messages[1].content[0]: `signature` is missing",
            ),
            (
                "/messages/1/content/1/input",
                json!("{}"),
                "$.messages[1].content[1].input: wanted an object",
            ),
            (
                "/messages/1/content/1/id",
                json!("a b"),
                "$.messages[1].content[1].id: wanted an id",
            ),
            (
                "/messages/1/content/2/id",
                json!("a"),
                "$.messages[1].content[2].id: another `tool_use` has the id `a`",
            ),
            (
                "/messages/2/content/0",
                json!(null),
                "$.messages[2]: each `tool_use` has its `tool_result`",
            ),
            (
                "/messages/2",
                json!(null),
                "$.messages: each `tool_use` has its `tool_result`",
            ),
            (
                "/messages/2/content/0/tool_use_id",
                json!("x"),
                "$.messages[2].content[0].tool_use_id: `x` is no `tool_use`",
            ),
            (
                "/messages/2/content/-",
                result,
                "$.messages[2].content[3]: the results come before anything else",
            ),
            (
                "/messages/2/content/0/name",
                json!("weather"),
                "$.messages[2].content[0].name: no such field",
            ),
            (
                "/tools/0/parameters",
                json!({}),
                "$.tools[0].parameters: no such field",
            ),
            (
                "/tools/0/name",
                json!("get weather"),
                "$.tools[0].name: wanted a name",
            ),
            (
                "/tools/0/name",
                json!("now"),
                "$.tools[1]: another tool is called `now`",
            ),
            (
                "/tools/0/input_schema",
                json!({"type": "string"}),
                "$.tools[0].input_schema: a tool's schema has",
            ),
            (
                "/tools",
                json!(null),
                "$.tool_choice: it is allowed only where `tools` are",
            ),
            (
                "/tool_choice",
                json!({"type": "tool", "name": "later"}),
                "$.tool_choice: `later` is no tool",
            ),
            (
                "/tool_choice",
                json!({"type": "any"}),
                "$.tool_choice: with `thinking` the choice is",
            ),
            (
                "/tool_choice/type",
                json!("required"),
                "$.tool_choice.type: wanted `auto`",
            ),
            (
                "/thinking/budget_tokens",
                json!(5000),
                "$.thinking.budget_tokens: it is less than `max_tokens`",
            ),
            (
                "/thinking/budget_tokens",
                json!(10),
                "$.thinking.budget_tokens: wanted a whole number of at least 1024",
            ),
            (
                "/system",
                json!([mark(), mark(), mark(), mark(), mark()]),
                "$: at most 4 blocks have `cache_control`, found 5",
            ),
        ],
    );
}

fn mark() -> Value {
    json!({"type": "text", "text": "t", "cache_control": {"type": "ephemeral", "ttl": "1h"}})
}

#[test]
fn gemini() {
    let answer = |name: &str| json!({"functionResponse": {"name": name, "response": {}}});
    check(
        FakeApi::Gemini,
        &[
            ("/contents", json!([]), "$.contents: wanted 1 to"),
            ("/messages", json!([]), "$.messages: no such field"),
            (
                "/contents/0/role",
                json!("assistant"),
                "$.contents[0].role: wanted `user`",
            ),
            (
                "/contents/0/parts",
                json!([]),
                "$.contents[0].parts: wanted 1 to",
            ),
            (
                "/contents/0/parts/0/thought",
                json!("no"),
                "$.contents[0].parts[0].thought: wanted true or false",
            ),
            (
                "/contents/0/parts/0",
                json!({}),
                "$.contents[0].parts[0]: a part is one of",
            ),
            (
                "/contents/0/parts/0/fileData",
                json!({"fileUri": "u"}),
                "$.contents[0].parts[0]: a part is one of",
            ),
            (
                "/contents/0",
                json!(null),
                "$.contents[0]: the first content is the user's",
            ),
            (
                "/contents/1/role",
                json!("user"),
                "$.contents[1]: only the model calls functions",
            ),
            (
                "/contents/1/parts/0/functionCall/args",
                json!("{}"),
                "$.contents[1].parts[0].functionCall.args: wanted an object",
            ),
            (
                "/contents/1/parts/0/functionCall/name",
                json!("1st"),
                "$.contents[1].parts[0].functionCall.name: wanted a name",
            ),
            (
                "/contents/2/parts/0/functionResponse/response",
                json!("Sunny"),
                "$.contents[2].parts[0].functionResponse.response: wanted an object",
            ),
            (
                "/contents/2/parts/0/functionResponse/name",
                json!(null),
                "$.contents[2].parts[0].functionResponse: `name` is missing",
            ),
            (
                "/contents/2/parts/0/functionResponse/name",
                json!("later"),
                "$.contents[2]: the answer of `later`",
            ),
            (
                "/contents/2/parts/0/functionResponse/id",
                json!("x"),
                "$.contents[2]: the answer of `weather` with the id `x`",
            ),
            (
                "/contents/2/parts/1",
                json!(null),
                "$.contents[2]: as many answers as calls",
            ),
            (
                "/contents/2/parts/-",
                answer("now"),
                "$.contents[2]: as many answers as calls",
            ),
            (
                "/contents/2/parts/-",
                json!({"text": "So?"}),
                "$.contents[2]: answers of functions stand in a content of their own",
            ),
            (
                "/contents/2",
                json!(null),
                "$.contents: as many answers as calls",
            ),
            (
                "/contents/0",
                json!({"role": "model", "parts": [{"text": "Hi."}]}),
                "$.contents[1]: a turn of calls comes right after",
            ),
            (
                "/tools/0/functionDeclarations/0/parameters",
                json!({"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}),
                "$.tools[0].functionDeclarations[0].parameters: `parametersJsonSchema` stands",
            ),
            (
                "/tools/0/functionDeclarations/0/name",
                json!("get weather"),
                "$.tools[0].functionDeclarations[0].name: wanted a name",
            ),
            (
                "/tools/0/functionDeclarations/0/name",
                json!("now"),
                "$.tools[1]: another tool is called `now`",
            ),
            (
                "/tools/0/functionDeclarations/1/parameters/$schema",
                json!("x"),
                "$.tools[0].functionDeclarations[1].parameters.$schema: no such field",
            ),
            (
                "/tools/0/functionDeclarations/1/parameters/type",
                json!("TEXT"),
                "$.tools[0].functionDeclarations[1].parameters.type: wanted one of",
            ),
            (
                "/tools",
                json!(null),
                "$.toolConfig.functionCallingConfig: it is allowed only where",
            ),
            (
                "/toolConfig/functionCallingConfig/mode",
                json!("AUTO"),
                "$.toolConfig.functionCallingConfig.allowedFunctionNames: names are allowed only",
            ),
            (
                "/toolConfig/functionCallingConfig/allowedFunctionNames",
                json!(["later"]),
                "$.toolConfig.functionCallingConfig.allowedFunctionNames[0]: `later` is no tool",
            ),
            (
                "/generationConfig/max_tokens",
                json!(1),
                "$.generationConfig.max_tokens: no such field",
            ),
        ],
    );
}

#[test]
fn ollama() {
    check(
        FakeApi::Ollama,
        &[
            ("/model", json!(null), "$: `model` is missing"),
            (
                "/tool_choice",
                json!("auto"),
                "$.tool_choice: no such field",
            ),
            (
                "/options/max_tokens",
                json!(1),
                "$.options.max_tokens: no such field",
            ),
            ("/think", json!("much"), "$.think: wanted `low`"),
            (
                "/messages/0/role",
                json!("developer"),
                "$.messages[0].role: wanted `system`",
            ),
            (
                "/messages/0/content",
                json!([]),
                "$.messages[0].content: wanted a text",
            ),
            (
                "/messages/1/images",
                json!(["data:image/png;base64,aGk="]),
                "$.messages[1].images[0]: wanted base64",
            ),
            (
                "/messages/1/tool_calls",
                json!([{"function": {"name": "now", "arguments": {}}}]),
                "$.messages[1].tool_calls: only the assistant has it",
            ),
            (
                "/messages/1/tool_name",
                json!("now"),
                "$.messages[1].tool_name: only a tool's message",
            ),
            (
                "/messages/2/tool_calls/0/function/arguments",
                json!("{}"),
                "$.messages[2].tool_calls[0].function.arguments: wanted an object",
            ),
            (
                "/messages/3/tool_call_id",
                json!("x"),
                "$.messages[3]: `x` is no open call",
            ),
            (
                "/messages/3/tool_name",
                json!("now"),
                "$.messages[3].tool_name: the call is one of `weather`",
            ),
            (
                "/messages/4/tool_name",
                json!(null),
                "$.messages[4]: a tool's message has `tool_name`",
            ),
            (
                "/messages/4",
                json!(null),
                "$.messages: no tool's message answers the calls of now",
            ),
            (
                "/messages/3",
                json!({"role": "user", "content": "So?"}),
                "$.messages[3]: no tool's message answers the calls of weather, now",
            ),
            (
                "/messages/-",
                json!({"role": "tool", "content": "", "tool_name": "now"}),
                "$.messages[5]: `now` is no open call",
            ),
            (
                "/tools/0/function/parameters",
                json!(null),
                "$.tools[0].function: `parameters` is missing",
            ),
            (
                "/tools/0/function/strict",
                json!(true),
                "$.tools[0].function.strict: no such field",
            ),
            (
                "/tools/0/function/name",
                json!("now"),
                "$.tools[1]: another tool is called `now`",
            ),
        ],
    );
}

#[test]
fn what_stands_around_the_body() {
    for (api, change, status, said) in [
        (
            FakeApi::OpenAiChat,
            "authorization",
            401,
            "header authorization: a key",
        ),
        (
            FakeApi::OpenAiResponses,
            "authorization",
            401,
            "header authorization: a key",
        ),
        (
            FakeApi::Anthropic,
            "x-api-key",
            401,
            "header x-api-key: a key",
        ),
        (
            FakeApi::Anthropic,
            "anthropic-version",
            400,
            "header anthropic-version: it is missing",
        ),
        (
            FakeApi::Gemini,
            "x-goog-api-key",
            403,
            "header x-goog-api-key: a key",
        ),
        (
            FakeApi::Ollama,
            "content-type",
            415,
            "header content-type: wanted",
        ),
    ] {
        let server = FakeServer::start(api, Script::new().says("Good.").again());
        let good = Raw::new(api, &good(api));
        let cases = [
            (good.clone().without(change), status, said),
            (
                Raw {
                    target: "/v2/nowhere".into(),
                    ..good.clone()
                },
                404,
                "path: wanted `/",
            ),
            (
                Raw {
                    method: "PUT",
                    ..good.clone()
                },
                405,
                "method: the method is POST",
            ),
            (
                Raw {
                    body: "{".into(),
                    ..good.clone()
                },
                400,
                "$: the body is no JSON",
            ),
        ];
        for (request, status, said) in cases {
            let (found, body) = request.json(&server);
            assert_eq!(found, status, "{api} {body}");
            let message = message_of(api, &body);
            assert!(message.starts_with(said), "{api}: {message}");
        }
        assert!(!server.violations().is_empty());
    }
    let api = FakeApi::Anthropic;
    let server = FakeServer::start(api, Script::new());
    let mut request = Raw::new(api, &good(api)).without("anthropic-version");
    request.headers.push(("anthropic-version", "2024-01-01"));
    assert_eq!(request.json(&server).0, 400);
    assert_eq!(server.violations()[0].path, "header anthropic-version");
    let api = FakeApi::Gemini;
    let server = FakeServer::start(api, Script::new().says("Good."));
    let target = "/v1beta/models/m:streamGenerateContent".to_owned();
    let request = Raw {
        target,
        ..Raw::new(api, &good(api))
    };
    assert_eq!(request.json(&server).0, 400);
    assert_eq!(server.violations()[0].path, "query alt");
}

#[test]
fn broken_rules_and_a_script_that_does_not_fit_are_not_overlooked() {
    let said = |end: &dyn Fn(FakeServer), script: Script, body: &Value| {
        let server = FakeServer::start(FakeApi::OpenAiChat, script);
        Raw::new(FakeApi::OpenAiChat, body).send(&server);
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| end(server)));
        panic.err().map(|panic| {
            panic
                .downcast::<String>()
                .map_or_else(|_| "?".into(), |text| *text)
        })
    };
    let verify = |server: FakeServer| server.verify();
    let good = good(FakeApi::OpenAiChat);
    let bad = changed(good.clone(), "/top_k", &json!(1));
    let one = || Script::new().says("Good.");
    let rule = "request 1: $.top_k: no such field is documented here";
    assert_eq!(said(&verify, one(), &good), None);
    assert_eq!(said(&drop, one(), &good), None);
    for end in [&verify as &dyn Fn(FakeServer), &drop] {
        let text = said(end, one(), &bad).unwrap();
        assert!(
            text.starts_with("the fake server for openai-chat") && text.contains(rule),
            "{text}"
        );
        let text = said(end, Script::new(), &good).unwrap();
        assert!(
            text.contains("script: it has no step for request 1"),
            "{text}"
        );
    }
    let text = said(&verify, one().says("More."), &good).unwrap();
    assert!(
        text.contains("1 more steps that nobody asked for"),
        "{text}"
    );
    let looked = |server: FakeServer| assert_eq!(server.violations().len(), 1);
    assert_eq!(said(&looked, one(), &bad), None);
}

#[test]
fn what_an_answer_wants_back_has_to_come_back() {
    use vernal_testing::Reply;
    let reply = Reply::empty().and_reasoning("Hm.").and_call("now", "{}");
    for (api, list, said) in [
        (
            FakeApi::Anthropic,
            "messages",
            "beside the call `toolu_fake00000001x00` stood",
        ),
        (
            FakeApi::Gemini,
            "contents",
            "beside the call `fake00000001x00` stood",
        ),
        (
            FakeApi::OpenAiResponses,
            "input",
            "the call `call_fake00000001x00` comes without the reasoning",
        ),
    ] {
        let server = FakeServer::start(api, Script::new().replies(reply.clone()).says("Noon."));
        let (_, answer) = Raw::new(api, &good(api)).json(&server);
        let (items, result) = match api {
            FakeApi::Anthropic => (
                vec![json!({"role": "assistant", "content": [answer["content"][1]]})],
                json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_fake00000001x00"}]}),
            ),
            FakeApi::Gemini => {
                let mut call = answer["candidates"][0]["content"]["parts"][1].clone();
                call.as_object_mut()
                    .unwrap()
                    .remove("thoughtSignature")
                    .unwrap();
                (
                    vec![json!({"role": "model", "parts": [call]})],
                    json!({"role": "user", "parts": [{"functionResponse": {"id": "fake00000001x00", "name": "now", "response": {}}}]}),
                )
            }
            _ => (
                vec![answer["output"][1].clone()],
                json!({"type": "function_call_output", "call_id": "call_fake00000001x00", "output": ""}),
            ),
        };
        let mut body = good(api);
        let all = body[list].as_array_mut().unwrap();
        all.extend(items);
        all.push(result);
        let (status, _) = Raw::new(api, &body).json(&server);
        let found = server.violations();
        assert!(
            status == 400 && found[0].rule.starts_with(said),
            "{api}: {found:?}"
        );
    }
}
