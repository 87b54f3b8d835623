//! Laws of Ruby's classes: each line of `laws.txt` is true in Ruby, for all the values it goes through. A line that names a
//! method of which Hierarch has a part only shows what is missing.

use hierarch_ruby::ScriptLimits;
use hierarch_ruby::run::outcome;

/// Sections begin with `#`. All lines were run with Ruby 3.3.
const LAWS: &str = include_str!("laws.txt");

fn shown(code: &str) -> String {
    outcome(code, ScriptLimits::default()).unwrap_or_else(|failure| failure.to_string())
}

#[test]
fn laws_of_ruby_hold() {
    let laws = LAWS.lines().filter(|line| !line.starts_with('#'));
    let wrong: Vec<String> = laws
        .filter_map(|law| {
            let got = shown(law);
            (got != "true").then(|| format!("{law}\n  {got}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} laws do not hold:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_law_can_be_broken() {
    // The judge itself: what is not `true` is seen, whatever it is instead.
    assert_eq!(shown("1 == 2"), "false");
    assert_eq!(shown("nil"), "nil");
    assert_eq!(shown("raise ArgumentError, 'x'"), "ArgumentError: x");
    assert_eq!(shown("[1, 2].sum == 3"), "true");
}
