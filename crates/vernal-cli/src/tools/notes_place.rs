//! Where notes are kept.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The place that was asked for, else one in the user's data folder by the XDG rules, else one below
/// the current folder.
pub(crate) fn notes_place(
    asked_for: Option<PathBuf>,
    variable: impl Fn(&str) -> Option<OsString>,
) -> PathBuf {
    // The rules say that a relative path is to be ignored.
    let folder = |name: &str| {
        variable(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let data = || folder("XDG_DATA_HOME").or_else(|| Some(folder("HOME")?.join(".local/share")));
    asked_for.unwrap_or_else(|| match data() {
        Some(folder) => folder.join("vernal").join("notes.json"),
        None => Path::new(".vernal").join("notes.json"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_folder_is_found_by_the_rules() {
        for (xdg, home, place) in [
            (Some("/data"), Some("/home/ada"), "/data/vernal/notes.json"),
            (
                Some("data"),
                Some("/home/ada"),
                "/home/ada/.local/share/vernal/notes.json",
            ),
            (
                None,
                Some("/home/ada"),
                "/home/ada/.local/share/vernal/notes.json",
            ),
            (None, Some(""), ".vernal/notes.json"),
            (None, None, ".vernal/notes.json"),
        ] {
            let variable = |name: &str| {
                let value = if name == "HOME" { home } else { xdg };
                value.map(OsString::from)
            };
            assert_eq!(notes_place(None, variable), Path::new(place));
            let asked_for = Some(PathBuf::from("here.json"));
            assert_eq!(notes_place(asked_for, variable), Path::new("here.json"));
        }
    }
}
