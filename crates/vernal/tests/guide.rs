//! The guide: each page is there in both languages, alike, compiled, and its links lead somewhere.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use vernal::advisor::order::{HIGHEST_PRECEDENCE, LOWEST_PRECEDENCE};
use vernal::advisor::{
    BudgetAdvisor, MessageChatMemoryAdvisor, RequestDeadlineAdvisor, RetryAdvisor,
    SafeGuardAdvisor, SimpleLoggerAdvisor, StructuredOutputValidationAdvisor, ToolCallingAdvisor,
};
use vernal::calling::{DEFAULT_MAX_CONCURRENCY, ToolCallLimits};

/// The folder of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of the files of the guide.
fn files() -> BTreeSet<String> {
    let files = fs::read_dir(root().join("docs/guide")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.collect()
}

/// The English pages with their numbers, the contents excepted.
fn pages() -> Vec<String> {
    let is_page = |name: &String| !name.starts_with("README") && !name.ends_with(".ko.md");
    files().into_iter().filter(is_page).collect()
}

fn korean(name: &str) -> String {
    format!("{}.ko.md", name.strip_suffix(".md").unwrap())
}

/// What two languages of a page have in common: the levels of its headings, the kinds of its blocks of
/// code, and where each stands among the others.
fn shape(text: &str) -> Vec<String> {
    let mut in_code = false;
    let mut shape = Vec::new();
    for line in text.lines() {
        if let Some(kind) = line.strip_prefix("```") {
            in_code = !in_code;
            if in_code {
                shape.push(format!("code {kind}"));
            }
        } else if !in_code && line.starts_with('#') {
            let level = line.chars().take_while(|c| *c == '#').count();
            shape.push(format!("heading {level}"));
        }
    }
    assert!(!in_code, "a block of code has no end");
    shape
}

/// Where the links of a page lead; nothing in its code is a link.
fn links(text: &str) -> Vec<String> {
    let mut in_code = false;
    let mut links = Vec::new();
    for line in text.lines() {
        in_code ^= line.starts_with("```");
        if in_code {
            continue;
        }
        let ends = line.split("](").skip(1);
        links.extend(ends.filter_map(|end| Some(end.split_once(')')?.0.to_owned())));
    }
    links
}

#[test]
fn each_page_is_there_in_both_languages_and_they_are_alike() {
    let names = files();
    assert!(pages().len() > 1, "they are found");
    for name in names.iter().filter(|name| !name.ends_with(".ko.md")) {
        let other = korean(name);
        assert!(names.contains(&other), "{name} has no {other}");
        let [english, korean] =
            [name, &other].map(|name| shape(&read(&root().join("docs/guide").join(name))));
        assert_eq!(english, korean, "{name} and {other}");
    }
    for name in names.iter().filter(|name| name.ends_with(".ko.md")) {
        let other = name.replace(".ko.md", ".md");
        assert!(names.contains(&other), "{name} has no {other}");
    }
}

#[test]
fn relative_links_lead_to_files_of_the_same_language() {
    let guide = files().into_iter().map(|name| format!("docs/guide/{name}"));
    let readmes = ["README.md", "README.ko.md"].map(str::to_owned);
    for page in readmes.into_iter().chain(guide) {
        let path = root().join(&page);
        for link in links(&read(&path)) {
            if link.starts_with("http") {
                continue;
            }
            let target = path.parent().unwrap().join(&link);
            assert!(target.exists(), "{page} links to {link}");
            // The contents lead to the other language, pages do not.
            let is_page = page.starts_with("docs/") && !page.contains("README");
            if is_page && !link.contains("..") {
                let languages = [&page, &link].map(|name| name.ends_with(".ko.md"));
                assert_eq!(languages[0], languages[1], "{page} links to {link}");
            }
        }
    }
}

#[test]
fn each_page_is_in_the_contents_and_among_the_doc_tests() {
    let compiled = read(&root().join("crates/vernal/src/lib.rs"));
    for page in pages() {
        for (name, contents) in [(page.clone(), "README.md"), (korean(&page), "README.ko.md")] {
            let listed = links(&read(&root().join("docs/guide").join(contents)));
            assert!(listed.contains(&name), "{contents} does not list {name}");
            let entry = format!("\"docs/guide/{name}\";");
            assert!(compiled.contains(&entry), "{name} is no doc test");
        }
    }
}

/// The rows of the tables of a page in both languages, without their backticks.
fn rows(page: &str) -> [Vec<String>; 2] {
    [page.to_owned(), korean(page)].map(|name| {
        let text = read(&root().join("docs/guide").join(name)).replace('`', "");
        let rows = text.lines().filter(|line| line.starts_with('|'));
        rows.map(str::to_owned).collect()
    })
}

#[test]
fn the_limits_in_the_page_of_the_loop_are_the_defaults() {
    let (note, end) = (
        ToolCallLimits::DEFAULT_NOTE_REPEATS_AFTER,
        ToolCallLimits::DEFAULT_END_REPEATS_AFTER,
    );
    let per_tool = ToolCallLimits::DEFAULT_MAX_CALLS_PER_TOOL;
    let total = ToolCallLimits::DEFAULT_MAX_TOTAL_TOOL_CALLS;
    let rounds = ToolCallLimits::DEFAULT_MAX_ROUNDS;
    for rows in rows("03-loop.md") {
        for row in [
            format!("| max_calls_per_tool | {per_tool} |"),
            format!("| max_total_tool_calls | {total} |"),
            format!("| max_rounds | {rounds} |"),
            format!("| note_repeats_after, end_repeats_after | {note}, {end} |"),
            format!("| max_concurrency | {DEFAULT_MAX_CONCURRENCY} |"),
        ] {
            assert!(rows.contains(&row), "{row} is not in {rows:#?}");
        }
    }
}

#[test]
fn the_orders_in_the_page_of_advisors_are_the_defaults() {
    let orders = [
        (
            "RequestDeadlineAdvisor",
            RequestDeadlineAdvisor::DEFAULT_ORDER,
        ),
        (
            "MessageChatMemoryAdvisor",
            MessageChatMemoryAdvisor::DEFAULT_ORDER,
        ),
        ("ToolCallingAdvisor", ToolCallingAdvisor::DEFAULT_ORDER),
        ("SafeGuardAdvisor", SafeGuardAdvisor::DEFAULT_ORDER),
        ("SimpleLoggerAdvisor", SimpleLoggerAdvisor::DEFAULT_ORDER),
        (
            "StructuredOutputValidationAdvisor",
            StructuredOutputValidationAdvisor::DEFAULT_ORDER,
        ),
        ("RetryAdvisor", RetryAdvisor::DEFAULT_ORDER),
        ("BudgetAdvisor", BudgetAdvisor::DEFAULT_ORDER),
    ];
    for rows in rows("05-advisors.md") {
        for (name, order) in orders {
            let order = match order {
                order if order < 0 => {
                    format!("HIGHEST_PRECEDENCE + {}", order - HIGHEST_PRECEDENCE)
                }
                0 => "0".to_owned(),
                order => format!("LOWEST_PRECEDENCE - {}", LOWEST_PRECEDENCE - order),
            };
            let start = format!("| {order} |");
            let mut of_order = rows.iter().filter(|row| row.starts_with(&start));
            assert!(
                of_order.any(|row| row.contains(name)),
                "{name} is at {order}"
            );
        }
    }
}

/// A block of any other kind would pass for code that is compiled.
#[test]
fn all_code_is_compiled_or_no_rust() {
    for name in files() {
        for part in shape(&read(&root().join("docs/guide").join(&name))) {
            let kind = part.strip_prefix("code ");
            let known = ["rust", "rust,no_run", "toml", "console"];
            let is_known = kind.is_none_or(|kind| known.contains(&kind));
            assert!(is_known, "{name} has a block of the kind `{part}`");
        }
    }
}

#[test]
fn headings_code_and_links_are_told_apart() {
    let page = "# A\n\n```rust\n# hidden\n[x](nowhere)\n```\n\n## B\n\n[a](b.md), [c](http://d)\n";
    assert_eq!(shape(page), ["heading 1", "code rust", "heading 2"]);
    assert_eq!(links(page), ["b.md", "http://d"]);
}
