//! What stands around a body, what comes after it, and how a test hears of it.

use serde_json::{Value, json};
use vernal_testing::fake::{FakeApi, FakeServer, Script};

use super::{changed, message_of};
use crate::bodies::good;
use crate::raw::Raw;

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
            FakeApi::Bedrock,
            "authorization",
            403,
            "header authorization: a signature is wanted",
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
            FakeApi::Bedrock,
            "messages",
            "beside the call `tooluse_fake00000001x00` stood",
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
            FakeApi::Bedrock => (
                vec![
                    json!({"role": "assistant", "content": [answer["output"]["message"]["content"][1]]}),
                ],
                json!({"role": "user", "content": [{"toolResult": {"toolUseId": "tooluse_fake00000001x00", "content": []}}]}),
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
