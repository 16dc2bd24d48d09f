use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime};

use ::http::{HeaderMap, StatusCode};
use vernal_core::model::{ModelError, ModelErrorKind};

use super::date::parse_http_date;

/// When a failed model call is made again.
///
/// It is where there was no connection or it broke, and after the statuses 408, 409, 425, 429 and all
/// from 500 on (501 and Cloudflare's 520 to 530 too, as the official clients have it), unless the
/// server says `x-should-retry: false`, or the account has no quota, the request is too long, or a
/// filter refused it. A rate limit, an overload or another failure of the server that is told in an
/// answer with a good status, whole or as an event of a stream, is one like any other.
///
/// Once anything of an answer was handed on, nothing is sent again; what a stream says before that,
/// such as its id or the tokens so far, is not handed on. A call that ran into a limit of ours is not
/// made again either.
///
/// The wait is what the server asks for, and up to a quarter of it more by chance, at most a second, so
/// that clients that were told the same do not come back together; never less. Where the server names
/// none, it grows from `first_wait` by doubling up to `longest_wait`, less up to a quarter by chance. A
/// server that asks for more than `ceiling` gets no second request: the error tells the time it asked
/// for. So it is where the wait would go past the limit `total`, or past the time that the request or
/// the turn has ([`Prompt::deadline`](vernal_core::model::Prompt::deadline)): the error is the server's.
///
/// How often a call was made again stands in its error
/// ([`ModelError::retries`](vernal_core::model::ModelError::retries)) or its answer
/// ([`ResponseMetadata::retries`](vernal_core::model::ResponseMetadata::retries)), and each retry is an
/// event of `tracing`, a warning. A [`RetryAdvisor`](vernal_core::advisor::RetryAdvisor) calls the model
/// again, and with each call come the retries of this policy: with the defaults of both, a failure that
/// lasts is asked nine times. Where that advisor alone is to decide, give [`never`](Self::never) here.
///
/// ```
/// use std::time::Duration;
/// use vernal_models::http::RetryPolicy;
///
/// let patient = RetryPolicy::default().with_max_retries(5).with_ceiling(Duration::from_secs(120));
/// assert_eq!(patient.max_retries, 5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetryPolicy {
    /// How often a call is made again. 2 unless set.
    pub max_retries: u32,
    /// The longest time that a server may ask to wait. 60 s unless set.
    pub ceiling: Duration,
    /// The wait before the first retry where the server names none. 0.5 s unless set.
    pub first_wait: Duration,
    /// The longest wait where the server names none. 8 s unless set.
    pub longest_wait: Duration,
    /// How many retries all calls of the model may make together: each takes one, and each answer gives one
    /// back. Where none is left, a failed call is not made again. 500 unless set.
    pub budget: u32,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            max_retries: 2,
            ceiling: Duration::from_secs(60),
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(8),
            budget: 500,
        }
    }
}

impl RetryPolicy {
    /// Never a second request.
    pub fn never() -> Self {
        Self {
            max_retries: 0,
            ..Self::default()
        }
    }

    /// With this number of retries.
    #[must_use]
    pub fn with_max_retries(mut self, retries: u32) -> Self {
        self.max_retries = retries;
        self
    }

    /// With this as the longest time that a server may ask to wait.
    #[must_use]
    pub fn with_ceiling(mut self, ceiling: Duration) -> Self {
        self.ceiling = ceiling;
        self
    }

    /// With this wait before the first retry where the server names none.
    #[must_use]
    pub fn with_first_wait(mut self, wait: Duration) -> Self {
        self.first_wait = wait;
        self
    }

    /// With so many retries for all calls of the model together.
    #[must_use]
    pub fn with_budget(mut self, retries: u32) -> Self {
        self.budget = retries;
        self
    }

    /// How long to wait before the next request; `None` if there is to be none. `done` retries were
    /// made already.
    pub(super) fn wait(&self, done: u32, error: &ModelError, advice: &Advice) -> Option<Duration> {
        if done >= self.max_retries || !advice.may_retry || is_final(error.kind()) {
            return None;
        }
        match advice.after.filter(|after| !after.is_zero()) {
            Some(after) => (after <= self.ceiling).then(|| later(after, done)),
            None => Some(self.backoff(done)),
        }
    }

