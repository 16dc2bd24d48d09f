//! The built program, from its arguments to its exit status.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]
#![allow(missing_docs, unreachable_pub)]

mod support;

use serde_json::Value;
use support::{Answer, ModelServer, run, run_with_stdin, vernal};

const QUESTION: &str = "Can you set an alarm 10 minutes from now?";

/// The lines of stdout, each a JSON object.
fn json_lines(stdout: &str) -> Vec<Value> {
    stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn the_question_of_the_readme_is_answered() {
    let ran = run(vernal(&["chat", QUESTION]));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stderr
            .starts_with("model: demo (rules, not a language model), because"),
        "{}",
        ran.stderr
    );
    let time = ran.stderr.find("→ current_date_time").expect(&ran.stderr);
    let alarm = ran.stderr.find("→ set_alarm").expect(&ran.stderr);
    assert!(time < alarm, "{}", ran.stderr);
    assert!(ran.stderr.contains("in 10 minutes"), "{}", ran.stderr);
    assert!(
        ran.stdout.to_lowercase().contains("alarm"),
        "{}",
        ran.stdout
    );
    assert!(
        !ran.stdout.contains('→') && !ran.stdout.contains("model:"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stderr.contains('\u{1b}'), "colours are for terminals");
}

#[test]
fn json_is_a_line_for_every_event() {
    let ran = run(vernal(&["chat", "--json", "-q", QUESTION]));
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let lines = json_lines(&ran.stdout);
    let types: Vec<&str> = lines
        .iter()
        .map(|line| line["type"].as_str().unwrap())
        .collect();
    let executed: Vec<&str> = lines
        .iter()
        .filter(|line| line["type"] == "tool_result")
        .map(|line| line["name"].as_str().unwrap())
        .collect();
    assert_eq!(executed, ["current_date_time", "set_alarm"]);
    assert!(types.contains(&"tool_execution_started") && types.contains(&"round_finished"));
    let done = lines.last().unwrap();
    assert_eq!(
        (&done["type"], &done["rounds"]),
        (&"done".into(), &2.into())
    );
    assert!(
        done["content"]
            .as_str()
            .unwrap()
            .to_lowercase()
            .contains("alarm")
    );
    assert!(done["usage"].is_object());
}

#[test]
fn a_question_can_come_on_stdin() {
    let ran = run_with_stdin(vernal(&["chat", "-q"]), &format!("{QUESTION}\n"));
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(
        ran.stdout.to_lowercase().contains("alarm"),
        "{}",
        ran.stdout
    );
    let empty = run_with_stdin(vernal(&["chat"]), " \n");
    assert_eq!(empty.status, 2);
    assert!(
        empty.stderr.contains("there is no question"),
        "{}",
        empty.stderr
    );
}

#[test]
fn without_tools_nothing_is_called() {
    let ran = run(vernal(&["chat", "--no-tools", QUESTION]));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        !ran.stderr.contains('→') && !ran.stdout.is_empty(),
        "{} {}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn a_limit_is_a_failure() {
    let ran = run(vernal(&["chat", "--max-rounds", "1", QUESTION]));
    assert_eq!((ran.status, ran.stdout.as_str()), (1, ""));
    assert!(
        ran.stderr.contains("error: The limit of 1 round"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("--max-rounds"), "{}", ran.stderr);
}

#[test]
fn notes_are_kept_in_the_file_that_is_named() {
    let folder = std::env::temp_dir().join(format!("vernal-cli-{}", std::process::id()));
    let file = folder.join("notes.json");
    let server = ModelServer::start(vec![
        Answer::stream(
            &[&call("add_note", r#"{\"text\":\"Buy milk\"}"#)],
            "tool_calls",
        ),
        Answer::stream(&[r#"{"content":"Noted."}"#], "stop"),
    ]);
    let notes = file.to_str().unwrap();
    let ran = run(vernal(&[
        "chat",
        "--base-url",
        &server.base_url,
        "--model",
        "m",
        "--notes",
        notes,
        "Note it",
    ]));
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (0, "Noted.\n"),
        "{}",
        ran.stderr
    );
    assert!(std::fs::read_to_string(&file).unwrap().contains("Buy milk"));
    std::fs::remove_dir_all(folder).unwrap();
}

fn call(name: &str, arguments: &str) -> String {
    format!(
        r#"{{"role":"assistant","tool_calls":[{{"index":0,"id":"call_1","type":"function","function":{{"name":"{name}","arguments":"{arguments}"}}}}]}}"#
    )
}

#[test]
fn a_server_is_streamed_from() {
    let server = ModelServer::start(vec![
        Answer::stream(
            &[
                r#"{"role":"assistant","content":"Let me see. "}"#,
                &call("calculate", r#"{\"expression\":\"0.1+0.2\"}"#),
            ],
            "tool_calls",
        ),
        Answer::stream(
            &[
                r#"{"role":"assistant","content":"It is "}"#,
                r#"{"content":"0.3."}"#,
            ],
            "stop",
        ),
    ]);
    let url = format!("{}#m", server.base_url);
    let ran = run(vernal(&[
        "chat",
        "--model",
        &url,
        "--system",
        "Be brief.",
        "What is 0.1 + 0.2?",
    ]));
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (0, "It is 0.3.\n"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("  │ Let me see."), "{}", ran.stderr);
    assert!(
        ran.stderr
            .contains("→ calculate {\"expression\":\"0.1+0.2\"}"),
        "{}",
        ran.stderr
    );
    let first: Value = serde_json::from_str(&server.request().body).unwrap();
    assert_eq!(
        (&first["model"], &first["stream"]),
        (&"m".into(), &true.into())
    );
    assert_eq!(first["messages"][0]["content"], "Be brief.");
    assert!(first["tools"].as_array().unwrap().len() > 10);
    let second: Value = serde_json::from_str(&server.request().body).unwrap();
    let last = second["messages"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["role"], &last["content"]),
        (&"tool".into(), &"0.3".into())
    );
}

#[test]
fn a_server_that_does_not_stream_is_understood_too() {
    let answer = r#"{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}"#;
    let server = ModelServer::start(vec![Answer::json("200 OK", answer)]);
    let ran = run(vernal(&[
        "chat",
        "--json",
        "--base-url",
        &server.base_url,
        "--model",
        "m",
        "Hi",
    ]));
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    let done = json_lines(&ran.stdout).pop().unwrap();
    assert_eq!(
        (&done["content"], &done["usage"]["total_tokens"]),
        (&"Hello.".into(), &5.into())
    );
}

#[test]
fn a_server_without_a_named_model_is_asked_for_one() {
    let list = r#"{"object":"list","data":[{"id":"first"},{"id":"second"}]}"#;
    let server = ModelServer::start(vec![
        Answer::json("200 OK", list),
        Answer::stream(&[r#"{"content":"Hi."}"#], "stop"),
    ]);
    let ran = run(vernal(&["chat", "--base-url", &server.base_url, "Hi"]));
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (0, "Hi.\n"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("model: first at 127.0.0.1:"),
        "{}",
        ran.stderr
    );
    assert!(server.request().head.starts_with("GET /v1/models "));
    assert!(server.request().body.contains("\"model\":\"first\""));
}

#[test]
fn a_refused_key_is_named_by_its_variable_and_not_shown() {
    let refusal = r#"{"error":{"message":"Incorrect API key provided: sk-geheim-key.","type":"invalid_request_error","code":"invalid_api_key"}}"#;
    for json in [false, true] {
        let server = ModelServer::start(vec![Answer::json("401 Unauthorized", refusal)]);
        let mut command = vernal(&["chat", "--base-url", &server.base_url, "--model", "m"]);
        command
            .args(["--api-key-env", "MY_KEY", "Hi"])
            .env("MY_KEY", "sk-geheim-key");
        if json {
            command.arg("--json");
        }
        let ran = run(command);
        assert_eq!(ran.status, 1);
        assert!(
            server
                .request()
                .head
                .to_lowercase()
                .contains("authorization: bearer sk-geheim-key")
        );
        assert!(
            !ran.stderr.contains("geheim") && !ran.stdout.contains("geheim"),
            "{}",
            ran.stderr
        );
        let message = if json {
            let error = json_lines(&ran.stdout).pop().unwrap();
            assert_eq!(error["type"], "error");
            error["message"].as_str().unwrap().to_owned()
        } else {
            ran.stderr
        };
        assert!(
            message.contains("401") && message.contains("the key is that of MY_KEY"),
            "{message}"
        );
    }
}

#[test]
fn a_request_can_be_limited_in_time() {
    let server = ModelServer::start(vec![Answer::stalling(r#"{"content":"I think"}"#)]);
    let began = std::time::Instant::now();
    let ran = run(vernal(&[
        "chat",
        "--base-url",
        &server.base_url,
        "--model",
        "m",
        "--timeout",
        "0.5",
        "Hi",
    ]));
    assert_eq!((ran.status, ran.stdout.as_str()), (1, ""));
    assert!(
        ran.stderr.contains("took longer than 500ms (--timeout)"),
        "{}",
        ran.stderr
    );
    assert!(began.elapsed() < std::time::Duration::from_secs(10));
}

#[cfg(unix)]
#[test]
fn ctrl_c_cancels() {
    let server = ModelServer::start(vec![Answer::stalling(r#"{"content":"I think"}"#)]);
    let mut command = vernal(&["chat", "--base-url", &server.base_url, "--model", "m", "Hi"]);
    let child = command.spawn().unwrap();
    server.request();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
    let ran = support::ran(child.wait_with_output().unwrap());
    assert_eq!((ran.status, ran.stdout.as_str()), (130, ""));
    assert!(ran.stderr.contains("interrupted"), "{}", ran.stderr);
}

#[test]
fn wrong_usage_has_a_status_of_its_own() {
    for (arguments, problem) in [
        (
            &["chat", "--modle", "x"][..],
            "there is no option `--modle`; did you mean `--model`?",
        ),
        (
            &["chta", "Hi"],
            "there is no command `chta`; did you mean `chat`?",
        ),
        (&[], "say what to do"),
        (
            &["chat", "--model", "demo", "--base-url", "http://h/v1", "Hi"],
            "leave out --base-url",
        ),
        (
            &["chat", "--api-key-env", "MISSING", "Hi"],
            "`MISSING`, which is not set",
        ),
    ] {
        let ran = run(vernal(arguments));
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(
            ran.stderr.contains(problem) && ran.stderr.contains("vernal --help"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn help_version_and_tools_go_to_stdout() {
    for (arguments, beginning) in [
        (&["--help"][..], "vernal: talk to a model"),
        (
            &["--version"],
            concat!("vernal ", env!("CARGO_PKG_VERSION")),
        ),
        (&["tools"], "current_date_time\n  Get the current date"),
    ] {
        let ran = run(vernal(arguments));
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        assert!(ran.stdout.starts_with(beginning), "{}", ran.stdout);
    }
    let listed: Value = serde_json::from_str(&run(vernal(&["tools", "--json"])).stdout).unwrap();
    let alarm = listed
        .as_array()
        .unwrap()
        .iter()
        .find(|tool| tool["name"] == "set_alarm")
        .unwrap();
    assert_eq!(
        alarm["input_schema"]["required"],
        serde_json::json!(["time"])
    );
}
