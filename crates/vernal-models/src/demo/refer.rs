//! Words that refer to something said or found before.

use super::read::Step;
use super::reading::Reading;
use super::tool::Tool;

/// Whether a step is an answer of a tool that tells the time.
pub(crate) fn tells_time(tools: &[Tool], step: &Step) -> bool {
    tools
        .iter()
        .any(|tool| tool.name == step.tool && tool.tells_the_time())
}

/// Whether the text says `it`, `that`, `again`.
pub(crate) fn refers_back(reading: &Reading) -> bool {
    reading
        .tokens
        .iter()
        .take_while(|token| token.span.start < reading.background)
        .any(|token| {
            matches!(
                token.lower(),
                "it" | "that"
                    | "this"
                    | "them"
                    | "those"
                    | "these"
                    | "again"
                    | "there"
                    | "same"
                    | "he"
                    | "she"
                    | "him"
                    | "her"
                    | "his"
                    | "es"
                    | "ihn"
                    | "sie"
                    | "dort"
                    | "nochmal"
                    | "eso"
                    | "lo"
                    | "allí"
                    | "그거"
                    | "그것"
                    | "거기"
                    | "다시"
                    | "それ"
                    | "そこ"
                    | "它"
            )
        })
}

/// Whether a text is only a word for a result: `it`, `the result`, `the weather`.
pub(crate) fn stands_for_result(said: &str, steps: &[&Step]) -> bool {
    let words = super::words::identifier_words(said);
    let general = |word: &super::words::Word| {
        matches!(
            word.lower.as_str(),
            "it" | "this"
                | "that"
                | "them"
                | "the"
                | "result"
                | "results"
                | "answer"
                | "output"
                | "summary"
                | "info"
                | "information"
                | "outcome"
                | "to"
                | "as"
                | "an"
                | "a"
                | "ergebnis"
                | "das"
                | "es"
                | "resultado"
                | "el"
                | "status"
                | "details"
                | "report"
                | "findings"
                | "list"
                | "link"
                | "total"
                | "결과"
                | "결과를"
                | "그걸"
                | "그것을"
                | "me"
        )
    };
    let of_tool = |word: &super::words::Word| {
        steps.iter().any(|step| {
            super::words::identifier_words(&step.tool)
                .iter()
                .any(|known| known.likeness(word) >= 0.6)
        })
    };
    let of_result = |word: &super::words::Word| {
        steps.last().is_some_and(|step| {
            let members = serde_json::from_str::<serde_json::Value>(&step.text).ok();
            let mut names = members
                .iter()
                .filter_map(serde_json::Value::as_object)
                .flat_map(|members| members.keys());
            names.any(|name| {
                super::words::identifier_words(name)
                    .iter()
                    .any(|known| known.is(word))
            })
        })
    };
    !words.is_empty()
        && !steps.is_empty()
        && words
            .iter()
            .all(|word| general(word) || of_tool(word) || of_result(word))
}
