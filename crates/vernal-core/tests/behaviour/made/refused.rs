//! What the compiler refuses (rules DEF-4, DEF-6).
//!
//! That these are the compiler's words is what the test `diagnostics` of `vernal-macros` shows; here
//! they are held against the rules.

use std::path::Path;

/// A program with mistakes, and what the compiler says about it.
fn mistakes(name: &str) -> (String, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vernal-macros/tests/ui");
    let read = |extension| {
        let path = folder.join(name).with_extension(extension);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
    };
    (read("rs"), read("stderr"))
}

/// Whether a line has a parameter or a result that no tool can have.
fn is_mistake(line: &str) -> bool {
    let line = line.trim();
    let parameter = line.ends_with(',') && line.contains(": ") && !line.starts_with("#[");
    let function = line.contains("fn ") && line.ends_with(['{', '}']);
    let has_something = !line.contains("() {") && !line.ends_with("fn main() {}");
    parameter || (function && has_something)
}

#[test]
fn def_4_what_cannot_be_a_parameter_or_a_result_is_refused_where_it_stands() {
    for (file, at_least) in [
        ("living_parameters", 11),
        ("living_results", 8),
        ("parameter_types", 3),
        ("results", 3),
    ] {
        let (source, said) = mistakes(file);
        let lines = source.lines().zip(1..);
        let wrong: Vec<_> = lines.filter(|(line, _)| is_mistake(line)).collect();
        assert!(wrong.len() >= at_least, "{file}: {wrong:?}");
        for (line, number) in wrong {
            let place = format!("tests/ui/{file}.rs:{number}:");
            assert!(said.contains(&place), "{file}: nothing is said of `{line}`");
        }
    }
}

#[test]
fn def_4_the_compiler_says_what_to_do_instead() {
    for file in [
        "living_parameters",
        "living_results",
        "parameter_types",
        "results",
    ] {
        let (_, said) = mistakes(file);
        let blocks: Vec<_> = said.split("\n\n").collect();
        for block in blocks {
            let advice = [
                " instead of ",
                ": take ",
                ": return ",
                ": collect ",
                "= note: derive",
                "= note: return ",
            ];
            assert!(advice.iter().any(|words| block.contains(words)), "{block}");
        }
    }
}

#[test]
fn def_6_two_methods_with_one_tool_name_are_refused() {
    let (source, said) = mistakes("duplicate_names");
    let second = source.lines().zip(1..);
    let (_, line) = second
        .filter(|(line, _)| line.contains(r#"name = "search""#))
        .last()
        .unwrap();
    assert!(said.contains(&format!("tests/ui/duplicate_names.rs:{line}:")));
    assert!(said.contains("two tools of this block are called `search`"));
    assert!(said.contains(r#"rename one with `#[tool(name = "…")]`"#));
}
