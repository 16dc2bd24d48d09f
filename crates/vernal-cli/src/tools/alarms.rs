//! The alarms of one run of the program, and waiting for them.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, ZonedDateTime};
use tokio::sync::Notify;

use super::moment::second;

/// One alarm.
#[derive(Debug, Clone)]
pub(crate) struct Alarm {
    number: u32,
    at: ZonedDateTime,
    label: Option<String>,
}

/// The alarms that have not gone off.
pub(crate) struct Alarms {
    ring: bool,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    waiting: Vec<Alarm>,
    last_number: u32,
}

impl Alarms {
    /// The most alarms that can wait.
    pub(crate) const MOST: usize = 1000;

    /// The clock is looked at this often, so that an alarm is not missed when the machine sleeps or
    /// its clock is set.
    const LOOK: Duration = Duration::from_secs(15);

    /// Alarms of a conversation that stays open.
    pub(crate) fn ringing() -> Self {
        Self {
            ring: true,
            state: Mutex::default(),
            changed: Notify::new(),
        }
    }

    /// Alarms of a run that ends before any of them is due.
    pub(crate) fn silent() -> Self {
        Self {
            ring: false,
            ..Self::ringing()
        }
    }

    /// Whether somebody waits for the alarms.
    pub(crate) fn ring(&self) -> bool {
        self.ring
    }

    /// Adds an alarm; `None` if there are too many.
    pub(crate) fn add(&self, at: ZonedDateTime, label: Option<String>) -> Option<Alarm> {
        let mut state = self.lock();
        if state.waiting.len() >= Self::MOST {
            return None;
        }
        state.last_number = state.last_number.saturating_add(1);
        let alarm = Alarm {
            number: state.last_number,
            at,
            label,
        };
        state.waiting.push(alarm.clone());
        state.waiting.sort_by(|a, b| a.at.cmp(&b.at));
        drop(state);
        self.changed.notify_one();
        Some(alarm)
    }

    /// Takes an alarm away.
    pub(crate) fn cancel(&self, number: u32) -> Option<Alarm> {
        let mut state = self.lock();
        let at = state
            .waiting
            .iter()
            .position(|alarm| alarm.number == number)?;
        Some(state.waiting.remove(at))
    }

    /// The alarms, the next one first.
    pub(crate) fn waiting(&self) -> Vec<Alarm> {
        self.lock().waiting.clone()
    }

    /// Waits until an alarm is due and takes it. Nothing is lost if the wait is given up.
    pub(crate) async fn next_due(&self) -> Alarm {
        loop {
            let wait = match self.take_due(&ZonedDateTime::now()) {
                Ok(alarm) => return alarm,
                Err(wait) => wait,
            };
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = self.changed.notified() => {}
            }
        }
    }

    /// The first alarm, or how long to wait before looking again.
    fn take_due(&self, now: &ZonedDateTime) -> Result<Alarm, Duration> {
        let mut state = self.lock();
        let Some(first) = state.waiting.first() else {
            return Err(Self::LOOK);
        };
        let wait = now.duration_until(&first.at);
        if wait > SignedDuration::ZERO {
            return Err(wait.unsigned_abs().min(Self::LOOK));
        }
        Ok(state.waiting.remove(0))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for Alarm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "alarm {} for {}", self.number, second(&self.at))?;
        match &self.label {
            Some(label) => write!(f, " ({label})"),
            None => Ok(()),
        }
    }
}

/// A duration in its two largest units, `1 hour 30 minutes`; from five minutes on to the minute, for
/// the exact time is told beside it.
pub(crate) fn in_words(duration: SignedDuration) -> String {
    let seconds = (duration.as_millis().max(0) + 500) / 1000;
    let seconds = if seconds < 300 {
        seconds
    } else {
        (seconds + 30) / 60 * 60
    };
    let units = [
        ("day", 86_400),
        ("hour", 3_600),
        ("minute", 60),
        ("second", 1),
    ];
    let mut rest = seconds;
    let mut words = Vec::new();
    for (name, size) in units {
        let count = rest / size;
        rest %= size;
        if count > 0 {
            words.push(format!(
                "{count} {name}{}",
                if count == 1 { "" } else { "s" }
            ));
        }
    }
    words.truncate(2);
    if words.is_empty() {
        "less than a second".to_owned()
    } else {
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::super::moment::tests::now;
    use super::*;

    #[test]
    fn durations_are_told_in_two_units() {
        for (seconds, words) in [
            (0, "less than a second"),
            (1, "1 second"),
            (600, "10 minutes"),
            (5_400, "1 hour 30 minutes"),
            (90_061, "1 day 1 hour"),
            (-5, "less than a second"),
        ] {
            assert_eq!(in_words(SignedDuration::from_secs(seconds)), words);
        }
        assert_eq!(in_words(SignedDuration::from_millis(598_600)), "10 minutes");
        assert_eq!(in_words(SignedDuration::from_millis(59_600)), "1 minute");
    }

    #[test]
    fn the_earliest_is_due_first() {
        let alarms = Alarms::ringing();
        let minute = |minutes: i64| {
            now()
                .checked_add(SignedDuration::from_mins(minutes))
                .unwrap()
        };
        alarms.add(minute(10), None).unwrap();
        alarms.add(minute(1), Some("tea".to_owned())).unwrap();
        assert_eq!(alarms.take_due(&now()).unwrap_err(), Alarms::LOOK);
        let due = alarms.take_due(&minute(1)).unwrap();
        assert_eq!(
            due.to_string(),
            "alarm 2 for 2026-12-01T09:31:00+09:00 (tea)"
        );
        assert_eq!(alarms.waiting().len(), 1);
    }

    #[tokio::test]
    async fn waiting_ends_when_an_alarm_that_is_due_is_added() {
        let alarms = Alarms::ringing();
        let past: ZonedDateTime = "2020-01-01T00:00:00Z[UTC]".parse().unwrap();
        let (due, added) = tokio::join!(alarms.next_due(), async { alarms.add(past, None) });
        assert_eq!(due.number, added.unwrap().number);
    }

    #[test]
    fn there_is_a_most_of_alarms() {
        let alarms = Alarms::silent();
        for _ in 0..Alarms::MOST {
            assert!(alarms.add(now(), None).is_some());
        }
        assert!(alarms.add(now(), None).is_none());
    }
}
