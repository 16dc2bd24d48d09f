//! LIM-3 to LIM-6: up to where calls are allowed, and what limits can be set.

use vernal_core::calling::{
    ToolCallLimitBehavior, ToolCallLimits, ToolCallLimitsBuilder, ToolCallingManager,
};

use crate::kit::tool;
use crate::lim::{LIMITED, tally};
use crate::scenario::{Scenario, calls};

#[tokio::test]
async fn lim_3_exactly_n_calls_are_allowed_in_one_batch() {
    for (count, expected) in [
        (4, [4, 0, 0]),
        (5, [5, 0, 0]),
        (6, [5, 0, 1]),
        (7, [5, 0, 2]),
    ] {
        let scenario = Scenario::new()
            .tool(tool("a"))
            .manager(|m| m.max_calls_per_tool(5))
            .reply(calls("a", count))
            .says("done");
        scenario
            .check(|outcome| {
                assert_eq!(tally(outcome), expected);
                assert_eq!(outcome.executions.len(), expected[0]);
                assert_eq!(outcome.finish_reason() == LIMITED, count > 5);
            })
            .await;
    }
}

#[tokio::test]
async fn lim_3_exactly_n_calls_are_allowed_over_rounds() {
    let rounds = |sizes: &[usize]| {
        let scenario = Scenario::new()
            .tool(tool("a"))
            .manager(|m| m.max_total_tool_calls(5).max_rounds(9).unlimited_repeats());
        sizes
            .iter()
            .fold(scenario, |s, size| s.reply(calls("a", *size)))
            .says("done")
    };
    for sizes in [&[1, 1, 1, 1, 1][..], &[3, 2], &[5]] {
        rounds(sizes)
            .check(|outcome| assert_eq!(outcome.text(), "done"))
            .await;
    }
    for sizes in [&[1, 1, 1, 1, 1, 1][..], &[3, 3], &[4, 1, 2]] {
        rounds(sizes)
            .check(|outcome| {
                assert_eq!(outcome.finish_reason(), LIMITED);
                assert_eq!(outcome.executions.len(), 5);
                assert_eq!(outcome.rounds as usize, sizes.len());
            })
            .await;
    }
}

#[tokio::test]
async fn lim_4_per_tool_goes_before_total() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .manager(|m| m.max_calls_per_tool(2).max_total_tool_calls(2))
        .reply(calls("a", 3));
    scenario
        .check(|outcome| {
            assert_eq!(
                outcome.text(),
                "The limit of 2 calls of the tool `a` in one turn is reached."
            );
        })
        .await;
}

