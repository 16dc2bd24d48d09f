//! LIM-5 and LIM-6 through the manager, as an application sets them.

use vernal_core::calling::ToolCallLimitBehavior;
use vernal_core::message::FinishReason;

use crate::kit::tool;
use crate::scenario::{Scenario, calls};

#[tokio::test]
async fn lim_5_an_excluded_tool_is_bounded_by_the_total_alone_and_uses_it_up_for_others() {
    let scenario = Scenario::new()
        .manager(|m| {
            m.max_calls_per_tool(2)
                .exclude_tool_from_limit("free")
                .max_total_tool_calls(5)
        })
        .tool(tool("free"))
        .tool(tool("other"))
        .reply(calls("free", 4))
        .reply(calls("other", 2));
    scenario
        .check(|outcome| {
            assert_eq!(outcome.ran(), ["free", "free", "free", "free", "other"]);
            assert_eq!(
                outcome.finish_reason(),
                Some(&FinishReason::ToolCallLimitExceeded)
            );
            assert!(outcome.text().contains('5'), "{}", outcome.text());
        })
        .await;
}

#[tokio::test]
async fn lim_6_the_last_builder_call_about_a_tool_wins_in_the_loop_too() {
    let behavior = ToolCallLimitBehavior::ReturnErrorResponse;
    for (excluded_last, runs) in [(true, 5), (false, 1)] {
        let scenario = Scenario::new()
            .manager(|m| {
                let m = m.on_limit_exceeded(behavior).max_calls_per_tool(2);
                if excluded_last {
                    m.max_calls_for_tool("t", 1).exclude_tool_from_limit("t")
                } else {
                    m.exclude_tool_from_limit("t").max_calls_for_tool("t", 1)
                }
            })
            .tool(tool("t"))
            .reply(calls("t", 5))
            .says("done");
        scenario
            .check(|outcome| {
                assert_eq!(outcome.ran().len(), runs);
                assert_eq!(outcome.text(), "done");
            })
            .await;
    }
}

#[test]
fn lim_6_a_manager_is_not_built_with_zero_or_blank_settings() {
    let builder = vernal_core::calling::ToolCallingManager::builder;
    let table = [
        (builder().max_calls_per_tool(0), "max_calls_per_tool"),
        (builder().max_calls_for_tool("t", 0), "max_calls_for_tool"),
        (builder().max_calls_for_tool(" ", 1), "blank"),
        (builder().exclude_tool_from_limit(""), "blank"),
        (builder().max_total_tool_calls(0), "max_total_tool_calls"),
        (builder().max_rounds(0), "max_rounds"),
        (builder().max_concurrency(0), "max_concurrency"),
    ];
    for (builder, said) in table {
        let error = builder.build().unwrap_err().to_string();
        assert!(error.contains(said), "{said}: {error}");
    }
}
