//! A bar on the terminal that says how far a long run is.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// How far a run is. Nothing is shown where nobody sees it, nor while it would only flicker.
pub(crate) struct Progress {
    what: &'static str,
    total: usize,
    done: usize,
    begun: Instant,
    shown: Option<Instant>,
    is_seen: bool,
}

const PATIENCE: Duration = Duration::from_millis(300);
const PACE: Duration = Duration::from_millis(100);
const WIDTH: usize = 30;

impl Progress {
    pub(crate) fn new(what: &'static str, total: usize) -> Self {
        // A bar between the lines of the answer itself would be a nuisance.
        let is_seen = std::io::stderr().is_terminal() && !std::io::stdout().is_terminal();
        Self { what, total, done: 0, begun: Instant::now(), shown: None, is_seen }
    }

    /// Makes a bar for a command that prints its answer at the end.
    pub(crate) fn alone(what: &'static str, total: usize) -> Self {
        Self { is_seen: std::io::stderr().is_terminal(), ..Self::new(what, total) }
    }

    /// Says how much is done by now.
    pub(crate) fn reach(&mut self, done: usize) {
        // Another pass over the same begins anew; threads may be told of out of order.
        if self.done >= self.total && done < self.total / 2 {
            (self.done, self.begun) = (0, Instant::now());
        }
        self.advance(done.saturating_sub(self.done));
    }

    pub(crate) fn advance(&mut self, count: usize) {
        self.done += count;
        let is_due = self.shown.map_or(self.begun.elapsed() > PATIENCE, |shown| shown.elapsed() > PACE);
        if self.is_seen && is_due {
            self.shown = Some(Instant::now());
            let left = left(self.begun.elapsed(), self.done, self.total);
            let _ = write!(std::io::stderr(), "\r{}{left}\x1b[K", bar(self.what, self.done, self.total));
        }
    }

    /// Takes the bar away.
    pub(crate) fn end(self) {
        if self.shown.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// Returns how long the rest takes if it goes on as before; nothing where that cannot be told yet.
fn left(elapsed: Duration, done: usize, total: usize) -> String {
    let share = (total.saturating_sub(done)) as f64 / done.max(1) as f64;
    let seconds = (elapsed.as_secs_f64() * share).ceil();
    if done == 0 || seconds < 1.0 { String::new() } else { format!(", {seconds:.0} s left") }
}

/// Returns the bar; where nobody knows how many there are, how many there were.
fn bar(what: &str, done: usize, total: usize) -> String {
    if total == 0 {
        return format!("{done} {what}");
    }
    let full = (WIDTH * done.min(total)).checked_div(total).unwrap_or(WIDTH);
    format!("[{}{}] {done}/{total} {what}", "#".repeat(full), " ".repeat(WIDTH - full))
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn the_bar_grows() {
        assert_eq!(bar("nodes", 0, 2), format!("[{}] 0/2 nodes", " ".repeat(30)));
        assert_eq!(bar("nodes", 1, 2), format!("[{}{}] 1/2 nodes", "#".repeat(15), " ".repeat(15)));
        assert_eq!(bar("nodes", 7, 0), "7 nodes");
    }
}
