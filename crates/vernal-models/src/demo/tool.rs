//! A tool as the rules see it: words and parameters.

use std::sync::Arc;

use vernal_core::tool::ToolDefinition;

use super::schema::{Param, Shape, params_of};
use super::script::{Script, is_dense, script_of};
use super::synonyms::{Action, is_known};
use super::words::{Word, identifier_words};

/// The most words of a description that are read.
const MAX_ABOUT: usize = 60;

/// A tool on offer.
#[derive(Clone)]
pub(crate) struct Tool {
    pub(crate) name: Arc<str>,
    pub(crate) definition: ToolDefinition,
    /// The words of the name.
    pub(crate) words: Vec<Word>,
    /// The words of the description.
    pub(crate) about: Vec<Word>,
    pub(crate) params: Vec<Param>,
}

impl Tool {
    pub(crate) fn new(definition: &ToolDefinition) -> Self {
        let mut about = identifier_words(definition.description());
        about.truncate(MAX_ABOUT);
        let named = identifier_words(definition.name());
        about.extend(named.windows(2).filter_map(|pair| {
            let [a, b] = pair else { return None };
            let two = Word::new(&format!("{}_{}", a.lower, b.lower));
            (!two.concepts.is_empty()).then_some(two)
        }));
        Self {
            name: definition.name().clone(),
            words: identifier_words(definition.name())
                .into_iter()
                .flat_map(parts_of)
                .collect(),
            about,
            params: params_of(definition.input_schema()),
            definition: definition.clone(),
        }
    }

    pub(crate) fn requires_nothing(&self) -> bool {
        self.params.iter().all(|param| !param.required)
    }

    /// What the tool does to the world, by the first verb of its name, else of its description.
    pub(crate) fn action(&self) -> Option<Action> {
        let dense = |words: &[Word]| words.iter().all(|word| is_dense(&word.lower));
        // In Korean the verb ends the name and the sentence.
        let first = |words: &[Word]| {
            let mut verbs = words.iter().filter_map(|word| word.actions().next());
            if dense(words) {
                verbs.next_back()
            } else {
                verbs.next()
            }
        };
        let last = self.about.last().filter(|word| is_dense(&word.lower));
        first(&self.words)
            .or_else(|| last.and_then(|word| word.actions().next()))
            .or_else(|| first(self.about.get(..3).unwrap_or(&self.about)))
    }

    /// Whether it tells the current time or date, and nothing more.
    pub(crate) fn tells_the_time(&self) -> bool {
        if !self.requires_nothing() {
            return false;
        }
        let timely = |word: &Word| word.is_about("time");
        let filler = |word: &Word| {
            word.is_action() && word.actions().all(|action| action == Action::Read)
                || matches!(
                    word.lower.as_str(),
                    "the"
                        | "system"
                        | "local"
                        | "utc"
                        | "server"
                        | "iso"
                        | "zone"
                        | "timezone"
                        | "and"
                        | "in"
                        | "of"
                        | "user"
                        | "world"
                        | "is"
                        | "it"
                        | "now"
                        | "current"
                        | "aktuelle"
                        | "aktuelles"
                        | "actual"
                )
        };
        let named = self.words.iter().any(timely)
            && self.words.iter().all(|word| timely(word) || filler(word));
        let dated = |words: &[Word]| {
            let current = words.iter().take(8).any(|word| {
                matches!(
                    word.lower.as_str(),
                    "current"
                        | "now"
                        | "today"
                        | "aktuelle"
                        | "actual"
                        | "현재"
                        | "지금"
                        | "現在"
                        | "当前"
                )
            });
            let time = words.iter().take(8).any(|word| {
                matches!(
                    word.lower.as_str(),
                    "time"
                        | "date"
                        | "datetime"
                        | "clock"
                        | "uhrzeit"
                        | "datum"
                        | "hora"
                        | "fecha"
                        | "시각"
                        | "시간"
                        | "날짜"
                        | "時刻"
                        | "日時"
                        | "时间"
                        | "日期"
                ) || word.stem.starts_with("시각")
                    || word.stem.starts_with("시간")
            });
            current && time
        };
        let unnamed =
            self.words.iter().all(|word| timely(word) || filler(word)) || self.words.len() == 1;
        named || (unnamed && dated(&self.about))
    }
}

/// `설비정지` is `설비` and `정지`.
fn parts_of(word: Word) -> Vec<Word> {
    let ends: Vec<usize> = word.lower.char_indices().map(|(at, _)| at).collect();
    let hangul = word.lower.chars().all(|c| script_of(c) == Script::Hangul);
    if !hangul || ends.len() < 4 || is_known(&word.lower) {
        return vec![word];
    }
    let cuts = ends.get(2..ends.len() - 1).unwrap_or_default().iter();
    let parts = cuts.filter_map(|at| Some((word.lower.get(..*at)?, word.lower.get(*at..)?)));
    let known = |(first, second): &(&str, &str)| {
        2 * usize::from(is_known(second)) + usize::from(is_known(first))
    };
    match parts.max_by_key(known) {
        Some(parts) if known(&parts) > 0 => vec![Word::new(parts.0), Word::new(parts.1)],
        _ => vec![word],
    }
}

/// Every parameter, with those inside of objects.
pub(crate) fn all_params(params: &[Param]) -> Vec<&Param> {
    let mut all = Vec::new();
    for param in params {
        all.push(param);
        match &param.shape {
            Shape::Object(inner) => all.extend(all_params(inner)),
            Shape::List(list) => {
                if let Shape::Object(inner) = &list.item.shape {
                    all.extend(all_params(inner));
                }
            }
            _ => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, description: &str, schema: &str) -> Tool {
        let definition = ToolDefinition::builder(name)
            .description(description)
            .input_schema(schema)
            .build();
        Tool::new(&definition.unwrap())
    }

    #[test]
    fn tools_that_tell_the_time_are_recognised() {
        for (name, description) in [
            ("current_date_time", ""),
            ("getNow", "The current time"),
            (
                "clock",
                "Tells the current date and time in the user's timezone",
            ),
            ("현재시각", "현재 시각을 알려준다"),
            ("aktuelleUhrzeit", ""),
        ] {
            assert!(tool(name, description, "").tells_the_time(), "{name}");
        }
        for (name, description) in [
            ("set_alarm", "Set an alarm for the given time"),
            ("get_opening_hours", "When the shop opens today"),
            ("list_time_entries", "Time entries of the current user"),
            ("weather", "current weather"),
        ] {
            assert!(!tool(name, description, "").tells_the_time(), "{name}");
        }
        let needs = r#"{"properties":{"zone":{"type":"string"}},"required":["zone"]}"#;
        assert!(!tool("get_time", "The current time", needs).tells_the_time());
    }
}
