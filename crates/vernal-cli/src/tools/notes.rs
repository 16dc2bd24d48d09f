//! Notes that are kept in a file.

use std::path::PathBuf;

use jiff::ZonedDateTime;
use vernal::prelude::*;

use super::moment::second;
use super::notes_file::{Note, Notes, NotesFile};

pub(crate) struct NoteTools {
    file: NotesFile,
}

/// The longest note, in bytes: a model reads all of them when it lists them.
const LONGEST: usize = 20_000;

impl NoteTools {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self {
            file: NotesFile::new(path),
        }
    }
}

#[tools]
impl NoteTools {
    /// Keep a note for the user: something to remember or to do. It is there in later conversations.
    #[tool]
    async fn add_note(
        &self,
        /// The text of the note, as the user would write it.
        text: String,
    ) -> Result<String, ToolError> {
        let text = text.trim().to_owned();
        if text.is_empty() || text.len() > LONGEST {
            let problem = format!("a note needs a text of at most {LONGEST} bytes");
            return Err(ToolError::model(problem));
        }
        let created = second(&ZonedDateTime::now());
        let number = self
            .file
            .change(move |notes| notes.add(created, text))
            .await;
        Ok(format!(
            "Kept as note {}.",
            number.map_err(ToolError::model)?
        ))
    }

    /// List all notes of the user.
    #[tool]
    async fn list_notes(&self) -> Result<String, ToolError> {
        let notes = self.file.read().map_err(ToolError::model)?.notes;
        Ok(listed(&notes).unwrap_or_else(|| "There are no notes.".to_owned()))
    }

    /// Find the notes that contain all of the given words.
    #[tool]
    async fn search_notes(
        &self,
        /// One or more words, or parts of words.
        words: String,
    ) -> Result<String, ToolError> {
        let mut notes = self.file.read().map_err(ToolError::model)?.notes;
        let all = notes.len();
        notes.retain(|note| contains_all(&note.text, &words));
        let none = || format!("None of the {all} notes contains `{}`.", words.trim());
        Ok(listed(&notes).unwrap_or_else(none))
    }

    /// Delete a note for good.
    #[tool]
    async fn delete_note(
        &self,
        /// The number of the note, as it was told when the note was kept or listed.
        number: u32,
    ) -> Result<String, ToolError> {
        let change = move |all: &mut Notes| {
            let at = all.notes.iter().position(|note| note.number == number)?;
            Some(all.notes.remove(at))
        };
        match self.file.change(change).await.map_err(ToolError::model)? {
            Some(note) => Ok(format!("Deleted note {number}: {}", note.text)),
            None => Err(ToolError::model(format!(
                "there is no note {number}; list the notes to see their numbers"
            ))),
        }
    }
}

fn listed(notes: &[Note]) -> Option<String> {
    let lines = notes
        .iter()
        .map(|note| format!("{}. {} ({})", note.number, note.text, note.created));
    (!notes.is_empty()).then(|| lines.collect::<Vec<_>>().join("\n"))
}

fn contains_all(text: &str, words: &str) -> bool {
    let text = text.to_lowercase();
    words
        .to_lowercase()
        .split_whitespace()
        .all(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::notes_file::tests::Folder;

    #[tokio::test]
    async fn notes_are_kept_found_and_deleted() {
        let folder = Folder::new();
        let tools = NoteTools::new(folder.file());
        assert_eq!(tools.list_notes().await.unwrap(), "There are no notes.");
        let add = async |text: &str| tools.add_note(text.to_owned()).await.unwrap();
        assert_eq!(add(" Buy oat milk ").await, "Kept as note 1.");
        assert_eq!(add("우유 사기").await, "Kept as note 2.");
        let found = tools.search_notes("MILK buy".to_owned()).await.unwrap();
        assert!(
            found.starts_with("1. Buy oat milk (") && !found.contains("우유"),
            "{found}"
        );
        let none = tools.search_notes("bread".to_owned()).await.unwrap();
        assert_eq!(none, "None of the 2 notes contains `bread`.");
        assert_eq!(
            tools.delete_note(1).await.unwrap(),
            "Deleted note 1: Buy oat milk"
        );
        let again = tools.delete_note(1).await.unwrap_err();
        assert!(again.to_string().starts_with("there is no note 1;"));
        tools.delete_note(2).await.unwrap();
        assert_eq!(add("third").await, "Kept as note 3.");
        assert_eq!(add("fourth").await, "Kept as note 4.");
        let later = NoteTools::new(folder.file()).list_notes().await.unwrap();
        assert_eq!(later.lines().count(), 2, "{later}");
    }

    #[tokio::test]
    async fn a_note_needs_a_text() {
        let tools = NoteTools::new(Folder::new().file());
        for text in [String::new(), " ".to_owned(), "x".repeat(LONGEST + 1)] {
            assert!(
                tools
                    .add_note(text)
                    .await
                    .unwrap_err()
                    .to_string()
                    .contains("20000 bytes")
            );
        }
    }
}
