//! Calculations in a text: `12 * (3 + 4)`, `15% of 80`, `25 times 4`.

use std::ops::Range;

use super::number::Quantity;
use super::numerals::{digits, word_value};
use super::unit::Dimension;
use crate::demo::cue::preposition;
use crate::demo::lang::{Lang, is_stop};
use crate::demo::words::Token;

/// A calculation as a calculator reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expression {
    pub(crate) text: String,
    pub(crate) span: Range<usize>,
    /// Whether it was written with signs; words may mean something else.
    pub(crate) signs: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Piece {
    Value,
    Operator,
    Open,
    Close,
    Function,
    /// Something that acts and is complete: `^2`, `sqrt(16)`.
    Done,
}

/// The longest calculation of the text, if there is one.
pub(crate) fn expression(text: &str, tokens: &[Token], lang: Lang) -> Option<Expression> {
    let mut best: Option<Expression> = None;
    let mut at = 0;
    while at < tokens.len() {
        let (found, next) = run_at(text, tokens, at, lang);
        if let Some(found) = found
            && best
                .as_ref()
                .is_none_or(|best| found.span.len() > best.span.len())
        {
            best = Some(found);
        }
        at = next.max(at + 1);
    }
    best
}

struct Part {
    piece: Piece,
    text: String,
    span: Range<usize>,
    spelled: bool,
}

fn run_at(text: &str, tokens: &[Token], start: usize, lang: Lang) -> (Option<Expression>, usize) {
    let mut parts: Vec<Part> = Vec::new();
    let mut at = start;
    while let Some((piece, said, next)) =
        piece_at(tokens, at, lang, parts.last().map(|part| part.piece))
    {
        let (Some(first), Some(last)) = (tokens.get(at), tokens.get(next - 1)) else {
            break;
        };
        let span = first.span.start..last.span.end;
        let spelled = text.get(span.clone()) != Some(said.as_str());
        parts.push(Part {
            piece,
            text: said,
            span,
            spelled,
        });
        at = next;
    }
    let end = at.max(start + 1);
    // A sign without something after it does not belong.
    while parts
        .last()
        .is_some_and(|part| !matches!(part.piece, Piece::Value | Piece::Close | Piece::Done))
    {
        parts.pop();
    }
    let opened = parts
        .iter()
        .filter(|part| part.piece == Piece::Open)
        .count();
    let closed = parts
        .iter()
        .filter(|part| part.piece == Piece::Close)
        .count();
    let acts = parts
        .iter()
        .any(|part| matches!(part.piece, Piece::Operator | Piece::Function | Piece::Done));
    let values = parts
        .iter()
        .filter(|part| part.piece == Piece::Value)
        .count();
    let function = parts
        .iter()
        .any(|part| matches!(part.piece, Piece::Function | Piece::Done));
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
        return (None, end);
    };
    if !acts || opened != closed || (values < 2 && !function && !holds_two(&parts)) {
        return (None, end);
    }
    let span = first.span.start..last.span.end;
    let spelled = parts.iter().any(|part| part.spelled);
    let written = if spelled {
        joined(&parts)
    } else {
        text.get(span.clone()).unwrap_or_default().to_owned()
    };
    (
        Some(Expression {
            text: written,
            span,
            signs: !spelled,
        }),
        end,
    )
}

/// Whether a sign brought its other number along, as in `5 squared` and `15% of 80`.
fn holds_two(parts: &[Part]) -> bool {
    parts.iter().any(|part| part.text.ends_with("100 *"))
}

fn joined(parts: &[Part]) -> String {
    let mut out = String::new();
    for part in parts {
        let tight = out.is_empty()
            || out.ends_with('(')
            || matches!(part.piece, Piece::Close)
            || part.text.starts_with('^')
            || out.ends_with('^');
        if !tight {
            out.push(' ');
        }
        out.push_str(&part.text);
    }
    out
}

