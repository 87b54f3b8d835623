//! The settings of an installed Puppet: its puppet.conf, or what its packages assume without one.

use std::path::Path;

use hierarch_hiera::Strict;
use hierarch_hiera::environment::setting;
use hierarch_source::Files;

use crate::settings::Settings;

/// Where the packages of Puppet's makers keep its settings.
const PUPPETLABS: &str = "/etc/puppetlabs/puppet";

/// Where Debian's packages do.
const DEBIANS: &str = "/etc/puppet";

/// A puppet.conf and the folder it is in.
#[derive(Clone, Debug)]
pub struct PuppetConf {
    folder: String,
    text: String,
}

impl PuppetConf {
    /// Reads the settings in a folder; there may be none.
    pub fn read(files: &dyn Files, folder: &str) -> Self {
        let bytes = files.read(&Path::new(folder).join("puppet.conf")).unwrap_or_default();
        let text = String::from_utf8(bytes).unwrap_or_default();
        Self { folder: folder.to_owned(), text }
    }

    /// Reads the settings in a file of any name; there may be none.
    pub fn read_file(files: &dyn Files, file: &Path) -> Self {
        let text = String::from_utf8(files.read(file).unwrap_or_default()).unwrap_or_default();
        let folder = file.parent().map_or_else(|| ".".to_owned(), |folder| folder.display().to_string());
        Self { folder, text }
    }

    /// Finds the settings of an installed Puppet: those of a person, if a home is given, go before those of the machine.
    pub fn find(files: &dyn Files, home: Option<&str>) -> Self {
        let own = home.map(|home| format!("{home}/.puppetlabs/etc/puppet"));
        let folders = own.as_deref().into_iter().chain([DEBIANS, PUPPETLABS]);
        let has_settings = |folder: &&str| files.is_file(&Path::new(folder).join("puppet.conf"));
        let folder = folders.into_iter().find(has_settings).unwrap_or(PUPPETLABS);
        Self::read(files, folder)
    }

    /// Returns a setting.
    pub fn get(&self, name: &str) -> Option<String> {
        setting(&self.text, name)
    }

    /// Returns where the code is.
    fn codedir(&self) -> String {
        let usual = if self.folder == DEBIANS { "/etc/puppet/code" } else { "/etc/puppetlabs/code" };
        self.get("codedir").unwrap_or_else(|| usual.to_owned())
    }

    /// Returns the folder that environments are in.
    pub fn environmentpath(&self, codedir: &str) -> String {
        self.get("environmentpath").unwrap_or_else(|| format!("{codedir}/environments"))
    }

    /// Returns all settings; the code is in another folder, if one is given.
    pub fn settings(&self, codedir: Option<String>) -> Settings {
        let codedir = codedir.unwrap_or_else(|| self.codedir());
        let base = self.get("basemodulepath").unwrap_or_else(|| format!("{codedir}/modules"));
        let usual = Settings::default();
        Settings {
            environment: self.get("environment").unwrap_or(usual.environment),
            strict: self.get("strict").as_deref().and_then(Strict::parse).unwrap_or_default(),
            basemodulepath: base.split(':').filter(|part| !part.is_empty()).map(str::to_owned).collect(),
            hiera_config: self.get("hiera_config").unwrap_or_else(|| format!("{}/hiera.yaml", self.folder)),
            codedir,
            ..usual
        }
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use super::*;

    #[test]
    fn settings_of_a_person_go_before_those_of_the_machine() {
        let files = MemoryFiles::from([
            ("/etc/puppet/puppet.conf", "[main]\nstrict = off\n"),
            ("/home/me/.puppetlabs/etc/puppet/puppet.conf", "[main]\nstrict = warning\n# environment = no\n"),
        ]);
        assert_eq!(PuppetConf::find(&files, Some("/home/me")).settings(None).strict, Strict::Warning);
        let machine = PuppetConf::find(&files, None).settings(None);
        assert_eq!((machine.strict, machine.codedir.as_str()), (Strict::Off, "/etc/puppet/code"));
        assert_eq!(machine.basemodulepath, ["/etc/puppet/code/modules"]);
        assert_eq!(
            (machine.environment.as_str(), machine.hiera_config.as_str()),
            ("production", "/etc/puppet/hiera.yaml")
        );
    }

    #[test]
    fn without_puppet_its_defaults_hold() {
        let conf = PuppetConf::find(&MemoryFiles::default(), None);
        let settings = conf.settings(Some("/code".to_owned()));
        assert_eq!(settings.basemodulepath, ["/code/modules"]);
        assert_eq!(settings.hiera_config, "/etc/puppetlabs/puppet/hiera.yaml");
        assert_eq!(conf.environmentpath(&settings.codedir), "/code/environments");
    }
}
