//! What a dump could not answer: what is the same for many nodes and keys is said once.

use std::collections::HashMap;

use crate::cli::failure::Failure;

/// Failures in the order in which they were first met.
#[derive(Default)]
pub(super) struct Complaints {
    list: Vec<Complaint>,
    /// Where in the list one stands, by its words.
    known: HashMap<String, usize>,
}

/// A failure, and who met it.
struct Complaint {
    failure: Failure,
    /// The first few: `NODE: KEY`.
    who: Vec<String>,
    count: usize,
}

/// As many are named before `+N`.
const NAMES: usize = 3;

impl Complaints {
    /// Notes that someone met a failure.
    pub(super) fn add(&mut self, who: String, failure: Failure) {
        let next = self.list.len();
        let number = *self.known.entry(failure.to_string()).or_insert(next);
        if number == next {
            self.list.push(Complaint { failure, who: Vec::new(), count: 0 });
        }
        let Some(complaint) = self.list.get_mut(number) else { return };
        complaint.count += 1;
        if complaint.who.len() < NAMES {
            complaint.who.push(who);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Prints them to standard error.
    pub(super) fn tell(&self) {
        self.list.iter().for_each(|complaint| complaint.failure.tell(&format!("{}: ", complaint.names())));
    }
}

impl Complaint {
    fn names(&self) -> String {
        let more = self.count - self.who.len();
        let names = self.who.join(", ");
        if more > 0 { format!("{names} +{more}") } else { names }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_the_same_is_said_once() {
        let mut complaints = Complaints::default();
        assert!(complaints.is_empty());
        for number in 1..=5 {
            complaints.add(format!("n{number}: k"), Failure::new("broken"));
            complaints.add(format!("n{number}: j"), Failure::new(format!("other {}", number % 2)));
        }
        let names: Vec<String> = complaints.list.iter().map(Complaint::names).collect();
        assert_eq!(names, ["n1: k, n2: k, n3: k +2", "n1: j, n3: j, n5: j", "n2: j, n4: j"]);
    }
}
