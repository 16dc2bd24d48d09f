//! Reading an expression and calculating it in one pass.

use super::functions::{NAMES, call, constant};
use super::number::Number;
use crate::nearest::nearest;

/// Deeper than anybody writes, and far from the end of the stack.
const DEEPEST: u32 = 100;
const LONGEST: usize = 4_000;

/// The value of the expression.
///
/// # Errors
/// One sentence that says what is wrong and, counted in characters from 1, where.
pub(crate) fn evaluate(expression: &str) -> Result<Number, String> {
    let characters: Vec<char> = expression.chars().map(plain).collect();
    if characters.len() > LONGEST {
        return Err(format!(
            "the expression is longer than {LONGEST} characters; calculate it in parts"
        ));
    }
    let mut reader = Reader {
        characters,
        at: 0,
        depth: 0,
    };
    let value = reader.sum()?;
    reader.skip_space();
    match reader.peek() {
        None if value.to_float().is_finite() => Ok(value),
        None => Err("the result is too large to be told".to_owned()),
        Some(',') => Err(reader.wrong("a comma separates arguments; write 1000, not 1,000")),
        Some(')') => Err(reader.wrong("this `)` closes nothing")),
        Some(other) => Err(reader.wrong(format!(
            "expected an operator before `{other}`, such as `*`"
        ))),
    }
}

/// Signs that are written in more than one way.
fn plain(character: char) -> char {
    match character {
        '×' | '·' | '∙' => '*',
        '÷' | '∕' => '/',
        '−' | '–' => '-',
        '(' => '(',
        ')' => ')',
        other => other,
    }
}

struct Reader {
    characters: Vec<char>,
    at: usize,
    depth: u32,
}

impl Reader {
    fn sum(&mut self) -> Result<Number, String> {
        let mut value = self.product()?;
        while let Some(operator) = self.take_one_of(&['+', '-']) {
            let right = self.product()?;
            value = if operator == '+' {
                value.add(right)
            } else {
                value.sub(right)
            };
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<Number, String> {
        let mut value = self.signed()?;
        while let Some(operator) = self.take_one_of(&['*', '/', '%']) {
            let place = self.at;
            if operator == '%' && !self.begins_operand() {
                return Err(wrong_at(
                    place,
                    "`%` is the remainder and needs a number after it; for 15 percent write 0.15",
                ));
            }
            let right = self.signed()?;
            let result = match operator {
                '*' => Some(value.mul(right)),
                '/' => value.div(right),
                _ => value.rem(right),
            };
            value = result.ok_or_else(|| wrong_at(place, "this divides by zero"))?;
        }
        Ok(value)
    }

    fn signed(&mut self) -> Result<Number, String> {
        match self.take_one_of(&['-', '+']) {
            Some('-') => Ok(self.deeper(Self::signed)?.neg()),
            Some(_) => self.deeper(Self::signed),
            None => self.power(),
        }
    }

    /// `^` binds tighter than a sign before it and looser than one after it, from right to left.
    fn power(&mut self) -> Result<Number, String> {
        let base = self.operand()?;
        if self.take_one_of(&['^']).is_none() {
            return Ok(base);
        }
        let place = self.at;
        let exponent = self.deeper(Self::signed)?;
        let none = || wrong_at(place, format!("{base} ^ {exponent} is no real number"));
        base.pow(exponent).ok_or_else(none)
    }

    fn operand(&mut self) -> Result<Number, String> {
        self.skip_space();
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let value = self.deeper(Self::sum)?;
                self.close()?;
                Ok(value)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() => self.named(),
            Some('√') => Err(self.wrong("write `sqrt(…)` for a root")),
            Some(other) => Err(self.wrong(format!("expected a number, not `{other}`"))),
            None => Err(self.wrong("expected a number, but the expression ends")),
        }
    }

    fn number(&mut self) -> Result<Number, String> {
        let start = self.at;
        self.skip_while(|c| c.is_ascii_digit() || c == '.' || c == '_');
        let exponent = self.at;
        if matches!(self.peek(), Some('e' | 'E')) {
            self.at += 1;
            if matches!(self.peek(), Some('+' | '-')) {
                self.at += 1;
            }
            let digits = self.at;
            self.skip_while(|c| c.is_ascii_digit());
            if digits == self.at {
                self.at = exponent;
            }
        }
        let text: String = self.text_from(start).replace('_', "");
        Number::read(&text).ok_or_else(|| wrong_at(start, format!("`{text}` is no number")))
    }

    fn named(&mut self) -> Result<Number, String> {
        let start = self.at;
        self.skip_while(|c| c.is_alphanumeric() || c == '_');
        let name = self.text_from(start).to_lowercase();
        let canonical = match name.as_str() {
            "average" | "mean" => "avg",
            "ceiling" => "ceil",
            "log10" => "log",
            other => other,
        };
        if self.take_one_of(&['(']).is_none() {
            return constant(canonical).ok_or_else(|| wrong_at(start, unknown(&name, true)));
        }
        let arguments = self.arguments()?;
        if !NAMES.contains(&canonical) {
            return Err(wrong_at(start, unknown(&name, false)));
        }
        call(canonical, &arguments).map_err(|problem| wrong_at(start, problem))
    }

    fn arguments(&mut self) -> Result<Vec<Number>, String> {
        let mut arguments = Vec::new();
        if self.take_one_of(&[')']).is_some() {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.deeper(Self::sum)?);
            if self.take_one_of(&[',', ';']).is_none() {
                self.close()?;
                return Ok(arguments);
            }
        }
    }

