//! Which item of a list is meant: by its name, or by a superlative.

use serde_json::Value;

use super::lang::is_stop;
use super::reading::Reading;
use super::stem::stem;
use super::words::identifier_words;

/// Words by which the wanted thing is told from the others in a list.
pub(crate) struct Wanted<'a> {
    /// What the message says in place of the value.
    pub(crate) key: Option<&'a str>,
    pub(crate) reading: &'a Reading,
}

/// The item of a list that the message means: by name, by a superlative, else the first.
pub(crate) fn best_item<'a>(items: &'a [Value], wanted: &Wanted<'_>) -> Option<&'a Value> {
    if items.len() < 2 {
        return items.first();
    }
    let named = |key: &str| {
        let fits = items.iter().map(|item| (likeness_of(item, key), item));
        fits.max_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|(fit, _)| *fit > 0.5)
            .map(|(_, item)| item)
    };
    if let Some(item) = wanted.key.and_then(named) {
        return Some(item);
    }
    if let Some(item) = by_superlative(items, wanted.reading) {
        return Some(item);
    }
    let mut best: (usize, Option<&Value>) = (0, None);
    for item in items {
        let text = item.to_string().to_lowercase();
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
        let stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
        let said = wanted.reading.tokens.iter().filter(|token| {
            let long = token.lower().chars().count() > 1;
            let told = token.is_word() && long && !is_stop(wanted.reading.lang, token.lower());
            told && token.span.start < wanted.reading.background
                && (words.contains(&token.lower()) || stems.contains(&token.word.stem))
        });
        let count = said.count();
        if count > best.0 {
            best = (count, Some(item));
        }
    }
    best.1.or_else(|| items.first())
}

fn by_superlative<'a>(items: &'a [Value], reading: &Reading) -> Option<&'a Value> {
    let says = |words: &[&str]| {
        reading
            .tokens
            .iter()
            .any(|token| words.contains(&token.lower()))
    };
    let number = |item: &Value| {
        let members = item.as_object()?;
        let priced = members.iter().find(|(name, _)| {
            identifier_words(name)
                .iter()
                .any(|word| word.is_about("price") || word.is_about("balance"))
        });
        priced.and_then(|(_, value)| value.as_f64().or_else(|| value.as_str()?.parse().ok()))
    };
    let dated = |item: &Value| {
        let members = item.as_object()?;
        let stamp = members
            .values()
            .filter_map(Value::as_str)
            .find(|text| super::fill::iso::stamp_at(text).is_some());
        stamp.map(str::to_owned)
    };
    if says(&[
        "cheapest",
        "lowest",
        "billigste",
        "günstigste",
        "barato",
        "저렴한",
        "싼",
    ]) {
        return items
            .iter()
            .filter(|item| number(item).is_some())
            .min_by(|a, b| {
                number(a)
                    .partial_cmp(&number(b))
                    .unwrap_or(std::cmp::Ordering::Equal)
            });
    }
    if says(&["highest", "priciest", "expensive", "teuerste", "비싼"]) {
        return items
            .iter()
            .filter(|item| number(item).is_some())
            .max_by(|a, b| {
                number(a)
                    .partial_cmp(&number(b))
                    .unwrap_or(std::cmp::Ordering::Equal)
            });
    }
    if says(&[
        "latest",
        "newest",
        "last",
        "recent",
        "neueste",
        "letzte",
        "último",
        "최근",
        "마지막",
        "최신",
    ]) {
        let newest = items
            .iter()
            .filter(|item| dated(item).is_some())
            .max_by_key(|item| dated(item));
        return newest.or_else(|| items.last());
    }
    None
}

/// How well an item is named by a key: 1 where one of its texts is the key.
fn likeness_of(item: &Value, key: &str) -> f32 {
    let key = key.to_lowercase();
    match item {
        Value::String(text) => {
            let text = text.to_lowercase();
            if text == key {
                1.0
            } else if !key.is_empty()
                && (text.contains(&key) || key.contains(&text) && text.len() > 2)
            {
                0.8
            } else {
                0.0
            }
        }
        Value::Object(members) => members
            .values()
            .map(|value| likeness_of(value, &key))
            .fold(0.0, f32::max),
        Value::Array(items) => {
            items
                .iter()
                .map(|value| likeness_of(value, &key))
                .fold(0.0, f32::max)
                * 0.9
        }
        Value::Number(number) if number.to_string() == key => 1.0,
        _ => 0.0,
    }
}

/// Whether arguments hold the key.
pub(crate) fn mentions(arguments: &Value, key: &str) -> bool {
    likeness_of(arguments, key) > 0.7
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_item_that_is_meant_is_picked() {
        let items = [
            json!({"id": 1, "name": "Alice Smith", "price": 30, "made": "2025-01-01"}),
            json!({"id": 2, "name": "Alice Jones", "price": 10, "made": "2025-03-01"}),
            json!({"id": 3, "name": "Bob", "price": 20, "made": "2025-02-01"}),
        ];
        let id = |key: Option<&str>, text: &str| {
            let reading = Reading::new(text);
            let wanted = Wanted {
                key,
                reading: &reading,
            };
            best_item(&items, &wanted).unwrap()["id"].clone()
        };
        assert_eq!(id(Some("alice jones"), ""), 2);
        assert_eq!(id(None, "the one of Bob"), 3);
        assert_eq!(id(None, "the cheapest one"), 2);
        assert_eq!(id(None, "the most expensive one"), 1);
        assert_eq!(id(None, "the latest one"), 2);
        assert_eq!(id(Some("nobody"), "any"), 1);
    }
}
