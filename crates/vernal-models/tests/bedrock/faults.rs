//! Streams in which the service fails, and frames that were damaged.

use vernal_core::model::{ChatModel, ModelErrorKind};

use crate::frames::{event, exception, frame};
use crate::support::canned::Canned;
use crate::support::view::collect;
use crate::{heard, model::builder, streaming};
use vernal_models::http::HttpLimits;

fn begun() -> Vec<u8> {
    event(
        "contentBlockDelta",
        r#"{"contentBlockIndex":0,"delta":{"text":"Hel"}}"#,
    )
}

#[tokio::test]
async fn exceptions_in_a_stream_are_told_apart() {
    use ModelErrorKind as Kind;
    for (name, message, kind, code, retryable) in [
        (
            "internalServerException",
            "oops",
            Kind::Server,
            "InternalServerException",
            true,
        ),
        (
            "modelStreamErrorException",
            "bad",
            Kind::Server,
            "ModelStreamErrorException",
            true,
        ),
        (
            "serviceUnavailableException",
            "busy",
            Kind::Server,
            "ServiceUnavailableException",
            true,
        ),
        (
            "modelTimeoutException",
            "slow",
            Kind::Timeout,
            "ModelTimeoutException",
            true,
        ),
        (
            "validationException",
            "no tools",
            Kind::InvalidRequest,
            "ValidationException",
            false,
        ),
        (
            "validationException",
            "Input is too long for requested model.",
            Kind::ContextLength,
            "ValidationException",
            false,
        ),
        (
            "accessDeniedException",
            "not you",
            Kind::Authentication,
            "AccessDeniedException",
            false,
        ),
        (
            "futureException",
            "new",
            Kind::Server,
            "FutureException",
            true,
        ),
    ] {
        let body = format!(r#"{{"message":"{message}"}}"#);
        let (told, end) = heard([begun(), exception(name, &body)].concat()).await;
        assert_eq!(told.text, "Hel");
        let error = end.unwrap_err();
        assert_eq!((error.kind(), error.code()), (kind, Some(code)));
        assert_eq!(error.is_retryable(), retryable, "{error}");
        let text = error.to_string();
        assert!(
            text.contains("in the middle of its answer") && text.contains(message),
            "{text}"
        );
    }
}

#[tokio::test]
async fn an_exception_tells_what_was_beneath_it() {
    let body =
        r#"{"message":"The model failed","originalStatusCode":529,"originalMessage":"Overloaded"}"#;
    let (_, end) = heard(exception("modelStreamErrorException", body)).await;
    let text = end.unwrap_err().to_string();
    assert!(text.ends_with(": The model failed (Overloaded)"), "{text}");
}

#[tokio::test]
async fn errors_without_a_model_of_them_are_told_too() {
    let headers = [
        (":message-type", "error"),
        (":error-code", "InternalFailure"),
        (":error-message", "The server fell over"),
    ];
    let (_, end) = heard(frame(&headers, b"")).await;
    let error = end.unwrap_err();
    assert_eq!(error.code(), Some("InternalFailure"));
    assert!(
        error.to_string().contains("The server fell over"),
        "{error}"
    );
    let (_, end) = heard(frame(
        &[(":message-type", "exception")],
        br#"{"message":"who?"}"#,
    ))
    .await;
    assert!(end.unwrap_err().to_string().contains("who?"));
}

#[tokio::test]
async fn damaged_frames_end_the_stream() {
    let damaged = |at: usize| {
        let mut frame = begun();
        frame[at] ^= 1;
        [begun(), frame].concat()
    };
    let last = begun().len() - 1;
    for at in [0, 5, 9, 20, last - 10, last] {
        let (told, end) = heard(damaged(at)).await;
        assert_eq!(told.text, "Hel");
        let error = end.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Response);
        assert!(error.to_string().contains("checksum"), "{error}");
    }
    let (_, end) = heard(frame(&[(":event-type", "contentBlockDelta")], b"\xff")).await;
    assert!(end.unwrap_err().to_string().contains("UTF-8"));
    let (_, end) = heard(event("contentBlockDelta", "no json")).await;
    assert!(end.unwrap_err().to_string().contains("no JSON"));
}

#[tokio::test]
async fn frames_beyond_the_limit_are_refused_before_they_are_read() {
    let canned = streaming(event("contentBlockDelta", &"x".repeat(2000)));
    for piece in [1, usize::MAX] {
        let model = builder(&canned.clone().in_pieces(piece))
            .limits(HttpLimits::default().with_event(1024))
            .build()
            .unwrap();
        let (_, end) = collect(model.stream("hi".into())).await;
        assert!(end.unwrap_err().to_string().contains("the limit `event`"));
    }
}

#[tokio::test]
async fn an_answer_that_comes_whole_though_a_stream_was_asked_for_is_told() {
    let (told, end) = collect(
        builder(&Canned::new(crate::HELLO))
            .build()
            .unwrap()
            .stream("hi".into()),
    )
    .await;
    assert_eq!(told.text, "Hello.");
    assert_eq!(end.unwrap().content(), "Hello.");
}
