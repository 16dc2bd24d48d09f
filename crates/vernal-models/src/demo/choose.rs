//! Which tool the words of a text ask for.

use super::asked::{asked_actions, main_verb};
use super::fill::pattern::Form;
use super::fill::{has_like_sample, like_samples};
use super::lang::{Lang, is_stop};
use super::reading::Reading;
use super::role::{Want, want};
use super::said::{Said, said_words};
use super::schema::{Param, Shape};
use super::synonyms::{Action, action_of, is_narrow};
use super::tool::{Tool, all_params};
use super::words::Word;

/// How well a tool fits a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fit {
    /// The tool's place among the tools on offer.
    pub(crate) tool: usize,
    pub(crate) score: f32,
    /// The part of the score that comes from words that mean something.
    pub(crate) content: f32,
    /// The part of it that comes from things, and from verbs that mean one thing.
    pub(crate) things: f32,
    /// How many things of the text it alone has a place for, all of them taken together.
    pub(crate) holds: usize,
}

impl Fit {
    /// A tool of which no word was said.
    pub(crate) fn unsaid(tool: usize) -> Self {
        Self {
            tool,
            score: 0.0,
            content: 0.0,
            things: 0.0,
            holds: 0,
        }
    }
}

/// A word of a tool with its weight.
struct Term<'a> {
    word: &'a Word,
    weight: f32,
}

/// The tools by the likeness of their words to the text, best first. Tools without any likeness are left out.
pub(crate) fn rank(tools: &[Tool], reading: &Reading) -> Vec<Fit> {
    let said = said_words(reading);
    let terms: Vec<Vec<Term<'_>>> = tools.iter().map(terms_of).collect();
    let asked = asked_actions(reading);
    let verb = main_verb(reading);
    // What no tool does is asked of none of them.
    let undone = match verb {
        Some(verb) if !tools.iter().any(|tool| does(tool, verb)) => -3.0,
        _ => -1.8,
    };
    // How well each word of the text fits each tool.
    let rows = said.iter().map(|said| {
        let mut row: Vec<f32> = terms.iter().map(|terms| best_match(said, terms)).collect();
        if said.labels {
            share_label(&mut row, &said.word, tools);
        }
        row
    });
    let best: Vec<Vec<f32>> = rows.collect();
    let mut fits: Vec<Fit> = Vec::new();
    for (tool_index, tool) in tools.iter().enumerate() {
        let (mut score, mut content, mut things) = (0.0, 0.0, 0.0);
        for (said, row) in said.iter().zip(&best) {
            let value = row.get(tool_index).copied().unwrap_or(0.0) * said.weight * rarity(row);
            score += value;
            if said.weight > 0.5 || !said.word.is_action() {
                content += value;
            }
            let verb =
                said.word.is_action() && said.word.concepts.len() == said.word.actions().count();
            let narrow = said.word.concepts.iter().any(|concept| is_narrow(*concept))
                && row.get(tool_index).is_some_and(|v| *v > 0.5);
            things += if !verb || narrow { value } else { 0.0 };
        }
        score += coverage(tool, &said) + action_fit(tool, &asked, reading);
        let named = |verb: &Word, least: f32| {
            // The verb that opens a description says what the tool does.
            let described = tool.about.first().filter(|word| word.is_action());
            let mut words = tool.words.iter().chain(described);
            words.any(|word| word.likeness(verb) >= least)
        };
        score += match verb {
            Some(verb)
                if named(verb, 0.9) && verb.actions().all(|action| action != Action::Read) =>
            {
                0.8
            }
            Some(verb) if !is_specific(verb) => 0.0,
            Some(verb) if !does(tool, verb) => undone,
            Some(verb) if named(verb, 0.75) => 0.5,
            _ => 0.0,
        };
        // A calculation is for those who take numbers.
        if reading.calculates && !calculates(tool) {
            score -= 3.0;
        }
        let formed = form_fit(tool, reading);
        score += formed;
        content += formed;
        things += formed;
        if content > 0.2 {
            fits.push(Fit {
                score,
                content,
                things,
                ..Fit::unsaid(tool_index)
            });
        }
    }
    fits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.tool.cmp(&b.tool)));
    fits
}

