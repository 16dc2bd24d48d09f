//! Listed kinds of things, of which the text names one thing: `taxi` for `transport`, `a dripping tap` for
//! `plumbing`.

use std::ops::Range;

use super::leaf::{Candidate, Scene};
use crate::demo::schema::Choice;
use crate::demo::words::{Token, Word};

/// Words for a kind, and things of that kind. Words that are not ASCII also stand for longer ones.
const KINDS: &[(&str, &str)] = &[
    (
        "food dining meals groceries eating_out 식비 음식 외식 식사 essen lebensmittel verpflegung comida alimentación repas",
        "lunch dinner breakfast brunch supper snack snacks coffee pizza burger sandwich sushi ramen noodles bread groceries \
         supermarket restaurant cafe bakery pasta salad curry kebab steak beer wine meal ate milk eggs fruit vegetables mittagessen abendessen frühstück \
         supermarkt bäckerei restaurante almuerzo cena desayuno supermercado déjeuner dîner 점심 저녁밥 아침밥 삼겹살 고기 치킨 김밥 \
         라면 떡볶이 국밥 냉면 비빔밥 찌개 피자 커피 케이크 마트 장보 식당 회식 맥주 소주 술값 밥값 간식 초밥 햄버거 파스타 먹느라 먹었",
    ),
    (
        "transport transportation commute travel 교통 교통비 verkehr transporte transports",
        "taxi cab bus train flight subway metro tram uber petrol gasoline fuel mileage parking toll ferry bahn benzin tanken gasolina tren autobús \
         택시 버스 지하철 기차 주유 기름값 톨비 통행료 주차비 교통카드",
    ),
    (
        "shopping clothing clothes apparel 쇼핑 의류 의복 kleidung ropa vêtements",
        "shoes shirt jacket dress jeans trousers coat sneakers sweater socks skirt schuhe hemd jacke hose zapatos camisa chaqueta \
         옷 신발 가방 운동화 바지 셔츠 치마 화장품 외투",
    ),
    (
        "housing rent utilities bills 주거 주거비 공과금 wohnen miete nebenkosten vivienda logement",
        "rent electricity mortgage landlord miete strom alquiler luz loyer 월세 관리비 전기세 전기요금 수도세 수도요금 가스비 가스요금 인터넷비",
    ),
    (
        "health medical healthcare medicine 의료 의료비 건강 병원비 gesundheit salud santé",
        "doctor dentist pharmacy hospital prescription clinic pills arzt apotheke zahnarzt médico farmacia dentista 병원 약국 약값 치과 \
         진료 감기약 한의원",
    ),
    (
        "entertainment leisure culture fun hobby 문화 문화비 여가 오락 freizeit unterhaltung ocio loisirs",
        "cinema movie film concert theatre theater show game games museum netflix kino konzert cine concierto 영화 공연 콘서트 게임 노래방 전시 \
         뮤지컬",
    ),
    (
        "education learning training study 교육 교육비 학습 bildung educación éducation",
        "course tuition textbook lessons school university books kurs schule libros 학원 수업 강의 등록금 교재 책값 문제집",
    ),
    (
        "plumbing plumber sanitary water 배관 수도 설비 sanitär klempner fontanería plomberie",
        "sink tap faucet toilet drain pipe pipes leak leaks leaking dripping drips shower bathtub clogged sewage wasserhahn tropft \
         abfluss spüle rohr klo grifo inodoro fregadero gotea robinet évier 싱크대 수도꼭지 변기 하수구 배수구 누수 수전 세면대 물이새",
    ),
    (
        "electrical electrician electricity electric wiring 전기 elektrik elektriker elektro eléctrico electricidad électricité",
        "socket sockets outlet fuse breaker wiring bulb lamp lights flickering flickers power steckdose sicherung lampe licht enchufe \
         bombilla prise 콘센트 전등 형광등 누전 차단기 정전 스위치 전구",
    ),
    (
        "heating hvac heater 난방 heizung calefacción chauffage",
        "radiator radiators boiler furnace thermostat heizkörper radiador caldera radiateur 보일러 라디에이터 온수 히터",
    ),
    (
        "appliance appliances 가전 가전제품 haushaltsgerät haushaltsgeräte electrodoméstico électroménager",
        "fridge refrigerator freezer dishwasher oven washer stove microwave dryer kühlschrank waschmaschine herd backofen \
         geschirrspüler spülmaschine nevera lavadora horno lavavajillas 냉장고 세탁기 식기세척기 오븐 전자레인지 에어컨 건조기",
    ),
    (
        "locksmith lock locks keys 열쇠 잠금장치 schlüsseldienst cerrajero serrurier",
        "key keys keyhole deadbolt schlüssel schloss llave cerradura clé serrure 열쇠 도어락 자물쇠",
    ),
    (
        "pest pests pest_control vermin 해충 방역 schädlinge plagas",
        "mice mouse rats cockroach cockroaches ants bedbugs wasps termites mäuse ameisen kakerlaken cucarachas hormigas ratones 바퀴벌레 \
         개미 쥐가 벌레 말벌",
    ),
    (
        "network internet connectivity 네트워크 인터넷 netzwerk red réseau",
        "wifi wi-fi router vpn ethernet wlan 와이파이 공유기 랜선",
    ),
    (
        "hardware device equipment 하드웨어 기기 장비",
        "laptop monitor keyboard printer screen projector mouse headset drucker bildschirm impresora pantalla 노트북 모니터 키보드 \
         프린터 마우스",
    ),
    (
        "noise 소음 lärm ruido bruit",
        "loud music barking party drilling hammering laut ruidoso 시끄러 쿵쿵 층간소음 공사소리",
    ),
    (
        "waste garbage trash rubbish litter 쓰레기 폐기물 müll abfall basura déchets",
        "garbage trash rubbish litter dumped bin bins mülltonne sperrmüll contenedor 쓰레기 분리수거 무단투기",
    ),
    (
        "dairy 유제품 milchprodukte lácteos",
        "milk cheese yogurt yoghurt butter cream milch käse leche queso 우유 치즈 요거트 버터",
    ),
    (
        "fruit fruits produce 과일 obst fruta",
        "apple apples banana bananas orange oranges pear pears grapes strawberries lemon äpfel manzanas 사과 바나나 귤 포도 딸기",
    ),
    (
        "meat butcher 육류 정육 fleisch carne viande",
        "chicken beef pork lamb bacon sausage sausages ham rind schwein huhn pollo cerdo 닭고기 소고기 돼지고기 삼겹살",
    ),
    (
        "accommodation lodging 숙박 숙소 unterkunft alojamiento hébergement",
        "hotel hostel motel airbnb inn 호텔 모텔 펜션 민박 게스트하우스",
    ),
];

