//! The weather of towns that do not exist, from a file in the program.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jiff::ZonedDateTime;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vernal::prelude::*;

pub(crate) struct WeatherTools;

#[tools]
impl WeatherTools {
    /// Get the weather forecast of a town for one day of the coming week.
    ///
    /// There are forecasts for the towns of a made-up country only: Willowmere, Port Alder and
    /// Highmoor.
    #[tool]
    fn weather(
        &self,
        /// The name of the town, such as `Willowmere`.
        town: String,
        /// The day; left out, it is today.
        day: Option<Day>,
    ) -> Result<Forecast, ToolError> {
        let today = ZonedDateTime::now().date();
        forecast(&town, day.unwrap_or(Day::Today), today).map_err(ToolError::model)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Day {
    Today,
    Tomorrow,
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

#[derive(Debug, Serialize)]
struct Forecast {
    town: String,
    date: String,
    sky: String,
    low_celsius: i32,
    high_celsius: i32,
    rain_percent: u32,
    wind_km_h: u32,
}

#[derive(Deserialize)]
struct Town {
    also: Vec<String>,
    week: BTreeMap<String, DayOfWeek>,
}

#[derive(Deserialize)]
struct DayOfWeek {
    sky: String,
    low: i32,
    high: i32,
    rain_percent: u32,
    wind_km_h: u32,
}

static TOWNS: LazyLock<BTreeMap<String, Town>> =
    LazyLock::new(|| serde_json::from_str(include_str!("weather.json")).unwrap_or_default());

fn forecast(town: &str, day: Day, today: Date) -> Result<Forecast, String> {
    let (name, town) = find(town)?;
    let date = day
        .date(today)
        .ok_or("there is no such day in the calendar")?;
    let weekday = date.strftime("%A").to_string();
    let missing = || format!("there is no forecast of {name} for {weekday}");
    let weather = town.week.get(&weekday.to_lowercase()).ok_or_else(missing)?;
    Ok(Forecast {
        town: name.to_owned(),
        date: format!("{date} ({weekday})"),
        sky: weather.sky.clone(),
        low_celsius: weather.low,
        high_celsius: weather.high,
        rain_percent: weather.rain_percent,
        wind_km_h: weather.wind_km_h,
    })
}

fn find(written: &str) -> Result<(&'static str, &'static Town), String> {
    // Models like to add a country: `Willowmere, Vernal`.
    let wanted = written
        .split(',')
        .next()
        .unwrap_or_default()
        .trim()
        .to_lowercase();
    let is_wanted = |name: &str| name.to_lowercase() == wanted;
    let found = TOWNS
        .iter()
        .find(|(name, town)| is_wanted(name) || town.also.iter().any(|other| is_wanted(other)));
    found
        .map(|(name, town)| (name.as_str(), town))
        .ok_or_else(|| {
            let names: Vec<&str> = TOWNS.keys().map(String::as_str).collect();
            format!(
                "there is no forecast for `{}`; the towns are {}",
                written.trim(),
                names.join(", ")
            )
        })
}

impl Day {
    /// The first such day from today on.
    fn date(self, today: Date) -> Option<Date> {
        use jiff::civil::Weekday;
        let weekday = match self {
            Self::Today => return Some(today),
            Self::Tomorrow => return today.tomorrow().ok(),
            Self::Monday => Weekday::Monday,
            Self::Tuesday => Weekday::Tuesday,
            Self::Wednesday => Weekday::Wednesday,
            Self::Thursday => Weekday::Thursday,
            Self::Friday => Weekday::Friday,
            Self::Saturday => Weekday::Saturday,
            Self::Sunday => Weekday::Sunday,
        };
        if today.weekday() == weekday {
            Some(today)
        } else {
            today.nth_weekday(1, weekday).ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Tuesday.
    const TODAY: Date = jiff::civil::date(2026, 12, 1);

    #[test]
    fn the_file_has_a_whole_week_for_every_town() {
        assert_eq!(TOWNS.len(), 3);
        for (name, town) in TOWNS.iter() {
            assert_eq!(town.week.len(), 7, "{name}");
            assert!(
                town.week
                    .values()
                    .all(|day| day.low < day.high && day.rain_percent <= 100)
            );
        }
    }

    #[test]
    fn the_forecast_is_that_of_the_weekday() {
        for (town, day, date, high) in [
            ("Willowmere", Day::Today, "2026-12-01 (Tuesday)", 18),
            (
                "willowmere, Vernal",
                Day::Tomorrow,
                "2026-12-02 (Wednesday)",
                17,
            ),
            ("윌로미어", Day::Monday, "2026-12-07 (Monday)", 15),
            (" PORT ALDER ", Day::Tuesday, "2026-12-01 (Tuesday)", 14),
            ("Highmoor", Day::Sunday, "2026-12-06 (Sunday)", 4),
        ] {
            let forecast = forecast(town, day, TODAY).unwrap();
            assert_eq!(
                (forecast.date.as_str(), forecast.high_celsius),
                (date, high),
                "{town}"
            );
        }
    }

    #[test]
    fn another_town_is_answered_with_the_towns_there_are() {
        let error = forecast("Paris", Day::Today, TODAY).unwrap_err();
        assert_eq!(
            error,
            "there is no forecast for `Paris`; the towns are Highmoor, Port Alder, Willowmere"
        );
    }
}
