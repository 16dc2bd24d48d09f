use std::env;

use ::http::HeaderName;
use vernal_core::model::ModelError;

use super::request::RequestDefaults;
use super::{BASE_URL, GeminiChatModel, SchemaForm};
use crate::ModelBuilder;
use crate::exchange::{Endpoint, Variables, classify};
use crate::http::parse_base_url;

const GOOGLE: &str = "https://generativelanguage.googleapis.com/v1beta";

const VARIABLES: Variables<'_> = Variables {
    base_url: "GEMINI_BASE_URL",
    keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    model: "GEMINI_MODEL",
    needs_key: true,
};

/// Builds a [`GeminiChatModel`]. The base URL is what stands before `/models`; the key is sent as
/// `x-goog-api-key`.
pub type GeminiChatModelBuilder = ModelBuilder<GeminiSettings>;

/// What only the builder of a [`GeminiChatModel`] has to set.
#[derive(Debug, Clone, Default)]
pub struct GeminiSettings {
    schema_form: SchemaForm,
    media_in_results: bool,
}

impl GeminiChatModelBuilder {
    /// A builder with what the environment says; see [`GeminiChatModel::from_env`].
    ///
    /// # Errors
    /// There is no key, and `GEMINI_BASE_URL` names no server on this machine.
    pub fn from_env() -> Result<Self, ModelError> {
        Self::of_environment(&|name| env::var(name).ok())
    }

    pub(crate) fn of_environment(
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelError> {
        Self::from_variables(&VARIABLES, read)
    }

    /// In which language the arguments of tools are described.
    pub fn schema_form(mut self, form: SchemaForm) -> Self {
        self.own.schema_form = form;
        self
    }

    /// Whether the model takes media in the answers to calls, as those since Gemini 3 do; others get
    /// a note in its place, and so do all unless this is set.
    pub fn media_in_results(mut self, taken: bool) -> Self {
        self.own.media_in_results = taken;
        self
    }

    /// The model.
    ///
    /// # Errors
    /// The base URL, the key or a header cannot be used, Google's server is to be asked without a
    /// key, or TLS cannot be set up.
    pub fn build(self) -> Result<GeminiChatModel, ModelError> {
        let base = self.connection.base_url.as_deref().unwrap_or(GOOGLE);
        let url = parse_base_url(base, "")?;
        let is_google = url.host_str() == Some("generativelanguage.googleapis.com");
        let http = self.connection.client(Endpoint {
            key: (HeaderName::from_static("x-goog-api-key"), ""),
            headers: Vec::new(),
            needs_key: is_google.then_some("Gemini"),
            classify: |reply| classify(reply, BASE_URL),
            url,
        })?;
        let defaults = RequestDefaults {
            model: self.model,
            options: self.options,
            schema_form: self.own.schema_form,
            media_in_results: self.own.media_in_results,
            capabilities: self.capabilities,
        };
        Ok(GeminiChatModel::of(http, defaults))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(variables: &[(&str, &str)]) -> Result<GeminiChatModelBuilder, ModelError> {
        GeminiChatModelBuilder::from_variables(&VARIABLES, |name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_environment_needs_a_key_unless_the_server_is_here() {
        for missing in [&[][..], &[("GEMINI_API_KEY", " ")]] {
            let error = from(missing).unwrap_err().to_string();
            assert!(error.contains("GEMINI_API_KEY"), "{error}");
        }
        from(&[("GOOGLE_API_KEY", "AIza-1")])
            .unwrap()
            .build()
            .unwrap();
        let here = from(&[("GEMINI_BASE_URL", "http://127.0.0.1:1/v1beta")]);
        here.unwrap().build().unwrap();
        let error = GeminiChatModel::builder().build().unwrap_err();
        assert!(error.to_string().contains("api_key"), "{error}");
    }

    #[test]
    fn keys_and_headers_show_nowhere() {
        let builder = GeminiChatModel::builder()
            .api_key("AIza-123456")
            .header("x-token", "geheim-1");
        let shown = format!("{builder:?} {:?}", builder.clone().build().unwrap());
        assert!(
            !shown.contains("AIza") && !shown.contains("geheim"),
            "{shown}"
        );
    }
}
