use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use schemars::JsonSchema;
use serde::Deserialize;

use super::name::shown;
use super::{FunctionToolCallback, ToolDefinitionError, ToolError, ToolMetadata};

/// Keeps what was cut off large tool results, for the model to read page by page (rule RES-4).
///
/// Give it to the manager, and its [`read_tool`](Self::read_tool) to the client. It keeps the newest
/// results up to a bound and forgets the oldest; copies share it.
///
/// Turns of different users may share a store: a handle holds a random number, so that a model reads what
/// it was told the handle of, and cannot guess another.
///
/// ```
/// use vernal_core::tool::ToolResultStore;
///
/// let store = ToolResultStore::new(16 * 1024 * 1024);
/// let handle = store.keep("a very long result".into());
/// assert_eq!(store.read(&handle, 2, 4).unwrap(), "very");
/// ```
#[derive(Clone)]
pub struct ToolResultStore(Arc<Mutex<Kept>>);

struct Kept {
    texts: HashMap<String, Arc<str>>,
    order: VecDeque<String>,
    bytes: usize,
    max_bytes: usize,
    next: u64,
    secret: RandomState,
}

#[derive(Deserialize, JsonSchema)]
struct ReadRequest {
    /// The handle that stands at the end of the cut result.
    handle: String,
    /// Where to begin, in bytes from the start of the whole result.
    offset: usize,
    /// How many bytes to read; 16384 where it is left out.
    length: Option<usize>,
}

impl ToolResultStore {
    /// The name of the tool that reads kept results.
    pub const READ_TOOL: &'static str = "readToolResult";
    /// The most that one read gives, in bytes.
    pub const MAX_PAGE_BYTES: usize = 64 * 1024;
    const DEFAULT_PAGE_BYTES: usize = 16 * 1024;

    /// A store of at most `max_bytes` of text, but for the newest: one text is always kept, whole, however
    /// long it is.
    pub fn new(max_bytes: usize) -> Self {
        Self(Arc::new(Mutex::new(Kept {
            texts: HashMap::new(),
            order: VecDeque::new(),
            bytes: 0,
            max_bytes,
            next: 1,
            secret: RandomState::new(),
        })))
    }

    /// Keeps a text and gives its handle. The oldest texts make room for it; it is kept whole even where it
    /// is longer than the store may be.
    pub fn keep(&self, text: Arc<str>) -> String {
        let mut kept = self.lock();
        let handle = format!(
            "result-{}-{:016x}",
            kept.next,
            kept.secret.hash_one(kept.next)
        );
        kept.next += 1;
        kept.bytes += text.len();
        kept.texts.insert(handle.clone(), text);
        kept.order.push_back(handle.clone());
        while kept.bytes > kept.max_bytes && kept.order.len() > 1 {
            let oldest = kept
                .order
                .pop_front()
                .and_then(|oldest| kept.texts.remove(&oldest));
            kept.bytes -= oldest.map_or(0, |text| text.len());
        }
        handle
    }

    /// At most `length` bytes of a kept text from `offset` on, cut between characters; at least one
    /// character.
    ///
    /// # Errors
    /// The handle is unknown or forgotten, or the offset lies behind the end: for the model to read.
    pub fn read(&self, handle: &str, offset: usize, length: usize) -> Result<String, ToolError> {
        self.page(handle, offset, length).map(|page| page.text)
    }

    fn page(&self, handle: &str, offset: usize, length: usize) -> Result<Page, ToolError> {
        let text = self.lock().texts.get(handle).cloned().ok_or_else(|| {
            ToolError::model(format!(
                "there is no kept result `{}`; it may have been forgotten",
                shown(handle)
            ))
        })?;
        let total = text.len();
        if offset >= total {
            return Err(ToolError::model(format!(
                "the result `{handle}` has {total} bytes; the offset {offset} lies behind its end"
            )));
        }
        let start = text.floor_char_boundary(offset);
        let end = text.floor_char_boundary(start.saturating_add(length));
        let end = if end > start {
            end
        } else {
            text.ceil_char_boundary(start + 1)
        };
        let text = text.get(start..end).unwrap_or_default().to_owned();
        Ok(Page {
            text,
            start,
            end,
            total,
        })
    }

    /// The tool with which a model reads kept results. Below each page it says where the next one begins.
    ///
    /// # Errors
    /// None in practice: the definition is fixed.
    pub fn read_tool(&self) -> Result<FunctionToolCallback, ToolDefinitionError> {
        let store = self.clone();
        let read = move |request: ReadRequest| {
            let length = request.length.unwrap_or(Self::DEFAULT_PAGE_BYTES);
            let length = length.min(Self::MAX_PAGE_BYTES);
            store
                .page(&request.handle, request.offset, length)
                .map(|page| page.to_string())
        };
        // A page is not cut once more, however small the results of other tools have to be.
        let metadata = ToolMetadata::builder()
            .read_only(true)
            .idempotent(true)
            .max_result_bytes(Self::MAX_PAGE_BYTES + Page::MAX_NOTE_BYTES);
        FunctionToolCallback::builder(Self::READ_TOOL, read)
            .description("Read a part of a tool result that was too long to be shown whole.")
            .tool_metadata(metadata.build())
            .build()
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A piece of a kept text and where it stands.
struct Page {
    text: String,
    start: usize,
    end: usize,
    total: usize,
}

impl Page {
    /// More than what stands below a page.
    const MAX_NOTE_BYTES: usize = 256;
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            text,
            start,
            end,
            total,
        } = self;
        write!(f, "{text}\n[bytes {start} to {end} of {total}; ")?;
        if end < total {
            write!(f, "read on from offset {end}]")
        } else {
            f.write_str("this is the end]")
        }
    }
}

impl fmt::Debug for ToolResultStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.lock();
        write!(
            f,
            "ToolResultStore({} results, {} bytes)",
            kept.texts.len(),
            kept.bytes
        )
    }
}
