//! Answers of Ollama.

#![no_main]

mod answer;

use libfuzzer_sys::fuzz_target;
use vernal_models::http::RetryPolicy;
use vernal_models::ollama::OllamaChatModel;

fuzz_target!(|data: &[u8]| {
    answer::check(data, "application/x-ndjson", |server| {
        OllamaChatModel::builder()
            
            .model("asked")
            .retry(RetryPolicy::never())
            .transport(server)
            .build()
            .expect("a model")
    });
});
