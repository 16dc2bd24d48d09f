//! Units of measure: which word names which, and how they convert.

use std::sync::LazyLock;

use crate::demo::lookup::Lookup;

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dimension {
    Length,
    Mass,
    Time,
    Temperature,
    Volume,
    Data,
    Speed,
    Percent,
    Money,
    People,
    Pieces,
    Energy,
    Angle,
    Pixels,
    Area,
}

/// A unit: what it measures, its usual sign, and how many of the base unit it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Unit {
    pub(crate) dimension: Dimension,
    pub(crate) sign: &'static str,
    pub(crate) factor: f64,
}

use Dimension::{
    Angle, Area, Data, Energy, Length, Mass, People, Percent, Pieces, Pixels, Speed, Temperature,
    Time, Volume,
};

/// Seconds in the units of time; months and years are about as long as they are.
pub(crate) const DAY: f64 = 86_400.0;

const UNITS: &[(Dimension, &str, f64, &str)] = &[
    (
        Length,
        "mm",
        0.001,
        "mm millimeter millimeters millimetre millimetres millimètre milímetro milímetros 밀리미터 ミリ 毫米",
    ),
    (
        Length,
        "cm",
        0.01,
        "cm centimeter centimeters centimetre centimetres zentimeter centímetro centímetros 센티미터 센티 センチ 厘米",
    ),
    (
        Length,
        "m",
        1.0,
        "m meter meters metre metres mètre mètres metro metros 미터 メートル 米",
    ),
    (
        Length,
        "km",
        1000.0,
        "km kilometer kilometers kilometre kilometres kilomètres kilómetro kilómetros 킬로미터 킬로 キロ キロメートル 公里 千米",
    ),
    (
        Length,
        "mi",
        1609.344,
        "mi mile miles meile meilen milla millas 마일 マイル 英里",
    ),
    (
        Length,
        "ft",
        0.3048,
        "ft foot feet fuß pie pies 피트 フィート 英尺",
    ),
    (
        Length,
        "in",
        0.0254,
        "inch inches zoll pulgada pulgadas 인치 インチ 英寸",
    ),
    (Length, "yd", 0.9144, "yd yard yards 야드"),
    (
        Mass,
        "g",
        0.001,
        "g gram grams gramm gramo gramos gramme 그램 グラム 克",
    ),
    (
        Mass,
        "mg",
        0.000_001,
        "mg milligram milligrams milligramm miligramos 밀리그램",
    ),
    (
        Mass,
        "kg",
        1.0,
        "kg kgs kilo kilos kilogram kilograms kilogramm kilogramo kilogramos 킬로그램 키로 キログラム 公斤 千克",
    ),
    (
        Mass,
        "lb",
        0.453_592_37,
        "lb lbs pound pounds pfund libra libras 파운드 ポンド 磅",
    ),
    (
        Mass,
        "oz",
        0.028_349_523_125,
        "oz ounce ounces unze unzen onza onzas 온스",
    ),
    (
        Mass,
        "t",
        1000.0,
        "ton tons tonne tonnes tonnen tonelada toneladas 톤 トン 吨",
    ),
    (
        Time,
        "ms",
        0.001,
        "ms millisecond milliseconds millisekunden milisegundos 밀리초 ミリ秒 毫秒",
    ),
    (
        Time,
        "s",
        1.0,
        "s sec secs second seconds sekunde sekunden segundo segundos seconde secondes 초 秒 秒間 秒钟",
    ),
    (
        Time,
        "min",
        60.0,
        "min mins minute minutes minuten minuto minutos 분 分 分間 分钟",
    ),
    (
        Time,
        "h",
        3600.0,
        "h hr hrs hour hours stunde stunden std hora horas heure heures 시간 時間 小时",
    ),
    (
        Time,
        "d",
        DAY,
        "d day days tag tage tagen día días jour jours night nights nacht nächte nächten noche noches nuit nuits 일 박 日 日間 天 泊",
    ),
    (
        Time,
        "w",
        7.0 * DAY,
        "w week weeks woche wochen semana semanas semaine semaines 주 주일 週間 周 星期",
    ),
    (
        Time,
        "mo",
        30.0 * DAY,
        "month months monat monate monaten mes meses mois 개월 달 ヶ月 か月 个月",
    ),
    (
        Time,
        "y",
        365.0 * DAY,
        "y yr yrs year years jahr jahre jahren año años an ans 년 年",
    ),
    (
        Temperature,
        "C",
        1.0,
        "°c c celsius centigrade grad grados degrés degree degrees deg ° 섭씨 도 度 摂氏",
    ),
    (Temperature, "F", 1.0, "°f f fahrenheit 화씨 華氏"),
    (Temperature, "K", 1.0, "k kelvin 켈빈"),
    (
        Volume,
        "ml",
        0.001,
        "ml milliliter milliliters millilitre millilitres mililitros 밀리리터 밀리 미리 ミリリットル 毫升",
    ),
    (
        Volume,
        "l",
        1.0,
        "l liter liters litre litres litro litros 리터 リットル 升",
    ),
    (
        Volume,
        "gal",
        3.785_411_784,
        "gal gallon gallons gallone gallonen galón galones 갤런",
    ),
    (
        Volume,
        "cup",
        0.236_588,
        "cup cups tasse tassen taza tazas 컵 カップ",
    ),
    (
        Area,
        "m²",
        1.0,
        "m² ㎡ m2 sqm square_meter square_meters square_metre square_metres quadratmeter 제곱미터 평방미터 平方米 平方メートル",
    ),
    (
        Area,
        "km²",
        1e6,
        "km² km2 square_kilometers square_kilometres 제곱킬로미터",
    ),
    (
        Area,
        "ft²",
        0.092_903_04,
        "ft² ft2 sqft square_foot square_feet 제곱피트",
    ),
    (Area, "평", 3.305_785, "평 坪"),
    (Area, "ha", 10_000.0, "hectare hectares hektar 헥타르"),
    (Area, "acre", 4046.856, "acre acres 에이커"),
    (Data, "B", 1.0, "byte bytes 바이트"),
    (Data, "KB", 1e3, "kb kilobyte kilobytes"),
    (Data, "MB", 1e6, "mb megabyte megabytes 메가바이트 메가"),
    (
        Data,
        "GB",
        1e9,
        "gb gigabyte gigabytes gig gigs 기가바이트 기가 ギガ",
    ),
    (Data, "TB", 1e12, "tb terabyte terabytes 테라바이트"),
    (Speed, "km/h", 1.0, "kmh km/h kph 시속"),
    (Speed, "m/s", 3.6, "m/s mps"),
    (Speed, "mph", 1.609_344, "mph"),
    (
        Percent,
        "%",
        1.0,
        "% percent prozent porciento pct pourcent 퍼센트 프로 パーセント",
    ),
    (
        People,
        "people",
        1.0,
        "people person persons guest guests adult adults passenger passengers child children \
        kid kids traveler travelers traveller travellers attendee attendees players seats person personen leute \
        gäste gast erwachsene passagiere kinder persona personas huéspedes invitados pasajeros adultos niños \
        personne personnes 명 인 사람 명이 인분 名 名様 人 位",
    ),
    (
        Pieces,
        "pieces",
        1.0,
        "piece pieces item items unit copy copies stück exemplare pieza piezas unidades times \
        results entries 개 잔 장 권 병 마리 대 그릇 판 켤레 봉지 번 개입 점 통 곡 편 채 그루 송이 마디 줄 벌 자루 포기 모 단 꼬치 조각 세트 상자 박스 봉 팩 캔 접시 알 쌍 묶음 다발 \
        포대 자리 좌석 척 칸 군데 건 회 차례 바퀴 필 부 매 個 枚 冊 本 つ 个 杯 张 瓶 件",
    ),
    (
        Energy,
        "kcal",
        1.0,
        "kcal cal calorie calories kalorien calorías 칼로리 カロリー 卡路里",
    ),
    (Energy, "kWh", 860.0, "kwh"),
    (Angle, "rad", 57.295_779_513, "rad radian radians radianes"),
    (Pixels, "px", 1.0, "px pixel pixels 픽셀"),
];

