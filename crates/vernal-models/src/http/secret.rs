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
}
