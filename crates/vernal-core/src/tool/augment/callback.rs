use std::fmt;
use std::sync::Arc;

use super::event::{Consumed, Consumer};
use super::schema::Text;
use super::{AugmentError, AugmentedArgumentEvent, ToolInputSchemaAugmenter};
use crate::tool::{
    ToolCallback, ToolContext, ToolDefinition, ToolError, ToolFuture, ToolInput, ToolMetadata,
    ToolParameters,
};

/// A tool whose input has the fields of `T` besides its own.
///
/// Its metadata are those of the tool it wraps (rule RD-3).
pub struct AugmentedToolCallback<T> {
    delegate: Arc<dyn ToolCallback>,
    definition: ToolDefinition,
    fields: Vec<String>,
    consumer: Consumer<T>,
    remove_extra: bool,
}

impl<T: ToolParameters> AugmentedToolCallback<T> {
    /// A builder around a tool.
    pub fn builder(delegate: Arc<dyn ToolCallback>) -> AugmentedToolCallbackBuilder<T> {
        AugmentedToolCallbackBuilder {
            delegate,
            consumer: Consumer::none(),
            remove_extra: true,
        }
    }

    pub(super) fn new(
        delegate: Arc<dyn ToolCallback>,
        consumer: Consumer<T>,
        remove_extra: bool,
    ) -> Result<Self, AugmentError> {
        let inner = delegate.tool_definition();
        let schema = ToolInputSchemaAugmenter::augment::<T>(inner.input_schema()).map_err(
            |AugmentError(problem)| AugmentError(format!("the tool `{}`: {problem}", inner.name())),
        )?;
        let definition = ToolDefinition::builder(inner.name().clone())
            .description(inner.description())
            .input_schema(schema)
            .build()
            .map_err(|error| AugmentError(error.to_string()))?;
        let fields = ToolInputSchemaAugmenter::field_names::<T>()?;
        Ok(Self {
            delegate,
            definition,
            fields,
            consumer,
            remove_extra,
        })
    }

    /// The added fields alone, and the tool's own arguments alone.
    fn split(&self, input: &ToolInput) -> Result<(ToolInput, ToolInput), ToolError> {
        let fields = input.fields()?;
        let (mut extra, mut own) = (Text::new(), Text::new());
        for (name, value) in fields.iter() {
            let target = if self.fields.iter().any(|field| field == name) {
                &mut extra
            } else {
                &mut own
            };
            target.member(name, value.get());
        }
        let input = |text: Text| ToolInput::from_checked(text.finish().into());
        Ok((input(extra), input(own)))
    }
}

impl<T: ToolParameters> ToolCallback for AugmentedToolCallback<T> {
    fn tool_definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn tool_metadata(&self) -> &ToolMetadata {
        self.delegate.tool_metadata()
    }

    fn call<'a>(&'a self, input: ToolInput, context: ToolContext) -> ToolFuture<'a> {
        Box::pin(async move {
            let (extra, own) = self.split(&input)?;
            // Whether or not anybody wants them: fields that cannot be read are not what was asked for.
            let arguments = extra.parse_as()?;
            let event = || {
                let definition = self.definition.clone();
                AugmentedArgumentEvent::new(definition, input.clone(), arguments)
            };
            self.consumer.consume(event).await?;
            self.delegate
                .call(if self.remove_extra { own } else { input }, context)
                .await
        })
    }
}

impl<T> fmt::Debug for AugmentedToolCallback<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AugmentedToolCallback")
            .field("definition", &self.definition)
            .field("fields", &self.fields)
            .finish_non_exhaustive()
    }
}

/// Builds an [`AugmentedToolCallback`].
#[must_use]
pub struct AugmentedToolCallbackBuilder<T> {
    delegate: Arc<dyn ToolCallback>,
    consumer: Consumer<T>,
    remove_extra: bool,
}

impl<T: ToolParameters> AugmentedToolCallbackBuilder<T> {
    /// What gets the added fields, before the tool reads its own arguments and runs. It may return nothing, or
    /// a `Result` whose error is the tool's.
    pub fn argument_consumer<R: Consumed>(
        mut self,
        consume: impl Fn(AugmentedArgumentEvent<T>) -> R + Send + Sync + 'static,
    ) -> Self {
        self.consumer = Consumer::of_sync(consume);
        self
    }

    /// What gets the added fields, before the tool runs; its error is the tool's.
    pub fn async_argument_consumer<F>(
        mut self,
        consume: impl Fn(AugmentedArgumentEvent<T>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<(), ToolError>> + Send + 'static,
    {
        self.consumer = Consumer::of_async(consume);
        self
    }

    /// Whether the tool gets its own arguments only; by default it does (rule AUG-3).
    pub fn remove_extra_arguments_after_processing(mut self, remove: bool) -> Self {
        self.remove_extra = remove;
        self
    }

    /// The augmented tool.
    ///
    /// # Errors
    /// `T` has no fields, or one of them clashes with an argument of the tool (rule AUG-4).
    pub fn build(self) -> Result<AugmentedToolCallback<T>, AugmentError> {
        AugmentedToolCallback::new(self.delegate, self.consumer, self.remove_extra)
    }
}
