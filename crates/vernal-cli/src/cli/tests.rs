use super::*;

fn parsed(line: &[&str]) -> Result<Command, String> {
    parse(line.iter().map(OsString::from)).map_err(|error| error.to_string())
}

fn chat(line: &[&str]) -> ChatArguments {
    match parsed(line) {
        Ok(Command::Chat(chat)) => *chat,
        other => panic!("{line:?}: {other:?}"),
    }
}

#[test]
fn commands_are_read() {
    assert_eq!(parsed(&["tools"]), Ok(Command::Tools { json: false }));
    assert_eq!(
        parsed(&["--json", "tools"]),
        Ok(Command::Tools { json: true })
    );
    for line in [
        &["--help"][..],
        &["-h"],
        &["help"],
        &["chat", "--help"],
        &["tools", "-h"],
    ] {
        assert_eq!(parsed(line), Ok(Command::Help));
    }
    for line in [&["-V"][..], &["--version"], &["version"]] {
        assert_eq!(parsed(line), Ok(Command::Version));
    }
    assert_eq!(chat(&["chat"]), ChatArguments::default());
}

#[test]
fn options_stand_before_and_after_the_question() {
    let chat = chat(&[
        "--model=qwen3",
        "chat",
        "What",
        "time is it?",
        "--json",
        "-q",
        "--no-tools",
        "--timeout",
        "1.5",
        "--max-rounds",
        "3",
        "--system",
        "-brief-",
        "--base-url",
        "http://h/v1",
        "--api-key-env",
        "MY_KEY",
        "--notes",
        "n.json",
        "--",
        "--now",
    ]);
    assert_eq!(chat.question.as_deref(), Some("What time is it? --now"));
    assert_eq!(chat.model.model.as_deref(), Some("qwen3"));
    assert_eq!(chat.model.base_url.as_deref(), Some("http://h/v1"));
    assert_eq!(chat.model.api_key_env.as_deref(), Some("MY_KEY"));
    assert_eq!(chat.timeout, Some(Duration::from_millis(1500)));
    assert_eq!(
        (chat.max_rounds, chat.system.as_deref()),
        (Some(3), Some("-brief-"))
    );
    assert_eq!(chat.notes, Some(PathBuf::from("n.json")));
    assert!(chat.json && chat.quiet && chat.no_tools);
}

#[test]
fn what_is_wrong_is_said_with_the_nearest_right_thing() {
    for (line, problem) in [
        (&[][..], "say what to do"),
        (
            &["chta"],
            "there is no command `chta`; did you mean `chat`?",
        ),
        (
            &["dance"],
            "there is no command `dance`; there are `chat` and `tools`",
        ),
        (
            &["chat", "--modle", "x"],
            "there is no option `--modle`; did you mean `--model`?",
        ),
        (
            &["chat", "--maxrounds", "3"],
            "did you mean `--max-rounds`?",
        ),
        (&["chat", "-x"], "there is no option `-x`"),
        (&["chat", "--model"], "`--model` needs a value after it"),
        (&["chat", "--model", " "], "the value of `--model` is empty"),
        (
            &["chat", "--json=yes"],
            "unexpected argument for option '--json'",
        ),
        (&["chat", "--max-rounds", "0"], "from 1 on, not `0`"),
        (&["chat", "--timeout", "-1"], "above 0, not `-1`"),
        (&["chat", "--timeout", "soon"], "not `soon`"),
        (&["chat", "--timeout", "inf"], "not `inf`"),
        (&["chat", " "], "the question is empty"),
        (
            &["tools", "--model", "x"],
            "`--model` is an option of `vernal chat`",
        ),
        (&["tools", "-q"], "`--quiet` is an option of `vernal chat`"),
        (&["tools", "all"], "takes no text, such as `all`"),
    ] {
        let error = parsed(line).unwrap_err();
        assert!(error.contains(problem), "{line:?}: {error}");
    }
}

#[test]
fn a_key_on_the_command_line_is_refused_and_not_repeated() {
    let error = parsed(&["chat", "--api-key-env", "sk-geheim-123"]).unwrap_err();
    assert!(error.contains("name of an environment variable") && !error.contains("geheim"));
}

#[test]
fn the_help_names_every_option() {
    for (option, _) in OPTIONS {
        assert!(HELP.contains(option), "{option}");
    }
}
