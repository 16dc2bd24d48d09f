//! Making a tool of a method that somebody else wrote.

use std::marker::PhantomData;
use std::sync::Arc;

use super::arguments::{
    CallInput, FewerThanEightArguments, InjectedArgument, MethodArguments, MethodParameter,
    WholeInput,
};
use super::bound::{BoundMethod, BoundMethodBuilder, Plan};
use super::{Invoke, MethodToolCallback, ToolMethod};
use crate::tool::{
    FromToolContext, ToolCallResultConverter, ToolContext, ToolDefinition, ToolFuture, ToolInput,
    ToolMetadata, ToolMetadataBuilder, ToolParameter, ToolParameters,
};

impl MethodToolCallback {
    /// A builder for the tool called `name`: first its object and parameters, at last its method.
    ///
    /// A method of a type that one does not own, by its path:
    ///
    /// ```
    /// use std::sync::Arc;
    /// use vernal_core::tool::MethodToolCallback;
    ///
    /// struct WeatherService;
    /// impl WeatherService {
    ///     fn get(&self, city: String) -> String { format!("Sunny in {city}") }
    ///     async fn forecast(&self, city: &str, days: u8) -> Result<String, String> {
    ///         if days > 7 { return Err("at most 7 days".to_owned()) }
    ///         Ok(format!("{days} days of sun in {city}"))
    ///     }
    /// }
    ///
    /// let service = Arc::new(WeatherService);
    /// let weather = MethodToolCallback::builder("getWeather")
    ///     .description("Get the current weather for a given city")
    ///     .object(service.clone())
    ///     .parameter::<String>("city")
    ///     .method(WeatherService::get)
    ///     .build()?;
    ///
    /// // Where the types differ, a closure; where the method is async too, an async one.
    /// let forecast = MethodToolCallback::builder("forecast")
    ///     .object(service)
    ///     .parameter::<String>("city")
    ///     .parameter::<u8>("days")
    ///     .method(async |service: &WeatherService, city: String, days: u8| {
    ///         service.forecast(&city, days).await
    ///     })
    ///     .build()?;
    /// # Ok::<(), vernal_core::tool::MethodToolCallbackError>(())
    /// ```
    ///
    /// A function needs no object. What is injected is named where it stands among the parameters:
    ///
    /// ```
    /// use vernal_core::tool::{MethodToolCallback, ToolContext};
    ///
    /// async fn customer(id: u64, context: ToolContext) -> String {
    ///     format!("customer {id} of {}", context.get_str("tenant_id").unwrap_or("nobody"))
    /// }
    ///
    /// let tool = MethodToolCallback::builder("getCustomer")
    ///     .parameter::<u64>("id")
    ///     .inject::<ToolContext>()
    ///     .method(customer)
    ///     .build()?;
    /// # Ok::<(), vernal_core::tool::MethodToolCallbackError>(())
    /// ```
    ///
    /// The input may be one struct:
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use vernal_core::tool::MethodToolCallback;
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct WeatherRequest { city: String, days: Option<u8> }
    ///
    /// struct WeatherService;
    /// impl WeatherService {
    ///     fn weather(&self, request: WeatherRequest) -> String { request.city }
    /// }
    ///
    /// let tool = MethodToolCallback::builder("getWeather")
    ///     .object(Arc::new(WeatherService))
    ///     .input::<WeatherRequest>()
    ///     .method(WeatherService::weather)
    ///     .build()?;
    /// # Ok::<(), vernal_core::tool::MethodToolCallbackError>(())
    /// ```
    pub fn builder(name: impl Into<Arc<str>>) -> MethodToolCallbackBuilder<NoObject, ()> {
        MethodToolCallbackBuilder {
            plan: Plan {
                definition: ToolDefinition::builder(name),
                schema: None,
                given: None,
                metadata: ToolMetadata::default(),
            },
            object: Arc::new(NoObject),
            arguments: (),
        }
    }
}

/// No object was given: the tool's method is a function.
pub struct NoObject;

/// Builds a [`MethodToolCallback`] of a method of `Object`, with the `Arguments` said so far.
#[must_use]
pub struct MethodToolCallbackBuilder<Object: ?Sized, Arguments> {
    plan: Plan,
    object: Arc<Object>,
    arguments: Arguments,
}