    fn backoff(&self, done: u32) -> Duration {
        let doubled = self
            .first_wait
            .saturating_mul(1_u32.checked_shl(done).unwrap_or(u32::MAX));
        let wait = doubled.min(self.longest_wait);
        wait.saturating_sub(wait.mul_f64(chance(done) / 4.0))
    }
}

/// The wait that a server asked for, or a little more.
fn later(asked: Duration, done: u32) -> Duration {
    const MOST: Duration = Duration::from_secs(1);
    let more = (asked / 4).min(MOST).mul_f64(chance(done));
    asked.saturating_add(more)
}

/// A number from 0 to 1, another one each time.
fn chance(seed: u32) -> f64 {
    // A fresh hasher is keyed at random.
    (RandomState::new().hash_one(seed) % 1024) as f64 / 1024.0
}

/// Whether the same request can only fail again.
pub(super) fn is_final(kind: ModelErrorKind) -> bool {
    matches!(
        kind,
        ModelErrorKind::Quota | ModelErrorKind::ContextLength | ModelErrorKind::ContentFilter
    )
}

/// What a failure says about trying again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Advice {
    pub(super) may_retry: bool,
    pub(super) after: Option<Duration>,
}

impl Advice {
    pub(super) const NEVER: Self = Self {
        may_retry: false,
        after: None,
    };
    pub(super) const RETRY: Self = Self {
        may_retry: true,
        after: None,
    };

    /// What a response with an error status says.
    pub(super) fn of_response(status: StatusCode, headers: &HeaderMap, now: SystemTime) -> Self {
        let mut advice = Self {
            may_retry: matches!(status.as_u16(), 408 | 409 | 425 | 429 | 500..),
            after: None,
        };
        advice.hear(headers, now);
        advice
    }

    /// Takes what the head of an answer says. A time to wait that is known already is nearer to the
    /// failure.
    pub(super) fn hear(&mut self, headers: &HeaderMap, now: SystemTime) {
        match text(headers, "x-should-retry") {
            Some(said) if said.eq_ignore_ascii_case("true") => self.may_retry = true,
            Some(said) if said.eq_ignore_ascii_case("false") => self.may_retry = false,
            _ => {}
        }
        self.after = self.after.or_else(|| retry_after(headers, now));
    }
}

/// The wait that a server asks for: milliseconds, seconds, or a date, which is read against the
/// server's own clock where it shows it.
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let millis = text(headers, "retry-after-ms").and_then(|text| text.parse::<f64>().ok());
    if let Some(wait) = millis.and_then(|millis| seconds(millis / 1000.0)) {
        return Some(wait);
    }
    let said = text(headers, "retry-after")?;
    if let Ok(number) = said.parse::<f64>() {
        return seconds(number);
    }
    let until = parse_http_date(said)?;
    let now = text(headers, "date")
        .and_then(parse_http_date)
        .unwrap_or(now);
    Some(until.duration_since(now).unwrap_or_default())
}

