use std::fmt;
use std::sync::Arc;

use aws_credential_types::Credentials;

use crate::http::Secret;

/// The credentials of AWS with which requests are signed. They are never shown.
///
/// ```
/// use vernal_models::bedrock::AwsCredentials;
///
/// let credentials = AwsCredentials::new("AKIDEXAMPLE", "the secret key").with_session_token("the token");
/// assert_eq!(format!("{credentials:?}"), "AwsCredentials(hidden)");
/// ```
#[derive(Clone)]
pub struct AwsCredentials {
    access_key_id: Secret,
    secret_access_key: Secret,
    session_token: Option<Secret>,
}

impl AwsCredentials {
    /// Credentials of an access key.
    pub fn new(access_key_id: impl Into<Secret>, secret_access_key: impl Into<Secret>) -> Self {
        Self {
            access_key_id: access_key_id.into(),
            secret_access_key: secret_access_key.into(),
            session_token: None,
        }
    }

    /// With the token of a session, which temporary credentials have.
    #[must_use]
    pub fn with_session_token(mut self, token: impl Into<Secret>) -> Self {
        self.session_token = Some(token.into());
        self
    }

    /// All that must not be shown.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &Secret> {
        let keys = [&self.access_key_id, &self.secret_access_key];
        keys.into_iter().chain(&self.session_token)
    }

    pub(super) fn for_signing(&self) -> Credentials {
        let token = self.session_token.as_ref();
        Credentials::new(
            self.access_key_id.reveal(),
            self.secret_access_key.reveal(),
            token.map(|token| token.reveal().to_owned()),
            None,
            "vernal",
        )
    }
}

impl fmt::Debug for AwsCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AwsCredentials(hidden)")
    }
}

/// Where the credentials come from.
#[derive(Clone)]
pub(super) enum CredentialsSource {
    /// They stay the same.
    Fixed(AwsCredentials),
    /// They are asked for before every request.
    Asked(Arc<dyn Fn() -> AwsCredentials + Send + Sync>),
}

impl fmt::Debug for CredentialsSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CredentialsSource(hidden)")
    }
}

impl CredentialsSource {
    pub(super) fn now(&self) -> AwsCredentials {
        match self {
            Self::Fixed(credentials) => credentials.clone(),
            Self::Asked(ask) => ask(),
        }
    }
}
