//! Facts about the world that everybody knows: currencies, languages, time zones, countries.

use std::sync::LazyLock;

use super::lookup::Lookup;

/// Currency codes with their words and signs.
const CURRENCIES: &[(&str, &str)] = &[
    (
        "USD",
        "usd dollar dollars us_dollar us_dollars american_dollars bucks dólar dólares 달러 미국_달러 불 ドル 米ドル 美元 $",
    ),
    ("EUR", "eur euro euros 유로 ユーロ 欧元 €"),
    (
        "GBP",
        "gbp pound pounds sterling british_pounds british_pound quid pfund libra libras 파운드 ポンド 英镑 £",
    ),
    ("JPY", "jpy yen japanese_yen 엔 엔화 円 日元 ¥"),
    (
        "KRW",
        "krw won korean_won south_korean_won 원 원화 ウォン 韩元 ₩",
    ),
    (
        "CNY",
        "cny yuan renminbi rmb chinese_yuan 위안 위안화 元 人民币 人民元",
    ),
    (
        "CHF",
        "chf franc francs swiss_francs swiss_franc franken 프랑 スイスフラン 瑞士法郎",
    ),
    (
        "INR",
        "inr rupee rupees indian_rupees rupien rupias 루피 ルピー 卢比 ₹",
    ),
    ("CAD", "cad canadian_dollars canadian_dollar 캐나다_달러"),
    ("AUD", "aud australian_dollars australian_dollar 호주_달러"),
    ("NZD", "nzd new_zealand_dollars"),
    ("HKD", "hkd hong_kong_dollars"),
    ("SGD", "sgd singapore_dollars singapore_dollar"),
    ("MXN", "mxn peso pesos mexican_pesos 페소"),
    ("BRL", "brl real reais brazilian_real 헤알"),
    (
        "SEK",
        "sek krona kronor swedish_krona swedish_kronor kronen",
    ),
    ("NOK", "nok krone kroner norwegian_krone norwegian_kroner"),
    ("DKK", "dkk danish_krone danish_kroner"),
    ("PLN", "pln zloty złoty zlotys"),
    ("CZK", "czk koruna czech_koruna"),
    ("HUF", "huf forint forints"),
    ("TRY", "try lira liras turkish_lira ₺"),
    ("RUB", "rub ruble rubles rubel rublo 루블 ₽"),
    ("ZAR", "zar rand"),
    ("THB", "thb baht 바트 バーツ ฿"),
    ("VND", "vnd dong 동 ₫"),
    ("IDR", "idr rupiah"),
    ("PHP", "php philippine_pesos"),
    ("ILS", "ils shekel shekels ₪"),
    ("AED", "aed dirham dirhams"),
    ("BTC", "btc bitcoin bitcoins 비트코인"),
    ("ETH", "eth ethereum ether 이더리움"),
];

/// Language codes, English names, and further names.
const LANGUAGES: &[(&str, &str, &str)] = &[
    (
        "en",
        "English",
        "english englisch inglés anglais 영어 英語 英语 영문",
    ),
    (
        "de",
        "German",
        "german deutsch deutsche alemán allemand 독일어 ドイツ語 德语",
    ),
    (
        "fr",
        "French",
        "french französisch francés français 프랑스어 불어 フランス語 法语",
    ),
    (
        "es",
        "Spanish",
        "spanish spanisch español espagnol castellano 스페인어 スペイン語 西班牙语",
    ),
    (
        "it",
        "Italian",
        "italian italienisch italiano italien 이탈리아어 イタリア語 意大利语",
    ),
    (
        "pt",
        "Portuguese",
        "portuguese portugiesisch portugués portugais 포르투갈어 ポルトガル語 葡萄牙语",
    ),
    (
        "nl",
        "Dutch",
        "dutch niederländisch holandés néerlandais 네덜란드어 オランダ語 荷兰语",
    ),
    (
        "ko",
        "Korean",
        "korean koreanisch coreano coréen 한국어 한국말 韓国語 韩语",
    ),
    (
        "ja",
        "Japanese",
        "japanese japanisch japonés japonais 일본어 일어 日本語 日语",
    ),
    (
        "zh",
        "Chinese",
        "chinese mandarin chinesisch chino chinois 중국어 中国語 中文 汉语",
    ),
    (
        "ru",
        "Russian",
        "russian russisch ruso russe 러시아어 ロシア語 俄语",
    ),
    (
        "ar",
        "Arabic",
        "arabic arabisch árabe arabe 아랍어 アラビア語 阿拉伯语",
    ),
    ("hi", "Hindi", "hindi 힌디어"),
    (
        "tr",
        "Turkish",
        "turkish türkisch turco turc 튀르키예어 터키어",
    ),
    ("pl", "Polish", "polish polnisch polaco polonais 폴란드어"),
    ("sv", "Swedish", "swedish schwedisch sueco suédois 스웨덴어"),
    ("da", "Danish", "danish dänisch danés danois 덴마크어"),
    (
        "no",
        "Norwegian",
        "norwegian norwegisch noruego norvégien 노르웨이어",
    ),
    (
        "fi",
        "Finnish",
        "finnish finnisch finlandés finnois 핀란드어",
    ),
    ("cs", "Czech", "czech tschechisch checo tchèque 체코어"),
    ("el", "Greek", "greek griechisch griego grec 그리스어"),
    ("he", "Hebrew", "hebrew hebräisch hebreo hébreu 히브리어"),
    ("th", "Thai", "thai thailändisch tailandés 태국어"),
    (
        "vi",
        "Vietnamese",
        "vietnamese vietnamesisch vietnamita 베트남어",
    ),
    (
        "id",
        "Indonesian",
        "indonesian indonesisch indonesio 인도네시아어",
    ),
    (
        "uk",
        "Ukrainian",
        "ukrainian ukrainisch ucraniano 우크라이나어",
    ),
    ("la", "Latin", "latin latein latín 라틴어"),
];

