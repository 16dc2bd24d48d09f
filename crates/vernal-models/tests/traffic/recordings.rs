//! The recordings, with what the independent readers make of them.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The folder of the recordings.
pub(crate) struct Recordings(PathBuf);

/// One recorded exchange.
pub(crate) struct Exchange<'a> {
    /// Its file and its number in it.
    pub(crate) name: &'a str,
    /// Who recorded it, and whose server it was.
    pub(crate) provider: &'a str,
    /// What the independent reader makes of the answer.
    pub(crate) reading: &'a Value,
    pub(crate) response: &'a Value,
    /// The body of the request, where it was recorded.
    pub(crate) request: Option<Value>,
}

impl Recordings {
    /// # Errors
    /// There are none; the error says where they were looked for.
    pub(crate) fn find() -> Result<Self, String> {
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/traffic");
        let directory = std::env::var_os("VERNAL_TRAFFIC").map_or(beside, PathBuf::from);
        if directory.is_dir() {
            return Ok(Self(directory));
        }
        let hint = "there are no recordings here; set VERNAL_TRAFFIC to their folder";
        Err(hint.to_owned())
    }

    /// Goes through the exchanges that a reader can read.
    ///
    /// # Errors
    /// The reader cannot run here.
    pub(crate) fn each(
        &self,
        reader: &[&str],
        mut take: impl FnMut(Exchange<'_>),
    ) -> Result<(), String> {
        let mut file: (String, Value) = Default::default();
        for reading in self.readings(reader)? {
            if reading["kind"] == "unreadable" {
                continue;
            }
            let name = reading["file"].as_str().unwrap();
            if file.0 != name {
                let text = std::fs::read_to_string(self.0.join(name)).unwrap();
                file = (name.to_owned(), serde_json::from_str(&text).unwrap());
            }
            let number = reading["exchange"].as_u64().unwrap();
            let exchange = &file.1["exchanges"][number as usize];
            let source = name.split('/').next().unwrap();
            take(Exchange {
                name: &format!("{name}#{number}"),
                provider: &format!("{source}/{}", file.1["provider"].as_str().unwrap()),
                reading: &reading,
                response: &exchange["response"],
                request: request_of(exchange),
            });
        }
        Ok(())
    }

    fn readings(&self, reader: &[&str]) -> Result<Vec<Value>, String> {
        let readers = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traffic/readers");
        let (script, options) = reader.split_first().unwrap();
        let output = Command::new("python3")
            .arg(readers.join(script))
            .arg(&self.0)
            .args(options)
            .output();
        let Ok(output) = output else {
            return Err("python3 is not installed".to_owned());
        };
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{script}: {said}");
        let lines = String::from_utf8(output.stdout).unwrap();
        let lines = lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        Ok(lines.collect())
    }
}

/// The body of a request; most recordings hold it as JSON, some as text.
fn request_of(exchange: &Value) -> Option<Value> {
    match exchange["request"].get("body")? {
        Value::String(text) => serde_json::from_str(text).ok(),
        Value::Null => None,
        body => Some(body.clone()),
    }
}
