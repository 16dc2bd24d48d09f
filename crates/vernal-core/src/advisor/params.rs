use std::sync::Arc;

use super::Advisor;

/// Settings of advisors, given where advisors are given.
///
/// ```
/// # use vernal_core::advisor::AdvisorParams;
/// // The model's tool calls come back unexecuted (rule AUTO-5).
/// let params = AdvisorParams::tool_calling_advisor_auto_register(false);
/// # let _ = params;
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct AdvisorParams {
    auto_register: Option<bool>,
}

impl AdvisorParams {
    /// Whether the tool loop is registered where the chain has none; by default it is.
    pub fn tool_calling_advisor_auto_register(register: bool) -> Self {
        Self {
            auto_register: Some(register),
        }
    }
}

/// Advisors and their settings, as a client or a request collects them.
#[derive(Clone, Default)]
pub struct AdvisorSpec {
    advisors: Vec<Arc<dyn Advisor>>,
    params: AdvisorParams,
}

impl AdvisorSpec {
    /// Adds an advisor at the end. One that validates answers takes the place of an earlier one: an answer
    /// fits one type, and that of a request counts before that of its client.
    pub fn push(&mut self, advisor: Arc<dyn Advisor>) {
        if advisor.as_structured_output().is_some() {
            self.advisors
                .retain(|earlier| earlier.as_structured_output().is_none());
        }
        self.advisors.push(advisor);
    }

    /// Sets what `params` sets.
    pub fn set(&mut self, params: AdvisorParams) {
        self.params.auto_register = params.auto_register.or(self.params.auto_register);
    }

    pub(crate) fn advisors(&self) -> &[Arc<dyn Advisor>] {
        &self.advisors
    }

    /// Whether the loop is to be registered, if that was said.
    pub(crate) fn auto_register(&self) -> Option<bool> {
        self.params.auto_register
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.advisors.is_empty() && self.params.auto_register.is_none()
    }

    /// These advisors followed by `more`, whose settings win.
    pub(crate) fn followed_by(&self, more: &Self) -> Self {
        let mut all = self.clone();
        more.advisors
            .iter()
            .for_each(|advisor| all.push(advisor.clone()));
        all.set(more.params);
        all
    }
}

/// What `advisors` and `default_advisors` accept: advisors, [`AdvisorParams`], and options, vectors
/// and tuples of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an advisor",
    label = "expected advisors here",
    note = "implement `BaseAdvisor` or `Advisor` for the type, or hand over `AdvisorParams`"
)]
pub trait IntoAdvisors {
    /// Adds what was handed over, in order.
    fn collect_advisors(self, into: &mut AdvisorSpec);
}

impl<A: Advisor> IntoAdvisors for A {
    fn collect_advisors(self, into: &mut AdvisorSpec) {
        into.push(Arc::new(self));
    }
}

impl<A: Advisor> IntoAdvisors for Arc<A> {
    fn collect_advisors(self, into: &mut AdvisorSpec) {
        into.push(self);
    }
}

impl IntoAdvisors for Arc<dyn Advisor> {
    fn collect_advisors(self, into: &mut AdvisorSpec) {
        into.push(self);
    }
}

impl IntoAdvisors for AdvisorParams {
    fn collect_advisors(self, into: &mut AdvisorSpec) {
        into.set(self);
    }
}

impl<A: IntoAdvisors> IntoAdvisors for Option<A> {
    fn collect_advisors(self, into: &mut AdvisorSpec) {
        self.into_iter()
            .for_each(|advisors| advisors.collect_advisors(into));
    }
}

impl<A: IntoAdvisors> IntoAdvisors for Vec<A> {
    fn collect_advisors(self, into: &mut AdvisorSpec) {
        self.into_iter()
            .for_each(|advisors| advisors.collect_advisors(into));
    }
}

macro_rules! tuples {
    ($($name:ident)+) => {
        impl<$($name: IntoAdvisors),+> IntoAdvisors for ($($name,)+) {
            #[allow(non_snake_case)] // the type parameters serve as the variables' names
            fn collect_advisors(self, into: &mut AdvisorSpec) {
                let ($($name,)+) = self;
                $($name.collect_advisors(into);)+
            }
        }
    };
}

tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
