use std::fmt;
use std::future::IntoFuture;
use std::marker::PhantomData;

use futures::future::BoxFuture;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::{ChatClientRequestSpec, ChatEventStream};
use crate::Error;
use crate::advisor::{
    ChatClientResponse, StructuredOutputMode, StructuredOutputValidationAdvisorBuilder,
};

/// A request whose answer is a `T`, to be awaited.
///
/// ```
/// use vernal_core::client::{ChatClient, ResponseEntity};
/// # use vernal_testing::ScriptedModel;
///
/// #[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
/// enum Mood {
///     Good,
///     Bad,
/// }
///
/// # futures::executor::block_on(async {
/// # let model = ScriptedModel::new().then_always(vernal_testing::Reply::text(r#"{"value":"Good"}"#));
/// let client = ChatClient::create(model);
/// let request = client.prompt("How does this read? “What a day!”");
///
/// let mood: Mood = request.entity().await?;
/// let moods = request.entity::<Mood>().max_corrections(1);
/// let ResponseEntity { entity, response } = moods.with_response().await?;
/// assert_eq!((mood, entity), (Mood::Good, Mood::Good));
/// println!("{} tokens", response.usage().total_tokens);
/// # Ok::<(), vernal_core::Error>(()) }).unwrap();
/// ```
#[must_use = "a request does nothing until it is awaited or streamed"]
pub struct EntityRequest<T> {
    spec: ChatClientRequestSpec,
    output: StructuredOutputValidationAdvisorBuilder,
    of: PhantomData<fn() -> T>,
}

/// What a model answered, as a value and whole.
#[derive(Debug, Clone)]
pub struct ResponseEntity<T> {
    /// The value.
    pub entity: T,
    /// The response that it was read from; its text is as the model wrote it.
    pub response: ChatClientResponse,
}

impl<T: DeserializeOwned + JsonSchema + 'static> EntityRequest<T> {
    pub(super) fn new(spec: ChatClientRequestSpec) -> Self {
        Self {
            spec,
            output: StructuredOutputValidationAdvisorBuilder::for_type::<T>(),
            of: PhantomData,
        }
    }

    /// How often the model is told what is wrong with its answer and asked again; with 0, never.
    pub fn max_corrections(mut self, corrections: u32) -> Self {
        self.output = self.output.max_corrections(corrections);
        self
    }

    /// How the model is asked for the type.
    pub fn mode(mut self, mode: StructuredOutputMode) -> Self {
        self.output = self.output.mode(mode);
        self
    }

    /// Sends the request and gives the whole response beside the value.
    ///
    /// # Errors
    /// As [`call`](ChatClientRequestSpec::call); and an answer that does not fit after all corrections,
    /// or a turn that did not end with one: see [`Error::invalid_answer`].
    pub fn with_response(self) -> BoxFuture<'static, Result<ResponseEntity<T>, Error>> {
        Box::pin(async move {
            let response = self.validated()?.call().await?;
            let entity = response.entity()?;
            Ok(ResponseEntity { entity, response })
        })
    }

    /// Sends the request and yields what happens. The answer is validated at the end; read it with
    /// [`ChatClientResponse::entity`]. For what a stream yields when an answer is corrected, see
    /// [`StructuredOutputValidationAdvisor`](crate::advisor::StructuredOutputValidationAdvisor).
    pub fn stream(self) -> ChatEventStream {
        match self.validated() {
            Ok(spec) => spec.stream(),
            Err(error) => ChatEventStream::new(Box::pin(futures::stream::iter([Err(error)]))),
        }
    }

    fn validated(self) -> Result<ChatClientRequestSpec, Error> {
        Ok(self.spec.advisors(self.output.build()?))
    }
}

impl<T: DeserializeOwned + JsonSchema + 'static> IntoFuture for EntityRequest<T> {
    type Output = Result<T, Error>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { Ok(self.with_response().await?.entity) })
    }
}

impl<T> fmt::Debug for EntityRequest<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EntityRequest")
            .field("spec", &self.spec)
            .field("output", &self.output)
            .finish()
    }
}
