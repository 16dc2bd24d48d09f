//! Where a message is cut into wishes.

use super::continued::is_told;
use super::cue::{Cue, ends_sentence, is_abbreviated, preposition};
use super::lang::{Lang, is_stop};
use super::reading::Reading;
use super::refused::is_refused;
use super::role::listed;
use super::synonyms::is_known;
use super::tool::Tool;
use super::words::Token;
use std::ops::Range;

/// What is wished for first, and behind it, as background, what is only told.
pub(super) fn wished(whole: &Reading, clauses: &[Range<usize>]) -> Reading {
    let told = |clause: &&Range<usize>| {
        let reading = Reading::with_language(whole.slice(clause), whole.lang);
        is_told(&reading) || is_refused(&reading)
    };
    let (told, wished): (Vec<_>, Vec<_>) = clauses.iter().partition(told);
    if told.is_empty() || wished.is_empty() {
        return whole.clone();
    }
    let text = |clauses: Vec<&Range<usize>>| {
        let parts: Vec<&str> = clauses
            .into_iter()
            .map(|clause| whole.slice(clause))
            .collect();
        parts.join("\n")
    };
    let (wished, told) = (text(wished), text(told));
    let mut reading = Reading::with_language(&format!("{wished}\n{told}"), whole.lang);
    reading.background = wished.len();
    reading
}

/// The only `and` of a text.
pub(super) fn only_joint(whole: &Reading) -> Option<Range<usize>> {
    let joint = |token: &Token| {
        let word = token.lower();
        let glued = || {
            let endings = ["이랑", "랑", "하고", "과", "와"];
            let end = endings.iter().find(|end| {
                word.ends_with(**end) && word.chars().count() > end.chars().count() + 1
            })?;
            Some(token.span.end - end.len()..token.span.end)
        };
        match word {
            "and" | "und" | "y" | "et" | "그리고" => Some(token.span.clone()),
            _ if whole.lang == Lang::Ko && (!token.word.is_action() || word.ends_with("이랑")) => {
                glued()
            }
            _ => None,
        }
    };
    let mut joints = whole
        .tokens
        .iter()
        .filter(|token| !whole.is_quoted(&token.span))
        .filter_map(joint);
    let first = joints.next()?;
    // `out of A and into B` is one wish.
    let next = whole.after(first.end, 0).map_or("", Token::lower);
    if preposition(whole.lang, next).is_some_and(|cue| matches!(cue, Cue::To | Cue::From)) {
        return None;
    }
    joints.next().is_none().then_some(first)
}

/// Cuts a message where a new wish begins: at the end of a sentence, at `then`, at `and` before a verb.
pub(super) fn clauses(reading: &Reading, tools: &[Tool]) -> Vec<Range<usize>> {
    let tokens = &reading.tokens;
    let mut cuts = Vec::new();
    let mut told = false;
    for (at, token) in tokens.iter().enumerate() {
        if reading.is_quoted(&token.span) {
            continue;
        }
        let word = token.lower();
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let line = before.is_some_and(|before| {
            reading
                .slice(&(before.span.end..token.span.start))
                .contains('\n')
        });
        if line && !told {
            cuts.push(token.span.start);
        }
        let next = tokens.get(at + 1);
        let next_spaced = next.is_none_or(|next| next.spaced);
        let shortened = at
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_some_and(|t| is_abbreviated(t.lower()));
        if ends_sentence(word) && next_spaced && !shortened {
            told = false;
            cuts.push(token.span.end);
        } else if matches!(
            word,
            "that" | "saying" | "says" | ":" | "dass" | "diciendo" | "라고"
        ) && at > 0
        {
            told = true;
        } else if !told && opens_wish(tokens, at, reading.lang, tools) {
            cuts.push(token.span.start);
        }
        if reading.lang == Lang::Ko && joins_wish(tokens, at, tools) {
            cuts.push(token.span.end);
        }
    }
    let mut clauses = Vec::new();
    let mut start = 0;
    cuts.push(reading.text.len());
    for cut in cuts {
        if reading
            .text
            .get(start..cut)
            .is_some_and(|part| part.chars().any(char::is_alphanumeric))
        {
            clauses.push(start..cut);
        }
        start = start.max(cut);
    }
    clauses
}

