//! Texts cut into words, numbers and signs.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::fill::hangul::with_digits;
use super::lang::dense_stop_words;
use super::script::{Script, script_of};
use super::synonyms;
use super::words::Word;

/// What a token is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Word,
    Number,
    Symbol,
}

/// A word, a number or a sign in a text.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) span: Range<usize>,
    pub(crate) kind: TokenKind,
    pub(crate) word: Word,
    /// Whether it begins with a capital letter.
    pub(crate) capital: bool,
    /// Whether white space stands before it.
    pub(crate) spaced: bool,
}

impl Token {
    pub(crate) fn lower(&self) -> &str {
        &self.word.lower
    }

    pub(crate) fn is_word(&self) -> bool {
        self.kind == TokenKind::Word
    }

    pub(crate) fn is_number(&self) -> bool {
        self.kind == TokenKind::Number
    }

    pub(crate) fn is_symbol(&self, symbol: &str) -> bool {
        self.kind == TokenKind::Symbol && self.word.lower == symbol
    }
}

/// Cuts a text into tokens. `5kg` is two, `A-1` three, `what's` one.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text.char_indices().peekable();
    let mut spaced = true;
    while let Some((start, c)) = rest.next() {
        if c.is_whitespace() {
            spaced = true;
            continue;
        }
        let kind = kind_of(c);
        let mut end = start + c.len_utf8();
        let mut last = c;
        while let Some((at, next)) = rest.peek().copied() {
            let after = text
                .get(at + next.len_utf8()..)
                .and_then(|tail| tail.chars().next());
            if !goes_on(kind, last, next, after) {
                break;
            }
            end = at + next.len_utf8();
            last = next;
            rest.next();
        }
        push(&mut tokens, text, start..end, kind, spaced);
        spaced = false;
    }
    with_digits(text, tokens)
}

fn kind_of(c: char) -> TokenKind {
    match c {
        _ if c.is_ascii_digit() => TokenKind::Number,
        _ if c.is_alphanumeric() => TokenKind::Word,
        '々' | 'ー' => TokenKind::Word,
        _ => TokenKind::Symbol,
    }
}

fn goes_on(kind: TokenKind, last: char, next: char, after: Option<char>) -> bool {
    match kind {
        TokenKind::Symbol => false,
        TokenKind::Number => {
            next.is_ascii_digit()
                || (matches!(next, '.' | ',') && after.is_some_and(|c| c.is_ascii_digit()))
                    && last.is_ascii_digit()
        }
        TokenKind::Word if matches!(next, '\'' | '’') => {
            let letter = |c: char| c.is_alphabetic() && script_of(c) == Script::Alphabet;
            letter(last) && after.is_some_and(letter)
        }
        TokenKind::Word => {
            let same = script_of(last) == script_of(next)
                || is_japanese_mix(script_of(last)) && is_japanese_mix(script_of(next))
                || last == 'ー'
                || next == 'ー'
                || matches!(last, '\'' | '’');
            // In dense scripts a digit begins a number; `A1` is one word.
            same && (next.is_alphanumeric() || next == 'ー')
                && !(next.is_ascii_digit() && script_of(last) != Script::Alphabet)
                && (!next.is_ascii_digit() || last.is_ascii())
        }
    }
}

