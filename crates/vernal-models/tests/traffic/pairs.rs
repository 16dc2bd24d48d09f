//! Recordings of one request, streamed and not, which have to agree.
//!
//! A model seldom says the same twice, so the words are its own; what is compared is how the answer
//! ended, which tools it asks for, and with which arguments they are filled.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use vernal_core::message::FinishReason;
use vernal_core::model::ChatResponse;

/// At least this part of the requests has to be answered alike.
const PERCENT: usize = 90;

/// What an answer does, whatever its words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Deed {
    finish: String,
    /// The name of each call and the names of its arguments.
    calls: Vec<(String, Vec<String>)>,
}

/// The answers to one request.
#[derive(Default)]
struct Answers {
    name: String,
    whole: BTreeSet<Deed>,
    streamed: BTreeSet<Deed>,
}

#[derive(Default)]
pub(crate) struct Pairs(BTreeMap<(&'static str, String), Answers>);

impl Pairs {
    pub(crate) fn add(
        &mut self,
        name: &str,
        api: &'static str,
        mut asked: Value,
        streamed: bool,
        response: &ChatResponse,
    ) {
        let fields = asked.as_object_mut().unwrap();
        fields.retain(|name, _| !matches!(name.as_str(), "stream" | "stream_options"));
        let answers = self.0.entry((api, asked.to_string())).or_default();
        name.clone_into(&mut answers.name);
        let side = match streamed {
            true => &mut answers.streamed,
            false => &mut answers.whole,
        };
        side.insert(deed(response));
    }

    /// Prints how many agree, and says if those are too few.
    pub(crate) fn report(&self) -> Option<String> {
        let both = |answers: &&Answers| !answers.whole.is_empty() && !answers.streamed.is_empty();
        let pairs: Vec<_> = self.0.values().filter(both).collect();
        let agree = |answers: &&&Answers| !answers.whole.is_disjoint(&answers.streamed);
        let agreed = pairs.iter().filter(agree).count();
        println!(
            "  streamed and whole: {agreed} of {} requests are answered alike",
            pairs.len()
        );
        for answers in pairs.iter().filter(|answers| !agree(answers)) {
            println!(
                "  not alike: {}: {:?} {:?}",
                answers.name, answers.whole, answers.streamed
            );
        }
        let enough = !pairs.is_empty() && agreed * 100 >= pairs.len() * PERCENT;
        (!enough).then(|| format!("only {agreed} of {} pairs agree", pairs.len()))
    }
}

fn deed(response: &ChatResponse) -> Deed {
    let finish = match response.finish_reason() {
        // Some servers give no reason where others say that the model stopped.
        None | Some(FinishReason::Stop) => "stop".to_owned(),
        Some(reason) => format!("{reason:?}"),
    };
    let call = |call: &vernal_core::message::ToolCall| {
        let arguments: Value = serde_json::from_str(call.arguments.as_str()).unwrap_or_default();
        let names = arguments.as_object().into_iter().flatten();
        (
            call.name.to_string(),
            names.map(|(name, _)| name.clone()).collect(),
        )
    };
    Deed {
        finish,
        calls: response.tool_calls().map(call).collect(),
    }
}
