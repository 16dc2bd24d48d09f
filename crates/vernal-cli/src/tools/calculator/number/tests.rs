use super::*;

fn n(text: &str) -> Number {
    match text.strip_prefix('-') {
        Some(rest) => Number::read(rest).unwrap().neg(),
        None => Number::read(text).unwrap(),
    }
}

#[test]
fn decimals_are_exact() {
    assert_eq!(n("0.1").add(n("0.2")).to_string(), "0.3");
    assert_eq!(n("19.99").mul(n("3")).to_string(), "59.97");
    assert_eq!(n("1").div(n("8")).unwrap().to_string(), "0.125");
    assert_eq!(n("1").div(n("3")).unwrap().to_string(), "0.333333333333333");
    assert_eq!(n("7.5").rem(n("2")).unwrap().to_string(), "1.5");
    assert_eq!(
        n("2").pow(n("100")).unwrap().to_string(),
        "1267650600228229401496703205376"
    );
    assert_eq!(n("2").pow(n("-2")).unwrap().to_string(), "0.25");
    assert_eq!(n("1.05").pow(n("2")).unwrap().to_string(), "1.1025");
}

#[test]
fn what_is_not_exact_has_fifteen_digits() {
    for (float, text) in [
        (0.1 + 0.2, "0.3"),
        (2_f64.sqrt(), "1.4142135623731"),
        (1e300, "1e300"),
        (1.5e-9, "1.5e-9"),
        (-0.0001234, "-0.0001234"),
        (1e16 + 2.0, "10000000000000002"),
        (123456789.5, "123456789.5"),
    ] {
        let shown = Number::from_float(float).to_string();
        let close: f64 = shown.parse().unwrap();
        assert!(((close - float) / float).abs() < 1e-14, "{shown} {text}");
    }
    assert_eq!(Float(0.1 + 0.2).to_string(), "0.3");
    assert_eq!(Float(1e300).to_string(), "1e300");
    assert_eq!(Float(1.5e-9).to_string(), "1.5e-9");
    assert_eq!(Float(-0.0001234).to_string(), "-0.0001234");
}

#[test]
fn numbers_are_rounded_away_from_zero_at_halves() {
    for (number, places, rounded) in [
        ("2.5", 0, "3"),
        ("-2.5", 0, "-3"),
        ("2.449", 1, "2.4"),
        ("1.005", 2, "1.01"),
        ("7", 3, "7"),
    ] {
        assert_eq!(n(number).round(places).to_string(), rounded);
    }
    assert_eq!(n("-2.5").floor().to_string(), "-3");
    assert_eq!(n("2.5").floor().to_string(), "2");
    assert_eq!(n("-2.5").trunc().to_string(), "-2");
}

#[test]
fn nothing_panics_at_the_bounds() {
    let most = Exact {
        digits: i128::MAX,
        scale: 0,
    };
    let least = Exact {
        digits: i128::MIN,
        scale: 30,
    };
    for a in [
        most,
        least,
        Number::ZERO,
        Float(f64::MAX),
        Exact {
            digits: 1,
            scale: MOST_PLACES,
        },
    ] {
        for b in [most, least, Number::ZERO, Float(f64::MIN_POSITIVE), n("-1")] {
            let results = [
                Some(a.add(b)),
                Some(a.sub(b)),
                Some(a.mul(b)),
                a.div(b),
                a.rem(b),
                a.pow(b),
            ];
            for result in results.into_iter().flatten() {
                let _ = (
                    result.to_string(),
                    result.round(2),
                    result.floor(),
                    result.abs(),
                );
            }
        }
    }
    assert!(n("1").div(Number::ZERO).is_none() && n("1").rem(n("0.0")).is_none());
    assert!(n("-1").pow(n("0.5")).is_none() && Number::ZERO.pow(n("-1")).is_none());
}