fn push(tokens: &mut Vec<Token>, text: &str, span: Range<usize>, kind: TokenKind, spaced: bool) {
    let Some(part) = text.get(span.clone()) else {
        return;
    };
    let first = part.chars().next().map(script_of);
    if kind == TokenKind::Word && matches!(first, Some(Script::Han | Script::Hiragana)) {
        let mut at = span.start;
        for piece in known_pieces(part) {
            let span = at..at + piece.len();
            at = span.end;
            let spaced = spaced
                && span.start == at - piece.len()
                && tokens.last().is_none_or(|t| t.span.end < span.start);
            tokens.push(Token {
                span,
                kind,
                word: Word::new(piece),
                capital: false,
                spaced,
            });
        }
        return;
    }
    // `Samstagabend`
    if let Some(day) = first.and_then(|_| day_of_compound(part)) {
        let middle = span.start + day;
        push(tokens, text, span.start..middle, kind, spaced);
        push(tokens, text, middle..span.end, kind, false);
        return;
    }
    // `800x600`: two numbers.
    let digits = part
        .strip_prefix('x')
        .filter(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
    let after_number = !spaced && tokens.last().is_some_and(Token::is_number);
    if digits.is_some_and(|rest| !rest.is_empty()) && after_number {
        let middle = span.start + 1;
        push(tokens, text, span.start..middle, TokenKind::Word, false);
        push(tokens, text, middle..span.end, TokenKind::Number, false);
        return;
    }
    // `l'hôtel`, `d'Orsay`: an article or a preposition, and the noun.
    let elided = ["l'", "d'", "l’", "d’"].iter().find(|head| {
        part.strip_prefix(**head)
            .is_some_and(|rest| rest.chars().count() > 2)
    });
    if let Some(head) = elided {
        let middle = span.start + head.len();
        push(tokens, text, span.start..middle, kind, spaced);
        push(tokens, text, middle..span.end, kind, false);
        return;
    }
    let capital = part.chars().next().is_some_and(char::is_uppercase);
    let word = match kind {
        TokenKind::Word => Word::new(&part.replace('’', "'")),
        _ => Word {
            lower: part.to_owned(),
            stem: part.to_owned(),
            concepts: Vec::new(),
        },
    };
    tokens.push(Token {
        span,
        kind,
        word,
        capital,
        spaced,
    });
}

/// Where the part of the day begins in a German compound with a day of the week.
fn day_of_compound(word: &str) -> Option<usize> {
    let lower = word.to_lowercase();
    let part = [
        "abend",
        "morgen",
        "vormittag",
        "nachmittag",
        "mittag",
        "nacht",
        "früh",
    ]
    .iter()
    .find(|part| lower.ends_with(**part))?;
    let day = lower.strip_suffix(*part)?;
    let named = matches!(
        day,
        "montag"
            | "dienstag"
            | "mittwoch"
            | "donnerstag"
            | "freitag"
            | "samstag"
            | "sonntag"
            | "sonnabend"
    );
    named.then_some(day.len())
}

static DENSE: LazyLock<HashSet<&'static str>> = LazyLock::new(|| dense_stop_words().collect());

/// Time words in Han script, which are cut out of longer runs.
const DENSE_TIMES: &[&str] = &[
    "今天",
    "明天",
    "后天",
    "昨天",
    "今日",
    "明日",
    "明後日",
    "昨日",
    "上午",
    "下午",
    "晚上",
    "早上",
    "午前",
    "午後",
    "正午",
    "从",
    "到",
    "在",
    "给",
    "把",
    "和",
    "来週",
    "今週",
    "下周",
    "本周",
    "月曜日",
    "火曜日",
    "水曜日",
    "木曜日",
    "金曜日",
    "土曜日",
    "日曜日",
    "星期一",
    "星期二",
    "星期三",
    "星期四",
    "星期五",
    "星期六",
    "星期日",
    "月",
    "日",
    "年",
    "時",
    "点",
    "分",
    "秒",
    "時間",
    "分钟",
    "小时",
    "天",
    "週間",
    "后",
    "後",
    "前",
    "半",
    "から",
    "まで",
    "という",
    "について",
    "の",
    "を",
    "に",
    "へ",
    "は",
    "が",
    "で",
    "と",
];

/// Cuts a run of Han or hiragana at the longest known words; what is unknown stays together.
pub(crate) fn known_pieces(run: &str) -> Vec<&str> {
    let longest = synonyms::longest_dense_word().clamp(4, 8);
    let mut pieces = Vec::new();
    let (mut unknown, mut at) = (0, 0);
    while let Some(rest) = run.get(at..).filter(|rest| !rest.is_empty()) {
        let ends = rest
            .char_indices()
            .map(|(i, c)| i + c.len_utf8())
            .take(longest);
        let known = ends.filter_map(|end| rest.get(..end)).filter(|part| {
            let single = part.chars().nth(1).is_none();
            DENSE_TIMES.contains(part)
                || DENSE.contains(part)
                    && !(single && script_of_first(part) == Script::Han && !is_cut(part))
                || (!single && synonyms::is_known(part))
        });
        match known.last() {
            Some(part) => {
                pieces.extend(by_script(run.get(unknown..at).unwrap_or_default()));
                pieces.push(part);
                at += part.len();
                unknown = at;
            }
            None => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    pieces.extend(by_script(run.get(unknown..).unwrap_or_default()));
    pieces
}

/// Cuts where the writing changes.
fn by_script(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for ((_, before), (at, c)) in text.char_indices().zip(text.char_indices().skip(1)) {
        if script_of(before) != script_of(c) {
            pieces.extend(text.get(start..at));
            start = at;
        }
    }
    pieces.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    pieces
}

fn is_japanese_mix(script: Script) -> bool {
    matches!(script, Script::Han | Script::Hiragana)
}

pub(crate) fn script_of_first(text: &str) -> Script {
    text.chars().next().map_or(Script::Alphabet, script_of)
}

/// One-character Chinese words that are hardly ever part of a name.
fn is_cut(part: &str) -> bool {
    matches!(
        part,
        "我" | "你"
            | "您"
            | "请"
            | "吗"
            | "呢"
            | "吧"
            | "了"
            | "的"
            | "是"
            | "帮"
            | "想"
            | "哪"
            | "这"
            | "那"
            | "与"
    )
}
