use std::env;
use std::sync::Arc;
use std::time::Duration;

use ::http::HeaderName;
use serde_json::Value;
use url::Url;
use vernal_core::model::{ChatOptions, ModelError};

use super::model::Inner;
use super::request::RequestDefaults;
use super::{BASE_URL, GeminiChatModel, SchemaForm};
use crate::exchange::{Connection, classify, configuration};
use crate::http::{
    ErrorReply, HttpLimits, HttpTransport, RetryPolicy, Secret, is_loopback, parse_base_url,
};

const GOOGLE: &str = "https://generativelanguage.googleapis.com/v1beta";
const KEY_HEADER: HeaderName = HeaderName::from_static("x-goog-api-key");

/// Builds a [`GeminiChatModel`].
#[derive(Clone, Default)]
#[must_use]
pub struct GeminiChatModelBuilder {
    connection: Connection,
    defaults: RequestDefaults,
}

impl GeminiChatModelBuilder {
    /// A builder with what the environment says; see [`GeminiChatModel::from_env`].
    ///
    /// # Errors
    /// There is no key, and `GEMINI_BASE_URL` names no server on this machine.
    pub fn from_env() -> Result<Self, ModelError> {
        Self::from_variables(|name| env::var(name).ok())
    }

    fn from_variables(read: impl Fn(&str) -> Option<String>) -> Result<Self, ModelError> {
        let read = |name: &str| read(name).filter(|value| !value.trim().is_empty());
        let mut builder = Self::default();
        builder.connection.base_url = read("GEMINI_BASE_URL");
        let key = read("GEMINI_API_KEY").or_else(|| read("GOOGLE_API_KEY"));
        builder.connection.api_key = key.map(Secret::from);
        builder.defaults.model = read("GEMINI_MODEL").map(Arc::from);
        let base = builder.connection.base_url.as_deref().unwrap_or(GOOGLE);
        let is_here = Url::parse(base.trim()).is_ok_and(|url| is_loopback(&url));
        if builder.connection.api_key.is_none() && !is_here {
            return Err(configuration(
                "the environment variable GEMINI_API_KEY is not set; set it to your key",
            ));
        }
        Ok(builder)
    }

    /// The server, with the path before `/models`; Google's unless set.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.connection.base_url = Some(url.into());
        self
    }

    /// The key, sent as `x-goog-api-key`.
    pub fn api_key(mut self, key: impl Into<Secret>) -> Self {
        self.connection.api_key = Some(key.into());
        self
    }

    /// The model that is asked where the options of a request name none.
    pub fn model(mut self, model: impl Into<Arc<str>>) -> Self {
        self.defaults.model = Some(model.into());
        self
    }

    /// In which language the arguments of tools are described.
    pub fn schema_form(mut self, form: SchemaForm) -> Self {
        self.defaults.schema_form = form;
        self
    }

    /// Whether the model takes media in the answers to calls, as those since Gemini 3 do; others get
    /// a note in its place, and so do all unless this is set.
    pub fn media_in_results(mut self, taken: bool) -> Self {
        self.defaults.media_in_results = taken;
        self
    }

    /// Options that hold where a request's own do not say otherwise.
    pub fn default_options(mut self, options: ChatOptions) -> Self {
        self.defaults.options = Some(options);
        self
    }

    /// A header for every request, in place of one of ours with the same name. Its value is handled
    /// like a key: it is never shown.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<Secret>) -> Self {
        self.connection.headers.push((name.into(), value.into()));
        self
    }

    /// How long a call may take and how much it may bring.
    pub fn limits(mut self, limits: HttpLimits) -> Self {
        self.connection.limits = limits;
        self
    }

    /// When a failed call is made again.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.connection.retry = policy;
        self
    }

    /// What sends the requests, in place of [`ReqwestTransport`](crate::http::ReqwestTransport).
    pub fn transport(mut self, transport: impl HttpTransport) -> Self {
        self.connection.transport = Some(Arc::new(transport));
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
        let key = (KEY_HEADER, "");
        let http = self.connection.client(url, key, failure)?;
        let named = |name: &str| http.headers.contains_key(name);
        let is_google = http.url.host_str() == Some("generativelanguage.googleapis.com");
        if is_google && !named("x-goog-api-key") && !named("authorization") {
            return Err(configuration(
                "Gemini takes no request without a key: set `api_key`, or `base_url` for another \
                 server",
            ));
        }
        let defaults = self.defaults;
        Ok(GeminiChatModel::of(Inner { http, defaults }))
    }
}

/// What an error response means, with the time to wait that it names in its body.
fn failure(reply: &ErrorReply<'_>) -> ModelError {
    let error = classify(reply, BASE_URL);
    match retry_delay(reply.body) {
        Some(wait) => error.with_retry_after(wait),
        None => error,
    }
}

/// The `retryDelay` in the details of an error, such as `17s`.
fn retry_delay(body: &str) -> Option<Duration> {
    let value = serde_json::from_str::<Value>(body).ok()?;
    let error = value.get(0).unwrap_or(&value).get("error")?;
    let mut details = error.get("details")?.as_array()?.iter();
    let delay = details.find_map(|detail| detail.get("retryDelay")?.as_str())?;
    Duration::try_from_secs_f64(delay.strip_suffix('s')?.parse().ok()?).ok()
}

impl std::fmt::Debug for GeminiChatModelBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GeminiChatModelBuilder")
            .field("model", &self.defaults.model)
            .field("schema_form", &self.defaults.schema_form)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(variables: &[(&str, &str)]) -> Result<GeminiChatModelBuilder, ModelError> {
        GeminiChatModelBuilder::from_variables(|name| {
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

    #[test]
    fn the_time_to_wait_may_stand_in_the_details() {
        let after = |delay: &str| {
            retry_delay(&format!(
                r#"[{{"error":{{"details":[{{}},{{"retryDelay":{delay}}}]}}}}]"#
            ))
        };
        assert_eq!(after("\"17s\""), Some(Duration::from_secs(17)));
        for nonsense in ["\"-1s\"", "\"s\"", "\"1e99s\"", "17", "null"] {
            assert_eq!(after(nonsense), None, "{nonsense}");
        }
        assert_eq!(retry_delay("no json"), None);
    }
}
