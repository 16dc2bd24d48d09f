//! The words around an answer: English, and Korean where the user writes Korean.

use super::lang::Lang;

/// The sentences that a few words of the answer are put in.
pub(crate) struct Phrases {
    pub(crate) korean: bool,
}

impl Phrases {
    pub(crate) fn of(lang: Lang) -> Self {
        Self {
            korean: lang == Lang::Ko,
        }
    }

    pub(crate) fn done(&self, what: &str) -> String {
        if self.korean {
            format!("완료: {what}.")
        } else {
            format!("Done: {what}.")
        }
    }

    pub(crate) fn error(&self, tool: &str, text: &str) -> String {
        let text = text.trim().trim_end_matches('.');
        if self.korean {
            format!("`{tool}` 도구가 오류로 답했습니다: {text}.")
        } else {
            format!("The tool `{tool}` answered with an error: {text}.")
        }
    }

    pub(crate) fn nothing(&self, tool: &str) -> String {
        if self.korean {
            format!("`{tool}` 결과가 없습니다.")
        } else {
            format!("`{tool}` gave an empty result.")
        }
    }

    pub(crate) fn result(&self, value: &str) -> String {
        if self.korean {
            format!("결과: {value}.")
        } else {
            format!("The result is {value}.")
        }
    }

    pub(crate) fn count(&self, count: usize) -> String {
        match (self.korean, count) {
            (true, _) => format!("결과 {count}건"),
            (false, 1) => "1 result".to_owned(),
            (false, _) => format!("{count} results"),
        }
    }

    pub(crate) fn yes_no(&self, yes: bool) -> &'static str {
        match (self.korean, yes) {
            (true, true) => "예",
            (true, false) => "아니요",
            (false, true) => "yes",
            (false, false) => "no",
        }
    }

    /// Asks for what is missing, in one sentence.
    pub(crate) fn ask(&self, tool: &str, missing: &[(String, String)]) -> String {
        let named: Vec<String> = missing
            .iter()
            .map(|(name, about)| match about.trim().trim_end_matches('.') {
                "" => format!("`{name}`"),
                about => format!("`{name}` ({about})"),
            })
            .collect();
        let last = if self.korean { ", " } else { " and " };
        let list = match named.split_last() {
            Some((end, head)) if !head.is_empty() => format!("{}{last}{end}", head.join(", ")),
            _ => named.join(""),
        };
        if self.korean {
            format!("`{tool}` 도구를 쓰려면 {list} 값이 필요합니다. 무엇으로 할까요?")
        } else if named.is_empty() {
            format!("I could not fill in what `{tool}` needs; can you say it differently?")
        } else {
            format!("To use `{tool}` I need {list}; what should it be?")
        }
    }
}