impl<Object: ?Sized, Arguments> MethodToolCallbackBuilder<Object, Arguments> {
    /// What the tool does and when to use it. Left out, it is the name as words.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.plan.definition = self.plan.definition.description(description);
        self
    }

    /// Takes this schema instead of that of the parameters. It has a property for each of them.
    pub fn input_schema(mut self, schema: impl Into<String>) -> Self {
        self.plan.schema = Some(schema.into());
        self
    }

    /// Takes this definition, with its name, description and schema, whatever else was said of them. Its
    /// schema has a property for each parameter.
    pub fn tool_definition(mut self, definition: ToolDefinition) -> Self {
        self.plan.given = Some(definition);
        self
    }

    /// How the tool is handled; what was said of that before is forgotten.
    pub fn tool_metadata(mut self, metadata: ToolMetadata) -> Self {
        self.plan.metadata = metadata;
        self
    }

    /// What turns the method's result into what the model reads; it becomes part of the metadata (rule
    /// RES-3).
    pub fn result_converter(mut self, converter: impl ToolCallResultConverter) -> Self {
        let metadata = ToolMetadataBuilder::from(self.plan.metadata);
        self.plan.metadata = metadata.result_converter(converter).build();
        self
    }

    /// The object whose method it is.
    pub fn object<T: ?Sized + Send + Sync + 'static>(
        self,
        object: Arc<T>,
    ) -> MethodToolCallbackBuilder<T, Arguments> {
        MethodToolCallbackBuilder {
            plan: self.plan,
            object,
            arguments: self.arguments,
        }
    }

    /// The method's next parameter, which the model gives: its name, or a [`MethodParameter`]. There are
    /// at most eight; a method with more takes one struct, as [`input`](Self::input).
    pub fn parameter<T: ToolParameter>(
        self,
        parameter: impl Into<MethodParameter<T>>,
    ) -> MethodToolCallbackBuilder<Object, Arguments::Appended>
    where
        Arguments: FewerThanEightArguments<MethodParameter<T>>,
    {
        self.with_argument(parameter.into())
    }

    /// The method's next parameter, which the application gives (rule SCH-4).
    pub fn inject<C: FromToolContext>(
        self,
    ) -> MethodToolCallbackBuilder<Object, Arguments::Appended>
    where
        Arguments: FewerThanEightArguments<InjectedArgument<C>>,
    {
        self.with_argument(InjectedArgument(PhantomData))
    }

    /// The method's next parameter, which is the whole input: a struct with a field for each thing that
    /// the model gives. It stands in place of single parameters.
    pub fn input<A: ToolParameters>(self) -> MethodToolCallbackBuilder<Object, Arguments::Appended>
    where
        Arguments: FewerThanEightArguments<WholeInput<A>>,
    {
        self.with_argument(WholeInput(PhantomData))
    }

    /// The method, or a function, which takes no object. It is what was said of it that is checked here,
    /// by the compiler; the definition is checked when the tool is built.
    pub fn method<F, Shape, Kind>(self, method: F) -> BoundMethodBuilder<F::Output, Kind>
    where
        Object: Send + Sync + 'static,
        Arguments: MethodArguments,
        F: ToolMethod<Object, Arguments::Values, Shape, Kind>,
        Shape: 'static,
        Kind: 'static,
    {
        let described = self.arguments.describe();
        let shape = PhantomData::<fn(Shape, Kind)>;
        let Self {
            plan,
            object,
            arguments,
        } = self;
        let method = Arc::new(Bound {
            object,
            method,
            arguments,
            shape,
        });
        BoundMethodBuilder::new(BoundMethod::new(plan, described, method))
    }

    fn with_argument<A>(self, argument: A) -> MethodToolCallbackBuilder<Object, Arguments::Appended>
    where
        Arguments: FewerThanEightArguments<A>,
    {
        let Self {
            plan,
            object,
            arguments,
        } = self;
        MethodToolCallbackBuilder {
            plan,
            object,
            arguments: arguments.append(argument),
        }
    }
}

/// A method with all that it is called with.
struct Bound<Object: ?Sized, F, Arguments, M> {
    object: Arc<Object>,
    method: F,
    arguments: Arguments,
    shape: PhantomData<M>,
}

impl<Object, F, Arguments, Shape, Kind> Invoke for Bound<Object, F, Arguments, fn(Shape, Kind)>
where
    Object: ?Sized + Send + Sync + 'static,
    Arguments: MethodArguments,
    F: ToolMethod<Object, Arguments::Values, Shape, Kind>,
    Shape: 'static,
    Kind: 'static,
{
    fn invoke<'a>(
        &'a self,
        input: ToolInput,
        context: ToolContext,
        metadata: &'a ToolMetadata,
    ) -> ToolFuture<'a> {
        let read = move || {
            let call = CallInput {
                input: &input,
                fields: &input.fields()?,
                context: &context,
            };
            self.arguments.read(&call)
        };
        self.method.call(&self.object, read, metadata)
    }
}
