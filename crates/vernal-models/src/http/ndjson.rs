//! Lines of JSON, read from bytes that may be cut anywhere.

use memchr::memchr;

#[cfg(test)]
mod tests;

/// Reads the lines of a stream, each of which is one JSON value.
///
/// Bytes go in as they come, with [`push`](Self::push); lines come out of
/// [`next_line`](Self::next_line), borrowed from the one buffer that is used again and again. Lines end
/// in LF or CRLF; blank ones are passed over; a byte order mark at the beginning is dropped.
#[derive(Debug)]
pub(crate) struct NdjsonDecoder {
    /// What was pushed and is still needed.
    buffer: Vec<u8>,
    /// Where the first line begins that was not taken yet.
    start: usize,
    /// Up to where no line end was found.
    searched: usize,
    at_beginning: bool,
    limit: usize,
}

/// Why a stream cannot be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NdjsonError {
    /// A line is larger than the limit.
    TooLarge,
    /// A line is not UTF-8.
    NotUtf8,
}

impl NdjsonDecoder {
    /// A decoder that refuses lines of more than `limit` bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            buffer: Vec::new(),
            start: 0,
            searched: 0,
            at_beginning: true,
            limit,
        }
    }

    /// Takes the next bytes of the stream. Call [`next_line`](Self::next_line) until it gives none
    /// before the next bytes are pushed.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.buffer.drain(..self.start);
        self.searched = self.searched.saturating_sub(self.start);
        self.start = 0;
        self.buffer.extend_from_slice(bytes);
    }

    /// Says that the body is over: a line that it left open comes as if it were complete.
    pub(crate) fn end(&mut self) {
        self.push(b"\n");
    }

    /// The next line that is complete and not blank; `None` where more bytes are needed.
    pub(crate) fn next_line(&mut self) -> Result<Option<&str>, NdjsonError> {
        loop {
            let search_from = self.searched.max(self.start);
            let rest = self.buffer.get(search_from..).unwrap_or_default();
            let Some(at) = memchr(b'\n', rest) else {
                self.searched = self.buffer.len();
                let open = self.buffer.len() - self.start;
                return if open > self.limit {
                    Err(NdjsonError::TooLarge)
                } else {
                    Ok(None)
                };
            };
            let (from, to) = (self.start, search_from + at);
            self.start = to + 1;
            if to - from > self.limit {
                return Err(NdjsonError::TooLarge);
            }
            let first = std::mem::take(&mut self.at_beginning);
            if !trimmed(&self.buffer, from, to, first).is_empty() {
                let line = trimmed(&self.buffer, from, to, first);
                return std::str::from_utf8(line)
                    .map(Some)
                    .map_err(|_| NdjsonError::NotUtf8);
            }
        }
    }
}

/// A line without white space around it, and without the mark that the first one may begin with.
fn trimmed(buffer: &[u8], from: usize, to: usize, first: bool) -> &[u8] {
    let line = buffer.get(from..to).unwrap_or_default();
    let unmarked = line.strip_prefix(b"\xEF\xBB\xBF").filter(|_| first);
    unmarked.unwrap_or(line).trim_ascii()
}
