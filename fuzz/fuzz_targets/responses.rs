//! Answers of OpenAI Responses.

#![no_main]

mod answer;

use libfuzzer_sys::fuzz_target;
use vernal_models::http::RetryPolicy;
use vernal_models::openai::responses::OpenAiResponsesModel;

fuzz_target!(|data: &[u8]| {
    answer::check(data, "text/event-stream", |server| {
        OpenAiResponsesModel::builder()
            .base_url("http://127.0.0.1:1/v1")
            .model("asked")
            .retry(RetryPolicy::never())
            .transport(server)
            .build()
            .expect("a model")
    });
});
