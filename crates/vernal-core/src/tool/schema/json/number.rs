//! Numbers as they are written, without the loss of a digit.

use std::cmp::Ordering;

/// How many digits an integer may have to be written out.
const MAX_DIGITS: i64 = 400;

/// The number that a JSON text stands for: `0.d₁d₂…dₙ · 10^exponent`, where `d₁` and `dₙ` are not 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decimal<'a> {
    negative: bool,
    /// The digits, perhaps with a point among them. Empty for zero.
    digits: &'a str,
    count: i64,
    exponent: i64,
}

impl<'a> Decimal<'a> {
    /// Reads the text of a JSON number.
    pub(crate) fn of(number: &'a str) -> Self {
        let (negative, number) = match number.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, number),
        };
        let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let point = mantissa.find('.').unwrap_or(mantissa.len());
        let zero = |c: char| c == '0' || c == '.';
        let digits = mantissa.trim_end_matches(zero).trim_start_matches(zero);
        if digits.is_empty() {
            return Self {
                negative: false,
                digits,
                count: 0,
                exponent: 0,
            };
        }
        let first = mantissa.len() - mantissa.trim_start_matches(zero).len();
        let before_point = match first < point {
            true => (point - first) as i64,
            false => -((first - point) as i64 - 1),
        };
        Self {
            negative,
            digits,
            count: digits.bytes().filter(u8::is_ascii_digit).count() as i64,
            exponent: before_point.saturating_add(exponent_of(exponent)),
        }
    }

    fn is_zero(&self) -> bool {
        self.count == 0
    }

    fn digits(&self) -> impl Iterator<Item = u8> + 'a {
        self.digits.bytes().filter(u8::is_ascii_digit)
    }

    /// Whether it has nothing behind the point: `1.0` and `1e2` do not.
    pub(crate) fn is_integer(&self) -> bool {
        self.is_zero() || self.exponent >= self.count
    }

    /// An integer in its digits alone, if it is one and not too long for that.
    pub(crate) fn integer_digits(&self) -> Option<String> {
        if self.is_zero() {
            return Some("0".to_owned());
        }
        if !self.is_integer() || self.exponent > MAX_DIGITS {
            return None;
        }
        let sign = if self.negative { "-" } else { "" };
        let zeros = "0".repeat((self.exponent - self.count) as usize);
        let digits: String = self.digits().map(char::from).collect();
        Some(format!("{sign}{digits}{zeros}"))
    }

    /// Whether it is an integer times `of`. False for an `of` of more than 18 digits that is not as
    /// large as the number itself.
    pub(crate) fn is_multiple_of(&self, of: &Self) -> bool {
        if self.is_zero() || of.is_zero() {
            return self.is_zero();
        }
        // Both as whole numbers that do not end in 0, times a power of ten.
        let power = (self.exponent - self.count).saturating_sub(of.exponent - of.count);
        if power < 0 {
            return false;
        }
        if of.count > 18 {
            return self.magnitude(of) == Ordering::Equal;
        }
        let modulus = of
            .digits()
            .fold(0_u128, |n, digit| n * 10 + u128::from(digit - b'0'));
        let rest = self
            .digits()
            .fold(0, |n, digit| (n * 10 + u128::from(digit - b'0')) % modulus);
        (rest * power_of_ten(power, modulus)).is_multiple_of(modulus)
    }

    /// Compares without signs.
    fn magnitude(&self, other: &Self) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self
                .exponent
                .cmp(&other.exponent)
                .then_with(|| self.digits().cmp(other.digits())),
        }
    }

    /// The bytes that are the same for equal numbers, to be hashed.
    pub(crate) fn key(&self) -> impl Iterator<Item = u8> + 'a {
        let sign = [u8::from(self.negative)];
        sign.into_iter()
            .chain(self.exponent.to_le_bytes())
            .chain(self.digits())
    }
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Decimal<'_> {}

impl PartialOrd for Decimal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.magnitude(other),
            (true, true) => other.magnitude(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

fn exponent_of(text: &str) -> i64 {
    const FAR: i64 = i64::MAX / 4;
    let far = if text.starts_with('-') { -FAR } else { FAR };
    text.parse::<i64>().map_or(far, |n| n.clamp(-FAR, FAR))
}

/// `10^power mod modulus`, for a modulus of at most 18 digits.
fn power_of_ten(mut power: i64, modulus: u128) -> u128 {
    let (mut base, mut result) = (10 % modulus, 1 % modulus);
    while power > 0 {
        if power & 1 == 1 {
            result = result * base % modulus;
        }
        base = base * base % modulus;
        power >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_by_value_and_to_the_last_digit() {
        let ascending = [
            "-1e400",
            "-12345678901234567890124",
            "-12345678901234567890123",
            "-10",
            "-1.5",
            "-1",
            "-0.1",
            "-0.01e-999999999999999999999",
            "0",
            "1e-400",
            "0.01",
            "0.1",
            "1",
            "1.0000000000000000000001",
            "1.5",
            "2",
            "10",
            "99.99",
            "100",
            "9007199254740992",
            "9007199254740993",
            "18446744073709551615",
            "18446744073709551616",
            "1e400",
            "1e999999999999999999999",
        ];
        for (i, a) in ascending.iter().enumerate() {
            for (j, b) in ascending.iter().enumerate() {
                assert_eq!(Decimal::of(a).cmp(&Decimal::of(b)), i.cmp(&j), "{a} {b}");
            }
        }
        for (a, b) in [
            ("1", "1.0"),
            ("100", "1e2"),
            ("0", "-0.0e5"),
            ("0.5", "5E-1"),
            ("120", "0.12e+3"),
        ] {
            assert_eq!(Decimal::of(a), Decimal::of(b), "{a} {b}");
            assert!(Decimal::of(a).key().eq(Decimal::of(b).key()), "{a} {b}");
        }
    }

    #[test]
    fn integers_are_told_by_value_and_written_out() {
        for (text, digits) in [
            ("1", "1"),
            ("-0", "0"),
            ("1.0", "1"),
            ("1e2", "100"),
            ("-1.50e1", "-15"),
            ("0e999999999999999999", "0"),
            (
                "123456789012345678901234567890",
                "123456789012345678901234567890",
            ),
        ] {
            assert_eq!(
                Decimal::of(text).integer_digits().as_deref(),
                Some(digits),
                "{text}"
            );
        }
        for text in [
            "1.5",
            "1e-1",
            "1.0000000000000000000000001",
            "15e-1",
            "1e-999999999999999999999",
        ] {
            assert!(!Decimal::of(text).is_integer(), "{text}");
        }
        assert!(Decimal::of("1e9999").is_integer());
        assert_eq!(Decimal::of("1e9999").integer_digits(), None);
    }

    #[test]
    fn multiples_are_exact() {
        for (number, of) in [
            ("0", "3"),
            ("9", "3"),
            ("0.0075", "0.0001"),
            ("4.5", "1.5"),
            ("1e308", "0.5"),
            ("12391239123", "1e-8"),
            ("-9", "3"),
            ("0.3", "0.1"),
            ("30", "1e1"),
            ("12345678901234567890", "12345678901234567890.0"),
        ] {
            assert!(
                Decimal::of(number).is_multiple_of(&Decimal::of(of)),
                "{number} {of}"
            );
        }
        for (number, of) in [
            ("7", "2"),
            ("35", "1.5"),
            ("0.00751", "0.0001"),
            ("1e308", "0.123456789"),
            ("1", "0"),
            ("3", "10"),
        ] {
            assert!(
                !Decimal::of(number).is_multiple_of(&Decimal::of(of)),
                "{number} {of}"
            );
        }
    }
}
