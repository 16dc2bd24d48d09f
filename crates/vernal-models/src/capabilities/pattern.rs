/// Whether a name fits a pattern, in which `*` is any text and `?` any character. Case plays no part.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.to_lowercase().chars().collect();
    let name: Vec<char> = name.to_lowercase().chars().collect();
    let (mut at, mut seen) = (0, 0);
    // Where the last `*` was, and how much of the name it takes so far.
    let mut star: Option<(usize, usize)> = None;
    while seen < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, seen));
                at += 1;
            }
            Some(wanted) if *wanted == '?' || name.get(seen) == Some(wanted) => {
                at += 1;
                seen += 1;
            }
            _ => match &mut star {
                Some((place, taken)) => {
                    *taken += 1;
                    at = *place + 1;
                    seen = *taken;
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(at).all(|rest| *rest == '*')
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