fn terms_of(tool: &Tool) -> Vec<Term<'_>> {
    let mut terms: Vec<Term<'_>> = Vec::new();
    let weight_of = |word: &Word, noun: f32, verb: f32| {
        let verb_only = word.is_action() && word.concepts.len() == word.actions().count();
        if verb_only { verb } else { noun }
    };
    terms.extend(tool.words.iter().map(|word| Term {
        word,
        weight: weight_of(word, 3.0, 1.6),
    }));
    let mut about: Vec<&Word> = tool
        .about
        .iter()
        .filter(|word| word.lower.chars().count() > 1)
        .collect();
    about.retain(|word| !is_stop(Lang::En, &word.lower) && !is_stop(Lang::De, &word.lower));
    let thin = 1.0 / (1.0 + about.len() as f32 / 60.0);
    let opens = tool.about.first().filter(|word| word.is_action());
    terms.extend(opens.map(|word| Term { word, weight: 1.4 }));
    terms.extend(about.into_iter().map(|word| Term {
        word,
        weight: 1.3 * thin * weight_of(word, 1.0, 0.5),
    }));
    for param in all_params(&tool.params).into_iter().take(40) {
        terms.extend(param.words.iter().map(|word| Term { word, weight: 0.8 }));
        let about = param
            .about
            .iter()
            .take(15)
            .filter(|word| !is_stop(Lang::En, &word.lower) && word.lower.chars().count() > 1);
        terms.extend(about.map(|word| Term { word, weight: 0.35 }));
        if let Shape::Choice(choices) = &param.shape {
            let words = choices.iter().take(40).flat_map(|choice| &choice.words);
            terms.extend(
                words
                    .filter(|word| word.lower.chars().count() > 1)
                    .map(|word| Term { word, weight: 0.9 }),
            );
        }
    }
    terms
}

