//! Taking secrets out of what a server said, for some repeat the key in their error.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use url::Url;

use super::Secret;

const HIDDEN: &str = "[redacted]";

/// The secrets of a client.
///
/// They are found in any mixture of upper and lower case, percent-encoded, and with characters written as
/// JSON escapes, also where the JSON stands in a text of another JSON.
#[derive(Debug, Clone, Default)]
pub(crate) struct Redactor {
    own: Vec<Secret>,
    /// Those of the latest requests, where each may have others.
    recent: RecentSecrets,
}

/// Secrets that change from request to request: the latest ones, for an answer comes after later requests
/// may have been sent.
#[derive(Debug, Clone, Default)]
pub(crate) struct RecentSecrets(Arc<Mutex<VecDeque<Secret>>>);

impl RecentSecrets {
    const MOST: usize = 128;

    /// Remembers a secret that is about to be sent; the oldest ones are forgotten.
    #[cfg_attr(not(feature = "bedrock"), allow(dead_code))]
    pub(crate) fn add(&self, secret: &Secret) {
        if !is_long_enough(secret) {
            return;
        }
        let mut recent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = recent.iter().position(|known| known == secret) {
            recent.remove(at);
        }
        recent.push_front(secret.clone());
        recent.truncate(Self::MOST);
    }

    fn all(&self) -> Vec<Secret> {
        let recent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        recent.iter().cloned().collect()
    }
}

/// Shorter texts stand in harmless words too.
fn is_long_enough(secret: &Secret) -> bool {
    secret.reveal().len() >= 6
}

impl Redactor {
    pub(crate) fn add(&mut self, secret: Secret) {
        if is_long_enough(&secret) {
            self.own.push(secret);
        }
    }

    /// Adds what the query of a URL says, save the version of an API, which errors may well name.
    pub(crate) fn add_query(&mut self, url: &Url) {
        for (name, value) in url.query_pairs() {
            if !matches!(&*name, "api-version" | "version") {
                self.add(Secret::from(value));
            }
        }
    }

    /// Takes out secrets that change from request to request too.
    #[cfg_attr(not(feature = "bedrock"), allow(dead_code))]
    pub(crate) fn add_recent(&mut self, recent: RecentSecrets) {
        self.recent = recent;
    }

    /// The text without secrets.
    pub(crate) fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.without_secrets(text, false)
    }

    /// The text without secrets and without the beginning of one at its end, where it was cut.
    pub(crate) fn redact_cut<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.without_secrets(text, true)
    }

    /// Whether a text holds a secret.
    pub(crate) fn finds_in(&self, text: &str) -> bool {
        matches!(self.redact(text), Cow::Owned(_))
    }

    fn without_secrets<'a>(&self, text: &'a str, is_cut: bool) -> Cow<'a, str> {
        let recent = self.recent.all();
        let secrets = || self.own.iter().chain(&recent);
        let is_encoded = text.contains(['\\', '%']);
        let mut clean: Option<String> = None;
        // What has been looked at and what of it has been copied.
        let (mut at, mut copied) = (0, 0);
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let found = secrets().filter_map(|secret| {
                let plain = read_as(secret.reveal(), rest, is_cut, plain);
                let otherwise = || read_as(secret.reveal(), rest, is_cut, decoded);
                plain.or_else(|| is_encoded.then(otherwise).flatten())
            });
            let Some(length) = found.max() else {
                at += rest.chars().next().map_or(1, char::len_utf8);
                continue;
            };
            let clean = clean.get_or_insert_default();
            clean.push_str(text.get(copied..at).unwrap_or_default());
            clean.push_str(HIDDEN);
            at += length;
            copied = at;
        }
        match clean {
            Some(mut clean) => {
                clean.push_str(text.get(copied..).unwrap_or_default());
                Cow::Owned(clean)
            }
            None => Cow::Borrowed(text),
        }
    }
}

/// The first character that is meant by a text, and what follows; `None` where the text ends in the middle of
/// what may be one.
type Reading = fn(&str) -> Option<(char, &str)>;

/// How long the secret is at the beginning of a text. Where the text `is_cut`, its end may stand for the rest of
/// the secret.
fn read_as(secret: &str, text: &str, is_cut: bool, read: Reading) -> Option<usize> {
    let mut rest = text;
    for wanted in secret.chars() {
        let Some((found, after)) = read(rest) else {
            return is_cut.then_some(text.len());
        };
        if !found.eq_ignore_ascii_case(&wanted) {
            return None;
        }
        rest = after;
    }
    Some(text.len() - rest.len())
}

fn plain(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    Some((chars.next()?, chars.as_str()))
}

/// Reads JSON escapes, to any depth, and percent-encoding.
fn decoded(text: &str) -> Option<(char, &str)> {
    let (first, after) = plain(text)?;
    match first {
        '\\' => unescaped(after),
        '%' => percent_decoded(after),
        _ => Some((first, after)),
    }
}

/// How many backslashes after the first one are looked at.
const DEEPEST: usize = 7;

