use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use ::http::HeaderValue;
use vernal_core::model::{ModelError, ModelErrorKind};

/// A text that is never shown: an API key or a token. White space around it is dropped.
///
/// ```
/// use vernal_models::http::Secret;
///
/// let key = Secret::from("sk-123\n");
/// assert_eq!(format!("{key:?}"), "Secret(hidden)");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Arc<str>);

impl Secret {
    /// The text itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// A header's value that holds the secret after `prefix` and is marked as sensitive.
    pub(crate) fn header(&self, prefix: &str) -> Result<HeaderValue, ModelError> {
        let mut value = HeaderValue::from_str(&format!("{prefix}{}", self.0)).map_err(|_| {
            ModelError::new(
                ModelErrorKind::Configuration,
                "the API key holds a character that no header can carry, such as a line break; \
                 check how it was copied",
            )
        })?;
        value.set_sensitive(true);
        Ok(value)
    }
}

impl<T: AsRef<str>> From<T> for Secret {
    fn from(text: T) -> Self {
        Self(text.as_ref().trim().into())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(hidden)")
    }
}

/// Takes secrets out of what a server said, for some repeat the key in their error.
#[derive(Debug, Clone, Default)]
pub(crate) struct Redactor(Vec<Secret>);

impl Redactor {
    /// Texts so short stand in harmless words too.
    const SHORTEST: usize = 6;

    pub(crate) fn add(&mut self, secret: Secret) {
        if secret.reveal().len() >= Self::SHORTEST {
            self.0.push(secret);
        }
    }

    pub(crate) fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut clean = Cow::Borrowed(text);
        for secret in &self.0 {
            if clean.contains(secret.reveal()) {
                clean = Cow::Owned(clean.replace(secret.reveal(), "[redacted]"));
            }
        }
        clean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_shows_nowhere() {
        let secret = Secret::from(String::from(" sk-12345 "));
        assert_eq!(secret.reveal(), "sk-12345");
        assert!(!format!("{secret:?}").contains("123"));
        assert_eq!(
            format!("{:?}", secret.header("Bearer ").unwrap()),
            "Sensitive"
        );
        let error = Secret::from("sk-\n1").header("").unwrap_err();
        assert!(!error.to_string().contains("sk-"));
    }

    #[test]
    fn what_a_server_repeats_is_taken_out() {
        let mut redactor = Redactor::default();
        redactor.add("sk-12345".into());
        redactor.add("a".into());
        assert_eq!(redactor.redact("bad key sk-12345!"), "bad key [redacted]!");
        assert!(matches!(redactor.redact("a bad key"), Cow::Borrowed(_)));
    }
}
