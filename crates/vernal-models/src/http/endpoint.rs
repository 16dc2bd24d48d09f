//! URLs: reading the base URL of a server, and naming a server in an error.

use url::{Host, Url};
use vernal_core::model::{ModelError, ModelErrorKind};

/// Reads a base URL and puts `path` behind its own path; its query stays.
///
/// # Errors
/// It is no `http` or `https` URL, or it holds credentials or a fragment.
pub(crate) fn parse_base_url(base: &str, path: &str) -> Result<Url, ModelError> {
    let wrong = |why: &str| {
        ModelError::new(
            ModelErrorKind::Configuration,
            format!("the base URL {why}; write it like `https://host/v1`"),
        )
    };
    let mut url =
        Url::parse(base.trim()).map_err(|error| wrong(&format!("is no URL ({error})")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong(&format!(
            "begins with `{}:` and not with `https:` or `http:`",
            url.scheme()
        )));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong(
            "holds a user name or a password: give the key as `api_key`",
        ));
    }
    if url.fragment().is_some() {
        return Err(wrong("holds a `#` part"));
    }
    let full = format!("{}/{path}", url.path().trim_end_matches('/'));
    url.set_path(&full);
    Ok(url)
}

/// The scheme, host and port of a URL: what may be shown of it.
pub(crate) fn origin_of(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// Whether a URL's host is this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_added_and_the_query_stays() {
        let of = |base| parse_base_url(base, "chat/completions").map(String::from);
        assert_eq!(
            of("http://h:1/v1").unwrap(),
            "http://h:1/v1/chat/completions"
        );
        assert_eq!(of(" https://h/ ").unwrap(), "https://h/chat/completions");
        assert_eq!(
            of("https://h/a?v=1").unwrap(),
            "https://h/a/chat/completions?v=1"
        );
    }

    #[test]
    fn what_is_wrong_is_said_without_the_url() {
        for (base, said) in [
            ("localhost:80/v1", "`localhost:`"),
            ("/v1", "is no URL"),
            ("http://me:geheim@h/v1", "api_key"),
            ("http://h/v1#geheim", "`#` part"),
        ] {
            let error = parse_base_url(base, "x").unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
            assert!(!error.contains("geheim"), "{error}");
        }
    }

    #[test]
    fn this_machine_is_known_by_its_names() {
        let here = |url| is_loopback(&Url::parse(url).unwrap());
        assert!(
            here("http://localhost:1") && here("http://127.0.0.2") && here("http://[::1]:8/v1")
        );
        assert!(!here("https://api.openai.com") && !here("http://10.0.0.1"));
    }
}
