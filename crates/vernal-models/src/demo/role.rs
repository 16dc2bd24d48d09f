//! What a parameter wants, judged by the words of its name, its description and its schema.

use super::lookup::Lookup;
use super::role_refine::refine;
use super::role_schema::{numeric_want, want_by_schema};
use super::role_words::WANTS;
use super::schema::{Param, Shape};
use super::words::Word;
use std::sync::LazyLock;

/// The kind of thing that a parameter wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Want {
    Text,
    Query,
    Title,
    Topic,
    Person,
    Author,
    Place,
    Country,
    Kind,
    /// Something that other things are in: a list, a folder, an account.
    Container,
    Thing,
    Id,
    Symbol,
    Email,
    Url,
    Path,
    Phone,
    Code,
    Expression,
    Language,
    Currency,
    Unit,
    Zone,
    Date,
    Time,
    /// A point in time, as precise as it was said.
    When,
    DateTime,
    Timestamp,
    DatePart(DatePart),
    Duration,
    Amount,
    Limit,
    Page,
    /// Why the model calls the tool.
    Thought,
    Confidence,
}

/// A piece of a date that is wanted as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DatePart {
    Year,
    Month,
    Day,
    Hour,
    Minute,
}

pub(crate) fn listed(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

/// The kind of thing that a word names.
fn want_of(word: &Word) -> Option<Want> {
    static TABLE: LazyLock<Lookup<Want>> = LazyLock::new(|| Lookup::new(WANTS.iter().copied()));
    let direct = |word: &str| TABLE.first(word);
    let singular = || {
        word.lower
            .strip_suffix('s')
            .filter(|rest| rest.len() > 2)
            .and_then(direct)
    };
    direct(&word.lower).or_else(singular).or_else(|| {
        let glued = |known: &str| {
            !known.is_ascii() && known.chars().count() >= 2 && word.lower.contains(known)
        };
        // `Bestellnummer`, `birthdate`: the last part of a compound is its noun.
        let ends = |known: &str| {
            known.is_ascii()
                && known.len() >= 4
                && word.lower.len() >= known.len() + 3
                && word.lower.ends_with(known)
        };
        // `passport` is no port.
        const WHOLE: &str = "candidate candidates update validate mandate context pretext passport report support export \
            import transport capacity velocity electricity publicity specialist checklist profile discount rename prototype \
            laptop somebody estate overtime candidate's city's";
        if listed(WHOLE, &word.lower) {
            return None;
        }
        let compound = WANTS
            .iter()
            .find(|(_, words)| words.split_whitespace().any(ends));
        if let Some((want, _)) = compound {
            return Some(*want);
        }
        let inside = WANTS
            .iter()
            .find(|(_, words)| words.split_whitespace().any(glued));
        inside.map(|(want, _)| *want)
    })
}

/// The kind of thing that a parameter wants. Names count before descriptions, and the last word of a
/// name, its noun, before the others.
pub(crate) fn want(param: &Param, tool: &[Word]) -> Want {
    if let Some(want) = want_by_schema(param) {
        return want;
    }
    let numeric = matches!(param.shape, Shape::Number(_));
    let counts = numeric && param.words.len() == 1 && has(&param.words, "number code key");
    let named = name_want(&param.words, numeric).filter(|_| !counts);
    let described = || {
        // `Number of guests` is no id.
        let an_id = !numeric || has(&param.about, "id ids identifier 아이디");
        let wants = param.about.iter().filter_map(want_of);
        let suitable: Vec<Want> = wants.filter(|want| suits(*want, numeric)).collect();
        // `First phone` is a thing, `Phone number` is none.
        let called = says(
            param,
            &["number", "tel", "mobile", "call", "contact", "번호"],
        );
        let suitable: Vec<Want> = suitable
            .into_iter()
            .filter(|want| *want != Want::Phone || called)
            .collect();
        // `ISO 4217 code of the currency` is a currency.
        let coded = matches!(suitable.first(), Some(Want::Id | Want::Title | Want::Place));
        let known = suitable
            .iter()
            .take(4)
            .find(|want| coded && is_first_class(**want));
        let mut suitable = suitable.iter();
        known
            .or_else(|| suitable.find(|want| **want != Want::Id || an_id))
            .copied()
    };
    let found = match named {
        Some(want) => Some(want),
        None => described(),
    };
    // `What is broken`: told in the user's own words.
    let digits =
        matches!(found, None | Some(Want::Thing | Want::Title)) && says(param, &["digits"]);
    let found = if digits && !numeric {
        Some(Want::Id)
    } else {
        found
    };
    let told = matches!(found, None | Some(Want::Thing))
        && param.description.to_lowercase().starts_with("what is ");
    let found = if told { Some(Want::Text) } else { found };
    // `student_no`
    let number = param.words.len() > 1
        && param
            .words
            .last()
            .is_some_and(|word| listed("no num nr nbr", &word.lower));
    let found = if number && !numeric {
        Some(Want::Id)
    } else {
        found
    };
    let found = refine(found, param, tool);
    if numeric {
        numeric_want(found, param)
    } else {
        found.unwrap_or(Want::Thing)
    }
}

fn name_want(words: &[Word], numeric: bool) -> Option<Want> {
    // `language_code` wants a language and `order_date` a date, whatever else the name says.
    let mut wants = words
        .iter()
        .rev()
        .filter_map(want_of)
        .filter(|want| suits(*want, numeric));
    let all: Vec<Want> = wants.by_ref().collect();
    all.iter()
        .find(|want| is_first_class(**want))
        .or(all.first())
        .copied()
}

fn is_first_class(want: Want) -> bool {
    matches!(
        want,
        Want::Email
            | Want::Url
            | Want::Zone
            | Want::Language
            | Want::Currency
            | Want::Phone
            | Want::Symbol
            | Want::DateTime
            | Want::Timestamp
    )
}

fn suits(want: Want, numeric: bool) -> bool {
    !numeric
        || matches!(
            want,
            Want::Id
                | Want::Date
                | Want::Time
                | Want::Timestamp
                | Want::Duration
                | Want::Confidence
                | Want::DateTime
        )
}

pub(crate) fn says(param: &Param, words: &[&str]) -> bool {
    let lower = param.description.to_lowercase();
    words.iter().any(|word| lower.contains(word))
}

pub(crate) fn has(words: &[Word], wanted: &str) -> bool {
    words.iter().any(|word| listed(wanted, &word.lower))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::schema::params_of;
    use crate::demo::side::{Side, side};
    use crate::demo::words::identifier_words;

    fn of(schema: &str, tool: &str) -> (Want, Side) {
        let params = params_of(&format!(r#"{{"properties":{{{schema}}}}}"#));
        (want(&params[0], &identifier_words(tool)), side(&params[0]))
    }

    #[test]
    fn wants_are_judged_by_name_description_and_format() {
        for (schema, expected) in [
            (r#""city":{"type":"string"}"#, Want::Place),
            (r#""customerName":{"type":"string"}"#, Want::Person),
            (r#""q":{"type":"string"}"#, Want::Query),
            (
                r#""x":{"type":"string","description":"The city's name"}"#,
                Want::Place,
            ),
            (
                r#""start":{"type":"string","format":"date-time"}"#,
                Want::DateTime,
            ),
            (
                r#""time":{"type":"string","description":"The time, in ISO-8601 format."}"#,
                Want::DateTime,
            ),
            (r#""time":{"type":"string"}"#, Want::When),
            (r#""dueDate":{"type":"string"}"#, Want::Date),
            (r#""order_id":{"type":"string"}"#, Want::Id),
            (r#""language_code":{"type":"string"}"#, Want::Language),
            (r#""duration_minutes":{"type":"integer"}"#, Want::Duration),
            (
                r#""year":{"type":"integer"}"#,
                Want::DatePart(DatePart::Year),
            ),
            (r#""limit":{"type":"integer"}"#, Want::Limit),
            (r#""amount":{"type":"number"}"#, Want::Amount),
            (r#""도시":{"type":"string"}"#, Want::Place),
            (r#""받는사람":{"type":"string"}"#, Want::Person),
            (r#""innerThought":{"type":"string"}"#, Want::Thought),
            (r#""foo":{"type":"string"}"#, Want::Thing),
        ] {
            assert_eq!(of(schema, "do_it").0, expected, "{schema}");
        }
        assert_eq!(
            of(r#""name":{"type":"string"}"#, "find_customer").0,
            Want::Person
        );
    }

    #[test]
    fn sides_are_told() {
        assert_eq!(of(r#""origin":{"type":"string"}"#, "x").1, Side::From);
        assert_eq!(of(r#""to_currency":{"type":"string"}"#, "x").1, Side::To);
        assert_eq!(of(r#""check_out":{"type":"string"}"#, "x").1, Side::To);
        assert_eq!(of(r#""도착지":{"type":"string"}"#, "x").1, Side::To);
        assert_eq!(of(r#""city":{"type":"string"}"#, "x").1, Side::Neither);
    }
}
