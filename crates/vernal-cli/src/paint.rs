//! Text for terminals: colours where they are wanted, and nothing that moves the cursor.

/// Whether colours are used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Paint(pub(crate) bool);

impl Paint {
    /// Colours on a terminal that knows them, unless the user wants none.
    pub(crate) fn wanted(is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> Self {
        let refused = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_dumb = variable("TERM").is_some_and(|term| term == "dumb");
        Self(is_terminal && !refused && !is_dumb)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    pub(crate) fn name(self, text: &str) -> String {
        self.with("36", text)
    }

    pub(crate) fn bad(self, text: &str) -> String {
        self.with("31", text)
    }

    pub(crate) fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.0 {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}

/// Text as it can be written to a terminal: models and tools must not move the cursor or change its
/// colours.
pub(crate) fn harmless(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect()
}

/// Text on one line and cut with `…` after so many characters.
pub(crate) fn one_line(text: &str, longest: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().filter(|c| !c.is_control()));
        if line.chars().count() > longest {
            let cut: String = line.chars().take(longest.saturating_sub(1)).collect();
            return format!("{}…", cut.trim_end());
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_for_terminals_that_want_them() {
        for (is_terminal, no_color, term, colours) in [
            (true, None, Some("xterm"), true),
            (true, Some(""), None, true),
            (true, Some("1"), Some("xterm"), false),
            (true, None, Some("dumb"), false),
            (false, None, Some("xterm"), false),
        ] {
            let variable = |name: &str| {
                let value = if name == "TERM" { term } else { no_color };
                value.map(str::to_owned)
            };
            assert_eq!(Paint::wanted(is_terminal, variable), Paint(colours));
        }
        assert_eq!(Paint(true).dim("x"), "\u{1b}[2mx\u{1b}[0m");
        assert_eq!(Paint(false).bad("x"), "x");
    }

    #[test]
    fn nothing_from_a_model_controls_the_terminal() {
        assert_eq!(harmless("a\u{1b}[2Jb\u{7}\u{9b}c\n\td"), "a[2Jbc\n\td");
        assert_eq!(one_line("a\u{1b}[2J", 9), "a[2J");
    }

    #[test]
    fn long_values_are_cut() {
        assert_eq!(one_line(" a\n b\tc ", 5), "a b c");
        assert_eq!(one_line("가나다라마바", 5), "가나다라…");
        assert_eq!(one_line("one two three", 5), "one…");
        assert_eq!(one_line("", 5), "");
    }
}
