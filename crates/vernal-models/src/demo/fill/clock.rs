//! Times of day in a text: `7pm`, `7:30`, `half past 7`, `19 Uhr`, `오후 3시`.

use super::clock_fraction::{fraction_after, past};
use super::numerals::word_value;
use crate::demo::lang::Lang;
use crate::demo::script::without_particle;
use crate::demo::words::Token;

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Clock {
    pub(crate) hour: i8,
    pub(crate) minute: i8,
    pub(crate) second: i8,
    /// Whether morning or evening was left open.
    pub(crate) open: bool,
    /// Whether only a bare number said it, as in `at 7`.
    pub(crate) bare: bool,
}

/// A part of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Morning,
    Afternoon,
    Evening,
    Night,
}

impl Part {
    /// The hour that is meant where none is said.
    pub(crate) fn hour(self) -> i8 {
        match self {
            Self::Morning => 9,
            Self::Afternoon => 15,
            Self::Evening => 19,
            Self::Night => 21,
        }
    }
}

const PARTS: &[(Part, &str)] = &[
    (
        Part::Morning,
        "morning a.m am vormittag vormittags früh matin 오전 아침 새벽 午前 朝 上午 早上 madrugada",
    ),
    (
        Part::Afternoon,
        "afternoon p.m pm nachmittag nachmittags tarde après-midi 오후 낮 午後 下午",
    ),
    (
        Part::Evening,
        "evening tonight abend abends heute_abend soir 저녁 夕方 晚上",
    ),
    (Part::Night, "night nachts noche nuit 밤 夜"),
];

/// The part of the day that a word names.
pub(crate) fn part_of(word: &str, lang: Lang) -> Option<Part> {
    // `am` is the morning only after an hour, `tarde` is late.
    if matches!(word, "am" | "pm") || (lang == Lang::De && word == "morgen") {
        return None;
    }
    let bare = without_particle(word).0;
    PARTS
        .iter()
        .find(|(_, words)| words.split_whitespace().any(|w| w == word || w == bare))
        .map(|(part, _)| *part)
}

impl Clock {
    /// A full hour, of which half of the day is left open where it can be.
    pub(super) fn of_hour(hour: i8) -> Option<Self> {
        Self::new(hour, 0, (1..=12).contains(&hour))
    }

    pub(super) fn new(hour: i8, minute: i8, open: bool) -> Option<Self> {
        let valid = (0..=24).contains(&hour) && (0..60).contains(&minute);
        valid.then_some(Self {
            hour: hour % 24,
            minute,
            second: 0,
            open,
            bare: false,
        })
    }

    /// The time, given the part of the day that was said near it.
    pub(crate) fn in_part(self, part: Part) -> Self {
        let hour = match part {
            Part::Morning if self.hour == 12 => 0,
            Part::Afternoon | Part::Evening if self.hour < 12 => self.hour + 12,
            Part::Night if (6..12).contains(&self.hour) => self.hour + 12,
            Part::Night if self.hour == 12 => 0,
            _ => self.hour,
        };
        if self.open || self.hour <= 12 {
            Self {
                hour,
                open: false,
                ..self
            }
        } else {
            self
        }
    }
}

fn number(tokens: &[Token], at: usize, lang: Lang) -> Option<i8> {
    let token = tokens.get(at)?;
    if token.is_number() {
        return token.lower().parse::<i8>().ok();
    }
    word_value(token.lower(), lang)
        .filter(|n| n.fract() == 0.0 && *n <= 24.0)
        .map(|n| n as i8)
}

pub(super) fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", Token::lower)
}

