use std::collections::VecDeque;
use std::sync::Arc;

use super::fault::Fault;
use super::step::Step;
use super::violation::Allowed;
use crate::Reply;

/// What a server does with the requests that come, one [`Step`] for each; the same for every API.
///
/// A request that breaks the API's rules is refused and takes no step.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Script {
    steps: VecDeque<Step>,
    again: bool,
    allowed: Allowed,
}

impl Script {
    /// An empty script.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an answer of text.
    pub fn says(self, text: impl Into<Arc<str>>) -> Self {
        self.replies(Reply::text(text))
    }

    /// Adds an answer that asks for a tool.
    pub fn calls(self, name: impl Into<Arc<str>>, arguments: impl Into<Arc<str>>) -> Self {
        self.replies(Reply::call(name, arguments))
    }

    /// Adds a reply.
    pub fn replies(self, reply: Reply) -> Self {
        self.then(reply)
    }

    /// Adds a fault.
    pub fn fails(self, fault: Fault) -> Self {
        self.then(fault)
    }

    /// Adds a step: a reply, a fault, or either with its own way to travel.
    pub fn then(mut self, step: impl Into<Step>) -> Self {
        self.steps.push_back(step.into());
        self
    }

    /// Begins again at its end, for ever.
    pub fn again(mut self) -> Self {
        self.again = true;
        self
    }

    /// Lets a place of a request be as it likes, for what only one compatible server or gateway has. The
    /// place is written as a [`Violation`](super::Violation) tells it:
    ///
    /// | place | what may be there |
    /// |---|---|
    /// | `$.provider` | a field of the body with what is below it |
    /// | `query tenant` | a parameter of the query |
    /// | `header authorization` | a header that is missing or other than documented: a gateway has the key |
    /// | `path /team-a/llm` | this before the API's own path |
    /// | `path` | any path; of its model and method nothing is known then |
    ///
    /// Headers and members that the API does not look at need not be allowed. All other rules hold as
    /// before.
    ///
    /// ```
    /// use vernal_testing::fake::Script;
    ///
    /// let script = Script::new()
    ///     .says("Good.")
    ///     .allows("path /team-a/llm")
    ///     .allows("query tenant")
    ///     .allows("header authorization");
    /// ```
    pub fn allows(mut self, place: impl Into<String>) -> Self {
        self.allowed.add(place.into());
        self
    }

    pub(crate) fn allowed(&self) -> &Allowed {
        &self.allowed
    }

    pub(crate) fn next(&mut self) -> Option<Step> {
        let step = self.steps.pop_front()?;
        if self.again {
            self.steps.push_back(step.clone());
        }
        Some(step)
    }

    /// How many steps are still to be taken; none of a script that begins again has to be.
    pub(crate) fn left(&self) -> usize {
        if self.again { 0 } else { self.steps.len() }
    }
}
