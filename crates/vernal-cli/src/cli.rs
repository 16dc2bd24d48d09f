//! The command line.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use lexopt::Arg;

use crate::nearest::nearest;

/// What the program is asked to do.
#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    Chat(Box<ChatArguments>),
    Tools { json: bool },
    Help,
    Version,
}

/// The options of `vernal chat`.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ChatArguments {
    /// `None` where no text was given.
    pub(crate) question: Option<String>,
    pub(crate) model: ModelFlags,
    pub(crate) system: Option<String>,
    pub(crate) json: bool,
    pub(crate) no_tools: bool,
    pub(crate) max_rounds: Option<u32>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) notes: Option<PathBuf>,
    pub(crate) quiet: bool,
}

/// The options that say which model is meant.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ModelFlags {
    pub(crate) model: Option<String>,
    pub(crate) base_url: Option<String>,
    pub(crate) api_key_env: Option<String>,
}

/// A command line that means nothing: what is wrong with it, and what may have been meant.
#[derive(Debug, PartialEq)]
pub(crate) struct UsageError(pub(crate) String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<lexopt::Error> for UsageError {
    fn from(error: lexopt::Error) -> Self {
        Self(error.to_string())
    }
}

const COMMANDS: [&str; 4] = ["chat", "tools", "help", "version"];

/// The options, each with whether `vernal tools` knows it too.
const OPTIONS: [(&str, bool); 13] = [
    ("--model", false),
    ("--base-url", false),
    ("--api-key-env", false),
    ("--system", false),
    ("--json", true),
    ("--no-tools", false),
    ("--max-rounds", false),
    ("--timeout", false),
    ("--notes", false),
    ("--quiet", false),
    ("--help", true),
    ("--version", true),
    ("-q", false),
];

pub(crate) const HELP: &str = "\
vernal: talk to a model that can use tools

usage:
  vernal chat [options] \"a question\"   answer one question
  vernal chat [options]                have a conversation; without a terminal, all of
                                       stdin is the question
  vernal tools [--json]                list the built-in tools

The answer is written to stdout, everything else to stderr.

options of chat:
  --model NAME         a model's name, `provider:model` such as `openai:gpt-5.1`, `demo`, or
                       `http://host:port/v1#model`
  --base-url URL       where the model is, such as http://127.0.0.1:8080/v1
  --api-key-env VAR    the environment variable that holds the key
  --system TEXT        instructions for the model
  --json               one JSON object per line for every event, the last one `done` or `error`
  --no-tools           offer the model no tools
  --max-rounds N       the most rounds of tool calls (64)
  --timeout SECONDS    the most time for a request
  --notes FILE         where the notes are kept
  -q, --quiet          write nothing but the answer and errors
  -h, --help           this text
  -V, --version        the version

Which model is taken: what the options say; else VERNAL_MODEL, VERNAL_BASE_URL and
VERNAL_API_KEY; else OPENAI_API_KEY, with OPENAI_BASE_URL and OPENAI_MODEL; else a model
server that answers on this machine (Ollama, llama.cpp, LM Studio); else `demo`, which is
rules and no language model. With VERNAL_NO_PROBE=1 this machine's servers are not asked.

exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted
";

/// Reads the arguments, without the program's name.
///
/// # Errors
/// See [`UsageError`].
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, UsageError> {
    let mut parser = lexopt::Parser::from_args(arguments);
    let mut chat = ChatArguments::default();
    let mut words: Vec<String> = Vec::new();
    let mut command: Option<String> = None;
    let mut for_chat_only: Option<&str> = None;
    while let Some(argument) = parser.next()? {
        let option = match argument {
            Arg::Value(word) if command.is_none() => {
                command = Some(known_command(text(word)?)?);
                continue;
            }
            Arg::Value(word) => {
                words.push(text(word)?);
                continue;
            }
            Arg::Short('h') | Arg::Long("help") => return Ok(Command::Help),
            Arg::Short('V') | Arg::Long("version") => return Ok(Command::Version),
            Arg::Short('q') => "--quiet".to_owned(),
            Arg::Short(other) => format!("-{other}"),
            Arg::Long(name) => format!("--{name}"),
        };
        if let Some((name, _)) = OPTIONS
            .iter()
            .find(|(name, everywhere)| *name == option && !everywhere)
        {
            for_chat_only.get_or_insert(name);
        }
        read_option(&option, &mut parser, &mut chat)?;
    }
    match command.as_deref() {
        Some("help") => Ok(Command::Help),
        Some("version") => Ok(Command::Version),
        Some("tools") => tools(chat.json, &words, for_chat_only),
        Some(_) => {
            chat.question = question(&words)?;
            Ok(Command::Chat(Box::new(chat)))
        }
        None => Err(UsageError(
            "say what to do: `vernal chat` or `vernal tools`".to_owned(),
        )),
    }
}

fn read_option(
    option: &str,
    parser: &mut lexopt::Parser,
    chat: &mut ChatArguments,
) -> Result<(), UsageError> {
    match option {
        "--model" => chat.model.model = Some(value(option, parser)?),
        "--base-url" => chat.model.base_url = Some(value(option, parser)?),
        "--api-key-env" => chat.model.api_key_env = Some(variable_name(value(option, parser)?)?),
        "--system" => chat.system = Some(value(option, parser)?),
        "--json" => chat.json = true,
        "--no-tools" => chat.no_tools = true,
        "--quiet" => chat.quiet = true,
        "--max-rounds" => chat.max_rounds = Some(rounds(&value(option, parser)?)?),
        "--timeout" => chat.timeout = Some(seconds(&value(option, parser)?)?),
        "--notes" => chat.notes = Some(value(option, parser)?.into()),
        unknown => return Err(unknown_option(unknown)),
    }
    Ok(())
}

fn known_command(word: String) -> Result<String, UsageError> {
    if COMMANDS.contains(&word.as_str()) {
        return Ok(word);
    }
    let meant = match nearest(&word, COMMANDS) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "there are `chat` and `tools`".to_owned(),
    };
    Err(UsageError(format!("there is no command `{word}`; {meant}")))
}

