//! The value that a group of words stands for.

use super::chunk::Chunk;
use super::leaf::{Leaf, Scene, Strength, listed};
use crate::demo::lang::Lang;
use crate::demo::role::Want;
use crate::demo::schema::Text;
use crate::demo::words::Word;

/// Where an address goes on after a comma: `22 Rose Street, York`.
pub(super) fn address_end(leaf: &Leaf<'_>, chunk: &Chunk, scene: &Scene<'_>) -> Option<usize> {
    if !leaf.named("address street_address adresse dirección pickup dropoff") || chunk.quoted {
        return None;
    }
    let reading = scene.reading;
    let mut end = None;
    let mut at = reading.token_at(chunk.span.end);
    while reading
        .tokens
        .get(at)
        .is_some_and(|token| token.is_symbol(","))
    {
        let goes_on = |at: usize| {
            reading
                .tokens
                .get(at)
                .is_some_and(|token| token.capital || token.is_number())
        };
        let from = at + 1;
        at = from;
        while goes_on(at) {
            at += 1;
        }
        if at == from {
            break;
        }
        end = at
            .checked_sub(1)
            .and_then(|last| reading.tokens.get(last))
            .map(|token| token.span.end);
    }
    end
}

/// `billing` of `billing repo`, where a repository is wanted.
pub(super) fn without_noun<'a>(leaf: &Leaf<'_>, chunk: &'a Chunk, scene: &Scene<'_>) -> &'a str {
    const OF_PEOPLE: &str =
        "번호 전화번호 연락처 주소 이메일 메일 정보 예약 일정 계좌 회원번호 고객번호 회원 고객";
    if let Some((person, noun)) = chunk.text.rsplit_once(' ')
        && leaf.want == Want::Person
        && listed(OF_PEOPLE, noun)
        && !chunk.quoted
    {
        return person;
    }
    let noun = chunk
        .text
        .rsplit_once(' ')
        .filter(|_| !chunk.quoted && !chunk.name);
    let of_names = "name title text room door city place location subject topic product item";
    let own = |word: &Word| {
        let mut words = leaf
            .param
            .words
            .iter()
            .filter(|own| !listed(of_names, &own.lower));
        words.any(|own| own.likeness(word) >= 0.6)
    };
    match noun {
        Some((rest, last)) if scene.reading.lang == Lang::En && own(&Word::new(last)) => rest,
        _ => &chunk.text,
    }
}

/// Symbols are written in capitals.
pub(super) fn cased(leaf: &Leaf<'_>, text: &str, shape: &Text) -> String {
    let capitals = leaf.want == Want::Symbol
        || shape
            .pattern
            .as_deref()
            .is_some_and(|pattern| pattern.contains("[A-Z]") && !pattern.contains("a-z"));
    if capitals {
        text.to_uppercase()
    } else if let Some(part) = part_of_name(leaf, text) {
        part.to_owned()
    } else {
        text.to_owned()
    }
}

/// `Lindqvist` of `Mr Lindqvist`, where only the last name is asked for; likewise the first.
pub(super) fn part_of_name<'a>(leaf: &Leaf<'_>, text: &'a str) -> Option<&'a str> {
    const TITLES: &str =
        "mr mr. mrs mrs. ms ms. miss dr dr. prof prof. herr frau señor señora sr sr. sra sra.";
    let about = format!("{} {}", leaf.param.name, leaf.param.description).to_lowercase();
    let about = about.replace('_', " ");
    let says = |words: &[&str]| words.iter().any(|word| about.contains(word));
    let last = says(&[
        "last name",
        "lastname",
        "surname",
        "family name",
        "nachname",
        "apellido",
    ]);
    let first = says(&[
        "first name",
        "firstname",
        "given name",
        "vorname",
        "nombre de pila",
    ]);
    let names = text
        .split_whitespace()
        .filter(|part| !listed(TITLES, &part.to_lowercase()));
    match (first, last) {
        (true, false) => names.into_iter().next(),
        (false, true) => names.into_iter().next_back(),
        _ => None,
    }
}

/// Whether a text may be an id: it has a digit or a capital, or is one word of joined parts.
pub(super) fn is_coded(text: &str) -> bool {
    let joined = !text.contains(' ') && text.contains(['-', '_', '.', '/']);
    joined
        || text.contains(|c: char| c.is_ascii_digit() || c.is_uppercase())
        || !text.is_ascii() && !text.contains(' ')
}

fn is_numbered(leaf: &Leaf<'_>) -> bool {
    leaf.param.name.contains("번호") || leaf.param.description.contains("번호")
}

pub(super) fn strength(leaf: &Leaf<'_>, text: &Text, chunk: &Chunk) -> Strength {
    let formal = text.format.as_deref().is_some_and(|format| {
        listed(
            "email idn-email uri url uuid date date-time time ipv4 ipv6",
            format,
        )
    });
    let timely = matches!(
        leaf.want,
        Want::Date | Want::Time | Want::DateTime | Want::Expression | Want::Zone | Want::Phone
    );
    match leaf.want {
        _ if formal || timely => Strength::Key,
        Want::Email => Strength::LastResort,
        Want::Url | Want::Thought | Want::Confidence => Strength::Key,
        // Numbers have digits.
        Want::Id
            if !chunk.quoted
                && is_numbered(leaf)
                && !chunk.text.contains(|c: char| c.is_ascii_alphanumeric()) =>
        {
            Strength::Key
        }
        // `pepperoni pizza` is no number of anything.
        Want::Id if !chunk.quoted && !is_coded(&chunk.text) => Strength::Key,
        Want::Id if !chunk.quoted => Strength::LastResort,
        Want::Currency => Strength::Key,
        // A path has a slash or a dot.
        Want::Path if !chunk.quoted && !chunk.text.contains(['/', '.', '_']) => {
            Strength::LastResort
        }
        Want::Symbol | Want::Language => Strength::LastResort,
        _ => Strength::Firm,
    }
}
