//! The levels that a key is looked for in, one by one: what each has for it alone, and why one has nothing.

use std::sync::Arc;

use hierarch_pcore::{Str, Value};
use hierarch_source::{Error, Result};

use super::{Found, Inquiry, Walk};
use crate::config::Locations;
use crate::contents::{variables, written};
use crate::hiera::Hiera;
use crate::key::{Key, Segment};
use crate::layers::{Layer, LayerKind, ModuleLayer};
use crate::locate::{Place, PlacedLevel};
use crate::origin::TracedValue;
use crate::piece::Piece;
use crate::session::Session;

/// A location of a level, as a node sees it.
#[derive(Clone, Debug)]
pub struct LevelLocation {
    /// The layer: `global`, `environment` or `module`.
    pub layer: &'static str,
    /// The module, in a module's layer.
    pub module: Option<String>,
    /// The name of the level.
    pub level: String,
    /// It is part of a module's default hierarchy.
    pub is_default: bool,
    /// The file or address; none for a function that needs none, and where a level names nothing for the node.
    pub location: Option<String>,
    /// The same with its tokens, as it is declared.
    pub declared: Option<String>,
    /// It is there.
    pub exists: bool,
    /// The variables in it that have no value for the node.
    pub undefined: Vec<String>,
}

/// What one location of a level has for a key.
#[derive(Debug)]
pub struct LevelAnswer {
    /// The location.
    pub location: LevelLocation,
    /// What it has, tokens filled in, all other levels left out; or why that cannot be told.
    pub found: std::result::Result<Option<TracedValue>, Error>,
    /// The same as the file has it, tokens not filled in; none where that is not a file's, or a secret.
    pub written: Option<Value>,
}

/// A hierarchy as it is declared.
#[derive(Clone, Debug)]
pub struct Hierarchy {
    /// The layer: `global`, `environment` or `module`.
    pub layer: &'static str,
    /// The module, in a module's layer.
    pub module: Option<String>,
    /// The hiera.yaml; none for the built-in one.
    pub file: Option<String>,
    /// The names of its levels and the locations that each declares, high priority first.
    pub levels: Vec<(String, Vec<String>)>,
}

/// Is shown each place of each level.
type Visit<'v> = dyn FnMut(&mut Walk, &PlacedLevel, Option<&Place>, LevelLocation) + 'v;

impl Session<'_> {
    /// Asks every level for a key, high priority first; what a dotted key digs for is looked for in each.
    pub fn level_answers(&self, key: &Key) -> Result<Vec<LevelAnswer>> {
        let none = crate::query::Query::default();
        self.walk(&none, None, |walk| walk.level_answers(key))
    }

    /// Lists all locations that this node has, those of modules last. What cannot be read is left out.
    pub fn locations(&self, modules: &[String]) -> Vec<LevelLocation> {
        let none = crate::query::Query::default();
        self.walk(&none, None, |walk| walk.locations(modules))
    }
}

impl Hiera {
    /// Returns the hierarchies as they are declared: those that all keys share, and those of some modules.
    pub fn hierarchies(&self, modules: &[String]) -> Result<Vec<Hierarchy>> {
        let (layers, around) = (self.layers(), self.around());
        let mut found = vec![layers.global(around)?];
        found.extend(layers.environment(around)?);
        for module in modules {
            found.extend(layers.module(around, module)?.found());
        }
        let is_used = |layer: &&Arc<Layer>| !layer.config.hierarchy.is_empty();
        Ok(found.iter().filter(is_used).map(|layer| declared(layer)).collect())
    }
}

fn declared(layer: &Layer) -> Hierarchy {
    let level = |level: &Arc<crate::config::Level>| {
        let locations = level.locations.as_ref().map(declared_locations).unwrap_or_default();
        (level.name.to_string(), locations)
    };
    Hierarchy {
        layer: word(layer.kind),
        module: layer.module.as_ref().map(Str::to_string),
        file: layer.config.path.clone(),
        levels: layer.config.hierarchy.iter().map(level).collect(),
    }
}

fn declared_locations(locations: &Locations) -> Vec<String> {
    let texts = |list: &[crate::data::Data]| list.iter().map(|data| written(data).to_plain()).collect();
    match locations {
        Locations::Paths(list) | Locations::Globs(list) | Locations::Uris(list) => texts(list),
        Locations::Mapped { template, .. } => vec![written(template).to_plain()],
    }
}

