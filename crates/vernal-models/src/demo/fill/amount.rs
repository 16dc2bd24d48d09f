//! Numbers for parameters: which number of the text is meant, in which unit.

use serde_json::Value;

use super::amount_place::{
    explained, id_fit, levels, limit_fit, place_fit, rate_fit, side_of_box, takes_away,
};
use super::ids::strength_of;
use super::leaf::{Candidate, Leaf, Scene, Strength, listed};
use super::number::{Quantity, Written};
use super::unit::{Dimension, convert, tidy};
use crate::demo::cue::{Cue, is_conjunction, preposition};
use crate::demo::lang::{Lang, is_stop};
use crate::demo::measure::{dimension, unit};
use crate::demo::role::{DatePart, Want, want};
use crate::demo::schema::Number;
use crate::demo::side::Side;
use crate::demo::tool::all_params;

/// The numbers that the leaf might take.
pub(crate) fn amounts(leaf: &Leaf<'_>, number: &Number, scene: &Scene<'_>) -> Vec<Candidate> {
    let mut found = match leaf.want {
        Want::Duration => lengths(leaf, number, scene),
        _ => Vec::new(),
    };
    for quantity in &scene.reading.quantities {
        let Some((value, score)) = fit(leaf, number, quantity, scene) else {
            continue;
        };
        // `negative removes`
        let taken_away = leaf.param.description.to_lowercase().contains("negative")
            && number.min.is_none_or(|min| min < 0.0)
            && value > 0.0
            && takes_away(scene.reading);
        let value = if taken_away { -value } else { value };
        if let Some(value) = json_number(value, number) {
            found.push(Candidate::new(value, quantity.span.clone(), score));
        }
    }
    found.extend(levels(leaf, number, scene));
    found.extend(explained(leaf, number, scene));
    if leaf.want == Want::Id {
        for formed in &scene.reading.formed {
            let digits = formed.text.trim_start_matches('#');
            let digits = digits.rsplit(['-', '_']).next().unwrap_or_default();
            if let Some(value) = digits
                .parse::<i64>()
                .ok()
                .filter(|n| number.allows(*n as f64))
            {
                let score = 0.8 + 0.2 * leaf.label(scene.reading, &formed.span);
                found.push(Candidate::new(value, formed.span.clone(), score));
            }
        }
    }
    found
}

/// The number as JSON, whole where it is whole.
pub(crate) fn json_number(value: f64, number: &Number) -> Option<Value> {
    let value = tidy(value);
    if !number.allows(value) {
        return None;
    }
    if value.fract() == 0.0 && value.abs() < 9e15 {
        return Some(Value::from(value as i64));
    }
    serde_json::Number::from_f64(value).map(Value::Number)
}

fn lengths(leaf: &Leaf<'_>, number: &Number, scene: &Scene<'_>) -> Vec<Candidate> {
    let wanted = unit(leaf.param).filter(|unit| unit.dimension == Dimension::Time);
    let mut found = Vec::new();
    for duration in &scene.reading.durations {
        let own = duration.length.single.map(|(value, _)| value);
        let value = match (wanted, own) {
            (Some(unit), _) => duration.length.in_units_of(unit.factor),
            (None, Some(value)) => value,
            (None, None) => duration.length.in_units_of(60.0),
        };
        let same_unit = duration
            .length
            .single
            .is_some_and(|(_, unit)| wanted.is_some_and(|w| w.sign == unit.sign));
        let said = scene
            .reading
            .before(duration.span.start, 0)
            .map_or("", |t| t.lower());
        let vague =
            duration.vague && !matches!(said, "for" | "every" | "of" | "within" | "another");
        let mut score = if vague { 0.55 } else { 0.85 };
        score +=
            if same_unit { 0.1 } else { 0.0 } + 0.1 * leaf.label(scene.reading, &duration.span);
        if scene.reading.is_quoted(&duration.span) {
            score -= 0.4;
        }
        let value = if number.integer { value.round() } else { value };
        if let Some(value) = json_number(value, number) {
            found.push(Candidate::new(value, duration.span.clone(), score));
        }
    }
    found
}

