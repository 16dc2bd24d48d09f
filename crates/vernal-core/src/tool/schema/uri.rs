//! Resolving the addresses of schemas against each other (RFC 3986, section 5.2).

/// The address that a reference means where `base` is the address of the text that it is in.
pub(super) fn resolved(base: &str, reference: &str) -> String {
    let reference = Parts::of(reference);
    let base = Parts::of(base);
    let merged;
    let parts = if reference.scheme.is_some() {
        reference
    } else if reference.authority.is_some() {
        Parts {
            scheme: base.scheme,
            ..reference
        }
    } else if reference.path.is_empty() {
        Parts {
            query: reference.query.or(base.query),
            ..base
        }
    } else {
        merged = merge(&base, reference.path);
        Parts {
            path: &merged,
            query: reference.query,
            ..base
        }
    };
    parts.joined()
}

/// A reference as its address and its fragment.
pub(super) fn split_fragment(reference: &str) -> (&str, &str) {
    reference.split_once('#').unwrap_or((reference, ""))
}

#[derive(Clone, Copy)]
struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(uri: &'a str) -> Self {
        let (uri, _) = split_fragment(uri);
        let (scheme, rest) = match uri.split_once(':') {
            Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
            _ => (None, uri),
        };
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, Some(query)),
            None => (rest, None),
        };
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                (Some(authority), path)
            }
            None => (None, rest),
        };
        Self {
            scheme,
            authority,
            path,
            query,
        }
    }

    fn joined(&self) -> String {
        let mut uri = String::new();
        if let Some(scheme) = self.scheme {
            uri.push_str(scheme);
            uri.push(':');
        }
        if let Some(authority) = self.authority {
            uri.push_str("//");
            uri.push_str(authority);
        }
        uri.push_str(&without_dots(self.path));
        if let Some(query) = self.query {
            uri.push('?');
            uri.push_str(query);
        }
        uri
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

fn merge(base: &Parts<'_>, path: &str) -> String {
    if path.starts_with('/') {
        return path.to_owned();
    }
    match base.path.rfind('/') {
        Some(last) => format!("{}/{path}", base.path.get(..last).unwrap_or_default()),
        None if base.authority.is_some() => format!("/{path}"),
        None => path.to_owned(),
    }
}

fn without_dots(path: &str) -> String {
    if !path.contains("./") && !path.ends_with('.') {
        return path.to_owned();
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut ends_open = false;
    for segment in path.split('/') {
        ends_open = matches!(segment, "." | "..");
        match segment {
            "." => {}
            ".." => {
                // The empty segment before a leading slash stays.
                if kept.len() > 1 || kept.first().is_some_and(|first| !first.is_empty()) {
                    kept.pop();
                }
            }
            segment => kept.push(segment),
        }
    }
    if ends_open {
        kept.push("");
    }
    kept.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_as_the_rfc_has_it() {
        let base = "http://a/b/c/d;p?q";
        for (reference, expected) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../../g", "http://a/g"),
            ("g#f", "http://a/b/c/g"),
        ] {
            assert_eq!(resolved(base, reference), expected, "{reference}");
        }
        assert_eq!(resolved("", "item.json"), "item.json");
        assert_eq!(resolved("urn:uuid:1", "#x"), "urn:uuid:1");
        assert_eq!(
            resolved("schemas/root.json", "item.json"),
            "schemas/item.json"
        );
        assert_eq!(resolved("http://a", "b"), "http://a/b");
    }
}
