//! Secrets that a server repeats, in whatever form and wherever it does.

use vernal_core::model::ChatModel;
use vernal_models::http::RetryPolicy;
use vernal_models::openai::OpenAiChatModel;

use crate::support::server::{Server, Step, json, response};
use crate::{HELLO, KEY, builder, check_secrets, error_of, model};

#[tokio::test]
async fn a_key_in_another_form_is_the_key() {
    let upper = KEY.to_uppercase();
    let percent = KEY.replace('-', "%2D");
    let twice = KEY.replace('-', "%252d");
    let escaped = KEY.replace('-', "\\\\u002d");
    for form in [&upper, &percent, &twice, &escaped] {
        let said = format!(r#"{{"error":{{"message":"Bad key: {form}.","code":"x"}}}}"#);
        let server = Server::start([json(401, &said)]).await;
        let error = error_of(&model(&server)).await.to_string();
        let found = error.contains("Bad key: [redacted].");
        assert!(found && !error.to_lowercase().contains("canary"), "{error}");
    }
}

#[tokio::test]
async fn a_key_that_is_cut_off_with_the_body_is_not_shown() {
    // As much as is read of an error's body ends in the middle of the key.
    let said = format!("{}Bad key: {KEY}", " ".repeat((64 << 10) - 19));
    let server = Server::start([response(401, &[], said)]).await;
    let error = error_of(&model(&server)).await;
    let shown = error.to_string();
    assert!(shown.contains("Bad key: [redacted]"), "{shown}");
    assert!(!shown.contains("sk-"), "{shown}");
    // So does what comes before the connection breaks.
    let begun = b"HTTP/1.1 401 X\r\ncontent-length: 99\r\n\r\nBad key: sk-can".to_vec();
    let server = Server::start([vec![Step::Write(begun), Step::Close]]).await;
    let shown = error_of(&model(&server)).await.to_string();
    assert!(shown.contains("Bad key: [redacted]"), "{shown}");
}

#[tokio::test]
async fn a_key_in_a_header_is_not_shown() {
    let id = [("x-request-id", KEY)];
    let script = [
        response(400, &id, "{}"),
        response(200, &id, HELLO),
        response(302, &[("location", &format!("http://{KEY}.example/"))], ""),
    ];
    let server = Server::start(script).await;
    let model = model(&server);
    let error = error_of(&model).await;
    assert_eq!(error.request_id(), None);
    let answer = model.call("Hi!".into()).await.unwrap();
    assert_eq!(answer.metadata.request_id, None);
    let error = error_of(&model).await.to_string();
    assert!(error.contains("http://[redacted].example"), "{error}");
}

#[tokio::test]
async fn what_the_query_of_the_base_url_says_is_secret() {
    let said = r#"{"error":{"message":"canary-1+2 or canary-1%2B2 is wrong for 2024-10-21"}}"#;
    let server = Server::start([json(401, said)]).await;
    let url = format!("{}?api-version=2024-10-21&key=canary-1%2B2", server.url);
    let error = error_of(&builder(&server).base_url(url).build().unwrap()).await;
    let shown = error.to_string();
    let expected = "[redacted] or [redacted] is wrong for 2024-10-21";
    assert!(shown.contains(expected), "{shown}");
    assert!(server.requests()[0].contains("key=canary-1%2B2"));
    // A server that is not there does not bring it to light either.
    let gone = OpenAiChatModel::builder()
        .base_url("http://127.0.0.1:1/v1?key=canary-12")
        .model("m")
        .retry(RetryPolicy::never());
    check_secrets(&error_of(&gone.build().unwrap()).await);
}
