//! Setting a key for a node: which file, what text, and the proof that it does what was asked.
//!
//! Everything happens in memory. The plan says what to write; whoever saves it checks that the file is still the one
//! that was read.

pub(crate) mod choose;
mod file;
mod text;
mod value;

use std::path::{Path, PathBuf};

use hierarch_hiera::origin::Leaf;
use hierarch_hiera::{DataPlace, Key};
use hierarch_pcore::Value;
use hierarch_source::{Overlay, Result};

pub use self::file::{FileEdit, FilePlan};
use self::text::WantedValue;
use crate::issues;
use crate::node::Node;
use crate::site::Site;

/// What shall be set.
#[derive(Clone, Debug, Default)]
pub struct KeyEdit {
    /// The key: `a.b.0` leads into its value.
    pub key: String,
    /// The value, as it is typed.
    pub value: String,
    /// The value is a text as it stands, not YAML.
    pub is_verbatim: bool,
    /// The value is encrypted, whatever stood there.
    pub encrypts: bool,
    /// The level to write to.
    pub level: Option<String>,
    /// The file to write to.
    pub into: Option<PathBuf>,
    /// The public key for levels that name none.
    pub public_key: Option<PathBuf>,
}

impl KeyEdit {
    /// Tells whether the user has chosen the place.
    fn names_place(&self) -> bool {
        self.level.is_some() || self.into.is_some()
    }
}

/// A change that was proved: written, it gives the node the new value and changes no other key.
#[derive(Clone, Debug)]
pub struct SetPlan {
    /// The file.
    pub path: PathBuf,
    /// Its level.
    pub level: String,
    /// What was read; none if there is no such file.
    pub old: Option<String>,
    /// What shall be there.
    pub new: String,
    /// What the user should know.
    pub warnings: Vec<String>,
}

impl Node {
    /// Tells whether lookups of a key may read a file for this node.
    pub fn reads_file(&self, key: &str, path: &Path) -> bool {
        let Ok(key) = Key::new(key) else { return false };
        let places = self.asking(|lookups| lookups.session().places(&key)).0;
        places.is_ok_and(|places| places.iter().any(|place| Path::new(&place.path) == path))
    }
}

impl Site {
    /// Plans to set a key for a node. Nothing is written.
    pub fn plan_set(&self, node: &Node, edit: &KeyEdit) -> Result<SetPlan> {
        let key = Key::new(&edit.key)?;
        let places = node.asking(|lookups| lookups.session().places(&key)).0?;
        let place = choose::place(&**self.files(), &places, edit)?;
        let path = PathBuf::from(&place.path);
        let old = self.read_old(place, &path)?;
        let wanted = self.wanted(edit, &key, place, old.as_deref())?;
        let new = text::changed(&path, old.as_deref().unwrap_or(""), &key, &wanted)?;
        let mut plan =
            SetPlan { path, level: place.level.clone(), old, new, warnings: wanted.warnings(edit, place) };
        self.prove(node, edit, &key, &wanted, (&places, place), &mut plan)?;
        Ok(plan)
    }

    fn read_old(&self, place: &DataPlace, path: &Path) -> Result<Option<String>> {
        if !place.exists {
            return Ok(None);
        }
        let bytes = self.files().read(path).map_err(|error| issues::unreadable(path, &error))?;
        let source = hierarch_source::Source::from_bytes(place.path.clone(), bytes)?;
        Ok(Some(source.text().to_owned()))
    }

    fn wanted(&self, edit: &KeyEdit, key: &Key, place: &DataPlace, old: Option<&str>) -> Result<WantedValue> {
        let was_encrypted = text::is_encrypted(Path::new(&place.path), old.unwrap_or(""), key)?;
        if !(was_encrypted || edit.encrypts) || edit.value.contains("ENC[") {
            return Ok(WantedValue::plain(value::read(edit)?));
        }
        if place.function != choose::EYAML {
            return Err(issues::not_an_eyaml_level(&place.level));
        }
        if !edit.is_verbatim && value::is_collection(&edit.value) {
            return Err(issues::only_texts_are_encrypted(&edit.key));
        }
        let public = self.public_key(edit, place)?;
        // Nobody would see what YAML makes of a secret: it is the text as it was given.
        WantedValue::encrypted(&public, edit.value.clone())
    }

