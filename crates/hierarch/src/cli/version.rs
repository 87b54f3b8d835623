//! What `--version` prints: the number, the commit it was built from, and the features that are in it.

use std::sync::OnceLock;

/// The features that a build may have or lack.
const FEATURES: &[(&str, bool)] = &[
    ("clone", cfg!(feature = "clone")),
    ("eyaml", cfg!(feature = "eyaml")),
    ("fetch", cfg!(feature = "fetch")),
    ("git", cfg!(feature = "git")),
    ("postgres", cfg!(feature = "postgres")),
    ("store", cfg!(feature = "store")),
];

/// Returns `0.4.0 (1a2b3c4 2027-01-10; eyaml fetch git)`; a build outside of a release does not know its commit.
pub(crate) fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| rendered(option_env!("HIERARCH_COMMIT"), FEATURES))
}

fn rendered(commit: Option<&str>, features: &[(&str, bool)]) -> String {
    let features: Vec<&str> = features.iter().filter(|(_, has)| *has).map(|(name, _)| *name).collect();
    let commit =
        commit.map(str::trim).filter(|commit| !commit.is_empty()).map(|commit| format!("{commit}; "));
    format!("{} ({}{})", env!("CARGO_PKG_VERSION"), commit.unwrap_or_default(), features.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_names_commit_and_features() {
        let features = [("eyaml", true), ("git", false), ("serve", true)];
        let number = env!("CARGO_PKG_VERSION");
        assert_eq!(
            rendered(Some("1a2b3c4 2027-01-10"), &features),
            format!("{number} (1a2b3c4 2027-01-10; eyaml serve)")
        );
        assert_eq!(rendered(None, &features), format!("{number} (eyaml serve)"));
    }
}
