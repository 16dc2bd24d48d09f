//! Yes-or-no parameters: what the words of the text say.

use super::leaf::{Candidate, Leaf, Scene, Strength, listed};
use crate::demo::lang::{Lang, is_negation, is_stop};
use crate::demo::reading::overlap;
use crate::demo::synonyms::action_of;
use crate::demo::words::Word;

/// Words that say yes, and their opposites.
const OPPOSITES: &[(&str, &str)] = &[
    (
        "on an ein encendida encendido encender enciende enable enabled activate activated active start turn_on 켜 켜줘 켜기 켜고 켜라 打开 つけて オン",
        "off aus apagada apagado apagar apaga disable disabled deactivate deactivated inactive stop turn_off 꺼 꺼줘 끄기 꺼라 끄고 关闭 关掉 消して オフ",
    ),
    (
        "open opened opens öffne öffnen abre abrir 열어 열기 열어줘 開けて",
        "close closed shut closes schließe schließen cierra cerrar 닫아 닫기 닫아줘 閉めて",
    ),
    (
        "lock locked locks abschließen verriegle cierra 잠가 잠궈 잠가줘",
        "unlock unlocked unlocks aufschließen entriegle desbloquea 열어",
    ),
    ("mute muted silence", "unmute unmuted"),
    ("public", "private"),
    ("read", "unread"),
    ("show visible", "hide hidden"),
    (
        "complete completed done finished",
        "incomplete open pending unfinished undone",
    ),
    ("true yes ja sí oui", "false no nein non"),
    ("round", "one-way oneway"),
];

const FILLERS: &str = "is has have should be use do does include includes included with enable enabled allow only want wants \
    needs need a the to by for of in as flag set state status power switch value all requires required make";

/// Yes or no, as far as the text says.
pub(crate) fn booleans(leaf: &Leaf<'_>, scene: &Scene<'_>) -> Vec<Candidate> {
    let reading = scene.reading;
    let mut found = Vec::new();
    let switch =
        leaf.named("on enabled active state status power enable value switch") || says_switch(leaf);
    let own: Vec<&Word> = leaf
        .param
        .words
        .iter()
        .filter(|word| !listed(FILLERS, &word.lower))
        .collect();
    for token in reading.tokens.iter().filter(|token| token.is_word()) {
        if reading.is_quoted(&token.span) {
            continue;
        }
        for (yes, no) in OPPOSITES {
            let relevant = own
                .iter()
                .any(|word| listed(yes, &word.lower) || listed(no, &word.lower))
                || (switch && (yes.starts_with("on ") || yes.starts_with("true ")));
            if !relevant {
                continue;
            }
            let negative_name = own.iter().any(|word| listed(no, &word.lower))
                && !own.iter().any(|word| listed(yes, &word.lower));
            let word = token.lower();
            // `an` is `on` in German alone, `a la` no switch.
            if word == "an" && reading.lang != crate::demo::lang::Lang::De || word == "no" {
                continue;
            }
            let dense = |list: &str| {
                list.split_whitespace()
                    .any(|w| !w.is_ascii() && word.starts_with(w))
            };
            let value = if listed(no, word) || dense(no) {
                false
            } else if listed(yes, word) || dense(yes) {
                true
            } else {
                continue;
            };
            let on_preposition = word == "on"
                && reading.after(token.span.end, 0).is_some_and(|next| {
                    reading
                        .moments
                        .iter()
                        .any(|moment| overlap(&moment.span, &next.span))
                });
            if !on_preposition {
                let value = value != negative_name;
                found.push(Candidate::new(value, token.span.clone(), 0.9));
            }
        }
    }
    let whole = Word::new(
        &leaf
            .param
            .words
            .iter()
            .map(|w| w.lower.as_str())
            .collect::<Vec<_>>()
            .join("_"),
    );
    let own: Vec<&Word> = if whole.concepts.is_empty() {
        own
    } else {
        vec![&whole]
    };
    found.extend(free_of(leaf, scene));
    if let Some(candidate) = named_in_text(&own, scene) {
        found.push(candidate);
    } else if reading.lang == Lang::Ko {
        found.extend(described_in_korean(leaf, scene));
    }
    if leaf.required && !switch && found.is_empty() {
        found.push(Candidate::new(false, 0..0, 0.2).with_strength(Strength::Convention));
    }
    found
}

fn says_switch(leaf: &Leaf<'_>) -> bool {
    let lower = leaf.param.description.to_lowercase();
    lower.contains("on or off")
        || lower.contains("turn on")
        || lower.contains("on/off")
        || lower.contains("switch on")
}

/// `no nuts` for `nut_free`.
fn free_of(leaf: &Leaf<'_>, scene: &Scene<'_>) -> Option<Candidate> {
    let (last, rest) = leaf.param.words.split_last()?;
    let thing = rest.last().filter(|_| last.lower == "free")?;
    let tokens = &scene.reading.tokens;
    let at = tokens
        .iter()
        .position(|token| token.is_word() && thing.is(&token.word))?;
    let before = tokens.get(at.saturating_sub(2)..at).unwrap_or_default();
    let no = before.iter().find(|token| is_negation(token.lower()))?;
    Some(Candidate::new(
        true,
        no.span.start..tokens.get(at)?.span.end,
        0.95,
    ))
}

