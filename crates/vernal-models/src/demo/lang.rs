//! Which language a text is in, and its words that carry no meaning of their own.

use std::sync::LazyLock;

use super::lookup::Lookup;
use super::script::{Script, script_of};

/// The languages whose grammar is known a little; all others are read like English.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lang {
    En,
    De,
    Es,
    Fr,
    Ko,
    Ja,
    Zh,
}

/// Words that stand at the edges of what is meant: articles, pronouns, helpers, politeness.
const STOP: &[(Lang, &str)] = &[
    (
        Lang::En,
        "another we're they're you're she's he's we've they've you've i'll we'll nobody somebody everybody anybody nothing something else sold a an the this that these those my your our his her its their me you i we us he she it they them \
         can could would will shall should may might must do does did is are am was were be been being \
         have has had please pls kindly thanks thank want wanna like need let lets let's i'd i'll i'm \
         i've id we'd just also too some any there here now what which who whom whose when where why how \
         preferably ideally possibly hmm stand poor dear sorry unfortunately honestly actually basically anyway apologies hopefully prefer rather anything anyone else's \
         what's where's who's how's it's when's that's there's much many of so then and or but if really \
         maybe interesting interested hey hi hello ok okay went gone came come made took take takes keep taken all every each other more got go going gonna able not yes no \
         currently right up out help tell give show u ya mine yours ours whether as back again ahead \
         don't doesn't isn't aren't won't wouldn't couldn't shouldn't myself yourself does",
    ),
    (
        Lang::De,
        "also macht machen übernimmt der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner dein \
         deine unser unsere ihr ihre sein seine mir mich dir dich uns euch ich du wir er sie es man \
         kannst kann könntest können könnten würdest würde will möchte möchten soll muss bitte danke mal \
         doch noch auch und oder aber ist sind war waren hat haben habe wird werden was wie wer wo wann \
         welche welcher welches welchen warum viel viele gibt gib zeig zeige sag hallo nicht kein keine \
         etwas so da dann denn hier jetzt zu ja nein alle jede jeden bin gerade los schon heißt wenn ob",
    ),
    (
        Lang::Es,
        "el la los las lo un una unos unas mi mis tu tus su sus nuestro nuestra me te se nos le les yo \
         tú él ella nosotros ustedes usted puedes puede podrías podría quiero quisiera necesito por favor \
         gracias y o e u pero es son está están era hay ha han he ser estar qué que cuál cuáles quién \
         cuándo dónde cómo cuánto cuánta cuántos cuántas hace hacer dime dame muéstrame hola no sí también \
         todo todos toda todas este esta estos estas ese esa eso esto aquí ahora va vas como más muy al del",
    ),
    (
        Lang::Fr,
        "le la les l' un une des du de mon ma mes ton ta tes son sa ses notre votre me te se nous vous je \
         tu il elle ils elles on peux pouvez pourrais pourriez veux voudrais besoin s'il plaît plait merci \
         et ou mais est sont était ai as a avez ont quel quelle quels quelles qui que quoi quand où comment \
         combien fait faire dis donne montre moi toi bonjour pas ne ce cet cette ces tout tous ici \
         maintenant y en est-ce-que c'est qu'est-ce",
    ),
    (
        Lang::Ko,
        "있는지 없는지 되는지 인지 맞는지 했는지 매일 매주 매달 있는 하는 되는 된 인 그대로 그냥 좀 제발 저 나 내 제 우리 그 이 저기 혹시 지금 수 것 거 때 더 다 잘 안 못 및 그리고 또 또는 또한 무슨 \
         어떤 어느 모든 저는 나는 저에게 나에게 나한테 제게 해 해줘 해주세요 줘 주세요 주실래요 줄래 줄래요 \
         줄 있어 있니 있나요 있을까 있습니까 부탁해 부탁해요 부탁합니다 부탁드려요 이야 야 인가요 입니까 예요 \
         이에요 되나요 돼 될까 합니다 하고 싶어 싶어요 안녕 안녕하세요 고마워 감사합니다 어때 어때요 어떤가요 \
         어떻게 뭐야 뭐예요 뭐니 뭐지 무엇 무엇인가요 얼마 얼마야 얼마예요 얼마인가요 몇 몇시야 언제 어디 누구",
    ),
    (
        Lang::Ja,
        "ください お願い お願いします 私 僕 俺 あなた これ それ あれ この その あの です ます でした だ である する \
         して した たい いる ある どう どうですか 何 なに なん いつ どこ 誰 だれ いくら か ね よ さん くん ちゃん お ご \
         こと もの ため よう みて てください 下さい",
    ),
    (
        Lang::Zh,
        "我 你 您 他 她 它 我们 请 吗 呢 吧 啊 了 的 地 得 一下 帮我 帮 给我 想 要 会 能 可以 能否 是 有 在吗 什么 \
         怎么样 怎么 如何 多少 几 哪 哪里 哪个 谁 这 那 这个 那个 和 与 个 把 现在",
    ),
];

/// Beginnings of Korean words that only wish, ask or link.
const KOREAN_HEADS: &str = "싶 부탁 가능하 가능할 계시 계실 주시 주실 드릴 드려 했으면 좋겠 되나 될까 됩니까 있나 있을 있는데 있어서 \
    그런데 근데 그러니 그래서 그럼 혹시";