/// What a backslash begins.
fn unescaped(after: &str) -> Option<(char, &str)> {
    // A text of JSON in a text of JSON has its backslashes doubled.
    let more = after
        .bytes()
        .take(DEEPEST)
        .take_while(|byte| *byte == b'\\');
    let inside = after.get(more.count()..).unwrap_or_default();
    match plain(inside) {
        None => None,
        Some(('u', hex)) => match coded(hex, 4)? {
            Some(read) => Some(read),
            None => Some(('\\', inside)),
        },
        Some((quoted @ ('/' | '"'), rest)) => Some((quoted, rest)),
        Some(_) => Some(('\\', inside)),
    }
}

/// What a percent sign begins.
fn percent_decoded(after: &str) -> Option<(char, &str)> {
    // What is encoded twice has its percent signs encoded.
    let mut hex = after;
    while let Some(inner) = hex.strip_prefix("25")
        && inner.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2
    {
        hex = inner;
    }
    match coded(hex, 2)? {
        Some((found, rest)) if found.is_ascii() => Some((found, rest)),
        _ => Some(('%', after)),
    }
}

/// The character of a code in hexadecimal digits and what follows, if there are so many; `None` where the
/// text ends before.
fn coded(text: &str, digits: usize) -> Option<Option<(char, &str)>> {
    let there = text.bytes().take(digits);
    if !there.clone().all(|byte| byte.is_ascii_hexdigit()) {
        return Some(None);
    }
    if there.len() < digits {
        return None;
    }
    let (hex, rest) = text.split_at_checked(digits)?;
    let code = u32::from_str_radix(hex, 16).ok();
    Some(code.and_then(char::from_u32).map(|found| (found, rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(secrets: &[&str]) -> Redactor {
        let mut redactor = Redactor::default();
        for secret in secrets {
            redactor.add(Secret::from(secret));
        }
        redactor
    }

    #[test]
    fn a_secret_is_found_however_it_is_written() {
        let redactor = of(&["ab/Cd+ef-123=="]);
        for said in [
            r#"{"m":"key ab/Cd+ef-123== is bad"}"#,
            r#"{"m":"key AB/CD+EF-123== is bad"}"#,
            r#"{"m":"key ab\/Cd\u002Bef-123== is bad"}"#,
            r#"{"m":"key \u0061b/Cd+ef-123\u003d= is bad"}"#,
            r#"{"m":"key ab\\/Cd\\u002bef-123== is bad"}"#,
            r#"{"m":"key ab\\\/Cd\\\\u002bef-123== is bad"}"#,
            r#"{"m":"key ab%2FCd%2bef%2D123%3D%3D is bad"}"#,
            r#"{"m":"key ab%252FCd%252Bef-123%253d%253d is bad"}"#,
        ] {
            let clean = redactor.redact(said);
            assert_eq!(clean, r#"{"m":"key [redacted] is bad"}"#, "{said}");
        }
        for said in [
            r"a\u00",
            r"\",
            "%",
            "%2",
            "%25",
            r"ab\/Cd\u002",
            r"ab\nCd",
            "\\u00é1",
            "ab%2FCd%é",
        ] {
            assert!(matches!(redactor.redact(said), Cow::Borrowed(_)), "{said}");
        }
    }

    #[test]
    fn a_secret_may_look_encoded_itself() {
        let redactor = of(&[r"a%2Fb\c\u0041"]);
        for said in [r"a%2Fb\c\u0041", r"a%2fb\C\U0041"] {
            assert_eq!(redactor.redact(said), HIDDEN, "{said}");
        }
    }

    #[test]
    fn what_a_server_repeats_is_taken_out() {
        let redactor = of(&["sk-12345", "a", "sk-12345-more"]);
        assert_eq!(redactor.redact("bad key sk-12345!"), "bad key [redacted]!");
        let both = redactor.redact("sk-12345sk-12345-more, 한");
        assert_eq!(both, "[redacted][redacted], 한");
        assert!(matches!(redactor.redact("a bad key"), Cow::Borrowed(_)));
    }

    #[test]
    fn where_a_text_was_cut_the_beginning_of_a_secret_is_taken_out_too() {
        let redactor = of(&["sk-12345/6"]);
        for said in [
            "key sk-123",
            r"key sk-12345\u00",
            "key sk-12345%2",
            r"key sk-12345\",
        ] {
            assert_eq!(redactor.redact_cut(said), "key [redacted]", "{said}");
            assert_eq!(redactor.redact(said), said);
        }
        assert_eq!(redactor.redact_cut("key sk-123 "), "key sk-123 ");
    }

    #[test]
    fn the_query_of_a_url_is_secret_and_its_version_is_not() {
        let url = "https://h/v1?api-version=2024-10-21&key=geheim%2D1&x=1";
        let mut redactor = Redactor::default();
        redactor.add_query(&Url::parse(url).unwrap());
        assert_eq!(
            redactor.redact("2024-10-21 1 geheim-1 geheim%2D1"),
            "2024-10-21 1 [redacted] [redacted]"
        );
    }

    #[test]
    fn recent_secrets_are_known_for_a_while() {
        let mut redactor = Redactor::default();
        let recent = RecentSecrets::default();
        redactor.add_recent(recent.clone());
        for number in 0..1_000 {
            recent.add(&Secret::from("always the same"));
            recent.add(&Secret::from(format!("token-{number:04}")));
        }
        let said = redactor.redact("always the same, token-0999, token-0900, token-0001");
        assert_eq!(said, "[redacted], [redacted], [redacted], token-0001");
        assert_eq!(recent.all().len(), RecentSecrets::MOST);
    }
}