fn step(value: &Value, segment: &Segment) -> Option<Value> {
    match (value, segment) {
        (Value::Array(items), Segment::Index(at)) => items.get(usize::try_from(*at).ok()?).cloned(),
        (Value::Hash(entries), Segment::Index(at)) => entries.get(&Value::from(*at)).cloned(),
        (Value::Hash(entries), Segment::Name(name)) => entries.get(&Value::String(name.clone())).cloned(),
        _ => None,
    }
}

fn word(kind: LayerKind) -> &'static str {
    match kind {
        LayerKind::Global => "global",
        LayerKind::Environment => "environment",
        LayerKind::Module => "module",
    }
}

impl Walk<'_> {
    fn level_answers(&mut self, key: &Key) -> Result<Vec<LevelAnswer>> {
        let mut layers = vec![self.hiera.layers().global(self.around())?];
        layers.extend(self.hiera.layers().environment(self.around())?);
        if let Some(module) = key.module()
            && let ModuleLayer::Found(layer) = self.hiera.layers().module(self.around(), module)?
        {
            layers.push(layer);
        }
        let options = self.options_of(key)?;
        let is_secret = options.convert_to.is_some_and(|convert_to| self.makes_sensitive(&convert_to));
        let module = key.module().map(Str::from);
        let mut walk = self.asking(self.inquiry.clone().on_behalf_of(key.text().clone(), module));
        let mut answers = Vec::new();
        for layer in &layers {
            walk.each_place(layer, &mut |walk, level, place, location| {
                let found = match place {
                    Some(place) => walk.at_place(layer, level, place, key),
                    None => Ok(None),
                };
                let written =
                    place.filter(|_| !is_secret).and_then(|place| walk.written_at(level, place, key));
                let secret =
                    |found: Option<TracedValue>| if is_secret { found.map(Piece::secret) } else { found };
                answers.push(LevelAnswer { location, found: found.map(secret), written });
            })?;
        }
        Ok(answers)
    }

    fn at_place(
        &mut self,
        layer: &Arc<Layer>,
        level: &PlacedLevel,
        place: &Place,
        key: &Key,
    ) -> Result<Option<TracedValue>> {
        let found = match self.fetch::<TracedValue>(layer, level, place, key)? {
            Found::Value(value) => self.dig(key.text(), key.segments(), value)?,
            Found::Missing => Found::Missing,
        };
        Ok(found.into_option())
    }

    /// Returns what a file has for a key as it is written.
    fn written_at(&self, level: &PlacedLevel, place: &Place, key: &Key) -> Option<Value> {
        let backend = self.hiera.backend(&level.level.function).filter(|_| place.exists())?;
        let document =
            self.hiera.document(backend, level, place).ok().filter(|document| !document.is_secret())?;
        let value = written(document.data(document.entry(key.root())?).ok()?);
        key.segments().iter().try_fold(value, |value, segment| step(&value, segment))
    }

    fn locations(&mut self, modules: &[String]) -> Vec<LevelLocation> {
        let mut found = Vec::new();
        for module in [None].into_iter().chain(modules.iter().map(|module| Some(module.as_str()))) {
            for layer in self.layers_of(module) {
                // A layer that cannot be placed has no locations; whoever looks a key up is told why.
                let _ = self.each_place(&layer, &mut |_, _, _, location| found.push(location));
            }
        }
        found
    }

    fn each_place(&mut self, layer: &Arc<Layer>, visit: &mut Visit) -> Result<()> {
        let levels = self.levels(layer)?;
        let hiera3_scope = layer.config.version == 3;
        let mut walk = self.asking(Inquiry { hiera3_scope, ..self.inquiry.clone() });
        let normal = levels.normal.iter().map(|level| (level, false));
        for (level, is_default) in normal.chain(levels.defaults.iter().map(|level| (level, true))) {
            if level.places.is_empty() {
                let location = walk.seen(layer, level, None, is_default);
                visit(&mut walk, level, None, location);
            }
            for place in &level.places {
                let location = walk.seen(layer, level, Some(place), is_default);
                visit(&mut walk, level, Some(place), location);
            }
        }
        Ok(())
    }

    fn seen(
        &mut self,
        layer: &Layer,
        level: &PlacedLevel,
        place: Option<&Place>,
        is_default: bool,
    ) -> LevelLocation {
        let at = place.and_then(|place| place.location.as_ref());
        let declared = match (at, &level.level.locations) {
            (Some(at), _) => Some(at.original.to_string()),
            (None, Some(locations)) => declared_locations(locations).into_iter().next(),
            (None, None) => None,
        };
        let undefined = declared.as_deref().map(|text| self.undefined_in(text)).unwrap_or_default();
        LevelLocation {
            layer: word(layer.kind),
            module: layer.module.as_ref().map(Str::to_string),
            level: level.level.name.to_string(),
            is_default,
            location: at.map(|at| at.text.to_string()),
            declared,
            exists: place.is_some_and(Place::exists),
            undefined,
        }
    }

    /// Returns the variables of a text that have no value.
    fn undefined_in(&mut self, text: &str) -> Vec<String> {
        let is_undefined = |walk: &mut Self, name: &str| {
            let filled = walk.interpolate(Value::from(format!("%{{{name}}}")));
            filled.map_or(true, |value| value.is_undef() || value.as_str().is_some_and(str::is_empty))
        };
        let names = variables(&Value::from(text));
        names.into_iter().filter(|name| is_undefined(self, name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use crate::{Hiera, Key, Scope};

    fn hiera() -> Hiera {
        Hiera::open(
            MemoryFiles::from([
                (
                    "hiera.yaml",
                    "version: 5\nhierarchy:\n- {name: Role, path: 'roles/%{role}.yaml'}\n- {name: Site, path: 'sites/%{site}.yaml'}\n- {name: Common, path: common.yaml}\n",
                ),
                ("data/common.yaml", "m::a: {x: 1}\n"),
                ("data/roles/web.yaml", "m::a: {x: '%{role}'}\n"),
                ("modules/m/hiera.yaml", "version: 5\n"),
                ("modules/m/data/common.yaml", "m::a: {y: 2}\n"),
            ]),
            "hiera.yaml",
        )
    }

    #[test]
    fn what_is_written_has_its_tokens() {
        let (hiera, mut scope) = (hiera(), Scope::new());
        scope.set("role", "web");
        let session = hiera.session(&scope);
        let written = |key: &str| {
            let answers = session.level_answers(&Key::new(key).expect("a key")).expect("levels");
            let texts =
                answers.iter().map(|answer| answer.written.as_ref().map(hierarch_pcore::Value::to_json));
            texts.map(Option::unwrap_or_default).collect::<Vec<_>>()
        };
        assert_eq!(written("m::a")[..], [r#"{"x":"%{role}"}"#, "", r#"{"x":1}"#, r#"{"y":2}"#]);
        assert_eq!(written("m::a.x")[..], [r#""%{role}""#, "", "1", ""]);
        assert!(written("m::a.x.y").iter().all(String::is_empty));
    }

    #[test]
    fn every_level_tells_what_it_has_alone() {
        let (hiera, mut scope) = (hiera(), Scope::new());
        scope.set("role", "web");
        let session = hiera.session(&scope);
        let answers = session.level_answers(&Key::new("m::a.x").expect("a key")).expect("levels");
        let told: Vec<String> = answers
            .iter()
            .map(|answer| {
                let at = &answer.location;
                let found = answer.found.as_ref().expect("readable").as_ref();
                let value = found.map_or_else(|| "-".to_owned(), |traced| traced.plain().to_json());
                format!("{} {} {} {value} {:?}", at.layer, at.level, at.exists, at.undefined)
            })
            .collect();
        assert_eq!(
            told,
            [
                "environment Role true \"web\" []",
                "environment Site false - [\"site\"]",
                "environment Common true 1 []",
                "module Common true - []",
            ]
        );
    }

    #[test]
    fn hierarchies_are_told_as_declared() {
        let found = hiera().hierarchies(&["m".to_owned()]).expect("hierarchies");
        let told: Vec<String> =
            found.iter().map(|one| format!("{} {:?} {:?}", one.layer, one.module, one.levels)).collect();
        assert_eq!(told.len(), 2);
        assert!(told[0].contains("(\"Role\", [\"roles/%{role}.yaml\"])"), "{told:?}");
        assert!(told[1].starts_with("module Some(\"m\")"), "{told:?}");
    }
}