fn best_match(said: &Said, terms: &[Term<'_>]) -> f32 {
    let mut best: f32 = 0.0;
    for term in terms {
        if term.weight <= best {
            continue;
        }
        let likeness = said.word.likeness(term.word);
        if likeness >= if said.exact { 0.9 } else { 0.5 } {
            best = best.max(likeness * term.weight);
        }
    }
    best
}

/// `kiln 2` says no more about a tool named after the kiln than about any that takes its number.
fn share_label(row: &mut [f32], label: &Word, tools: &[Tool]) {
    let takes = |tool: &Tool| {
        let params = all_params(&tool.params).into_iter();
        let mut words = params.flat_map(|param| &param.words);
        words.any(|word| word.likeness(label) >= 0.9)
    };
    let takers: Vec<bool> = tools.iter().map(takes).collect();
    let of_takers = row.iter().zip(&takers).filter(|(_, takes)| **takes);
    let most = of_takers.map(|(value, _)| *value).fold(0.0, f32::max);
    for (value, _) in row.iter_mut().zip(&takers).filter(|(_, takes)| **takes) {
        *value = most;
    }
}

/// How much a word tells, by how many of the tools it fits nearly as well as any.
fn rarity(row: &[f32]) -> f32 {
    let most = row.iter().copied().fold(0.0, f32::max);
    if most == 0.0 {
        return 0.0;
    }
    let fitting = row
        .iter()
        .filter(|value| **value >= most * 0.5)
        .count()
        .max(1) as f32;
    let all = row.len() as f32;
    let idf = ((all + 1.0) / fitting).ln() / (all + 1.0).ln();
    0.35 + 0.65 * idf.clamp(0.0, 1.0)
}

/// What speaks for a tool without a word: an id like its samples, a ticker symbol.
fn form_fit(tool: &Tool, reading: &Reading) -> f32 {
    let sampled = tool
        .params
        .iter()
        .any(|param| has_like_sample(param, reading));
    let mut best: f32 = if sampled { 1.0 } else { 0.0 };
    if reading.calculates && calculates(tool) {
        best = 2.5;
    }
    for formed in reading
        .formed
        .iter()
        .filter(|formed| formed.span.start < reading.background)
    {
        for param in &tool.params {
            let fit = match formed.form {
                Form::Id if like_samples(param, &formed.text) => 1.0,
                Form::Code if want(param, &tool.words) == Want::Symbol => 0.3,
                _ => 0.0,
            };
            best = best.max(fit);
        }
    }
    best
}

/// Whether the tool takes a calculation, or nothing but numbers.
fn calculates(tool: &Tool) -> bool {
    let mut required = tool.params.iter().filter(|param| param.required).peekable();
    let takes = |param: &Param| {
        let numeric = |shape: &Shape| matches!(shape, Shape::Number(_) | Shape::Choice(_));
        want(param, &tool.words) == Want::Expression
            || numeric(&param.shape)
            || matches!(&param.shape, Shape::List(list) if numeric(&list.item.shape))
    };
    required.peek().is_some() && required.all(takes)
}

/// How much of the tool's name the text speaks of.
fn coverage(tool: &Tool, said: &[Said]) -> f32 {
    let nouns = tool
        .words
        .iter()
        .filter(|word| !is_stop(Lang::En, &word.lower));
    let (mut sum, mut count) = (0.0, 0.0);
    for noun in nouns {
        let weight = if noun.is_action() && noun.concepts.len() == noun.actions().count() {
            0.4
        } else {
            1.0
        };
        let best = said
            .iter()
            .map(|said| said.word.likeness(noun))
            .fold(0.0, f32::max);
        sum += weight * if best >= 0.5 { best } else { 0.0 };
        count += weight;
    }
    if count > 0.0 { sum / count } else { 0.0 }
}

/// Whether a verb asks for one thing, and changes something: `translate`, not `get` or `check`.
pub(crate) fn is_specific(verb: &Word) -> bool {
    // `Double the recipe` asks for no one thing.
    let narrow = verb
        .concepts
        .iter()
        .any(|concept| is_narrow(*concept) == action_of(*concept).is_some());
    narrow && verb.actions().all(|action| action != Action::Read)
}

/// Whether the tool speaks of what a verb says.
fn does(tool: &Tool, verb: &Word) -> bool {
    let params = all_params(&tool.params);
    let params = params
        .iter()
        .flat_map(|param| param.words.iter().chain(&param.about));
    let mut words = tool.words.iter().chain(&tool.about).chain(params);
    words.any(|word| word.likeness(verb) >= 0.5)
}

fn action_fit(tool: &Tool, asked: &[Action], reading: &Reading) -> f32 {
    let Some(action) = tool.action() else {
        return 0.0;
    };
    if asked.is_empty() {
        return 0.0;
    }
    if asked.contains(&action) {
        return 0.8;
    }
    let reads = asked.iter().all(|asked| *asked == Action::Read);
    let harmless = matches!(action, Action::Read);
    match (reads, harmless) {
        // A question changes nothing.
        (true, false) => {
            if action == Action::Delete {
                -1.6
            } else {
                -1.0
            }
        }
        (false, true) if asked.iter().all(|asked| *asked == Action::Delete) => -1.6,
        (false, true) => -0.7,
        _ if asked.contains(&Action::Delete) || action == Action::Delete => -1.5,
        _ if reading.lang == Lang::En => -0.35,
        _ => -0.2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vernal_core::tool::ToolDefinition;

    fn tool(name: &str, description: &str) -> Tool {
        Tool::new(
            &ToolDefinition::builder(name)
                .description(description)
                .build()
                .unwrap(),
        )
    }

    fn best(tools: &[Tool], text: &str) -> Option<String> {
        rank(tools, &Reading::new(text))
            .first()
            .map(|fit| tools[fit.tool].name.to_string())
    }

    #[test]
    fn words_choose_among_tools() {
        let tools = [
            tool("create_order", "Places a new order"),
            tool("cancel_order", "Cancels an order"),
            tool("get_order_status", "Tells how far an order is"),
            tool("wetterVorhersage", "Liefert die Vorhersage"),
            tool("환율_조회", "환율을 조회한다"),
            tool("calc", "Evaluates a mathematical expression"),
        ];
        for (text, name) in [
            ("please cancel my order", "cancel_order"),
            ("What's the status of my order?", "get_order_status"),
            ("I'd like to order a pizza", "create_order"),
            ("Will it rain tomorrow?", "wetterVorhersage"),
            ("달러 환율 알려줘", "환율_조회"),
            ("what is 12*4?", "calc"),
        ] {
            assert_eq!(best(&tools, text).as_deref(), Some(name), "{text}");
        }
        assert_eq!(best(&tools, "Tell me a joke"), None);
    }
}
