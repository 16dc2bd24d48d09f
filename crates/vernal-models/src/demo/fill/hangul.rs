//! Numbers that are spelled in Korean: `삼십`, `이만 오천`, `4만 5천`, which are read as digits.

use super::unit::{Dimension, unit_prefix};
use crate::demo::script::{Script, script_of, without_particle};
use crate::demo::words::{Token, TokenKind, Word};
use crate::demo::world::currency_of;

const DIGITS: &str = "영일이삼사오육칠팔구";

/// Tokens in which each spelled number is one token of digits, with what is glued to it behind it.
pub(crate) fn with_digits(text: &str, tokens: Vec<Token>) -> Vec<Token> {
    if !tokens.iter().any(|token| is_hangul(token.lower())) {
        return tokens;
    }
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut done = 0;
    for (at, token) in tokens.iter().enumerate() {
        if token.span.start < done {
            continue;
        }
        // `50만`: the sign belongs to the digits.
        let behind = out.last().filter(|_| !token.spaced);
        let fresh = !behind.is_some_and(Token::is_number);
        let Some((value, end)) = number_at(text, token).filter(|_| fresh) else {
            out.push(token.clone());
            continue;
        };
        out.push(digits(value, token, end));
        done = end;
        let rest = tokens.iter().skip(at).find(|token| token.span.end > end);
        if let Some(rest) = rest.filter(|rest| rest.span.start < end) {
            out.push(Token {
                span: end..rest.span.end,
                word: Word::new(text.get(end..rest.span.end).unwrap_or_default()),
                spaced: false,
                ..rest.clone()
            });
            done = rest.span.end;
        }
    }
    out
}

fn is_hangul(word: &str) -> bool {
    word.chars().next().map(script_of) == Some(Script::Hangul)
}

fn digits(value: f64, token: &Token, end: usize) -> Token {
    let lower = value.to_string();
    Token {
        span: token.span.start..end,
        kind: TokenKind::Number,
        word: Word {
            stem: lower.clone(),
            lower,
            concepts: Vec::new(),
        },
        ..token.clone()
    }
}

/// What has been read of a number.
#[derive(Default)]
struct Sum {
    total: f64,
    section: f64,
    digit: Option<f64>,
    /// How many signs were read, and how many of them multiply.
    signs: usize,
    powers: usize,
}

impl Sum {
    fn add(&mut self, power: f64) {
        self.signs += 1;
        self.powers += 1;
        if power >= 1e4 {
            let section = self.section + self.digit.take().unwrap_or(0.0);
            self.total += if section == 0.0 { 1.0 } else { section } * power;
            self.section = 0.0;
        } else {
            self.section += self.digit.take().unwrap_or(1.0) * power;
        }
    }

    fn value(&self) -> f64 {
        self.total + self.section + self.digit.unwrap_or(0.0)
    }
}

/// The number that begins with a token, and where it ends. What it counts must follow.
fn number_at(text: &str, token: &Token) -> Option<(f64, usize)> {
    let written = token.is_number();
    if !written && !is_hangul(token.lower()) {
        return None;
    }
    let mut sum = Sum::default();
    let mut at = token.span.start;
    if written {
        sum.digit = Some(token.lower().parse().ok()?);
        at = token.span.end;
    }
    let mut end = at;
    loop {
        let tail = text.get(at..)?;
        let Some(c) = tail.chars().next() else { break };
        let digit = DIGITS.chars().position(|known| known == c);
        match c {
            '십' => sum.add(10.0),
            '백' => sum.add(100.0),
            '천' => sum.add(1e3),
            '만' => sum.add(1e4),
            '억' => sum.add(1e8),
            _ if digit.is_some() && sum.digit.is_none() => {
                sum.digit = digit.map(|digit| digit as f64);
                sum.signs += 1;
            }
            // `4만 5천`
            _ if c.is_ascii_digit() && sum.digit.is_none() && sum.powers > 0 => {
                let length = tail
                    .find(|c: char| !c.is_ascii_digit())
                    .unwrap_or(tail.len());
                sum.digit = Some(tail.get(..length)?.parse().ok()?);
                sum.signs += 1;
                at += length;
                end = at;
                continue;
            }
            ' ' if sum.powers > 0 && end == at => {
                at += 1;
                continue;
            }
            _ => break,
        }
        at += c.len_utf8();
        end = at;
    }
    // `3만` is read with what follows, as other numbers are.
    if written && sum.powers < 2 && sum.signs < 2 || sum.signs == 0 {
        return None;
    }
    counts(text, end, &sum, written).then(|| (sum.value(), end))
}

/// Whether what stands behind a number is counted by it: `삼십 분`, not `이 사람`.
fn counts(text: &str, end: usize, sum: &Sum, written: bool) -> bool {
    let tail = text.get(end..).unwrap_or_default();
    let glued = !tail.starts_with(' ');
    let next: String = tail
        .trim_start()
        .chars()
        .take_while(|c| c.is_alphanumeric())
        .collect();
    let bare = without_particle(&next).0;
    let money = [next.as_str(), bare]
        .iter()
        .any(|word| currency_of(word).is_some());
    let money = money || next.starts_with('원');
    let unit = unit_prefix(&next).or_else(|| unit_prefix(bare));
    let short = unit.is_some_and(|(_, rest)| rest.chars().count() <= 3);
    let place = ["층", "호", "번", "월", "도", "배", "점"]
        .iter()
        .any(|head| next.starts_with(head));
    match sum.signs {
        _ if written => money || short || place || next.is_empty(),
        // `이 분`, `사 주세요`: words that only look like one digit.
        1 if sum.powers > 0 => money,
        1 => {
            let clear = sum
                .digit
                .is_some_and(|digit| [3.0, 5.0, 6.0, 7.0, 8.0].contains(&digit));
            let timed = unit.is_some_and(|(unit, rest)| {
                unit.dimension == Dimension::Time && rest.chars().count() <= 2
            });
            clear && (money || timed || !glued && short || place && next.starts_with(['층', '월']))
        }
        _ => money || short || place,
    }
}

#[cfg(test)]
mod tests {
    use crate::demo::words::tokens;

    #[test]
    fn spelled_numbers_become_digits() {
        for (text, read) in [
            ("삼십 분 뒤에", &["30", "분", "뒤에"][..]),
            ("십오층", &["15", "층"]),
            ("4만 5천 원을", &["45000", "원을"]),
            ("이만 오천원", &["25000", "원"]),
            ("만 원만", &["10000", "원만"]),
            ("3만원", &["3", "만원"]),
            ("팔월 십이일", &["8", "월", "12", "일"]),
            ("이 사람", &["이", "사람"]),
            ("사 주세요", &["사", "주세요"]),
            ("칠판 사진", &["칠판", "사진"]),
            ("오이 만두", &["오이", "만두"]),
        ] {
            let found: Vec<String> = tokens(text).into_iter().map(|t| t.word.lower).collect();
            assert_eq!(found, read, "{text}");
        }
    }
}
