//! What generations of Google's own models do, told by their names.

/// The first generation of models that take tools and a form of answers in one request.
pub(super) const TAKES_BOTH: u32 = 3;

/// The first generation of models that take calls of the turn that is going on only with a signature.
const WANTS_SIGNATURES: u32 = 3;

/// Whether a model is known to take tools and a form of answers in one request.
pub(super) fn takes_both(model: &str) -> bool {
    generation_of(model).is_some_and(|generation| generation >= TAKES_BOTH)
}

/// Whether a model is known to refuse calls of the turn that is going on without a signature.
pub(super) fn wants_signatures(model: &str) -> bool {
    generation_of(model).is_some_and(|generation| generation >= WANTS_SIGNATURES)
}

/// The generation in the name of one of Google's own models, such as `gemini-2.5-flash`.
pub(super) fn generation_of(model: &str) -> Option<u32> {
    let name = model.rsplit('/').next()?;
    let version = name.strip_prefix("gemini-")?;
    version.split(['.', '-']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generation_is_in_the_name() {
        for (model, generation) in [
            ("gemini-3-pro-preview", Some(3)),
            ("models/gemini-10.1", Some(10)),
            ("gemini-2.5-flash", Some(2)),
            ("gemini-flash-latest", None),
            ("gemma-3", None),
            ("", None),
        ] {
            assert_eq!(generation_of(model), generation, "{model}");
        }
        assert!(takes_both("gemini-3-pro") && !takes_both("gemini-2.5-pro"));
        assert!(wants_signatures("gemini-3.5-flash") && !wants_signatures("gemini-2.5-pro"));
    }
}
