//! The functions and constants of the calculator.

use super::number::Number;

/// The names that `call` knows, for suggestions.
pub(crate) const NAMES: &[&str] = &[
    "abs",
    "acos",
    "asin",
    "atan",
    "avg",
    "cbrt",
    "ceil",
    "cos",
    "exp",
    "factorial",
    "floor",
    "ln",
    "log",
    "max",
    "min",
    "pow",
    "round",
    "sin",
    "sqrt",
    "sum",
    "tan",
    "trunc",
];

pub(crate) fn constant(name: &str) -> Option<Number> {
    Some(Number::from_float(match name {
        "pi" | "π" => std::f64::consts::PI,
        "tau" | "τ" => std::f64::consts::TAU,
        "e" => std::f64::consts::E,
        _ => return None,
    }))
}

/// The value of a function; the error says what is wrong without saying where.
pub(crate) fn call(name: &str, arguments: &[Number]) -> Result<Number, String> {
    if matches!(name, "min" | "max" | "sum" | "avg") {
        return over_all(name, arguments);
    }
    let value = match (name, arguments) {
        ("abs", [x]) => Some(x.abs()),
        ("round", [x]) => Some(x.round(0)),
        ("round", [x, places]) => Some(x.round(whole(name, *places, 30)?)),
        ("floor", [x]) => Some(x.floor()),
        ("ceil", [x]) => Some(x.neg().floor().neg()),
        ("trunc", [x]) => Some(x.trunc()),
        ("factorial", [x]) => Some(factorial(whole(name, *x, 170)?)),
        ("pow", [x, exponent]) => x.pow(*exponent),
        ("log", [x, base]) => real(x.to_float().log(base.to_float())),
        (_, [x]) => of_float(name, x.to_float()).and_then(real),
        _ => return Err(wrong_count(name, arguments.len())),
    };
    value.ok_or_else(|| {
        let arguments: Vec<String> = arguments.iter().map(Number::to_string).collect();
        format!("`{name}({})` is no number", arguments.join(", "))
    })
}

fn wrong_count(name: &str, count: usize) -> String {
    let counts = match name {
        "round" | "log" => "one or two arguments",
        "pow" => "two arguments",
        _ => "one argument",
    };
    format!("`{name}` takes {counts}, not {count}")
}

fn of_float(name: &str, x: f64) -> Option<f64> {
    Some(match name {
        "sqrt" => x.sqrt(),
        "cbrt" => x.cbrt(),
        "exp" => x.exp(),
        "ln" => x.ln(),
        "log" => x.log10(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        _ => return None,
    })
}

/// A value, if it exists.
fn real(value: f64) -> Option<Number> {
    value.is_finite().then(|| Number::from_float(value))
}

fn over_all(name: &str, arguments: &[Number]) -> Result<Number, String> {
    let (Some(first), count) = (arguments.first(), arguments.len()) else {
        return Err(format!("`{name}` needs at least one argument"));
    };
    let rest = arguments.iter().skip(1).copied();
    Ok(match name {
        "min" => rest.fold(
            *first,
            |least, x| if x.is_less_than(least) { x } else { least },
        ),
        "max" => rest.fold(
            *first,
            |most, x| if most.is_less_than(x) { x } else { most },
        ),
        _ => {
            let sum = rest.fold(*first, Number::add);
            let count = Number::from_float(count as f64);
            if name == "sum" {
                sum
            } else {
                sum.div(count).unwrap_or(Number::ZERO)
            }
        }
    })
}

fn whole(name: &str, x: Number, most: u32) -> Result<u32, String> {
    let fits = x
        .to_whole()
        .and_then(|n| u32::try_from(n).ok())
        .filter(|n| *n <= most);
    fits.ok_or_else(|| format!("`{name}` needs a whole number from 0 to {most} here, not {x}"))
}

fn factorial(n: u32) -> Number {
    let one = Number::from_float(1.0);
    (2..=n).fold(one, |product, factor| {
        product.mul(Number::from_float(factor.into()))
    })
}
