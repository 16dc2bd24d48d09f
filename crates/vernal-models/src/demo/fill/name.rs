//! Names and other groups of words for text parameters: who, where, what.

use serde_json::Value;

use super::chunk::Chunk;
use super::leaf::{Candidate, Leaf, Scene, Strength, listed};
use super::pattern::{Form, Formed};
use crate::demo::cue::Cue;
use crate::demo::lang::Lang;
use crate::demo::reading::overlap;
use crate::demo::role::Want;
use crate::demo::schema::Text;
use crate::demo::side::Side;

/// The chunks that the leaf at `index` might take.
pub(crate) fn names(
    leaf: &Leaf<'_>,
    index: usize,
    text: &Text,
    chunks: &[Chunk],
    scene: &Scene<'_>,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for chunk in chunks {
        let Some(score) = fit(leaf, index, chunk, scene) else {
            continue;
        };
        let value = cased(leaf, &chunk.text, text);
        if !text.allows(&value) {
            continue;
        }
        let mut candidate = Candidate::new(value, chunk.span.clone(), score)
            .with_strength(strength(leaf, text, chunk));
        candidate.group = Some(chunk.group);
        found.push(candidate);
    }
    found
}

/// Symbols are written in capitals.
fn cased(leaf: &Leaf<'_>, text: &str, shape: &Text) -> String {
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
fn part_of_name<'a>(leaf: &Leaf<'_>, text: &'a str) -> Option<&'a str> {
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

fn strength(leaf: &Leaf<'_>, text: &Text, chunk: &Chunk) -> Strength {
    let formal = text.format.is_some() && matches!(leaf.want, Want::Email | Want::Url | Want::Id);
    let timely = matches!(
        leaf.want,
        Want::Date | Want::Time | Want::DateTime | Want::Expression | Want::Zone | Want::Phone
    );
    match leaf.want {
        _ if formal || timely => Strength::Key,
        Want::Email => Strength::LastResort,
        Want::Url | Want::Thought | Want::Confidence => Strength::Key,
        Want::Id if !chunk.quoted => Strength::LastResort,
        Want::Currency => Strength::Key,
        Want::Symbol | Want::Language => Strength::LastResort,
        _ => Strength::Firm,
    }
}

fn fit(leaf: &Leaf<'_>, index: usize, chunk: &Chunk, scene: &Scene<'_>) -> Option<f32> {
    let reading = scene.reading;
    let written = matches!(
        leaf.want,
        Want::Text | Want::Title | Want::Query | Want::Topic
    );
    if written && reading.of_another && chunk.span.start >= reading.background {
        return None;
    }
    let mut score = if chunk.quoted {
        let title = leaf.want == Want::Id && chunk.text.contains(char::is_whitespace);
        quoted_fit(leaf.want) - if title { 0.4 } else { 0.0 }
    } else {
        cue_fit(leaf, chunk)?
    };
    if chunk.name {
        score += match leaf.want {
            Want::Person | Want::Author | Want::Place | Want::Country => 0.15,
            Want::Text | Want::Query | Want::Kind => 0.0,
            _ => 0.08,
        };
    } else if matches!(leaf.want, Want::Person | Want::Author)
        && !chunk.quoted
        && chunk.text.is_ascii()
    {
        score -= 0.1;
    }
    score += match chunk.label {
        Some(own) if own == index => 0.4,
        Some(_) => -0.3,
        None => 0.0,
    };
    score += match (leaf.side, chunk.cue) {
        (Side::From, Cue::From) | (Side::To, Cue::To | Cue::Until) => 0.35,
        (Side::To, Cue::In) => 0.1,
        (Side::From, Cue::To | Cue::Until) | (Side::To, Cue::From) => -0.45,
        (Side::To, Cue::Object) if leaf.want == Want::Place => -0.05,
        _ => 0.0,
    };
    if leaf.named("color colour farbe couleur 색 색상 색깔 色 颜色")
        && listed(COLORS, &chunk.text.to_lowercase())
    {
        score += 0.6;
    }
    if chunk.modifies && matches!(leaf.want, Want::Kind | Want::Topic) {
        score += 0.35;
    }
    // What is not asked for needs more than to stand there.
    let unasked = !leaf.required && chunk.label.is_none() && chunk.cue == Cue::Object;
    if unasked
        && matches!(
            leaf.want,
            Want::Thing | Want::Title | Want::Container | Want::Person
        )
    {
        score -= 0.15;
    }
    if chunk.inner {
        score += 0.05;
    }
    if is_described(&chunk.text, scene) {
        score -= 0.3;
    }
    if chunk.specifies
        && matches!(
            leaf.want,
            Want::Title | Want::Person | Want::Thing | Want::Id
        )
    {
        score += 0.1;
    }
    if chunk.span.start >= reading.background {
        score -= 0.25;
    }
    // `to eight` is no person.
    let number = reading
        .quantities
        .iter()
        .any(|quantity| quantity.span == chunk.span);
    if number && matches!(leaf.want, Want::Person | Want::Author | Want::Place) {
        score -= 0.4;
    }
    // German names are written with capitals.
    let small = reading.lang == Lang::De && chunk.text.starts_with(char::is_lowercase);
    if small && matches!(leaf.want, Want::Person | Want::Author | Want::Place) {
        score -= 0.4;
    }
    let an_id = |formed: &Formed| formed.form == Form::Id && overlap(&formed.span, &chunk.span);
    if matches!(
        leaf.want,
        Want::Person | Want::Author | Want::Place | Want::Title
    ) && !chunk.quoted
        && reading.formed.iter().any(an_id)
    {
        score -= 0.6;
    }
    let aside = reading
        .asides
        .iter()
        .any(|aside| overlap(aside, &chunk.span));
    if aside && !chunk.quoted && !chunk.name {
        score -= 0.2;
    }
    if reading.is_negated(&chunk.span) {
        score -= 0.5;
    }
    if let Some(prefer) = scene.prefer.as_ref().filter(|_| leaf.required) {
        score += if overlap(prefer, &chunk.span) {
            0.5
        } else {
            -0.2
        };
    }
    let described = leaf.param.examples.iter().filter_map(Value::as_str);
    if described
        .into_iter()
        .any(|sample| sample.eq_ignore_ascii_case(&chunk.text))
    {
        score += 0.2;
    }
    Some(score)
}

const COLORS: &str = "red green blue yellow orange purple violet pink white black gray grey brown cyan magenta turquoise \
    gold silver warm cool rot grün blau gelb lila weiß schwarz rojo verde azul amarillo blanco negro 빨간색 파란색 \
    초록색 노란색 하얀색 검은색 빨강 파랑 赤 青 緑 黄色 白 黒 红色 蓝色 绿色";

/// Whether every word is one that the tool describes itself with: no value but what is to be done.
fn is_described(text: &str, scene: &Scene<'_>) -> bool {
    let words = crate::demo::words::identifier_words(text);
    let known = |word: &crate::demo::words::Word| {
        let small = crate::demo::lang::is_stop(scene.reading.lang, &word.lower);
        small || scene.tool.about.iter().any(|about| about.is(word))
    };
    !words.is_empty() && words.iter().all(known)
}

fn quoted_fit(want: Want) -> f32 {
    match want {
        Want::Text | Want::Title | Want::Query | Want::Code => 0.95,
        Want::Topic => 0.8,
        Want::Thing | Want::Path => 0.75,
        Want::Id => 0.6,
        Want::Person | Want::Place | Want::Author | Want::Container | Want::Kind => 0.55,
        _ => 0.3,
    }
}

fn cue_fit(leaf: &Leaf<'_>, chunk: &Chunk) -> Option<f32> {
    use Cue::{
        About, As, Because, By, For, From, In, Named, Object, Of, On, Saying, To, Until, With,
        Without,
    };
    let cue = chunk.cue;
    if cue == Without {
        return None;
    }
    Some(match leaf.want {
        Want::Place | Want::Country | Want::Zone => match cue {
            In => 0.9,
            Of => 0.72,
            For | To | From => 0.65,
            Object => 0.58,
            Until => 0.6,
            On => 0.35,
            _ => 0.25,
        },
        Want::Person | Want::Email | Want::Phone => match cue {
            To => 0.8,
            With => 0.75,
            For => 0.7,
            Of => 0.65,
            Object => 0.6,
            By | From => 0.6,
            Named if leaf.required => 0.8,
            Named | About => 0.4,
            _ => 0.2,
        },
        Want::Author => match cue {
            By => 0.95,
            Of | From => 0.6,
            Object => 0.35,
            _ => 0.2,
        },
        Want::Title => match cue {
            Named => 0.95,
            Object => 0.65,
            As => 0.5,
            Of | For | About => 0.5,
            Saying => 0.6,
            _ => 0.3,
        },
        Want::Topic | Want::Query => match cue {
            About => 0.9,
            For => 0.75,
            On | Of => 0.65,
            Object => 0.62,
            _ => 0.35,
        },
        Want::Text => match cue {
            Saying => 0.8,
            Object => 0.55,
            About => 0.5,
            Because if leaf.named("reason motivo grund 사유") => 0.9,
            _ => 0.3,
        },
        Want::Kind => match cue {
            Object | As => 0.55,
            In | Of => 0.45,
            _ => 0.3,
        },
        Want::Container => match cue {
            To | In | From | On => 0.75,
            Of | For => 0.5,
            Named => 0.6,
            _ => 0.35,
        },
        Want::Language => match cue {
            To | In => 0.5,
            _ => 0.2,
        },
        Want::Path => match cue {
            Object | Named => 0.5,
            In | To | From | Of => 0.5,
            _ => 0.3,
        },
        Want::Id | Want::Symbol => match cue {
            Object | Of | For | From | To => 0.4,
            With | By => 0.35,
            _ => 0.2,
        },
        Want::Thing => match cue {
            Object => 0.65,
            Of => 0.58,
            For | With | On => 0.5,
            Named => 0.6,
            As => 0.5,
            In | To | From => 0.42,
            About | By | Saying => 0.42,
            _ => 0.3,
        },
        _ => 0.2,
    })
}

#[cfg(test)]
mod tests {
    use crate::demo::fill::trial::filled;
    use serde_json::json;

    #[test]
    fn prepositions_tell_places_apart() {
        let places = || json!({"origin": {"type": "string"}, "destination": {"type": "string"}});
        let wanted = json!({"origin": "Rome", "destination": "New York"});
        for text in [
            "from Rome to New York",
            "to New York from Rome",
            "I fly to New York from Rome please",
        ] {
            assert_eq!(
                filled("fly", places(), &["origin", "destination"], text),
                wanted,
                "{text}"
            );
        }
    }

    #[test]
    fn names_of_people_things_and_makers() {
        let string = || json!({"type": "string"});
        let one = |tool: &str, name: &str, text: &str| {
            filled(tool, json!({name: string()}), &[name], text)[name].clone()
        };
        assert_eq!(
            one("call_contact", "person", "call my friend Anna Bell"),
            "Anna Bell"
        );
        assert_eq!(
            one("play_song", "artist", "play something by Nina Simone"),
            "Nina Simone"
        );
        assert_eq!(one("open_app", "app", "open the calculator"), "calculator");
        assert_eq!(
            one("find_shop", "city", "shops in rio de janeiro"),
            "rio de janeiro"
        );
        assert_eq!(
            one("find_shop", "city", "shops in Rio de Janeiro"),
            "Rio de Janeiro"
        );
        assert_eq!(one("검색", "도시", "부산에서 찾아줘"), "부산");
    }
}
