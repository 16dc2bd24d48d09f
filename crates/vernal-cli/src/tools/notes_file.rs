//! The file with the notes: read and replaced as a whole, by one process at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// One note.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Note {
    pub(crate) number: u32,
    pub(crate) created: String,
    pub(crate) text: String,
}

/// All notes, and the number that was given last: the number of a deleted note is not given again.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Notes {
    last_number: u32,
    pub(crate) notes: Vec<Note>,
}

impl Notes {
    /// Adds a note and gives its number.
    pub(crate) fn add(&mut self, created: String, text: String) -> u32 {
        self.last_number = self.last_number.saturating_add(1);
        self.notes.push(Note {
            number: self.last_number,
            created,
            text,
        });
        self.last_number
    }
}

pub(crate) struct NotesFile {
    path: PathBuf,
}

/// How often, and how far apart, another process is given time to finish its change.
const TRIES: u32 = 40;
const PAUSE: Duration = Duration::from_millis(50);

impl NotesFile {
    /// A file that need not be there yet.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// The notes; none where there is no file.
    ///
    /// # Errors
    /// The file cannot be read, or it is not one that was written here.
    pub(crate) fn read(&self) -> Result<Notes, String> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Notes::default()),
            Err(error) => return Err(self.problem("read", &error)),
        };
        serde_json::from_str(&text).map_err(|error| {
            format!(
                "{} holds no notes that can be read ({error}); it was left as it is",
                self.shown()
            )
        })
    }

    /// Changes the notes and replaces the file: whoever reads it sees all of the change or nothing.
    ///
    /// # Errors
    /// The file cannot be read or written, or another process does not let go of it.
    pub(crate) async fn change<T>(
        &self,
        change: impl FnOnce(&mut Notes) -> T,
    ) -> Result<T, String> {
        let written = |error| self.problem("write", &error);
        // A file that is reached through a link stays where it is.
        let path = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        if let Some(folder) = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
        {
            fs::create_dir_all(folder).map_err(written)?;
        }
        let _lock = self.lock(&path).await?;
        let before = self.read()?;
        let mut notes = before.clone();
        let result = change(&mut notes);
        if notes != before {
            replace(&path, &notes).map_err(written)?;
        }
        Ok(result)
    }

    /// Held until it is dropped.
    async fn lock(&self, path: &Path) -> Result<File, String> {
        let file = beside(path, "lock");
        let lock = private_file(&file, false).map_err(|error| self.problem("lock", &error))?;
        for _ in 0..TRIES {
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                Err(TryLockError::WouldBlock) => tokio::time::sleep(PAUSE).await,
                Err(TryLockError::Error(error)) => return Err(self.problem("lock", &error)),
            }
        }
        Err(format!(
            "{} is being changed by another program; try again",
            self.shown()
        ))
    }

    fn problem(&self, what: &str, error: &std::io::Error) -> String {
        format!("cannot {what} {}: {error}", self.shown())
    }

    fn shown(&self) -> String {
        format!("the notes file `{}`", self.path.display())
    }
}

fn replace(path: &Path, notes: &Notes) -> std::io::Result<()> {
    let new = beside(path, "new");
    let text = serde_json::to_string_pretty(notes)?;
    let mut file = private_file(&new, true)?;
    file.write_all(text.as_bytes())?;
    file.write_all(b"\n")?;
    file.sync_all()?;
    fs::rename(&new, path)
}

/// A file in the same folder, so that it can take the other's place in one step.
fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".");
    name.push(extension);
    path.with_file_name(name)
}

/// Opens a file that nobody but the user can read.
fn private_file(path: &Path, truncate: bool) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).write(true).truncate(truncate);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// A folder of a test, which is gone after it.
    pub(crate) struct Folder(PathBuf);

    impl Folder {
        pub(crate) fn new() -> Self {
            static NEXT: AtomicU32 = AtomicU32::new(0);
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("vernal-notes-{}-{number}", std::process::id());
            Self(std::env::temp_dir().join(name))
        }

        pub(crate) fn file(&self) -> PathBuf {
            self.0.join("deep").join("notes.json")
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn add(text: &'static str) -> impl FnOnce(&mut Notes) {
        move |notes| {
            notes.add(String::new(), text.to_owned());
        }
    }

    #[tokio::test]
    async fn changes_at_the_same_time_are_all_kept() {
        let folder = Folder::new();
        let (one, other) = (NotesFile::new(folder.file()), NotesFile::new(folder.file()));
        let results = futures::join!(
            one.change(add("a")),
            other.change(add("b")),
            one.change(add("c"))
        );
        assert_eq!(results, (Ok(()), Ok(()), Ok(())));
        let mut texts: Vec<_> = one
            .read()
            .unwrap()
            .notes
            .into_iter()
            .map(|note| note.text)
            .collect();
        texts.sort();
        assert_eq!(texts, ["a", "b", "c"]);
        assert!(!beside(&folder.file(), "new").exists());
    }

    #[tokio::test]
    async fn a_file_of_another_kind_is_left_as_it_is() {
        let folder = Folder::new();
        fs::create_dir_all(folder.file().parent().unwrap()).unwrap();
        fs::write(folder.file(), "my own file").unwrap();
        let file = NotesFile::new(folder.file());
        let error = file.change(add("a")).await.unwrap_err();
        assert!(
            error.contains("notes.json") && error.contains("left as it is"),
            "{error}"
        );
        assert_eq!(fs::read_to_string(folder.file()).unwrap(), "my own file");
    }

    #[tokio::test]
    async fn a_place_that_cannot_be_written_is_named() {
        let folder = Folder::new();
        fs::create_dir_all(&folder.0).unwrap();
        fs::write(folder.0.join("deep"), "a file where the folder should be").unwrap();
        let error = NotesFile::new(folder.file())
            .change(add("a"))
            .await
            .unwrap_err();
        assert!(error.starts_with("cannot write the notes file"), "{error}");
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn nobody_else_can_read_the_notes() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new();
        NotesFile::new(folder.file())
            .change(add("a"))
            .await
            .unwrap();
        let mode = fs::metadata(folder.file()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
