//! What the user wants, where the message alone does not say it or a tool is demanded.

use vernal_core::model::ToolChoice;

use super::asked::is_question;
use super::choose::rank;
use super::fill::{Scene, fill};
use super::fitting::best_tool;
use super::goals::{Goal, goals};
use super::read::Turn;
use super::reading::Reading;
use super::refer::refers_back;
use super::refused::is_refused;
use super::role::{Want, want};
use super::schema::{Param, Shape};
use super::tool::Tool;

/// What the user wants, as tools to be called.
pub(crate) fn goals_of(turn: &Turn, tools: &[Tool], choice: &ToolChoice) -> Vec<Goal> {
    if tools.is_empty() || turn.text.is_empty() {
        return Vec::new();
    }
    let whole = || Reading::new(&turn.text);
    if let ToolChoice::Tool(name) = choice {
        let named = tools.iter().position(|tool| tool.name == *name);
        return named
            .map(|tool| Goal {
                tool,
                reading: whole(),
            })
            .into_iter()
            .collect();
    }
    if is_refused(&whole()) {
        return Vec::new();
    }
    let found = goals(&turn.text, tools);
    if !found.is_empty() {
        return with_history(found, turn);
    }
    if let Some(goal) = follow_up(turn, tools).or_else(|| fallback(turn, tools)) {
        return vec![goal];
    }
    let must_call = matches!(
        choice,
        ToolChoice::Required | ToolChoice::Allowed { required: true, .. }
    );
    if must_call {
        let best = rank(tools, &whole()).first().map_or(0, |fit| fit.tool);
        return vec![Goal {
            tool: best,
            reading: whole(),
        }];
    }
    Vec::new()
}

/// Where the message says `it` or `again`, what was said before helps out.
fn with_history(goals: Vec<Goal>, turn: &Turn) -> Vec<Goal> {
    let Some(before) = &turn.before else {
        return goals;
    };
    let one = goals.len() == 1;
    goals
        .into_iter()
        .map(|goal| {
            let helps = one
                && refers_back(&goal.reading)
                && goal.reading.background == goal.reading.text.len();
            if helps {
                Goal {
                    reading: Reading::with_background(&turn.text, before),
                    ..goal
                }
            } else {
                goal
            }
        })
        .collect()
}

/// A short message that goes on with what was said before: an answer to a question, `and in Oslo?`.
fn follow_up(turn: &Turn, tools: &[Tool]) -> Option<Goal> {
    let before = turn.before.as_deref()?;
    let reading = Reading::new(&turn.text);
    let words = reading
        .tokens
        .iter()
        .filter(|token| token.is_word() || token.is_number())
        .count();
    let answers = turn
        .answered
        .as_deref()
        .is_some_and(|said| said.trim_end().ends_with('?'));
    let opens = reading.tokens.first().is_some_and(|token| {
        matches!(
            token.lower(),
            "and"
                | "what"
                | "how"
                | "und"
                | "y"
                | "et"
                | "then"
                | "no"
                | "make"
                | "ok"
                | "also"
                | "again"
                | "그럼"
                | "그러면"
                | "では"
                | "那"
        )
    });
    let own = !reading.quantities.is_empty() || is_question(&reading);
    if words == 0 || words > 12 || !(answers || opens || words <= 3 && !own) {
        return None;
    }
    let tool = best_tool(&Reading::new(before), tools)?;
    Some(Goal {
        tool,
        reading: Reading::with_background(&turn.text, before),
    })
}

/// A tool that finds tools, or one that answers any question, where no other fits.
fn fallback(turn: &Turn, tools: &[Tool]) -> Option<Goal> {
    let reading = Reading::new(&turn.text);
    let words = reading
        .tokens
        .iter()
        .filter(|token| token.is_word())
        .count();
    if words < 2 {
        return None;
    }
    let takes_query = |tool: &Tool| {
        let required: Vec<_> = tool.params.iter().filter(|param| param.required).collect();
        let query = |param: &&Param| {
            matches!(param.shape, Shape::Text(_))
                && matches!(
                    want(param, &tool.words),
                    Want::Query | Want::Text | Want::Topic | Want::Thing
                )
        };
        required.len() == 1 && required.iter().all(query)
    };
    let has = |tool: &Tool, words: &[&str]| {
        tool.words
            .iter()
            .chain(&tool.about)
            .any(|word| words.contains(&word.lower.as_str()))
    };
    let searches = |tool: &Tool| {
        has(
            tool,
            &[
                "search", "find", "discover", "lookup", "look", "ask", "answer", "answers", "검색",
                "suche", "buscar",
            ],
        )
    };
    let finds_tools = tools.iter().position(|tool| {
        takes_query(tool)
            && searches(tool)
            && tool
                .words
                .iter()
                .any(|word| matches!(word.lower.as_str(), "tool" | "tools" | "도구"))
    });
    let general = || {
        tools.iter().position(|tool| {
            takes_query(tool)
                && searches(tool)
                && has(
                    tool,
                    &[
                        "web",
                        "internet",
                        "google",
                        "wikipedia",
                        "knowledge",
                        "encyclopedia",
                        "anything",
                        "faq",
                        "general",
                        "online",
                        "wissen",
                        "웹",
                        "인터넷",
                        "ウェブ",
                    ],
                )
        })
    };
    let tool = finds_tools
        .or_else(|| general().filter(|_| is_question(&reading)))
        .or_else(|| searched(&reading, tools))?;
    Some(Goal { tool, reading })
}

/// The one tool that searches, where the message searches and all that the tool needs is in it.
fn searched(reading: &Reading, tools: &[Tool]) -> Option<usize> {
    let verbs = [
        "find",
        "search",
        "look",
        "looking",
        "suche",
        "such",
        "finde",
        "busca",
        "encuentra",
        "cherche",
        "trouve",
    ];
    let asks = |word: &str| {
        verbs.contains(&word)
            || ["찾아", "검색", "探し", "検索", "搜索", "查找"]
                .iter()
                .any(|verb| word.starts_with(verb))
    };
    if !reading.tokens.iter().any(|token| asks(token.lower())) {
        return None;
    }
    let mut able = tools.iter().enumerate().filter(|(_, tool)| {
        let scene = Scene {
            reading,
            tool,
            now: None,
            prefer: None,
        };
        let searches = tool.words.iter().any(|word| asks(&word.lower));
        searches && !tool.requires_nothing() && fill(tool, &scene, false).missing.is_empty()
    });
    let first = able.next()?;
    able.next().is_none().then_some(first.0)
}
