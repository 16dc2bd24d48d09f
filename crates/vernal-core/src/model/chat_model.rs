use std::sync::Arc;

use futures::future::BoxFuture;
use futures::stream::BoxStream;

use super::{Capabilities, ChatOptions, ChatResponse, Finding, ModelError, ModelEvent, Prompt};

/// A running model call.
pub type ModelFuture = BoxFuture<'static, Result<ChatResponse, ModelError>>;

/// A running model stream.
pub type ModelStream = BoxStream<'static, Result<ModelEvent, ModelError>>;

/// A model that can be talked to.
///
/// Adapters are cheap to clone or share; a call owns what it needs, so that it can outlive the
/// borrow, be dropped at any time, and thereby be cancelled.
pub trait ChatModel: Send + Sync + 'static {
    /// The name of the model or its adapter, for people.
    fn name(&self) -> &str;

    /// Sends the prompt and waits for the whole answer.
    fn call(&self, prompt: Prompt) -> ModelFuture;

    /// Sends the prompt and yields the answer as it comes.
    ///
    /// The last item is [`ModelEvent::Completed`] with what [`call`](Self::call) would have given, or
    /// an error; after an error nothing follows. Nothing is sent before the stream is polled.
    fn stream(&self, prompt: Prompt) -> ModelStream;

    /// Whether the provider can hold an answer to the schema in the
    /// [`response_format`](ChatOptions::response_format) of these options. Where it cannot, as with tools
    /// at some providers, the prompt has to ask for the form in words.
    fn supports_response_schema(&self, options: &ChatOptions) -> bool {
        let _ = options;
        false
    }

    /// What can be known of a request with these options before it is sent: what its tools lose on the
    /// way, which names are mapped, which options it has no word for, and what the provider would refuse
    /// (rule SCH-8). Nothing is sent.
    fn check(&self, options: &ChatOptions) -> Vec<Finding> {
        let _ = options;
        Vec::new()
    }

    /// What the model that these options name can do, as far as it is known.
    fn capabilities(&self, options: &ChatOptions) -> Capabilities {
        let _ = options;
        Capabilities::default()
    }
}

/// Makes a pointer to a model the model itself.
macro_rules! through {
    ($pointer:ident) => {
        impl<M: ChatModel + ?Sized> ChatModel for $pointer<M> {
            fn name(&self) -> &str {
                (**self).name()
            }

            fn call(&self, prompt: Prompt) -> ModelFuture {
                (**self).call(prompt)
            }

            fn stream(&self, prompt: Prompt) -> ModelStream {
                (**self).stream(prompt)
            }

            fn supports_response_schema(&self, options: &ChatOptions) -> bool {
                (**self).supports_response_schema(options)
            }

            fn check(&self, options: &ChatOptions) -> Vec<Finding> {
                (**self).check(options)
            }

            fn capabilities(&self, options: &ChatOptions) -> Capabilities {
                (**self).capabilities(options)
            }
        }
    };
}

through!(Arc);
through!(Box);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_of_any_kind_is_one() {
        fn is_model<M: ChatModel>() {}
        is_model::<Box<dyn ChatModel>>();
        is_model::<Arc<dyn ChatModel>>();
    }
}
