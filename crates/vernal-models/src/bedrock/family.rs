//! What only some families of models take, as data: a row for each.

use vernal_core::message::DialectKey;

/// What a family of models takes of the results of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Family {
    /// What the ids of its models have within.
    within: &'static str,
    /// Whether results and other words of the user are turns apart.
    pub(super) results_alone: bool,
    /// Whether a result may hold media.
    pub(super) media_in_results: bool,
    /// Whether a result may say that it is a failure.
    pub(super) status: bool,
}

/// Every model that no row says anything of.
const OTHERS: Family = Family {
    within: "",
    results_alone: false,
    media_in_results: true,
    status: true,
};

const FAMILIES: [Family; 5] = [
    Family {
        within: "meta.llama",
        results_alone: true,
        ..OTHERS
    },
    Family {
        within: "mistral.",
        results_alone: true,
        ..OTHERS
    },
    Family {
        within: "writer.",
        results_alone: true,
        status: false,
        ..OTHERS
    },
    Family {
        within: "qwen.",
        media_in_results: false,
        ..OTHERS
    },
    // Kimi: `moonshot.` and `moonshotai.`.
    Family {
        within: "moonshot",
        media_in_results: false,
        ..OTHERS
    },
];

impl Family {
    /// The family of the model with this id, which may stand in an ARN.
    pub(super) fn of(model: &str) -> Self {
        let mut families = FAMILIES.into_iter();
        let known = families.find(|family| model.contains(family.within));
        known.unwrap_or(OTHERS)
    }

    /// The key of a message's bytes: what changes them is in it.
    pub(super) fn message_key(self) -> DialectKey {
        const ALL: DialectKey = DialectKey::from_name("bedrock-converse 1 message");
        const NO_STATUS: DialectKey = DialectKey::from_name("bedrock-converse 1 message no status");
        const NO_MEDIA: DialectKey = DialectKey::from_name("bedrock-converse 1 message no media");
        const NEITHER: DialectKey = DialectKey::from_name("bedrock-converse 1 message neither");
        match (self.media_in_results, self.status) {
            (true, true) => ALL,
            (true, false) => NO_STATUS,
            (false, true) => NO_MEDIA,
            (false, false) => NEITHER,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_family_is_in_the_id() {
        for (model, within) in [
            ("us.meta.llama4-maverick-17b-instruct-v1:0", "meta.llama"),
            (
                "arn:aws:bedrock:us-east-1::foundation-model/mistral.pixtral-large-2502-v1:0",
                "mistral.",
            ),
            ("us.writer.palmyra-x5-v1:0", "writer."),
            ("qwen.qwen3-32b-v1:0", "qwen."),
            ("moonshot.kimi-k2-thinking", "moonshot"),
            ("moonshotai.kimi-k2.5", "moonshot"),
            ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", ""),
            (
                "arn:aws:bedrock:us-east-1:1:application-inference-profile/x",
                "",
            ),
        ] {
            assert_eq!(Family::of(model).within, within, "{model}");
        }
    }
}