const MAX_WORDS: &str =
    "max maximum upper under below limit budget most bis hasta to end cap ceiling";
const MIN_WORDS: &str = "min minimum lower over above least from start floor";

fn fit(
    leaf: &Leaf<'_>,
    number: &Number,
    quantity: &Quantity,
    scene: &Scene<'_>,
) -> Option<(f64, f32)> {
    let reading = scene.reading;
    let mut value = quantity.value;
    let mut score: f32 = match quantity.written {
        Written::Digits => 0.5,
        Written::Words => 0.47,
        Written::Ordinal => 0.2,
        Written::Article => 0.1,
    };
    let label = leaf
        .label(reading, &quantity.whole)
        .max(leaf.label(reading, &quantity.span));
    score += 0.35 * label;
    score += unit_fit(leaf, number, quantity, &mut value, scene)?;
    // `a 10k run`
    let thousands = reading.slice(&quantity.span).ends_with(['k', 'K']) && quantity.unit.is_none();
    if thousands && unit(leaf.param).is_some_and(|unit| unit.sign == "km") {
        value /= 1000.0;
        score += 0.2;
    }
    let noun = noun_fit(leaf, quantity, scene);
    score += noun;
    if quantity.written == Written::Article && noun >= 0.25 && goes_on_counting(quantity, scene) {
        score += 0.4;
    }
    score += cue_fit(leaf, quantity, scene);
    // `She turns seven. We want a cake for fifteen.`
    let told = |other: &Quantity| {
        let mut told = reading.told.iter();
        told.any(|part| part.start <= other.span.start && other.span.end <= part.end)
    };
    let asked = |other: &Quantity| !told(other) && other.written != Written::Article;
    if told(quantity) && leaf.want != Want::Id && reading.quantities.iter().any(asked) {
        score -= 0.1;
    }
    score += place_fit(leaf, quantity, scene);
    score += side_of_box(leaf, quantity, scene) + rate_fit(leaf, quantity, scene);
    // `order 55812` counts nothing.
    let digits = reading.slice(&quantity.span);
    let long = digits.len() >= 4 && digits.bytes().all(|b| b.is_ascii_digit());
    let pointed = reading.before(quantity.span.start, 0).is_some_and(|noun| {
        listed("page line question chapter row column step section level floor room version number seat lane gate", noun.lower())
    });
    if pointed && quantity.unit.is_none() && label == 0.0 && leaf.want != Want::Id {
        score -= 0.3;
    }
    if long && leaf.want != Want::Id && strength_of(leaf, scene, &quantity.span) != Strength::Firm {
        score -= 0.3;
    }
    if quantity.is_designator() && leaf.want != Want::Id && noun_fit(leaf, quantity, scene) < 0.25 {
        score -= 0.4;
    }
    let plain = quantity.unit.is_none() && quantity.currency.is_none();
    let like_a_year = plain && value.fract() == 0.0 && (1900.0..2101.0).contains(&value);
    match leaf.want {
        Want::DatePart(DatePart::Year) => score += if like_a_year { 0.4 } else { -0.5 },
        Want::DatePart(_) => score -= 0.1,
        // Lengths of time have been read as a whole.
        Want::Duration
            if quantity
                .unit
                .is_some_and(|unit| unit.dimension == Dimension::Time) =>
        {
            return None;
        }
        // `five exposures of two minutes each`
        Want::Duration if plain && !reading.durations.is_empty() => score -= 0.4,
        Want::Duration if plain => score -= 0.15,
        Want::Page if label == 0.0 => score -= 0.4,
        Want::Confidence => return None,
        Want::Timestamp if value < 1e8 => return None,
        Want::Id if quantity.written != Written::Digits => return None,
        Want::Id => score += id_fit(quantity, scene),
        Want::Limit => score += limit_fit(quantity, scene),
        _ if like_a_year => score -= 0.1,
        _ => {}
    }
    Some((value, score))
}

