//! Running other programs: show the command, stream or capture its output, name it in errors.

use std::env;
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, PipeReader, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Failure, While};
use crate::workspace;

/// How long output is still awaited after a program ended while something holds its pipe open.
const LINGER: Duration = Duration::from_secs(2);

/// Ends the process that its argument names once its standard input ends. Signals of the terminal
/// are for the others.
pub(crate) const WATCH: &str = r#"trap "" INT TERM HUP; read -r _; kill "$1" 2>/dev/null"#;

/// Starts a shell script with an argument. Its standard input ends when this process does, for
/// whatever reason.
pub(crate) fn at_end(script: &str, argument: &str) -> Result<Child, Failure> {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", script, "watch", argument])
        .stdin(Stdio::piped());
    shell
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .while_("cannot start `sh`")
}

/// The exit code of a command that failed, as a shell gives it.
pub(crate) fn code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return u8::try_from(signal).map_or(1, |signal| signal.saturating_add(128));
    }
    status
        .code()
        .and_then(|code| u8::try_from(code).ok())
        .unwrap_or(1)
}

/// A cargo command in the workspace's root.
pub(crate) fn cargo<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(workspace::root());
    forget_own_package(&mut command);
    command
}

/// Takes out of the environment what `cargo run` said about xtask itself: build scripts that
/// watch these variables would otherwise build again on every change between the two.
pub(crate) fn forget_own_package(command: &mut Command) {
    for (name, _) in env::vars_os() {
        let about_xtask = name.to_str().is_some_and(|name| {
            name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
        });
        if about_xtask {
            command.env_remove(name);
        }
    }
}

/// The command as one would type it.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let words: Vec<String> = std::iter::once(name)
        .chain(command.get_args())
        .map(quoted)
        .collect();
    words.join(" ")
}

/// A word of a command, quoted when it has to be.
fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Whether a program with these arguments starts and succeeds; its output is dropped.
pub(crate) fn succeeds(mut command: Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Runs a program that must succeed and returns its standard output; its error output, if it
/// fails, is in the failure.
pub(crate) fn captured(mut command: Command, fix: &str) -> Result<String, Failure> {
    let name = shown(&command);
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::said(format!("cannot start `{name}`: {error}\n{fix}")))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Failure::said(format!(
        "`{name}` failed ({}):\n{}\n{fix}",
        output.status,
        said.trim()
    )))
}

/// Runs a program and gives the lines of its standard output and error to `each` as they come, in
/// the order in which they were written.
pub(crate) fn streamed(
    mut command: Command,
    each: &mut dyn FnMut(&[u8]),
) -> Result<ExitStatus, Failure> {
    let name = shown(&command);
    let starting = format!("cannot start `{name}`");
    // One pipe for both outputs, so that no line overtakes another.
    let (reader, writer) = io::pipe().while_(&starting)?;
    let second = writer.try_clone().while_(&starting)?;
    command.stdin(Stdio::null()).stdout(second).stderr(writer);
    let mut child = command.spawn().while_(&starting)?;
    // The command holds the pipe's writing ends; while it lives, the reader sees no end.
    drop(command);
    let lines = read_lines(reader);
    let mut ended: Option<Instant> = None;
    loop {
        match lines.recv_timeout(Duration::from_millis(200)) {
            Ok(line) => each(&line),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => match ended {
                Some(when) if when.elapsed() > LINGER => {
                    let note = format!("note: something that `{name}` started still runs\n");
                    each(note.as_bytes());
                    break;
                }
                Some(_) => {}
                None => {
                    let status = child.try_wait().while_(format!("waiting for `{name}`"))?;
                    ended = status.map(|_| Instant::now());
                }
            },
        }
    }
    child.wait().while_(format!("waiting for `{name}`"))
}

/// Reads lines in a thread of its own, so that the waiting can also look at the clock.
fn read_lines(reader: PipeReader) -> Receiver<Vec<u8>> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        loop {
            let mut line = Vec::new();
            match reader.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) if sender.send(line).is_err() => break,
                Ok(_) => {}
            }
        }
    });
    lines
}

/// Prints a line as it came. A terminal that went away is no reason to stop the tests.
pub(crate) fn print(line: &[u8]) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(line).and_then(|()| out.flush());
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn both_outputs_come_in_the_order_in_which_they_were_written() {
        let mut lines: Vec<u8> = Vec::new();
        let script = "echo one; echo two >&2; echo three; printf four; exit 3";
        let status = streamed(shell(script), &mut |line| lines.extend(line)).unwrap();
        assert_eq!(status.code(), Some(3));
        assert_eq!(String::from_utf8_lossy(&lines), "one\ntwo\nthree\nfour");
    }

    #[test]
    fn what_a_program_leaves_behind_does_not_hold_up_the_run() {
        let start = Instant::now();
        let status = streamed(shell("sleep 20 & echo started"), &mut |_| ()).unwrap();
        assert!(status.success());
        assert!(start.elapsed() < Duration::from_secs(15));
    }

    #[test]
    fn errors_name_the_command_and_the_remedy() {
        let missing = captured(Command::new("/nowhere/tool"), "Install it.");
        let failing = captured(shell("echo because >&2; exit 1"), "Mend it.");
        for (result, words) in [
            (missing, ["`tool`", "Install it."]),
            (failing, ["because", "Mend it."]),
        ] {
            let Err(Failure::Said(text)) = result else {
                panic!("it succeeded")
            };
            assert!(words.iter().all(|word| text.contains(word)), "{text}");
        }
    }

    #[test]
    fn commands_are_shown_as_typed() {
        assert_eq!(shown(&shell("echo it's")), r"sh -c 'echo it'\''s'");
    }
}
