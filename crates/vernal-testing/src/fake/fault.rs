use std::time::Duration;

/// What a server does in place of an answer. The API words it in its own way.
#[derive(Debug, Clone)]
#[must_use]
pub struct Fault(pub(crate) FaultKind);

#[derive(Debug, Clone)]
pub(crate) enum FaultKind {
    Status(StatusFault),
    /// The connection is closed before a byte of the answer.
    Cut,
    /// The connection stays open and nothing comes.
    Silence,
    /// The status is 200, and the answer is an error.
    InAnswer {
        status: u16,
        message: String,
    },
    /// The answer as it is given.
    Raw {
        status: u16,
        content_type: String,
        body: Vec<u8>,
    },
    /// The answer is larger than anybody would take.
    Huge(usize),
    /// Text that is no UTF-8 in the middle of an answer.
    BadUtf8,
}

#[derive(Debug, Clone)]
pub(crate) struct StatusFault {
    pub(crate) status: u16,
    pub(crate) code: Option<String>,
    pub(crate) message: Option<String>,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) after: Option<RetryAfter>,
}

/// The forms in which servers say when to come again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetryAfter {
    /// The header `retry-after-ms`.
    Millis(u64),
    /// The header `retry-after` with a number of seconds.
    Seconds(u64),
    /// The header `retry-after` with a date so many seconds after that of the header `date`.
    Date(u64),
    /// A number of seconds in the error's body, where the API has a place for it: Gemini has.
    InBody(u64),
}

impl Fault {
    /// An error response with this status, such as 429, 500 or 529, and the API's error body.
    pub fn status(status: u16) -> Self {
        Self(FaultKind::Status(StatusFault {
            status,
            code: None,
            message: None,
            headers: Vec::new(),
            after: None,
        }))
    }

    /// With the time to wait in one of its forms. Only an error response has it.
    pub fn after(self, after: RetryAfter) -> Self {
        self.change(|fault| fault.after = Some(after))
    }

    /// With the provider's error code, such as `insufficient_quota`. Only an error response has it.
    pub fn code(self, code: impl Into<String>) -> Self {
        let code = code.into();
        self.change(|fault| fault.code = Some(code))
    }

    /// With the error's text. Only an error response and an error in an answer have one.
    pub fn message(mut self, message: impl Into<String>) -> Self {
        let said = message.into();
        match &mut self.0 {
            FaultKind::Status(fault) => fault.message = Some(said),
            FaultKind::InAnswer { message, .. } => *message = said,
            _ => {}
        }
        self
    }

    /// With a header, such as `x-should-retry`. Only an error response has it.
    pub fn header(self, name: impl Into<String>, value: impl Into<String>) -> Self {
        let header = (name.into(), value.into());
        self.change(|fault| fault.headers.push(header))
    }

    /// The connection is closed before the first byte of the answer.
    pub fn cut() -> Self {
        Self(FaultKind::Cut)
    }

    /// The connection stays open, and nothing comes.
    pub fn silence() -> Self {
        Self(FaultKind::Silence)
    }

    /// The status is 200 and the answer, or an event of the stream after its beginning, is the API's
    /// error body.
    pub fn in_answer() -> Self {
        Self::told(500)
    }

    /// As [`in_answer`](Self::in_answer), in the words that the API has for this status, such as 529
    /// where it is overloaded.
    pub fn told(status: u16) -> Self {
        Self(FaultKind::InAnswer {
            status,
            message: "The server had an error while it was answering.".to_owned(),
        })
    }

    /// An HTML page with the status 200, as a proxy or a wrong address answers.
    pub fn html() -> Self {
        let page = "<!DOCTYPE html><html><body><h1>Welcome</h1></body></html>";
        Self::raw(200, "text/html", page)
    }

    /// A body of so many bytes.
    pub fn huge(bytes: usize) -> Self {
        Self(FaultKind::Huge(bytes))
    }

    /// An answer whose text is no UTF-8.
    pub fn bad_utf8() -> Self {
        Self(FaultKind::BadUtf8)
    }

    /// An answer as it is given.
    pub fn raw(status: u16, content_type: impl Into<String>, body: impl Into<Vec<u8>>) -> Self {
        Self(FaultKind::Raw {
            status,
            content_type: content_type.into(),
            body: body.into(),
        })
    }

    fn change(mut self, change: impl FnOnce(&mut StatusFault)) -> Self {
        if let FaultKind::Status(fault) = &mut self.0 {
            change(fault);
        }
        self
    }
}

impl RetryAfter {
    /// The headers that say it. A date is told against a clock of the server's own.
    pub(crate) fn headers(self) -> Vec<(String, String)> {
        let header = |name: &str, value: String| (name.to_owned(), value);
        match self {
            Self::InBody(_) => Vec::new(),
            Self::Millis(millis) => vec![header("retry-after-ms", millis.to_string())],
            Self::Seconds(seconds) => vec![header("retry-after", seconds.to_string())],
            Self::Date(seconds) => {
                let seconds = seconds.min(59);
                vec![
                    header("date", "Tue, 01 Dec 2026 17:00:00 GMT".to_owned()),
                    header(
                        "retry-after",
                        format!("Tue, 01 Dec 2026 17:00:{seconds:02} GMT"),
                    ),
                ]
            }
        }
    }

    /// The time that is to be waited.
    pub fn wait(self) -> Duration {
        match self {
            Self::Millis(millis) => Duration::from_millis(millis),
            Self::Seconds(seconds) | Self::InBody(seconds) => Duration::from_secs(seconds),
            Self::Date(seconds) => Duration::from_secs(seconds.min(59)),
        }
    }
}
