//! Under which name the program depends on Vernal.
//!
//! An expansion has to name a crate that the program can see: `vernal` for most, `vernal-core` for
//! extension crates, and either may have been renamed. The manifest says which; only the few lines of
//! it that can say so are read, without a TOML parser that every program would have to build.

use syn::Path;

const PACKAGES: [&str; 2] = ["vernal", "vernal-core"];

/// The path of the crate that the package being compiled depends on.
pub(crate) fn crate_path() -> Path {
    let own_name = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let name = match own_name.as_str() {
        "vernal-core" => "vernal_core".to_owned(), // its tests and examples
        _ => manifest()
            .and_then(|text| crate_name(&text))
            .unwrap_or_else(|| "vernal".to_owned()),
    };
    syn::parse_str(&format!("::{name}")).unwrap_or_else(|_| syn::parse_quote!(::vernal))
}

fn manifest() -> Option<String> {
    let path = std::env::var_os("CARGO_MANIFEST_PATH")
        .map(std::path::PathBuf::from)
        .or_else(|| {
            let folder = std::env::var_os("CARGO_MANIFEST_DIR")?;
            Some(std::path::Path::new(&folder).join("Cargo.toml"))
        })?;
    std::fs::read_to_string(path).ok()
}

/// The crate's name in code; a dependency of the library comes before one of its tests only.
fn crate_name(manifest: &str) -> Option<String> {
    let mut found: Vec<Dependency> = dependencies(manifest);
    found.retain(|dependency| PACKAGES.contains(&dependency.package.as_str()));
    found.sort_by_key(|dependency| dependency.is_for_tests);
    found
        .first()
        .map(|dependency| dependency.key.replace('-', "_"))
}

struct Dependency {
    key: String,
    package: String,
    is_for_tests: bool,
}

/// The table that a line stands in.
enum Table {
    /// `[dependencies]` and its like.
    Dependencies {
        is_for_tests: bool,
    },
    /// `[dependencies.name]`: the dependency that was added last.
    Dependency,
    Other,
}

fn dependencies(manifest: &str) -> Vec<Dependency> {
    let mut found: Vec<Dependency> = Vec::new();
    let mut table = Table::Other;
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            table = read_header(header, &mut found);
        } else if let Some((key, value)) = line.split_once('=') {
            let key = key.trim();
            match table {
                Table::Dependencies { is_for_tests } => {
                    let (key, rest) = key.split_once('.').unwrap_or((key, ""));
                    let key = unquoted(key);
                    let package = match rest.trim() {
                        "package" => unquoted(value),
                        _ => package_in(value).unwrap_or_else(|| key.clone()),
                    };
                    found.push(Dependency {
                        key,
                        package,
                        is_for_tests,
                    });
                }
                Table::Dependency if key == "package" => {
                    if let Some(dependency) = found.last_mut() {
                        dependency.package = unquoted(value);
                    }
                }
                _ => {}
            }
        }
    }
    found
}

fn read_header(header: &str, found: &mut Vec<Dependency>) -> Table {
    let header = header.split(']').next().unwrap_or_default().trim();
    if header.starts_with("workspace") {
        return Table::Other; // What members may use is not what this package uses.
    }
    let is_for_tests = |name: &str| match unquoted(name).as_str() {
        "dependencies" => Some(false),
        "dev-dependencies" => Some(true),
        _ => None,
    };
    let mut names = header.rsplit('.');
    let last = names.next().unwrap_or_default();
    if let Some(is_for_tests) = is_for_tests(last) {
        return Table::Dependencies { is_for_tests };
    }
    match names.next().and_then(is_for_tests) {
        Some(is_for_tests) => {
            let key = unquoted(last);
            found.push(Dependency {
                package: key.clone(),
                key,
                is_for_tests,
            });
            Table::Dependency
        }
        None => Table::Other,
    }
}

/// The value of `package` in an inline table.
fn package_in(table: &str) -> Option<String> {
    let mut pairs = table.trim().strip_prefix('{')?.split(',');
    pairs.find_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        (unquoted(key) == "package").then(|| unquoted(value))
    })
}

/// The text without what may stand around it: white space, quotes, the end of a table, a comment.
fn unquoted(text: &str) -> String {
    let text = text.split(['#', '}']).next().unwrap_or_default();
    text.trim().trim_matches(['"', '\'']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(manifest: &str) -> Option<String> {
        crate_name(manifest)
    }

    #[test]
    fn a_dependency_is_found_however_it_is_written() {
        for manifest in [
            "[dependencies]\nvernal = \"0.1\"",
            "[dependencies]\nserde = \"1\"\n vernal={ path = \"..\", features = [\"openai\"] } # ours",
            "[dependencies]\nvernal.workspace = true",
            "[dependencies]\n\"vernal\" = { workspace = true }",
            "[dependencies.vernal]\nversion = \"0.1\"\n[features]\nx = []",
            "[target.'cfg(unix.x)'.dependencies]\nvernal = \"0.1\"",
            "[dev-dependencies]\nvernal = \"0.1\"",
        ] {
            assert_eq!(name(manifest).as_deref(), Some("vernal"), "{manifest}");
        }
    }

    #[test]
    fn a_renamed_dependency_is_called_by_its_new_name() {
        for manifest in [
            "[dependencies]\nour-tools = { package = \"vernal-core\", version = \"0.1\" }",
            "[dependencies]\nour-tools = { version = \"0.1\", package = 'vernal' }",
            "[dependencies]\nour-tools.package = \"vernal\"",
            "[dependencies.our-tools]\nversion = \"0.1\"\npackage = \"vernal\"",
        ] {
            assert_eq!(name(manifest).as_deref(), Some("our_tools"), "{manifest}");
        }
    }

    #[test]
    fn what_only_tests_see_comes_last() {
        let manifest =
            "[dev-dependencies]\nvernal = \"0.1\"\n[dependencies]\nvernal-core = \"0.1\"";
        assert_eq!(name(manifest).as_deref(), Some("vernal_core"));
    }

    #[test]
    fn other_tables_and_packages_do_not_count() {
        for manifest in [
            "",
            "[workspace.dependencies]\nvernal = \"0.1\"",
            "[features]\nvernal = []",
            "[build-dependencies]\nvernal = \"0.1\"",
            "[dependencies]\nvernal-models = \"0.1\"\nvernal = { package = \"other\" }",
            "[dependencies]\n# vernal = \"0.1\"",
            "= [ ] ] [[ . =\n[\n[dependencies]\n=\n.=\n{",
        ] {
            assert_eq!(name(manifest), None, "{manifest}");
        }
    }
}