/// Time zones with the places that are in them.
const ZONES: &[(&str, &str)] = &[
    ("UTC", "utc gmt zulu"),
    (
        "Europe/London",
        "london england britain uk 런던 ロンドン 伦敦 londres",
    ),
    ("Europe/Paris", "paris france 파리 パリ 巴黎"),
    (
        "Europe/Berlin",
        "berlin germany münchen munich hamburg frankfurt cologne 베를린 ベルリン 柏林",
    ),
    ("Europe/Madrid", "madrid spain barcelona 마드리드"),
    ("Europe/Rome", "rome italy milan rom roma 로마"),
    ("Europe/Vienna", "vienna austria wien"),
    ("Europe/Zurich", "zurich switzerland zürich"),
    ("Europe/Amsterdam", "amsterdam netherlands"),
    ("Europe/Stockholm", "stockholm sweden"),
    ("Europe/Oslo", "oslo norway"),
    ("Europe/Copenhagen", "copenhagen denmark"),
    ("Europe/Helsinki", "helsinki finland"),
    ("Europe/Warsaw", "warsaw poland"),
    ("Europe/Prague", "prague"),
    ("Europe/Athens", "athens greece"),
    ("Europe/Lisbon", "lisbon portugal"),
    ("Europe/Dublin", "dublin ireland"),
    ("Europe/Istanbul", "istanbul turkey"),
    ("Europe/Moscow", "moscow russia"),
    ("Asia/Tokyo", "tokyo japan jst osaka 도쿄 일본 東京 日本"),
    (
        "Asia/Seoul",
        "seoul korea kst busan 서울 한국 부산 ソウル 首尔",
    ),
    (
        "Asia/Shanghai",
        "beijing shanghai china 베이징 상하이 北京 上海 中国",
    ),
    ("Asia/Hong_Kong", "hong_kong 홍콩 香港"),
    ("Asia/Singapore", "singapore 싱가포르"),
    (
        "Asia/Kolkata",
        "india delhi new_delhi mumbai kolkata bangalore ist",
    ),
    ("Asia/Dubai", "dubai"),
    ("Asia/Bangkok", "bangkok thailand 방콕"),
    ("Asia/Jakarta", "jakarta"),
    ("Asia/Manila", "manila"),
    ("Asia/Taipei", "taipei taiwan"),
    ("Asia/Jerusalem", "jerusalem tel_aviv israel"),
    (
        "America/New_York",
        "new_york nyc boston washington miami est edt eastern toronto_us 뉴욕 ニューヨーク 纽约",
    ),
    (
        "America/Chicago",
        "chicago houston dallas austin cst central 시카고",
    ),
    ("America/Denver", "denver mst mountain"),
    (
        "America/Los_Angeles",
        "los_angeles san_francisco seattle california pst pdt pacific la_city 로스앤젤레스",
    ),
    ("America/Toronto", "toronto"),
    ("America/Vancouver", "vancouver"),
    ("America/Mexico_City", "mexico mexico_city"),
    ("America/Sao_Paulo", "são_paulo sao_paulo brazil"),
    ("America/Argentina/Buenos_Aires", "buenos_aires argentina"),
    ("Africa/Cairo", "cairo egypt"),
    ("Africa/Johannesburg", "johannesburg cape_town"),
    ("Africa/Lagos", "lagos nigeria"),
    ("Africa/Nairobi", "nairobi kenya"),
    ("Australia/Sydney", "sydney melbourne 시드니 シドニー"),
    ("Pacific/Auckland", "auckland new_zealand"),
    ("Pacific/Honolulu", "honolulu hawaii"),
];

