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
                clean = Cow::Owned(clean.replace(secret.reveal(), HIDDEN));
            }
            if clean.contains('\\') {
                clean = Cow::Owned(without_escaped(&clean, secret.reveal()));
            }
        }
        clean
    }
}

const HIDDEN: &str = "[redacted]";

/// The text without the secret where some of its characters are written as JSON escapes: what reads
/// the JSON would show it.
fn without_escaped(text: &str, secret: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let found = length_of(secret, rest);
        match found {
            Some(_) => clean.push_str(HIDDEN),
            None => clean.push(first),
        }
        rest = rest
            .get(found.unwrap_or(first.len_utf8())..)
            .unwrap_or_default();
    }
    clean
}

/// How long the secret is at the beginning of a text.
fn length_of(secret: &str, text: &str) -> Option<usize> {
    let mut rest = text;
    for wanted in secret.chars() {
        let (found, after) = unescaped(rest)?;
        if found != wanted {
            return None;
        }
        rest = after;
    }
    Some(text.len() - rest.len())
}

/// The first character of a text, as JSON has it, and what follows.
fn unescaped(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    let after = chars.as_str();
    if first != '\\' {
        return Some((first, after));
    }
    let code = after.strip_prefix('u').and_then(|hex| hex.get(..4));
    let code = code.and_then(|hex| u32::from_str_radix(hex, 16).ok());
    if let Some(found) = code.and_then(char::from_u32) {
        return Some((found, after.get(5..)?));
    }
    match chars.next() {
        Some(plain @ ('/' | '"' | '\\')) => Some((plain, chars.as_str())),
        _ => Some((first, after)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_in_json_escapes_is_taken_out_too() {
        let mut redactor = Redactor::default();
        redactor.add(Secret::from("ab/Cd+ef123=="));
        for said in [
            r#"{"m":"key ab\/Cd\u002Bef123== is bad"}"#,
            r#"{"m":"key \u0061b/Cd+ef123\u003d= is bad"}"#,
            r#"{"m":"key ab/Cd+ef123== is bad"}"#,
        ] {
            let clean = redactor.redact(said);
            assert_eq!(clean, r#"{"m":"key [redacted] is bad"}"#, "{said}");
        }
        for said in [r"a\u00", r"\", r"ab\/Cd\u002", r"ab\nCd", "\\u00é1"] {
            assert_eq!(redactor.redact(said), said);
        }
    }

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
