use std::str::Chars;

/// Whether a name fits a pattern, in which `*` is any text and `?` any character. Case plays no part,
/// and nothing is allocated: a model call may ask.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let (mut pattern, mut name) = (pattern.chars(), name.chars());
    // What follows the last `*`, and what is left of the name after what that takes so far.
    let mut star: Option<(Chars<'_>, Chars<'_>)> = None;
    loop {
        let (before, at) = (name.clone(), name.next());
        match (pattern.next(), at) {
            (Some('*'), _) => {
                name = before;
                star = Some((pattern.clone(), name.clone()));
            }
            (None, None) => return true,
            (Some(wanted), Some(found)) if wanted == '?' || same(wanted, found) => {}
            _ => {
                let Some((after, rest)) = &mut star else {
                    return false;
                };
                if rest.next().is_none() {
                    return false;
                }
                (pattern, name) = (after.clone(), rest.clone());
            }
        }
    }
}

fn same(a: char, b: char) -> bool {
    a == b || a.to_lowercase().eq(b.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_whole_names() {
        for (pattern, name, expected) in [
            ("*", "", true),
            ("gpt-5*", "GPT-5-mini", true),
            ("gpt-5*", "gpt-4.1", false),
            ("*mini*", "o4-mini-2025", true),
            ("a*b*c", "abxbxc", true),
            ("a*b*c", "abxbx", false),
            ("llama-?b", "llama-8b", true),
            ("llama-?b", "llama-70b", false),
            ("", "x", false),
            ("**", "x", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
        assert!(!fits(&"*a".repeat(60), &"b".repeat(2000)));
    }
}
