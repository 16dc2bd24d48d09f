use std::fmt;

/// A rule of an API that a request breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// Where: a path into the body such as `$.messages[2].tool_call_id`, `header NAME`, or `path`.
    pub path: String,
    /// The rule, and what was found in its place.
    pub rule: String,
    /// The status with which the API refuses such a request.
    pub status: u16,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.rule)
    }
}

/// What a check finds, and where in the body it is looking.
#[derive(Debug)]
pub(crate) struct Findings {
    path: String,
    found: Vec<Violation>,
}

impl Findings {
    pub(crate) fn new() -> Self {
        Self {
            path: "$".to_owned(),
            found: Vec::new(),
        }
    }

    pub(crate) fn into_violations(self) -> Vec<Violation> {
        self.found
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Notes that the rule is broken here.
    pub(crate) fn note(&mut self, rule: impl Into<String>) {
        self.add(self.path.clone(), rule, 400);
    }

    /// Notes that the rule is broken outside the body.
    pub(crate) fn note_at(&mut self, place: &str, rule: impl Into<String>, status: u16) {
        self.add(place.to_owned(), rule, status);
    }

    fn add(&mut self, path: String, rule: impl Into<String>, status: u16) {
        self.found.push(Violation {
            path,
            rule: rule.into(),
            status,
        });
    }

    /// Looks at a member of the object here.
    pub(crate) fn member(&mut self, name: &str, look: impl FnOnce(&mut Self)) {
        self.inside(&format!(".{name}"), look);
    }

    /// Looks at an item of the list here.
    pub(crate) fn item(&mut self, index: usize, look: impl FnOnce(&mut Self)) {
        self.inside(&format!("[{index}]"), look);
    }

    fn inside(&mut self, step: &str, look: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        self.path.push_str(step);
        look(self);
        self.path.truncate(length);
    }
}
