//! What became of the recordings, a row for each provider.

use std::collections::BTreeMap;

use crate::requests::Outcome;

/// At least this part of the answers has to be read alike, and of the requests to be expressed.
const ANSWERS_PERCENT: usize = 95;
const REQUESTS_PERCENT: usize = 80;

#[derive(Default)]
pub(crate) struct Table {
    rows: BTreeMap<(&'static str, String), Row>,
}

#[derive(Default)]
pub(crate) struct Row {
    answers: usize,
    agreed: usize,
    differing: Vec<String>,
    equal: usize,
    listed: usize,
    inexpressible: BTreeMap<String, usize>,
}

impl Row {
    pub(crate) fn answer(&mut self, name: &str, found: Result<(), String>) {
        self.answers += 1;
        match found {
            Ok(()) => self.agreed += 1,
            Err(why) => self.differing.push(format!("{name}: {why}")),
        }
    }

    pub(crate) fn request(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Equal => self.equal += 1,
            Outcome::Listed => self.listed += 1,
            Outcome::Inexpressible(why) => *self.inexpressible.entry(why).or_default() += 1,
        }
    }

    fn add(&mut self, other: &Self) {
        self.answers += other.answers;
        self.agreed += other.agreed;
        self.equal += other.equal;
        self.listed += other.listed;
        for (why, count) in &other.inexpressible {
            *self.inexpressible.entry(why.clone()).or_default() += count;
        }
    }

    fn unexpressed(&self) -> usize {
        self.inexpressible.values().sum()
    }

    fn requests(&self) -> usize {
        self.equal + self.listed + self.unexpressed()
    }

    fn print(&self, api: &str, provider: &str) {
        println!(
            "{api:18} {provider:30} {:5} of {:5} {:9} {:9} {:9} of {:5}",
            self.agreed,
            self.answers,
            self.equal,
            self.listed,
            self.unexpressed(),
            self.requests()
        );
    }
}

impl Table {
    pub(crate) fn row(&mut self, api: &'static str, provider: &str) -> &mut Row {
        self.rows.entry((api, provider.to_owned())).or_default()
    }

    fn total(&self, api: &str) -> Row {
        let mut total = Row::default();
        for ((of, _), row) in &self.rows {
            if *of == api {
                total.add(row);
            }
        }
        total
    }

    /// What is worse than it has to be.
    pub(crate) fn problems(&self, api: &str, least: usize) -> Vec<String> {
        let total = self.total(api);
        let (answers, agreed) = (total.answers, total.agreed);
        let (requests, unexpressed) = (total.requests(), total.unexpressed());
        let mut problems = Vec::new();
        if answers < least {
            problems.push(format!("{api}: only {answers} answers were read"));
        }
        if agreed * 100 < answers * ANSWERS_PERCENT {
            problems.push(format!("{api}: only {agreed} of {answers} answers agree"));
        }
        if (requests - unexpressed) * 100 < requests * REQUESTS_PERCENT {
            problems.push(format!(
                "{api}: {unexpressed} of {requests} requests cannot be expressed"
            ));
        }
        problems
    }

    pub(crate) fn print(&self) {
        println!(
            "{:18} {:30} {:>14} {:>9} {:>9} {:>18}",
            "", "", "answers", "requests", "requests", "requests"
        );
        println!(
            "{:18} {:30} {:>14} {:>9} {:>9} {:>18}",
            "api", "recorded by/provider", "that agree", "equal", "listed", "not expressed"
        );
        let mut apis: Vec<_> = self.rows.keys().map(|(api, _)| *api).collect();
        apis.dedup();
        for api in apis {
            for ((_, provider), row) in self.rows.iter().filter(|((of, _), _)| *of == api) {
                row.print(api, provider);
            }
            self.total(api).print(api, "all");
        }
        for ((api, _), row) in &self.rows {
            for difference in &row.differing {
                println!("  {api} differs: {difference}");
            }
        }
        for api in self
            .rows
            .keys()
            .map(|(api, _)| *api)
            .collect::<std::collections::BTreeSet<_>>()
        {
            for (why, count) in self.total(api).inexpressible {
                println!("  {api} not expressed: {count} {why}");
            }
        }
    }
}
