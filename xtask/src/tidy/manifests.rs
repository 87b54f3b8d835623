//! Rules about manifests: who may depend on whom, lints everywhere, a reason for every dependency.

use std::fs;
use std::io;
use std::path::Path;

use super::Complaint;

/// A package's manifest.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// Its path, relative to the repository.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// Which of our crates each may depend on; `hierarch` joins them all. The picture is in ARCHITECTURE.md.
pub const MAY_DEPEND_ON: &[(&str, &[&str])] = &[
    ("hierarch-source", &[]),
    ("hierarch-bits", &[]),
    ("hierarch-yaml", &["hierarch-source", "hierarch-bits"]),
    ("hierarch-regex", &["hierarch-source"]),
    ("hierarch-syntax", &["hierarch-source", "hierarch-bits", "hierarch-regex"]),
    (
        "hierarch-pcore",
        &["hierarch-source", "hierarch-bits", "hierarch-yaml", "hierarch-regex", "hierarch-syntax"],
    ),
    ("hierarch-hiera", &["hierarch-source", "hierarch-bits", "hierarch-yaml", "hierarch-pcore"]),
    (
        "hierarch-eval",
        &["hierarch-source", "hierarch-bits", "hierarch-syntax", "hierarch-pcore", "hierarch-hiera"],
    ),
    (
        "hierarch-ruby",
        &[
            "hierarch-source",
            "hierarch-bits",
            "hierarch-regex",
            "hierarch-yaml",
            "hierarch-pcore",
            "hierarch-hiera",
            "hierarch-eval",
        ],
    ),
    (
        "hierarch-functions",
        &[
            "hierarch-source",
            "hierarch-bits",
            "hierarch-pcore",
            "hierarch-hiera",
            "hierarch-eval",
            "hierarch-ruby",
        ],
    ),
    ("hierarch-compose", &["hierarch-source", "hierarch-bits", "hierarch-yaml", "hierarch-pcore"]),
    (
        "hierarch-fleet",
        &[
            "hierarch-source",
            "hierarch-bits",
            "hierarch-yaml",
            "hierarch-syntax",
            "hierarch-pcore",
            "hierarch-hiera",
            "hierarch-eval",
            "hierarch-site",
        ],
    ),
    (
        "hierarch-store",
        &["hierarch-source", "hierarch-pcore", "hierarch-hiera", "hierarch-site", "hierarch-fleet"],
    ),
    (
        "hierarch-sql",
        &["hierarch-source", "hierarch-pcore", "hierarch-site", "hierarch-fleet", "hierarch-store"],
    ),
    (
        "hierarch-jobs",
        &["hierarch-source", "hierarch-pcore", "hierarch-hiera", "hierarch-site", "hierarch-fleet"],
    ),
    ("hierarch-git", &["hierarch-source"]),
    (
        "hierarch-serve",
        &[
            "hierarch-source",
            "hierarch-yaml",
            "hierarch-pcore",
            "hierarch-hiera",
            "hierarch-eval",
            "hierarch-functions",
            "hierarch-site",
            "hierarch-fleet",
        ],
    ),
    (
        "hierarch-site",
        &[
            "hierarch-source",
            "hierarch-yaml",
            "hierarch-syntax",
            "hierarch-pcore",
            "hierarch-hiera",
            "hierarch-eval",
            "hierarch-functions",
            "hierarch-compose",
        ],
    ),
];

/// Reads the manifests of all packages.
pub fn manifests(root: &Path) -> io::Result<Vec<Manifest>> {
    let mut paths = vec!["xtask/Cargo.toml".to_owned()];
    for entry in fs::read_dir(root.join("crates"))? {
        paths.push(format!("crates/{}/Cargo.toml", entry?.file_name().display()));
    }
    paths.sort();
    paths.into_iter().map(|path| Ok(Manifest { text: fs::read_to_string(root.join(&path))?, path })).collect()
}

impl Manifest {
    fn complaint(&self, line: usize, what: impl Into<String>) -> Complaint {
        Complaint { file: self.path.clone(), line, what: what.into() }
    }

    /// Returns the name of the folder it is in, which is the package's name.
    fn package(&self) -> &str {
        self.path.rsplit('/').nth(1).unwrap_or_default()
    }

