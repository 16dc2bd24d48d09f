use vernal_models::bedrock::{BedrockChatModel, BedrockChatModelBuilder};
use vernal_models::http::RetryPolicy;

use crate::support::canned::Canned;

/// A builder of a model that talks to a canned server.
pub(crate) fn builder(canned: &Canned) -> BedrockChatModelBuilder {
    BedrockChatModel::builder()
        .base_url("http://127.0.0.1:1")
        .model("asked")
        .retry(RetryPolicy::never())
        .transport(canned.clone())
}

pub(crate) fn model(canned: &Canned) -> BedrockChatModel {
    builder(canned).build().unwrap()
}
