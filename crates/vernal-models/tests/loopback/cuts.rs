//! Bodies that end in good order and before the answer does, as behind a gateway that lost its server.

use vernal_core::model::ChatModel;

use crate::support::server::{Server, Step, event, events_end, events_head, json};
use crate::support::view::{collect, view};
use crate::{HELLO, chunk, error_of, model, stop};

const CLOSE: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";

/// A body whose end is that of the connection.
fn until_closed(body: &str) -> Vec<Step> {
    vec![Step::Write(format!("{CLOSE}{body}").into()), Step::Close]
}

/// A chunked body with its last chunk.
fn chunked(body: &str) -> Vec<Step> {
    let piece = format!("{:x}\r\n{body}\r\n", body.len());
    vec![events_head(), Step::Write(piece.into()), events_end()]
}

fn hello() -> Vec<Step> {
    vec![
        events_head(),
        chunk(r#"{"content":"Hello."}"#),
        stop(),
        event("[DONE]"),
        events_end(),
    ]
}

const WORD: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hel\"}}]}\n\n";
const STOP: &str =
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";

#[tokio::test]
async fn half_an_event_is_none() {
    for half in [
        "data: {\"choi",
        "dat",
        "data: {\"choices\":[]}\ndata: {",
        // Whole, and yet no end of an answer.
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3}}\n\n",
    ] {
        for end in [chunked, until_closed] {
            // Nothing was told: again.
            let server = Server::start([end(half), hello()]).await;
            let (_, ended) = collect(model(&server).stream("Hi!".into())).await;
            assert_eq!(view(&ended.unwrap()).text, "Hello.", "{half}");
            assert_eq!(server.requests().len(), 2);
            // Something was: that it may help to ask again is told.
            let server = Server::start([end(&format!("{WORD}{half}"))]).await;
            let (told, ended) = collect(model(&server).stream("Hi!".into())).await;
            let error = ended.unwrap_err();
            assert_eq!(told.text, "Hel");
            assert!(error.is_connection() && error.is_retryable(), "{error}");
        }
    }
}

#[tokio::test]
async fn a_last_event_without_its_blank_line_is_one() {
    for body in [
        format!("{WORD}{}", STOP.trim_end()),
        format!("{WORD}{STOP}data: [DONE]"),
        format!("{WORD}data: [DONE]\n"),
    ] {
        for end in [chunked, until_closed] {
            let server = Server::start([end(&body)]).await;
            let (_, ended) = collect(model(&server).stream("Hi!".into())).await;
            assert_eq!(view(&ended.unwrap()).text, "Hel", "{body}");
        }
    }
}

#[tokio::test]
async fn a_cut_after_the_reason_to_end_does_not_spoil_the_answer() {
    let body = format!("{WORD}{STOP}data: {{\"choices\":[],\"usage\":{{\"prompt_");
    let mut broken = chunked(&body);
    broken.pop();
    broken.push(Step::Close);
    for script in [chunked(&body), until_closed(&body), broken] {
        let server = Server::start([script]).await;
        let (_, ended) = collect(model(&server).stream("Hi!".into())).await;
        assert_eq!(view(&ended.unwrap()).text, "Hel");
    }
}

#[tokio::test]
async fn half_an_answer_whose_length_nobody_told_was_cut() {
    for half in ["{\"choices\":[{\"mess", "", " \n", "{\"id\":\"한"] {
        for end in [chunked, until_closed] {
            if half.is_empty() && end(half).len() == chunked(half).len() {
                continue; // An empty chunk is the last one.
            }
            let server = Server::start([end(half), json(200, HELLO)]).await;
            let answer = model(&server).call("Hi!".into()).await.unwrap();
            assert_eq!(view(&answer).text, "Hello.", "{half}");
            let server = Server::start(vec![end(half); 3]).await;
            let error = error_of(&model(&server)).await;
            assert!(error.is_connection() && error.is_retryable(), "{error}");
            assert_eq!(server.requests().len(), 3);
        }
    }
}
