//! A calculator: `calculate("0.1 + 0.2")` is `0.3`.

mod evaluate;
mod functions;
pub(crate) mod number;

use vernal::prelude::*;

pub(crate) struct Calculator;

#[tools]
impl Calculator {
    /// Evaluate an arithmetic expression exactly, instead of calculating in your head.
    ///
    /// It knows `+ - * / ^`, `%` for the remainder, parentheses, the constants `pi` and `e`, and the
    /// functions abs, sqrt, cbrt, exp, ln, log (to base 10, or `log(x, base)`), sin, cos and tan (of
    /// radians), asin, acos, atan, min, max, sum, avg, round (to whole numbers, or `round(x,
    /// places)`), floor, ceil, trunc and factorial.
    #[tool]
    fn calculate(
        &self,
        /// The expression, such as `(19.99 * 3) / 2` or `sqrt(2) ^ 3`; for 15 percent write `0.15`.
        expression: String,
    ) -> Result<String, ToolError> {
        evaluate::evaluate(&expression)
            .map(|number| number.to_string())
            .map_err(ToolError::model)
    }
}
