//! The names of months and days, and words that say which one.

use std::sync::LazyLock;

use crate::demo::lookup::Lookup;
use crate::demo::words::Token;

const MONTHS: &[&str] = &[
    "january jan januar jänner enero ene janvier",
    "february feb februar febrero février",
    "march mar märz marzo mars",
    "april apr abril abr avril",
    "may mai mayo",
    "june jun juni junio juin",
    "july jul juli julio juillet",
    "august aug agosto ago août",
    "september sep sept septiembre septembre",
    "october oct oktober okt octubre octobre",
    "november nov noviembre novembre",
    "december dec dezember dez diciembre dic décembre",
];

const WEEKDAYS: &[&str] = &[
    "monday mon mondays montag montags lunes lundi 월요일 月曜日 月曜 星期一 周一",
    "tuesday tue tues tuesdays dienstag dienstags martes mardi 화요일 火曜日 火曜 星期二 周二",
    "wednesday wed wednesdays mittwoch mittwochs miércoles mercredi 수요일 水曜日 水曜 星期三 周三",
    "thursday thu thur thurs thursdays donnerstag donnerstags jueves jeudi 목요일 木曜日 木曜 星期四 周四",
    "friday fri fridays freitag freitags viernes vendredi 금요일 金曜日 金曜 星期五 周五",
    "saturday sat saturdays samstag sonnabend sábado samedi 토요일 土曜日 土曜 星期六 周六",
    "sunday sun sundays sonntag domingo dimanche 일요일 日曜日 日曜 星期日 周日 星期天",
];

/// Days counted from today.
const NEAR: &[(i64, &str)] = &[
    (0, "today tonight heute hoy aujourd'hui 오늘 今日 今天"),
    (1, "tomorrow tmrw morgen mañana demain 내일 明日 明天"),
    (2, "overmorrow übermorgen 모레 내일모레 明後日 后天"),
    (3, "글피"),
    (-1, "yesterday gestern ayer hier 어제 昨日 昨天"),
    (-2, "vorgestern anteayer 그제 그저께"),
];

pub(crate) static MONTH: LazyLock<Lookup<i8>> =
    LazyLock::new(|| Lookup::new((1..).zip(MONTHS.iter().copied())));
pub(crate) static WEEKDAY: LazyLock<Lookup<i8>> =
    LazyLock::new(|| Lookup::new((1..).zip(WEEKDAYS.iter().copied())));

/// The word at an index, without a Korean particle.
pub(crate) fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| {
        let lower = token.lower();
        let is_korean = token.word.stem.len() < lower.len() && !lower.is_ascii();
        let listed = |word: &str| WEEKDAY.first(word).is_some() || near(word).is_some();
        // `Monday's drive`
        let owner = lower.strip_suffix("'s").or(lower.strip_suffix("’s"));
        if let Some(day) = owner.filter(|day| listed(day)) {
            return day;
        }
        if is_korean && listed(&token.word.stem) {
            &token.word.stem
        } else {
            lower
        }
    })
}

pub(crate) fn near(word: &str) -> Option<i64> {
    static TABLE: LazyLock<Lookup<i64>> = LazyLock::new(|| Lookup::new(NEAR.iter().copied()));
    TABLE.first(word)
}

pub(crate) const NEXT: &[&str] = &[
    "next",
    "coming",
    "nächsten",
    "nächste",
    "nächster",
    "nächstes",
    "kommenden",
    "kommende",
    "próximo",
    "próxima",
    "prochain",
    "다음",
    "오는",
];

pub(crate) const THIS: &[&str] = &[
    "this", "diesen", "diese", "dieser", "dieses", "este", "esta", "ce", "cette", "이번",
];

pub(crate) const LAST: &[&str] = &[
    "last",
    "past",
    "letzten",
    "letzte",
    "letzter",
    "letztes",
    "vergangenen",
    "pasado",
    "pasada",
    "dernier",
    "지난",
    "저번",
];
