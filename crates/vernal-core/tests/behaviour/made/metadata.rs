//! How a tool is handled (rule DEF-5), and functions that block (rule DEF-3).

use std::time::Duration;

use vernal_core::tool::{
    FunctionToolCallback, MethodToolCallback, ToolCallback, ToolContext, ToolInput, ToolMetadata,
    ToolMetadataBuilder, ToolOutput, ToolResult, tool, tools,
};

use crate::made::support::tool as tool_of;

const RETRIES: u32 = 4;

struct Tools;

#[tools]
impl Tools {
    #[tool]
    fn plain(&self) {}

    #[tool(
        return_direct,
        sequential = true,
        blocking,
        idempotent,
        read_only,
        requires_approval,
        timeout = "1500ms",
        max_retries = RETRIES + 1,
        max_result_bytes = 64 * 1024,
        result_converter = |result: ToolResult<'_>| result.by_default(),
    )]
    fn everything(&self) {}

    #[tool(destructive, idempotent = true, timeout = "2m")]
    async fn others(&self) {}

    #[tool(
        return_direct = false,
        sequential = false,
        blocking = false,
        idempotent = false,
        read_only = false,
        destructive = false,
        requires_approval = false
    )]
    async fn nothing(&self) {}
}

#[tool(requires_approval, timeout = "1h", idempotent, max_retries = 0)]
fn free() {}

fn shown(metadata: &ToolMetadata) -> String {
    format!("{metadata:?}")
}

#[test]
fn def_5_every_item_of_the_metadata_has_a_key() {
    let metadata = |name| tool_of(Tools, name).tool_metadata().clone();
    let plain = shown(ToolMetadata::plain());
    assert_eq!(shown(&metadata("plain")), plain);
    assert_eq!(shown(&metadata("nothing")), plain);

    let everything = ToolMetadata::builder()
        .return_direct(true)
        .sequential(true)
        .blocking(true)
        .idempotent(true)
        .read_only(true)
        .requires_approval(true)
        .timeout(Duration::from_millis(1500))
        .max_retries(5)
        .max_result_bytes(65536)
        .result_converter(|result: ToolResult<'_>| result.by_default())
        .build();
    assert_eq!(shown(&metadata("everything")), shown(&everything));

    let others = metadata("others");
    assert!(others.destructive() && others.idempotent() && !others.read_only());
    assert_eq!(others.timeout(), Some(Duration::from_secs(120)));

    let function = tool_of(free, "free").tool_metadata().clone();
    assert!(function.requires_approval());
    assert_eq!(function.timeout(), Some(Duration::from_secs(3600)));
    assert_eq!(function.max_retries(), 0);
}

#[test]
fn def_5_every_kind_of_callback_has_metadata() {
    let metadata = || {
        ToolMetadata::builder()
            .destructive(true)
            .sequential(true)
            .build()
    };
    let convert = |_: ToolResult<'_>| Ok(ToolOutput::from_text("converted"));
    let function = FunctionToolCallback::builder("f", || 1)
        .tool_metadata(metadata())
        .result_converter(convert)
        .build()
        .unwrap();
    let method = MethodToolCallback::builder("m")
        .tool_metadata(metadata())
        .result_converter(convert)
        .method(|| 1)
        .build()
        .unwrap();
    let expected = ToolMetadataBuilder::from(metadata())
        .result_converter(convert)
        .build();
    assert_eq!(shown(function.tool_metadata()), shown(&expected));
    assert_eq!(shown(method.tool_metadata()), shown(&expected));
}

/// Says on which thread it runs.
struct Threads;

#[tools]
impl Threads {
    #[tool(blocking)]
    fn thread(&self) -> String {
        format!("{:?}", std::thread::current().id())
    }
}

#[tokio::test]
async fn def_3_a_blocking_tool_runs_where_its_future_is_polled_first() {
    let here = format!("{:?}", std::thread::current().id());
    let by_function =
        FunctionToolCallback::builder("thread", || format!("{:?}", std::thread::current().id()));
    let by_method = MethodToolCallback::builder("thread")
        .method(|| format!("{:?}", std::thread::current().id()));
    let tools: [std::sync::Arc<dyn ToolCallback>; 3] = [
        tool_of(Threads, "thread"),
        std::sync::Arc::new(by_function.build().unwrap()),
        std::sync::Arc::new(by_method.build().unwrap()),
    ];
    for tool in tools {
        // As the executor does: called and driven on a thread that may block.
        let there = tokio::task::spawn_blocking(move || {
            let input = ToolInput::parse("{}").unwrap();
            let mut running = tool.call(input, ToolContext::empty());
            let first_poll = futures::FutureExt::now_or_never(&mut running);
            let thread = first_poll
                .expect("the first poll does all the work")
                .unwrap();
            (
                thread.text().into_owned(),
                format!("{:?}", std::thread::current().id()),
            )
        });
        let (ran_on, driven_on) = there.await.unwrap();
        assert_eq!(ran_on, driven_on);
        assert_ne!(ran_on, here);
    }
}

#[test]
fn def_3_nothing_runs_before_the_future_is_polled() {
    use std::sync::atomic::{AtomicU32, Ordering};

    static RUNS: AtomicU32 = AtomicU32::new(0);

    #[tool]
    fn counted() {
        RUNS.fetch_add(1, Ordering::SeqCst);
    }

    let tool = tool_of(counted, "counted");
    drop(tool.call(ToolInput::parse("{}").unwrap(), ToolContext::empty()));
    assert_eq!(RUNS.load(Ordering::SeqCst), 0);
}
