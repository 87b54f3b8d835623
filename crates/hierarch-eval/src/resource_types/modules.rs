//! Resource types of an environment and of the modules on its modulepath.
//!
//! A type of the name `example` is described by `.resource_types/example.pp` of the environment, which `puppet generate
//! types` writes, or by `lib/puppet/type/example.rb` of a module, which is read, not run.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hierarch_source::Files;
use rustc_hash::FxHashMap;

use super::declared::read_generated;
use super::ruby::{DeclaredType, read_ruby};
use super::{BuiltIn, ResourceType, ResourceTypes, TitlePattern, Titles};

/// The types that come with Puppet, and those of an environment and its modules.
pub struct ModuleTypes {
    files: Arc<dyn Files>,
    environment: Option<PathBuf>,
    modulepath: Vec<PathBuf>,
    strict: bool,
    known: Mutex<FxHashMap<String, Option<Arc<ResourceType>>>>,
    /// The folders `lib/puppet` of the modules that describe a type, by its name; listed once.
    libraries: OnceLock<FxHashMap<String, Vec<PathBuf>>>,
}

impl ModuleTypes {
    /// Makes the types of the modules in some folders.
    pub fn new(files: Arc<dyn Files>, modulepath: Vec<PathBuf>) -> Self {
        Self {
            files,
            environment: None,
            modulepath,
            strict: false,
            known: Mutex::default(),
            libraries: OnceLock::new(),
        }
    }

    /// Sets the folder of the environment, in which generated descriptions may be.
    #[must_use]
    pub fn in_environment(mut self, folder: PathBuf) -> Self {
        self.environment = Some(folder);
        self
    }

    /// Refuses types that nobody describes, as Puppet does.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    fn load(&self, name: &str) -> Option<ResourceType> {
        self.generated(name).or_else(|| self.of_module(name))
    }

    fn generated(&self, name: &str) -> Option<ResourceType> {
        let folder = self.environment.as_ref()?.join(".resource_types");
        let declared = read_generated(&self.text(&folder.join(format!("{name}.pp")))?)?;
        Some(resource_type(name, declared))
    }

    fn of_module(&self, name: &str) -> Option<ResourceType> {
        let libraries = self.libraries.get_or_init(|| self.list_libraries()).get(name)?;
        libraries.iter().find_map(|library| {
            let mut declared = read_ruby(&self.text(&library.join(format!("type/{name}.rb")))?)?;
            if self.files.is_folder(&library.join("provider").join(name)) {
                declared.declare("provider", false);
            }
            Some(resource_type(name, declared))
        })
    }

    fn list_libraries(&self) -> FxHashMap<String, Vec<PathBuf>> {
        let mut libraries: FxHashMap<String, Vec<PathBuf>> = FxHashMap::default();
        for library in self.modules().map(|module| module.join("lib/puppet")) {
            for file in self.files.list(&library.join("type")).unwrap_or_default() {
                if let Some(name) = file.strip_suffix(".rb") {
                    libraries.entry(name.to_owned()).or_default().push(library.clone());
                }
            }
        }
        libraries
    }

    fn modules(&self) -> impl Iterator<Item = PathBuf> {
        self.modulepath.iter().flat_map(|folder| {
            let names = self.files.list(folder).unwrap_or_default();
            names.into_iter().map(move |name| folder.join(name))
        })
    }

    fn text(&self, path: &Path) -> Option<String> {
        let bytes = self.files.read(path).ok()?;
        // Only names matter, and they are plain; what is not UTF-8 stands in comments.
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl ResourceTypes for ModuleTypes {
    fn find(&self, name: &str) -> Option<Arc<ResourceType>> {
        let built_in = BuiltIn.find(name);
        if built_in.as_ref().is_some_and(|known| !known.is_of_module) {
            return built_in;
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.entry(name.to_owned()).or_insert_with(|| self.load(name).map(Arc::new));
        found.clone().or(built_in)
    }

    fn assume(&self, name: &str) -> Option<Arc<ResourceType>> {
        let open = || DeclaredType { open: true, ..DeclaredType::default() }.settled();
        (!self.strict).then(|| Arc::new(resource_type(name, open())))
    }
}

fn resource_type(name: &str, declared: DeclaredType) -> ResourceType {
    let patterns: Vec<TitlePattern> = declared
        .patterns
        .iter()
        .filter_map(|(source, flags, names)| TitlePattern::new(source, flags, names))
        .collect();
    ResourceType {
        name: name.into(),
        namevars: declared.namevars.iter().map(|name| name.as_str().into()).collect(),
        parameters: declared.attributes.iter().map(|name| name.as_str().into()).collect(),
        is_unique: !declared.shared,
        // A pattern that cannot be had makes the others worthless: the first that matches counts.
        titles: if patterns.is_empty() || patterns.len() < declared.patterns.len() {
            Titles::Namevar
        } else {
            Titles::Patterns(patterns.into())
        },
        is_open: declared.open,
        is_of_module: true,
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use super::*;

    fn types() -> ModuleTypes {
        let files = MemoryFiles::from([
            ("modules/a/lib/puppet/type/thing.rb", "Puppet::Type.newtype(:thing) do newparam(:name) end"),
            ("modules/a/lib/puppet/provider/thing/ruby.rb", ""),
            ("modules/b/lib/puppet/type/file.rb", "Puppet::Type.newtype(:file) do newparam(:odd) end"),
            ("modules/b/lib/puppet/type/cron.rb", "Puppet::Type.newtype(:cron) do newparam(:newer) end"),
            (
                "modules/b/lib/puppet/type/pair.rb",
                "Puppet::Type.newtype(:pair) do newparam(:a, namevar: true)\nnewparam(:b, namevar: true)\n\
                 def self.title_patterns() [[/^(\\w+)-(\\w+)$/, [[:a], [:b]]]] end end",
            ),
            (
                "env/.resource_types/made.pp",
                "Puppet::Resource::ResourceType3.new('made', [], [Puppet::Resource::Param(Any, 'x', true)], {}, true, false)",
            ),
        ]);
        ModuleTypes::new(Arc::new(files), vec!["modules".into()]).in_environment("env".into())
    }

    #[test]
    fn types_of_modules_are_found_with_their_providers() {
        let thing = types().find("thing").expect("a type");
        assert!(
            thing.has_parameter("name") && thing.has_parameter("provider") && !thing.has_parameter("nope")
        );
        assert_eq!(types().find("made").expect("a type").namevar(), "x");
        assert!(types().find("nothing").is_none());
    }

    #[test]
    fn a_module_may_renew_a_packaged_type_but_not_one_of_puppets_own() {
        assert!(types().find("cron").expect("a type").has_parameter("newer"));
        assert!(!types().find("file").expect("a type").has_parameter("odd"));
    }

    #[test]
    fn patterns_take_titles_apart() {
        let pair = types().find("pair").expect("a type");
        let attributes = pair.attributes_of_title("x-y");
        assert_eq!(attributes, [("a".into(), "x".into()), ("b".into(), "y".into())]);
        assert!(pair.accepts_title("x-y") && !pair.accepts_title("x"));
    }

    #[test]
    fn a_type_that_nobody_describes_is_open_unless_types_are_strict() {
        assert!(types().assume("nothing").expect("a type").has_parameter("whatever"));
        assert!(types().strict(true).assume("nothing").is_none());
    }
}
