use vernal_models::anthropic::{AnthropicChatModel, AnthropicChatModelBuilder};
use vernal_models::http::RetryPolicy;

use crate::support::canned::Canned;

/// A builder of a model that talks to a canned server.
pub(crate) fn builder(canned: &Canned) -> AnthropicChatModelBuilder {
    AnthropicChatModel::builder()
        .base_url("http://127.0.0.1:1")
        .model("asked")
        .retry(RetryPolicy::never())
        .transport(canned.clone())
}

pub(crate) fn model(canned: &Canned) -> AnthropicChatModel {
    builder(canned).build().unwrap()
}