/// The time of day that is said at a token, and the index after it.
pub(crate) fn clock_at(tokens: &[Token], at: usize, lang: Lang) -> Option<(Clock, usize)> {
    let named = match word(tokens, at) {
        "noon" | "midday" | "mittags" | "mittag" | "mediodía" | "midi" | "정오" | "正午"
        | "中午" => Some(12),
        "midnight" | "mitternacht" | "medianoche" | "minuit" | "자정" => Some(0),
        _ => None,
    };
    if let Some(hour) = named {
        return Clock::new(hour, 0, false).map(|clock| (clock, at + 1));
    }
    with_colon(tokens, at, lang)
        .or_else(|| in_words(tokens, at, lang))
        .or_else(|| with_hour_sign(tokens, at, lang))
        .or_else(|| bare(tokens, at, lang))
}

/// Reads `am`, `pm`, `Uhr` after a time.
fn finish(clock: Clock, tokens: &[Token], at: usize) -> (Clock, usize) {
    let dotted = |letter: &str| {
        word(tokens, at) == letter && word(tokens, at + 1) == "." && word(tokens, at + 2) == "m"
    };
    let after_dots = at
        + 3
        + usize::from(word(tokens, at + 3) == "." && tokens.get(at + 3).is_some_and(|t| !t.spaced));
    match word(tokens, at) {
        "am" => (clock.in_part(Part::Morning), at + 1),
        "pm" => (clock.in_part(Part::Afternoon), at + 1),
        "uhr" | "h" | "hrs" | "o'clock" => (clock, at + 1),
        _ if dotted("a") => (clock.in_part(Part::Morning), after_dots),
        _ if dotted("p") => (clock.in_part(Part::Afternoon), after_dots),
        _ => (clock, at),
    }
}

/// `7:30`, `19:00:15`, `7.30 Uhr`.
fn with_colon(tokens: &[Token], at: usize, lang: Lang) -> Option<(Clock, usize)> {
    let first = tokens.get(at).filter(|t| t.is_number())?;
    if let Some((hour, minute)) = first.lower().split_once('.')
        && minute.len() == 2
        && matches!(word(tokens, at + 1), "am" | "pm" | "uhr" | "h")
    {
        let clock = Clock::new(hour.parse().ok()?, minute.parse().ok()?, lang == Lang::En)?;
        return Some(finish(clock, tokens, at + 1));
    }
    let colon = tokens
        .get(at + 1)
        .is_some_and(|t| t.is_symbol(":") && !t.spaced);
    let minute = tokens
        .get(at + 2)
        .filter(|t| colon && t.is_number() && !t.spaced)?;
    if minute.lower().len() != 2 {
        return None;
    }
    let hour: i8 = first.lower().parse().ok()?;
    let open = (1..=12).contains(&hour) && first.lower().len() == 1;
    let mut clock = Clock::new(
        hour,
        minute.lower().parse().ok()?,
        open || hour == 12 || hour == 11 || hour == 10,
    )?;
    let mut next = at + 3;
    if tokens
        .get(next)
        .is_some_and(|t| t.is_symbol(":") && !t.spaced)
        && let Some(seconds) = tokens.get(next + 1).filter(|t| t.is_number())
    {
        let whole = seconds.lower().split(['.', ',']).next().unwrap_or_default();
        clock.second = whole.parse().ok().filter(|s| (0..60).contains(s))?;
        clock.open = false;
        next += 2;
    }
    Some(finish(clock, tokens, next))
}

/// `half past seven`, `quarter to 8`, `halb acht`, `Viertel nach 7`.
fn in_words(tokens: &[Token], at: usize, lang: Lang) -> Option<(Clock, usize)> {
    let hour_at = |at: usize| number(tokens, at, lang).filter(|hour| (1..=12).contains(hour));
    let (minutes, hour_index) = match (word(tokens, at), word(tokens, at + 1)) {
        ("half", "past") => (30, at + 2),
        ("quarter", "past") | ("viertel", "nach") => (15, at + 2),
        ("quarter", "to") | ("viertel", "vor") => (-15, at + 2),
        ("halb", _) => (-30, at + 1),
        _ => return None,
    };
    let hour = hour_at(hour_index)?;
    let clock = if minutes < 0 {
        Clock::new(if hour == 1 { 12 } else { hour - 1 }, 60 + minutes, true)
    } else {
        Clock::new(hour, minutes, true)
    };
    clock.map(|clock| finish(clock, tokens, hour_index + 1))
}

