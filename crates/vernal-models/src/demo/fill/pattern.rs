//! Things with a form of their own: e-mail addresses, URLs, paths, ids, telephone numbers, handles.

use std::ops::Range;

/// What the form says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Email,
    Url,
    /// A host name without a scheme.
    Domain,
    /// A path or a file name.
    Path,
    Phone,
    /// Letters and digits together, such as `ABC-123` or `#42`.
    Id,
    /// A few capital letters, such as `AAPL`.
    Code,
    /// `@name` or `#name`.
    Handle,
    /// Two words with a slash between them, such as `acme/web`.
    Slashed,
}

/// Something with a form of its own in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Formed {
    pub(crate) form: Form,
    pub(crate) text: String,
    pub(crate) span: Range<usize>,
}

/// Everything with a form of its own, in order.
pub(crate) fn formed(text: &str) -> Vec<Formed> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text
        .char_indices()
        .chain(std::iter::once((text.len(), ' ')))
    {
        let inside = c.is_ascii_alphanumeric() || "_-#@./:~+%?=&\\!,;'$*".contains(c);
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.extend(read_run(text, from..at));
                start = None;
            }
            _ => {}
        }
    }
    found.extend(phones(text));
    found.sort_by_key(|formed| formed.span.start);
    found
}

fn read_run(text: &str, range: Range<usize>) -> Option<Formed> {
    let run = text.get(range.clone())?;
    let front = run.len()
        - run
            .trim_start_matches([',', ';', '\'', ':', '!', '?', '=', '-', '$', '*'])
            .len();
    let run = run.get(front..)?;
    let run = run.trim_end_matches([',', ';', '\'', ':', '!', '?', '.', '-', '&', '*']);
    let run = run.strip_suffix("'s").unwrap_or(run);
    let form = form_of(run)?;
    let start = range.start + front;
    Some(Formed {
        form,
        text: run.to_owned(),
        span: start..start + run.len(),
    })
}

fn form_of(run: &str) -> Option<Form> {
    let lower = run.to_ascii_lowercase();
    let alphanumeric = |c: char| c.is_ascii_alphanumeric();
    if let Some((user, host)) = run.split_once('@') {
        if !user.is_empty() && host.contains('.') && !host.contains('@') {
            return Some(Form::Email);
        }
        return (user.is_empty() && host.starts_with(alphanumeric)).then_some(Form::Handle);
    }
    if ["http://", "https://", "ftp://", "www."]
        .iter()
        .any(|head| lower.starts_with(head))
        && run.len() > 8
    {
        return Some(Form::Url);
    }
    if let Some(name) = run.strip_prefix('#') {
        let digits = name.chars().any(|c| c.is_ascii_digit());
        return name.starts_with(alphanumeric).then_some(if digits {
            Form::Id
        } else {
            Form::Handle
        });
    }
    if is_path(run, &lower) {
        return Some(Form::Path);
    }
    if is_domain(&lower) {
        return Some(Form::Domain);
    }
    let slashed = run.split_once('/').is_some_and(|(a, b)| {
        let word = |part: &str| {
            part.len() > 2 && !part.contains('/') && part.chars().any(|c| c.is_ascii_lowercase())
        };
        // `release/4.2`
        let numbered = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_digit())
                && part
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))
        };
        word(a) && (word(b) || numbered(b))
    });
    if slashed {
        return Some(Form::Slashed);
    }
    if is_id(run) {
        return Some(Form::Id);
    }
    let capitals = (2..=5).contains(&run.len()) && run.chars().all(|c| c.is_ascii_uppercase());
    (capitals
        && !matches!(
            run,
            "OK" | "AM" | "PM" | "TV" | "PC" | "ASAP" | "FYI" | "SELECT"
        ))
    .then_some(Form::Code)
}

const EXTENSIONS: &str = "pdf txt csv tsv md json jsonl xml yaml yml toml ini cfg conf log doc docx xls xlsx ppt \
    pptx odt ods png jpg jpeg gif svg webp bmp mp3 mp4 wav avi mov mkv zip tar gz tgz rar html htm css js ts jsx \
    tsx py rs go java kt c h cpp hpp cs rb php sh bat sql db sqlite ipynb tex bib env lock exe dll so parquet";