/// The unit that a word in lower case names.
pub(crate) fn unit_of(word: &str) -> Option<Unit> {
    static TABLE: LazyLock<Lookup<Unit>> = LazyLock::new(|| {
        Lookup::new(UNITS.iter().map(|(dimension, sign, factor, words)| {
            let unit = Unit {
                dimension: *dimension,
                sign,
                factor: *factor,
            };
            (unit, *words)
        }))
    });
    TABLE.first(word)
}

/// The unit that a word begins with, and what is left of it: `분뒤` is minutes and `뒤`. For scripts
/// that glue words together; elsewhere the word must be the unit.
pub(crate) fn unit_prefix(word: &str) -> Option<(Unit, &str)> {
    if let Some(unit) = unit_of(word) {
        return Some((unit, ""));
    }
    if !super::super::script::is_dense(word) {
        return None;
    }
    let ends: Vec<usize> = word
        .char_indices()
        .map(|(at, c)| at + c.len_utf8())
        .collect();
    ends.iter().rev().find_map(|end| {
        let (head, rest) = (word.get(..*end)?, word.get(*end..)?);
        Some((unit_of(head)?, rest))
    })
}

/// A number of one unit in another of the same dimension. Temperatures do not just scale.
pub(crate) fn convert(value: f64, from: Unit, to: Unit) -> Option<f64> {
    if from.dimension != to.dimension {
        return None;
    }
    if from.dimension == Temperature {
        let celsius = match from.sign {
            "F" => (value - 32.0) / 1.8,
            "K" => value - 273.15,
            _ => value,
        };
        return Some(tidy(match to.sign {
            "F" => celsius * 1.8 + 32.0,
            "K" => celsius + 273.15,
            _ => celsius,
        }));
    }
    Some(tidy(value * from.factor / to.factor))
}

/// Without the dust of binary fractions.
pub(crate) fn tidy(value: f64) -> f64 {
    let rounded = (value * 1e9).round() / 1e9;
    if rounded.is_finite() { rounded } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_known_by_many_names() {
        for (word, sign) in [
            ("minuten", "min"),
            ("시간", "h"),
            ("kilos", "kg"),
            ("guests", "people"),
            ("%", "%"),
        ] {
            assert_eq!(unit_of(word).map(|unit| unit.sign), Some(sign), "{word}");
        }
        assert_eq!(
            unit_prefix("분뒤에").map(|(unit, rest)| (unit.sign, rest)),
            Some(("min", "뒤에"))
        );
        assert_eq!(unit_prefix("시간").map(|(unit, _)| unit.sign), Some("h"));
        assert!(unit_of("banana").is_none() && unit_prefix("minutely").is_none());
    }

    #[test]
    fn values_convert_within_a_dimension() {
        let unit = |word: &str| unit_of(word).unwrap();
        assert_eq!(convert(1.75, unit("m"), unit("cm")), Some(175.0));
        assert_eq!(convert(90.0, unit("min"), unit("h")), Some(1.5));
        assert_eq!(
            convert(212.0, unit("fahrenheit"), unit("celsius")),
            Some(100.0)
        );
        assert_eq!(convert(1.0, unit("kg"), unit("m")), None);
    }
}