/// Words that tell European languages apart; each occurrence counts one.
const TELLING: &[(Lang, &str)] = &[
    (
        Lang::De,
        "der die das den dem ein eine einen einer ist und nicht wie wird für mir mich ich bitte kannst \
         du mein meine morgen heute von mit zum zur nach auf im wann wo wer welche stelle zeige buche \
         uhr wieviel viele suche erinnere schicke schreibe lösche gib setze übersetze rechne wandle bestelle zwei drei vier fünf schalte mach spiel etwas füge lege öffne schließe sende storniere zeig welche erstelle kaufe verschiebe stell wecke",
    ),
    (
        Lang::Es,
        "el la los las un una es y de del para por con qué cuál cuándo dónde cómo está en mi me al hace \
         hoy mañana muéstrame dime envía busca reserva pon crea añade quiero tiempo cuánto cuántos que dos tres cuatro cinco apaga enciende compra recuérdame cancela cuesta pon llama abre",
    ),
    (
        Lang::Fr,
        "le la les un une est et de du des pour avec quel quelle quand où comment dans mon ma je moi \
         demain aujourd'hui montre donne réserve envoie cherche à au fait il deux trois mets allume éteins ajoute rappelle ouvre ferme joue",
    ),
    (
        Lang::En,
        "the an is are what how when where who please can you my me of to for in on at with and from \
         set show get find create add delete send tell give book i it do does turn play which",
    ),
];

/// The most bytes of a text by which its language is told.
const MAX_BYTES: usize = 4000;

/// The language of a text, by script first and by its small words then. English where nothing tells.
pub(crate) fn language_of(text: &str) -> Lang {
    let mut end = text.len().min(MAX_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = text.get(..end).unwrap_or_default();
    let (mut hangul, mut kana, mut han) = (0, 0, 0);
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        match script_of(c) {
            Script::Hangul => hangul += 1,
            Script::Hiragana | Script::Katakana => kana += 1,
            Script::Han => han += 1,
            Script::Alphabet => {}
        }
    }
    if hangul > 0 && hangul >= kana + han {
        return Lang::Ko;
    }
    if kana > 0 {
        return Lang::Ja;
    }
    if han > 0 {
        return Lang::Zh;
    }
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .collect();
    let mut best = (Lang::En, 0);
    for (lang, telling) in TELLING.iter().rev() {
        let count = telling
            .split_whitespace()
            .filter(|word| words.contains(word))
            .count();
        let marks = match lang {
            Lang::De => lower.matches(['ä', 'ö', 'ü', 'ß']).count(),
            Lang::Es => lower.matches(['¿', '¡', 'ñ']).count() * 2,
            Lang::Fr => lower.matches(['ç', 'è', 'ê', 'à']).count(),
            _ => 0,
        };
        if count + marks.min(2) > best.1 {
            best = (*lang, count + marks.min(2));
        }
    }
    best.0
}

/// Whether a word, in lower case, means nothing by itself in the language (or in English).
pub(crate) fn is_stop(lang: Lang, word: &str) -> bool {
    static TABLE: LazyLock<Lookup<Lang>> = LazyLock::new(|| Lookup::new(STOP.iter().copied()));
    let listed = |wanted: Lang| TABLE.all(word).contains(&wanted);
    let word = word.strip_suffix("'s").unwrap_or(word);
    let polite = lang == Lang::Ko
        && KOREAN_HEADS
            .split_whitespace()
            .any(|head| word.starts_with(head));
    polite || listed(lang) || (matches!(lang, Lang::Ko | Lang::Ja | Lang::Zh) && listed(Lang::En))
}

/// Stop words in scripts without spaces, for cutting runs of characters.
pub(crate) fn dense_stop_words() -> impl Iterator<Item = &'static str> {
    STOP.iter()
        .filter(|(lang, _)| matches!(lang, Lang::Zh | Lang::Ja))
        .flat_map(|(_, words)| words.split_whitespace())
}

/// Words that turn the meaning round.
pub(crate) fn is_negation(word: &str) -> bool {
    matches!(
        word,
        "not"
            | "no"
            | "never"
            | "without"
            | "don't"
            | "dont"
            | "isn't"
            | "nicht"
            | "kein"
            | "keine"
            | "keinen"
            | "ohne"
            | "nie"
            | "sin"
            | "nunca"
            | "pas"
            | "sans"
            | "jamais"
            | "없이"
            | "말고"
            | "하지마"
            | "마세요"
            | "말아줘"
            | "不"
            | "不要"
            | "没有"
            | "なし"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_by_their_small_words() {
        for (text, lang) in [
            ("Can you set an alarm?", Lang::En),
            ("Wie ist das Wetter in München?", Lang::De),
            ("¿Qué tiempo hace en Madrid?", Lang::Es),
            ("Quel temps fait-il à Paris ?", Lang::Fr),
            ("서울 날씨 알려줘", Lang::Ko),
            ("東京の天気を教えて", Lang::Ja),
            ("北京今天天气怎么样", Lang::Zh),
            ("", Lang::En),
            ("weather Berlin", Lang::En),
            ("avísame a las 7", Lang::Es),
        ] {
            assert_eq!(language_of(text), lang, "{text}");
        }
    }

    #[test]
    fn stop_words_belong_to_a_language() {
        assert!(is_stop(Lang::En, "the") && !is_stop(Lang::En, "die"));
        assert!(is_stop(Lang::De, "die") && !is_stop(Lang::De, "wetter"));
    }
}