/// `two adults and a child`: the article counts as the number before it does.
fn goes_on_counting(quantity: &Quantity, scene: &Scene<'_>) -> bool {
    let reading = scene.reading;
    let joined = reading
        .before(quantity.span.start, 0)
        .is_some_and(|token| is_conjunction(token.lower()));
    let mut earlier = reading.quantities.iter();
    joined
        && earlier.any(|other| {
            other.span.end < quantity.span.start
                && other.written != Written::Article
                && other.noun.is_some()
                && other.currency.is_none()
        })
}

fn takes_unit(scene: &Scene<'_>) -> bool {
    let params = all_params(&scene.tool.params);
    params
        .into_iter()
        .any(|param| want(param, &scene.tool.words) == Want::Unit)
}

fn unit_fit(
    leaf: &Leaf<'_>,
    number: &Number,
    quantity: &Quantity,
    value: &mut f64,
    scene: &Scene<'_>,
) -> Option<f32> {
    let wanted = dimension(leaf.param);
    // `160 pounds` may be money or weight.
    let measured = quantity
        .unit
        .is_some_and(|unit| wanted == Some(unit.dimension));
    let money = quantity
        .currency
        .filter(|_| !measured)
        .map(|_| Dimension::Money);
    let given = quantity
        .unit
        .map(|unit| unit.dimension)
        .filter(|_| money.is_none())
        .or(money);
    if let (Some(from), Some(to)) = (quantity.unit, unit(leaf.param))
        && from.sign != to.sign
        && let Some(converted) = convert(*value, from, to)
    {
        // `20 degrees` may be of either scale.
        let vague = from.dimension == Dimension::Temperature
            && quantity
                .noun
                .as_ref()
                .is_some_and(|noun| unit_is_vague(&noun.lower));
        if !vague {
            *value = converted;
        }
    }
    let percent = given == Some(Dimension::Percent);
    let about = leaf.param.description.to_lowercase();
    let as_fraction =
        about.contains("decimal") || about.contains("fraction") || about.contains(" 0.0");
    if percent && (as_fraction || number.max.or(number.below).is_some_and(|max| max <= 1.0)) {
        *value /= 100.0;
    }
    Some(match (wanted, given) {
        (Some(a), Some(b)) if a == b => 0.4,
        (Some(Dimension::Length), Some(Dimension::Speed)) => 0.3,
        (Some(Dimension::People), Some(Dimension::Pieces))
        | (Some(Dimension::Pieces), Some(Dimension::People)) => -0.05,
        // `2 litres`, where the unit is a parameter too.
        (Some(Dimension::Pieces), Some(_)) if takes_unit(scene) => 0.3,
        // `10주` are shares as well as weeks.
        (Some(Dimension::Pieces), Some(Dimension::Time))
            if quantity
                .noun
                .as_ref()
                .is_some_and(|noun| noun.lower == "주") =>
        {
            0.1
        }
        (Some(_), Some(Dimension::Pieces)) => -0.2,
        (Some(_), Some(_)) => -0.6,
        (None, Some(Dimension::Time)) if leaf.want != Want::Duration => -0.3,
        (None, Some(Dimension::Pieces | Dimension::Money)) => 0.05,
        (None, Some(_)) => 0.0,
        (_, None) => 0.0,
    })
}

fn unit_is_vague(word: &str) -> bool {
    matches!(
        word,
        "degree" | "degrees" | "deg" | "°" | "grad" | "grados" | "degrés" | "도" | "度"
    )
}