fn seconds(number: f64) -> Option<Duration> {
    if number <= 0.0 {
        return Some(Duration::ZERO);
    }
    Duration::try_from_secs_f64(number).ok()
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect()
    }

    fn after(pairs: &[(&'static str, &str)]) -> Option<Duration> {
        let now = parse_http_date("Tue, 01 Dec 2026 17:00:00 GMT").unwrap();
        Advice::of_response(StatusCode::TOO_MANY_REQUESTS, &headers(pairs), now).after
    }

    fn error(kind: ModelErrorKind) -> ModelError {
        ModelError::new(kind, "failed")
    }

    #[test]
    fn the_wait_is_read_in_every_form() {
        assert_eq!(after(&[]), None);
        assert_eq!(
            after(&[("retry-after-ms", "1500.5")]),
            Some(Duration::from_micros(1_500_500))
        );
        assert_eq!(
            after(&[("retry-after", "2.5")]),
            Some(Duration::from_millis(2500))
        );
        assert_eq!(
            after(&[("retry-after-ms", "x"), ("retry-after", "1")]),
            Some(Duration::from_secs(1))
        );
        let date = "Tue, 01 Dec 2026 17:00:30 GMT";
        assert_eq!(
            after(&[("retry-after", date)]),
            Some(Duration::from_secs(30))
        );
        let clock = "Tue, 01 Dec 2026 17:00:20 GMT";
        assert_eq!(
            after(&[("retry-after", date), ("date", clock)]),
            Some(Duration::from_secs(10))
        );
        assert_eq!(after(&[("retry-after", "-5")]), Some(Duration::ZERO));
        for nonsense in ["soon", "1e300", "NaN"] {
            assert_eq!(after(&[("retry-after", nonsense)]), None, "{nonsense}");
        }
    }

    #[test]
    fn statuses_decide_unless_the_server_does() {
        let may = |status, pairs: &[(&'static str, &str)]| {
            let status = StatusCode::from_u16(status).unwrap();
            Advice::of_response(status, &headers(pairs), SystemTime::UNIX_EPOCH).may_retry
        };
        for status in [
            408, 409, 425, 429, 500, 501, 502, 503, 504, 520, 521, 522, 523, 524, 529, 530,
        ] {
            assert!(may(status, &[]), "{status}");
            assert!(!may(status, &[("x-should-retry", "false")]), "{status}");
        }
        for status in [400, 401, 403, 404, 407, 413, 422, 424, 499] {
            assert!(!may(status, &[]), "{status}");
            assert!(may(status, &[("x-should-retry", "true")]), "{status}");
        }
    }

    #[test]
    fn what_can_only_fail_again_is_not_sent_again() {
        let policy = RetryPolicy::default();
        for kind in [
            ModelErrorKind::Quota,
            ModelErrorKind::ContextLength,
            ModelErrorKind::ContentFilter,
        ] {
            assert_eq!(policy.wait(0, &error(kind), &Advice::RETRY), None);
        }
        let limited = error(ModelErrorKind::RateLimit);
        assert_eq!(policy.wait(2, &limited, &Advice::RETRY), None);
        assert_eq!(policy.wait(0, &limited, &Advice::NEVER), None);
        let long = Advice {
            after: Some(Duration::from_secs(61)),
            ..Advice::RETRY
        };
        assert_eq!(policy.wait(0, &limited, &long), None);
        let short = Advice {
            after: Some(Duration::from_secs(60)),
            ..Advice::RETRY
        };
        assert!(policy.wait(0, &limited, &short) >= Some(Duration::from_secs(60)));
    }

    #[test]
    fn clients_that_are_told_the_same_wait_do_not_come_back_together() {
        let limited = error(ModelErrorKind::RateLimit);
        for (asked, most) in [(1_000, 1_250), (40, 50), (30_000, 31_000)] {
            let advice = Advice {
                after: Some(Duration::from_millis(asked)),
                ..Advice::RETRY
            };
            let waits = (0..100).map(|_| {
                let wait = RetryPolicy::default().wait(0, &limited, &advice).unwrap();
                wait.as_micros() as u64
            });
            let waits: std::collections::BTreeSet<_> = waits.collect();
            let (first, last) = (*waits.first().unwrap(), *waits.last().unwrap());
            assert!(first >= asked * 1000 && last <= most * 1000, "{waits:?}");
            // All over the time that there is.
            assert!(last - first > (most - asked) * 500, "{waits:?}");
            assert!(waits.len() > 20, "{waits:?}");
        }
    }

    #[test]
    fn without_a_word_from_the_server_the_wait_doubles_up_to_a_bound() {
        let policy = RetryPolicy::default().with_max_retries(u32::MAX);
        let failed = error(ModelErrorKind::Server);
        for (done, full) in [
            (0, 500),
            (1, 1000),
            (4, 8000),
            (40, 8000),
            (4_000_000, 8000),
        ] {
            let wait = policy
                .wait(done, &failed, &Advice::RETRY)
                .unwrap()
                .as_millis();
            assert!(wait <= full && wait * 4 >= full * 3, "{done}: {wait}");
        }
    }
}
