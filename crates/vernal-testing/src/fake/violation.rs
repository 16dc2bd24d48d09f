use std::fmt;

/// A rule of an API that a request breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// Where: a path into the body such as `$.messages[2].tool_call_id`, `path`, `query NAME`,
    /// `header NAME`, or `method`. A script can [allow](super::Script::allows) it.
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
    allowed: Allowed,
}

/// The places at which a script lets a request be as it likes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Allowed(Vec<String>);

impl Allowed {
    /// Adds a place. The names of headers have no case.
    pub(crate) fn add(&mut self, place: String) {
        self.0.push(match place.starts_with("header ") {
            true => place.to_ascii_lowercase(),
            false => place,
        });
    }

    /// Whether what is found at a place is no fault.
    fn has(&self, place: &str) -> bool {
        self.0.iter().any(|allowed| {
            let rest = place.strip_prefix(allowed.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
    }

    /// How much of a path a gateway has put before the API's.
    pub(crate) fn gateway(&self, path: &str) -> usize {
        let prefixes = self
            .0
            .iter()
            .filter_map(|place| place.strip_prefix("path "));
        let is_before = |prefix: &&str| {
            let rest = path.strip_prefix(prefix);
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let prefixes = prefixes.map(|prefix| prefix.trim_end_matches('/'));
        prefixes.filter(is_before).map(str::len).max().unwrap_or(0)
    }
}

impl Findings {
    pub(crate) fn new(allowed: Allowed) -> Self {
        Self {
            path: "$".to_owned(),
            found: Vec::new(),
            allowed,
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
        if self.allowed.has(&path) {
            return;
        }
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
