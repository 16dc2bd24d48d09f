//! Messages as people say them: several sentences, corrections, numbers in words, other languages.

use serde_json::{Value, json};

use crate::desk::{Desk, calls, object, string};

fn number(description: &str) -> Value {
    json!({"type": "integer", "description": description})
}

fn one(values: &[&str], description: &str) -> Value {
    json!({"type": "string", "enum": values, "description": description})
}

fn boats() -> Desk {
    let schema = object(
        json!({
            "start": string("시각 (HH:MM)"),
            "boats": number("보트 수"),
            "vests": number("구명조끼 개수"),
            "price": number("금액 (원)"),
            "water": one(&["calm", "wild"], "calm = 잔잔한 물, wild = 거친 물"),
            "holder": string("예약자 이름"),
        }),
        &["start"],
    );
    Desk::default()
        .tool("rent_boat", "보트를 빌립니다", schema, "Done")
        .tool(
            "return_boat",
            "보트를 반납합니다",
            object(json!({"number": string("보트 번호")}), &["number"]),
            "Done",
        )
}

#[test]
fn korean_numbers_are_read_as_they_are_spoken() {
    for (text, wanted) in [
        (
            "열한 시에 보트 두 대 빌릴게요. 구명조끼는 네 개요.",
            json!({"start": "11:00", "boats": 2, "vests": 4}),
        ),
        (
            "열 시 삼십 분에 보트를 이만 오천 원에 빌려 줘",
            json!({"start": "10:30", "price": 25000}),
        ),
        (
            "아홉 시에 보트 빌려 줘. 아니다, 열 시로 해 줘.",
            json!({"start": "10:00"}),
        ),
        (
            "잔잔한 물로 열 시에 보트 빌려 줘. 예약자 이름은 한소라예요.",
            json!({"start": "10:00", "water": "calm", "holder": "한소라"}),
        ),
    ] {
        assert_eq!(calls(&boats().run(text)), [("rent_boat", wanted)], "{text}");
    }
}

fn rooms() -> Desk {
    let schema = object(
        json!({
            "date": json!({"type": "string", "format": "date"}),
            "time": string("Begin, HH:MM"),
            "guests": number("Number of guests"),
            "trouble": one(&["plumbing", "electrical", "heating"], "Trade"),
            "slot": one(&["08-10", "10-12", "14-16"], "Hours"),
            "smoke_free": json!({"type": "boolean"}),
            "name": string("Name the booking is held under"),
        }),
        &["date"],
    );
    Desk::default()
        .tool(
            "book_sauna",
            "Book the sauna for a day / Sauna buchen / réserver le sauna",
            schema,
            "Done",
        )
        .tool(
            "close_sauna",
            "Close the sauna",
            object(json!({"reason": string("Why")}), &["reason"]),
            "Done",
        )
}

#[test]
fn what_is_told_around_a_wish_is_kept_apart() {
    for (text, wanted) in [
        (
            "Sorry to bother you, but we had guests on June 2. Could you book the sauna for June 20, at half past seven in the evening? Put it under Iversen, please.",
            json!({"date": "2025-06-20", "time": "19:30", "name": "Iversen"}),
        ),
        (
            "Book the sauna for June 20 between 10 and 12, no smoke please",
            json!({"date": "2025-06-20", "slot": "10-12", "smoke_free": true}),
        ),
        (
            "Book the sauna for Friday's party",
            json!({"date": "2025-06-06"}),
        ),
        (
            "Our tap is dripping. Please book the sauna for June 20 anyway.",
            json!({"date": "2025-06-20", "trouble": "plumbing"}),
        ),
        (
            "Ich war gestern schwimmen. Können Sie bitte die Sauna am 20. Juni um acht Uhr buchen?",
            json!({"date": "2025-06-20", "time": "08:00"}),
        ),
        (
            "Je voudrais réserver le sauna le 20 juin à huit heures et quart",
            json!({"date": "2025-06-20", "time": "08:15"}),
        ),
    ] {
        assert_eq!(
            calls(&rooms().run(text)),
            [("book_sauna", wanted)],
            "{text}"
        );
    }
}

#[test]
fn names_are_taken_from_the_wish() {
    let desk = || {
        let drink = json!({"menu": string("음료 이름"), "count": number("잔 수")});
        let money = json!({"contact": string("Name of the contact"), "amount": number("Euros")});
        let place = json!({"area": string("지역")});
        Desk::default()
            .tool(
                "order_drink",
                "음료를 주문합니다",
                object(drink, &["menu", "count"]),
                "Done",
            )
            .tool(
                "find_store",
                "가까운 매장을 찾습니다",
                object(place, &["area"]),
                "Done",
            )
            .tool(
                "request_money",
                "Ask a contact for money",
                object(money, &["contact", "amount"]),
                "Done",
            )
    };
    for (text, tool, wanted) in [
        (
            "오늘 너무 춥네. 카페라떼 두 잔 주문해 줘.",
            "order_drink",
            json!({"menu": "카페라떼", "count": 2}),
        ),
        (
            "강남역 근처에 매장 찾아 줘",
            "find_store",
            json!({"area": "강남역"}),
        ),
        (
            "Ask Oleg for 18 euros",
            "request_money",
            json!({"contact": "Oleg", "amount": 18}),
        ),
    ] {
        assert_eq!(calls(&desk().run(text)), [(tool, wanted)], "{text}");
    }
}

#[test]
fn a_refusal_among_other_sentences_calls_nothing() {
    for text in [
        "Hmm, I was in the sauna yesterday. Please don't book the sauna on June 20, I'd rather stay home.",
        "사우나는 안 빌려도 돼.",
    ] {
        assert!(rooms().run(text).calls.is_empty(), "{text}");
    }
}
