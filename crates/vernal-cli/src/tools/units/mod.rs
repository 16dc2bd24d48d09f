//! Conversion between units of measurement.

mod table;

use vernal::prelude::*;

use super::calculator::number::Number;
use crate::nearest::nearest;
use table::{Kind, UNITS, Unit};

pub(crate) struct UnitTools;

#[tools]
impl UnitTools {
    /// Convert a value from one unit of measurement to another.
    ///
    /// It knows units of length, mass, temperature, volume, area, speed, time and data, by symbol or
    /// by name, in English and in Korean: `km`, `miles`, `fl oz`, `°F`, `킬로미터`, `평`, `MiB`.
    #[tool]
    fn convert_units(
        &self,
        /// The number to convert.
        value: f64,
        /// The unit that the value is in, such as `miles`.
        from: String,
        /// The unit to convert to, such as `km`.
        to: String,
    ) -> Result<String, ToolError> {
        convert(value, &from, &to).map_err(ToolError::model)
    }
}

fn convert(amount: f64, from: &str, to: &str) -> Result<String, String> {
    let (source, target) = (find(from)?, find(to)?);
    if source.kind != target.kind {
        return Err(format!(
            "`{}` is a unit of {} and `{}` one of {}; convert between units of one kind",
            from.trim(),
            source.kind.name(),
            to.trim(),
            target.kind.name()
        ));
    }
    // Through the unit that the factors of the kind refer to; for temperatures that is kelvin.
    let converted = (amount * source.factor + source.offset - target.offset) / target.factor;
    if !converted.is_finite() {
        return Err(format!("{amount} {from} is too large to be converted"));
    }
    if source.kind != Kind::Temperature && amount < 0.0 {
        return Err(format!(
            "there are no {amount} {from}; give a positive amount"
        ));
    }
    if source.kind == Kind::Temperature && amount * source.factor + source.offset < -1e-9 {
        return Err(format!("{amount} {from} is colder than absolute zero"));
    }
    let shown =
        |amount: f64, unit: &Unit| format!("{} {}", Number::from_float(amount), unit.symbol);
    Ok(format!(
        "{} = {}",
        shown(amount, source),
        shown(converted, target)
    ))
}

/// The unit of a symbol or name. Case counts only where it tells two units apart, as in `Mb` and `MB`.
fn find(written: &str) -> Result<&'static Unit, String> {
    let written = written.trim().trim_end_matches('.');
    if let Some(unit) = UNITS
        .iter()
        .find(|unit| unit.names().any(|name| name == written))
    {
        return Ok(unit);
    }
    let lower = written.to_lowercase();
    let regular = lower
        .strip_suffix('s')
        .filter(|stem| stem.chars().count() > 2);
    let mut alike = UNITS.iter().filter(|unit| {
        unit.names().any(|name| {
            let name = name.to_lowercase();
            name == lower || regular == Some(name.as_str())
        })
    });
    match (alike.next(), alike.next()) {
        (Some(unit), None) => Ok(unit),
        (Some(one), Some(other)) => Err(format!(
            "`{written}` can be `{}` ({}) or `{}` ({}); write it with the right capitals",
            one.symbol, one.name, other.symbol, other.name
        )),
        (None, _) => Err(unknown(written)),
    }
}

fn unknown(written: &str) -> String {
    let names = UNITS
        .iter()
        .flat_map(|unit| unit.names())
        .filter(|name| name.chars().count() > 3);
    match nearest(written, names) {
        Some(meant) => format!("there is no unit `{written}`; did you mean `{meant}`?"),
        None => format!(
            "there is no unit `{written}`; there are units of length, mass, temperature, volume, area, \
             speed, time and data, such as {}",
            ["km", "lb", "°C", "l", "m²", "km/h", "min", "MB"].join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn amounts_are_converted() {
        for (amount, from, to, result) in [
            (5.0, "miles", "km", "5 mi = 8.04672 km"),
            (3.0, "ft", "m", "3 ft = 0.9144 m"),
            (100.0, "°F", "celsius", "100 °F = 37.7777777777778 °C"),
            (-40.0, "C", "F", "-40 °C = -40 °F"),
            (0.0, "섭씨", "켈빈", "0 °C = 273.15 K"),
            (30.0, "평", "제곱미터", "30 평 = 99.1735537190083 m²"),
            (1.0, "근", "g", "1 근 = 600 g"),
            (2.0, "cups", "mL", "2 cup = 473.176473 mL"),
            (100.0, "km/h", "mph", "100 km/h = 62.1371192237334 mph"),
            (1.0, "GiB", "MB", "1 GiB = 1073.741824 MB"),
            (8.0, "Mb", "MB", "8 Mb = 1 MB"),
            (90.0, "minutes", "hours", "90 min = 1.5 h"),
            (1.0, "킬로미터", "m", "1 km = 1000 m"),
            (1.0, "Inches", "CM", "1 in = 2.54 cm"),
            (12.0, "fl. oz", "fl oz", "12 fl oz = 12 fl oz"),
        ] {
            assert_eq!(
                convert(amount, from, to),
                Ok(result.to_owned()),
                "{amount} {from} {to}"
            );
        }
    }

    #[test]
    fn what_cannot_be_converted_says_why() {
        for (amount, from, to, problem) in [
            (
                1.0,
                "kg",
                "m",
                "`kg` is a unit of mass and `m` one of length",
            ),
            (1.0, "kilometrs", "m", "did you mean `kilometre`"),
            (1.0, "florps", "m", "there are units of length"),
            (
                1.0,
                "gb",
                "m",
                "`gb` can be `GB` (gigabyte) or `Gb` (gigabit)",
            ),
            (-1.0, "m", "cm", "positive amount"),
            (-300.0, "°C", "K", "absolute zero"),
            (f64::MAX, "km", "mm", "too large"),
            (f64::NAN, "km", "m", "too large"),
            (1.0, "", "m", "there is no unit ``"),
        ] {
            let error = convert(amount, from, to).unwrap_err();
            assert!(error.contains(problem), "{from}: {error}");
        }
    }

    #[test]
    fn every_name_means_one_unit() {
        let mut seen = HashMap::new();
        for unit in UNITS {
            for name in unit.names() {
                let other = seen.insert(name, unit.symbol);
                assert!(
                    other.is_none_or(|symbol| symbol == unit.symbol),
                    "{name}: {other:?}"
                );
                assert_eq!(find(name).unwrap().symbol, unit.symbol, "{name}");
            }
            assert!(unit.factor > 0.0);
        }
    }
}
