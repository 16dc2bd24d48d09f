//! Budgets that cannot be meant.

use std::time::Duration;

use vernal_core::advisor::{BudgetAdvisor, ModelPrice};

#[test]
fn a_budget_says_what_is_wrong_with_it() {
    let builder = BudgetAdvisor::builder;
    let price = ModelPrice::per_million_tokens;
    for (builder, what) in [
        (builder(), "no limit"),
        (builder().max_tokens(0), "`max_tokens` is 0"),
        (builder().max_model_calls(0), "`max_model_calls` is 0"),
        (builder().max_time(Duration::ZERO), "`max_time` is 0ns"),
        (builder().max_cost(0.0), "`max_cost` is 0"),
        (builder().max_cost(-1.0), "`max_cost` is -1"),
        (builder().max_cost(f64::NAN), "`max_cost` is NaN"),
        (builder().max_cost(1.0), "but no price"),
        (
            builder().max_cost(1.0).price("m", price(-1.0, 2.0)),
            "a price is -1",
        ),
        (
            builder()
                .max_tokens(1)
                .default_price(price(1.0, 2.0).cache_read(f64::INFINITY)),
            "a price is inf",
        ),
        (builder().max_tokens(0).max_tokens(5), "`max_tokens` is 0"),
    ] {
        let error = builder.build().unwrap_err().to_string();
        assert!(error.contains(what), "{what}: {error}");
    }
    builder()
        .max_cost(1.0)
        .price("m", price(0.0, 0.0))
        .build()
        .unwrap();
}
