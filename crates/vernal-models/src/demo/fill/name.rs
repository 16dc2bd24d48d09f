//! Names and other groups of words for text parameters: who, where, what.

use serde_json::Value;

use super::chunk::Chunk;
use super::leaf::{Candidate, Leaf, Scene, listed};
use super::name_cue::{cue_fit, quoted_fit};
use super::name_place::place_fit;
use super::name_value::{address_end, cased, strength, without_noun};
use super::number::Written;
use super::unit::{Dimension, unit_of};
use crate::demo::cue::{Cue, preposition};
use crate::demo::lang::{Lang, is_stop};
use crate::demo::role::{Want, want};
use crate::demo::schema::Text;
use crate::demo::side::Side;
use crate::demo::words::{Token, Word};
use crate::demo::world::country_code;

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
        let mut span = chunk.span.clone();
        let mut value = cased(leaf, without_noun(leaf, chunk, scene), text);
        if let Some(end) = address_end(leaf, chunk, scene) {
            span.end = end;
            value = scene.reading.slice(&span).to_owned();
        }
        // `김하늘로`: three syllables make a name.
        let person =
            matches!(leaf.want, Want::Person | Want::Author) && scene.reading.lang == Lang::Ko;
        if person && value.chars().count() == 4 && value.ends_with('로') {
            value.pop();
        }
        if !text.allows(&value) {
            continue;
        }
        let mut candidate =
            Candidate::new(value, span, score).with_strength(strength(leaf, text, chunk));
        candidate.group = Some(chunk.group);
        found.push(candidate);
    }
    found
}

