use super::*;
use ::http::StatusCode;

fn classified(status: u16, body: &str) -> ModelError {
    let status = StatusCode::from_u16(status).unwrap();
    let reply = ErrorReply {
        status,
        headers: &::http::HeaderMap::new(),
        body,
        origin: "http://h",
    };
    classify(&reply, "usually ends in /v1")
}

#[test]
fn the_shapes_of_errors() {
    for (body, message, code) in [
        (
            r#"{"error":{"message":"m","type":"t","code":"c"}}"#,
            "m",
            Some("c"),
        ),
        (
            r#"{"error":{"message":"m","type":"t","code":500}}"#,
            "m",
            Some("t"),
        ),
        (r#"{"error":{"message":"m","code":500}}"#, "m", Some("500")),
        (r#"{"error":"m"}"#, "m", None),
        (
            r#"[{"error":{"message":"m","status":"INVALID_ARGUMENT","code":400}}]"#,
            "m",
            Some("INVALID_ARGUMENT"),
        ),
        (
            r#"{"object":"error","message":"m","type":"BadRequestError","code":400}"#,
            "m",
            Some("BadRequestError"),
        ),
        (r#"{"detail":[{"msg":"m"}]}"#, r#"[{"msg":"m"}]"#, None),
        (r#"{"detail":"m"}"#, "m", None),
        ("m", "m", None),
        ("\"m\"", "m", None),
        ("", "it said nothing more", None),
        ("<html><body>502", "an HTML page", None),
        ("[]", "it said nothing more", None),
    ] {
        let error = classified(400, body);
        let text = error.to_string();
        assert!(text.ends_with(&format!(": {message}")), "{body}: {text}");
        assert_eq!(error.code(), code, "{body}");
    }
}

#[test]
fn kinds_come_from_the_code_then_from_the_status() {
    use ModelErrorKind as Kind;
    for (status, body, kind) in [
        (401, "", Kind::Authentication),
        (403, "", Kind::Authentication),
        (402, "", Kind::Quota),
        (404, "", Kind::InvalidRequest),
        (429, "", Kind::RateLimit),
        (
            429,
            r#"{"error":{"code":"insufficient_quota"}}"#,
            Kind::Quota,
        ),
        (
            400,
            r#"{"error":{"code":"context_length_exceeded"}}"#,
            Kind::ContextLength,
        ),
        (
            400,
            r#"{"error":{"message":"This model's maximum context length is 8"}}"#,
            Kind::ContextLength,
        ),
        (
            400,
            r#"{"error":{"code":"x","innererror":{"code":"ResponsibleAIPolicyViolation"}}}"#,
            Kind::ContentFilter,
        ),
        (
            400,
            r#"{"error":{"code":"content_filter"}}"#,
            Kind::ContentFilter,
        ),
        (
            400,
            r#"{"error":{"code":"tool_use_failed"}}"#,
            Kind::InvalidRequest,
        ),
        (407, "", Kind::Configuration),
        (500, "", Kind::Server),
        (529, "", Kind::Server),
    ] {
        assert_eq!(classified(status, body).kind(), kind, "{status} {body}");
    }
}

#[test]
fn long_texts_are_cut_and_stay_on_one_line() {
    let body = format!("a\nb\t{}", "한".repeat(1000));
    let text = classified(500, &body).to_string();
    assert!(
        text.len() < 600 && !text.contains('\n') && text.ends_with('…'),
        "{text}"
    );
    assert!(text.contains(": a b 한"));
}

#[test]
fn an_error_in_an_answer_is_told_apart_by_its_name() {
    use ModelErrorKind as Kind;
    let redactor = crate::http::Redactor::default();
    let origin = Origin {
        server: "http://h",
        request_id: None,
        redactor: &redactor,
        base_url: "ends in /v1",
        is_open_ended: false,
    };
    for (raw, kind) in [
        (r#"{"error":{"type":"overloaded_error"}}"#, Kind::Server),
        (r#"{"error":{"type":"rate_limit_error"}}"#, Kind::RateLimit),
        (r#"{"error":{"type":"timeout_error"}}"#, Kind::Timeout),
        (r#"{"error":{"code":"server_error"}}"#, Kind::Server),
        (
            r#"{"error":{"code":"invalid_prompt"}}"#,
            Kind::InvalidRequest,
        ),
        (
            r#"{"error":{"code":"image_too_large"}}"#,
            Kind::InvalidRequest,
        ),
        (r#"{"error":{"code":"insufficient_quota"}}"#, Kind::Quota),
        (
            r#"{"type":"error","code":"invalid_prompt"}"#,
            Kind::InvalidRequest,
        ),
        (r#"{"type":"error","code":"server_error"}"#, Kind::Server),
        (r#"{"error":{"code":501}}"#, Kind::Server),
        (r#"{"error":"boom"}"#, Kind::Server),
    ] {
        let error = error_said(raw, ErrorPlace::InStream, &origin);
        assert_eq!(error.kind(), kind, "{raw}");
    }
    let busy = r#"{"error":{"code":429,"details":[{"retryDelay":"1.5s"}]}}"#;
    let error = error_said(busy, ErrorPlace::InStream, &origin);
    assert_eq!(error.retry_after(), Some(Duration::from_millis(1500)));
    for nonsense in ["\"-1s\"", "\"s\"", "\"1e99s\"", "17", "null"] {
        let said = format!(r#"[{{"error":{{"details":[{{}},{{"retryDelay":{nonsense}}}]}}}}]"#);
        assert_eq!(classified(429, &said).retry_after(), None, "{nonsense}");
    }
    let said = r#"[{"error":{"details":[{},{"retryDelay":"17s"}]}}]"#;
    let wait = classified(429, said).retry_after();
    assert_eq!(wait, Some(Duration::from_secs(17)));
}
