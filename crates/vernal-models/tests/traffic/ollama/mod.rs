//! Ollama's own `/api/chat`.

mod take_apart;

use std::sync::Arc;

use futures::FutureExt;
use serde_json::Value;
use vernal_core::model::ChatModel;
use vernal_models::http::RetryPolicy;
use vernal_models::ollama::OllamaChatModel;

use crate::Dialect;
use crate::hearing::told_whole;
use crate::native;
use crate::support::canned::Canned;
use crate::taken::sent;

pub(crate) const DIALECT: Dialect = Dialect {
    name: "ollama-chat",
    reader: &["read_ollama.py"],
    least: 10,
    model,
    compare: native::compare,
    told: told_whole,
    write: |recorded| write(recorded).boxed(),
    normal,
    differences: include_str!("differences.txt"),
};

fn model(canned: &Canned) -> Arc<dyn ChatModel> {
    let builder = OllamaChatModel::builder().model("asked");
    let builder = builder.retry(RetryPolicy::never());
    Arc::new(builder.transport(canned.clone()).build().unwrap())
}

async fn write(recorded: &Value) -> Result<Value, String> {
    let prompt = take_apart::take_apart(recorded)?;
    let canned = Canned::new("{}");
    sent(
        &canned,
        &*model(&canned),
        prompt,
        recorded["stream"] == true,
    )
    .await
}

/// Settings of which there are none say nothing.
fn normal(request: &Value) -> Value {
    let mut request = request.clone();
    if request["options"]
        .as_object()
        .is_some_and(|options| options.is_empty())
    {
        request.as_object_mut().unwrap().remove("options");
    }
    request
}
