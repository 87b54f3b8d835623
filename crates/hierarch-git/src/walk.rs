//! Histories: commits, newest first.

use gix::bstr::ByteSlice;
use hierarch_source::Result;

use crate::issues;
use crate::repository::{Repository, Revision};

/// What a commit says about itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commit {
    /// Its full id.
    pub id: String,
    /// The seconds since 1970 at which it was committed.
    pub seconds: i64,
    /// How many seconds the committer's clock is east of UTC.
    pub offset: i32,
    /// The author's name.
    pub author: String,
    /// The first line of its message.
    pub subject: String,
    /// Its parents' ids.
    pub parents: Vec<String>,
}

impl Commit {
    /// Returns the day it was committed, on the committer's clock: `2026-11-16`.
    pub fn day(&self) -> String {
        let (year, month, day) = date(self.seconds.saturating_add(i64::from(self.offset)).div_euclid(86_400));
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// Returns the moment it was committed: `2026-11-16T04:41:05+01:00`.
    pub fn moment(&self) -> String {
        let local = self.seconds.saturating_add(i64::from(self.offset));
        let second = local.rem_euclid(86_400);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let (sign, offset) = (if self.offset < 0 { '-' } else { '+' }, self.offset.unsigned_abs());
        let zone = format!("{sign}{:02}:{:02}", offset / 3600, offset / 60 % 60);
        format!("{}T{hour:02}:{minute:02}:{second:02}{zone}", self.day())
    }
}

/// Returns year, month and day of a number of days since 1970, in the calendar that we use.
fn date(days: i64) -> (i64, i64, i64) {
    // Counted from the first of March of the year 0, so that a leap day is the last of its year.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

impl Repository {
    /// Lists commits from a revision backwards, newest first: along first parents, or along all of them.
    /// `is_wanted` is asked for each, and ends the list by saying no.
    pub fn history(
        &self,
        from: &Revision,
        all_parents: bool,
        mut is_wanted: impl FnMut(&Commit) -> bool,
    ) -> Result<Vec<Commit>> {
        let local = self.local();
        let unreadable = |error: gix::Error| issues::unreadable("the history", &error.to_string());
        let newest = gix::traverse::commit::simple::CommitTimeOrder::NewestFirst;
        let walk = local.rev_walk([from.id]).sorting(gix::revision::walk::Sorting::ByCommitTime(newest));
        let walk = if all_parents { walk } else { walk.first_parent_only() };
        let mut list = Vec::new();
        for step in walk.all().map_err(unreadable)? {
            let commit =
                read(&step.map_err(unreadable)?.object().map_err(unreadable)?).map_err(unreadable)?;
            if !is_wanted(&commit) {
                break;
            }
            list.push(commit);
        }
        Ok(list)
    }

    /// Reads what a commit says about itself.
    pub fn commit(&self, revision: &Revision) -> Result<Commit> {
        let local = self.local();
        let unreadable = |error: gix::Error| issues::unreadable(&revision.name, &error.to_string());
        read(&local.find_commit(revision.id).map_err(unreadable)?).map_err(unreadable)
    }
}

fn read(commit: &gix::Commit) -> gix::Result<Commit> {
    let time = commit.time()?;
    let subject = commit.message_raw_sloppy().to_str_lossy();
    Ok(Commit {
        id: commit.id.to_string(),
        seconds: time.seconds,
        offset: time.offset,
        author: commit.author()?.name.to_str_lossy().into_owned(),
        subject: subject.lines().next().unwrap_or_default().to_owned(),
        parents: commit.parent_ids().map(|id| id.to_string()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_committers_clock() {
        let commit = |seconds, offset| Commit {
            id: String::new(),
            seconds,
            offset,
            author: String::new(),
            subject: String::new(),
            parents: Vec::new(),
        };
        assert_eq!(commit(0, 0).moment(), "1970-01-01T00:00:00+00:00");
        assert_eq!(commit(951_782_400, 0).day(), "2000-02-29");
        assert_eq!(commit(1_799_999_999, -5400).moment(), "2027-01-15T06:29:59-01:30");
    }
}
