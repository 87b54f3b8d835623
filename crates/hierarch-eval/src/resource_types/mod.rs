//! Resource types that are not written in the Puppet language: their attributes, and what a title says.
//!
//! A compilation asks [`ResourceTypes`] for them; [`BuiltIn`] knows those that come with Puppet, [`ModuleTypes`] those of
//! modules as well.

mod declared;
mod modules;
mod ruby;
mod table;
mod tokens;

use std::sync::{Arc, LazyLock};

use hierarch_pcore::Str;
use hierarch_pcore::regex::Regexp;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where resource types are looked up.
pub trait ResourceTypes: Send + Sync {
    /// Finds a type by its name in lower case.
    fn find(&self, name: &str) -> Option<Arc<ResourceType>>;

    /// Returns what to take a type for that is not found anywhere; nothing if that is an error.
    fn assume(&self, name: &str) -> Option<Arc<ResourceType>> {
        let _ = name;
        None
    }
}

/// A resource type that is not written in the Puppet language.
#[derive(Clone, Debug)]
pub struct ResourceType {
    /// Its name in lower case.
    pub name: Str,
    /// The attributes that together tell its resources apart; most types have one.
    pub namevars: Vec<Str>,
    /// All attributes but the metaparameters.
    pub parameters: FxHashSet<Str>,
    /// Whether two resources may not manage the same thing.
    pub is_unique: bool,
    /// What a title says.
    pub titles: Titles,
    /// Whether there may be attributes that are not listed.
    pub is_open: bool,
    /// Whether a module brings it, possibly one that is packaged with Puppet.
    pub is_of_module: bool,
}

/// How attributes are read from a title.
#[derive(Clone, Debug)]
pub enum Titles {
    /// The whole title is the first name variable.
    Namevar,
    /// The title is a path; slashes at its end do not count.
    Path,
    /// `NAME@TYPE`, or a name alone.
    NameAtType,
    /// The first pattern that matches says it.
    Patterns(Arc<[TitlePattern]>),
}

/// A regular expression whose groups are attributes.
#[derive(Debug)]
pub struct TitlePattern {
    pattern: Regexp,
    names: Vec<Str>,
}

impl TitlePattern {
    /// Makes a pattern from the text and flags of a regular expression; nothing if it is none.
    fn new(source: &str, flags: &str, names: &[String]) -> Option<Self> {
        let flags: String = flags.chars().filter(|flag| matches!(flag, 'i' | 'm' | 'x')).collect();
        let source = if flags.is_empty() { source.to_owned() } else { format!("(?{flags}:{source})") };
        let names = names.iter().map(|name| name.as_str().into()).collect();
        Some(Self { pattern: Regexp::new(source).ok()?, names })
    }

    fn attributes(&self, title: &str) -> Option<Vec<(Str, Str)>> {
        let captures = self.pattern.captures(title).ok()??;
        let value = |group: usize| captures.text(title, group).unwrap_or_default().into();
        Some(self.names.iter().enumerate().map(|(index, name)| (name.clone(), value(index + 1))).collect())
    }
}

/// The attributes that every resource has.
pub const METAPARAMETERS: [&str; 11] = [
    "noop",
    "schedule",
    "audit",
    "loglevel",
    "alias",
    "tag",
    "require",
    "subscribe",
    "before",
    "notify",
    "stage",
];

/// The metaparameters that name other resources.
pub const RELATIONSHIPS: [&str; 4] = ["require", "subscribe", "before", "notify"];

impl ResourceType {
    /// Tells whether resources of this type may have an attribute.
    pub fn has_parameter(&self, name: &str) -> bool {
        self.is_open || name == "name" || METAPARAMETERS.contains(&name) || self.parameters.contains(name)
    }

    /// Tells whether a title says anything at all.
    pub fn accepts_title(&self, title: &str) -> bool {
        match &self.titles {
            Titles::Patterns(patterns) => patterns.iter().any(|pattern| pattern.attributes(title).is_some()),
            _ => true,
        }
    }

    /// Returns the attribute that `name` stands for.
    pub fn namevar(&self) -> &str {
        match &self.namevars[..] {
            [only] => only,
            _ => "name",
        }
    }

    /// Returns the attributes that a title gives.
    pub fn attributes_of_title(&self, title: &str) -> Vec<(Str, Str)> {
        let first = || self.namevars.first().cloned().unwrap_or_else(|| "name".into());
        match &self.titles {
            Titles::Patterns(patterns) => {
                patterns.iter().find_map(|pattern| pattern.attributes(title)).unwrap_or_default()
            }
            Titles::Namevar => vec![(first(), title.into())],
            Titles::Path => vec![(first(), path_of(title).into())],
            Titles::NameAtType => match title.split_once('@') {
                Some((name, kind)) => vec![("name".into(), name.into()), ("type".into(), kind.into())],
                None => vec![("name".into(), title.into())],
            },
        }
    }
}

fn path_of(title: &str) -> &str {
    let bare = title.trim_end_matches('/');
    if bare.is_empty() && !title.is_empty() {
        return "/";
    }
    // `c:/` is a root of its own.
    let is_root = bare.len() > 1 && bare.ends_with(':');
    title.get(..=bare.len()).filter(|_| is_root).unwrap_or(bare)
}

pub use modules::ModuleTypes;

/// The types that come with Puppet.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltIn;

impl ResourceTypes for BuiltIn {
    fn find(&self, name: &str) -> Option<Arc<ResourceType>> {
        static TYPES: LazyLock<FxHashMap<&str, Arc<ResourceType>>> =
            LazyLock::new(|| table::ROWS.iter().map(|row| (row.name, Arc::new(read(row)))).collect());
        TYPES.get(name).cloned()
    }
}

fn read(row: &table::Row) -> ResourceType {
    ResourceType {
        name: row.name.into(),
        namevars: row.namevars.split(' ').map(Str::from).collect(),
        parameters: row.parameters.split(' ').map(Str::from).collect(),
        is_unique: row.is_unique,
        titles: row.titles.clone(),
        is_open: false,
        is_of_module: row.is_of_module,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(kind: &str, title: &str) -> String {
        let kind = BuiltIn.find(kind).expect("the type is built in");
        let attributes = kind.attributes_of_title(title);
        attributes.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_title_gives_the_name() {
        assert_eq!(title("notify", "a b"), "name=a b");
        assert_eq!(title("exec", "ls -l"), "command=ls -l");
        assert_eq!(title("file", "/tmp/a//"), "path=/tmp/a");
        assert_eq!(title("file", "///"), "path=/");
        assert_eq!(title("sshkey", "host@rsa"), "name=host type=rsa");
    }

    #[test]
    fn a_type_knows_its_attributes() {
        let file = BuiltIn.find("file").expect("the type is built in");
        assert!(file.has_parameter("mode") && file.has_parameter("noop") && file.has_parameter("name"));
        assert!(!file.has_parameter("nope"));
        assert!(BuiltIn.find("nope").is_none());
    }
}
