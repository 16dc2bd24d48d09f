//! Tools that are a closure over input and context.

use futures::future::BoxFuture;
use vernal_core::tool::{
    ToolCallback, ToolContext, ToolDefinition, ToolError, ToolFuture, ToolInput, ToolMetadata,
    ToolMetadataBuilder, ToolOutput,
};

type Run = dyn Fn(ToolInput, ToolContext) -> BoxFuture<'static, Result<ToolOutput, ToolError>>
    + Send
    + Sync;

/// A tool that runs a closure; unless told otherwise it takes any object and has no metadata.
pub(crate) struct Custom {
    definition: ToolDefinition,
    metadata: ToolMetadata,
    run: Box<Run>,
}

/// A tool called `name` that runs `run`.
pub(crate) fn custom<F>(
    name: &str,
    run: impl Fn(ToolInput, ToolContext) -> F + Send + Sync + 'static,
) -> Custom
where
    F: Future<Output = Result<ToolOutput, ToolError>> + Send + 'static,
{
    let definition = ToolDefinition::builder(name).input_schema(r#"{"type":"object"}"#);
    Custom {
        definition: definition.build().unwrap(),
        metadata: ToolMetadata::default(),
        run: Box::new(move |input, context| Box::pin(run(input, context))),
    }
}

/// A tool called `name` whose every call ends like this.
pub(crate) fn ends(
    name: &str,
    end: impl Fn() -> Result<&'static str, ToolError> + Send + Sync + 'static,
) -> Custom {
    custom(name, move |_, _| {
        std::future::ready(end().map(ToolOutput::from_text))
    })
}

impl Custom {
    pub(crate) fn schema(mut self, schema: &str) -> Self {
        let definition = ToolDefinition::builder(self.definition.name().clone());
        self.definition = definition.input_schema(schema).build().unwrap();
        self
    }

    pub(crate) fn metadata(
        mut self,
        set: impl FnOnce(ToolMetadataBuilder) -> ToolMetadataBuilder,
    ) -> Self {
        self.metadata = set(ToolMetadata::builder()).build();
        self
    }
}

impl ToolCallback for Custom {
    fn tool_definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn tool_metadata(&self) -> &ToolMetadata {
        &self.metadata
    }

    fn call<'a>(&'a self, input: ToolInput, context: ToolContext) -> ToolFuture<'a> {
        (self.run)(input, context)
    }
}