/// Korean numbers of hours in words.
const KOREAN_HOURS: &[(&str, i8)] = &[
    ("열두", 12),
    ("열한", 11),
    ("열", 10),
    ("아홉", 9),
    ("여덟", 8),
    ("일곱", 7),
    ("여섯", 6),
    ("다섯", 5),
    ("네", 4),
    ("세", 3),
    ("두", 2),
    ("한", 1),
];

/// `7pm`, `7 o'clock`, `19 Uhr 30`, `19h30`, `3시 30분`, `세 시 반`, `3時半`, `3点`.
fn with_hour_sign(tokens: &[Token], at: usize, lang: Lang) -> Option<(Clock, usize)> {
    let token = tokens.get(at)?;
    if lang == Lang::Ko && token.is_word() {
        let (hour, rest) = KOREAN_HOURS
            .iter()
            .find_map(|(name, hour)| token.lower().strip_prefix(name).map(|rest| (*hour, rest)))?;
        let sign = if rest.is_empty() {
            word(tokens, at + 1)
        } else {
            rest
        };
        let next = if rest.is_empty() { at + 2 } else { at + 1 };
        return if is_hour_sign(sign) {
            minutes_after(hour, tokens, next, lang)
        } else {
            None
        };
    }
    let hour = number(tokens, at, lang).filter(|hour| (0..=24).contains(hour))?;
    let sign = word(tokens, at + 1);
    match sign {
        "am" if lang != Lang::De => {}
        "pm" => {}
        "uhr" => return minutes_after(hour, tokens, at + 2, lang),
        "o'clock" | "oclock" => {
            return Clock::new(hour, 0, true).map(|clock| {
                // `7 o'clock pm`
                finish(clock, tokens, at + 2)
            });
        }
        "a" | "p" if word(tokens, at + 2) == "." && word(tokens, at + 3) == "m" => {}
        "heure" | "heures" if lang == Lang::Fr => {
            let (minutes, end) = fraction_after(tokens, at + 2, lang).unwrap_or((0, at + 2));
            return past(hour, minutes).map(|clock| (clock, end));
        }
        "h" if lang == Lang::Fr => return Clock::new(hour, 0, false).map(|clock| (clock, at + 2)),
        _ if is_hour_sign(sign) => return minutes_after(hour, tokens, at + 2, lang),
        _ => {
            // `19h30`
            let minute = sign
                .strip_prefix('h')
                .filter(|m| m.len() == 2)
                .and_then(|m| m.parse().ok());
            let clock = Clock::new(hour, minute.filter(|_| lang == Lang::Fr)?, false)?;
            return Some((clock, at + 2));
        }
    }
    let clock = Clock::new(hour, 0, true).filter(|_| (1..=12).contains(&hour))?;
    Some(finish(clock, tokens, at + 1))
}

fn is_hour_sign(word: &str) -> bool {
    let korean = word.starts_with('시') && !word.starts_with("시간") && !word.starts_with("시작");
    korean || matches!(word, "時" | "点" | "点钟")
}

fn minutes_after(hour: i8, tokens: &[Token], at: usize, lang: Lang) -> Option<(Clock, usize)> {
    let open = (1..=12).contains(&hour) && lang != Lang::De;
    let half = matches!(
        word(tokens, at),
        "반" | "반에" | "반부터" | "반까지" | "반으로" | "반쯤" | "반경" | "반에서" | "半"
    );
    if half {
        return Clock::new(hour, 30, open).map(|clock| (clock, at + 1));
    }
    let sign = word(tokens, at + 1);
    let has_minutes = sign.starts_with('분') || sign == "分" || (lang == Lang::De && hour <= 24);
    let minute = number(tokens, at, lang).filter(|minute| has_minutes && (0..60).contains(minute));
    let is_digits = tokens.get(at).is_some_and(Token::is_number);
    match minute.filter(|_| is_digits) {
        Some(minute) => {
            let sign = usize::from(sign.starts_with('분') || sign == "分");
            Clock::new(hour, minute, open).map(|clock| (clock, at + 1 + sign))
        }
        None => Clock::new(hour, 0, open).map(|clock| (clock, at)),
    }
}

