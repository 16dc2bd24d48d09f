//! Answers of Gemini.

#![no_main]

mod answer;

use libfuzzer_sys::fuzz_target;
use vernal_models::http::RetryPolicy;
use vernal_models::gemini::GeminiChatModel;

fuzz_target!(|data: &[u8]| {
    answer::check(data, "text/event-stream", |server| {
        GeminiChatModel::builder()
            .api_key("key")
            .model("asked")
            .retry(RetryPolicy::never())
            .transport(server)
            .build()
            .expect("a model")
    });
});
