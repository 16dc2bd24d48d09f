//! Sentences that report something, in languages other than English and Korean, and all of them in a text.

use std::ops::Range;

use super::continued::is_statement;
use super::cue::ends_sentence;
use super::lang::Lang;
use super::role::listed;
use super::words::Token;

/// A German, Spanish or French sentence that begins as a report and wishes for nothing.
pub(super) fn tells_in_europe(tokens: &[Token], lang: Lang) -> bool {
    let (opens, wishes) = match lang {
        Lang::De => (
            "ich wir mein meine unser unsere er sie es das der die ein eine leider gestern heute man",
            "? bitte möchte möchten würde würden hätte könnte könnten kannst können brauche brauchen will wollen soll muss gern gerne",
        ),
        Lang::Es => (
            "me mi mis yo he hemos tengo tenemos hay es el la se nos ayer nuestro nuestra estoy estamos vamos voy",
            "? quiero quisiera quería queremos necesito necesitamos favor podría podrías puede puedes gustaría haga pon",
        ),
        Lang::Fr => (
            "je j'ai mon ma mes nous notre il elle c'est le la les hier on",
            "? voudrais voudrions veux aimerais besoin pourriez pouvez peux faut s'il souhaite",
        ),
        _ => return false,
    };
    let mut words = tokens
        .iter()
        .filter(|token| token.is_word())
        .map(Token::lower);
    let (first, second) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    // `Mañana es su cumpleaños`
    let day = listed("mañana hoy morgen heute demain aujourd'hui", first);
    let is = listed("es está ist wird est", second);
    (listed(opens, first) || day && is) && !tokens.iter().any(|token| listed(wishes, token.lower()))
}

/// The sentences that only tell something.
pub(super) fn told(tokens: &[Token], lang: Lang) -> Vec<Range<usize>> {
    let sentences = tokens.split_inclusive(|token| ends_sentence(token.lower()));
    sentences
        .filter(|sentence| is_statement(sentence, lang))
        .filter_map(|sentence| Some(sentence.first()?.span.start..sentence.last()?.span.end))
        .collect()
}