/// `at 7`, `um 7`, `a las 7`: a number of an hour that nothing is counted by.
fn bare(tokens: &[Token], at: usize, lang: Lang) -> Option<(Clock, usize)> {
    let before = at.checked_sub(1).map_or("", |before| word(tokens, before));
    let two_before = at.checked_sub(2).map_or("", |before| word(tokens, before));
    let announced = match lang {
        Lang::De => matches!(before, "um" | "gegen"),
        Lang::Es => {
            matches!(before, "las" | "la") && matches!(two_before, "a" | "hasta" | "de" | "para")
        }
        _ => matches!(before, "at" | "around"),
    };
    let hour = number(tokens, at, lang).filter(|hour| announced && (0..=24).contains(hour))?;
    if let Some((minutes, end)) = fraction_after(tokens, at + 1, lang) {
        return past(hour, minutes).map(|clock| (clock, end));
    }
    let after = tokens.get(at + 1);
    let half =
        after.is_some_and(|t| t.lower() == "and") && matches!(word(tokens, at + 2), "a" | "an");
    let free = !half && after.is_none_or(|t| {
        let follows = "tomorrow today tonight on for in and with sharp please this next every to de por mañana \
                       hoy morgen heute am für mit bitte monday tuesday wednesday thursday friday saturday sunday \
                       so because";
        (!t.is_word() && !matches!(t.lower(), "%" | "°" | ":" | "/" | "$" | "€"))
            || follows.split_whitespace().any(|word| word == t.lower())
    });
    let mut clock = Clock::new(hour, 0, (1..=12).contains(&hour)).filter(|_| free)?;
    clock.bare = true;
    Some((clock, at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::lang::language_of;
    use crate::demo::words::tokens;

    fn read(text: &str) -> Option<(i8, i8)> {
        let tokens = tokens(text);
        let found = (0..tokens.len()).find_map(|at| clock_at(&tokens, at, language_of(text)));
        found.map(|(clock, _)| (clock.hour, clock.minute))
    }

    #[test]
    fn times_of_day_are_read() {
        for (text, time) in [
            ("at 7pm", Some((19, 0))),
            ("at 7 p.m. please", Some((19, 0))),
            ("12am", Some((0, 0))),
            ("at 7:30", Some((7, 30))),
            ("19:00:15", Some((19, 0))),
            ("7 o'clock", Some((7, 0))),
            ("half past seven", Some((7, 30))),
            ("quarter to 8", Some((7, 45))),
            ("stelle es auf halb acht", Some((7, 30))),
            ("der Termin ist um 19 Uhr", Some((19, 0))),
            ("bitte um 7 Uhr 30", Some((7, 30))),
            ("avísame a las 7", Some((7, 0))),
            ("3시 30분에", Some((3, 30))),
            ("일곱시에", Some((7, 0))),
            ("세 시 반", Some((3, 30))),
            ("3時半", Some((3, 30))),
            ("at noon", Some((12, 0))),
            ("at 3 places", None),
            ("5 apples", None),
            ("25:00", None),
        ] {
            assert_eq!(read(text), time, "{text}");
        }
    }

    #[test]
    fn parts_of_the_day_settle_the_hour() {
        let clock = Clock::new(3, 0, true).unwrap();
        assert_eq!(clock.in_part(Part::Afternoon).hour, 15);
        assert_eq!(part_of("오후", Lang::Ko), Some(Part::Afternoon));
        assert_eq!(part_of("am", Lang::De), None);
    }
}
