//! Gemini `generateContent`.

mod spelling;
mod take_apart;

use std::sync::Arc;

use futures::FutureExt;
use serde_json::Value;
use vernal_core::model::ChatModel;
use vernal_models::gemini::{GeminiChatModel, GeminiChatModelBuilder, SchemaForm};
use vernal_models::http::RetryPolicy;

use crate::Dialect;
use crate::hearing::told_whole;
use crate::native;
use crate::support::canned::Canned;
use crate::taken::sent;

pub(crate) const DIALECT: Dialect = Dialect {
    name: "gemini",
    reader: &["read_gemini.py"],
    least: 400,
    model,
    compare: native::compare,
    told: told_whole,
    write: |recorded| write(recorded).boxed(),
    normal: spelling::normal,
    differences: include_str!("differences.txt"),
};

fn builder(canned: &Canned) -> GeminiChatModelBuilder {
    let builder = GeminiChatModel::builder().model("asked").api_key("key");
    builder
        .retry(RetryPolicy::never())
        .transport(canned.clone())
}

fn model(canned: &Canned) -> Arc<dyn ChatModel> {
    Arc::new(builder(canned).build().unwrap())
}

/// Whether the answer was streamed stands in the path alone, and changes nothing in the request.
async fn write(recorded: &Value) -> Result<Value, String> {
    let recorded = spelling::normal(recorded);
    let prompt = take_apart::take_apart(&recorded)?;
    let declared = recorded["tools"].as_array().into_iter().flatten();
    let declared = declared.flat_map(|tool| tool["functionDeclarations"].as_array());
    let is_open_api = |function: &Value| function.get("parameters").is_some();
    let form = match declared.flatten().any(is_open_api) {
        true => SchemaForm::OpenApi,
        false => SchemaForm::JsonSchema,
    };
    let in_results = |part: &Value| part["functionResponse"].get("parts").is_some();
    let contents = recorded["contents"].as_array().unwrap().iter();
    let mut parts = contents.flat_map(|content| content["parts"].as_array().unwrap());
    // The model's name is in the path alone.
    let signs = recorded.to_string().contains(take_apart::NO_SIGNATURE);
    let canned = Canned::new(r#"{"candidates":[]}"#);
    let model = builder(&canned)
        .model(if signs { "gemini-3-flash" } else { "asked" })
        .schema_form(form)
        .media_in_results(parts.any(in_results))
        .build()
        .unwrap();
    sent(&canned, &model, prompt, false).await
}