    fn public_key(&self, edit: &KeyEdit, place: &DataPlace) -> Result<String> {
        let option = |name: &str| place.options.get_str(name).and_then(Value::as_str).map(str::to_owned);
        if let Some(name) = option("pkcs7_public_key_env_var") {
            let variable = self.settings().variables.get(&name).cloned();
            return variable.ok_or_else(|| issues::no_public_key(&format!("env {name} is not set")));
        }
        let file = option("pkcs7_public_key").map(PathBuf::from).or_else(|| edit.public_key.clone());
        let file = file.ok_or_else(|| issues::no_public_key("the level names none"))?;
        let below = self.environment().folder().map(|folder| folder.join(&file));
        let bytes = self.files().read(&file);
        // As with the private key: a relative path may lead there from the repository.
        let bytes = bytes.or_else(|error| below.map_or(Err(error), |file| self.files().read(&file)));
        let bytes = bytes.map_err(|error| issues::no_public_key(&format!("{}: {error}", file.display())))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Looks the key up as if the change were made.
    fn prove(
        &self,
        node: &Node,
        edit: &KeyEdit,
        key: &Key,
        wanted: &WantedValue,
        (places, place): (&[DataPlace], &DataPlace),
        plan: &mut SetPlan,
    ) -> Result<()> {
        let answer = self.answer_over(node, &edit.key, plan, &plan.new);
        if matches!(&answer, Ok((value, false)) if !wanted.has_tokens() && wanted.is_part_of(value)) {
            plan.warnings.push(issues::merged_with_others(&edit.key));
        }
        let is_effective = match (&answer, wanted.has_tokens()) {
            (Ok((value, _)), false) if wanted.is_in(value) => true,
            (Ok((_, true)), _) => true,
            // Tokens are filled in, and lookup options may convert.
            (Ok(_), _) => self.shows_sentinel(node, edit, key, plan)?,
            // Whoever has only the public key can encrypt and cannot look.
            (Err(_), _) if wanted.is_encrypted && node.lookup(edit.key.as_str()).is_err() => {
                plan.warnings.push(issues::unproved(&edit.key));
                true
            }
            (Err(error), _) => return Err(issues::lookup_would_fail(&edit.key, error)),
        };
        if is_effective {
            return Ok(());
        }
        let hidden_by =
            places.iter().take_while(|other| other.path != place.path).find(|other| other.has_key);
        let reason = issues::hidden(&edit.key, &plan.path, hidden_by);
        if edit.names_place() {
            plan.warnings.push(reason);
            return Ok(());
        }
        Err(issues::no_effect(&reason))
    }

    /// Returns the value over a changed file, and whether all of it stands in that file.
    fn answer_over(&self, node: &Node, key: &str, plan: &SetPlan, text: &str) -> Result<(Value, bool)> {
        let mut overlay = Overlay::new(std::sync::Arc::clone(self.files()));
        overlay.insert(plan.path.clone(), text);
        let site = self.over(overlay);
        let again = node.in_site(&site);
        let answer = again.trace(key)?;
        let path = plan.path.display().to_string();
        let leaves = answer.leaves();
        let is_from_file = |leaf: &Leaf| leaf.origin.is_some_and(|origin| *origin.file == *path);
        let from_file = !leaves.is_empty() && leaves.iter().all(is_from_file);
        Ok((again.lookup(key)?.value, from_file))
    }

    /// What becomes of a value cannot always be foreseen; that a text without tokens arrives shows that the place counts.
    fn shows_sentinel(&self, node: &Node, edit: &KeyEdit, key: &Key, plan: &SetPlan) -> Result<bool> {
        let sentinel = WantedValue::plain(value::verbatim("hierarch looks whether this arrives"));
        let text = text::changed(&plan.path, plan.old.as_deref().unwrap_or(""), key, &sentinel)?;
        let answer = self.answer_over(node, &edit.key, plan, &text);
        // A conversion that refuses the text has met it.
        Ok(answer.map_or(true, |(value, _)| sentinel.is_in(&value)))
    }
}

#[cfg(test)]
mod tests;
