//! Tables of words, as they are written in the sources, made quick to search.

use std::collections::HashMap;

/// What each word of some lines of words stands for, in the order of the lines.
pub(crate) struct Lookup<V>(HashMap<&'static str, Vec<V>>);

impl<V: Copy> Lookup<V> {
    /// A table of lines: what the words of a line stand for, and the words, separated by spaces.
    pub(crate) fn new(lines: impl IntoIterator<Item = (V, &'static str)>) -> Self {
        let mut table: HashMap<&'static str, Vec<V>> = HashMap::new();
        for (value, words) in lines {
            for word in words.split_whitespace() {
                table.entry(word).or_default().push(value);
            }
        }
        Self(table)
    }

    /// What the word stands for in the first line that has it.
    pub(crate) fn first(&self, word: &str) -> Option<V> {
        self.all(word).first().copied()
    }

    /// What the word stands for in every line that has it.
    pub(crate) fn all(&self, word: &str) -> &[V] {
        self.0.get(word).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_wins() {
        let table = Lookup::new([(1, "a b"), (2, "b c")]);
        assert_eq!(
            (table.first("b"), table.first("c"), table.first("x")),
            (Some(1), Some(2), None)
        );
        assert_eq!(table.all("b"), [1, 2]);
    }
}