    fn close(&mut self) -> Result<(), String> {
        match self.take_one_of(&[')']) {
            Some(_) => Ok(()),
            None => Err(self.wrong("expected a `)` here")),
        }
    }

    fn deeper(&mut self, read: fn(&mut Self) -> Result<Number, String>) -> Result<Number, String> {
        if self.depth >= DEEPEST {
            return Err(self.wrong(format!("nested deeper than {DEEPEST} levels")));
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn begins_operand(&mut self) -> bool {
        self.skip_space();
        if self.characters.get(self.at..self.at + 2) == Some(&['o', 'f']) {
            return false;
        }
        self.peek()
            .is_some_and(|c| c.is_alphanumeric() || matches!(c, '(' | '.' | '-' | '+'))
    }

    fn take_one_of(&mut self, wanted: &[char]) -> Option<char> {
        self.skip_space();
        // `**` is another way to write `^`.
        let is_power = self.peek() == Some('*') && self.characters.get(self.at + 1) == Some(&'*');
        let (found, width) = if is_power {
            ('^', 2)
        } else {
            (self.peek()?, 1)
        };
        wanted.contains(&found).then(|| {
            self.at += width;
            found
        })
    }

    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        self.skip_while(char::is_whitespace);
    }

    fn skip_while(&mut self, skipped: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&skipped) {
            self.at += 1;
        }
    }

    fn text_from(&self, start: usize) -> String {
        self.characters
            .get(start..self.at)
            .unwrap_or_default()
            .iter()
            .collect()
    }

    fn wrong(&self, problem: impl Into<String>) -> String {
        wrong_at(self.at, problem)
    }
}

fn wrong_at(at: usize, problem: impl Into<String>) -> String {
    format!("position {}: {}", at + 1, problem.into())
}

fn unknown(name: &str, is_constant: bool) -> String {
    let meant = nearest(name, NAMES.iter().copied());
    match (meant, is_constant) {
        (Some(meant), true) if meant == name => {
            format!("`{name}` needs its argument in parentheses")
        }
        (Some(meant), _) => format!("there is no `{name}`; did you mean `{meant}(…)`?"),
        (None, true) => format!("there is no `{name}`; the constants are `pi`, `tau` and `e`"),
        (None, false) => format!(
            "there is no function `{name}`; there are {}",
            NAMES.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests;