/// The first thing in the text that is of the kind which a choice names; `told` are the words by which it is
/// explained.
pub(super) fn of_kind(choice: &Choice, told: &[Word], scene: &Scene<'_>) -> Option<Candidate> {
    let reading = scene.reading;
    let named = || choice.words.iter().chain(told);
    let found = reading.tokens.iter().find(|token| {
        token.is_word()
            && !reading.is_of_another(&token.span)
            && !reading.is_quoted(&token.span)
            && !reading.is_negated(&token.span)
            && named().any(|word| is_of_kind(word, token))
    })?;
    let span: Range<usize> = found.span.start..found.span.start;
    Some(Candidate::new(choice.value.clone(), span, 0.72))
}

/// Whether a token names something of the kind that a word of a choice names: `taxi` for `transport`.
pub(super) fn is_of_kind(word: &Word, token: &Token) -> bool {
    let names = |kind: &str| {
        let mut kinds = kind.split_whitespace();
        kinds.any(|kind| kind == word.lower || Word::new(kind).stem == word.stem)
    };
    let said = token.lower();
    let singular = said.strip_suffix('s').unwrap_or(said);
    let is_member = |things: &str| {
        things.split_whitespace().any(|thing| {
            thing == said || thing == singular || !thing.is_ascii() && said.starts_with(thing)
        })
    };
    KINDS
        .iter()
        .any(|(kinds, things)| is_member(things) && names(kinds))
}

#[cfg(test)]
mod tests {
    use crate::demo::fill::trial::filled;
    use serde_json::json;

    #[test]
    fn a_thing_stands_for_its_kind() {
        let kind = json!({"kind": {"enum": ["food", "transport", "other"]}});
        for (text, wanted) in [
            ("I paid 12 for a taxi", json!("transport")),
            ("we had sushi for 30 euros", json!("food")),
            ("어제 택시비 만 원 썼어", json!("transport")),
            ("I paid 12 for a candle", json!(null)),
        ] {
            assert_eq!(
                filled("log", kind.clone(), &["kind"], text)["kind"],
                wanted,
                "{text}"
            );
        }
    }
}
