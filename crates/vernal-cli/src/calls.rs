//! The tool calls of a round, from the first word about them to their result.

use vernal::message::{ToolCall, ToolResponse};

/// What is known of one call.
#[derive(Debug, Default)]
pub(crate) struct Call {
    id: Option<String>,
    name: String,
    pub(crate) arguments: String,
    started: bool,
}

/// The calls of the current round, in the order in which the model made them.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    round: u32,
    calls: Vec<Call>,
}

impl Calls {
    /// The model has begun to ask for a call; with a new round the calls of the last are forgotten.
    pub(crate) fn announce(&mut self, round: u32, id: Option<&str>, name: &str) {
        if std::mem::replace(&mut self.round, round) != round {
            self.calls.clear();
        }
        let id = id.map(str::to_owned);
        self.calls.push(Call {
            id,
            name: name.to_owned(),
            ..Call::default()
        });
    }

    /// A piece of a call's arguments.
    pub(crate) fn add_arguments(&mut self, index: usize, piece: &str) {
        if let Some(call) = self.calls.get_mut(index) {
            call.arguments.push_str(piece);
        }
    }

    /// A call runs; gives its number, where the round has more than one.
    pub(crate) fn start(&mut self, call: &ToolCall) -> Option<usize> {
        let at = self.find(&call.id, &call.name, false)?;
        if let Some(known) = self.calls.get_mut(at) {
            known.id = Some(call.id.to_string());
            known.started = true;
        }
        self.number(at)
    }

    /// The number of the call that is answered, and the call itself if it was answered without
    /// having run.
    pub(crate) fn finish(&mut self, response: &ToolResponse) -> (Option<usize>, Option<&Call>) {
        if let Some(at) = self.find(&response.call_id, &response.name, true) {
            return (self.number(at), None);
        }
        let Some(at) = self.find(&response.call_id, &response.name, false) else {
            return (None, None);
        };
        let number = self.number(at);
        if let Some(call) = self.calls.get_mut(at) {
            call.started = true;
        }
        (number, self.calls.get(at))
    }

    /// The call of this id, else the first of this name whose id is not known.
    fn find(&self, id: &str, name: &str, started: bool) -> Option<usize> {
        let with_id = |call: &Call| call.started == started && call.id.as_deref() == Some(id);
        let with_name =
            |call: &Call| call.started == started && call.id.is_none() && call.name == name;
        self.calls
            .iter()
            .position(with_id)
            .or_else(|| self.calls.iter().position(with_name))
    }

    fn number(&self, at: usize) -> Option<usize> {
        (self.calls.len() > 1).then_some(at + 1)
    }
}

#[cfg(test)]
mod tests {
    use vernal::message::ToolOutcome;

    use super::*;

    #[test]
    fn calls_are_followed_to_their_results() {
        let mut calls = Calls::default();
        calls.announce(1, Some("a"), "weather");
        calls.announce(1, None, "weather");
        calls.announce(1, Some("c"), "nothing");
        calls.add_arguments(2, "{\"x\":");
        calls.add_arguments(2, "1}");
        calls.add_arguments(9, "lost");
        let call = |id: &str, name: &str| ToolCall::new(id, name, "{}");
        assert_eq!(calls.start(&call("a", "weather")), Some(1));
        assert_eq!(calls.start(&call("made_up", "weather")), Some(2));
        let answer = |call: &ToolCall| ToolResponse::error(call, ToolOutcome::Failed, "");
        assert!(matches!(
            calls.finish(&answer(&call("made_up", "weather"))),
            (Some(2), None)
        ));
        let (number, not_run) = calls.finish(&answer(&call("c", "nothing")));
        assert_eq!(
            (number, not_run.unwrap().arguments.as_str()),
            (Some(3), "{\"x\":1}")
        );
        assert!(matches!(
            calls.finish(&answer(&call("z", "other"))),
            (None, None)
        ));
        calls.announce(2, Some("a"), "weather");
        assert_eq!(calls.start(&call("a", "weather")), None);
    }

    #[test]
    fn a_single_call_has_no_number() {
        let mut calls = Calls::default();
        calls.announce(1, None, "weather");
        assert_eq!(calls.start(&ToolCall::new("a", "weather", "{}")), None);
    }
}
