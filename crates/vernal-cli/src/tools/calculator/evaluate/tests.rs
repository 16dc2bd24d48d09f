use super::*;

#[test]
fn expressions_are_calculated() {
    for (expression, value) in [
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * 3", "9"),
        ("0.1 + 0.2", "0.3"),
        ("10 - 4 - 3", "3"),
        ("2 ^ 3 ^ 2", "512"),
        ("-2 ^ 2", "-4"),
        ("2 ^ -1", "0.5"),
        ("2 ** 10", "1024"),
        ("17 % 5", "2"),
        ("-17 % 5", "-2"),
        ("7 / 2", "3.5"),
        ("1 / 3", "0.333333333333333"),
        ("12 × 3 ÷ 4 − 1", "8"),
        ("sqrt(16) + max(1, 7, 3) - min(4, 2)", "9"),
        ("round(2.71828, 2)", "2.72"),
        ("round(2.5)", "3"),
        ("ceil(1.2) + floor(-1.2)", "0"),
        ("log(1000) + log(8, 2)", "6"),
        ("sin(pi / 2)", "1"),
        ("factorial(20)", "2432902008176640000"),
        ("avg(1, 2, 6)", "3"),
        ("1.5e3 + 1e-1", "1500.1"),
        ("1_000 * 2", "2000"),
        ("2 * pi", "6.28318530717959"),
        ("((((1))))", "1"),
        ("+-+5", "-5"),
        ("9007199254740993 + 1", "9007199254740994"),
    ] {
        assert_eq!(
            evaluate(expression).map(|n| n.to_string()),
            Ok(value.to_owned()),
            "{expression}"
        );
    }
}

#[test]
fn errors_say_where() {
    for (expression, problem) in [
        ("", "position 1: expected a number, but the expression ends"),
        ("1 +", "position 4: expected a number"),
        ("1 + * 2", "position 5: expected a number, not `*`"),
        ("(1 + 2", "position 7: expected a `)`"),
        ("1 + 2)", "position 6: this `)` closes nothing"),
        ("1 2", "position 3: expected an operator before `2`"),
        ("1,000 + 1", "position 2: a comma"),
        ("5 / (2 - 2)", "position 4: this divides by zero"),
        ("15% of 200", "position 4: `%` is the remainder"),
        ("15%", "position 4: `%` is the remainder"),
        ("sqrt(-1)", "position 1: `sqrt(-1)` is no number"),
        (
            "sqr(4)",
            "position 1: there is no `sqr`; did you mean `sqrt(…)`",
        ),
        (
            "sqrt 4",
            "position 1: `sqrt` needs its argument in parentheses",
        ),
        ("x + 1", "position 1: there is no `x`"),
        ("sqrt(1, 2)", "position 1: `sqrt` takes one argument, not 2"),
        ("max()", "position 1: `max` needs at least one argument"),
        ("(-8) ^ 0.5", "position 7: -8 ^ 0.5 is no real number"),
        (
            "factorial(2.5)",
            "position 1: `factorial` needs a whole number",
        ),
        ("1.2.3", "position 1: `1.2.3` is no number"),
        ("10 ^ 400", "the result is too large"),
        ("√2", "position 1: write `sqrt(…)`"),
    ] {
        let error = evaluate(expression).unwrap_err();
        assert!(error.starts_with(problem), "{expression}: {error}");
    }
}

#[test]
fn no_input_is_too_much() {
    assert!(
        evaluate(&"(".repeat(LONGEST))
            .unwrap_err()
            .contains("nested deeper")
    );
    assert!(
        evaluate(&"-".repeat(LONGEST))
            .unwrap_err()
            .contains("nested deeper")
    );
    assert!(
        evaluate(&"2^".repeat(1_000))
            .unwrap_err()
            .contains("nested deeper")
    );
    assert!(
        evaluate(&"1+".repeat(LONGEST))
            .unwrap_err()
            .contains("longer than")
    );
    assert!(evaluate("99999999999999999999999999999999999999999999 * 9").is_ok());
    for text in [
        "e",
        "1e",
        "1e+",
        ".",
        "..",
        "(",
        ")",
        ",",
        "()",
        "%",
        "^",
        "한글(1)",
        "🙂",
        "\0",
    ] {
        let _ = evaluate(text);
    }
}