/// Country codes with names.
const COUNTRIES: &[(&str, &str)] = &[
    (
        "US",
        "us usa america united_states usa_states 미국 アメリカ 美国 estados_unidos",
    ),
    (
        "GB",
        "uk gb britain great_britain united_kingdom england 영국 イギリス 英国",
    ),
    ("DE", "germany deutschland alemania 독일 ドイツ 德国"),
    ("FR", "france frankreich francia 프랑스 フランス 法国"),
    ("ES", "spain spanien españa 스페인 スペイン 西班牙"),
    ("IT", "italy italien italia 이탈리아 イタリア 意大利"),
    ("PT", "portugal 포르투갈"),
    ("NL", "netherlands holland niederlande 네덜란드 オランダ"),
    ("CH", "switzerland schweiz suiza 스위스"),
    ("AT", "austria österreich 오스트리아"),
    ("BE", "belgium belgien bélgica"),
    ("SE", "sweden schweden suecia 스웨덴"),
    ("NO", "norway norwegen noruega 노르웨이"),
    ("DK", "denmark dänemark dinamarca"),
    ("FI", "finland finnland finlandia 핀란드"),
    ("PL", "poland polen polonia 폴란드"),
    ("IE", "ireland irland irlanda"),
    ("GR", "greece griechenland grecia"),
    ("TR", "turkey türkei turquía"),
    ("RU", "russia russland rusia 러시아 ロシア"),
    ("UA", "ukraine ucrania"),
    (
        "KR",
        "korea south_korea südkorea corea 한국 대한민국 韓国 韩国",
    ),
    ("JP", "japan japón 일본 日本"),
    ("CN", "china 중국 中国"),
    ("IN", "india indien 인도 インド 印度"),
    ("TW", "taiwan 대만"),
    ("TH", "thailand tailandia 태국"),
    ("VN", "vietnam 베트남"),
    ("ID", "indonesia indonesien"),
    ("SG", "singapore singapur 싱가포르"),
    ("AU", "australia australien 호주 オーストラリア"),
    ("NZ", "new_zealand neuseeland 뉴질랜드"),
    ("CA", "canada kanada canadá 캐나다 カナダ 加拿大"),
    ("MX", "mexico mexiko méxico 멕시코"),
    ("BR", "brazil brasilien brasil 브라질"),
    ("AR", "argentina argentinien"),
    ("ZA", "south_africa südafrika sudáfrica"),
    ("EG", "egypt ägypten egipto"),
];

/// The code of the currency that a word, or two words joined by `_`, name; in lower case.
pub(crate) fn currency_of(word: &str) -> Option<&'static str> {
    static TABLE: LazyLock<Lookup<&str>> =
        LazyLock::new(|| Lookup::new(CURRENCIES.iter().copied()));
    TABLE.first(word)
}

/// The code and the English name of a language.
pub(crate) fn language_named(word: &str) -> Option<(&'static str, &'static str)> {
    static TABLE: LazyLock<Lookup<(&str, &str)>> = LazyLock::new(|| {
        Lookup::new(
            LANGUAGES
                .iter()
                .map(|(code, name, words)| ((*code, *name), *words)),
        )
    });
    TABLE.first(word)
}

/// The time zone of a place or an abbreviation.
pub(crate) fn zone_of(word: &str) -> Option<&'static str> {
    static TABLE: LazyLock<Lookup<&str>> = LazyLock::new(|| Lookup::new(ZONES.iter().copied()));
    TABLE.first(word)
}

/// The code of a country.
pub(crate) fn country_code(word: &str) -> Option<&'static str> {
    static TABLE: LazyLock<Lookup<&str>> = LazyLock::new(|| Lookup::new(COUNTRIES.iter().copied()));
    TABLE.first(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_found_by_name() {
        assert_eq!(currency_of("euros"), Some("EUR"));
        assert_eq!(currency_of("us_dollars"), Some("USD"));
        assert_eq!(language_named("독일어"), Some(("de", "German")));
        assert_eq!(zone_of("new_york"), Some("America/New_York"));
        assert_eq!(country_code("deutschland"), Some("DE"));
        assert_eq!(currency_of("banana"), None);
    }
}
