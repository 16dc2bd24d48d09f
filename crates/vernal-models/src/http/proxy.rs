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
    /// URL begins with `http:`, `https:`, `socks5:`, `socks5h:` (the proxy looks up the server's name),
    /// `socks4:` or `socks4a:` and may hold a user name and a password; it is handled like a key.
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
        let url = url.filter(|url| {
            let known = ["http", "https", "socks5", "socks5h", "socks4", "socks4a"];
            known.contains(&url.scheme()) && url.has_host()
        });
        match url {
            Some(url) => Ok(Some(url)),
            None => Err(ModelError::new(
                ModelErrorKind::Configuration,
                "the URL of the proxy is none; write it like `http://proxy.example.org:3128`, with \
                 `user:password@` before the host if the proxy wants them",
            )),
        }
    }

    /// What is in the proxy's URL that nobody may see.
    pub(crate) fn secrets(&self) -> Vec<Secret> {
        let url = self.url().ok().flatten();
        // A name alone is a token.
        let said = url
            .as_ref()
            .map(|url| url.password().unwrap_or(url.username()));
        let Some(password) = said.filter(|said| !said.is_empty()) else {
            return Vec::new();
        };
        let plain = password.replace('+', "%2B");
        let decoded = url::form_urlencoded::parse(plain.as_bytes()).map(|(name, _)| name);
        let mut secrets = vec![Secret::from(password)];
        secrets.extend(decoded.map(Secret::from));
        secrets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_proxy_is_said_without_its_url() {
        for said in [
            "proxy.example.org:3128",
            "geheim:geheim@proxy:3128",
            "ftp://me:geheim@proxy:1080",
            "http://",
            "socks5:",
            "",
        ] {
            let error = HttpProxy::At(said.into()).url().unwrap_err().to_string();
            assert!(error.contains("http://proxy.example.org:3128"), "{said}");
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
        let token = HttpProxy::At("http://token-1@p:1".into()).secrets();
        assert_eq!(token[0].reveal(), "token-1");
        assert!(HttpProxy::At("http://p:1".into()).secrets().is_empty());
    }
}