const DOMAINS: &str =
    "com org net edu gov io dev ai app co uk de fr es it nl kr jp cn eu us info biz me tv ch at";

fn is_path(run: &str, lower: &str) -> bool {
    let rooted = ["/", "~/", "./", "../"]
        .iter()
        .any(|head| run.starts_with(head))
        && run.len() > 1
        || run.get(1..3) == Some(":\\");
    let name = lower.rsplit('/').next().unwrap_or_default();
    let extension = name
        .rsplit_once('.')
        .filter(|(stem, _)| !stem.is_empty())
        .map_or("", |(_, e)| e);
    let named = EXTENSIONS
        .split_whitespace()
        .any(|known| known == extension);
    let folders = run.matches('/').count() >= 1
        && run
            .split('/')
            .all(|part| part.len() > 1 && part.starts_with(|c: char| c.is_ascii_alphabetic()))
        && !run.contains(':');
    // `gear_v3.stl`: of no known kind, but written as no word is.
    let unknown = name.rsplit_once('.').is_some_and(|(stem, extension)| {
        stem.contains(['_', '-'])
            && stem.starts_with(|c: char| c.is_ascii_alphabetic())
            && (2..=5).contains(&extension.len())
            && extension
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
            && !DOMAINS.split_whitespace().any(|top| top == extension)
    });
    rooted
        || named
        || unknown && !run.contains([':', '@'])
        || (folders && run.matches('/').count() >= 2)
}

fn is_domain(lower: &str) -> bool {
    let host = lower.split('/').next().unwrap_or_default();
    let mut labels = host.rsplit('.');
    let top = labels.next().unwrap_or_default();
    let rest: Vec<&str> = labels.collect();
    DOMAINS.split_whitespace().any(|known| known == top)
        && !rest.is_empty()
        && rest.iter().all(|label| {
            label.len() > 1 && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        })
        && rest
            .iter()
            .any(|label| label.contains(|c: char| c.is_ascii_alphabetic()))
}

/// `ABC-123`, `A1001`, `1Z999AA1`, a UUID, an address such as `10.0.0.1`; not `5kg`, `7pm`, `3rd`.
fn is_id(run: &str) -> bool {
    let allowed = run
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '/'));
    let digits = run.chars().filter(char::is_ascii_digit).count();
    if !allowed || digits == 0 || run.len() < 2 || run.contains("//") {
        return false;
    }
    let letters = run.chars().filter(char::is_ascii_alphabetic).count();
    let starts_with_letter = run.starts_with(|c: char| c.is_ascii_alphabetic());
    // A DOI.
    if run.starts_with("10.") && run.contains('/') {
        return true;
    }
    if letters == 0 {
        // `2.4.1` is a version, `24.12.2025` a date.
        let groups: Vec<&str> = run.split('-').collect();
        if groups.len() > 1 {
            let dated = run.get(4..5) == Some("-") && run.get(7..8) == Some("-");
            let phone = run.starts_with('0') || groups.len() > 3;
            return digits >= 6
                && !dated
                && !phone
                && groups
                    .iter()
                    .all(|group| group.len() > 1 && group.bytes().all(|b| b.is_ascii_digit()));
        }
        let parts: Vec<&str> = run.split('.').collect();
        if let [a, b, c] = parts.as_slice() {
            let short = |part: &str| (1..=3).contains(&part.len());
            return short(a) && short(b) && matches!(c.len(), 1 | 3);
        }
        // An address; numbers, dates and times have fewer dots.
        return run.split('.').count() == 4
            && run.split('.').all(|part| part.parse::<u8>().is_ok());
    }
    if starts_with_letter {
        let clean = !run.contains(['.', '/', ':']) || run.contains(':');
        return clean && run.len() >= 2 && !run.starts_with(['T', 't']) | (run.len() > 2);
    }
    let parts: Vec<&str> = run.split('-').collect();
    let uuid = parts.len() == 5 && run.len() == 36;
    let tail: String = run
        .chars()
        .skip_while(|c| c.is_ascii_digit() || matches!(c, '.' | ':'))
        .collect();
    let mixed = tail.chars().any(|c| c.is_ascii_digit())
        && tail.chars().filter(char::is_ascii_alphabetic).count() >= 2;
    let stamp = run.get(4..5) == Some("-") && run.get(7..8) == Some("-");
    uuid || is_short_code(run)
        || (mixed && !stamp && run.len() >= 6 && !run.contains(['.', ':', '/']))
}

