//! The shapes that a tool's method may have.

use crate::tool::{IntoToolResult, ToolError, ToolFuture, ToolMetadata};

/// A method or function that can be a tool with the parameters that its builder was told; see
/// [`MethodToolCallback`](super::MethodToolCallback).
///
/// `Shape` and `Kind` only tell apart what it is and what it returns; they are never named.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the method of a tool with these parameters",
    label = "this is not called with `{Values}`, with or without a `&{Object}` in front",
    note = "a method takes a reference to what was given to `.object(…)`, which is `NoObject` where \
            nothing was, and then one value for each `.parameter::<T>(…)`, `.inject::<T>()` or \
            `.input::<T>()`, in order; a function takes the values alone",
    note = "where the types differ, write a closure: \
            `|service: &Service, city: String| service.get(&city)`, or \
            `async |service: &Service, city: String| …` without captured variables",
    note = "where the object is a trait object, a closure says that it borrows nothing: \
            `|service: &(dyn Weather + 'static), city: String| …`; or write `<dyn Weather>::get`",
    note = "it returns a value that serialises, a `Result` of one, or a future of either that is `Send`"
)]
pub trait ToolMethod<Object: ?Sized, Values, Shape, Kind>: Send + Sync + 'static {
    /// What it returns, or its future yields.
    type Output;

    /// Reads the arguments and runs, once the future is polled.
    #[doc(hidden)]
    fn call<'a>(
        &'a self,
        object: &'a Object,
        read: impl FnOnce() -> Result<Values, ToolError> + Send + 'a,
        metadata: &'a ToolMetadata,
    ) -> ToolFuture<'a>;
}

/// Marks methods that return their value.
pub struct Method;

/// Marks methods that return a future of their value.
pub struct AsyncMethod;

/// Marks functions without an object that return their value.
pub struct Function;

/// Marks functions without an object that return a future of their value.
pub struct AsyncFunction;

/// A method whose future borrows its object for `'a`.
///
/// It stands between, because a bound on `Fn` cannot name a future that depends on a lifetime.
pub trait Borrowing<'a, Object: ?Sized + 'a, Values> {
    /// What the future yields.
    type Value;

    /// Begins.
    fn begin(
        &self,
        object: &'a Object,
        values: Values,
    ) -> impl Future<Output = Self::Value> + Send + 'a;
}

macro_rules! tool_method {
    ($($name:ident)*) => {
        impl<'a, Func, Object, Fut, $($name: 'a),*> Borrowing<'a, Object, ($($name,)*)> for Func
        where
            Func: Fn(&'a Object, $($name),*) -> Fut,
            Object: ?Sized + 'a,
            Fut: Future + Send + 'a,
        {
            type Value = Fut::Output;

            #[allow(non_snake_case)] // the type parameters serve as the variables' names
            fn begin(
                &self,
                object: &'a Object,
                ($($name,)*): ($($name,)*),
            ) -> impl Future<Output = Self::Value> + Send + 'a {
                self(object, $($name),*)
            }
        }

        impl<Func, Object, Out, Kind, $($name: 'static),*>
            ToolMethod<Object, ($($name,)*), Method, Kind> for Func
        where
            Func: for<'a> Fn(&'a Object, $($name),*) -> Out + Send + Sync + 'static,
            Object: ?Sized + Send + Sync + 'static,
            Out: IntoToolResult<Kind>,
        {
            type Output = Out;

            #[allow(non_snake_case)]
            fn call<'a>(
                &'a self,
                object: &'a Object,
                read: impl FnOnce() -> Result<($($name,)*), ToolError> + Send + 'a,
                metadata: &'a ToolMetadata,
            ) -> ToolFuture<'a> {
                Box::pin(async move {
                    let ($($name,)*) = read()?;
                    self(object, $($name),*).into_tool_result(metadata)
                })
            }
        }

        impl<Func, Object, Out, Kind, $($name: 'static),*>
            ToolMethod<Object, ($($name,)*), AsyncMethod, Kind> for Func
        where
            Func: for<'a> Borrowing<'a, Object, ($($name,)*), Value = Out>,
            Func: Send + Sync + 'static,
            Object: ?Sized + Send + Sync + 'static,
            Out: IntoToolResult<Kind>,
        {
            type Output = Out;

            fn call<'a>(
                &'a self,
                object: &'a Object,
                read: impl FnOnce() -> Result<($($name,)*), ToolError> + Send + 'a,
                metadata: &'a ToolMetadata,
            ) -> ToolFuture<'a> {
                Box::pin(async move {
                    let running = self.begin(object, read()?);
                    running.await.into_tool_result(metadata)
                })
            }
        }

        impl<Func, Object, Out, Kind, $($name: 'static),*>
            ToolMethod<Object, ($($name,)*), Function, Kind> for Func
        where
            Func: Fn($($name),*) -> Out + Send + Sync + 'static,
            Object: ?Sized + Send + Sync + 'static,
            Out: IntoToolResult<Kind>,
        {
            type Output = Out;

            #[allow(non_snake_case)]
            fn call<'a>(
                &'a self,
                _object: &'a Object,
                read: impl FnOnce() -> Result<($($name,)*), ToolError> + Send + 'a,
                metadata: &'a ToolMetadata,
            ) -> ToolFuture<'a> {
                Box::pin(async move {
                    let ($($name,)*) = read()?;
                    self($($name),*).into_tool_result(metadata)
                })
            }
        }

        impl<Func, Object, Fut, Kind, $($name: 'static),*>
            ToolMethod<Object, ($($name,)*), AsyncFunction, Kind> for Func
        where
            Func: Fn($($name),*) -> Fut + Send + Sync + 'static,
            Object: ?Sized + Send + Sync + 'static,
            Fut: Future + Send + 'static,
            Fut::Output: IntoToolResult<Kind>,
        {
            type Output = Fut::Output;

            #[allow(non_snake_case)]
            fn call<'a>(
                &'a self,
                _object: &'a Object,
                read: impl FnOnce() -> Result<($($name,)*), ToolError> + Send + 'a,
                metadata: &'a ToolMetadata,
            ) -> ToolFuture<'a> {
                Box::pin(async move {
                    let running = {
                        let ($($name,)*) = read()?;
                        self($($name),*)
                    };
                    running.await.into_tool_result(metadata)
                })
            }
        }
    };
}

tool_method!();
tool_method!(A);
tool_method!(A B);
tool_method!(A B C);
tool_method!(A B C D);
tool_method!(A B C D E);
tool_method!(A B C D E F);
tool_method!(A B C D E F G);
tool_method!(A B C D E F G H);
