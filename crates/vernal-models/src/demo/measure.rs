//! What a number parameter measures, and in which unit.

use super::fill::unit::{Dimension, Unit, unit_of};
use super::role::listed;
use super::schema::Param;
use super::words::Word;

/// The unit in which a parameter wants its number: from its name, or `in minutes` of its description.
pub(crate) fn unit(param: &Param) -> Option<Unit> {
    let unit_word = |word: &Word| unit_of(&word.lower).filter(|_| word.lower.len() > 1);
    let not_noun = |unit: &Unit| !matches!(unit.dimension, Dimension::Pieces);
    // `min_price` is no price in minutes.
    let short_for_minimum =
        param.words.len() > 1 && param.words.first().is_some_and(|word| word.lower == "min");
    // `price_per_kg` is no weight.
    let rate = param
        .words
        .iter()
        .position(|word| matches!(word.lower.as_str(), "per" | "pro" | "por"));
    let own = param.words.iter().take(rate.unwrap_or(usize::MAX));
    let own = own.skip(usize::from(short_for_minimum));
    if let Some(unit) = own.rev().find_map(unit_word).filter(not_noun) {
        return Some(unit);
    }
    let last = param
        .words
        .last()
        .filter(|_| param.words.len() > 1 && rate.is_none());
    if let Some(unit) = last.and_then(|word| unit_of(&word.lower)).filter(not_noun) {
        return Some(unit);
    }
    let per = param
        .about
        .iter()
        .position(|word| matches!(word.lower.as_str(), "per" | "pro" | "por"));
    let mut about = param.about.iter().take(per.unwrap_or(usize::MAX));
    about.find_map(|word| {
        let in_plural = word.lower.len() > 2
            || !word.lower.is_ascii()
            || matches!(word.lower.as_str(), "kg" | "cm" | "km" | "mm" | "mg" | "ml");
        unit_of(&word.lower)
            .filter(|_| in_plural)
            .filter(|unit| !matches!(unit.dimension, Dimension::Pieces | Dimension::People))
    })
}

/// What a number parameter measures, where its words say so.
pub(crate) fn dimension(param: &Param) -> Option<Dimension> {
    const WORDS: &[(Dimension, &str)] = &[
        (
            Dimension::People,
            "people servings portions persons guests party passengers adults seats attendees headcount travelers participants players personen gäste personas huéspedes pasajeros 인원 사람 人数",
        ),
        (
            Dimension::Percent,
            "percent percentage discount interest tax apr vat prozent zinssatz porcentaje tasa brightness humidity 퍼센트 할인율 이율 밝기",
        ),
        (
            Dimension::Money,
            "price cost budget fee salary income principal deposit fare payment usd eur dollars euros balance preis kosten gehalt betrag budget precio costo importe salario 가격 금액 예산 비용 연봉 원금 金額 価格 予算 价格 金额 预算 bill loan",
        ),
        (
            Dimension::Mass,
            "weight mass gewicht peso poids 무게 체중 重さ 体重 重量",
        ),
        (
            Dimension::Length,
            "height distance length width radius depth diameter größe entfernung länge altura distancia longitud 키 거리 길이 높이 너비 距離 身長 高さ 距离 身高 高度",
        ),
        (
            Dimension::Temperature,
            "temperature temp degrees temperatur temperatura 온도 温度 気温",
        ),
        (
            Dimension::Pieces,
            "quantity count copies pieces qty number menge anzahl stück cantidad número 수량 개수 数量 個数",
        ),
        (Dimension::Speed, "speed velocity"),
        (Dimension::Energy, "calories kcal"),
    ];
    if let Some(unit) = unit(param) {
        return Some(unit.dimension);
    }
    let by = |words: &mut dyn Iterator<Item = &Word>| {
        let words: Vec<_> = words.collect();
        WORDS
            .iter()
            .find(|(_, known)| words.iter().any(|w| listed(known, &w.lower)))
            .map(|(d, _)| *d)
    };
    // `the number to convert` is a number of anything, also of kilometres.
    let says_nothing = |word: &&Word| matches!(word.lower.as_str(), "number" | "número");
    by(&mut param.words.iter())
        .or_else(|| by(&mut param.about.iter().filter(|word| !says_nothing(word))))
}
