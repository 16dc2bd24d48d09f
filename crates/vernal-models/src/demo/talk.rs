//! What the rules say when no tool is to be called.

use super::cue::ends_sentence;
use super::fill::number::Written;
use super::lang::{Lang, language_of};
use super::reading::Reading;
use super::tool::Tool;

/// The most bytes of what is only said to be friendly.
const LONGEST: usize = 400;
/// The most characters of a description that are told.
const MAX_ABOUT: usize = 80;
/// The most tools that are named.
const MAX_NAMED: usize = 10;

/// An answer to a greeting, thanks or the question who is speaking.
pub(crate) fn small_talk(text: &str, tools: &[Tool]) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .collect();
    let korean = language_of(text) == Lang::Ko;
    if is_chat(text) {
        return Some(
            if korean {
                "천만에요."
            } else {
                "You are welcome."
            }
            .to_owned(),
        );
    }
    let asks_who = [
        "who are you",
        "what are you",
        "what is your name",
        "what's your name",
        "are you an ai",
        "are you a language model",
        "are you human",
        "are you chatgpt",
        "are you real",
        "which model",
        "what model",
        "wer bist du",
        "was bist du",
        "quién eres",
        "qué eres",
        "qui es-tu",
        "너는 누구",
        "넌 누구",
        "누구야",
        "누구세요",
        "당신은 누구",
        "이름이 뭐",
        "あなたは誰",
        "你是谁",
    ];
    if asks_who.iter().any(|question| lower.contains(question)) && words.len() <= 12 {
        return Some(introduction(korean, tools));
    }
    let can = [
        "what can you do",
        "help me",
        "how can you help",
        "what do you do",
        "was kannst du",
        "qué puedes hacer",
        "뭘 할 수 있",
        "무엇을 할 수 있",
    ];
    if (can.iter().any(|question| lower.contains(question)) && words.len() <= 6)
        || matches!(words.as_slice(), ["help"])
    {
        return Some(introduction(korean, tools));
    }
    let polite = |listed: &[&str]| {
        let filler = [
            "there", "everyone", "all", "you", "very", "much", "so", "a", "lot", "again", "good",
            "morning", "evening", "day", "night", "guten", "tag", "morgen", "vielen", "muchas",
            "buenos", "días",
        ];
        !words.is_empty()
            && words.len() <= 6
            && words.iter().any(|word| listed.contains(word))
            && words
                .iter()
                .all(|word| listed.contains(word) || filler.contains(word))
    };
    if polite(&[
        "thanks",
        "thank",
        "thx",
        "danke",
        "gracias",
        "merci",
        "고마워",
        "고마워요",
        "감사합니다",
        "감사해요",
        "ありがとう",
        "谢谢",
    ]) {
        return Some(
            if korean {
                "천만에요."
            } else {
                "You are welcome."
            }
            .to_owned(),
        );
    }
    if polite(&[
        "hi",
        "hello",
        "hey",
        "hallo",
        "hola",
        "bonjour",
        "good",
        "guten",
        "buenos",
        "servus",
        "moin",
        "안녕",
        "안녕하세요",
        "こんにちは",
        "你好",
    ]) {
        let hello = if korean { "안녕하세요!" } else { "Hello!" };
        return Some(format!("{hello} {}", introduction(korean, tools)));
    }
    if lower.contains("how are you") && words.len() <= 6 {
        return Some(format!(
            "I run as written, thank you. {}",
            introduction(korean, tools)
        ));
    }
    if polite(&["bye", "goodbye", "tschüss", "adiós", "ciao", "안녕히"]) {
        return Some("Goodbye.".to_owned());
    }
    None
}

