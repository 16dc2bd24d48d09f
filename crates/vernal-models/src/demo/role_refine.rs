//! What a parameter wants where its words mean different things in different company.

use super::role::{Want, has, says};
use super::schema::Param;
use super::words::Word;

pub(super) fn refine(found: Option<Want>, param: &Param, tool: &[Word]) -> Option<Want> {
    let about_person = |words: &[Word]| {
        words.iter().any(|word| {
            [
                "user", "customer", "employee", "patient", "contact", "student",
            ]
            .iter()
            .any(|key| word.is_about(key))
        })
    };
    match found {
        // A label, not the German day.
        Some(Want::Date) if has(&param.words, "tag") && !says(param, &["dat", "day", "yyyy"]) => {
            Some(Want::Id)
        }
        Some(Want::Zone)
            if !has(&param.words, "timezone tz time zeitzone 시간대")
                && !says(param, &["timezone", "time zone", "iana", "utc", "시간대"]) =>
        {
            let numbered = says(param, &["number", "code", "번호"]) || !param.samples.is_empty();
            Some(if numbered { Want::Id } else { Want::Place })
        }
        // `호수 (예: 1203)`
        None | Some(Want::Place | Want::Title | Want::Thing)
            if shows_digits(&param.description) =>
        {
            Some(Want::Id)
        }
        // The unit of a house.
        Some(Want::Unit)
            if says(
                param,
                &[
                    "apartment",
                    "flat",
                    "room",
                    "suite",
                    "household",
                    "building",
                    "호수",
                    "세대",
                    "동호",
                    "호실",
                    "wohnung",
                ],
            ) =>
        {
            Some(Want::Id)
        }
        Some(Want::Date | Want::Time | Want::Place)
            if says(param, &["date and time", "date-time", "datetime"]) =>
        {
            Some(Want::DateTime)
        }
        Some(Want::Date) if has(&param.words, "time") => Some(Want::DateTime),
        Some(Want::Time) if says(param, &["iso", "8601", "rfc", "timestamp", "yyyy", "date"]) => {
            Some(Want::DateTime)
        }
        Some(Want::Time) if has(&param.words, "timeout") => Some(Want::Duration),
        Some(Want::Time) => Some(Want::When),
        Some(Want::Place) if says(param, &["iso 8601", "iso-8601", "yyyy-mm"]) => {
            Some(if says(param, &["time", "hh:mm"]) {
                Want::DateTime
            } else {
                Want::Date
            })
        }
        Some(Want::Place) if has(&param.words, "address") && says(param, &["email", "e-mail"]) => {
            Some(Want::Email)
        }
        Some(Want::Place)
            if has(&param.words, "start")
                && !says(param, &["city", "place", "location", "address", "stop"]) =>
        {
            if says(param, &["time", "date", "when"]) {
                Some(Want::DateTime)
            } else {
                Some(Want::When)
            }
        }
        Some(Want::Duration) | None
            if says(param, &["yyyy-mm"])
                || has(&param.words, "month") && says(param, &["yyyy"]) =>
        {
            Some(Want::Date)
        }
        // `Room of the speaker`
        Some(Want::Person | Want::Thing)
            if param.about.len() > 1
                && param.about.first().is_some_and(|word| {
                    matches!(
                        word.lower.as_str(),
                        "room" | "place" | "city" | "location" | "address"
                    )
                }) =>
        {
            Some(Want::Place)
        }
        Some(Want::Title) if about_person(&param.words) => Some(Want::Person),
        // `Contact name`, `Name of the guest`
        Some(Want::Title)
            if has(&param.words, "name 이름")
                && has(
                    &param.about,
                    "contact guest customer patient employee user person recipient passenger student agent colleague member \
                     donor holder client player reservation booking held caller 예약자 고객 환자 직원 사람 회원",
                ) =>
        {
            Some(Want::Person)
        }
        None | Some(Want::Title | Want::Thing)
            if says(
                param,
                &[
                    "first name",
                    "last name",
                    "full name",
                    "surname",
                    "vorname",
                    "nachname",
                    "apellido",
                ],
            ) =>
        {
            Some(Want::Person)
        }
        Some(Want::Title)
            if has(
                &param.words,
                "city town place location country station airport",
            ) =>
        {
            Some(Want::Place)
        }
        Some(Want::Query) if has(tool, "sql database db") => Some(Want::Code),
        Some(Want::Title) if has(&param.words, "file folder directory") => Some(Want::Path),
        None | Some(Want::Place)
            if has(
                &param.words,
                "source destination from to src dst target old new",
            ) && has(tool, "file files folder directory path") =>
        {
            Some(Want::Path)
        }
        Some(Want::Title) if has(&param.words, "list playlist channel team group project") => {
            Some(Want::Container)
        }
        Some(Want::Title)
            if param.words.len() == 1
                && about_person(tool)
                && has(&param.words, "name nombre nom 이름 名前 名字") =>
        {
            Some(Want::Person)
        }
        Some(Want::Title) if has(&param.words, "author artist singer") => Some(Want::Author),
        Some(Want::Person)
            if has(&param.words, "recipient recipients to sender")
                && says(param, &["email", "e-mail"]) =>
        {
            Some(Want::Email)
        }
        Some(Want::Id) if has(&param.words, "code") && has(&param.words, "country") => {
            Some(Want::Country)
        }
        None if says(
            param,
            &["iso 8601", "iso-8601", "date and time", "date-time"],
        ) =>
        {
            Some(Want::DateTime)
        }
        None | Some(Want::Place | Want::Id)
            if has(&param.words, "base quote from to source target origin")
                && has(tool, "currency currencies exchange forex fx") =>
        {
            Some(Want::Currency)
        }
        None if says(param, &["yyyy"]) && says(param, &["hh:mm"]) => Some(Want::DateTime),
        None if says(param, &["yyyy-mm-dd", "dd.mm.yyyy", "mm/dd/yyyy"]) => Some(Want::Date),
        None if says(param, &["hh:mm"]) => Some(Want::Time),
        None if has(&param.words, "when at") => Some(Want::When),
        None if has(&param.words, "to recipient")
            && has(tool, "send mail email message text notify") =>
        {
            Some(Want::Person)
        }
        other => other,
    }
}

/// Whether the example of a description is a number.
fn shows_digits(description: &str) -> bool {
    let example = ["예:", "예)", "e.g.", "z.B.", "z. B.", "p. ej.", "p.ej."]
        .iter()
        .find_map(|mark| Some(description.split_once(mark)?.1.trim_start()));
    let shown = example.unwrap_or_default().split([' ', ')', ',']).next();
    shown.is_some_and(|shown| shown.len() > 1 && shown.bytes().all(|b| b.is_ascii_digit()))
}
