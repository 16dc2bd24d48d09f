use std::sync::{Arc, OnceLock};

use super::{DuplicateTool, StaticToolCallbackResolver, ToolCallback, ToolCallbacks, ToolSource};

/// The tools that were marked with `#[tool(register)]` or `#[tools(register)]` anywhere in the program,
/// in a fixed order: by the path of their module, then by their place in it.
///
/// They are collected when the program is linked, also from the crates that it depends on; a crate of
/// which nothing at all is used may be left out by the linker. Objects are made when the tools are asked
/// for the first time, and every later answer has the same ones, so that tools handed over twice count
/// once (rule TOOLS-4). The feature `registry` adds this.
///
/// It is an offer: nothing but the caller hands the tools to a model. Two of them may have one name, which
/// is an error where they are handed over.
///
/// ```standalone_crate
/// use vernal_core::tool::{registered_tools, tool, tools};
///
/// /// Get the current weather for a given city.
/// #[tool(register)]
/// fn get_weather(city: String) -> String {
///     format!("Sunny in {city}")
/// }
///
/// #[derive(Default)]
/// struct Clock;
///
/// #[tools(register)]
/// impl Clock {
///     #[tool]
///     fn now(&self) -> &'static str { "noon" }
/// }
///
/// let names: Vec<_> = registered_tools().iter().map(|t| t.tool_definition().name().clone()).collect();
/// assert_eq!(names, ["get_weather".into(), "now".into()]);
/// ```
pub fn registered_tools() -> Vec<Arc<dyn ToolCallback>> {
    static TOOLS: OnceLock<Vec<Arc<dyn ToolCallback>>> = OnceLock::new();
    TOOLS.get_or_init(collected).clone()
}

fn collected() -> Vec<Arc<dyn ToolCallback>> {
    let mut registrations: Vec<&Registration> =
        inventory::iter::<Registration>.into_iter().collect();
    registrations.sort_by_key(|registration| registration.place);
    let mut registered: Vec<_> = registrations.into_iter().map(Registered::of).collect();
    // What one macro wrote is all in one place; the names tell it apart.
    registered.sort_by(|one, other| one.key().cmp(&other.key()));
    registered
        .into_iter()
        .flat_map(|registered| registered.tools)
        .collect()
}

struct Registered {
    place: Place,
    tools: Vec<Arc<dyn ToolCallback>>,
}

impl Registered {
    fn of(registration: &Registration) -> Self {
        let mut sources = Vec::new();
        (registration.collect)(&mut sources);
        Self {
            place: registration.place,
            tools: ToolCallbacks::from(sources),
        }
    }

    fn key(&self) -> (Place, Option<&str>) {
        (
            self.place,
            self.tools
                .first()
                .map(|tool| &**tool.tool_definition().name()),
        )
    }
}

impl StaticToolCallbackResolver {
    /// A resolver over the [`registered_tools`] (rule RSV-2).
    ///
    /// # Errors
    /// Two different tools with one name.
    pub fn registered() -> Result<Self, DuplicateTool> {
        Self::new(registered_tools())
    }
}

/// A module's path, a line and a column.
type Place = (&'static str, u32, u32);

/// Something that is marked with `register`. Public for the expansions of the attributes only.
pub struct Registration {
    place: Place,
    collect: fn(&mut Vec<ToolSource>),
}

impl Registration {
    /// What `collect` hands over, registered at a place in the code.
    pub const fn new(
        module: &'static str,
        line: u32,
        column: u32,
        collect: fn(&mut Vec<ToolSource>),
    ) -> Self {
        Self {
            place: (module, line, column),
            collect,
        }
    }
}

inventory::collect!(Registration);
