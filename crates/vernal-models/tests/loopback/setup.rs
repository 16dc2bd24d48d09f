//! What a model needs before it can be asked: a key that is one, and a runtime.

use std::future::Future;

use futures::StreamExt;
use futures::executor::block_on;
use tokio::runtime::{Builder, Runtime};
use vernal_core::model::{ChatModel, ModelError, ModelErrorKind, Prompt};
use vernal_models::http::RetryPolicy;
use vernal_models::openai::OpenAiChatModel;

use crate::HELLO;
use crate::support::server::{Server, json};

#[tokio::test]
async fn a_blank_key_is_no_key() {
    for blank in ["", " \n"] {
        let openai = OpenAiChatModel::builder().api_key(blank).model("m");
        let error = openai.build().unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Configuration);
        assert!(error.to_string().contains("api_key"), "{error}");

        let server = Server::start([json(200, HELLO)]).await;
        let here = OpenAiChatModel::builder().base_url(server.url.clone());
        let here = here.api_key(blank).model("m").build().unwrap();
        here.call("Hi!".into()).await.unwrap();
        let request = server.requests().remove(0).to_lowercase();
        assert!(!request.contains("authorization"), "{request}");
    }
}

/// How calls end that are made by `run`, whole and streamed.
fn errors(run: impl Fn(Box<dyn Future<Output = ModelError> + Unpin>) -> ModelError) {
    let model = OpenAiChatModel::builder()
        .base_url("http://127.0.0.1:1/v1")
        .model("m")
        .retry(RetryPolicy::never())
        .build()
        .unwrap();
    let prompt = Prompt::from("Hi!");
    let call = model.call(prompt.clone());
    let mut stream = model.stream(prompt);
    let called = Box::pin(async move { call.await.unwrap_err() });
    let streamed = Box::pin(async move { stream.next().await.unwrap().unwrap_err() });
    for error in [run(Box::new(called)), run(Box::new(streamed))] {
        assert_eq!(error.kind(), ModelErrorKind::Configuration, "{error}");
        assert!(!error.is_retryable());
        assert!(error.to_string().contains("enable_all"), "{error}");
    }
}

#[test]
fn without_a_runtime_a_call_is_an_error_and_no_panic() {
    errors(block_on);
    let in_runtime = |runtime: Runtime| move |call| runtime.block_on(call);
    errors(in_runtime(Builder::new_current_thread().build().unwrap()));
    let timed = Builder::new_current_thread().enable_time().build();
    errors(in_runtime(timed.unwrap()));
    let connected = Builder::new_current_thread().enable_io().build();
    errors(in_runtime(connected.unwrap()));
}
