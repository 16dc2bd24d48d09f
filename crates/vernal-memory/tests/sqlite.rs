//! SQLite, as a file and in memory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use common::turns::{kept, turn};
use common::{advisor, assert_error, conversation, crash};
use rusqlite::Connection;
use vernal_core::memory::{ChatMemoryRepository, MemoryErrorKind};
use vernal_core::message::Message;
use vernal_memory::SqliteChatMemoryRepository;
use vernal_testing::{MemoryConformanceOptions, memory_conformance_with};

/// A folder that goes away with its value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let name = format!("vernal-sqlite-{}", Message::user("").id());
        let path = env::temp_dir().join(name);
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("conversations.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

async fn open(file: &Path) -> SqliteChatMemoryRepository {
    SqliteChatMemoryRepository::open(file).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_conforms_at_full_size() {
    let folder = Folder::new();
    let full = MemoryConformanceOptions::full();
    memory_conformance_with(full, async || open(&folder.file()).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_conforms_at_full_size() {
    let shared = SqliteChatMemoryRepository::in_memory().unwrap();
    let full = MemoryConformanceOptions::full();
    memory_conformance_with(full, async || shared.clone()).await;
}

#[tokio::test]
async fn a_file_that_is_opened_again_holds_what_it_held() {
    let folder = Folder::new();
    let id = conversation("reopen");
    for number in 0..3 {
        let repository = open(&folder.file()).await;
        repository.append(&id, &turn(number)).await.unwrap();
    }
    assert_eq!(kept(&open(&folder.file()).await, &id).await, [0, 1, 2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn whole_turns_of_a_client_are_remembered() {
    let folder = Folder::new();
    advisor::whole_turns(async || open(&folder.file()).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_open_a_new_file_at_once() {
    let folder = Folder::new();
    let opens = (0..16).map(|_| {
        let file = folder.file();
        tokio::spawn(async move { SqliteChatMemoryRepository::open(file).await.map(|_| ()) })
    });
    for opened in futures::future::join_all(opens).await {
        opened.unwrap().unwrap();
    }
}

#[tokio::test]
async fn what_is_no_database_is_said_to_be_none() {
    let folder = Folder::new();
    std::fs::write(
        folder.file(),
        "not a database, but long enough to look like one".repeat(50),
    )
    .unwrap();
    let error = SqliteChatMemoryRepository::open(folder.file())
        .await
        .unwrap_err();
    assert_error(
        &error,
        MemoryErrorKind::Data,
        &["sqlite: cannot open the database", "not a database"],
    );
}

#[tokio::test]
async fn a_file_that_cannot_be_opened_is_tried_again_at_the_next_use() {
    let folder = Folder::new();
    let inside = folder.0.join("not there yet");
    let repository = SqliteChatMemoryRepository::builder(inside.join("c.db"))
        .build()
        .unwrap();
    let id = conversation("later");
    let error = repository.append(&id, &turn(0)).await.unwrap_err();
    let parts = [
        "sqlite: cannot append to conversation",
        id.as_str(),
        "folder exists",
    ];
    assert_error(&error, MemoryErrorKind::Connection, &parts);
    std::fs::create_dir(inside).unwrap();
    repository.append(&id, &turn(0)).await.unwrap();
    assert_eq!(kept(&repository, &id).await, [0]);
}

#[tokio::test]
async fn a_lock_that_another_process_holds_is_waited_for_within_limits() {
    let folder = Folder::new();
    let limit = Duration::from_millis(300);
    let builder = SqliteChatMemoryRepository::builder(folder.file()).operation_timeout(limit);
    let repository = builder.open().await.unwrap();
    let id = conversation("locked");
    let other = Connection::open(folder.file()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let start = Instant::now();
    let error = repository.append(&id, &turn(0)).await.unwrap_err();
    assert_error(
        &error,
        MemoryErrorKind::Timeout,
        &["sqlite: cannot append to", id.as_str()],
    );
    assert!(
        start.elapsed() < Duration::from_secs(5),
        "{:?}",
        start.elapsed()
    );
    assert!(
        repository.load(&id, None).await.unwrap().is_empty(),
        "readers do not wait"
    );
    other.execute_batch("ROLLBACK").unwrap();
    repository.append(&id, &turn(0)).await.unwrap();
    assert_eq!(kept(&repository, &id).await, [0]);
}

/// Whoever opens a new file changes its mode, for which nobody else may be at it: SQLite itself does not
/// wait then.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_file_that_another_process_is_at_is_waited_for_within_limits() {
    let folder = Folder::new();
    let other = Connection::open(folder.file()).unwrap();
    other
        .execute_batch("CREATE TABLE t (x); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
        .unwrap();
    let limit = Duration::from_millis(300);
    let builder = SqliteChatMemoryRepository::builder(folder.file());
    let error = builder.clone().operation_timeout(limit).open().await;
    let parts = ["sqlite: cannot open the database"];
    assert_error(&error.unwrap_err(), MemoryErrorKind::Timeout, &parts);
    let release = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        other.execute_batch("COMMIT").unwrap();
    });
    let repository = builder.open().await.unwrap();
    release.join().unwrap();
    let id = conversation("waited");
    repository.append(&id, &turn(0)).await.unwrap();
    assert_eq!(kept(&repository, &id).await, [0]);
}

#[tokio::test]
async fn a_later_layout_is_refused() {
    let folder = Folder::new();
    open(&folder.file()).await;
    let later = Connection::open(folder.file()).unwrap();
    later
        .execute_batch("UPDATE vernal_memory_schema SET version = 99")
        .unwrap();
    let error = SqliteChatMemoryRepository::open(folder.file())
        .await
        .unwrap_err();
    assert_error(
        &error,
        MemoryErrorKind::Data,
        &["sqlite", "version 99", "knows 1"],
    );
}

#[tokio::test]
async fn files_of_earlier_versions_are_read_and_written() {
    for fixture in [
        include_str!("fixtures/sqlite_0.sql"),
        include_str!("fixtures/sqlite_1.sql"),
    ] {
        let folder = Folder::new();
        Connection::open(folder.file())
            .unwrap()
            .execute_batch(fixture)
            .unwrap();
        let repository = open(&folder.file()).await;
        let ids = repository.conversations(None, 10).await.unwrap();
        for id in &ids {
            let texts = repository.load(id, None).await.unwrap();
            let texts: Vec<_> = texts
                .iter()
                .map(|message| message.text().into_owned())
                .collect();
            assert_eq!(texts, ["안녕?", "Hello."]);
        }
        assert_eq!(ids.len(), usize::from(fixture.contains("Hello.")));
        let id = conversation("fixture");
        repository.append(&id, &turn(0)).await.unwrap();
        assert_eq!(kept(&repository, &id).await, [0]);
    }
}

#[tokio::test]
async fn a_message_that_cannot_be_read_is_an_error_of_its_conversation_alone() {
    let folder = Folder::new();
    let repository = open(&folder.file()).await;
    let (broken, fine) = (conversation("broken"), conversation("fine"));
    for id in [&broken, &fine] {
        repository.append(id, &turn(0)).await.unwrap();
    }
    let other = Connection::open(folder.file()).unwrap();
    let later = "UPDATE vernal_message SET body = replace(body, '\"v\":1', '\"v\":7')
                 WHERE conversation = (SELECT number FROM vernal_conversation WHERE id = ?1)";
    other.execute(later, [broken.as_str()]).unwrap();
    let error = repository.load(&broken, None).await.unwrap_err();
    assert_error(
        &error,
        MemoryErrorKind::Data,
        &[broken.as_str(), "format version 7"],
    );
    assert_eq!(kept(&repository, &fine).await, [0]);
}

/// The steps of a turn, in the order in which they are first reached.
const STEPS: [&str; 11] = [
    "sqlite: before begin",
    "sqlite: before the conversation",
    "sqlite: before the messages",
    "sqlite: after a message",
    "sqlite: before commit",
    "sqlite: after commit",
    "sqlite: before the replacement begins",
    "sqlite: before the old messages go",
    "sqlite: before the replacement",
    "sqlite: before the replacement is committed",
    "sqlite: after the replacement",
];

#[tokio::test]
async fn crash_child() {
    crash::child(async || open(Path::new(&env::var(crash::FILE).unwrap())).await).await;
}

#[tokio::test]
async fn a_killed_process_leaves_whole_turns() {
    let folder = Folder::new();
    let file = folder.file();
    let name = file.to_str().unwrap();
    crash::at_every_step("crash_child", &STEPS, Some(name), async || {
        open(&file).await
    })
    .await;
}

#[test]
fn handles_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + Clone + 'static>() {}
    shared::<SqliteChatMemoryRepository>();
    shared::<Arc<dyn ChatMemoryRepository>>();
}
