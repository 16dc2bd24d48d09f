//! What the schema of an answer loses on its way to a provider (rule SCH-8).

use vernal_core::model::{Finding, LossOutcome, ResponseSchema};

use crate::lowering::{SchemaDialect, lower_response};

/// A finding for each word of the schema that a dialect takes otherwise, or not at all.
pub(crate) fn answer_losses(schema: &ResponseSchema, dialect: SchemaDialect) -> Vec<Finding> {
    let name = schema.name();
    let lowered = lower_response(schema.schema(), dialect);
    // What is not sent loses nothing else.
    let unfit = |outcome| outcome == LossOutcome::NotStrict;
    let is_unfit = lowered.losses.iter().any(|loss| unfit(loss.outcome));
    let becomes = match dialect {
        SchemaDialect::OpenAiStrict => {
            "so it is sent without strict mode: change the type for that"
        }
        _ => {
            "so the server would refuse it and it is left out: change the type, or ask with `entity`, which \
             asks in words then"
        }
    };
    let losses = lowered.losses.into_iter();
    losses
        .filter(|loss| !is_unfit || unfit(loss.outcome))
        .map(|loss| {
            let text = match loss.outcome {
                LossOutcome::NotStrict => format!(
                    "the schema of the answer `{name}` has `{}` at `{}`, to which no answer can be held, \
                     {}",
                    loss.keyword, loss.path, becomes
                ),
                _ => format!("the schema of the answer `{name}`: {loss}"),
            };
            let found = Finding::of_loss(name.into(), loss);
            Finding::new(found.severity, found.kind, text)
        })
        .collect()
}
