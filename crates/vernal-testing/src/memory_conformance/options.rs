/// The size of a conformance run.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct MemoryConformanceOptions {
    /// How many tasks append to one conversation at the same time.
    pub tasks: usize,
    /// How many turns each of them appends, one after the other.
    pub turns_per_task: usize,
    /// The length of the largest text, in bytes.
    pub large_text_bytes: usize,
}

/// 8 tasks of 10 turns, and texts of 1 MiB.
impl Default for MemoryConformanceOptions {
    fn default() -> Self {
        Self {
            tasks: 8,
            turns_per_task: 10,
            large_text_bytes: 1 << 20,
        }
    }
}

impl MemoryConformanceOptions {
    /// The full size: 32 tasks of 50 turns, 1,600 turns of one conversation.
    pub fn full() -> Self {
        Self {
            tasks: 32,
            turns_per_task: 50,
            ..Self::default()
        }
    }
}
