//! The size of the program and how quickly it starts, beside those of the last release.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::dist;
use crate::measure::program_time;
use crate::tidy::repository;

/// Where the figures of the last release stand.
const LAST: &str = "packaging/last-release.json";
/// How much a figure may grow before the changelog has to say why.
const GROWTH: f64 = 0.10;
/// Starts differ by this much from run to run, in milliseconds.
const NOISE: f64 = 0.3;
const RUNS: u32 = 200;

/// What is measured of a program.
#[derive(Clone, PartialEq, Debug)]
pub struct Figures {
    /// The version it says it is of.
    pub version: String,
    /// Its size on disk.
    pub bytes: u64,
    /// The CPU time of `--version` in milliseconds, beyond that of a program that does nothing.
    pub start: f64,
}

impl Figures {
    /// Measures a program.
    pub fn measure(program: &Path) -> io::Result<Self> {
        let name = program.to_string_lossy();
        let start = program_time(&name, &["--version".to_owned()], RUNS)? - program_time("true", &[], RUNS)?;
        Ok(Self { version: dist::version().to_owned(), bytes: fs::metadata(program)?.len(), start })
    }

    fn of_json(json: &Json) -> Option<Self> {
        let version = json.get("version")?.as_str()?.to_owned();
        Some(Self { version, bytes: json.get("bytes")?.as_u64()?, start: json.get("start_ms")?.as_f64()? })
    }

    fn to_json(&self) -> Json {
        json!({ "version": self.version, "bytes": self.bytes, "start_ms": (self.start * 100.0).round() / 100.0 })
    }

    /// One line for people.
    pub fn text(&self) -> String {
        let megabytes = self.bytes / 100_000;
        let (whole, tenth) = (megabytes / 10, megabytes % 10);
        format!(
            "{}: {whole}.{tenth} MB, starts in {:.1} ms beyond an empty program",
            self.version, self.start
        )
    }
}

/// Which figures grew by more than a tenth since the last release, by the word that explains each in the changelog.
fn grown(last: &Figures, now: &Figures) -> Vec<(&'static str, String)> {
    let mut grown = Vec::new();
    // Sizes are far below what a float holds exactly.
    #[expect(clippy::cast_precision_loss)]
    if now.bytes as f64 > last.bytes as f64 * (1.0 + GROWTH) {
        grown.push(("Size:", format!("{} bytes instead of {}", now.bytes, last.bytes)));
    }
    if now.start > last.start * (1.0 + GROWTH) + NOISE {
        grown.push(("Start:", format!("{:.1} ms instead of {:.1}", now.start, last.start)));
    }
    grown
}

/// Measures a program and compares it with the last release. A growth that the changelog does not explain, by a line that begins
/// with `Size:` or `Start:`, is a failure. Tells whether all holds.
pub fn compare(program: &Path, changes: &str, out: &mut dyn Write) -> io::Result<bool> {
    let now = Figures::measure(program)?;
    writeln!(out, "{}", now.text())?;
    let Some(last) = last()? else {
        writeln!(out, "there is no release to compare with yet")?;
        return Ok(true);
    };
    writeln!(out, "the last release was {}", last.text())?;
    let mut holds = true;
    for (word, how) in grown(&last, &now) {
        let is_explained = is_explained(changes, word);
        holds &= is_explained;
        let verdict = if is_explained { "explained" } else { "needs a line in CHANGELOG.md that begins so" };
        writeln!(out, "{word} {how}: {verdict}")?;
    }
    Ok(holds)
}

/// Whether a section of the changelog has a line that begins with a word.
fn is_explained(changes: &str, word: &str) -> bool {
    changes.lines().any(|line| line.trim_start_matches(['-', ' ']).starts_with(word))
}

/// The figures of the last release; none before the first. A release that is made once more is not compared with itself.
fn last() -> io::Result<Option<Figures>> {
    let path = repository().join(LAST);
    if !path.exists() {
        return Ok(None);
    }
    let json: Json = serde_json::from_str(&fs::read_to_string(&path)?)?;
    let figures =
        Figures::of_json(&json).ok_or_else(|| io::Error::other(format!("{LAST} lacks a figure")))?;
    Ok(Some(figures).filter(|figures| figures.version != dist::version()))
}

/// Keeps the figures of a release for the next one.
pub fn keep(program: &Path) -> io::Result<()> {
    let figures = Figures::measure(program)?;
    fs::write(repository().join(LAST), format!("{:#}\n", figures.to_json()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(bytes: u64, start: f64) -> Figures {
        Figures { version: "0.1.0".to_owned(), bytes, start }
    }

    #[test]
    fn a_tenth_more_is_growth_and_noise_is_not() {
        let last = figures(20_000_000, 2.0);
        let words = |now: &Figures| grown(&last, now).into_iter().map(|(word, _)| word).collect::<Vec<_>>();
        assert_eq!(words(&figures(22_000_000, 2.5)), [""; 0]);
        assert_eq!(words(&figures(22_000_001, 2.0)), ["Size:"]);
        assert_eq!(words(&figures(10_000_000, 2.51)), ["Start:"]);
        assert_eq!(words(&figures(30_000_000, 9.0)), ["Size:", "Start:"]);
    }

    #[test]
    fn a_line_that_begins_so_explains() {
        assert!(is_explained("## Unreleased\n\n- Size: DuckDB is built in.\n", "Size:"));
        assert!(!is_explained("- The Size: of it.\n", "Size:"));
        assert!(!is_explained("- Size: larger\n", "Start:"));
    }

    #[test]
    fn figures_are_kept_as_json_and_read_again() {
        let figures = figures(31_700_000, 1.25);
        assert_eq!(Figures::of_json(&figures.to_json()), Some(figures.clone()));
        assert_eq!(figures.text(), "0.1.0: 31.7 MB, starts in 1.2 ms beyond an empty program");
        assert_eq!(Figures::of_json(&json!({ "version": "0.1.0", "bytes": 1 })), None);
    }

    #[test]
    fn a_program_is_measured() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("program");
        fs::write(&program, "#!/bin/sh\nexit 0\n").expect("a file is written");
        let mut mode = fs::metadata(&program).expect("a file").permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
        fs::set_permissions(&program, mode).expect("a mode is set");
        let figures = Figures::measure(&program).expect("a measurement");
        assert_eq!((figures.bytes, figures.version.as_str()), (17, dist::version()));
        assert!(Figures::measure(&folder.path().join("nothing")).is_err());
    }
}
