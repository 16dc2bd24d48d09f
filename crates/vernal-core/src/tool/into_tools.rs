use std::sync::Arc;

use super::{ToolCallback, ToolCallbackProvider};

/// One thing that was handed over as tools.
#[derive(Clone)]
#[non_exhaustive]
pub enum ToolSource {
    /// A tool.
    Callback(Arc<dyn ToolCallback>),
    /// A source of tools, asked anew for each request.
    Provider(Arc<dyn ToolCallbackProvider>),
    /// A source that the request can do without; see [`OptionalTools`](super::OptionalTools).
    OptionalProvider(Arc<dyn ToolCallbackProvider>),
}

/// What `tools` and `default_tools` accept (rule TOOLS-1).
///
/// A `#[tools]` object, a `#[tool]` function, a [`ToolCallback`], a [`ToolCallbackProvider`], an
/// `Arc` of either, and options, arrays, vectors and tuples of these, nested at will.
///
/// Something that is no tool does not compile:
///
/// ```compile_fail
/// # use vernal_core::tool::IntoTools;
/// fn hand_over(tools: impl IntoTools) {}
/// hand_over("get_weather");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "expected tools here",
    note = "put `#[tools]` on an `impl` block of the type and hand over a value of it, put `#[tool]` on a \
            function and hand over its name, or build a tool from a closure with \
            `FunctionToolCallback::builder`"
)]
pub trait IntoTools {
    /// Appends what was handed over, in order.
    fn collect_tools(self, into: &mut Vec<ToolSource>);

    /// What was handed over, in order.
    fn into_tools(self) -> Vec<ToolSource>
    where
        Self: Sized,
    {
        let mut sources = Vec::new();
        self.collect_tools(&mut sources);
        sources
    }
}

#[diagnostic::do_not_recommend]
impl<P: ToolCallbackProvider> IntoTools for P {
    fn collect_tools(self, into: &mut Vec<ToolSource>) {
        into.push(Arc::new(self).into_source());
    }
}

impl<P: ToolCallbackProvider> IntoTools for Arc<P> {
    fn collect_tools(self, into: &mut Vec<ToolSource>) {
        into.push(self.into_source());
    }
}

impl IntoTools for Arc<dyn ToolCallback> {
    fn collect_tools(self, into: &mut Vec<ToolSource>) {
        into.push(ToolSource::Callback(self));
    }
}

impl IntoTools for Arc<dyn ToolCallbackProvider> {
    fn collect_tools(self, into: &mut Vec<ToolSource>) {
        into.push(ToolSource::Provider(self));
    }
}

impl IntoTools for ToolSource {
    fn collect_tools(self, into: &mut Vec<ToolSource>) {
        into.push(self);
    }
}

impl IntoTools for () {
    fn collect_tools(self, _into: &mut Vec<ToolSource>) {}
}

impl<T: IntoTools> IntoTools for Option<T> {
    fn collect_tools(self, into: &mut Vec<ToolSource>) {
        self.into_iter().for_each(|tools| tools.collect_tools(into));
    }
}

impl<T: IntoTools> IntoTools for Vec<T> {
    fn collect_tools(self, into: &mut Vec<ToolSource>) {
        self.into_iter().for_each(|tools| tools.collect_tools(into));
    }
}

impl<T: IntoTools, const N: usize> IntoTools for [T; N] {
    fn collect_tools(self, into: &mut Vec<ToolSource>) {
        self.into_iter().for_each(|tools| tools.collect_tools(into));
    }
}

macro_rules! tuples {
    ($($name:ident)+) => {
        impl<$($name: IntoTools),+> IntoTools for ($($name,)+) {
            #[allow(non_snake_case)] // the type parameters serve as the variables' names
            fn collect_tools(self, into: &mut Vec<ToolSource>) {
                let ($($name,)+) = self;
                $($name.collect_tools(into);)+
            }
        }
    };
}

tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
tuples!(A B C D E F G);
tuples!(A B C D E F G H);
tuples!(A B C D E F G H I);
tuples!(A B C D E F G H I J);
tuples!(A B C D E F G H I J K);
tuples!(A B C D E F G H I J K L);

/// The callbacks of objects.
pub struct ToolCallbacks;

impl ToolCallbacks {
    /// The tools of whatever is accepted as tools; providers, which can only be asked when a request
    /// is made, are left out.
    pub fn from(tools: impl IntoTools) -> Vec<Arc<dyn ToolCallback>> {
        let callbacks = tools
            .into_tools()
            .into_iter()
            .filter_map(|source| match source {
                ToolSource::Callback(callback) => Some(callback),
                ToolSource::Provider(_) | ToolSource::OptionalProvider(_) => None,
            });
        callbacks.collect()
    }
}
