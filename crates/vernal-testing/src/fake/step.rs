use std::time::Duration;

use super::fault::Fault;
use crate::Reply;

/// What a server does with one request.
///
/// Made from a [`Reply`] or a [`Fault`], it also says how the bytes travel and whether they arrive.
///
/// ```
/// use std::time::Duration;
/// use vernal_testing::Reply;
/// use vernal_testing::fake::{Script, Step};
///
/// let slow = Step::from(Reply::call("getWeather", r#"{"city":"Jeju"}"#))
///     .in_fragments(7)
///     .in_writes_of(3)
///     .with_pause(Duration::from_millis(1));
/// let script = Script::new().then(slow).then(Step::from(Reply::text("Sunny.")).cut());
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Step {
    pub(crate) kind: StepKind,
    pub(crate) delivery: Delivery,
}

#[derive(Debug, Clone)]
pub(crate) enum StepKind {
    Reply(Reply),
    Fault(Fault),
}

/// How the bytes travel.
#[derive(Debug, Clone)]
pub(crate) struct Delivery {
    pub(crate) fragments: usize,
    pub(crate) write: Option<usize>,
    pub(crate) pause: Duration,
    pub(crate) delay: Duration,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) ending: Ending,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Whole,
    /// The connection is closed in the middle.
    Cut,
    /// The body ends in the middle, in good order.
    CutInOrder,
    /// Nothing more comes after the middle.
    Stalled,
}

impl Default for Delivery {
    fn default() -> Self {
        Self {
            fragments: 2,
            write: None,
            pause: Duration::ZERO,
            delay: Duration::ZERO,
            headers: Vec::new(),
            ending: Ending::Whole,
        }
    }
}

impl Step {
    /// The arguments of calls are streamed in so many fragments, where the API has fragments of them.
    /// 2 unless set.
    pub fn in_fragments(mut self, count: usize) -> Self {
        self.delivery.fragments = count.max(1);
        self
    }

    /// The body is written so many bytes at a time, wherever that cuts it.
    pub fn in_writes_of(mut self, bytes: usize) -> Self {
        self.delivery.write = Some(bytes.max(1));
        self
    }

    /// The time between two writes of the body.
    pub fn with_pause(mut self, pause: Duration) -> Self {
        self.delivery.pause = pause;
        self
    }

    /// The time before the first byte.
    pub fn with_delay(mut self, delay: Duration) -> Self {
        self.delivery.delay = delay;
        self
    }

    /// A further header of the answer.
    pub fn with_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.delivery.headers.push((name.into(), value.into()));
        self
    }

    /// The connection is closed in the middle of the last call, or of the answer where it has none.
    pub fn cut(mut self) -> Self {
        self.delivery.ending = Ending::Cut;
        self
    }

    /// The body ends in the middle of the last call, or of the answer where it has none, and in good
    /// order, as that of a gateway that lost the server behind it.
    pub fn cut_in_order(mut self) -> Self {
        self.delivery.ending = Ending::CutInOrder;
        self
    }

    /// Nothing more comes after the middle of the last call, or of the answer where it has none.
    pub fn stalled(mut self) -> Self {
        self.delivery.ending = Ending::Stalled;
        self
    }
}

impl From<Reply> for Step {
    fn from(reply: Reply) -> Self {
        Self {
            kind: StepKind::Reply(reply),
            delivery: Delivery::default(),
        }
    }
}

impl From<Fault> for Step {
    fn from(fault: Fault) -> Self {
        Self {
            kind: StepKind::Fault(fault),
            delivery: Delivery::default(),
        }
    }
}