/// `and then`, `, then`, `and` before a verb or a question.
pub(super) fn opens_wish(tokens: &[Token], at: usize, lang: Lang, tools: &[Tool]) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", Token::lower);
    let joins = matches!(
        word(at),
        "and"
            | ","
            | "then"
            | "und"
            | "dann"
            | "y"
            | "luego"
            | "et"
            | "puis"
            | "also"
            | "plus"
            | "but"
    );
    // `and then` was cut at `and`.
    let cut = at > 0 && matches!(word(at - 1), "and" | "und" | "y" | "et" | ",");
    if !joins || at == 0 || cut {
        return false;
    }
    let mut next = at + 1;
    while listed(
        "then also and please dann luego después bitte ensuite can could would you , afterwards next",
        word(next),
    ) {
        next += 1;
    }
    let Some(token) = tokens.get(next).filter(|token| token.is_word()) else {
        return false;
    };
    let object = listed(
        "the a an my me it them him her us this that these those your our some any another",
        word(next + 1),
    );
    let of_tool = tools.iter().any(|tool| {
        tool.words.len() > 1 && tool.words.first().is_some_and(|verb| verb.is(&token.word))
    });
    let small = is_stop(lang, token.lower()) || preposition(lang, token.lower()).is_some();
    let governs = lang == Lang::En && object && !small;
    // Verbs that are known as things: `play`, `translate`.
    const VERBAL: &str = "let remind convert translate calculate compute play turn email text summarize summarise spell define \
        erinnere rechne übersetze recuérdame traduce calcula";
    let known = token.word.is_action() || listed(VERBAL, token.lower());
    let verb = (known || of_tool || governs) && !token.capital;
    // Only a clear verb may follow a bare comma: `a, b and c` lists things.
    if lang == Lang::En && word(at) == "," && next == at + 1 {
        return verb && object;
    }
    let question = listed(
        "what what's how who when where which is wie was qué cuál",
        token.lower(),
    );
    question || verb
}

/// `찾아서`, `멈추고`: a verb after which another follows.
pub(super) fn joins_wish(tokens: &[Token], at: usize, tools: &[Tool]) -> bool {
    let Some(token) = tokens.get(at).filter(|token| token.is_word()) else {
        return false;
    };
    let next = tokens.get(at + 1).map_or("", Token::lower);
    let goes_on = ["싶", "있", "나서"]
        .iter()
        .any(|head| next.starts_with(head));
    let ends = ["고", "서", "며", "고서"]
        .iter()
        .any(|end| token.lower().ends_with(end))
        && token.lower().chars().count() > 1
        || matches!(next, "다음" | "다음에" | "뒤에" | "후에")
            && token.lower().ends_with(['한', '은']);
    let likeness = |tool: &Tool| {
        let words = tool.words.iter().chain(&tool.about);
        words
            .map(|word| word.likeness(&token.word))
            .fold(0.0, f32::max)
    };
    let near = tools.iter().map(likeness).fold(0.0, f32::max);
    // `보고서` ends like a verb.
    let placed = ["에서", "께서", "로서"]
        .iter()
        .any(|end| token.lower().ends_with(end));
    let noun = placed || is_known(token.lower()) && !token.word.is_action() || near >= 0.9;
    ends && !goes_on && !noun && (token.word.is_action() || near >= 0.6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_cut_where_a_new_wish_begins() {
        let cut = |text: &str| {
            let reading = Reading::new(text);
            clauses(&reading, &[]).len()
        };
        for (text, count) in [
            ("Set an alarm at 7 and then play some jazz", 2),
            ("What's the weather in Rome? Book a hotel.", 2),
            ("Find a hotel and what is the weather there", 2),
            ("add milk, eggs and bread to my list", 1),
            ("note that I must call mom and buy milk", 1),
            ("say \"stop. and show me\" to Bob", 1),
            ("Ask Dr. Kim for an appointment", 1),
            ("What is 3 + 4\nCancel alarm 2", 2),
            ("", 0),
        ] {
            assert_eq!(cut(text), count, "{text}");
        }
    }
}
