//! What a method is called with, said one by one.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::tool::parameter::{Parameter, is_read_from_nothing};
use crate::tool::{
    FromToolContext, ToolContext, ToolDefinitionBuilder, ToolError, ToolFields, ToolInput,
    ToolParameter, ToolParameters,
};

/// A parameter of a method tool: its name, and what the model is told about it.
///
/// One of type `serde_json::Value` holds numbers as that crate does, which rounds what neither 64 bits nor a
/// float can hold; [`ToolInput::as_str`] has all the digits.
///
/// ```
/// use vernal_core::tool::{MethodParameter, MethodToolCallback};
///
/// let tool = MethodToolCallback::builder("forecast")
///     .parameter(MethodParameter::new("city").description("The city's name"))
///     .parameter(MethodParameter::new("days").default_value(3))
///     .method(|city: String, days: u8| format!("{days} days of sun in {city}"))
///     .build()?;
/// # Ok::<(), vernal_core::tool::MethodToolCallbackError>(())
/// ```
pub struct MethodParameter<T> {
    name: &'static str,
    description: String,
    required: Option<bool>,
    default: Option<DefaultValue<T>>,
}

struct DefaultValue<T> {
    make: Arc<dyn Fn() -> T + Send + Sync>,
    json: Option<Value>,
}

impl<T> MethodParameter<T> {
    /// A parameter that is required, unless its type can be read from nothing, as `Option` can.
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            description: String::new(),
            required: None,
            default: None,
        }
    }

    /// What the parameter means. Left out, it is the description of its type (rule SCH-3).
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Whether the model must give it (rule SCH-2). One that need not be given has a default or a type
    /// that can be read from nothing.
    #[must_use]
    pub fn required(mut self, required: bool) -> Self {
        self.required = Some(required);
        self
    }

    /// What it is where the model does not give it; the schema says so.
    #[must_use]
    pub fn default_value(mut self, value: T) -> Self
    where
        T: Serialize + Clone + Send + Sync + 'static,
    {
        let json = serde_json::to_value(&value).ok();
        self.default = Some(DefaultValue {
            make: Arc::new(move || value.clone()),
            json,
        });
        self
    }
}

impl<T> From<&'static str> for MethodParameter<T> {
    fn from(name: &'static str) -> Self {
        Self::new(name)
    }
}

impl<T> fmt::Debug for MethodParameter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MethodParameter")
            .field("name", &self.name)
            .finish()
    }
}

/// One call, as its arguments are read from it.
pub struct CallInput<'a> {
    pub(crate) input: &'a ToolInput,
    pub(crate) fields: &'a ToolFields<'a>,
    pub(crate) context: &'a ToolContext,
}

/// What the arguments of a method say about its tool.
#[derive(Default)]
pub struct Described {
    pub(crate) parameters: Vec<Parameter>,
    /// The type that is the whole input.
    pub(crate) whole: Option<fn(ToolDefinitionBuilder) -> ToolDefinitionBuilder>,
    pub(crate) problems: Vec<String>,
}

/// One argument of a method: a [`MethodParameter`], an injected value, or the whole input.
pub trait MethodArgument: Send + Sync + 'static {
    /// What the method gets.
    type Value: 'static;

    /// Says what the schema needs to know.
    #[doc(hidden)]
    fn describe(&self, described: &mut Described);

    /// The argument of one call.
    #[doc(hidden)]
    fn read(&self, call: &CallInput<'_>) -> Result<Self::Value, ToolError>;
}

impl<T: ToolParameter + 'static> MethodArgument for MethodParameter<T> {
    type Value = T;

    fn describe(&self, described: &mut Described) {
        let mut parameter = Parameter::new::<T>(self.name, self.description.clone());
        if let Some(default) = &self.default {
            parameter = parameter.default(default.json.clone());
        }
        if let Some(required) = self.required {
            parameter = parameter.required(required);
        }
        if self.required == Some(false) && self.default.is_none() && !is_read_from_nothing::<T>() {
            described.problems.push(format!(
                "nothing says what its parameter `{}` is when it is left out: give it a default or make \
                 it an `Option`",
                self.name
            ));
        }
        described.parameters.push(parameter);
    }

    fn read(&self, call: &CallInput<'_>) -> Result<T, ToolError> {
        match &self.default {
            Some(default) if call.fields.raw(self.name).is_none() => Ok((default.make)()),
            _ => call.fields.read(self.name),
        }
    }
}

/// An argument that the application gives.
pub struct InjectedArgument<C>(pub(super) PhantomData<fn() -> C>);

impl<C: FromToolContext + 'static> MethodArgument for InjectedArgument<C> {
    type Value = C;

    fn describe(&self, _described: &mut Described) {}

    fn read(&self, call: &CallInput<'_>) -> Result<C, ToolError> {
        C::from_tool_context(call.context)
    }
}

/// The argument that is the whole input.
pub struct WholeInput<A>(pub(super) PhantomData<fn() -> A>);

impl<A: ToolParameters> MethodArgument for WholeInput<A> {
    type Value = A;

    fn describe(&self, described: &mut Described) {
        if described
            .whole
            .replace(ToolDefinitionBuilder::input_type::<A>)
            .is_some()
        {
            described
                .problems
                .push("it has two inputs: `.input::<T>()` is said once".to_owned());
        }
    }

    fn read(&self, call: &CallInput<'_>) -> Result<A, ToolError> {
        call.input.parse_as()
    }
}

/// The arguments of a method, in order.
pub trait MethodArguments: Send + Sync + 'static {
    /// What the method gets.
    type Values: 'static;

    /// Says what the schema needs to know.
    #[doc(hidden)]
    fn describe(&self) -> Described;

    /// The arguments of one call.
    #[doc(hidden)]
    fn read(&self, call: &CallInput<'_>) -> Result<Self::Values, ToolError>;
}

/// Arguments to which one more can be added; the name is what the compiler says of the ninth.
pub trait FewerThanEightArguments<A> {
    /// With one more.
    type Appended;

    /// Adds it.
    #[doc(hidden)]
    fn append(self, argument: A) -> Self::Appended;
}

macro_rules! arguments {
    ($($name:ident)*) => {
        impl<$($name: MethodArgument),*> MethodArguments for ($($name,)*) {
            type Values = ($($name::Value,)*);

            #[allow(non_snake_case, unused_mut)] // the type parameters serve as the variables' names
            fn describe(&self) -> Described {
                let ($($name,)*) = self;
                let mut described = Described::default();
                $($name.describe(&mut described);)*
                described
            }

            #[allow(non_snake_case, unused_variables)]
            fn read(&self, call: &CallInput<'_>) -> Result<Self::Values, ToolError> {
                let ($($name,)*) = self;
                Ok(($($name.read(call)?,)*))
            }
        }
    };
}

macro_rules! appended {
    ($($name:ident)*) => {
        impl<Last, $($name),*> FewerThanEightArguments<Last> for ($($name,)*) {
            type Appended = ($($name,)* Last,);

            #[allow(non_snake_case)]
            fn append(self, argument: Last) -> Self::Appended {
                let ($($name,)*) = self;
                ($($name,)* argument,)
            }
        }
    };
}

arguments!();
arguments!(A);
arguments!(A B);
arguments!(A B C);
arguments!(A B C D);
arguments!(A B C D E);
arguments!(A B C D E F);
arguments!(A B C D E F G);
arguments!(A B C D E F G H);

appended!();
appended!(A);
appended!(A B);
appended!(A B C);
appended!(A B C D);
appended!(A B C D E);
appended!(A B C D E F);
appended!(A B C D E F G);
