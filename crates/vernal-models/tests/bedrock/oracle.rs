//! The independent script that is asked about requests and frames.

#![allow(dead_code)]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// What the script says to each question, in order; `None` where there is no Python.
pub(crate) fn ask(questions: &[Value]) -> Option<Vec<Value>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bedrock/oracle.py");
    let mut python = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let lines: String = questions.iter().map(|one| format!("{one}\n")).collect();
    // The script reads everything before it is waited for, so that no pipe runs full.
    let mut input = python.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()).unwrap());
    let output = python.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), questions.len());
    Some(answers)
}

/// A question about the signature of a request as it came over the wire.
pub(crate) fn signature(request: &str, token: Option<&str>) -> Value {
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let mut lines = head.split("\r\n");
    let mut first = lines.next().unwrap().split(' ');
    let (method, path) = (first.next().unwrap(), first.next().unwrap());
    let headers: Vec<(&str, &str)> = lines.map(|line| line.split_once(": ").unwrap()).collect();
    let host = headers.iter().find(|(name, _)| *name == "host").unwrap().1;
    json!({
        "kind": "signature",
        "method": method,
        "url": format!("http://{host}{path}"),
        "headers": headers,
        "body": body,
        "access_key_id": "AKIDEXAMPLE",
        "secret": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
        "token": token,
        "region": "eu-central-1",
    })
}