/// The words of the parameter in the text: yes, unless a negation stands before them.
fn named_in_text(own: &[&Word], scene: &Scene<'_>) -> Option<Candidate> {
    if own.is_empty() {
        return None;
    }
    let tokens = &scene.reading.tokens;
    // `a deep clean`: a word of the tool only counts together with one that is not.
    let of_tool = |word: &Word| scene.tool.words.iter().any(|known| known.is(word));
    let alone = own.iter().all(|word| of_tool(word));
    // `vacuum` is no `mop`, and a price no `fee`.
    let names = |word: &Word, said: &Word| {
        let like = word.likeness(said);
        let action = word
            .concepts
            .iter()
            .any(|concept| action_of(*concept).is_some() && said.concepts.contains(concept));
        // `color` and `colour`
        let written = word.lower.chars().zip(said.lower.chars()).take(4);
        let switch = OPPOSITES
            .iter()
            .any(|(yes, no)| listed(yes, &word.lower) || listed(no, &word.lower));
        let cognate =
            switch && like >= 0.64 || like >= 0.6 && written.filter(|(a, b)| a == b).count() == 4;
        like >= 0.9 || cognate || like >= 0.7 && !(action && like <= 0.75)
    };
    let place = |word: &&Word| {
        let mut paired = scene
            .reading
            .phrases
            .iter()
            .filter(|(pair, _)| word.likeness(pair) >= 0.6 && !pair.lower.starts_with("how_"));
        let first = paired
            .next()
            .map(|(_, span)| scene.reading.token_at(span.start));
        first.or_else(|| {
            tokens.iter().position(|token| {
                token.is_word()
                    && !(alone && of_tool(&token.word))
                    && word.lower.chars().count() > 1
                    && names(word, &token.word)
            })
        })
    };
    let places: Option<Vec<usize>> = own.iter().map(place).collect();
    // `nonstop` for `non_stop`
    let whole: String = own.iter().map(|word| word.lower.as_str()).collect();
    let glued = || {
        Some(vec![
            tokens.iter().position(|token| token.lower() == whole)?,
        ])
    };
    let places = places.or_else(glued)?;
    let (first, last) = (*places.iter().min()?, *places.iter().max()?);
    let before = tokens
        .get(first.saturating_sub(3)..first)
        .unwrap_or_default();
    let after = tokens
        .get(last + 1..(last + 3).min(tokens.len()))
        .unwrap_or_default();
    let glued_negation = after
        .iter()
        .any(|token| matches!(token.lower(), "없이" | "말고" | "なし"));
    let value = !(before.iter().any(|token| is_negation(token.lower())) || glued_negation);
    let span = tokens.get(first)?.span.start..tokens.get(last)?.span.end;
    Some(Candidate::new(value, span, 0.85))
}

/// `문 앞에 두고 가기` where the text says `문 앞에 두라고`: most of what the description says, which a
/// negation behind it turns round.
fn described_in_korean(leaf: &Leaf<'_>, scene: &Scene<'_>) -> Option<Candidate> {
    const FILLERS: &str = "여부 사용 이용 포함 추가 선택 옵션 경우 원하는 설정 요청 true false";
    let tokens = &scene.reading.tokens;
    let told = leaf.param.about.iter().filter(|word| {
        let mut of_tool = scene.tool.words.iter().chain(&scene.tool.about);
        !word.lower.is_ascii()
            && !listed(FILLERS, &word.lower)
            && !is_stop(Lang::Ko, &word.lower)
            && !of_tool.any(|other| other.lower.starts_with(word.lower.as_str()))
    });
    let told: Vec<&Word> = told.collect();
    let place = |word: &&&Word| {
        tokens.iter().position(|token| {
            let whole = token.lower() == word.lower;
            token.is_word()
                && (whole || word.lower.chars().count() > 1 && word.likeness(&token.word) >= 0.75)
        })
    };
    let places: Vec<usize> = told.iter().filter_map(|word| place(&word)).collect();
    let own = told
        .iter()
        .any(|word| place(&word).is_some() && !word.is_action());
    let enough =
        places.len() >= 2 && places.len() * 2 >= told.len() || told.len() == 1 && places.len() == 1;
    let (first, last) = (*places.iter().min()?, *places.iter().max()?);
    if !own || !enough || last - first > 5 {
        return None;
    }
    let after = tokens
        .get(last..(last + 4).min(tokens.len()))
        .unwrap_or_default();
    let denied = after.iter().any(|token| {
        let word = token.lower();
        ["안", "않", "말", "없", "빼", "필요없", "괜찮"]
            .iter()
            .any(|head| word.starts_with(head))
    });
    let span = tokens.get(first)?.span.start..tokens.get(last)?.span.end;
    Some(Candidate::new(!denied, span, 0.8))
}

#[cfg(test)]
mod tests {
    use crate::demo::fill::trial::filled;
    use serde_json::{Value, json};

    fn said(name: &str, text: &str) -> Value {
        filled("do_it", json!({name: {"type": "boolean"}}), &[], text)[name].clone()
    }

    #[test]
    fn yes_and_no_are_read_from_words_and_negations() {
        for (name, text, value) in [
            ("on", "turn it off", json!(false)),
            ("on", "bitte das Licht einschalten", json!(true)),
            ("on", "거실 불 켜줘", json!(true)),
            ("enabled", "enable the rule", json!(true)),
            ("locked", "unlock the car", json!(false)),
            ("include_tax", "with tax", json!(true)),
            ("include_tax", "without tax", json!(false)),
            ("urgent", "this is urgent", json!(true)),
            ("urgent", "send it", json!(null)),
        ] {
            assert_eq!(said(name, text), value, "{name}: {text}");
        }
    }
}
