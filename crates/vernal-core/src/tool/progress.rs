use std::fmt;
use std::sync::Arc;

use super::CancellationToken;

/// How far a running tool is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolProgress {
    /// What is being done, in words for people.
    pub message: Option<Arc<str>>,
    /// How much is done, in a unit of the tool's choosing.
    pub done: f64,
    /// How much there is to do, where it is known.
    pub total: Option<f64>,
}

/// Where a tool reports how far it is; whoever watches the stream sees it at once.
///
/// It may be used from any thread and after the call has ended, when it does nothing. Cheap to clone.
#[derive(Clone, Default)]
pub struct ProgressSender(Option<Arc<dyn Fn(ToolProgress) + Send + Sync>>);

impl ProgressSender {
    /// A sender that nobody listens to.
    pub fn silent() -> Self {
        Self(None)
    }

    /// A sender whose reports go to `listen`.
    pub fn new(listen: impl Fn(ToolProgress) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(listen)))
    }

    /// The same sender until `ended` is cancelled; then nobody hears it any more.
    pub(crate) fn until(&self, ended: &CancellationToken) -> Self {
        let (Some(listen), ended) = (self.0.clone(), ended.clone()) else {
            return Self::silent();
        };
        Self::new(move |progress| {
            if !ended.is_cancelled() {
                listen(progress);
            }
        })
    }

    /// Reports that `done` of `total` is done.
    pub fn report(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        if let Some(listen) = &self.0 {
            listen(ToolProgress {
                message: message.map(Arc::from),
                done,
                total,
            });
        }
    }
}

impl fmt::Debug for ProgressSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "ProgressSender(heard)"
        } else {
            "ProgressSender(silent)"
        })
    }
}
