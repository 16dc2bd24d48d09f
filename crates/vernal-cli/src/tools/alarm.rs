//! Alarms that are kept in memory.

use std::sync::Arc;

use jiff::ZonedDateTime;
use vernal::prelude::*;

use super::alarms::{Alarms, in_words};
use super::moment::{Moment, read_moment, second};

pub(crate) struct AlarmTools {
    pub(crate) alarms: Arc<Alarms>,
}

#[tools]
impl AlarmTools {
    /// Set an alarm for the user at the given time.
    ///
    /// For a time that is relative to now, get the current date and time first.
    #[tool]
    fn set_alarm(
        &self,
        /// When the alarm goes off, in ISO-8601 format such as `2026-12-01T18:10:00+09:00`.
        time: String,
        /// A label that is shown with the alarm.
        label: Option<String>,
    ) -> Result<String, ToolError> {
        set(&self.alarms, &time, label, &ZonedDateTime::now()).map_err(ToolError::model)
    }

    /// List the alarms that are set and have not gone off yet.
    #[tool]
    fn list_alarms(&self) -> String {
        let alarms = self.alarms.waiting();
        if alarms.is_empty() {
            return "No alarm is set.".to_owned();
        }
        alarms
            .iter()
            .map(|alarm| alarm.to_string())
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Cancel an alarm that has not gone off yet.
    #[tool]
    fn cancel_alarm(
        &self,
        /// The number of the alarm, as it was told when the alarm was set or listed.
        number: u32,
    ) -> Result<String, ToolError> {
        match self.alarms.cancel(number) {
            Some(alarm) => Ok(format!("Cancelled {alarm}.")),
            None => Err(ToolError::model(format!(
                "There is no alarm {number}. {}",
                self.list_alarms()
            ))),
        }
    }
}

fn set(
    alarms: &Alarms,
    time: &str,
    label: Option<String>,
    now: &ZonedDateTime,
) -> Result<String, String> {
    let at = due(time, now)?;
    let label = label
        .map(|label| label.trim().to_owned())
        .filter(|label| !label.is_empty());
    let alarm = alarms.add(at.clone(), label).ok_or_else(|| {
        format!(
            "{} alarms are set, which is the most there can be; cancel one first",
            Alarms::MOST
        )
    })?;
    let wait = in_words(now.duration_until(&at));
    let rings = if alarms.ring() {
        "It rings here if the conversation is still open then."
    } else {
        "This run ends before it can ring; alarms ring in a conversation, `vernal chat`."
    };
    Ok(format!("Set {alarm}, in {wait}. {rings}"))
}

/// When an alarm goes off; a time of day without a date is the next one there is.
fn due(time: &str, now: &ZonedDateTime) -> Result<ZonedDateTime, String> {
    let at = match read_moment(time, now)? {
        Moment::At(at) => at,
        Moment::Day(day) => {
            return Err(format!(
                "`{time}` is a day without a time; write it such as `{day}T08:00:00`"
            ));
        }
        Moment::Clock(clock) => {
            let too_far = |error: jiff::Error| error.to_string();
            let today = now.with().time(clock).build().map_err(too_far)?;
            if today > *now {
                today
            } else {
                today.tomorrow().map_err(too_far)?
            }
        }
    };
    if at <= *now {
        return Err(format!("`{time}` has passed: it is {} now", second(now)));
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::super::moment::tests::now;
    use super::*;

    #[test]
    fn an_alarm_says_when_it_goes_off_and_whether_it_rings() {
        let told = set(&Alarms::silent(), "2026-12-01T09:40:00+09:00", None, &now()).unwrap();
        assert!(
            told.starts_with("Set alarm 1 for 2026-12-01T09:40:00+09:00, in 10 minutes."),
            "{told}"
        );
        assert!(told.contains("ends before it can ring"), "{told}");
        let label = Some(" Tea ".to_owned());
        let told = set(&Alarms::ringing(), "09:31", label, &now()).unwrap();
        assert!(told.contains("(Tea), in 1 minute. It rings here"), "{told}");
    }

    #[test]
    fn a_time_of_day_is_the_next_one() {
        assert_eq!(
            second(&due("09:31", &now()).unwrap()),
            "2026-12-01T09:31:00+09:00"
        );
        assert_eq!(
            second(&due("09:30", &now()).unwrap()),
            "2026-12-02T09:30:00+09:00"
        );
    }

    #[test]
    fn what_is_no_future_time_is_refused() {
        assert!(
            due("2026-12-01T09:29:00", &now())
                .unwrap_err()
                .contains("it is 2026-12-01T09:30")
        );
        assert!(
            due("2026-12-02", &now())
                .unwrap_err()
                .contains("`2026-12-02T08:00:00`")
        );
        assert!(due("soon", &now()).unwrap_err().contains("ISO-8601"));
    }

    #[test]
    fn alarms_are_listed_and_cancelled() {
        let tools = AlarmTools {
            alarms: Arc::new(Alarms::silent()),
        };
        assert_eq!(tools.list_alarms(), "No alarm is set.");
        set(&tools.alarms, "11:00", Some("lunch".to_owned()), &now()).unwrap();
        set(&tools.alarms, "10:00", None, &now()).unwrap();
        let list = tools.list_alarms();
        let lines: Vec<&str> = list.lines().collect();
        assert!(
            lines[0].starts_with("alarm 2 for") && lines[1].contains("(lunch)"),
            "{list}"
        );
        assert!(
            tools
                .cancel_alarm(2)
                .unwrap()
                .starts_with("Cancelled alarm 2")
        );
        assert!(
            tools
                .cancel_alarm(2)
                .unwrap_err()
                .to_string()
                .contains("alarm 1 for")
        );
    }
}
