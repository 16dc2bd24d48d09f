//! The blocks that may bear `#[tools]`, and handing their objects over (rules DEF-3, TOOLS-1).

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use futures::executor::block_on;
use futures::future::BoxFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;
use vernal_core::tool::{
    FunctionToolCallback, IntoTools, ToolCallback, ToolCallbackProvider, ToolCallbacks,
    ToolContext, ToolInput, ToolProviderError, ToolSource, tool, tools,
};

use crate::made::support::{call, definition, names};

/// Counts.
#[derive(Default)]
struct Counter {
    count: AtomicU32,
}

#[tools]
impl Counter {
    const STEP: u32 = 2;

    /// Documented, but no tool.
    fn step(&self) -> u32 {
        Self::STEP
    }

    #[tool]
    fn private(&self) -> u32 {
        self.count.fetch_add(self.step(), Ordering::SeqCst)
    }

    #[tool]
    pub fn public(&self) -> u32 {
        self.count.load(Ordering::SeqCst)
    }

    #[tool]
    #[allow(clippy::needless_arbitrary_self_type)]
    pub(crate) async fn in_crate(self: &Self) -> u32 {
        self.public()
    }

    #[tool]
    fn without_self(left: i64, right: i64) -> i64 {
        left + right
    }

    #[tool]
    async fn later_without_self(_context: &ToolContext) -> &'static str {
        "later"
    }

    #[tool]
    const fn constant(&self) -> u8 {
        1
    }

    #[tool]
    #[deprecated(note = "but still a tool")]
    fn old<'a>(&'a self, _context: &'a ToolContext) {}

    #[cfg(any())]
    #[tool]
    fn conditional(&self) -> Absent {}

    #[cfg(not(any()))]
    #[tool]
    fn conditional(&self) -> u8 {
        2
    }

    #[vernal_core::tool::tool]
    fn by_path(&self) {}
}

#[test]
fn def_3_methods_of_every_kind_are_tools() {
    assert_eq!(
        names(Counter::default()),
        [
            "private",
            "public",
            "in_crate",
            "without_self",
            "later_without_self",
            "constant",
            "old",
            "conditional",
            "by_path"
        ]
    );
    let text = |name: &str| call(Counter::default(), name, r#"{"left":1,"right":-3}"#).unwrap();
    assert_eq!(text("without_self"), "-2");
    assert_eq!(text("later_without_self"), "later");
    assert_eq!(text("constant"), "1");
    assert_eq!(text("old"), "Done");
    assert_eq!(text("conditional"), "2");
}

#[test]
fn the_methods_share_their_object() {
    let tools = ToolCallbacks::from(Counter::default());
    let call = |at: usize| {
        let input = ToolInput::parse("{}").unwrap();
        block_on(tools[at].call(input, ToolContext::empty()))
            .unwrap()
            .text()
            .into_owned()
    };
    assert_eq!([call(0), call(0), call(1), call(2)], ["0", "2", "4", "4"]);
}

trait Clock: Send + Sync + 'static {
    type Time: Serialize + DeserializeOwned + schemars::JsonSchema + 'static;
    fn time(&self) -> Self::Time;
}

struct Digital;
struct Analog;

impl Clock for Digital {
    type Time = u64;
    fn time(&self) -> u64 {
        1200
    }
}

impl Clock for Analog {
    type Time = String;
    fn time(&self) -> String {
        "noon".to_owned()
    }
}

/// Has a type that may be left out, which the generic block cannot know.
struct Stopped;

impl Clock for Stopped {
    type Time = Option<u8>;
    fn time(&self) -> Option<u8> {
        None
    }
}

struct Clocks<T, const N: usize = 1> {
    clock: T,
}

#[tools]
impl<T: Clock, const N: usize> Clocks<T, N>
where
    T::Time: PartialEq + Send,
{
    #[tool]
    fn now(&self) -> T::Time {
        self.clock.time()
    }

    #[tool]
    async fn is_it(&self, time: T::Time) -> Vec<bool> {
        vec![self.clock.time() == time; N]
    }
}

