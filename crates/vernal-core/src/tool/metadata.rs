use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::ToolCallResultConverter;

/// How a tool is handled by the loop; the model never sees it (rule DEF-5).
///
/// ```
/// use std::time::Duration;
/// use vernal_core::tool::ToolMetadata;
///
/// let metadata = ToolMetadata::builder()
///     .read_only(true)
///     .idempotent(true)
///     .timeout(Duration::from_secs(5))
///     .build();
/// assert_eq!(metadata.timeout(), Some(Duration::from_secs(5)));
/// assert!(!metadata.return_direct());
/// ```
#[derive(Clone)]
pub struct ToolMetadata {
    flags: Flags,
    timeout: Option<Duration>,
    max_retries: u32,
    max_result_bytes: Option<usize>,
    result_converter: Option<Arc<dyn ToolCallResultConverter>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Flags {
    return_direct: bool,
    sequential: bool,
    blocking: bool,
    idempotent: bool,
    read_only: bool,
    destructive: bool,
    requires_approval: bool,
}

static PLAIN: ToolMetadata = ToolMetadata {
    flags: Flags {
        return_direct: false,
        sequential: false,
        blocking: false,
        idempotent: false,
        read_only: false,
        destructive: false,
        requires_approval: false,
    },
    timeout: None,
    max_retries: ToolMetadata::DEFAULT_MAX_RETRIES,
    max_result_bytes: None,
    result_converter: None,
};

impl ToolMetadata {
    /// How often an idempotent tool that asks for a retry is run again, unless configured.
    pub const DEFAULT_MAX_RETRIES: u32 = 2;

    /// Metadata of a tool with nothing special about it.
    pub fn plain() -> &'static Self {
        &PLAIN
    }

    /// A builder that starts from [`plain`](Self::plain) metadata.
    pub fn builder() -> ToolMetadataBuilder {
        ToolMetadataBuilder(PLAIN.clone())
    }

    /// Whether the result is the answer, without another model call (rule RD-1).
    pub fn return_direct(&self) -> bool {
        self.flags.return_direct
    }

    /// Whether calls before this tool's must have finished and calls after it must wait (rule EXE-1).
    pub fn sequential(&self) -> bool {
        self.flags.sequential
    }

    /// Whether the tool blocks its thread and is run away from the async ones (rule DEF-3). It may run a
    /// runtime of its own there, as blocking clients do.
    pub fn blocking(&self) -> bool {
        self.flags.blocking
    }

    /// Whether running the tool twice with the same arguments does no harm; only then is it retried
    /// (rule EXE-5).
    pub fn idempotent(&self) -> bool {
        self.flags.idempotent
    }

    /// Whether the tool changes nothing.
    pub fn read_only(&self) -> bool {
        self.flags.read_only
    }

    /// Whether what the tool does cannot be undone.
    pub fn destructive(&self) -> bool {
        self.flags.destructive
    }

    /// Whether a person is to be asked before the tool runs.
    pub fn requires_approval(&self) -> bool {
        self.flags.requires_approval
    }

    /// How long the tool may run; `None` leaves it to the turn's deadline (rule EXE-2).
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// How often the tool is run again, where it is idempotent and its error asks for it.
    pub fn max_retries(&self) -> u32 {
        self.max_retries
    }

    /// The size at which the tool's result is cut, in bytes; `None` takes the manager's (rule RES-4).
    pub fn max_result_bytes(&self) -> Option<usize> {
        self.max_result_bytes
    }

    /// What turns the function's result into what the model reads; `None` is the default rules (rule
    /// RES-1).
    pub fn result_converter(&self) -> Option<&Arc<dyn ToolCallResultConverter>> {
        self.result_converter.as_ref()
    }
}

impl Default for ToolMetadata {
    fn default() -> Self {
        PLAIN.clone()
    }
}

impl fmt::Debug for ToolMetadata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolMetadata")
            .field("flags", &self.flags)
            .field("timeout", &self.timeout)
            .field("max_retries", &self.max_retries)
            .field("max_result_bytes", &self.max_result_bytes)
            .field("result_converter", &self.result_converter.is_some())
            .finish()
    }
}

/// Builds a [`ToolMetadata`].
#[derive(Debug, Clone)]
#[must_use]
pub struct ToolMetadataBuilder(ToolMetadata);

/// A builder that starts from this metadata.
impl From<ToolMetadata> for ToolMetadataBuilder {
    fn from(metadata: ToolMetadata) -> Self {
        Self(metadata)
    }
}

impl ToolMetadataBuilder {
    /// Whether the result is the answer, without another model call. It is cut like any other result, and a
    /// note for a model stands at the end of it: where results are long, say how long they may be with
    /// [`max_result_bytes`](Self::max_result_bytes).
    pub fn return_direct(mut self, return_direct: bool) -> Self {
        self.0.flags.return_direct = return_direct;
        self
    }

    /// Whether the tool runs alone in its batch.
    pub fn sequential(mut self, sequential: bool) -> Self {
        self.0.flags.sequential = sequential;
        self
    }

    /// Whether the tool blocks its thread.
    pub fn blocking(mut self, blocking: bool) -> Self {
        self.0.flags.blocking = blocking;
        self
    }

    /// Whether running the tool twice does no harm.
    pub fn idempotent(mut self, idempotent: bool) -> Self {
        self.0.flags.idempotent = idempotent;
        self
    }

    /// Whether the tool changes nothing.
    pub fn read_only(mut self, read_only: bool) -> Self {
        self.0.flags.read_only = read_only;
        self
    }

    /// Whether what the tool does cannot be undone.
    pub fn destructive(mut self, destructive: bool) -> Self {
        self.0.flags.destructive = destructive;
        self
    }

    /// Whether a person is to be asked before the tool runs.
    pub fn requires_approval(mut self, required: bool) -> Self {
        self.0.flags.requires_approval = required;
        self
    }

    /// How long the tool may run.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.0.timeout = Some(timeout);
        self
    }

    /// How often an idempotent tool that asks for it is run again; by default twice.
    pub fn max_retries(mut self, retries: u32) -> Self {
        self.0.max_retries = retries;
        self
    }

    /// The size at which the tool's result is cut, in bytes, whoever reads it; `usize::MAX` never cuts it.
    pub fn max_result_bytes(mut self, bytes: usize) -> Self {
        self.0.max_result_bytes = Some(bytes);
        self
    }

    /// What turns the function's result into what the model reads.
    pub fn result_converter(mut self, converter: impl ToolCallResultConverter) -> Self {
        self.0.result_converter = Some(Arc::new(converter));
        self
    }

    /// The metadata.
    pub fn build(self) -> ToolMetadata {
        self.0
    }
}