#[tokio::test]
async fn lim_4_limits_go_before_names_and_arguments() {
    let schema = r#"{"type":"object","properties":{"n":{"type":"string"}}}"#;
    for (name, arguments) in [
        ("unheard-of", "{}"),
        ("a", "not json"),
        ("a", r#"{"n":[]}"#),
    ] {
        let scenario = Scenario::new()
            .tool(tool("a").schema(schema))
            .manager(|m| m.max_calls_per_tool(2))
            .calls(name, arguments)
            .calls(name, arguments)
            .calls(name, arguments)
            .says("unreached");
        scenario
            .check(|outcome| {
                assert_eq!(outcome.model_calls(), 3);
                let expected =
                    format!("The limit of 2 calls of the tool `{name}` in one turn is reached.");
                assert_eq!(outcome.text(), expected);
                assert_eq!(tally(outcome), [0, 0, 1]);
            })
            .await;
    }
}

#[tokio::test]
async fn lim_5_an_excluded_tool_counts_for_the_total_only() {
    let scenario = |frees| {
        Scenario::new()
            .tool(tool("free"))
            .tool(tool("a"))
            .manager(|m| {
                m.max_calls_per_tool(1)
                    .exclude_tool_from_limit("free")
                    .max_total_tool_calls(4)
            })
            .reply(calls("free", frees))
            .calls("a", "{}")
            .says("done")
    };
    scenario(3)
        .check(|outcome| assert_eq!(outcome.text(), "done"))
        .await;
    scenario(4)
        .check(|outcome| {
            assert_eq!(
                outcome.text(),
                "The limit of 4 tool calls in one turn is reached."
            );
            assert_eq!(outcome.ran(), ["free"; 4]);
        })
        .await;
    scenario(5)
        .check(|outcome| assert_eq!(tally(outcome), [4, 0, 1]))
        .await;
}

fn limits(set: impl FnOnce(ToolCallLimitsBuilder) -> ToolCallLimitsBuilder) -> ToolCallLimits {
    set(ToolCallLimits::builder()).build().unwrap()
}

fn refused(set: impl FnOnce(ToolCallLimitsBuilder) -> ToolCallLimitsBuilder) -> String {
    set(ToolCallLimits::builder())
        .build()
        .unwrap_err()
        .to_string()
}

#[test]
fn lim_6_the_last_word_about_a_tool_wins() {
    let of = |limits: ToolCallLimits| limits.max_calls_of("a");
    let all = |b: ToolCallLimitsBuilder| b.max_calls_per_tool(5);
    assert_eq!(of(limits(|b| all(b).max_calls_for_tool("a", 2))), Some(2));
    assert_eq!(of(limits(|b| all(b.max_calls_for_tool("a", 2)))), Some(2));
    assert_eq!(of(limits(|b| all(b).exclude_tool_from_limit("a"))), None);
    assert_eq!(of(limits(|b| all(b.exclude_tool_from_limit("a")))), None);
    let both = |b: ToolCallLimitsBuilder| b.max_calls_for_tool("a", 2).exclude_tool_from_limit("a");
    assert_eq!(of(limits(both)), None);
    assert_eq!(of(limits(|b| both(b).max_calls_for_tool("a", 3))), Some(3));
    assert_eq!(
        of(limits(|b| b
            .unlimited_calls_per_tool()
            .max_calls_for_tool("a", 2))),
        Some(2)
    );
    assert_eq!(
        of(limits(|b| b
            .max_calls_for_tool("a", 2)
            .unlimited_calls_per_tool())),
        Some(2)
    );
    assert_eq!(
        of(limits(|b| all(b).max_calls_for_tool("b", 2))),
        Some(5),
        "another tool"
    );
    assert_eq!(of(limits(|b| all(b.unlimited_calls_per_tool()))), Some(5));
    assert_eq!(of(limits(|b| all(b).unlimited_calls_per_tool())), None);
    assert_eq!(
        limits(|b| b.unlimited_total_tool_calls()).max_total_calls(),
        None
    );
    let total = limits(|b| b.unlimited_total_tool_calls().max_total_tool_calls(3));
    assert_eq!(total.max_total_calls(), Some(3));
}

#[test]
fn lim_6_zero_and_blank_names_are_errors_that_name_the_setting() {
    for (text, setting) in [
        (
            refused(|b| b.max_calls_per_tool(0)),
            "`max_calls_per_tool` is 0",
        ),
        (
            refused(|b| b.max_calls_for_tool("a", 0)),
            "`max_calls_for_tool` is 0",
        ),
        (
            refused(|b| b.max_total_tool_calls(0)),
            "`max_total_tool_calls` is 0",
        ),
        (refused(|b| b.max_rounds(0)), "`max_rounds` is 0"),
        (
            refused(|b| b.max_calls_for_tool(" ", 1)),
            "`max_calls_for_tool` names a blank tool",
        ),
        (
            refused(|b| b.exclude_tool_from_limit("")),
            "`exclude_tool_from_limit` names a blank",
        ),
        (
            refused(|b| b.max_rounds(0).max_calls_per_tool(0)),
            "`max_rounds` is 0",
        ),
        (
            refused(|b| b.max_rounds(0).max_rounds(1)),
            "`max_rounds` is 0",
        ),
    ] {
        assert!(text.contains(setting), "{text}");
    }
    // The manager's builder passes everything on.
    let builder = ToolCallingManager::builder;
    for invalid in [
        builder().max_calls_per_tool(0),
        builder().max_calls_for_tool("a", 0),
        builder().max_calls_for_tool("\t", 1),
        builder().exclude_tool_from_limit(" "),
        builder().max_total_tool_calls(0),
        builder().max_rounds(0),
        builder().max_concurrency(0),
    ] {
        assert!(invalid.build().is_err());
    }
    let manager = builder()
        .max_calls_per_tool(5)
        .max_calls_for_tool("a", 2)
        .exclude_tool_from_limit("b")
        .unlimited_total_tool_calls()
        .max_rounds(7)
        .on_limit_exceeded(ToolCallLimitBehavior::ReturnErrorResponse)
        .build()
        .unwrap();
    let expected = limits(|b| {
        b.exclude_tool_from_limit("b")
            .max_calls_for_tool("a", 2)
            .max_calls_per_tool(5)
            .unlimited_total_tool_calls()
            .max_rounds(7)
            .on_limit_exceeded(ToolCallLimitBehavior::ReturnErrorResponse)
    });
    assert_eq!(manager.limits(), &expected);
}

#[tokio::test]
async fn lim_6_unlimited_is_unlimited() {
    let scenario = Scenario::new()
        .tool(tool("a"))
        .manager(|m| m.unlimited_calls_per_tool().unlimited_total_tool_calls())
        .reply(calls("a", 200))
        .says("done");
    scenario
        .check(|outcome| assert_eq!(outcome.executions.len(), 200))
        .await;
}
