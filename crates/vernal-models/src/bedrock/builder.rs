use std::env;
use std::sync::Arc;

use ::http::header;
use serde_json::Value;
use url::Url;
use vernal_core::model::ModelError;

use super::credentials::CredentialsSource;
use super::endpoint::{check_region, is_aws, region_in, server_of};
use super::failure::failure;
use super::request::RequestDefaults;
use super::sign::SigningTransport;
use super::tools::{ToolDefaults, ToolFields};
use super::{AwsCredentials, BedrockCache, BedrockChatModel};
use crate::ModelBuilder;
use crate::exchange::{Endpoint, Variables, configuration};
use crate::http::{RecentSecrets, is_loopback, parse_base_url};

/// A key is needed only where there are no credentials.
const VARIABLES: Variables<'_> = Variables {
    base_url: "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
    keys: &["AWS_BEARER_TOKEN_BEDROCK"],
    model: "BEDROCK_MODEL",
    needs_key: false,
};

/// Builds a [`BedrockChatModel`]. The base URL is what stands before `/model`; the region's server is
/// asked unless it is set. With a key, which is sent as a bearer token, or a header `authorization`,
/// nothing is signed; a transport gets the requests signed. The model is an id or an ARN, of a model or
/// of an inference profile.
pub type BedrockChatModelBuilder = ModelBuilder<BedrockSettings>;

/// What only the builder of a [`BedrockChatModel`] has to set.
#[derive(Debug, Clone, Default)]
pub struct BedrockSettings {
    credentials: Option<CredentialsSource>,
    region: Option<String>,
    system_tools: Vec<String>,
    tool_fields: ToolFields,
    cache: BedrockCache,
    results_alone: Option<bool>,
    strict: bool,
}

impl BedrockChatModelBuilder {
    /// A builder with what the environment says; see [`BedrockChatModel::from_env`].
    ///
    /// # Errors
    /// There is neither a key nor a pair of credentials, and `AWS_ENDPOINT_URL_BEDROCK_RUNTIME` names
    /// no server on this machine.
    pub fn from_env() -> Result<Self, ModelError> {
        Self::of_environment(&|name| env::var(name).ok())
    }

