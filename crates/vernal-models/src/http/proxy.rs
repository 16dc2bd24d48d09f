use url::Url;
use vernal_core::model::{ModelError, ModelErrorKind};

use super::Secret;

/// The way to a server.
///
/// ```
/// use vernal_models::http::HttpProxy;
///
/// let proxy = HttpProxy::At("http://me:secret@proxy.example.org:3128".into());
/// assert_eq!(format!("{proxy:?}"), "At(Secret(hidden))");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum HttpProxy {
    /// As the environment says: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in capitals
    /// or small letters. A server on this machine is always reached straight.
    #[default]
    Environment,
    /// Straight, whatever the environment says.
    Never,
    /// Through the proxy at this URL, whatever the environment says and wherever the server is. The
    /// URL begins with `http:` or `https:` and may hold a user name and a password; it is handled
    /// like a key.
    At(Secret),
}

impl HttpProxy {
    /// The URL of the proxy, if one is named.
    ///
    /// # Errors
    /// It is none of a proxy that can be spoken to; the error does not show it.
    pub(super) fn url(&self) -> Result<Option<Url>, ModelError> {
        let Self::At(said) = self else {
            return Ok(None);
        };
        let url = Url::parse(said.reveal()).ok();
        match url.as_ref().map(Url::scheme) {
            Some("http" | "https") => Ok(url),
            Some(scheme) if scheme.starts_with("socks") => Err(wrong(
                "names a SOCKS proxy, which is not spoken to; give a `transport` that does",
            )),
            _ => Err(wrong(
                "is none; write it like `http://proxy.example.org:3128`, with \
                 `user:password@` before the host if the proxy wants them",
            )),
        }
    }

    /// What is in the proxy's URL that nobody may see.
    pub(crate) fn secrets(&self) -> Vec<Secret> {
        let url = self.url().ok().flatten();
        let Some(password) = url.as_ref().and_then(Url::password) else {
            return Vec::new();
        };
        let plain = password.replace('+', "%2B");
        let decoded = url::form_urlencoded::parse(plain.as_bytes()).map(|(name, _)| name);
        let mut secrets = vec![Secret::from(password)];
        secrets.extend(decoded.map(Secret::from));
        secrets
    }
}

fn wrong(why: &str) -> ModelError {
    ModelError::new(
        ModelErrorKind::Configuration,
        format!("the URL of the proxy {why}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_proxy_is_said_without_its_url() {
        for (said, why) in [
            ("proxy.example.org:3128", "is none"),
            ("geheim:geheim@proxy:3128", "is none"),
            ("http://", "is none"),
            ("", "is none"),
            ("socks5://me:geheim@proxy:1080", "SOCKS"),
        ] {
            let error = HttpProxy::At(said.into()).url().unwrap_err().to_string();
            assert!(error.contains(why), "{said}: {error}");
            assert!(!error.contains("geheim"), "{error}");
        }
        assert_eq!(HttpProxy::Environment.url().unwrap(), None);
        assert_eq!(HttpProxy::Never.url().unwrap(), None);
    }

    #[test]
    fn the_password_is_a_secret_in_both_its_forms() {
        let secrets = HttpProxy::At("http://me:ge%20heim+1@p:1".into()).secrets();
        let secrets: Vec<_> = secrets.iter().map(Secret::reveal).collect();
        assert_eq!(secrets, ["ge%20heim+1", "ge heim+1"]);
        assert!(HttpProxy::At("http://p:1".into()).secrets().is_empty());
    }
}
