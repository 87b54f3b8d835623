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

fn nearest(files: &dyn Files, start: &str) -> Option<String> {
    let mut folder = start.trim_end_matches('/');
    loop {
        let has = |name: &str| is_file_there(files, &format!("{folder}/{name}"));
        if has("hiera.yaml") || has("environment.conf") {
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
