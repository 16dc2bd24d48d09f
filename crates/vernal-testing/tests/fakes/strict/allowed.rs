//! What a script lets pass, and that all else is checked as before.

use serde_json::json;
use vernal_testing::fake::{FakeApi, FakeServer, Script};

use super::changed;
use crate::bodies::good;
use crate::raw::Raw;

#[test]
fn a_script_may_allow_what_one_server_has_of_its_own() {
    let api = FakeApi::OpenAiChat;
    let script = Script::new()
        .says("Good.")
        .again()
        .allows("$.provider")
        .allows("$.messages[0]");
    let server = FakeServer::start(api, script);
    let body = changed(good(api), "/provider", &json!({"order": ["a"]}));
    let body = changed(body, "/messages/0/extra", &json!(1));
    assert_eq!(Raw::new(api, &body).json(&server).0, 200);
    for pointer in ["/providers", "/messages/1/extra"] {
        let (status, _) = Raw::new(api, &changed(body.clone(), pointer, &json!(1))).json(&server);
        assert_eq!(status, 400, "{pointer}");
    }
    assert_eq!(server.violations().len(), 2);
}

/// The request behind a gateway, which has a path, a parameter and the keys of its own.
fn behind_gateway(api: FakeApi) -> Raw {
    let mut request = Raw::new(api, &good(api));
    let mark = if request.target.contains('?') {
        '&'
    } else {
        '?'
    };
    request.target = format!("/team-a/llm{}{mark}tenant=a", request.target);
    request.headers = vec![("content-type", "application/json"), ("x-tenant", "a")];
    request
}

#[test]
fn a_script_may_allow_what_a_gateway_has_around_the_body() {
    for api in FakeApi::ALL {
        let script = Script::new()
            .says("Good.")
            .again()
            .allows("path /team-a/llm/")
            .allows("query tenant")
            .allows("header Authorization")
            .allows("header X-API-Key")
            .allows("header Api-Key")
            .allows("header x-goog-api-key")
            .allows("header anthropic-version");
        let server = FakeServer::start(api, script);
        let good = behind_gateway(api);
        let (status, body) = good.json(&server);
        assert_eq!(
            (status, server.violations()),
            (200, Vec::new()),
            "{api} {body}"
        );
        let recorded = server.requests().remove(0);
        assert!(recorded.target.starts_with("/team-a/llm/"), "{api}");
        for (target, place) in [
            (good.target.replace("tenant", "team"), "query team"),
            (good.target.replace("team-a", "team-b"), "path"),
            (good.target.replace("/llm", "/llms"), "path"),
        ] {
            let refused = Raw {
                target,
                ..good.clone()
            };
            assert_ne!(refused.json(&server).0, 200, "{api} {place}");
            let violations = server.requests().pop().unwrap().violations;
            assert!(
                violations.iter().any(|found| found.path == place),
                "{api} {violations:?}"
            );
        }
        // Without leave, each of these is refused.
        let server = FakeServer::start(api, Script::new().says("Good."));
        good.json(&server);
        let places = server.violations();
        let has = |place: &str| places.iter().any(|found| found.path.starts_with(place));
        assert!(has("path") && has("query tenant"), "{api} {places:?}");
        assert!(has("header ") || api == FakeApi::Ollama, "{api} {places:?}");
    }
}

#[test]
fn any_path_may_be_allowed() {
    let api = FakeApi::OpenAiChat;
    let server = FakeServer::start(api, Script::new().says("Good.").allows("path"));
    let target = "/anywhere".to_owned();
    let request = Raw {
        target,
        ..Raw::new(api, &good(api))
    };
    assert_eq!(request.json(&server).0, 200);
    server.verify();
}

#[test]
fn what_is_allowed_hides_no_other_rule() {
    let api = FakeApi::OpenAiChat;
    let script = Script::new()
        .says("Good.")
        .allows("$.provider")
        .allows("header authorization");
    let server = FakeServer::start(api, script);
    let body = changed(good(api), "/provider", &json!({"order": ["a"]}));
    let body = changed(body, "/messages/3/tool_call_id", &json!("x"));
    let request = Raw::new(api, &body).without("authorization");
    assert_eq!(request.json(&server).0, 400);
    assert_eq!(server.violations()[0].path, "$.messages[3].tool_call_id");
}
