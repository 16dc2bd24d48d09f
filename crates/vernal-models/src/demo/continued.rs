//! Sentences that wish for nothing new: they report, explain, or add to the wish before them.

use std::ops::Range;

use super::cue::ends_sentence;
use super::lang::Lang;
use super::reading::Reading;
use super::reports::tells_in_europe;
use super::words::Token;

/// Whether a clause reports something and wishes for nothing.
pub(crate) fn is_told(clause: &Reading) -> bool {
    is_statement(&clause.tokens, clause.lang)
}

/// Whether it reports what was.
pub(crate) fn tells_of_past(clause: &Reading) -> bool {
    let was = |token: &Token| {
        matches!(
            token.lower(),
            "was"
                | "were"
                | "had"
                | "went"
                | "saw"
                | "met"
                | "loved"
                | "enjoyed"
                | "felt"
                | "thought"
        )
    };
    is_told(clause) && clause.tokens.iter().any(was)
}

/// `There were five of them`, `She is late`: told, not wished for.
pub(crate) fn is_statement(tokens: &[Token], lang: Lang) -> bool {
    if lang == Lang::Ko {
        return tells_in_korean(tokens);
    }
    if lang != Lang::En {
        return tells_in_europe(tokens, lang);
    }
    // `Sorry to bother you, but I ordered …`
    let polite = tokens.iter().take(2).any(|token| {
        matches!(
            token.lower(),
            "hmm"
                | "sorry"
                | "hi"
                | "hey"
                | "hello"
                | "apologies"
                | "unfortunately"
                | "well"
                | "oh"
                | "okay"
                | "ok"
                | "so"
                | "um"
        )
    });
    let comma = tokens.iter().take(8).position(|token| token.lower() == ",");
    let tokens = match comma.filter(|_| polite) {
        Some(at) => tokens.get(at + 1..).unwrap_or_default(),
        None => tokens,
    };
    let joins = |token: &&Token| {
        !token.is_word() || matches!(token.lower(), "and" | "but" | "so" | "because" | "also")
    };
    let first = tokens
        .iter()
        .find(|token| !joins(token))
        .map_or("", Token::lower);
    let told = matches!(
        first,
        "i" | "i'm"
            | "i've"
            | "he"
            | "he's"
            | "she"
            | "she's"
            | "they"
            | "they're"
            | "we"
            | "we're"
            | "we've"
            | "it"
            | "it's"
            | "there"
            | "there's"
            | "this"
            | "that"
            | "that's"
            | "my"
            | "our"
            | "his"
            | "her"
            | "their"
            | "didn't"
            | "otherwise"
            | "the"
            | "sorry"
            | "thanks"
            | "hope"
            | "nobody"
            | "somebody"
            | "someone"
            | "everybody"
            | "everyone"
            | "nothing"
            | "something"
            | "everything"
    ) || is_about_a_thing(tokens);
    let wished = tokens.iter().any(|token| {
        matches!(
            token.lower(),
            "?" | "please"
                | "need"
                | "want"
                | "like"
                | "love"
                | "should"
                | "must"
                | "can"
                | "could"
                | "wanna"
                | "would"
                | "remind"
                | "let's"
                | "have"
        )
    });
    let lacks = tokens.iter().any(|token| {
        matches!(
            token.lower(),
            "hasn't" | "haven't" | "didn't" | "isn't" | "wasn't" | "aren't" | "weren't"
        )
    });
    (told || lacks) && !wished
}

/// `Line 3 is too fast`: something that is no verb, and what it is.
fn is_about_a_thing(tokens: &[Token]) -> bool {
    let joins = |token: &Token| matches!(token.lower(), "and" | "but" | "so" | "also" | "then");
    let mut words = tokens.iter().filter(|token| token.is_word());
    let Some(first) = words.find(|token| !joins(token)) else {
        return false;
    };
    let finite = |token: &Token| {
        matches!(
            token.lower(),
            "is" | "are"
                | "was"
                | "were"
                | "has"
                | "isn't"
                | "aren't"
                | "doesn't"
                | "won't"
                | "keeps"
        )
    };
    let opens = finite(first)
        || first.word.is_action()
        || matches!(
            first.lower(),
            "please" | "why" | "if" | "do" | "does" | "did" | "can" | "then"
        );
    !opens && tokens.iter().skip(1).take(8).any(finite)
}

/// A Korean sentence that does not end as a wish or a question.
fn tells_in_korean(tokens: &[Token]) -> bool {
    let Some(last) = tokens.iter().rfind(|token| token.is_word()) else {
        return false;
    };
    let asks = tokens
        .iter()
        .any(|token| matches!(token.lower(), "?" | "？"));
    let wishes = [
        "줘",
        "줘요",
        "줘라",
        "세요",
        "시오",
        "줄래",
        "줄래요",
        "해",
        "해라",
        "할래",
        "까",
        "까요",
        "나요",
        "가요",
        "니",
        "냐",
        "자",
        "라",
        "고",
        "서",
        "며",
        "래",
        "바람",
        "요청",
        "부탁",
    ];
    let told = [
        "다",
        "어",
        "아",
        "워",
        "네",
        "네요",
        "어요",
        "아요",
        "워요",
        "야",
        "이야",
        "예요",
        "이에요",
        "거든",
        "음",
    ];
    let wanted = tokens.iter().any(|token| {
        ["싶", "부탁", "필요", "려고"]
            .iter()
            .any(|head| token.lower().contains(head))
    });
    if wanted {
        return false;
    }
    let ends = |endings: &[&str]| endings.iter().any(|end| last.lower().ends_with(end));
    let joined = [
        "이고",
        "이며",
        "인데",
        "고요",
        "구요",
        "는데요",
        "해서요",
        "라서요",
        "어서요",
        "아서요",
        "거든요",
    ]
    .iter()
    .any(|end| last.lower().ends_with(end));
    !asks && (joined || ends(&told) && !ends(&wishes))
}

/// The sentences after the first that only tell something.
pub(crate) fn asides(tokens: &[Token], lang: Lang) -> Vec<Range<usize>> {
    if lang != Lang::En {
        return Vec::new();
    }
    let points_back = |sentence: &[Token]| {
        !is_statement(sentence, lang)
            && sentence.iter().any(|token| {
                matches!(
                    token.lower(),
                    "that" | "it" | "them" | "these" | "those" | "him" | "her"
                )
            })
    };
    let mut all = tokens.split_inclusive(|token| ends_sentence(token.lower()));
    if all.any(points_back) {
        return Vec::new();
    }
    let sentences =
        tokens.split_inclusive(|token| ends_sentence(token.lower()) && token.lower() != "¿");
    let told = sentences
        .skip(1)
        .filter(|sentence| is_statement(sentence, lang));
    told.filter_map(|sentence| Some(sentence.first()?.span.start..sentence.last()?.span.end))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_told_from_wishes() {
        for text in [
            "But there were five frames.",
            "She's coming by around noon",
            "My bus is late.",
        ] {
            assert!(
                {
                    let reading = Reading::new(text);
                    is_statement(&reading.tokens, reading.lang)
                },
                "{text}"
            );
        }
        for text in [
            "I need a taxi",
            "Book a table",
            "Is it open?",
            "My son wants a ticket, please",
        ] {
            assert!(
                !{
                    let reading = Reading::new(text);
                    is_statement(&reading.tokens, reading.lang)
                },
                "{text}"
            );
        }
    }
}
