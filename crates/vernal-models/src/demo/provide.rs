//! Which tool could find what another one needs.

use super::fill::Leaf;
use super::harvest::vague;
use super::role::Want;
use super::script::is_dense;
use super::synonyms::Action;
use super::tool::Tool;
use super::words::Word;

/// How well a tool could find a value for a leaf, by its words: 0 for not at all.
pub(crate) fn provides(provider: &Tool, leaf: &Leaf<'_>, tool: &Tool) -> f32 {
    if provider.tells_the_time() {
        return 0.0;
    }
    if matches!(
        provider.action(),
        Some(Action::Delete | Action::Update | Action::Send | Action::Create)
    ) {
        return 0.0;
    }
    let is_id = |word: &Word| {
        matches!(
            word.lower.as_str(),
            "id" | "ids"
                | "uuid"
                | "identifier"
                | "key"
                | "code"
                | "number"
                | "ref"
                | "아이디"
                | "번호"
                | "nr"
        )
    };
    let mut nouns: Vec<Word> = leaf
        .words
        .iter()
        .filter(|word| !is_id(word) && !vague(word))
        .cloned()
        .collect();
    if nouns.is_empty() {
        nouns = tool
            .words
            .iter()
            .filter(|word| !word.is_action() && !vague(word))
            .cloned()
            .collect();
    }
    let related: &[&str] = match leaf.want {
        Want::Email | Want::Phone | Want::Person => {
            &["contact", "user", "customer", "employee", "email", "phone"]
        }
        Want::Symbol => &["stock"],
        Want::Zone | Want::Place | Want::Country => &["location"],
        _ => &[],
    };
    nouns.extend(related.iter().map(|key| Word::new(key)));
    let best = |words: &[Word], nouns: &[Word]| {
        nouns
            .iter()
            .flat_map(|noun| words.iter().map(move |word| word.likeness(noun)))
            .fold(0.0, f32::max)
    };
    let mut score = best(&provider.words, &nouns).max(0.7 * best(&provider.about, &nouns));
    let described: Vec<Word> = leaf
        .param
        .about
        .iter()
        .filter(|word| !is_id(word) && !vague(word) && !word.is_action())
        .cloned()
        .collect();
    score = score.max(0.65 * best(&provider.words, &described));
    // `학생의 지도교수 ID를 찾는다`: in Korean the names are mostly English and the descriptions tell.
    let told: Vec<Word> = described
        .into_iter()
        .filter(|word| is_dense(&word.lower))
        .collect();
    score = score.max(0.75 * best(&provider.about, &told));
    let gives = provider.about.iter().any(is_id) && leaf.want == Want::Id
        || provider
            .definition
            .description()
            .to_lowercase()
            .contains(&leaf.param.name.to_lowercase());
    if score >= 0.5 && gives {
        score += 0.2;
    }
    // A tool that needs the very same thing cannot give it.
    let needs_it = provider
        .params
        .iter()
        .any(|param| param.required && param.name == leaf.param.name);
    if needs_it { 0.0 } else { score }
}
