//! LOOP-6: what a turn has cost, however it ends.

use vernal_core::message::Usage;
use vernal_core::model::{ModelError, ModelErrorKind};
use vernal_testing::Reply;

use crate::drivers::Driver;
use crate::kit::tool;
use crate::scenario::Scenario;

fn usage(n: u64) -> Usage {
    let mut usage = Usage::new(10 * n, n);
    usage.cache_read_input_tokens = 2 * n;
    usage.cache_write_input_tokens = 3 * n;
    usage.reasoning_output_tokens = 4 * n;
    usage
}

fn rounds_that_cost() -> Scenario {
    Scenario::new()
        .tool(tool("a"))
        .tool(tool("direct").direct())
        .tool(tool("fatal").fails_fatally("no"))
        .manager(|m| m.max_calls_per_tool(1).strict_tool_names(true))
        .reply(Reply::call("a", "{}").usage(usage(1)))
}

#[tokio::test]
async fn loop_6_usage_is_summed_over_rounds_however_the_turn_ends() {
    let second = |reply: Reply| rounds_that_cost().reply(reply.usage(usage(20)));
    let answer = second(Reply::text("done"));
    let direct = second(Reply::call("direct", "{}"));
    let limit = second(Reply::call("a", "{}"));
    let fatal = second(Reply::call("fatal", "{}"));
    let unknown = second(Reply::call("unheard-of", "{}"));
    for (scenario, fails) in [
        (answer, false),
        (direct, false),
        (limit, false),
        (fatal, true),
        (unknown, true),
    ] {
        scenario
            .check(|outcome| {
                assert_eq!(outcome.error.is_some(), fails);
                assert_eq!(outcome.usage, usage(21));
                if !fails {
                    assert_eq!(outcome.response().metadata.usage, Some(usage(21)));
                }
                assert_eq!(outcome.executions[0].0, "a");
            })
            .await;
    }
}

#[tokio::test]
async fn loop_6_an_error_of_the_model_keeps_what_the_turn_had_cost() {
    let error = ModelError::new(ModelErrorKind::Server, "overloaded");
    let scenario = rounds_that_cost().reply(Reply::error(error));
    scenario
        .check(|outcome| {
            assert_eq!(outcome.usage, usage(1));
            assert_eq!(outcome.rounds, 1);
            assert_eq!(outcome.error().to_string(), "overloaded");
            assert_eq!(outcome.transcript().len(), 3, "the round before it is kept");
        })
        .await;
}

#[tokio::test]
async fn loop_6_a_round_that_says_nothing_of_usage_takes_nothing_away() {
    let scenario = rounds_that_cost().says("done");
    scenario
        .check(|outcome| assert_eq!(outcome.usage, usage(1)))
        .await;
    let silent = Scenario::new().says("done");
    silent
        .check_on(&Driver::WITH_TURN, |outcome| {
            assert_eq!(outcome.response().metadata.usage, None)
        })
        .await;
}
