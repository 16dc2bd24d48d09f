//! Groups of words that may be a value, with the small word that says which part they play.

use super::chunk_edges::is_part_of_names;
use super::leaf::Leaf;
use crate::demo::cue::{Cue, of_particle};
use crate::demo::lang::Lang;
use crate::demo::reading::Reading;
use crate::demo::role::Want;
use crate::demo::script::{Particle, japanese_particle, without_particle};
use crate::demo::tool::Tool;
use crate::demo::words::Token;
use std::ops::Range;

/// A group of words.
#[derive(Debug, Clone)]
pub(crate) struct Chunk {
    pub(crate) text: String,
    pub(crate) span: Range<usize>,
    pub(crate) cue: Cue,
    /// Whether it looks like a name: capital letters where they are not due.
    pub(crate) name: bool,
    pub(crate) quoted: bool,
    /// The leaf whose name stands next to it.
    pub(crate) label: Option<usize>,
    /// Whether a word of the tool's name follows: `Italian` in `Italian restaurants`.
    pub(crate) modifies: bool,
    /// Whether a word of the tool's name stands before: `Dune` in `the book Dune`.
    pub(crate) specifies: bool,
    /// Whether it is a name in a longer chunk.
    pub(crate) inner: bool,
    /// Whether it is two names with small words between, which only a title may be.
    pub(crate) title: bool,
    /// Chunks that are listed together share a group.
    pub(crate) group: usize,
}

/// Cuts a text into chunks. What lies in `taken` belongs to other values. `strict` takes no word for
/// one of the tool's that only means something like it.
pub(crate) fn chunks(
    reading: &Reading,
    tool: &Tool,
    leaves: &[Leaf<'_>],
    taken: &[Range<usize>],
    strict: bool,
) -> Vec<Chunk> {
    let mut cutter = Cutter {
        reading,
        tool,
        leaves,
        taken,
        strict,
        found: Vec::new(),
        open: Vec::new(),
        cue: Cue::Object,
        label: None,
        specifies: false,
        group: 0,
        begun: false,
        joined: None,
    };
    cutter.cut();
    cutter.add_titles();
    cutter.add_quotes();
    cutter.found.sort_by_key(|chunk| chunk.span.start);
    cutter.found
}

pub(super) struct Cutter<'a> {
    pub(super) reading: &'a Reading,
    pub(super) tool: &'a Tool,
    pub(super) leaves: &'a [Leaf<'a>],
    pub(super) taken: &'a [Range<usize>],
    pub(super) strict: bool,
    pub(super) found: Vec<Chunk>,
    /// The indices of the tokens of the chunk that is being built.
    pub(super) open: Vec<usize>,
    pub(super) cue: Cue,
    pub(super) label: Option<usize>,
    pub(super) specifies: bool,
    pub(super) group: usize,
    /// Whether the verb of the sentence has been passed.
    pub(super) begun: bool,
    /// How many chunks stood before the last `and`.
    pub(super) joined: Option<usize>,
}

/// What a token does to the chunk before it.
pub(super) enum Role {
    Part,
    /// Ends the chunk and is left out.
    Break,
    /// `가는` after the place one goes to.
    Going(Cue),
    /// `님` after a name.
    Honorific,
    /// Left out at the beginning of a chunk, else a break.
    Small,
    Preposition(Cue),
    Conjunction,
    Sentence,
    /// Begins a chunk.
    Fresh,
    /// A chunk of its own.
    Alone,
    ToolWord,
    Label(usize),
}

