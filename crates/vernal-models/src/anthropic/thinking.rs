//! Thinking with a budget, which asks something of the conversation.

use vernal_core::message::Role;
use vernal_core::model::ChatOptions;

use super::block::Block;
use crate::exchange::Encoded;

/// The extra field that thinking is asked for in.
pub(super) const THINKING: &str = "thinking";

/// How a request thinks.
pub(super) struct Thinking {
    /// It is asked for, but the server would refuse it.
    pub(super) is_left_out: bool,
    /// The most tokens of it, where they are named.
    pub(super) budget: u64,
}

impl Thinking {
    /// Thinking with a budget is left out where the model's latest calls came without thoughts: another
    /// provider's model made them, or one that was asked without. The server wants these back first, and
    /// nobody else can write them. The next turn thinks again.
    pub(super) fn of(options: &ChatOptions, messages: &[Encoded<'_>]) -> Self {
        let asked = options.extra().get(THINKING);
        let budget = asked.and_then(|asked| asked.get("budget_tokens")?.as_u64());
        let is_enabled = asked.is_some_and(|asked| {
            let kind = asked.get("type");
            kind.is_some_and(|kind| kind == "enabled")
        });
        let is_left_out = is_enabled && lacks_thoughts(messages);
        if is_left_out {
            tracing::warn!(
                target: "vernal_models",
                provider = super::PROVIDER,
                "`thinking` is left out for the rest of this turn: the model's latest calls came without \
                 thoughts that could go back with them, as those of another provider's model do"
            );
        }
        Self {
            is_left_out,
            budget: budget.filter(|_| !is_left_out).unwrap_or(0),
        }
    }
}

/// Whether the model's latest turn has calls and does not begin with thoughts.
fn lacks_thoughts(messages: &[Encoded<'_>]) -> bool {
    let is_model = |(message, _): &&Encoded<'_>| message.role() == Role::Assistant;
    let says = messages
        .iter()
        .filter(|(message, text)| message.role() != Role::System && !text.is_empty());
    let latest = says.rev().skip_while(|said| !is_model(said));
    let (mut has_calls, mut first) = (false, "");
    for (message, text) in latest.take_while(is_model) {
        has_calls |= message.has_tool_calls();
        first = text;
    }
    has_calls && !begins_with_thoughts(first)
}

fn begins_with_thoughts(blocks: &str) -> bool {
    let mut blocks = serde_json::Deserializer::from_str(blocks).into_iter::<Block<'_>>();
    let first = blocks.next().and_then(Result::ok);
    let kind = first.as_ref().and_then(|block| block.kind.as_deref());
    matches!(kind, Some("thinking" | "redacted_thinking"))
}
