//! Processes that are killed between any two steps of a turn, and what they leave behind.
//!
//! The process is this test binary again, told by its environment what to do: it appends turns, replaces
//! the first of them (or runs whole turns of a client: `crash_turn`), and stops at a step that the test chose, where it is killed (SIGKILL on Unix).

use std::env;
use std::future::Future;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use vernal_core::memory::{ChatMemoryRepository, ConversationId};
use vernal_memory::__steps;

use super::crash_turn::{self, Place};
use super::turns::{kept, turn};

/// The conversation to append to; a process that has it is to be killed.
const CONVERSATION: &str = "VERNAL_CRASH_CONVERSATION";
/// At which step to stop, counted from 1 over the whole process; 0 for nowhere.
const STOP: &str = "VERNAL_CRASH_STOP";
/// Where the memory of a client stands, whose whole turns are run in place of appends.
const CLIENT: &str = "VERNAL_CRASH_CLIENT";
/// The file of a store that is one.
pub const FILE: &str = "VERNAL_CRASH_FILE";
/// How many turns a process that is to be killed at a step appends.
pub const TURNS: usize = 2;
/// The turn that it then puts in the place of the first.
const REPLACEMENT: usize = 100;

static REACHED: AtomicUsize = AtomicUsize::new(0);
static STOP_AT: OnceLock<usize> = OnceLock::new();

fn number(variable: &str) -> usize {
    env::var(variable)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(0)
}

pub fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").unwrap();
    out.flush().unwrap();
}

/// Tells that a step is reached, and stops if it is the one to stop at; nothing where nobody is killed.
pub fn step(name: &'static str) {
    if env::var_os(STOP).is_none() {
        return;
    }
    say(&format!("STEP {name}"));
    if REACHED.fetch_add(1, Ordering::SeqCst) + 1 == *STOP_AT.get_or_init(|| number(STOP)) {
        say("STOPPED");
        std::thread::sleep(Duration::from_secs(600));
    }
}

/// What the process does; nothing in any other process.
pub async fn child<R, F>(open: impl FnOnce() -> F)
where
    R: ChatMemoryRepository,
    F: Future<Output = R>,
{
    let Ok(id) = env::var(CONVERSATION) else {
        return;
    };
    let id = ConversationId::new(id).unwrap();
    let repository = open().await;
    let turns = if env::var(STOP).is_ok() {
        TURNS
    } else {
        usize::MAX
    };
    __steps::at_each(step);
    say("OPEN");
    if let Ok(place) = env::var(CLIENT) {
        return crash_turn::run(repository, &id, Place::named(&place), 0..TURNS).await;
    }
    let mut first = None;
    for number in 0..turns {
        let turn = turn(number);
        first = first.or(turn.last().map(|message| message.id()));
        repository.append(&id, &turn).await.unwrap();
        say("DONE");
    }
    let replacement = turn(REPLACEMENT);
    let replaced = repository.replace_through(&id, first.unwrap(), &replacement);
    assert!(replaced.await.unwrap());
    say("DONE");
}

