use std::fmt;

/// One way in which arguments do not fit a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// Where, as `$.filters[1].op`; a name that is no word stands in quotes, as in `$["a.b"]`.
    pub path: String,
    /// What was expected there and what came: at most 512 bytes.
    pub message: String,
}

/// The longest message.
const MAX_MESSAGE_BYTES: usize = 512;

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

impl Violation {
    pub(in crate::tool) fn new(path: String, mut message: String) -> Self {
        if message.len() > MAX_MESSAGE_BYTES {
            let end = message.floor_char_boundary(MAX_MESSAGE_BYTES - '…'.len_utf8());
            message.truncate(end);
            message.push('…');
        }
        Self { path, message }
    }

    /// A violation of the arguments as a whole.
    pub(crate) fn of_all(message: String) -> Self {
        Self::new("$".to_owned(), message)
    }
}

/// Every way in which arguments do not fit a schema, or the first hundred of more; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violations {
    pub(super) list: Vec<Violation>,
    /// How many more there are.
    pub(super) more: usize,
}

/// The most that a model is given to read about its arguments is 2 KB (rule ERR-4); this leaves room
/// for the sentence that names the tool.
const MAX_BYTES: usize = 1800;

impl From<Violation> for Violations {
    fn from(violation: Violation) -> Self {
        Self {
            list: vec![violation],
            more: 0,
        }
    }
}

impl Violations {
    /// The violations, in the order of the arguments.
    pub fn iter(&self) -> std::slice::Iter<'_, Violation> {
        self.list.iter()
    }
}

/// A line for each violation, in less than 2 KB: what does not fit is counted.
impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut written = 0;
        for (at, violation) in self.list.iter().enumerate() {
            let line = violation.to_string();
            // Room is kept for the last line.
            if written + line.len() + 1 > MAX_BYTES - 40 && at > 0 {
                return write!(f, "\nand {} more", self.list.len() - at + self.more);
            }
            if at > 0 {
                f.write_str("\n")?;
            }
            f.write_str(&line)?;
            written += line.len() + 1;
        }
        match self.more {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_never_longer_than_a_model_should_read() {
        let violation = Violation::new("$.x".to_owned(), "é".repeat(1000));
        assert_eq!(violation.message.len(), 511);
        assert!(violation.message.ends_with('…'));
        let violations = Violations {
            list: vec![violation; 100],
            more: 5,
        };
        let text = violations.to_string();
        assert!(text.len() <= MAX_BYTES, "{}", text.len());
        assert_eq!(text.lines().last(), Some("and 102 more"));
    }
}
