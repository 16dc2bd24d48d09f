use vernal_models::http::RetryPolicy;
use vernal_models::openai::responses::{OpenAiResponsesModel, OpenAiResponsesModelBuilder};

use crate::support::canned::Canned;

/// A builder of a model that talks to a canned server.
pub(crate) fn builder(canned: &Canned) -> OpenAiResponsesModelBuilder {
    OpenAiResponsesModel::builder()
        .base_url("http://127.0.0.1:1/v1")
        .model("asked")
        .retry(RetryPolicy::never())
        .transport(canned.clone())
}

pub(crate) fn model(canned: &Canned) -> OpenAiResponsesModel {
    builder(canned).build().unwrap()
}
