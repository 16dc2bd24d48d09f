//! Numbers as people calculate with them: exact decimals as long as possible, else floats.

use std::fmt;

/// A number: `digits / 10^scale`, or a float where no such number is exact.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Number {
    Exact { digits: i128, scale: u32 },
    Float(f64),
}

use Number::{Exact, Float};

/// More places after the point than anybody reads; what has more is a float.
const MOST_PLACES: u32 = 60;

/// A power of ten, where it fits.
fn ten_to(power: u32) -> Option<i128> {
    10_i128.checked_pow(power)
}

impl Number {
    pub(crate) const ZERO: Self = Exact {
        digits: 0,
        scale: 0,
    };

    /// Reads digits with at most one point and an exponent, as the calculator found them.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let exact = || {
            let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
            let digits = format!("{whole}{fraction}").parse().ok()?;
            Self::exact(digits, u32::try_from(fraction.len()).ok()?)
        };
        if !text.contains(['e', 'E'])
            && let Some(number) = exact()
        {
            return Some(number);
        }
        text.parse()
            .ok()
            .filter(|float: &f64| float.is_finite())
            .map(Self::from_float)
    }

    fn exact(digits: i128, scale: u32) -> Option<Self> {
        (scale <= MOST_PLACES).then_some(Exact { digits, scale })
    }

    /// The number nearest to a float; whole floats become exact.
    pub(crate) fn from_float(float: f64) -> Self {
        // Up to 2^53 every whole float is one whole number and no other.
        if float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0 {
            return Exact {
                digits: float as i128,
                scale: 0,
            };
        }
        Float(float)
    }

    pub(crate) fn to_float(self) -> f64 {
        match self {
            Exact { digits, scale: 0 } => digits as f64,
            Exact { digits, scale } => format!("{digits}e-{scale}").parse().unwrap_or(f64::NAN),
            Float(float) => float,
        }
    }

    /// The whole number that this is, if it is one.
    pub(crate) fn to_whole(self) -> Option<i128> {
        match self.trimmed() {
            Exact { digits, scale: 0 } => Some(digits),
            _ => None,
        }
    }

    pub(crate) fn add(self, other: Self) -> Self {
        self.exactly(other, i128::checked_add)
            .unwrap_or_else(|| Self::from_float(self.to_float() + other.to_float()))
    }

    pub(crate) fn sub(self, other: Self) -> Self {
        self.exactly(other, i128::checked_sub)
            .unwrap_or_else(|| Self::from_float(self.to_float() - other.to_float()))
    }

    /// The remainder of a division that is cut towards zero; `None` for a divisor of zero.
    pub(crate) fn rem(self, other: Self) -> Option<Self> {
        if other.is_zero() {
            return None;
        }
        Some(
            self.exactly(other, i128::checked_rem)
                .unwrap_or_else(|| Self::from_float(self.to_float() % other.to_float())),
        )
    }

    pub(crate) fn mul(self, other: Self) -> Self {
        let exact = || {
            let (
                Exact {
                    digits: a,
                    scale: s,
                },
                Exact {
                    digits: b,
                    scale: t,
                },
            ) = (self.trimmed(), other.trimmed())
            else {
                return None;
            };
            Self::exact(a.checked_mul(b)?, s.checked_add(t)?)
        };
        exact().unwrap_or_else(|| Self::from_float(self.to_float() * other.to_float()))
    }

    /// `None` for a divisor of zero.
    pub(crate) fn div(self, other: Self) -> Option<Self> {
        if other.is_zero() {
            return None;
        }
        let float = || Self::from_float(self.to_float() / other.to_float());
        Some(self.div_exactly(other).unwrap_or_else(float))
    }

    /// A quotient with an end: one whose divisor has no prime factors but those of ten.
    fn div_exactly(self, other: Self) -> Option<Self> {
        let (
            Exact {
                digits: a,
                scale: s,
            },
            Exact {
                digits: b,
                scale: t,
            },
        ) = (self.trimmed(), other.trimmed())
        else {
            return None;
        };
        let (over, under) = (a.checked_mul(ten_to(t)?)?, b.checked_mul(ten_to(s)?)?);
        let shared = i128::try_from(gcd(over.unsigned_abs(), under.unsigned_abs())).ok()?;
        let (over, under) = (over / shared, under / shared);
        let (twos, fives) = (factors(under, 2), factors(under, 5));
        let scale = twos.max(fives);
        let power = ten_to(scale)?;
        let exact = power % under == 0;
        exact
            .then(|| over.checked_mul(power / under))?
            .map(|digits| Exact { digits, scale })
    }

    /// `None` where there is no real number: a root of a negative number, or zero to a negative power.
    pub(crate) fn pow(self, exponent: Self) -> Option<Self> {
        let whole = exponent.to_whole().and_then(|n| i32::try_from(n).ok());
        if let Some(n) = whole
            && let Some(power) = self.pow_exactly(n.unsigned_abs())
        {
            return if n >= 0 {
                Some(power)
            } else {
                Exact {
                    digits: 1,
                    scale: 0,
                }
                .div(power)
            };
        }
        let float = self.to_float().powf(exponent.to_float());
        let is_division_by_zero = self.is_zero() && float.is_infinite();
        (!float.is_nan() && !is_division_by_zero).then(|| Self::from_float(float))
    }

    fn pow_exactly(self, exponent: u32) -> Option<Self> {
        let Exact { digits, scale } = self.trimmed() else {
            return None;
        };
        Self::exact(digits.checked_pow(exponent)?, scale.checked_mul(exponent)?)
    }

    pub(crate) fn neg(self) -> Self {
        Self::ZERO.sub(self)
    }

    pub(crate) fn abs(self) -> Self {
        if self.to_float() < 0.0 {
            self.neg()
        } else {
            self
        }
    }

    pub(crate) fn is_zero(self) -> bool {
        matches!(self, Exact { digits: 0, .. }) || self.to_float() == 0.0
    }

    /// Whether this is the smaller one.
    pub(crate) fn is_less_than(self, other: Self) -> bool {
        match self.exactly(other, i128::checked_sub) {
            Some(Exact { digits, .. }) => digits < 0,
            _ => self.to_float() < other.to_float(),
        }
    }

    /// Rounded to so many places after the point, halves away from zero.
    pub(crate) fn round(self, places: u32) -> Self {
        match self {
            Exact { scale, .. } if scale <= places => self,
            Exact { digits, scale } => {
                let Some(unit) = ten_to(scale - places) else {
                    return Self::ZERO;
                };
                let half = unit / 2 * digits.signum();
                let rounded = digits
                    .checked_add(half)
                    .map_or(digits / unit, |sum| sum / unit);
                Exact {
                    digits: rounded,
                    scale: places,
                }
            }
            Float(float) => {
                let unit = 10_f64.powi(i32::try_from(places).unwrap_or(i32::MAX));
                let rounded = (float * unit).round() / unit;
                Self::from_float(if rounded.is_finite() { rounded } else { float })
            }
        }
    }

    /// Cut at the point, towards zero.
    pub(crate) fn trunc(self) -> Self {
        match self {
            Exact { digits, scale } => Exact {
                digits: ten_to(scale).map_or(0, |unit| digits / unit),
                scale: 0,
            },
            Float(float) => Self::from_float(float.trunc()),
        }
    }

    /// The largest whole number that is not larger.
    pub(crate) fn floor(self) -> Self {
        let cut = self.trunc();
        if self.is_less_than(cut) {
            cut.sub(Exact {
                digits: 1,
                scale: 0,
            })
        } else {
            cut
        }
    }

    /// Both at one scale, if both are exact and `operation` can be done.
    fn exactly(self, other: Self, operation: fn(i128, i128) -> Option<i128>) -> Option<Self> {
        let (
            Exact {
                digits: a,
                scale: s,
            },
            Exact {
                digits: b,
                scale: t,
            },
        ) = (self, other)
        else {
            return None;
        };
        let scale = s.max(t);
        let a = a.checked_mul(ten_to(scale - s)?)?;
        let b = b.checked_mul(ten_to(scale - t)?)?;
        Some(Exact {
            digits: operation(a, b)?,
            scale,
        })
    }

    /// The same number without zeros at its end.
    fn trimmed(self) -> Self {
        let Exact {
            mut digits,
            mut scale,
        } = self
        else {
            return self;
        };
        while scale > 0 && digits % 10 == 0 {
            digits /= 10;
            scale -= 1;
        }
        Exact { digits, scale }
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

fn factors(mut number: i128, prime: i128) -> u32 {
    let mut count = 0;
    while number != 0 && number % prime == 0 {
        number /= prime;
        count += 1;
    }
    count
}

/// Decimal, without the noise of binary fractions: floats have 15 digits that can be trusted.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.trimmed() {
            Exact { digits, scale } => write_decimal(f, digits < 0, digits.unsigned_abs(), scale),
            Float(float) if !float.is_finite() => write!(f, "{float}"),
            Float(float) => {
                let written = format!("{:.14e}", float.abs());
                let Some((mantissa, exponent)) = written.split_once('e') else {
                    return Err(fmt::Error);
                };
                let digits: u128 = mantissa.replace('.', "").parse().map_err(|_| fmt::Error)?;
                let exponent: i32 = exponent.parse().map_err(|_| fmt::Error)?;
                match u32::try_from(14 - exponent) {
                    Ok(scale) if scale <= 21 => write_decimal(f, float < 0.0, digits, scale),
                    _ => {
                        write_decimal(f, float < 0.0, digits, 14)?;
                        write!(f, "e{exponent}")
                    }
                }
            }
        }
    }
}

fn write_decimal(f: &mut fmt::Formatter<'_>, minus: bool, digits: u128, scale: u32) -> fmt::Result {
    let width = scale as usize + 1;
    let text = format!("{digits:0width$}");
    let (whole, fraction) = text.split_at(text.len() - scale as usize);
    let fraction = fraction.trim_end_matches('0');
    let (sign, point) = (
        if minus { "-" } else { "" },
        if fraction.is_empty() { "" } else { "." },
    );
    write!(f, "{sign}{whole}{point}{fraction}")
}

#[cfg(test)]
mod tests;