/// Thanks, praise or a farewell in a sentence, and no wish beside it.
fn is_chat(text: &str) -> bool {
    let reading = Reading::new(text);
    let words = || reading.tokens.iter().filter(|token| token.is_word());
    let warm = [
        "thank",
        "thanks",
        "thx",
        "cheers",
        "great",
        "awesome",
        "lovely",
        "nice",
        "perfect",
        "brilliant",
        "haha",
        "ha",
        "bye",
        "goodbye",
        "danke",
        "dankeschön",
        "gracias",
        "merci",
        "고마",
        "감사",
        "수고",
        "고생",
        "잘했",
        "최고",
        "대박",
        "반가",
        "안녕",
        "ありがとう",
        "お疲れ",
        "谢谢",
        "辛苦",
    ];
    let is_warm = |word: &str| {
        warm.iter().any(|known| {
            if known.is_ascii() {
                word == *known
            } else {
                word.starts_with(known)
            }
        })
    };
    let asks = text.contains(['?', '？']);
    let wishes = words().any(|token| {
        let polite = [
            "줘",
            "주세요",
            "줄래",
            "해라",
            "바꿔",
            "알려",
            "싶",
            "부탁",
            "주시",
            "주실",
            "할게요",
        ];
        matches!(
            token.lower(),
            "please" | "can" | "could" | "need" | "want" | "bitte" | "now" | "but" | "also"
        ) || reading.lang == Lang::Ko && polite.iter().any(|end| token.lower().contains(end))
    });
    let mut sentences = reading
        .tokens
        .split(|token| ends_sentence(token.lower()) || token.lower() == ",");
    let ordered = sentences.any(|sentence| {
        let first = sentence.iter().find(|token| token.is_word());
        first.is_some_and(|first| {
            first.word.is_action() && reading.lang != Lang::Ko && !is_warm(first.lower())
        })
    });
    let counted = reading
        .quantities
        .iter()
        .any(|quantity| match quantity.written {
            Written::Article => false,
            // `하루` is a day, not one of something.
            Written::Words => reading.lang != Lang::Ko,
            _ => true,
        });
    let plain = !counted && reading.formed.is_empty() && reading.quoted.is_empty();
    words().count() <= 16
        && words().any(|token| is_warm(token.lower()))
        && !asks
        && !wishes
        && !ordered
        && plain
}

/// Who is speaking.
pub(crate) fn introduction(korean: bool, tools: &[Tool]) -> String {
    let tools = named(tools, korean);
    if korean {
        format!(
            "저는 언어 모델이 아니라 규칙으로 움직이는 데모 모델입니다. 메시지의 단어를 보고 맞는 도구를 부릅니다. {tools}"
        )
    } else {
        format!(
            "I am the demo model: rules, not a language model. I match the words of a message to the tools on offer and call them. {tools}"
        )
    }
}

/// That no tool fits, with the tools there are.
pub(crate) fn no_tool_fits(text: &str, tools: &[Tool]) -> String {
    let korean = language_of(text) == Lang::Ko;
    let named = named(tools, korean);
    if korean {
        format!("저는 언어 모델이 아니라 규칙이라서, 맞는 도구가 없으면 답할 수 없습니다. {named}")
    } else {
        format!("I am rules, not a language model, and no tool fits this message. {named}")
    }
}

/// The tools there are, with what they do.
fn named(tools: &[Tool], korean: bool) -> String {
    if tools.is_empty() {
        return if korean {
            "지금은 쓸 수 있는 도구가 없습니다."
        } else {
            "There are no tools in this request."
        }
        .to_owned();
    }
    let mut list: Vec<String> = tools
        .iter()
        .take(MAX_NAMED)
        .map(|tool| {
            let about = tool.definition.description();
            let first = about.split(['.', '\n']).next().unwrap_or_default().trim();
            let short = shortened(first);
            if short.is_empty() {
                format!("`{}`", tool.name)
            } else {
                format!("`{}` ({short})", tool.name)
            }
        })
        .collect();
    let more = tools.len().saturating_sub(MAX_NAMED);
    if more > 0 {
        list.push(if korean {
            format!("그 밖에 {more}개")
        } else {
            format!("and {more} more")
        });
    }
    if korean {
        format!("쓸 수 있는 도구: {}.", list.join(", "))
    } else {
        format!("The tools there are: {}.", list.join(", "))
    }
}

/// A description cut between words where it is long.
fn shortened(about: &str) -> String {
    let Some((end, _)) = about.char_indices().nth(MAX_ABOUT) else {
        return about.to_owned();
    };
    let head = about.get(..end).unwrap_or_default();
    let whole = head
        .rsplit_once(char::is_whitespace)
        .map_or(head, |(whole, _)| whole);
    format!("{} …", whole.trim_end_matches([',', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_cut_between_words() {
        let long = "Count the days from today, or from another date, to a date; negative if that is the earlier one";
        let cut = shortened(long);
        assert!(
            cut.ends_with("that is …") && long.starts_with(cut.trim_end_matches(" …")),
            "{cut}"
        );
        assert_eq!(shortened("Short"), "Short");
    }

    #[test]
    fn the_rules_say_what_they_are() {
        for question in [
            "Who are you?",
            "Are you a language model?",
            "hi",
            "What can you do?",
            "너는 누구야?",
        ] {
            let said = small_talk(question, &[]).unwrap();
            assert!(
                said.contains("not a language model") || said.contains("언어 모델이 아니라"),
                "{said}"
            );
        }
        assert_eq!(
            small_talk("thanks a lot!", &[]).as_deref(),
            Some("You are welcome.")
        );
        assert_eq!(small_talk("hi, set an alarm at 7", &[]), None);
        assert!(no_tool_fits("x", &[]).contains("no tool fits"));
    }
}