fn piece_at(
    tokens: &[Token],
    at: usize,
    lang: Lang,
    before: Option<Piece>,
) -> Option<(Piece, String, usize)> {
    let token = tokens.get(at)?;
    let word = |offset: usize| tokens.get(at + offset).map_or("", Token::lower);
    let after_value = matches!(before, Some(Piece::Value | Piece::Close | Piece::Done));
    let found =
        |piece: Piece, said: &str, length: usize| Some((piece, said.to_owned(), at + length));
    if token.is_number()
        || (!after_value && token.is_word() && word_value(token.lower(), lang).is_some())
    {
        if after_value {
            return None;
        }
        let value = if token.is_number() {
            digits(token.lower(), lang)?
        } else {
            word_value(token.lower(), lang)?
        };
        let said = if token.lower().contains(',') || token.is_word() {
            value.to_string()
        } else {
            token.lower().to_owned()
        };
        // `15% of 80`
        let percent = matches!(word(1), "%" | "percent" | "prozent" | "퍼센트" | "por");
        if percent {
            let length = if word(1) == "por" { 3 } else { 2 };
            let of = matches!(word(length), "of" | "von" | "de" | "from");
            let text = if of {
                format!("{said} / 100 *")
            } else {
                format!("{said} / 100")
            };
            return match word(1) {
                "por" if word(2) != "ciento" => found(Piece::Value, &said, 1),
                _ if of => Some((Piece::Operator, text, at + length + 1))
                    .filter(|_| number_at(tokens, at + length + 1, lang)),
                _ => Some((Piece::Value, text, at + length)),
            };
        }
        return found(Piece::Value, &said, 1);
    }
    match token.lower() {
        "(" if !after_value => found(Piece::Open, "(", 1),
        ")" if after_value => found(Piece::Close, ")", 1),
        "*" if word(1) == "*" && after_value => found(Piece::Operator, "**", 2),
        "+" | "*" | "/" | "^" if after_value => found(Piece::Operator, token.lower(), 1),
        "-" | "−" => found(Piece::Operator, "-", 1),
        "×" | "x" | "times" | "mal" | "multiplied" | "por" | "fois" | "곱하기" if after_value => {
            found(Piece::Operator, "*", if word(1) == "by" { 2 } else { 1 })
        }
        "÷" | "divided" | "geteilt" | "dividido" | "divisé" | "over" | "나누기" if after_value =>
        {
            let by = matches!(word(1), "by" | "durch" | "por" | "entre" | "par");
            found(Piece::Operator, "/", if by { 2 } else { 1 })
        }
        "plus" | "más" | "더하기" if after_value => found(Piece::Operator, "+", 1),
        "minus" | "menos" | "moins" | "빼기" => found(Piece::Operator, "-", 1),
        "mod" | "modulo" if after_value => found(Piece::Operator, "%", 1),
        "%" if after_value => found(Piece::Operator, "%", 1),
        "to" | "raised" if after_value => {
            let skip = usize::from(token.lower() == "raised");
            let power = word(skip) == "to" && word(skip + 1) == "the" && word(skip + 2) == "power";
            if power && word(skip + 3) == "of" {
                found(Piece::Operator, "^", skip + 4)
            } else {
                None
            }
        }
        "hoch" if after_value => found(Piece::Operator, "^", 1),
        "squared" if after_value => found(Piece::Done, "^2", 1),
        "cubed" if after_value => found(Piece::Done, "^3", 1),
        "square" if word(1) == "root" && word(2) == "of" && !after_value => {
            Some((Piece::Done, format!("sqrt({})", word(3)), at + 4))
                .filter(|_| number_at(tokens, at + 3, lang))
        }
        "wurzel"
            if matches!(word(1), "aus" | "von")
                && !after_value
                && number_at(tokens, at + 2, lang) =>
        {
            Some((Piece::Done, format!("sqrt({})", word(2)), at + 3))
        }
        "sqrt" | "sin" | "cos" | "tan" | "log" | "ln" | "exp" | "abs" if word(1) == "(" => {
            found(Piece::Function, token.lower(), 1)
        }
        "pi" | "π" if !after_value => found(Piece::Value, "pi", 1),
        _ => None,
    }
}

fn number_at(tokens: &[Token], at: usize, lang: Lang) -> bool {
    tokens
        .get(at)
        .is_some_and(|t| t.is_number() || word_value(t.lower(), lang).is_some() || t.is_symbol("("))
}

