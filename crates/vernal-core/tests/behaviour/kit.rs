//! Tools that do what a test says, and a log of what they did.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use vernal_core::tool::{
    ToolCallback, ToolContext, ToolDefinition, ToolError, ToolFuture, ToolInput, ToolMetadata,
    ToolOutput,
};

/// What tools did, in order; tools and tests share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    started: Vec<(String, String)>,
    finished: Vec<String>,
    running: usize,
    peak: usize,
}

impl Log {
    /// The calls that were entered: name and input.
    pub(crate) fn started(&self) -> Vec<(String, String)> {
        self.0.lock().unwrap().started.clone()
    }

    /// The inputs of the calls that ran to their end, in the order in which they ended.
    pub(crate) fn finished(&self) -> Vec<String> {
        self.0.lock().unwrap().finished.clone()
    }

    /// The calls that are neither finished nor dropped.
    pub(crate) fn running(&self) -> usize {
        self.0.lock().unwrap().running
    }

    /// The most calls that ran at the same time.
    pub(crate) fn peak(&self) -> usize {
        self.0.lock().unwrap().peak
    }

    pub(crate) fn clear(&self) {
        *self.0.lock().unwrap() = State::default();
    }

    fn enter(&self, name: &str, input: &str) -> Entered {
        let mut state = self.0.lock().unwrap();
        state.started.push((name.to_owned(), input.to_owned()));
        state.running += 1;
        state.peak = state.peak.max(state.running);
        Entered(self.clone())
    }
}

/// Counts a call as running for as long as it lives.
struct Entered(Log);

impl Drop for Entered {
    fn drop(&mut self) {
        self.0.0.lock().unwrap().running -= 1;
    }
}

/// A tool called `name`; unless told otherwise it takes any object and says `<name> result`.
pub(crate) fn tool(name: &str) -> TestTool {
    TestTool {
        name: name.to_owned(),
        schema: r#"{"type":"object"}"#.to_owned(),
        return_direct: false,
        sequential: false,
        delay: Duration::ZERO,
        does: Does::Says(format!("{name} result")),
    }
}

/// A tool that is being described.
#[derive(Debug, Clone)]
pub(crate) struct TestTool {
    name: String,
    schema: String,
    return_direct: bool,
    sequential: bool,
    delay: Duration,
    does: Does,
}

#[derive(Debug, Clone)]
enum Does {
    Says(String),
    Fails(String),
    FailsFatally(String),
    Panics,
}

impl TestTool {
    pub(crate) fn says(mut self, text: &str) -> Self {
        self.does = Does::Says(text.to_owned());
        self
    }

    pub(crate) fn fails(mut self, text: &str) -> Self {
        self.does = Does::Fails(text.to_owned());
        self
    }

    pub(crate) fn fails_fatally(mut self, text: &str) -> Self {
        self.does = Does::FailsFatally(text.to_owned());
        self
    }

    pub(crate) fn panics(mut self) -> Self {
        self.does = Does::Panics;
        self
    }

    pub(crate) fn schema(mut self, schema: &str) -> Self {
        self.schema = schema.to_owned();
        self
    }

    pub(crate) fn direct(mut self) -> Self {
        self.return_direct = true;
        self
    }

    pub(crate) fn sequential(mut self) -> Self {
        self.sequential = true;
        self
    }

    /// How long each call takes, unless its input says so under `ms`.
    pub(crate) fn takes(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    pub(crate) fn build(self, log: &Log) -> Arc<dyn ToolCallback> {
        let metadata = ToolMetadata::builder()
            .return_direct(self.return_direct)
            .sequential(self.sequential)
            .build();
        let definition = ToolDefinition::builder(self.name.as_str()).input_schema(&*self.schema);
        let definition = definition.build().unwrap();
        Arc::new(BuiltTool {
            definition,
            metadata,
            delay: self.delay,
            does: self.does,
            log: log.clone(),
        })
    }
}

struct BuiltTool {
    definition: ToolDefinition,
    metadata: ToolMetadata,
    delay: Duration,
    does: Does,
    log: Log,
}

impl ToolCallback for BuiltTool {
    fn tool_definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn tool_metadata(&self) -> &ToolMetadata {
        &self.metadata
    }

    fn call<'a>(&'a self, input: ToolInput, _context: ToolContext) -> ToolFuture<'a> {
        Box::pin(async move {
            let entered = self.log.enter(self.definition.name(), input.as_str());
            let asked = input
                .fields()?
                .read::<Option<u64>>("ms")?
                .map(Duration::from_millis);
            let delay = asked.unwrap_or(self.delay);
            if delay > Duration::ZERO {
                tokio::time::sleep(delay).await;
            }
            drop(entered);
            self.log
                .0
                .lock()
                .unwrap()
                .finished
                .push(input.as_str().to_owned());
            match &self.does {
                Does::Says(text) => Ok(ToolOutput::from_text(text.as_str())),
                Does::Fails(text) => Err(ToolError::model(text)),
                Does::FailsFatally(text) => Err(ToolError::fatal(text.as_str())),
                Does::Panics => panic!("a secret of the tool"),
            }
        })
    }
}
