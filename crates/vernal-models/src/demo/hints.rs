//! Situations that are told instead of a wish: what they have to do with.

use super::tokens::Token;

/// Words by which a situation is told, and the keys of what helps, with how much they tell.
const SITUATIONS: &[(&str, &[(&str, f32)])] = &[
    (
        "dark gloomy dunkel oscuro 어두워 어두운 어둡다 캄캄",
        &[("light", 0.9), ("on", 0.6)],
    ),
    (
        "bright glaring 눈부셔 눈부시",
        &[("light", 0.8), ("dim", 0.6)],
    ),
    (
        "freezing chilly frozen shivering icebox frostig frieren 추워 추운 춥다 춥네",
        &[("heat", 0.9), ("thermostat", 0.6), ("on", 0.3)],
    ),
    (
        "stuffy stale airless stickig 답답",
        &[("ventilate", 0.9), ("open", 0.3)],
    ),
    (
        "sweltering boiling muggy heiß 더워 더운 덥다 덥네",
        &[("cool", 0.9), ("thermostat", 0.6), ("on", 0.3)],
    ),
    (
        "loud noisy deafening laut 시끄러워 시끄러운",
        &[("volume", 0.8), ("decrease", 0.5)],
    ),
    (
        "leaking leaks leaky clogged flickering squeaking jammed leckt gotea 새는데 새요 막혔",
        &[("repair", 0.8), ("report", 0.5), ("ticket", 0.5)],
    ),
    (
        "starving hungry hungrig hambre 배고파 배고픈",
        &[("restaurant", 0.7), ("food", 0.7)],
    ),
    (
        "umbrella sunscreen raincoat coat sunglasses regenschirm paraguas 우산",
        &[("weather", 0.9)],
    ),
    ("no_more", &[("delete", 0.9), ("stop", 0.6)]),
    (
        "won't_make can't_make cannot_make couldn't_make get_me_out drop_out",
        &[("cancel", 0.9)],
    ),
    ("afford", &[("balance", 0.7), ("price", 0.4)]),
];

/// What a message speaks of without saying it.
pub(super) fn hinted(tokens: &[Token]) -> Vec<(&'static str, f32)> {
    let told = |words: &str| {
        let said = |token: &Token| {
            words.split_whitespace().any(|word| {
                token.lower() == word || !word.is_ascii() && token.lower().starts_with(word)
            })
        };
        let run = |phrase: &str| {
            let words: Vec<&str> = phrase.split('_').collect();
            let mut runs = tokens.windows(words.len());
            runs.any(|run| run.iter().map(Token::lower).eq(words.iter().copied()))
        };
        let mut phrases = words.split_whitespace().filter(|word| word.contains('_'));
        phrases.any(run) || tokens.iter().any(|token| token.is_word() && said(token))
    };
    let fitting = SITUATIONS.iter().filter(|(words, _)| told(words));
    fitting.flat_map(|(_, keys)| keys.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    #[test]
    fn situations_hint_at_what_helps() {
        for (text, key) in [
            ("It's freezing in here", Some("heat")),
            ("방이 너무 어두워요", Some("light")),
            ("a fine day", None),
        ] {
            let found = hinted(&tokens(text));
            assert_eq!(found.first().map(|(key, _)| *key), key, "{text}");
        }
    }
}