    pub(crate) fn of_environment(
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelError> {
        let read = |name: &str| read(name).filter(|value| !value.trim().is_empty());
        let mut builder = Self::from_variables(&VARIABLES, read)?;
        builder.own.region = read("AWS_REGION").or_else(|| read("AWS_DEFAULT_REGION"));
        let pair = (read("AWS_ACCESS_KEY_ID"), read("AWS_SECRET_ACCESS_KEY"));
        if let (Some(id), Some(secret)) = pair {
            let mut credentials = AwsCredentials::new(id, secret);
            if let Some(token) = read("AWS_SESSION_TOKEN") {
                credentials = credentials.with_session_token(token);
            }
            builder = builder.credentials(credentials);
        }
        let base_url = builder.connection.base_url.as_deref().unwrap_or_default();
        let is_here = Url::parse(base_url.trim()).is_ok_and(|url| is_loopback(&url));
        let has_key = builder.connection.api_key.is_some() || builder.own.credentials.is_some();
        if has_key || is_here {
            return Ok(builder);
        }
        Err(configuration(
            "the environment has no credentials: set AWS_BEARER_TOKEN_BEDROCK to an API key, or \
             AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN where they are of a \
             session)",
        ))
    }

    /// The region, such as `us-east-1`, whose server is asked and for which requests are signed.
    pub fn region(mut self, region: impl Into<String>) -> Self {
        self.own.region = Some(region.into());
        self
    }

    /// The credentials with which requests are signed.
    pub fn credentials(mut self, credentials: AwsCredentials) -> Self {
        self.own.credentials = Some(CredentialsSource::Fixed(credentials));
        self
    }

    /// What gives the credentials, in place of fixed ones: it is asked before each request is sent, and
    /// has to answer at once. For credentials that expire.
    pub fn credentials_from(
        mut self,
        ask: impl Fn() -> AwsCredentials + Send + Sync + 'static,
    ) -> Self {
        self.own.credentials = Some(CredentialsSource::Asked(Arc::new(ask)));
        self
    }

    /// Adds a tool that the provider runs itself, such as `nova_grounding`. It stands after the tools of
    /// the application.
    pub fn system_tool(mut self, name: impl Into<String>) -> Self {
        self.own.system_tools.push(name.into());
        self
    }

    /// Adds a field to the specification of a tool of the application wherever that is on offer, such
    /// as `strict`.
    pub fn tool_field(
        mut self,
        tool: impl Into<String>,
        field: impl Into<String>,
        value: impl Into<Value>,
    ) -> Self {
        let fields = self.own.tool_fields.entry(tool.into()).or_default();
        fields.insert(field.into(), value.into());
        self
    }

    /// Whether the provider makes the arguments of tools fit their schemas: what its strict mode has no
    /// words for is told in the description, and a tool that it cannot have is sent without. A model that
    /// is known to have no strict mode gets all tools without. What is lost is told by
    /// [`ChatModel::check`](vernal_core::model::ChatModel::check). Off unless set; a
    /// [`tool_field`](Self::tool_field) `strict` decides for its tool.
    pub fn strict_tools(mut self, strict: bool) -> Self {
        self.own.strict = strict;
        self
    }

    /// What is marked for the provider's prompt cache; nothing unless set.
    pub fn cache(mut self, cache: BedrockCache) -> Self {
        self.own.cache = cache;
        self
    }

    /// Whether results of tools are a turn of their own: what the user says after them stands behind a
    /// turn of the model that says `.`. Unless set, it is so for Llama, Mistral and Writer, which refuse
    /// both in one turn, as their ids tell; others may want it where a document follows results.
    pub fn results_alone(mut self, alone: bool) -> Self {
        self.own.results_alone = Some(alone);
        self
    }

    /// The model.
    ///
    /// # Errors
    /// There is neither a region nor a base URL, AWS itself is to be asked without a key and without
    /// credentials, one of these, a header or a field of a tool cannot be used, or TLS cannot be set up.
    pub fn build(self) -> Result<BedrockChatModel, ModelError> {
        let url = self.url()?;
        let mut connection = self.connection;
        let authorized = connection
            .headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        let recent = RecentSecrets::default();
        let mut of_proxy = Vec::new();
        match self.own.credentials {
            _ if connection.api_key.is_some() || authorized => {}
            Some(credentials) => {
                let region = self.own.region.as_deref().or_else(|| region_in(&url));
                let region = region.ok_or_else(no_region)?.into();
                let inner = connection.take_transport(&url)?;
                // The proxy is in the transport now, but its secrets are still to be taken out of errors.
                of_proxy = std::mem::take(&mut connection.proxy).secrets();
                connection.transport = Some(Arc::new(SigningTransport {
                    inner,
                    credentials,
                    region,
                    used: recent.clone(),
                }));
            }
            None if is_aws(&url) => return Err(no_credentials()),
            None => {}
        }
        let mut http = connection.client(Endpoint {
            url,
            key: (header::AUTHORIZATION, "Bearer "),
            headers: Vec::new(),
            needs_key: None,
            classify: failure,
        })?;
        http.redactor.add_recent(recent);
        of_proxy
            .into_iter()
            .for_each(|secret| http.redactor.add(secret));
        let defaults = RequestDefaults {
            model: self.model,
            options: self.options,
            tools: ToolDefaults::new(
                &self.own.system_tools,
                self.own.tool_fields,
                self.own.strict,
            )?,
            cache: self.own.cache,
            results_alone: self.own.results_alone,
            capabilities: self.capabilities,
        };
        Ok(BedrockChatModel::of(http, defaults))
    }

    fn url(&self) -> Result<Url, ModelError> {
        self.own.region.as_deref().map_or(Ok(()), check_region)?;
        match (&self.connection.base_url, &self.own.region) {
            (Some(base_url), _) => parse_base_url(base_url, ""),
            (None, Some(region)) => parse_base_url(&server_of(region), ""),
            (None, None) => Err(no_region()),
        }
    }
}

fn no_region() -> ModelError {
    configuration(
        "Bedrock is asked in a region: set `region`, or the environment variable AWS_REGION, to one \
         such as `us-east-1`",
    )
}

fn no_credentials() -> ModelError {
    configuration(
        "AWS takes no request without a signature or a key: set `credentials` or `api_key`, or \
         `base_url` for another server",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(variables: &[(&str, &str)]) -> Result<BedrockChatModelBuilder, ModelError> {
        BedrockChatModelBuilder::of_environment(&|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_environment_needs_a_key_unless_the_server_is_here() {
        for missing in [
            &[][..],
            &[("AWS_ACCESS_KEY_ID", "AKID")],
            &[
                ("AWS_BEARER_TOKEN_BEDROCK", " "),
                ("AWS_REGION", "us-east-1"),
            ],
            &[("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", "https://h")],
        ] {
            let error = from(missing).unwrap_err().to_string();
            assert!(error.contains("AWS_BEARER_TOKEN_BEDROCK"), "{error}");
        }
        let here = from(&[("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", "http://127.0.0.1:1")]);
        here.unwrap().build().unwrap();
        let read = from(&[
            ("AWS_ACCESS_KEY_ID", "AKID"),
            ("AWS_SECRET_ACCESS_KEY", "canary"),
            ("AWS_SESSION_TOKEN", "canary"),
            ("AWS_DEFAULT_REGION", "eu-west-1"),
            ("BEDROCK_MODEL", "m"),
        ])
        .unwrap();
        assert_eq!(read.own.region.as_deref(), Some("eu-west-1"));
        let model = read.build().unwrap();
        let shown = format!("{model:?}");
        assert!(
            shown.contains("bedrock-runtime.eu-west-1.amazonaws.com"),
            "{shown}"
        );
    }

    #[test]
    fn what_is_missing_is_named() {
        let keyed = || BedrockChatModel::builder().api_key("bedrock-api-key-1");
        let signed = || {
            let credentials = AwsCredentials::new("AKID", "secret");
            BedrockChatModel::builder().credentials(credentials)
        };
        for (builder, said) in [
            (keyed(), "region"),
            (signed(), "region"),
            (signed().base_url("http://127.0.0.1:1"), "region"),
            (keyed().region("us east"), "us east"),
            (
                BedrockChatModel::builder().region("us-east-1"),
                "credentials",
            ),
            (keyed().base_url("127.0.0.1"), "base URL"),
            (
                keyed().region("us-east-1").tool_field("now", "name", "x"),
                "tool_field",
            ),
        ] {
            let error = builder.build().unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        let named_by_server = "https://bedrock-runtime-fips.us-east-1.amazonaws.com";
        signed().base_url(named_by_server).build().unwrap();
    }

    #[test]
    fn keys_and_headers_show_nowhere() {
        let builder = BedrockChatModel::builder()
            .region("us-east-1")
            .credentials(
                AwsCredentials::new("AKIDcanary", "canary-2").with_session_token("canary-3"),
            )
            .header("x-token", "canary-4");
        let keyed = builder.clone().api_key("canary-5");
        for builder in [builder, keyed] {
            let shown = format!("{builder:?} {:?}", builder.clone().build().unwrap());
            assert!(!shown.contains("canary"), "{shown}");
        }
        let asked = BedrockChatModel::builder()
            .region("us-east-1")
            .credentials_from(|| AwsCredentials::new("a", "b"));
        asked.build().unwrap();
    }
}
