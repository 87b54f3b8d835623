//! Resource types that are not written in the Puppet language: their attributes, and what a title says.
//!
//! A compilation asks [`ResourceTypes`] for them; [`BuiltIn`] knows those that come with Puppet.

mod table;

use std::sync::{Arc, LazyLock};

use hierarch_pcore::Str;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where resource types are looked up.
pub trait ResourceTypes: Send + Sync {
    /// Finds a type by its name in lower case.
    fn find(&self, name: &str) -> Option<Arc<ResourceType>>;
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
}

/// How attributes are read from a title.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Titles {
    /// The whole title is the first name variable.
    Namevar,
    /// The title is a path; slashes at its end do not count.
    Path,
    /// `NAME@TYPE`, or a name alone.
    NameAtType,
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
        name == "name" || METAPARAMETERS.contains(&name) || self.parameters.contains(name)
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
        match self.titles {
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
    if bare.ends_with(':') { &title[..=bare.len()] } else { bare }
}

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
        titles: row.titles,
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
