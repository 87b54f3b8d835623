//! Environments on disk: environment.conf, modulepath, and the control repository around the current folder.

use hierarch_source::Files;

pub use crate::environment_conf::EnvironmentConf;
use crate::environment_conf::unquoted;
use crate::layers::EnvironmentFolder;
use crate::locate::is_file_there;

impl EnvironmentFolder {
    /// Reads an environment from its folder. Modules are in its own `modules`, then in the base folders,
    /// unless its environment.conf says otherwise.
    pub fn load(files: &dyn Files, name: &str, folder: &str, basemodulepath: &[String]) -> Self {
        let conf = EnvironmentConf::load(files, name, folder);
        Self {
            name: name.to_owned(),
            path: Some(folder.to_owned()),
            modulepath: conf.modulepath(files, basemodulepath),
            data_provider: conf.get("environment_data_provider"),
            problem: conf.problem,
        }
    }
}

/// Finds `name = value` in a file of settings. Quotes around the value go.
pub fn setting(text: &str, name: &str) -> Option<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.split_once('='));
    pairs
        .filter(|(key, _)| key.trim() == name)
        .map(|(_, value)| unquoted(value.trim()).to_owned())
        .next_back()
}

/// Finds the control repository that a folder is in: the nearest folder upwards with a hiera.yaml or an
/// environment.conf, unless that is a module of another one.
pub fn control_repository(files: &dyn Files, start: &str) -> Option<String> {
    let nearest = nearest(files, start)?;
    owner_of(files, &nearest).or(Some(nearest))
}

/// Returns the module that a folder is in, if its hiera.yaml could be mistaken for that of a control repository.
pub fn module_around(files: &dyn Files, start: &str) -> Option<String> {
    nearest(files, start).filter(|folder| owner_of(files, folder).is_some())
}

/// Finds the control repository that has a folder as one of its modules.
fn owner_of(files: &dyn Files, module: &str) -> Option<String> {
    let modules = module.rsplit_once('/')?.0;
    let mut above = nearest(files, modules)?;
    loop {
        let environment = EnvironmentFolder::load(files, "production", &above, &[]);
        if environment.modulepath.iter().any(|folder| folder.trim_end_matches('/') == modules) {
            return Some(control_repository(files, &above).unwrap_or(above));
        }
        above = nearest(files, above.rsplit_once('/')?.0)?;
    }
}

/// Lists the control repositories right below a folder, or below its `environments`; `production` is the first.
pub fn control_repositories_below(files: &dyn Files, folder: &str) -> Vec<String> {
    let below = |folder: String| {
        let mut names = files.list(std::path::Path::new(&folder)).unwrap_or_default();
        names.sort_by_key(|name| (name != "production", name.clone()));
        let found = names.into_iter().map(move |name| format!("{folder}/{name}"));
        found.filter(|folder| is_repository(files, folder)).collect::<Vec<_>>()
    };
    let environments = below(format!("{folder}/environments"));
    if environments.is_empty() { below(folder.to_owned()) } else { environments }
}

fn is_repository(files: &dyn Files, folder: &str) -> bool {
    ["hiera.yaml", "environment.conf"].iter().any(|name| is_file_there(files, &format!("{folder}/{name}")))
}

fn nearest(files: &dyn Files, start: &str) -> Option<String> {
    let mut folder = start.trim_end_matches('/');
    loop {
        if is_repository(files, folder) {
            return Some(if folder.is_empty() { "/".to_owned() } else { folder.to_owned() });
        }
        folder = folder.rsplit_once('/')?.0;
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use super::*;

    #[test]
    fn repositories_below_a_folder_are_found() {
        let mut files = MemoryFiles::default();
        for path in [
            "/a/environments/dev/hiera.yaml",
            "/a/environments/production/environment.conf",
            "/a/other/hiera.yaml",
        ] {
            files.insert(path, "");
        }
        let below = |folder: &str| control_repositories_below(&files, folder);
        assert_eq!(below("/a"), ["/a/environments/production", "/a/environments/dev"]);
        assert_eq!(below("/a/environments"), ["/a/environments/production", "/a/environments/dev"]);
        assert_eq!(below("/a/other"), [""; 0]);
        assert_eq!(below("/nowhere"), [""; 0]);
    }

    #[test]
    fn a_module_belongs_to_the_repository_around_it() {
        let files = MemoryFiles::from([
            ("/r/environment.conf", "modulepath = 'site:modules'\n"),
            ("/r/hiera.yaml", ""),
            ("/r/site/profile/hiera.yaml", ""),
            ("/r/modules/ntp/hiera.yaml", ""),
            ("/r/other/thing/hiera.yaml", ""),
        ]);
        for (start, expected) in [
            ("/r/data", "/r"),
            ("/r/site/profile/manifests", "/r"),
            ("/r/modules/ntp", "/r"),
            ("/r/other/thing", "/r/other/thing"),
        ] {
            assert_eq!(control_repository(&files, start).as_deref(), Some(expected), "{start}");
        }
        assert_eq!(module_around(&files, "/r/modules/ntp/data").as_deref(), Some("/r/modules/ntp"));
        assert_eq!(module_around(&files, "/r/data"), None);
    }
}