#[test]
fn generic_blocks_have_the_schemas_of_their_instances() {
    let digital = || Clocks::<_, 1> { clock: Digital };
    let analog = || Clocks::<_, 2> { clock: Analog };
    assert!(
        definition(digital(), "is_it")
            .input_schema()
            .contains(r#""type":"integer""#)
    );
    assert!(
        definition(analog(), "is_it")
            .input_schema()
            .contains(r#""type":"string""#)
    );
    let stopped = Clocks::<_, 1> { clock: Stopped };
    assert!(
        definition(stopped, "is_it")
            .input_schema()
            .contains(r#""required":[]"#)
    );
    assert_eq!(call(digital(), "now", "").unwrap(), "1200");
    assert_eq!(
        call(digital(), "is_it", r#"{"time":1200}"#).unwrap(),
        "[true]"
    );
    assert_eq!(
        call(analog(), "is_it", r#"{"time":"dawn"}"#).unwrap(),
        "[false,false]"
    );
}

struct Unbound<T>(T);

#[tools]
impl<T: Clone + Serialize> Unbound<T> {
    #[tool]
    fn get(&self) -> T {
        self.0.clone()
    }
}

struct Borrowing<'a>(&'a str);

#[tools]
impl Borrowing<'_> {
    #[tool]
    fn get(&self) -> String {
        self.0.to_owned()
    }
}

#[test]
fn what_threads_need_of_an_object_is_asked_of_it_only_as_tools() {
    assert_eq!(call(Unbound(vec![1]), "get", "").unwrap(), "[1]");
    assert_eq!(Unbound(std::rc::Rc::new(1)).get(), std::rc::Rc::new(1));
    assert_eq!(call(Borrowing("static"), "get", "").unwrap(), "static");
}

struct 날씨도구;

#[tools]
impl 날씨도구 {
    /// 도시의 날씨를 알려 줍니다.
    #[tool]
    fn 날씨(
        &self,
        /// 도시 이름
        도시: String,
    ) -> String {
        format!("{도시}: 맑음")
    }
}

#[test]
fn def_2_names_are_in_any_script() {
    let definition = definition(날씨도구, "날씨");
    assert_eq!(definition.description(), "도시의 날씨를 알려 줍니다.");
    assert_eq!(
        definition.input_schema(),
        concat!(
            r#"{"type":"object","properties":{"도시":{"description":"도시 이름","type":"string"}},"#,
            r#""required":["도시"],"additionalProperties":false}"#,
        )
    );
    assert_eq!(
        call(날씨도구, "날씨", r#"{"도시":"제주"}"#).unwrap(),
        "제주: 맑음"
    );
}

#[tool]
fn free(number: u8) -> u8 {
    number
}

struct Remote;

impl ToolCallbackProvider for Remote {
    fn name(&self) -> &str {
        "remote"
    }
    fn tool_callbacks(
        &self,
    ) -> BoxFuture<'_, Result<Vec<Arc<dyn ToolCallback>>, ToolProviderError>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

#[test]
fn tools_1_any_mix_is_handed_over_in_order() {
    let closure = || {
        FunctionToolCallback::builder("closure", || "done")
            .build()
            .unwrap()
    };
    let callback: Arc<dyn ToolCallback> = Arc::new(closure());
    let mix = (
        날씨도구,
        closure(),
        Remote,
        (
            free,
            [Some(Unbound(1u8)), None],
            vec![(callback, Arc::new(Remote))],
        ),
        (),
    );
    let sources = mix.into_tools().into_iter().map(|source| match source {
        ToolSource::Callback(tool) => tool.tool_definition().name().to_string(),
        ToolSource::Provider(provider) => format!("provider {}", provider.name()),
        _ => unreachable!(),
    });
    assert_eq!(
        sources.collect::<Vec<_>>(),
        [
            "날씨",
            "closure",
            "provider remote",
            "free",
            "get",
            "closure",
            "provider remote"
        ]
    );
}
