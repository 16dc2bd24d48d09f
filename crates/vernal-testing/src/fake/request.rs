use std::fmt;
use std::time::Instant;

use serde_json::Value;

use super::http::{Incoming, header};
use super::violation::Violation;

/// A request that a server has received.
#[derive(Clone)]
#[non_exhaustive]
pub struct RecordedRequest {
    /// The method, such as `POST`.
    pub method: String,
    /// The path with its query.
    pub target: String,
    /// The headers in their order, with their values as they came: among them the key.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// When it was read whole.
    pub received_at: Instant,
    /// The rules it breaks; a request with any was refused.
    pub violations: Vec<Violation>,
}

impl RecordedRequest {
    pub(crate) fn of(incoming: &Incoming, violations: Vec<Violation>) -> Self {
        Self {
            method: incoming.method.clone(),
            target: incoming.target.clone(),
            headers: incoming.headers.clone(),
            body: incoming.body.clone(),
            received_at: Instant::now(),
            violations,
        }
    }

    /// The value of a header, whatever the case of its name.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    /// The body as text; what is no UTF-8 in it is replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON; `null` where it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// The values of headers are not shown: keys are among them.
impl fmt::Debug for RecordedRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        f.debug_struct("RecordedRequest")
            .field("method", &self.method)
            .field("target", &self.target)
            .field("headers", &names)
            .field("body", &self.text())
            .field("violations", &self.violations)
            .finish_non_exhaustive()
    }
}