/// Whether a text is nothing but a calculation in words: `add 3 and 4`, `what is 12 times 7?`.
pub(crate) fn only_calculates(
    tokens: &[Token],
    quantities: &[Quantity],
    written: Option<&Expression>,
    lang: Lang,
) -> bool {
    if written.is_none() && from_verb(tokens, quantities).is_none() {
        return false;
    }
    let inside = |token: &Token| {
        written.is_some_and(|found| {
            found.span.start <= token.span.start && token.span.end <= found.span.end
        })
    };
    let counted = |token: &Token| {
        inside(token)
            || quantities
                .iter()
                .any(|q| q.span.start <= token.span.start && token.span.end <= q.span.end)
    };
    let signs = ["plus", "minus", "times", "divide", "calculate"];
    let small = |token: &Token| {
        is_stop(lang, token.lower())
            || preposition(lang, token.lower()).is_some()
            || matches!(
                token.lower(),
                "and"
                    | "und"
                    | "y"
                    | "by"
                    | "of"
                    | "from"
                    | "is"
                    | "equal"
                    | "equals"
                    | "는"
                    | "은"
            )
            || token.lower().starts_with("얼마")
    };
    let plain = quantities.iter().all(|q| {
        let measured = q
            .unit
            .is_some_and(|unit| !matches!(unit.dimension, Dimension::Percent | Dimension::Pieces));
        !measured && q.currency.is_none()
    });
    let mut words = tokens
        .iter()
        .filter(|token| token.is_word() && !counted(token));
    plain && words.all(|token| small(token) || signs.iter().any(|sign| token.word.is_about(sign)))
}

/// A calculation that a verb asks for: `multiply 6 by 7`, `subtract 5 from 20`, `the sum of 3 and 4`.
pub(crate) fn from_verb(tokens: &[Token], quantities: &[Quantity]) -> Option<String> {
    let about = |key: &str| {
        tokens
            .iter()
            .any(|token| token.is_word() && token.word.is_about(key))
    };
    let sign = ["plus", "minus", "times", "divide"]
        .into_iter()
        .zip(["+", "-", "*", "/"]);
    let (_, sign) = sign.into_iter().find(|(key, _)| about(key))?;
    let mut values: Vec<String> = quantities
        .iter()
        .map(|quantity| quantity.value.to_string())
        .collect();
    let from = tokens
        .iter()
        .any(|token| matches!(token.lower(), "from" | "von"));
    if sign == "-" && from {
        values.reverse();
    }
    (values.len() >= 2).then(|| values.join(&format!(" {sign} ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::fill::number::quantities;
    use crate::demo::lang::language_of;
    use crate::demo::words::tokens;

    fn read(text: &str) -> Option<String> {
        expression(text, &tokens(text), language_of(text)).map(|found| found.text)
    }

    #[test]
    fn calculations_are_cut_out() {
        for (text, found) in [
            ("what is 12 * (3 + 4)?", Some("12 * (3 + 4)")),
            ("compute 2+2 please", Some("2+2")),
            ("What is 25 times 4?", Some("25 * 4")),
            ("Was ist 7 mal 8?", Some("7 * 8")),
            ("what's 15% of 80", Some("15 / 100 * 80")),
            ("2 to the power of 10", Some("2^10")),
            ("what is the square root of 16", Some("sqrt(16)")),
            ("ten divided by four", Some("10 / 4")),
            ("sqrt(2) * pi", Some("sqrt(2) * pi")),
            ("5 squared", Some("5^2")),
            ("3 더하기 4는?", Some("3 + 4")),
            ("the number 5", None),
            ("hello (world)", None),
            ("", None),
        ] {
            assert_eq!(read(text).as_deref(), found, "{text}");
        }
    }

    #[test]
    fn verbs_ask_for_calculations() {
        let read = |text: &str| {
            let tokens = tokens(text);
            from_verb(&tokens, &quantities(&tokens, Lang::En))
        };
        assert_eq!(read("multiply 6 by 7").as_deref(), Some("6 * 7"));
        assert_eq!(read("subtract 5 from 20").as_deref(), Some("20 - 5"));
        assert_eq!(read("the sum of 3, 4 and 5").as_deref(), Some("3 + 4 + 5"));
        assert_eq!(read("three cats"), None);
    }
}
