//! What `--version` prints: the number, the commit it was built from, and the features that are in it.

use std::sync::OnceLock;

/// Returns `0.4.0 (1a2b3c4 2027-01-10; eyaml fetch git)`; a build outside of a release does not know its commit.
pub(crate) fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| rendered(option_env!("HIERARCH_COMMIT"), env!("HIERARCH_FEATURES")))
}

fn rendered(commit: Option<&str>, features: &str) -> String {
    let commit =
        commit.map(str::trim).filter(|commit| !commit.is_empty()).map(|commit| format!("{commit}; "));
    format!("{} ({}{features})", env!("CARGO_PKG_VERSION"), commit.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_names_commit_and_features() {
        let number = env!("CARGO_PKG_VERSION");
        let shown = rendered(Some("1a2b3c4 2027-01-10"), "eyaml serve");
        assert_eq!(shown, format!("{number} (1a2b3c4 2027-01-10; eyaml serve)"));
        assert_eq!(rendered(None, "git"), format!("{number} (git)"));
    }

    #[test]
    fn the_features_of_this_build_are_named() {
        for (name, has) in [("git", cfg!(feature = "git")), ("eyaml", cfg!(feature = "eyaml"))] {
            assert_eq!(text().contains(name), has, "{}", text());
        }
    }
}