fn noun_fit(leaf: &Leaf<'_>, quantity: &Quantity, scene: &Scene<'_>) -> f32 {
    let Some(noun) = &quantity.noun else {
        return 0.0;
    };
    let own = leaf
        .words
        .iter()
        .filter(|word| word.lower.chars().count() > 1);
    if own.map(|word| word.likeness(noun)).fold(0.0, f32::max) >= 0.65 {
        return 0.35;
    }
    let about = leaf.param.about.iter().take(12).any(|word| {
        let plural = || {
            let rest = word.lower.strip_prefix(noun.lower.as_str());
            scene.reading.lang == Lang::De && rest.is_some_and(|rest| listed("e er n en s", rest))
        };
        (word.is(noun) || plural()) && (noun.lower.chars().count() > 2 || !noun.lower.is_ascii())
    });
    if about {
        return 0.25;
    }
    // What is counted is what the tool is about: `order 3 pizzas`.
    let counts =
        matches!(dimension(leaf.param), Some(Dimension::Pieces)) || leaf.want == Want::Limit;
    let tool = scene
        .tool
        .words
        .iter()
        .any(|word| word.likeness(noun) >= 0.65)
        || (leaf.want == Want::Limit && scene.tool.about.iter().any(|word| word.is(noun)));
    let plain = quantity.unit.is_none() && quantity.currency.is_none();
    let named = !is_stop(scene.reading.lang, &noun.lower)
        && preposition(scene.reading.lang, &noun.lower).is_none();
    if counts && leaf.want != Want::Limit && plain && named && !tool {
        return 0.25;
    }
    if counts && tool { 0.25 } else { 0.0 }
}

fn cue_fit(leaf: &Leaf<'_>, quantity: &Quantity, scene: &Scene<'_>) -> f32 {
    let named = |words: &str| {
        leaf.param
            .words
            .iter()
            .any(|word| listed(words, &word.lower))
    };
    let (upper, lower) = (named(MAX_WORDS), named(MIN_WORDS));
    let mut score = 0.0;
    match scene.reading.cue_of(&quantity.whole) {
        Some(Cue::Under | Cue::Until) if upper => score += 0.4,
        Some(Cue::Over) if lower => score += 0.4,
        Some(Cue::Under | Cue::Until) if lower => score -= 0.5,
        Some(Cue::Over) if upper => score -= 0.5,
        Some(Cue::Under | Cue::Over) => score -= 0.05,
        Some(Cue::Between | Cue::From) if lower || leaf.side == Side::From => score += 0.3,
        Some(Cue::Between | Cue::From) if upper || leaf.side == Side::To => score -= 0.35,
        Some(Cue::To) if upper || leaf.side == Side::To => score += 0.3,
        Some(Cue::To) if lower || leaf.side == Side::From => score -= 0.35,
        // `increase by 20`
        Some(Cue::By) if named("amount delta step by change increment quantity") => score += 0.15,
        // `subtract 5 from 20`: the first operand is 20.
        Some(Cue::From) if scene.tool.words.iter().any(|word| word.is_about("minus")) => {
            score += 0.03
        }
        _ => {}
    }
    score
}

#[cfg(test)]
mod tests {
    use crate::demo::fill::trial::filled;
    use serde_json::json;

    #[test]
    fn numbers_go_where_their_unit_and_their_noun_fit() {
        let number = || json!({"type": "number"});
        let bmi = json!({"height_cm": number(), "weight_kg": number()});
        let text = "I weigh 70 kg and am 1.75 m tall";
        assert_eq!(
            filled("bmi", bmi, &["height_cm", "weight_kg"], text),
            json!({"height_cm": 175, "weight_kg": 70})
        );
        let tip = json!({"percent": number(), "bill": number()});
        assert_eq!(
            filled("tip", tip, &["percent", "bill"], "15% on a $50 bill"),
            json!({"percent": 15, "bill": 50})
        );
        let range = json!({"max": {"type": "integer"}, "min": {"type": "integer"}});
        assert_eq!(
            filled("random", range, &["max", "min"], "between 1 and 6"),
            json!({"max": 6, "min": 1})
        );
        let timer = json!({"seconds": {"type": "integer", "maximum": 600}});
        assert_eq!(
            filled("timer", timer.clone(), &["seconds"], "for 5 minutes"),
            json!({"seconds": 300})
        );
        assert_eq!(
            filled("timer", timer, &["seconds"], "for an hour"),
            json!({})
        );
    }
}
