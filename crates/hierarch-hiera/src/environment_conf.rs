//! The environment.conf of an environment: its settings, with `$name` filled in as Puppet does.

use std::sync::Arc;

use hierarch_source::{Error, Files, Result, Source, Span};

use crate::{issues, path};

/// So many names a pattern in a modulepath may look at.
const STEPS: u64 = 100_000;

/// The settings of an environment.
#[derive(Debug, Default)]
pub struct EnvironmentConf {
    folder: String,
    name: String,
    settings: Vec<(String, String)>,
    /// Why it cannot be read.
    pub(crate) problem: Option<Error>,
}

impl EnvironmentConf {
    /// Reads the file of an environment in a folder; one that is not there has no settings.
    pub fn load(files: &dyn Files, name: &str, folder: &str) -> Self {
        let file = path::join(folder, "environment.conf");
        let mut conf = Self { folder: folder.to_owned(), name: name.to_owned(), ..Self::default() };
        let read = path::read_if_there(files, &file);
        let read = read.and_then(|bytes| parse(&Source::new(&file, String::from_utf8_lossy(&bytes))));
        match read {
            Ok(settings) => conf.settings = settings,
            Err(problem) => conf.problem = Some(problem),
        }
        conf
    }

    /// Returns a setting with everything filled in. Of several the first counts.
    pub fn get(&self, name: &str) -> Option<String> {
        let (_, value) = self.settings.iter().find(|(known, _)| known == name)?;
        Some(self.filled(value))
    }

    /// Returns the file or folder of the manifests.
    pub fn manifest(&self) -> String {
        let given = self.get("manifest").unwrap_or_else(|| "manifests".to_owned());
        path::join(&self.folder, given.trim_end_matches('/'))
    }

    /// Returns the folders that modules are in. What has a `*` in it stands for all that fits.
    pub(crate) fn modulepath(&self, files: &dyn Files, base: &[String]) -> Vec<String> {
        let own = self.settings.iter().find(|(known, _)| known == "modulepath");
        let own = own.map_or("modules:$basemodulepath", |(_, value)| value.as_str());
        let mut folders = Vec::new();
        for part in own.split(':').map(str::trim).filter(|part| !part.is_empty()) {
            if part == "$basemodulepath" {
                folders.extend_from_slice(base);
                continue;
            }
            let folder = path::join(&self.folder, self.filled(part).trim_end_matches('/'));
            if folder.contains(['*', '?', '[', '{']) {
                let mut steps = STEPS;
                folders.extend(crate::glob::glob_all(files, &folder, &mut steps).unwrap_or_default());
            } else {
                folders.push(folder);
            }
        }
        folders
    }

    /// Fills in the settings that follow from where the environment is.
    fn filled(&self, text: &str) -> String {
        let above = path::parent(&self.folder);
        let known = [
            ("$environmentpath", above),
            ("$environment", self.name.as_str()),
            ("$codedir", path::parent(above)),
        ];
        known.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    }
}

/// Reads `name = value` lines. Only those before any section, and those of `[main]`, are the environment's.
fn parse(file: &Arc<Source>) -> Result<Vec<(String, String)>> {
    let mut settings = Vec::new();
    let mut is_own = true;
    let text = file.text();
    for line in text.lines() {
        let plain = line.trim();
        if plain.is_empty() || plain.starts_with('#') {
            continue;
        }
        if let Some(section) = plain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            is_own = section.trim() == "main";
            continue;
        }
        let Some((name, value)) = plain.split_once('=').filter(|(name, _)| is_name(name.trim())) else {
            return Err(issues::unmatched_line(line, file, span_in(text, line)));
        };
        if is_own {
            settings.push((name.trim().to_owned(), unquoted(value.trim()).to_owned()));
        }
    }
    Ok(settings)
}

/// Returns where a part of a text stands in it.
fn span_in(text: &str, part: &str) -> Span {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    let whole = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(whole(start), whole(start + part.len()))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns a text without the quotes around it.
pub(crate) fn unquoted(text: &str) -> &str {
    let inside = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('\'').or_else(|| inside('"')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use super::*;

    /// What Puppet 8 makes of it in `/c/environments/production`, asked; `!` is the error.
    const ASKED: &[(&str, &str, &str)] = &[
        ("", "E/modules:/base/one:/base/two", "E/manifests"),
        ("modulepath = site:modules", "E/site:E/modules", "E/manifests"),
        ("modulepath=$basemodulepath:site\n", "/base/one:/base/two:E/site", "E/manifests"),
        ("modulepath = '/abs/x:site'", "/abs/x:E/site", "E/manifests"),
        ("modulepath = site # comment", "E/site # comment", "E/manifests"),
        ("modulepath = site:$codedir/m", "E/site:/c/m", "E/manifests"),
        ("modulepath = a\nmodulepath = b", "E/a", "E/manifests"),
        ("modulepath =", "", "E/manifests"),
        ("[main]\nmodulepath = site", "E/site", "E/manifests"),
        ("  modulepath   =   site  ", "E/site", "E/manifests"),
        ("modulepath = ./site:modules/", "E/site:E/modules", "E/manifests"),
        ("modulepath = site:site:modules", "E/site:E/site:E/modules", "E/manifests"),
        ("modulepath = $environmentpath/shared:modules", "/c/environments/shared:E/modules", "E/manifests"),
        ("modulepath = m*", "E/manifests:E/modules", "E/manifests"),
        ("modulepath = site,modules", "E/site,modules", "E/manifests"),
        ("manifest = site.pp", "E/modules:/base/one:/base/two", "E/site.pp"),
        ("manifest = manifests/", "E/modules:/base/one:/base/two", "E/manifests"),
        ("manifest = /abs/site.pp", "E/modules:/base/one:/base/two", "/abs/site.pp"),
        ("manifest = $codedir/site.pp", "E/modules:/base/one:/base/two", "/c/site.pp"),
        ("manifest = ../x.pp", "E/modules:/base/one:/base/two", "/c/environments/x.pp"),
        ("manifest =", "E/modules:/base/one:/base/two", "E"),
        ("modulepath = a:\n   b", "!Could not match line    b (file: E/environment.conf, line: 2)", ""),
        (
            "modulepath: site",
            "!Could not match line modulepath: site (file: E/environment.conf, line: 1)",
            "",
        ),
        ("garbage line", "!Could not match line garbage line (file: E/environment.conf, line: 1)", ""),
    ];

    #[test]
    fn settings_are_read_as_puppet_reads_them() {
        const E: &str = "/c/environments/production";
        for &(text, modulepath, manifest) in ASKED {
            let files = MemoryFiles::from([
                (format!("{E}/environment.conf"), text),
                (format!("{E}/modules/a/x"), ""),
                (format!("{E}/manifests/x"), ""),
            ]);
            let conf = EnvironmentConf::load(&files, "production", E);
            if let Some(error) = modulepath.strip_prefix('!') {
                let problem = conf.problem.map(|problem| problem.to_string().replace(E, "E"));
                assert_eq!(problem.as_deref(), Some(error), "{text:?}");
                continue;
            }
            let base = ["/base/one".to_owned(), "/base/two".to_owned()];
            let folders = conf.modulepath(&files, &base).join(":").replace(E, "E");
            assert_eq!(
                (folders.as_str(), conf.manifest().replace(E, "E").as_str()),
                (modulepath, manifest),
                "{text:?}"
            );
        }
    }
}