fn unknown_option(option: &str) -> UsageError {
    let known = OPTIONS
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| name.starts_with("--"));
    let meant = nearest(option, known).filter(|_| option.starts_with("--"));
    UsageError(match meant {
        Some(meant) => format!("there is no option `{option}`; did you mean `{meant}`?"),
        None => format!("there is no option `{option}`"),
    })
}

fn tools(json: bool, words: &[String], for_chat_only: Option<&str>) -> Result<Command, UsageError> {
    if let Some(option) = for_chat_only {
        return Err(UsageError(format!(
            "`{option}` is an option of `vernal chat`, not of `vernal tools`"
        )));
    }
    match words.first() {
        Some(word) => Err(UsageError(format!(
            "`vernal tools` takes no text, such as `{word}`"
        ))),
        None => Ok(Command::Tools { json }),
    }
}

fn question(words: &[String]) -> Result<Option<String>, UsageError> {
    if words.is_empty() {
        return Ok(None);
    }
    let question = words.join(" ");
    if question.trim().is_empty() {
        return Err(UsageError("the question is empty".to_owned()));
    }
    Ok(Some(question))
}

fn value(option: &str, parser: &mut lexopt::Parser) -> Result<String, UsageError> {
    let missing = |_| UsageError(format!("`{option}` needs a value after it"));
    let value = text(parser.value().map_err(missing)?)?;
    if value.trim().is_empty() {
        return Err(UsageError(format!("the value of `{option}` is empty")));
    }
    Ok(value)
}

fn text(value: OsString) -> Result<String, UsageError> {
    let not_text = |value: OsString| format!("`{}` is not UTF-8", value.to_string_lossy());
    value
        .into_string()
        .map_err(|value| UsageError(not_text(value)))
}

/// A name, and not by mistake the key itself: that must not be repeated in an error.
fn variable_name(value: String) -> Result<String, UsageError> {
    let is_name = value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_name && !value.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok(value);
    }
    Err(UsageError(
        "`--api-key-env` takes the name of an environment variable, such as MY_KEY; the key itself \
         does not belong on a command line"
            .to_owned(),
    ))
}

fn rounds(value: &str) -> Result<u32, UsageError> {
    let rounds = value.parse().ok().filter(|rounds| *rounds > 0);
    rounds.ok_or_else(|| {
        UsageError(format!(
            "`--max-rounds` takes a whole number from 1 on, not `{value}`"
        ))
    })
}

fn seconds(value: &str) -> Result<Duration, UsageError> {
    let seconds = value
        .parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|seconds| !seconds.is_zero()).ok_or_else(|| {
        UsageError(format!(
            "`--timeout` takes a number of seconds above 0, not `{value}`"
        ))
    })
}

#[cfg(test)]
mod tests;
