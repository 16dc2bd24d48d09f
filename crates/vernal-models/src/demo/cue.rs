//! Prepositions and particles: what the small word next to a noun says about its part.

use std::sync::LazyLock;

use super::lang::Lang;
use super::lookup::Lookup;
use super::script::Particle;

/// The part that a noun plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cue {
    /// No preposition before it: mostly the object of the verb.
    Object,
    From,
    To,
    In,
    On,
    For,
    With,
    By,
    Of,
    About,
    Under,
    Over,
    Between,
    As,
    Named,
    /// What follows is said or written: `that`, `saying`, a colon.
    Saying,
    Without,
    Until,
    Because,
}

const PREPOSITIONS: &[(Lang, Cue, &str)] = &[
    (Lang::En, Cue::From, "from starting since out after"),
    (Lang::En, Cue::To, "to into onto toward towards"),
    (
        Lang::En,
        Cue::In,
        "in at near around within inside nearby @",
    ),
    (Lang::En, Cue::On, "on upon"),
    (Lang::En, Cue::For, "for"),
    (
        Lang::En,
        Cue::With,
        "with including containing using via featuring against",
    ),
    (Lang::En, Cue::By, "by"),
    (Lang::En, Cue::Of, "of"),
    (Lang::En, Cue::About, "about regarding concerning re"),
    (Lang::En, Cue::Under, "under below beneath"),
    (Lang::En, Cue::Over, "over above"),
    (Lang::En, Cue::Between, "between"),
    (Lang::En, Cue::As, "as"),
    (
        Lang::En,
        Cue::Named,
        "named called titled entitled labeled labelled",
    ),
    (Lang::En, Cue::Saying, "that saying says say :"),
    (Lang::En, Cue::Without, "without except"),
    (Lang::En, Cue::Until, "until till through before"),
    (Lang::En, Cue::Because, "because"),
    (Lang::De, Cue::From, "von vom ab aus seit"),
    (Lang::De, Cue::To, "nach zu zum zur an ans"),
    (Lang::De, Cue::In, "in im bei beim nahe am um ins innerhalb"),
    (Lang::De, Cue::On, "auf"),
    (Lang::De, Cue::For, "für"),
    (Lang::De, Cue::With, "mit"),
    (Lang::De, Cue::By, "von durch"),
    (Lang::De, Cue::About, "über bezüglich"),
    (Lang::De, Cue::Under, "unter"),
    (Lang::De, Cue::Between, "zwischen"),
    (Lang::De, Cue::As, "als"),
    (Lang::De, Cue::Named, "namens genannt namen"),
    (Lang::De, Cue::Saying, "dass :"),
    (Lang::De, Cue::Without, "ohne"),
    (Lang::De, Cue::Until, "bis"),
    (Lang::De, Cue::Because, "weil wegen"),
    (Lang::Es, Cue::From, "desde"),
    (Lang::Es, Cue::To, "a al hacia"),
    (Lang::Es, Cue::In, "en cerca dentro"),
    (Lang::Es, Cue::For, "para"),
    (Lang::Es, Cue::With, "con"),
    (Lang::Es, Cue::By, "por"),
    (Lang::Es, Cue::Of, "de del"),
    (Lang::Es, Cue::About, "sobre acerca"),
    (Lang::Es, Cue::Under, "bajo"),
    (Lang::Es, Cue::Between, "entre"),
    (Lang::Es, Cue::As, "como"),
    (Lang::Es, Cue::Named, "llamado llamada titulado titulada"),
    (Lang::Es, Cue::Saying, "que diciendo :"),
    (Lang::Es, Cue::Without, "sin"),
    (Lang::Es, Cue::Until, "hasta"),
    (Lang::Es, Cue::Because, "porque"),
    (Lang::Fr, Cue::From, "depuis"),
    (Lang::Fr, Cue::To, "à au vers aux"),
    (Lang::Fr, Cue::In, "dans en chez près"),
    (Lang::Fr, Cue::On, "sur"),
    (Lang::Fr, Cue::For, "pour"),
    (Lang::Fr, Cue::With, "avec"),
    (Lang::Fr, Cue::By, "par"),
    (Lang::Fr, Cue::Of, "de du des d'"),
    (Lang::Fr, Cue::Between, "entre"),
    (Lang::Fr, Cue::Named, "nommé nommée appelé appelée intitulé"),
    (Lang::Fr, Cue::Saying, "que disant :"),
    (Lang::Fr, Cue::Without, "sans"),
    (Lang::Fr, Cue::Until, "jusqu'à jusqu'au"),
    (Lang::Ko, Cue::Saying, ":"),
    (Lang::Ja, Cue::Saying, ":"),
    (Lang::Zh, Cue::From, "从"),
    (Lang::Zh, Cue::To, "到 给 去"),
    (Lang::Zh, Cue::In, "在"),
    (Lang::Zh, Cue::Saying, ":"),
];

/// The part that a preposition in lower case gives to what follows.
pub(crate) fn preposition(lang: Lang, word: &str) -> Option<Cue> {
    if word == "：" {
        return Some(Cue::Saying);
    }
    static TABLE: LazyLock<Lookup<(Lang, Cue)>> = LazyLock::new(|| {
        Lookup::new(
            PREPOSITIONS
                .iter()
                .map(|(lang, cue, words)| ((*lang, *cue), *words)),
        )
    });
    let mut listed = TABLE.all(word).iter();
    listed.find(|(l, _)| *l == lang).map(|(_, cue)| *cue)
}

/// The part that a particle gives to what comes before it.
pub(crate) fn of_particle(particle: Particle) -> Cue {
    match particle {
        Particle::Subject | Particle::Object => Cue::Object,
        Particle::Of => Cue::Of,
        Particle::At => Cue::In,
        Particle::From => Cue::From,
        Particle::To | Particle::ToPerson => Cue::To,
        Particle::With => Cue::With,
        Particle::Until => Cue::Until,
        Particle::About => Cue::About,
        Particle::Saying => Cue::Saying,
    }
}

/// Words that join things of a kind.
pub(crate) fn is_conjunction(word: &str) -> bool {
    matches!(
        word,
        "and"
            | "vs"
            | "versus"
            | "or"
            | "und"
            | "oder"
            | "y"
            | "e"
            | "o"
            | "u"
            | "et"
            | "ou"
            | "&"
            | ","
            | "、"
            | "，"
            | "plus"
            | "그리고"
            | "및"
            | "하고"
            | "와"
            | "과"
            | "랑"
            | "이랑"
            | "と"
            | "や"
            | "和"
            | "跟"
            | "与"
    )
}

/// Words that are shortened with a full stop.
pub(crate) fn is_abbreviated(word: &str) -> bool {
    matches!(
        word,
        "dr" | "mr"
            | "mrs"
            | "ms"
            | "prof"
            | "st"
            | "no"
            | "nr"
            | "vs"
            | "sr"
            | "sra"
            | "jr"
            | "inc"
            | "fr"
    )
}

/// Marks that end a sentence.
pub(crate) fn ends_sentence(word: &str) -> bool {
    matches!(
        word,
        "." | "!" | "?" | ";" | "。" | "！" | "？" | "；" | "¿" | "¡"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prepositions_belong_to_a_language() {
        assert_eq!(preposition(Lang::En, "from"), Some(Cue::From));
        assert_eq!(preposition(Lang::De, "nach"), Some(Cue::To));
        assert_eq!(preposition(Lang::Es, "desde"), Some(Cue::From));
        assert_eq!(preposition(Lang::En, "nach"), None);
        assert_eq!(of_particle(Particle::At), Cue::In);
    }
}