impl Cutter<'_> {
    pub(super) fn cut(&mut self) {
        let reading = self.reading;
        let behind = reading.token_at(reading.background);
        for (at, token) in reading.tokens.iter().enumerate() {
            if at == behind {
                self.close(false);
                self.reset();
            }
            let role = self.role(at, token);
            self.step(at, token, &role);
            if token.is_word() || token.is_number() {
                self.begun = true;
            }
        }
        self.close(false);
    }

    pub(super) fn reset(&mut self) {
        self.cue = Cue::Object;
        self.label = None;
        self.specifies = false;
        self.group += 1;
        self.begun = false;
        self.joined = None;
    }

    pub(super) fn step(&mut self, at: usize, token: &Token, role: &Role) {
        match role {
            Role::Part => {
                let particle = self.particle(token);
                self.open.push(at);
                if token.lower().ends_with("'s") {
                    // `Bob's order`: the owner is one thing, what is owned another.
                    self.close(true);
                    return;
                }
                if let Some(particle) = particle {
                    self.close_with(of_particle(particle), particle == Particle::With);
                }
            }
            Role::Honorific => {
                let particle = ["의", "에게", "께", "한테", "과", "와", "이", "은", "을"]
                    .iter()
                    .find(|end| token.lower().ends_with(**end));
                let cue = match particle {
                    Some(&"의") => Cue::Of,
                    Some(&("에게" | "께" | "한테")) => Cue::To,
                    _ => self.cue,
                };
                self.close_with(cue, false);
            }
            Role::Going(cue) if self.open.is_empty() => {
                let group = self.group;
                if let Some(last) = self
                    .found
                    .last_mut()
                    .filter(|chunk| chunk.group + 1 == group || chunk.group == group)
                    && last.cue == Cue::Object
                {
                    last.cue = *cue;
                }
            }
            Role::Going(cue) => self.close_with(*cue, false),
            Role::Small if self.open.is_empty() => {}
            Role::Small | Role::Break => self.close(false),
            Role::Preposition(cue) => {
                self.close(false);
                self.group += 1;
                self.cue = *cue;
                // `a branch called x`: the name of what stands before.
                if *cue != Cue::Named {
                    self.label = None;
                }
                self.specifies = false;
            }
            Role::Conjunction => {
                // `a, b and c`: the next has the part of the one before.
                self.close(false);
                // `a and b, open`: after the last of a list another thing begins.
                let comma = token.lower() == ",";
                if comma && self.joined.is_some_and(|count| self.found.len() > count) {
                    self.group += 1;
                    self.joined = None;
                } else if !comma {
                    self.joined = Some(self.found.len());
                }
            }
            Role::Sentence => {
                self.close(false);
                self.reset();
            }
            Role::ToolWord => {
                self.close(true);
                self.specifies = true;
            }
            Role::Fresh => {
                self.close(false);
                self.open.push(at);
            }
            Role::Alone => {
                self.close(false);
                self.open.push(at);
                self.close(false);
            }
            Role::Label(leaf) => {
                // Behind its value or before it: `high priority`, `priority high`.
                if self.open.is_empty() {
                    self.label = Some(*leaf);
                    self.group += 1;
                } else if self.is_topic(token) || self.announces(at) {
                    self.drop_label(*leaf, token);
                    self.close(false);
                    self.label = Some(*leaf);
                    self.group += 1;
                } else {
                    self.label = self.label.or(Some(*leaf));
                    // `front door` and `living room` are whole, `high priority` is not.
                    let joined = self
                        .open
                        .iter()
                        .filter_map(|at| self.reading.tokens.get(*at));
                    let compound = joined.into_iter().any(|token| token.is_symbol("-"));
                    let whole = !compound
                        && self
                            .leaves
                            .get(*leaf)
                            .is_some_and(|leaf| matches!(leaf.want, Want::Thing | Want::Place))
                        && is_part_of_names(token.lower());
                    if whole {
                        self.open.push(at);
                    }
                    self.close(false);
                    self.label = Some(*leaf);
                    self.group += 1;
                }
            }
        }
    }

    /// Closes the chunk whose last token says its part.
    pub(super) fn close_with(&mut self, cue: Cue, goes_on: bool) {
        let kept = self.cue;
        self.cue = cue;
        if let Some(last) = self.open.last().copied()
            && self.reading.lang == Lang::Ja
            && self
                .reading
                .tokens
                .get(last)
                .is_some_and(|t| japanese_particle(t.lower()).is_some())
        {
            self.open.pop();
        }
        self.close(false);
        self.cue = if goes_on { cue } else { kept };
        if goes_on {
            // `와` joins with what follows, whose own particle tells the part of both.
            if let Some(chunk) = self.found.last_mut() {
                chunk.cue = Cue::Object;
            }
        } else {
            let group = self.group;
            let joined = self
                .found
                .iter()
                .rposition(|chunk| chunk.group == group && chunk.cue == cue);
            if let Some(at) = joined {
                self.found
                    .iter_mut()
                    .skip(at.saturating_sub(3))
                    .filter(|c| c.group == group)
                    .for_each(|c| c.cue = cue);
            }
            self.group += 1;
            self.cue = Cue::Object;
        }
    }

    pub(super) fn close(&mut self, modifies: bool) {
        let open = std::mem::take(&mut self.open);
        let mut tokens: Vec<&Token> = open
            .iter()
            .filter_map(|at| self.reading.tokens.get(*at))
            .collect();
        self.strip(&mut tokens);
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            return;
        };
        let mut end = last.span.end;
        let ko = self.reading.lang == Lang::Ko;
        let copula = || {
            [
                "이에요",
                "입니다",
                "이고요",
                "이구요",
                "인데요",
                "이야",
                "예요",
                "이요",
                "야",
                "이고",
                "임",
            ]
            .iter()
            .find(|end| {
                last.lower()
                    .strip_suffix(**end)
                    .is_some_and(|noun| noun.chars().count() > 1)
            })
        };
        // `위치는 본관이야`: the label before says that the value ends the sentence.
        let stated = self.label.is_some() && ko && self.ends_sentence_at(last);
        let mut tail = match copula().filter(|_| stated) {
            Some(end) => last.lower().len() - end.len(),
            None => without_particle(last.lower()).0.len(),
        };
        if stated && tail < last.lower().len() {
            end = last.span.start + tail;
            tail = last.lower().len();
        }
        if self.reading.lang == Lang::Ko && tail < last.lower().len() && self.cue != Cue::Object
            || self.reading.lang == Lang::Ko && without_particle(last.lower()).1.is_some()
        {
            end = last.span.start + std::mem::take(&mut tail);
        }
        if last.lower().ends_with("'s") {
            let mark = self.reading.slice(&last.span).chars().rev().nth(1);
            end -= "s".len() + mark.map_or(1, char::len_utf8);
        }
        let span = first.span.start..end;
        let text = self.reading.slice(&span).trim().to_owned();
        if text.is_empty() {
            return;
        }
        let capitals = tokens.iter().filter(|t| t.capital).count();
        let first_in_text = first.span.start == 0 || !self.begun_before(first.span.start);
        let name =
            capitals > 0 && (!first_in_text || capitals > 1 || first.word.concepts.is_empty());
        self.found.push(Chunk {
            text,
            span,
            cue: self.cue,
            name,
            quoted: false,
            label: self.label.take(),
            modifies,
            specifies: std::mem::take(&mut self.specifies),
            inner: false,
            title: false,
            group: self.group,
        });
        self.add_name_inside(&tokens);
    }
}

#[cfg(test)]
mod tests {
    use crate::demo::fill::trial::filled;
    use serde_json::json;

    #[test]
    fn titles_may_hold_small_words() {
        let film = |text: &str| {
            let string = || json!({"type": "string"});
            filled(
                "show_film",
                json!({"title": string(), "cinema": string()}),
                &["title"],
                text,
            )
        };
        assert_eq!(
            film("Show Pride and Prejudice")["title"],
            "Pride and Prejudice"
        );
        assert_eq!(
            film("Show the film Paddington in Peru at the Odeon"),
            json!({"title": "Paddington in Peru", "cinema": "Odeon"})
        );
        assert_eq!(
            film("Show the film Gaslight at the Odeon"),
            json!({"title": "Gaslight", "cinema": "Odeon"})
        );
    }
}
