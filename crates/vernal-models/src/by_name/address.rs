//! Addresses: which names are URLs, and what is meant by one that lacks its scheme.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Whether a name begins as a URL does.
pub(super) fn is_url(name: &str) -> bool {
    scheme_of(name).is_some_and(|(_, rest)| rest.starts_with("//"))
}

/// The scheme of HTTP that a name begins with, and what is behind its colon.
fn scheme_of(name: &str) -> Option<(&'static str, &str)> {
    let (scheme, rest) = name.split_once(':')?;
    let mut known = ["http", "https"].into_iter();
    let scheme = known.find(|known| scheme.trim().eq_ignore_ascii_case(known))?;
    Some((scheme, rest))
}

/// The URL that is meant by an address whose scheme is missing or mistyped, such as
/// `localhost:8080/v1#m`; `None` for what is a name. Nothing behind a `?` is repeated.
pub(super) fn meant_by(name: &str) -> Option<String> {
    let (scheme, rest) = match scheme_of(name) {
        Some((scheme, rest)) => (Some(scheme), rest.trim_start_matches('/')),
        None => (None, name),
    };
    let (place, model) = match rest.split_once('#') {
        Some((place, model)) => (place, model.trim()),
        None => (rest, ""),
    };
    let place = place.split('?').next().unwrap_or_default();
    let place = place.trim().trim_end_matches('/');
    let (authority, path) = place.split_at(place.find('/').unwrap_or(place.len()));
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if is_number(port) => (host, port),
        _ => (authority, ""),
    };
    let is_here = is_ip(host) || host == "localhost" || host.ends_with(".localhost");
    let says_more = !path.is_empty() || rest.contains('#');
    let is_place = (!port.is_empty() && says_more) || (host.contains('.') && rest.contains('#'));
    if !(is_here || ((scheme.is_some() || is_place) && is_host(host))) {
        return None;
    }
    let plain = is_here || !matches!(port, "" | "443");
    let scheme = scheme.unwrap_or(if plain { "http" } else { "https" });
    let path = if path.is_empty() { "/v1" } else { path };
    let model = if model.is_empty() { "model" } else { model };
    Some(format!("{scheme}://{authority}{path}#{model}"))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_ip(host: &str) -> bool {
    let in_brackets = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    host.parse::<Ipv4Addr>().is_ok()
        || in_brackets.is_some_and(|host| host.parse::<Ipv6Addr>().is_ok())
}

fn is_host(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    !text.is_empty() && text.bytes().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_known_by_their_schemes() {
        for url in ["http://h", "HTTP://host/v1#m", "hTTps://h/v1"] {
            assert!(is_url(url), "{url}");
        }
        for other in ["ftp://h", "http:h", "httpx://h", "h://http", "openai:gpt"] {
            assert!(!is_url(other), "{other}");
        }
    }

    #[test]
    fn an_address_is_told_from_a_name() {
        for (said, meant) in [
            ("localhost:8080/v1#m", "http://localhost:8080/v1#m"),
            ("localhost:8080/v1", "http://localhost:8080/v1#model"),
            ("localhost:8080", "http://localhost:8080/v1#model"),
            ("localhost#m", "http://localhost/v1#m"),
            ("127.0.0.1:1234/v1/#a/b", "http://127.0.0.1:1234/v1#a/b"),
            ("[::1]:1/v1#m", "http://[::1]:1/v1#m"),
            ("vllm:8000/v1#m", "http://vllm:8000/v1#m"),
            ("api.example.org/v1#m", "https://api.example.org/v1#m"),
            (
                "api.example.org:443/v1#m",
                "https://api.example.org:443/v1#m",
            ),
            ("http:/localhost:1/v1#m", "http://localhost:1/v1#m"),
            ("https:api.example.org/v1#m", "https://api.example.org/v1#m"),
            ("localhost:1/v1?key=geheim#m", "http://localhost:1/v1#m"),
        ] {
            assert_eq!(meant_by(said).as_deref(), Some(meant), "{said}");
        }
        for name in [
            "qwen3:8b",
            "gpt-5.1",
            "openai:gpt-5.1",
            "meta-llama/Llama-3.3-70B",
            "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
            "codestral:2501",
            "me:geheim@host:1/v1#m",
            "http:",
            "",
        ] {
            assert_eq!(meant_by(name), None, "{name}");
        }
    }
}
