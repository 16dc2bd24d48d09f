//! English words whose forms are not regular: the past of verbs, the plural of nouns.

use std::sync::LazyLock;

use super::lookup::Lookup;

const FORMS: &[(&str, &str)] = &[
    ("run", "ran"),
    ("go", "went gone"),
    ("buy", "bought"),
    ("sell", "sold"),
    ("send", "sent"),
    ("pay", "paid"),
    ("take", "took taken"),
    ("eat", "ate eaten"),
    ("drink", "drank drunk"),
    ("sleep", "slept"),
    ("swim", "swam swum"),
    ("ride", "rode ridden"),
    ("drive", "drove driven"),
    ("fly", "flew flown"),
    ("spend", "spent"),
    ("write", "wrote written"),
    ("build", "built"),
    ("keep", "kept"),
    ("bring", "brought"),
    ("make", "made"),
    ("break", "broke"),
    ("give", "gave given"),
    ("begin", "began begun"),
    ("lend", "lent"),
    ("meet", "met"),
    ("win", "won"),
    ("sing", "sang sung"),
    ("throw", "threw thrown"),
    ("wear", "wore worn"),
    ("choose", "chose chosen"),
    ("shelf", "shelves"),
    ("knife", "knives"),
    ("wolf", "wolves"),
    ("loaf", "loaves"),
    ("half", "halves"),
    ("scarf", "scarves"),
    ("thief", "thieves"),
    ("mouse", "mice"),
    ("goose", "geese"),
    ("foot", "feet"),
    ("tooth", "teeth"),
];

/// The form in which the word is listed.
pub(super) fn base(lower: &str) -> Option<&'static str> {
    static TABLE: LazyLock<Lookup<&'static str>> =
        LazyLock::new(|| Lookup::new(FORMS.iter().copied()));
    TABLE.first(lower)
}
