//! Server-sent events, read from bytes that may be cut anywhere.

use memchr::{memchr, memchr2};

#[cfg(test)]
mod tests;

/// Reads the events of a stream.
///
/// Bytes go in as they come, with [`push`](Self::push); events come out of
/// [`next_event`](Self::next_event), borrowed from the one buffer that is used again and again.
/// Lines may end in LF, CR or CRLF; comments, ids and retry times are passed over; a byte order mark
/// at the beginning is dropped.
#[derive(Debug)]
pub(crate) struct SseDecoder {
    /// What was pushed and is still needed.
    buffer: Vec<u8>,
    /// Where the first line begins that was not taken yet.
    start: usize,
    /// Up to where no line end was found.
    searched: usize,
    /// The data of the current event.
    data: Data,
    /// The data of an event of several lines.
    joined: Vec<u8>,
    /// The name of the current event.
    name: Vec<u8>,
    /// The current event was given out.
    given: bool,
    /// The last line ended in CR: an LF that follows belongs to it.
    after_cr: bool,
    at_beginning: bool,
    limit: usize,
}

/// Where the data of the current event is.
#[derive(Debug, Clone, Copy)]
enum Data {
    None,
    /// One line, in the buffer.
    Line(Span),
    /// Several lines, joined.
    Joined,
}

/// A piece of the buffer.
#[derive(Debug, Clone, Copy)]
struct Span {
    from: usize,
    to: usize,
}

/// One event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SseEvent<'a> {
    /// Its name; empty unless the server gave one.
    pub(crate) name: &'a str,
    /// Its data lines, joined by line feeds; never empty.
    pub(crate) data: &'a str,
    /// It tells that the server failed. The lines of an event cannot say so: frames do.
    #[cfg_attr(not(feature = "bedrock"), allow(dead_code))]
    pub(crate) fault: bool,
}

/// Why a stream cannot be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SseError {
    /// A line or an event is larger than the limit.
    TooLarge,
    /// An event is not UTF-8.
    NotUtf8,
    /// A frame does not fit its checksum.
    #[cfg(feature = "bedrock")]
    Checksum,
    /// A frame is none.
    #[cfg(feature = "bedrock")]
    Malformed,
}

impl SseDecoder {
    /// A decoder that refuses lines and events of more than `limit` bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            buffer: Vec::new(),
            start: 0,
            searched: 0,
            data: Data::None,
            joined: Vec::new(),
            name: Vec::new(),
            given: false,
            after_cr: false,
            at_beginning: true,
            limit,
        }
    }

    /// Takes the next bytes of the stream. Call [`next_event`](Self::next_event) until it gives none
    /// before the next bytes are pushed.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.forget_given();
        self.drop_taken();
        self.buffer.extend_from_slice(bytes);
    }

    /// Says that the body is over: an event that it left open comes as if it were complete.
    pub(crate) fn end(&mut self) {
        self.push(b"\n\n");
    }

    /// The next event that is complete; `None` where more bytes are needed.
    pub(crate) fn next_event(&mut self) -> Result<Option<SseEvent<'_>>, SseError> {
        self.forget_given();
        while let Some(line) = self.next_line() {
            if line.from < line.to {
                self.take_line(line)?;
            } else if self.has_data() {
                self.given = true;
                return self.event().map(Some);
            } else {
                self.forget_event();
            }
        }
        if self.buffer.len() - self.start > self.limit {
            return Err(SseError::TooLarge);
        }
        Ok(None)
    }

    /// The next line without its end.
    fn next_line(&mut self) -> Option<Span> {
        if self.after_cr {
            let next = *self.buffer.get(self.start)?;
            self.start += usize::from(next == b'\n');
            self.after_cr = false;
        }
        let search_from = self.searched.max(self.start);
        let Some(at) = memchr2(b'\n', b'\r', self.buffer.get(search_from..)?) else {
            self.searched = self.buffer.len();
            return None;
        };
        let line = Span {
            from: self.start,
            to: search_from + at,
        };
        self.after_cr = self.buffer.get(line.to) == Some(&b'\r');
        self.start = line.to + 1;
        Some(line)
    }

    fn take_line(&mut self, mut line: Span) -> Result<(), SseError> {
        if line.to - line.from > self.limit {
            return Err(SseError::TooLarge);
        }
        if self.bytes(line).starts_with(b"\xEF\xBB\xBF") && std::mem::take(&mut self.at_beginning) {
            line.from += 3;
        }
        self.at_beginning = false;
        let text = self.bytes(line);
        let colon = memchr(b':', text).unwrap_or(text.len());
        let (field, value) = text.split_at(colon);
        let padding = if value.starts_with(b": ") {
            2
        } else {
            value.len().min(1)
        };
        let value = Span {
            from: line.from + colon + padding,
            to: line.to,
        };
        match field {
            b"data" => self.take_data(value),
            b"event" => {
                let Self { buffer, name, .. } = self;
                name.clear();
                name.extend_from_slice(buffer.get(value.from..value.to).unwrap_or_default());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn take_data(&mut self, value: Span) -> Result<(), SseError> {
        let Self { buffer, joined, .. } = self;
        let line = buffer.get(value.from..value.to).unwrap_or_default();
        match self.data {
            Data::None => self.data = Data::Line(value),
            Data::Line(first) => {
                joined.clear();
                joined.extend_from_slice(buffer.get(first.from..first.to).unwrap_or_default());
                joined.push(b'\n');
                joined.extend_from_slice(line);
                self.data = Data::Joined;
            }
            Data::Joined => {
                joined.push(b'\n');
                joined.extend_from_slice(line);
            }
        }
        let too_large = line.len() > self.limit || joined.len() > self.limit;
        if too_large {
            Err(SseError::TooLarge)
        } else {
            Ok(())
        }
    }

    fn has_data(&self) -> bool {
        match self.data {
            Data::None => false,
            Data::Line(line) => line.from < line.to,
            Data::Joined => true,
        }
    }

    fn event(&self) -> Result<SseEvent<'_>, SseError> {
        let data = match self.data {
            Data::None => &[],
            Data::Line(line) => self.bytes(line),
            Data::Joined => &*self.joined,
        };
        let text = |bytes| std::str::from_utf8(bytes).map_err(|_| SseError::NotUtf8);
        Ok(SseEvent {
            name: text(&self.name)?,
            data: text(data)?,
            fault: false,
        })
    }

    fn bytes(&self, span: Span) -> &[u8] {
        self.buffer.get(span.from..span.to).unwrap_or_default()
    }

    fn forget_given(&mut self) {
        if std::mem::take(&mut self.given) {
            self.forget_event();
        }
    }

    fn forget_event(&mut self) {
        self.data = Data::None;
        self.joined.clear();
        self.name.clear();
    }

    /// Drops what lies before the first byte that is still needed.
    fn drop_taken(&mut self) {
        let needed = match &mut self.data {
            Data::Line(line) => {
                let needed = line.from;
                *line = Span {
                    from: 0,
                    to: line.to - needed,
                };
                needed
            }
            Data::None | Data::Joined => self.start,
        };
        self.buffer.drain(..needed);
        self.start -= needed;
        self.searched = self.searched.saturating_sub(needed);
    }
}
