//! The base URL of a model server, as far as this program needs to understand it.

use std::fmt;

/// An `http` or `https` URL without credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Url {
    text: String,
    /// Where the host begins and where the path does.
    host: (usize, usize),
}

impl Url {
    /// # Errors
    /// What is wrong, completing "the URL …", without repeating more than scheme and host.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let Some((scheme, rest)) = text.split_once("://") else {
            let host = text
                .split(['?', '#'])
                .next()
                .unwrap_or_default()
                .rsplit('@')
                .next();
            let host = host.unwrap_or_default();
            return Err(format!(
                "`{host}` is no URL; write it such as http://127.0.0.1:8080/v1"
            ));
        };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = authority.rsplit('@').next().unwrap_or_default();
        let lower = scheme.to_ascii_lowercase();
        if !matches!(lower.as_str(), "http" | "https") {
            return Err(format!("`{scheme}://{host}` is no http or https URL"));
        }
        if host.len() < authority.len() {
            return Err(format!(
                "for `{host}` holds a user name or a password; name the variable that holds the key \
                 with --api-key-env"
            ));
        }
        if host.is_empty() || host.contains(char::is_whitespace) {
            return Err("has no host in it".to_owned());
        }
        let start = lower.len() + 3;
        let host = (start, start + host.len());
        Ok(Self {
            text: format!("{lower}://{rest}"),
            host,
        })
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The host with its port: what may be shown.
    pub(crate) fn host(&self) -> &str {
        self.text.get(self.host.0..self.host.1).unwrap_or_default()
    }

    /// The path, without a `/` at its end.
    pub(crate) fn path(&self) -> &str {
        let path = self.text.get(self.host.1..).unwrap_or_default();
        path.split(['?', '#'])
            .next()
            .unwrap_or_default()
            .trim_end_matches('/')
    }

    /// Whether the connection is encrypted.
    pub(crate) fn is_https(&self) -> bool {
        self.text.starts_with("https:")
    }

    /// The host with a port, to connect to.
    pub(crate) fn address(&self) -> String {
        let host = self.host();
        let after_brackets = host.rsplit(']').next().unwrap_or(host);
        let has_port = after_brackets.contains(':');
        let port = if self.is_https() { 443 } else { 80 };
        if has_port {
            host.to_owned()
        } else {
            format!("{host}:{port}")
        }
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.host())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_are_found() {
        for (text, host, path, address) in [
            (
                "http://127.0.0.1:8080/v1/",
                "127.0.0.1:8080",
                "/v1",
                "127.0.0.1:8080",
            ),
            ("HTTP://host", "host", "", "host:80"),
            (
                "https://api.example/v1?x=1",
                "api.example",
                "/v1",
                "api.example:443",
            ),
            ("http://[::1]/v1", "[::1]", "/v1", "[::1]:80"),
            ("http://[::1]:9/v1", "[::1]:9", "/v1", "[::1]:9"),
        ] {
            let url = Url::parse(text).unwrap();
            assert_eq!(
                (url.host(), url.path(), url.address().as_str()),
                (host, path, address)
            );
        }
    }

    #[test]
    fn what_is_wrong_is_said_without_credentials() {
        for text in [
            "http://me:geheim@host/v1",
            "ftp://me:geheim@host",
            "me:geheim@host",
            "http://",
            "",
        ] {
            let problem = Url::parse(text).unwrap_err();
            assert!(!problem.contains("geheim"), "{problem}");
        }
        assert!(Url::parse("http://a b/v1").is_err());
    }
}