/// A process of this binary that runs `child` of the test `test`.
pub fn process(
    test: &str,
    id: &ConversationId,
    stop: Option<usize>,
    file: Option<&str>,
    client: Option<Place>,
) -> Child {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", test, "--nocapture"])
        .env(CONVERSATION, id.as_str());
    if let Some(stop) = stop {
        command.env(STOP, stop.to_string());
    }
    if let Some(file) = file {
        command.env(FILE, file);
    }
    if let Some(place) = client {
        command.env(CLIENT, place.name());
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

/// The process's lines, from its start to the one that is `last`, or to its end.
pub fn lines(child: &mut Child, last: &str) -> Vec<String> {
    let lines = BufReader::new(child.stdout.as_mut().unwrap())
        .lines()
        .map(Result::unwrap);
    let mut found = Vec::new();
    for line in lines {
        // The first line is behind what the test harness says.
        let ended = line.ends_with(last);
        found.push(line);
        if ended {
            break;
        }
    }
    found
}

pub fn count(lines: &[String], what: &str) -> usize {
    lines
        .iter()
        .filter(|line| line.ends_with(what) || line.starts_with(what))
        .count()
}

/// Kills a process at each of its steps in turn, and then some more at any time. What is left must be
/// whole turns, all that were acknowledged, and a store that takes the next append when it is opened
/// again. The process must reach all of the `steps`, in the order in which it first does, and no other.
pub async fn at_every_step<R, F>(
    test: &str,
    steps: &[&str],
    file: Option<&str>,
    open: impl Fn() -> F,
) where
    R: ChatMemoryRepository,
    F: Future<Output = R>,
{
    let id = super::conversation("crash");
    let mut child = process(test, &id, Some(0), file, None);
    let found = lines(&mut child, "never said");
    child.wait().unwrap();
    assert_eq!(count(&found, "DONE"), TURNS + 1, "{found:?}");
    let reached: Vec<_> = found.iter().filter_map(|line| step_of(line)).collect();
    let mut once: Vec<&str> = Vec::new();
    reached.iter().for_each(|step| match once.contains(step) {
        true => {}
        false => once.push(step),
    });
    assert_eq!(once, steps, "the steps of a turn");
    let mut hit = std::collections::BTreeSet::new();
    for stop in 1..=reached.len() {
        let id = super::conversation("crash");
        let mut child = process(test, &id, Some(stop), file, None);
        let found = lines(&mut child, "STOPPED");
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(found.last().unwrap(), "STOPPED");
        let at = found.iter().rev().find_map(|line| step_of(line)).unwrap();
        hit.insert(at.to_owned());
        survived(&open().await, &id, count(&found, "DONE"), Some(at)).await;
    }
    let missed: Vec<_> = steps.iter().filter(|step| !hit.contains(**step)).collect();
    assert!(missed.is_empty(), "no process was killed at {missed:?}");
    println!("killed at {} steps: {hit:?}", reached.len());
    crash_turn::at_every_step(test, steps, file, &open).await;
    at_any_time(test, file, open).await;
}

/// The step that a line names; the first one is behind what the test harness says.
pub fn step_of(line: &str) -> Option<&str> {
    line.split_once("STEP ").map(|(_, step)| step)
}

/// Kills processes that stop nowhere.
async fn at_any_time<R, F>(test: &str, file: Option<&str>, open: impl Fn() -> F)
where
    R: ChatMemoryRepository,
    F: Future<Output = R>,
{
    for round in 0..6u64 {
        let id = super::conversation("crash any time");
        let mut child = process(test, &id, None, file, None);
        let opened = lines(&mut child, "OPEN");
        tokio::time::sleep(Duration::from_micros(3_000 + 7_300 * round)).await;
        child.kill().unwrap();
        let rest = lines(&mut child, "never said");
        child.wait().unwrap();
        assert_eq!(count(&opened, "OPEN"), 1);
        // A server may still be at what it received before the death.
        tokio::time::sleep(Duration::from_millis(300)).await;
        survived(&open().await, &id, count(&rest, "DONE"), None).await;
    }
}

async fn survived(
    repository: &impl ChatMemoryRepository,
    id: &ConversationId,
    acknowledged: usize,
    at: Option<&str>,
) {
    let found = kept(repository, id).await;
    let replaced = [REPLACEMENT, 1];
    let is_replaced = found == replaced;
    let whole: Vec<_> = (0..found.len()).collect();
    assert!(is_replaced || found == whole, "{found:?}, killed at {at:?}");
    let enough = match at.is_some() && acknowledged > TURNS {
        true => is_replaced,
        false => found.len() >= acknowledged,
    };
    assert!(
        enough,
        "{acknowledged} acknowledged, {found:?} kept, at {at:?}"
    );
    // Nothing that the dead process held is in the way.
    repository.append(id, &turn(found.len())).await.unwrap();
    assert_eq!(
        kept(repository, id).await.len(),
        found.len() + 1,
        "killed at {at:?}"
    );
    repository.delete(id).await.unwrap();
}
