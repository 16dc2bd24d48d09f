//! Tool names: which are allowed, and what they say when read as words.

use std::borrow::Cow;

/// How much of a list of names is told, in bytes.
const MAX_LISTED_BYTES: usize = 2 * 1024;

/// The longest name, in bytes (rule DEF-2).
pub(crate) const MAX_NAME_BYTES: usize = 128;

/// Says what is wrong with a name, if anything (rules DEF-1, DEF-2).
pub(crate) fn problem_with_name(name: &str) -> Option<String> {
    if name.trim().is_empty() {
        return Some("a tool's name must not be blank".to_owned());
    }
    if name.len() > MAX_NAME_BYTES {
        let beginning = name.get(..name.floor_char_boundary(40)).unwrap_or_default();
        return Some(format!(
            "the tool name `{beginning}…` has {} bytes; at most {MAX_NAME_BYTES} are allowed",
            name.len()
        ));
    }
    if let Some(bad) = name.chars().find(|c| c.is_control()) {
        return Some(format!(
            "the tool name {name:?} contains the control character {bad:?}"
        ));
    }
    None
}

/// The words of a name: `getWeather` and `get_weather` are both `get weather` (rule DEF-1).
pub(crate) fn words_of_name(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut previous_lower = false;
    for c in name.chars() {
        if matches!(c, '_' | '-' | '.' | '/' | ':') || c.is_whitespace() {
            if !words.is_empty() && !words.ends_with(' ') {
                words.push(' ');
            }
            previous_lower = false;
            continue;
        }
        if c.is_uppercase() && previous_lower {
            words.push(' ');
        }
        previous_lower = c.is_lowercase() || c.is_numeric();
        words.extend(c.to_lowercase());
    }
    match words.trim_end() {
        "" => name.to_owned(), // It is nothing but signs.
        words => words.to_owned(),
    }
}

/// A name as it may be repeated, whoever made it up: no control characters, and no longer than a tool's
/// can be.
pub(crate) fn shown(name: &str) -> Cow<'_, str> {
    if name.len() <= MAX_NAME_BYTES && !name.contains(char::is_control) {
        return Cow::Borrowed(name);
    }
    let end = name.floor_char_boundary(MAX_NAME_BYTES);
    let mut shown = String::with_capacity(end);
    for c in name.get(..end).unwrap_or_default().chars() {
        match c.is_control() {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    if end < name.len() {
        shown.push('…');
    }
    Cow::Owned(shown)
}

/// Names, one after the other; of very many, the first, and how many there are besides.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut listed = String::new();
    let mut more = 0_usize;
    for name in names {
        if more > 0 || listed.len() + name.len() > MAX_LISTED_BYTES {
            more += 1;
            continue;
        }
        if !listed.is_empty() {
            listed.push_str(", ");
        }
        listed.push_str(name);
    }
    if more > 0 {
        listed.push_str(&format!(" and {more} more"));
    }
    listed
}

/// The known name that is nearest to `wanted`, if one is near enough to be meant (rule LOOP-9).
pub(crate) fn nearest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if wanted.len() > 2 * MAX_NAME_BYTES {
        return None;
    }
    let wanted_words = words_of_name(wanted);
    let distance = |name: &str| {
        let words = words_of_name(name);
        // `functions.get_weather` and `server__get_weather` mean `get_weather`, however long the prefix.
        match wanted_words.strip_suffix(&*words) {
            Some(prefix) if prefix.ends_with(' ') => 1,
            _ => edit_distance(&wanted_words, &words),
        }
    };
    known
        .map(|name| (distance(name), name))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, name)| {
            *distance * 2 <= wanted.chars().count().max(name.chars().count())
        })
        .map(|(_, name)| name)
}

/// Levenshtein distance over characters.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, to) in row.iter_mut().skip(1).zip(&b) {
            let above = *cell;
            *cell = if from == *to {
                diagonal
            } else {
                1 + diagonal.min(above).min(left)
            };
            left = *cell;
            diagonal = above;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_words() {
        assert_eq!(words_of_name("getWeather"), "get weather");
        assert_eq!(words_of_name("get_weather"), "get weather");
        assert_eq!(words_of_name("fs/read-file.v2"), "fs read file v2");
        assert_eq!(words_of_name("날씨_조회"), "날씨 조회");
        assert_eq!(words_of_name("HTTPGet"), "httpget");
        assert_eq!(words_of_name("_"), "_");
    }

    #[test]
    fn what_is_repeated_of_a_name_is_short_and_harmless() {
        assert_eq!(shown("날씨 조회"), "날씨 조회");
        assert_eq!(shown("a\nb\u{1b}[31m"), "a\\nb\\u{1b}[31m");
        let long = shown(&"날".repeat(1000)).into_owned();
        assert_eq!(long, format!("{}…", "날".repeat(42)));
        assert_eq!(nearest(&"x".repeat(100_000), ["x"].into_iter()), None);
    }

    #[test]
    fn a_list_of_names_is_not_too_long() {
        assert_eq!(listed(["a", "b"].into_iter()), "a, b");
        assert_eq!(listed([].into_iter()), "");
        let name = "x".repeat(100);
        let list = listed(std::iter::repeat_n(&*name, 500));
        assert!(
            list.len() < 2200 && list.ends_with(" and 480 more"),
            "{list}"
        );
    }

    #[test]
    fn the_nearest_name_must_be_near() {
        let known = ["get_weather", "set_alarm"];
        assert_eq!(
            nearest("getWeather", known.into_iter()),
            Some("get_weather")
        );
        assert_eq!(
            nearest("get_wether", known.into_iter()),
            Some("get_weather")
        );
        assert_eq!(nearest("launch_rocket_to_mars", known.into_iter()), None);
        assert_eq!(nearest("x", std::iter::empty()), None);
        for prefixed in [
            "functions.set_alarm",
            "the-server-of-all-clocks__set_alarm",
            "a/b/set-alarm",
        ] {
            assert_eq!(
                nearest(prefixed, known.into_iter()),
                Some("set_alarm"),
                "{prefixed}"
            );
        }
    }

    #[test]
    fn distance_counts_edits() {
        for (a, b, distance) in [
            ("", "", 0),
            ("", "ab", 2),
            ("kitten", "sitting", 3),
            ("ab", "", 2),
        ] {
            assert_eq!(edit_distance(a, b), distance, "{a} {b}");
        }
    }

    #[test]
    fn a_name_is_any_text_without_control_characters() {
        assert!(problem_with_name("날씨").is_none());
        assert!(problem_with_name(" ").is_some());
        assert!(problem_with_name("a\nb").is_some());
        assert!(problem_with_name(&"x".repeat(129)).is_some());
    }
}