fn fit(leaf: &Leaf<'_>, index: usize, chunk: &Chunk, scene: &Scene<'_>) -> Option<f32> {
    let reading = scene.reading;
    if chunk.title && leaf.want != Want::Title {
        return None;
    }
    let written = matches!(
        leaf.want,
        Want::Text | Want::Title | Want::Query | Want::Topic
    );
    let a_text = written || leaf.want == Want::Id && chunk.quoted;
    if a_text && reading.is_of_another(&chunk.span) {
        return None;
    }
    let mut score = if chunk.quoted {
        let title = leaf.want == Want::Id && chunk.text.contains(char::is_whitespace);
        let other = !written && takes_text(scene) && leaf.want != Want::Title;
        quoted_fit(leaf.want) - if title { 0.4 } else { 0.0 } - if other { 0.35 } else { 0.0 }
    } else {
        cue_fit(leaf, chunk)?
    };
    // A quoted sentence is nobody and nowhere.
    let sentence = chunk.quoted && chunk.text.split_whitespace().count() >= 4;
    if sentence
        && matches!(
            leaf.want,
            Want::Person | Want::Author | Want::Place | Want::Container | Want::Kind
        )
    {
        score -= 0.4;
    }
    // `in feet` is nowhere.
    let measure = unit_of(&chunk.text.to_lowercase()).is_some() && !chunk.name;
    if leaf.want == Want::Place && measure && reading.lang == Lang::En {
        score -= 0.6;
    }
    // `25 euros a month`
    let span_of_time =
        unit_of(&chunk.text.to_lowercase()).is_some_and(|u| u.dimension == Dimension::Time);
    if span_of_time && !chunk.quoted && reading.lang == Lang::En && chunk.label.is_none() {
        score -= 0.4;
    }
    // `animal_name`: names are written with capitals.
    let named = leaf.param.words.len() > 1
        && leaf
            .param
            .words
            .last()
            .is_some_and(|word| word.lower == "name")
        || leaf
            .param
            .description
            .to_lowercase()
            .starts_with("name of the");
    if named && !chunk.name && !chunk.quoted && reading.lang == Lang::En {
        score -= 0.12;
    }
    let named_behind = || {
        let next = reading
            .after(chunk.span.end, 0)
            .map_or("", |token| token.lower());
        listed("will would can", next) && leaf.label(reading, &chunk.span) >= 0.9
    };
    if chunk.name && chunk.label.is_none() && named_behind() {
        score += 0.4;
    }
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
        // `reference "March rent"`
        Some(own) if own == index && chunk.quoted && !sentence => (0.95 - score).max(0.4),
        Some(own) if own == index && chunk.name => 0.5,
        Some(own) if own == index => 0.4,
        Some(_) => -0.3,
        None => 0.0,
    };
    score += match (leaf.side, chunk.cue) {
        (Side::From, Cue::From) | (Side::To, Cue::To | Cue::Until) => 0.45,
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
    // `마케팅팀으로` is no person.
    let way = reading
        .text
        .get(chunk.span.end..)
        .is_some_and(|tail| tail.starts_with('로') || tail.starts_with("으로"));
    if reading.lang == Lang::Ko && way && leaf.want == Want::Person && chunk.label != Some(index) {
        score -= 0.4;
    }
    // `Dr. Stein` treats, `Mrs. Alvarez` is treated.
    let doctor = chunk
        .text
        .split([' ', '.'])
        .any(|word| listed("Dr Prof Doctor Doktor", word));
    let treats = leaf.named("doctor physician clinician dentist therapist specialist provider arzt médico professor 의사");
    if doctor || treats {
        score += match (doctor, treats) {
            (true, true) => 0.3,
            (true, false) if leaf.want == Want::Person => -0.2,
            (false, true) => -0.1,
            _ => 0.0,
        };
    }
    // `the horse Comet`, `my colleague Anna`: the noun says what the name is of.
    let noun = reading.before(chunk.span.start, 0).filter(|noun| {
        chunk.name && noun.is_word() && !noun.capital && !is_stop(reading.lang, noun.lower())
    });
    // A film is no cinema, though they are spoken of together.
    let near = if leaf.want == Want::Place { 0.7 } else { 0.6 };
    let of_kind = |noun: &Token| {
        leaf.words
            .iter()
            .any(|own| own.likeness(&noun.word) >= near)
    };
    if chunk.label != Some(index) && leaf.want != Want::Author && noun.is_some_and(of_kind) {
        score += 0.35;
    }
    // `Position applied for`, `given_by`
    let closes = |words: &[Word]| {
        let last = words.last().filter(|_| words.len() > 1)?;
        preposition(Lang::En, &last.lower)
    };
    let ends = [&leaf.param.about, &leaf.param.words];
    if ends
        .into_iter()
        .any(|words| closes(words) == Some(chunk.cue))
    {
        score += 0.3;
    }
    let firm = leaf.named(
        "company firm supplier vendor organization organisation employer merchant 회사 업체",
    );
    if firm {
        score += match chunk.cue {
            Cue::From | Cue::In | Cue::With => 0.25,
            Cue::For | Cue::To => -0.1,
            _ => 0.0,
        };
    }
    // What is counted is a thing: `10 monitors for Oslo`.
    let counted = reading.quantities.iter().any(|quantity| {
        !matches!(quantity.written, Written::Ordinal | Written::Article)
            && quantity.whole.end <= chunk.span.start
            && reading
                .text
                .get(quantity.whole.end..chunk.span.start)
                .is_some_and(|gap| matches!(gap.trim(), "" | "of"))
    });
    if counted && matches!(leaf.want, Want::Thing | Want::Title | Want::Kind) {
        score += 0.2;
    }
    let known = leaf.want == Want::Country && country_code(&chunk.text.to_lowercase()).is_some();
    if known {
        score += 0.3;
    }
    // Korean names have more than one syllable.
    if reading.lang == Lang::Ko && chunk.text.chars().count() == 1 && !chunk.quoted {
        score -= 0.3;
    }
    if chunk.inner {
        score += 0.05;
    }
    if listed(BLAND, &chunk.text.to_lowercase()) && chunk.label.is_none() {
        score -= 0.35;
    }
    if chunk.title {
        score += 0.12;
    }
    if is_described(&chunk.text, scene) {
        score -= 0.3;
    }
    // `make a note of that`
    let verb = reading.lang == Lang::En
        && Word::new(&chunk.text).is_action()
        && !chunk.quoted
        && !chunk.name
        && chunk.label.is_none();
    if verb {
        score -= 0.25;
    }
    if chunk.specifies
        && matches!(
            leaf.want,
            Want::Title | Want::Person | Want::Thing | Want::Id
        )
    {
        score += 0.1;
    }
    score += place_fit(leaf, chunk, scene);
    let described = leaf.param.examples.iter().filter_map(Value::as_str);
    if described
        .into_iter()
        .any(|sample| sample.eq_ignore_ascii_case(&chunk.text))
    {
        score += 0.2;
    }
    Some(score)
}

/// Whether the tool takes a text in the words of the user, for which quotes are meant.
fn takes_text(scene: &Scene<'_>) -> bool {
    let mut params = scene.tool.params.iter();
    params.any(|param| want(param, &scene.tool.words) == Want::Text)
}

/// Nouns that name nothing by themselves.
const BLAND: &str = "profile account information info details data status list number result results thing things stuff one ones item items \
    record records entry entries 정보 내용 목록 상태 현황 번호 내역 결과 자료 관련 것";

const COLORS: &str = "red green blue yellow orange purple violet pink white black gray grey brown cyan magenta turquoise \
    gold silver warm cool rot grün blau gelb lila weiß schwarz rojo verde azul amarillo blanco negro 빨간색 파란색 \
    초록색 노란색 하얀색 검은색 빨강 파랑 赤 青 緑 黄色 白 黒 红色 蓝色 绿色";

/// Whether every word is one that the tool describes itself with: no value but what is to be done.
pub(super) fn is_described(text: &str, scene: &Scene<'_>) -> bool {
    let words = crate::demo::words::identifier_words(text);
    let known = |word: &crate::demo::words::Word| {
        let small = crate::demo::lang::is_stop(scene.reading.lang, &word.lower);
        small || scene.tool.about.iter().any(|about| about.is(word))
    };
    !words.is_empty() && words.iter().all(known)
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
