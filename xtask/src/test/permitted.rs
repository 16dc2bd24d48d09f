//! The list of skips that a CI run may have.

use std::collections::BTreeMap;

/// The permitted names and why each is.
#[derive(Debug)]
pub(crate) struct Permitted(BTreeMap<String, String>);

impl Permitted {
    /// Reads the list: one name a line, its reason after `#`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut names = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            let (name, reason) = line.split_once('#').unwrap_or((line, ""));
            let (name, reason) = (name.trim(), reason.trim());
            if name.is_empty() {
                continue;
            }
            if name.contains(char::is_whitespace) {
                return Err(format!(
                    "line {number}: one name a line, and `#` before its reason"
                ));
            }
            if reason.is_empty() {
                return Err(format!(
                    "line {number}: `{name}` has no reason (`{name}  # why`)"
                ));
            }
            names.insert(name.to_owned(), reason.to_owned());
        }
        Ok(Self(names))
    }

    /// Why this skip is permitted, if it is.
    pub(crate) fn reason(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_with_reasons() {
        let list =
            Permitted::parse("# a comment\n\nllama  # 490 MB\nredis# no # server\n").unwrap();
        assert_eq!(list.reason("llama"), Some("490 MB"));
        assert_eq!(list.reason("redis"), Some("no # server"));
        assert_eq!(list.reason("traffic"), None);
    }

    #[test]
    fn a_name_without_a_reason_is_refused() {
        assert!(Permitted::parse("llama").unwrap_err().contains("line 1"));
        assert!(
            Permitted::parse("\nllama #  ")
                .unwrap_err()
                .contains("line 2")
        );
        assert!(Permitted::parse("llama redis # both").is_err());
    }
}
