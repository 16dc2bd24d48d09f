//! Where a value is, in words: `$.filters[1].op` in arguments, `#/properties/id` in schemas.

use super::{Document, Kind, NodeId};

/// How much of a name is written.
const MAX_NAME_CHARS: usize = 60;
/// How many steps are written: the first and the last of a longer way.
const MAX_STEPS: usize = 12;

/// The path of a value from the root `$`.
pub(crate) fn of(document: &Document<'_>, id: NodeId) -> String {
    let mut steps = Vec::new();
    for (parent, child) in way(document, id) {
        let mut step = String::new();
        match document.kind(parent) {
            Kind::Object => push_member(&mut step, document.name(child)),
            _ => step = format!("[{}]", position(document, parent, child)),
        }
        steps.push(step);
    }
    joined("$", &steps)
}

/// The path that a member would have if it were there.
pub(crate) fn of_member(document: &Document<'_>, object: NodeId, name: &str) -> String {
    let mut path = of(document, object);
    push_member(&mut path, name);
    path
}

/// The JSON pointer of a value from the root `#`.
pub(crate) fn pointer(document: &Document<'_>, id: NodeId) -> String {
    let mut steps = Vec::new();
    for (parent, child) in way(document, id) {
        steps.push(match document.kind(parent) {
            Kind::Object => {
                format!(
                    "/{}",
                    shortened(document.name(child))
                        .replace('~', "~0")
                        .replace('/', "~1")
                )
            }
            _ => format!("/{}", position(document, parent, child)),
        });
    }
    joined("#", &steps)
}

/// Appends the step to a member: `.name`, or `["a name"]` where that would not be clear.
pub(crate) fn push_member(path: &mut String, name: &str) {
    let mut chars = name.chars();
    let starts = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    if starts && chars.all(|c| c.is_alphanumeric() || c == '_') {
        path.push('.');
        path.push_str(&shortened(name));
    } else {
        let quoted = serde_json::Value::from(shortened(name)).to_string();
        path.push_str(&format!("[{quoted}]"));
    }
}

/// Each value on the way from the root to `id`, with the one that it is in.
fn way(document: &Document<'_>, id: NodeId) -> Vec<(NodeId, NodeId)> {
    let mut way = Vec::new();
    let mut parent = NodeId::ROOT;
    while parent != id {
        let next = document
            .children(parent)
            .find(|child| document.contains(*child, id));
        let Some(child) = next else { break };
        way.push((parent, child));
        parent = child;
    }
    way
}

fn position(document: &Document<'_>, parent: NodeId, child: NodeId) -> usize {
    document
        .children(parent)
        .take_while(|other| *other < child)
        .count()
}

fn shortened(name: &str) -> String {
    match name.char_indices().nth(MAX_NAME_CHARS) {
        None => name.to_owned(),
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
    }
}

fn joined(root: &str, steps: &[String]) -> String {
    match steps {
        [first @ .., a, b, c] if steps.len() > MAX_STEPS => {
            let first = first.get(..MAX_STEPS - 3).unwrap_or_default();
            format!("{root}{}…{a}{b}{c}", first.concat())
        }
        steps => format!("{root}{}", steps.concat()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path_of(text: &str, value: &str) -> String {
        let document = Document::read(text).unwrap();
        let mut ids = (0..document.size(NodeId::ROOT)).map(|id| NodeId(id as u32));
        let found = ids.rfind(|id| document.raw(*id) == value).unwrap();
        of(&document, found)
    }

    #[test]
    fn names_that_are_no_words_are_quoted() {
        for (text, path) in [
            (r#"9"#, "$"),
            (r#"{"a":[0,{"b_1":9}]}"#, "$.a[1].b_1"),
            (r#"{"도시":9}"#, "$.도시"),
            (r#"{"a.b":9}"#, r#"$["a.b"]"#),
            (r#"{"a\"b\n":9}"#, r#"$["a\"b\n"]"#),
            (r#"{"1":9}"#, r#"$["1"]"#),
            (r#"{"":9}"#, r#"$[""]"#),
        ] {
            assert_eq!(path_of(text, "9"), path);
        }
    }

    #[test]
    fn long_names_and_long_ways_are_shortened() {
        let name = "x".repeat(1000);
        assert_eq!(
            path_of(&format!(r#"{{"{name}":9}}"#), "9").chars().count(),
            63
        );
        let deep = format!("{}9{}", r#"{"a":["#.repeat(20), "]}".repeat(20));
        assert_eq!(path_of(&deep, "9"), "$.a[0].a[0].a[0].a[0].a…[0].a[0]");
    }

    #[test]
    fn pointers_are_escaped() {
        let document = Document::read(r#"{"a/b~":[1,2]}"#).unwrap();
        assert_eq!(pointer(&document, NodeId(3)), "#/a~1b~0/1");
        assert_eq!(pointer(&document, NodeId::ROOT), "#");
    }
}
