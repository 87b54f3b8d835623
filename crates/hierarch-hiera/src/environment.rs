//! Environments on disk: environment.conf, modulepath, and the control repository around the current folder.

use hierarch_source::Files;

use crate::layers::Environment;
use crate::path;

impl Environment {
    /// Reads an environment from its folder. Modules are in its own `modules`, then in the base folders,
    /// unless its environment.conf says otherwise.
    pub fn load(files: &dyn Files, name: &str, folder: &str, basemodulepath: &[String]) -> Self {
        let bytes = files.read(path::join(folder, "environment.conf").as_ref()).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let own = setting(&text, "modulepath").unwrap_or_else(|| "modules:$basemodulepath".to_owned());
        let mut modulepath = Vec::new();
        for part in own.split(':').map(str::trim).filter(|part| !part.is_empty()) {
            match part {
                "$basemodulepath" => modulepath.extend_from_slice(basemodulepath),
                part => modulepath.push(path::join(folder, &part.replace("$environment", name))),
            }
        }
        Self {
            name: name.to_owned(),
            path: Some(folder.to_owned()),
            modulepath,
            data_provider: setting(&text, "environment_data_provider"),
        }
    }
}

/// Finds `name = value` in a file of settings.
pub fn setting(text: &str, name: &str) -> Option<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.split_once('='));
    pairs.filter(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned()).next_back()
}

/// Finds the control repository that a folder is in: the nearest folder upwards with a hiera.yaml or an
/// environment.conf.
pub fn control_repository(files: &dyn Files, start: &str) -> Option<String> {
    let mut folder = start.trim_end_matches('/');
    loop {
        let has = |name: &str| files.is_file(format!("{folder}/{name}").as_ref());
        if has("hiera.yaml") || has("environment.conf") {
            return Some(if folder.is_empty() { "/".to_owned() } else { folder.to_owned() });
        }
        folder = folder.rsplit_once('/')?.0;
    }
}