/// `4HHB`: a digit, then capital letters that are no unit.
fn is_short_code(run: &str) -> bool {
    let tail = run.trim_start_matches(|c: char| c.is_ascii_digit());
    let counts = super::unit::unit_of(&tail.to_ascii_lowercase()).is_some()
        || matches!(
            tail,
            "AM" | "PM" | "ST" | "ND" | "RD" | "TH" | "EUR" | "USD" | "GBP" | "KRW"
        );
    (3..=12).contains(&run.len())
        && tail.len() >= 2
        && tail
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
        && !counts
}

fn phones(text: &str) -> Vec<Formed> {
    let mut found = Vec::new();
    let mut start: Option<usize> = None;
    let mut end = 0;
    for (at, c) in text
        .char_indices()
        .chain(std::iter::once((text.len(), 'x')))
    {
        let opens = start.is_none() && (c == '+' || c.is_ascii_digit() || c == '(');
        let goes_on = start.is_some() && (c.is_ascii_digit() || matches!(c, ' ' | '-' | '(' | ')'));
        if opens {
            start = Some(at);
        }
        if (opens || goes_on) && c.is_ascii_digit() {
            end = at + 1;
        }
        if !opens
            && !goes_on
            && let Some(from) = start.take()
        {
            let run = text.get(from..end).unwrap_or_default();
            let digits = run.chars().filter(char::is_ascii_digit).count();
            let groups: Vec<&str> = run.split([' ', '-']).collect();
            let even =
                groups.len() >= 3 && groups.iter().all(|group| group.len() >= 2) && digits >= 9;
            let grouped = run.starts_with('+')
                || even
                || run.matches('-').count() >= 2
                || run.starts_with('0') && digits >= 9;
            let dated = run.get(4..5) == Some("-") && run.get(7..8) == Some("-");
            if grouped && !dated && (7..=15).contains(&digits) {
                found.push(Formed {
                    form: Form::Phone,
                    text: run.to_owned(),
                    span: from..end,
                });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(Form, String)> {
        formed(text)
            .into_iter()
            .map(|formed| (formed.form, formed.text))
            .collect()
    }

    #[test]
    fn forms_are_recognised() {
        for (text, form, found) in [
            (
                "mail bob.smith@example.com, please",
                Form::Email,
                "bob.smith@example.com",
            ),
            (
                "open https://example.com/a?b=c.",
                Form::Url,
                "https://example.com/a?b=c",
            ),
            ("ping example.com now", Form::Domain, "example.com"),
            ("delete report.pdf", Form::Path, "report.pdf"),
            ("list /var/log", Form::Path, "/var/log"),
            ("read src/main.rs", Form::Path, "src/main.rs"),
            ("order ABC-123's status", Form::Id, "ABC-123"),
            ("주문 ABC-123의 상태", Form::Id, "ABC-123"),
            ("ticket #42?", Form::Id, "#42"),
            ("track 1Z999AA10123456784", Form::Id, "1Z999AA10123456784"),
            ("host 10.0.0.1", Form::Id, "10.0.0.1"),
            ("price of AAPL", Form::Code, "AAPL"),
            ("tell @bob", Form::Handle, "@bob"),
            ("post in #general", Form::Handle, "#general"),
            ("call +49 170 1234567 now", Form::Phone, "+49 170 1234567"),
            ("010-1234-5678로 전화", Form::Phone, "010-1234-5678"),
        ] {
            assert!(
                read(text).contains(&(form, found.to_owned())),
                "{text}: {:?}",
                read(text)
            );
        }
        for text in [
            "5kg at 7pm on 2025-06-01T10:00:00Z",
            "the 3rd of 10",
            "1,234.5 and 12*(3+4)",
            "and/or",
            "",
        ] {
            assert_eq!(read(text), [], "{text}");
        }
    }
}
