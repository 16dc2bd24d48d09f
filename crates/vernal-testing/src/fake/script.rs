use std::collections::VecDeque;
use std::sync::Arc;

use super::fault::Fault;
use super::step::Step;
use crate::Reply;

/// What a server does with the requests that come, one [`Step`] for each; the same for every API.
///
/// A request that breaks the API's rules is refused and takes no step.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Script {
    steps: VecDeque<Step>,
    again: bool,
    allowed: Vec<String>,
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

    /// Lets a place of the body be as it likes, and what is below it, such as `$.provider` for a field
    /// that only one compatible server has.
    pub fn allows(mut self, path: impl Into<String>) -> Self {
        self.allowed.push(path.into());
        self
    }

    /// Whether what is found at a place is no fault.
    pub(crate) fn is_allowed(&self, path: &str) -> bool {
        self.allowed.iter().any(|allowed| {
            let rest = path.strip_prefix(allowed.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
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