    /// Returns the lines of a section with their numbers.
    fn section(&self, name: &str) -> impl Iterator<Item = (usize, &str)> {
        let header = format!("[{name}]");
        let lines = self.text.lines().enumerate().skip_while(move |(_, line)| line.trim() != header).skip(1);
        lines.take_while(|(_, line)| !line.starts_with('[')).map(|(index, line)| (index + 1, line))
    }
}

/// Crates depend in one direction.
pub fn dependency_direction(manifest: &Manifest) -> Vec<Complaint> {
    let package = manifest.package();
    let Some((_, allowed)) = MAY_DEPEND_ON.iter().find(|(name, _)| *name == package) else {
        let known = matches!(package, "hierarch" | "xtask");
        let what = "a crate that MAY_DEPEND_ON and ARCHITECTURE.md do not know";
        return if known { Vec::new() } else { vec![manifest.complaint(0, what)] };
    };
    let ours = manifest.section("dependencies").filter_map(|(line, text)| {
        let name = text.split(['.', '=', ' ']).next()?;
        name.starts_with("hierarch").then_some((line, name))
    });
    ours.filter(|(_, name)| !allowed.contains(name))
        .map(|(line, name)| manifest.complaint(line, format!("{package} must not depend on {name}")))
        .collect()
}

/// Every package takes part in the lints.
pub fn lints(manifest: &Manifest) -> Vec<Complaint> {
    let inherits = manifest.section("lints").any(|(_, line)| line.trim() == "workspace = true");
    // A forbidden lint cannot be lifted below, so the package with the unsafe module repeats them.
    let repeats = manifest.package() == "hierarch-yaml"
        && manifest.section("lints.rust").any(|(_, line)| line.trim() == "unsafe_code = \"deny\"");
    if inherits || repeats {
        return Vec::new();
    }
    vec![manifest.complaint(0, "no `[lints] workspace = true`")]
}

/// Every dependency from outside is justified in a line of the root manifest.
pub fn dependencies_have_reasons(root: &Manifest) -> Vec<Complaint> {
    let entries = root.section("workspace.dependencies").filter(|(_, line)| line.contains(" = "));
    entries
        .filter(|(_, line)| !line.contains("path = ") && !line.contains(" # "))
        .map(|(line, text)| root.complaint(line, format!("`{text}`: say what it is for, after `#`")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rule = fn(&Manifest) -> Vec<Complaint>;

    fn check(rule: Rule, path: &str, text: &str, lines: &[usize]) {
        let manifest = Manifest { path: path.to_owned(), text: text.to_owned() };
        let found: Vec<usize> = rule(&manifest).iter().map(|found| found.line).collect();
        assert_eq!(found, lines, "{path}: {text}");
    }

    #[test]
    fn a_dependency_against_the_direction_is_found() {
        let text = "[dependencies]\nhierarch-source.workspace = true\nhierarch-yaml = { path = \"x\" }\nmemchr = \"2\"\n";
        check(dependency_direction, "crates/hierarch-syntax/Cargo.toml", text, &[3]);
        check(dependency_direction, "crates/hierarch-compose/Cargo.toml", text, &[]);
        check(dependency_direction, "crates/hierarch/Cargo.toml", text, &[]);
        check(dependency_direction, "crates/hierarch-utils/Cargo.toml", text, &[0]);
    }

    #[test]
    fn a_package_without_lints_is_found() {
        check(lints, "crates/a/Cargo.toml", "[lints]\nworkspace = true\n", &[]);
        check(lints, "crates/a/Cargo.toml", "[package]\nname = \"a\"\n[lints]\n", &[0]);
        check(lints, "crates/a/Cargo.toml", "[lints.rust]\nunsafe_code = \"deny\"\n", &[0]);
        check(lints, "crates/hierarch-yaml/Cargo.toml", "[lints.rust]\nunsafe_code = \"deny\"\n", &[]);
    }

    #[test]
    fn a_dependency_without_a_reason_is_found() {
        let text =
            "[workspace.dependencies]\na = { path = \"a\" }\nb = \"1\" # counts\nc = \"1\"\n[other]\nd = 1\n";
        check(dependencies_have_reasons, "Cargo.toml", text, &[4]);
    }
}
