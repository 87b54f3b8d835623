//! The search for one key: its options, the three layers, and what to do when they have nothing.

use std::sync::Arc;

use hierarch_pcore::types::Kind;
use hierarch_pcore::{Str, Type, Value, mismatch};
use hierarch_source::Result;

use super::{Found, Inquiry, Walk};
use crate::config::Locations;
use crate::issues::{self, Class, class_of};
use crate::key::{Key, LOOKUP_OPTIONS};
use crate::layers::{Layer, LayerKind, ModuleLayer};
use crate::locate::{Place, PlacedLevel, extra_places};
use crate::merge::{Strategy, type_mismatch};
use crate::options::{KeyOptions, Options, validate};
use crate::origin::{Origin, TracedValue, UsedOptions};
use crate::piece::Piece;
use crate::session::{DataPlace, UnlistedKeys};
use crate::survey::About;
use crate::trace::{Event, LookupStep};

const LAYERS: [LayerKind; 3] = [LayerKind::Global, LayerKind::Environment, LayerKind::Module];
const GLOBAL_AND_ENVIRONMENT: &str = "Global and Environment";

impl Walk<'_> {
    /// Looks a key up, merged as asked, or as its options say.
    ///
    /// The way to the data: this, the layers ([`look`](Self::look)), one of them ([`ask_layer`](Self::ask_layer)), its
    /// hierarchy ([`ask_levels`](Self::ask_levels)), and each place in it ([`fetch`](Self::fetch)).
    pub(crate) fn search<P: Piece>(&mut self, name: &str, merge: Option<&Value>) -> Result<Found<P>> {
        if name == LOOKUP_OPTIONS
            || name.strip_prefix(LOOKUP_OPTIONS).is_some_and(|rest| rest.starts_with('.'))
        {
            self.within(|| LookupStep::InvalidKey(LOOKUP_OPTIONS.into()), |_| ());
            return Ok(Found::Missing);
        }
        let key = Key::new(name)?;
        let module = key.module().map(Str::from);
        let inquiry = self.inquiry.clone().on_behalf_of(key.text().clone(), module);
        let mut walk = self.asking(inquiry);
        if walk.listener.as_ref().is_some_and(|listener| listener.wants_only_options()) {
            walk.ask_layers::<P>(&Key::lookup_options(), &Strategy::hash())?;
            return Ok(Found::Value(P::of(Value::Undef)));
        }
        let options = walk.options_of(&key)?;
        let found = walk.look(&key, merge, &options)?;
        match (found, options.convert_to) {
            (Found::Value(value), Some(convert_to)) => walk.convert(&key, value, &convert_to),
            (found, _) => Ok(found),
        }
    }

    /// Looks a key up in all layers and digs in what they have; what they have not may be a default of its module.
    fn look<P: Piece>(&mut self, key: &Key, merge: Option<&Value>, options: &KeyOptions) -> Result<Found<P>> {
        if merge.is_none() && options.merge.is_some() {
            self.tell(|| Event::MergeSource(LOOKUP_OPTIONS));
        }
        let is_secret = options.convert_to.as_ref().is_some_and(makes_sensitive);
        self.within(
            || LookupStep::Key(key.text().clone()),
            |walk| {
                if is_secret {
                    walk.tell(|| Event::Secret);
                }
                let strategy = Strategy::new(merge.or(options.merge.as_ref()).unwrap_or(&Value::Undef))?;
                let found = if walk.inquiry.global_only {
                    walk.in_global(key, &strategy)?
                } else {
                    walk.ask_layers(key, &strategy)?
                };
                if let Found::Value(value) = found
                    && let Found::Value(value) = walk.dig(key.text(), key.segments(), value)?
                {
                    return Ok(Found::Value(value));
                }
                if walk.inquiry.global_only {
                    return Ok(Found::Missing);
                }
                match walk.in_module_defaults(key)? {
                    Found::Value(value) => walk.dig(key.text(), key.segments(), value),
                    Found::Missing => Ok(Found::Missing),
                }
            },
        )
    }

    fn ask_layers<P: Piece>(&mut self, key: &Key, strategy: &Strategy) -> Result<Found<P>> {
        self.stage(strategy, &LAYERS, |walk, layer| walk.ask_layer(*layer, key, strategy))
    }

    fn ask_layer<P: Piece>(&mut self, layer: LayerKind, key: &Key, strategy: &Strategy) -> Result<Found<P>> {
        match layer {
            LayerKind::Global => self.in_global(key, strategy),
            LayerKind::Environment => self.in_environment(key, strategy),
            LayerKind::Module => self.in_module(key, strategy),
        }
    }

    fn in_global<P: Piece>(&mut self, key: &Key, strategy: &Strategy) -> Result<Found<P>> {
        let found = self.check(key.text().clone(), |walk| {
            let layer = walk.hiera.layers().global(walk.around())?;
            if layer.config.version == 3 {
                walk.in_hiera3(&layer, key, strategy)
            } else {
                walk.in_layer(&layer, key, strategy)
            }
        });
        found.map_err(|error| match class_of(&error) {
            Class::Lookup { has_issue: false } => {
                issues::global_failed(&self.inquiry.top_key, &error.to_string())
            }
            _ => error,
        })
    }

    /// Version 3 sees variables differently, and inner lookups stay in the global layer unless the
    /// environment has a configuration of version 5.
    fn in_hiera3<P: Piece>(
        &mut self,
        layer: &Arc<Layer>,
        key: &Key,
        strategy: &Strategy,
    ) -> Result<Found<P>> {
        if self.inquiry.hiera3_scope {
            return self.in_layer3(layer, key, strategy);
        }
        let environment = self.hiera.layers().environment(self.around())?;
        let global_only =
            self.inquiry.global_only || environment.is_none_or(|layer| layer.config.version < 5);
        let inquiry = Inquiry { hiera3_scope: true, global_only, ..self.inquiry.clone() };
        self.asking(inquiry).in_layer3(layer, key, strategy)
    }

    /// `hiera_hash` merges as the configuration says, finds hashes only, and digs only where it merges deeply.
    fn in_layer3<P: Piece>(
        &mut self,
        layer: &Arc<Layer>,
        key: &Key,
        strategy: &Strategy,
    ) -> Result<Found<P>> {
        if self.inquiry.old_call.is_none() {
            return self.in_layer(layer, key, strategy);
        }
        let strategy = match &layer.config.merge_behavior {
            Some(configured) if strategy.is_hash() => configured,
            _ => strategy,
        };
        let found = self.in_layer(layer, key, strategy)?;
        let Found::Value(value) = &found else { return Ok(found) };
        let plain = value.value();
        if strategy.makes_hashes() && !matches!(plain, Value::Hash(_)) {
            return Err(type_mismatch("value", &Type::hash(), &plain));
        }
        match strategy.undiggable() {
            Some(what) if !key.segments().is_empty() => Err(issues::dotted_key(what, key.text())),
            _ => Ok(found),
        }
    }

    fn in_environment<P: Piece>(&mut self, key: &Key, strategy: &Strategy) -> Result<Found<P>> {
        let Some(layer) = self.hiera.layers().environment(self.around())? else { return Ok(Found::Missing) };
        self.check(key.text().clone(), |walk| walk.in_layer(&layer, key, strategy))
    }

    fn in_module<P: Piece>(&mut self, key: &Key, strategy: &Strategy) -> Result<Found<P>> {
        let Some(module) = self.inquiry.module.clone() else { return Ok(Found::Missing) };
        match self.hiera.layers().module(self.around(), &module)? {
            ModuleLayer::Found(layer) => {
                self.check(key.text().clone(), |walk| walk.in_layer(&layer, key, strategy))
            }
            ModuleLayer::NoModule => {
                self.tell(|| Event::ModuleNotFound(module));
                Ok(Found::Missing)
            }
            ModuleLayer::NoData => {
                self.tell(|| Event::ModuleWithoutData(module));
                Ok(Found::Missing)
            }
        }
    }

    /// Asks the hierarchy of a layer.
    fn in_layer<P: Piece>(&mut self, layer: &Arc<Layer>, key: &Key, strategy: &Strategy) -> Result<Found<P>> {
        self.note_files(layer, false, key.root_text());
        self.within(layer_node(layer), |walk| {
            let levels = walk.levels(layer)?;
            walk.ask_levels(layer, &levels.normal, key, strategy)
        })
    }

    /// Asks the levels of a hierarchy, each at all its places.
    fn ask_levels<P: Piece>(
        &mut self,
        layer: &Arc<Layer>,
        levels: &[Arc<PlacedLevel>],
        key: &Key,
        strategy: &Strategy,
    ) -> Result<Found<P>> {
        if levels.is_empty() {
            self.tell(|| Event::NotFound(key.text().clone()));
            return Ok(Found::Missing);
        }
        self.stage(strategy, levels, |walk, level| {
            walk.within(
                || LookupStep::Level(level.label()),
                |walk| {
                    let extra = walk.extra_places(layer, level)?;
                    if extra.is_empty() {
                        return walk.stage(strategy, &level.places, |walk, place| {
                            walk.fetch(layer, level, place, key)
                        });
                    }
                    let all: Vec<&Place> = extra.iter().chain(&level.places).collect();
                    walk.stage(strategy, &all, |walk, place| walk.fetch(layer, level, place, key))
                },
            )
        })
    }

    /// Returns the places that the caller wants before all others, which only version 3 knows.
    fn extra_places(&mut self, layer: &Layer, level: &PlacedLevel) -> Result<Vec<Place>> {
        match self.inquiry.old_call {
            Some(call) if layer.config.version == 3 => {
                let places = extra_places(self, &level.level, &call.extra_paths);
                places.map_err(|error| match issues::undefined_name(&error) {
                    Some(_) => error,
                    None => layer.config.named(error),
                })
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Looks into the default hierarchy of a module, which has lookup options of its own.
    fn in_module_defaults<P: Piece>(&mut self, key: &Key) -> Result<Found<P>> {
        let Some(module) = self.inquiry.module.clone() else { return Ok(Found::Missing) };
        let ModuleLayer::Found(layer) = self.hiera.layers().module(self.around(), &module)? else {
            return Ok(Found::Missing);
        };
        if layer.config.default_hierarchy.is_none() {
            return Ok(Found::Missing);
        }
        let place = format!("Searching default_hierarchy of module \"{module}\"");
        self.within(
            || LookupStep::Place(place),
            |walk| {
                let options = walk.module_default_options(&layer, &module)?.of(key.root())?;
                let strategy = Strategy::new(&options.merge.unwrap_or_default())?;
                let place = format!("Searching for \"{}\"", key.text());
                walk.within(|| LookupStep::Place(place), |walk| walk.in_defaults(&layer, key, &strategy))
            },
        )
    }

    fn in_defaults<P: Piece>(
        &mut self,
        layer: &Arc<Layer>,
        key: &Key,
        strategy: &Strategy,
    ) -> Result<Found<P>> {
        self.note_files(layer, true, key.root_text());
        let levels = self.levels(layer)?;
        if levels.defaults.is_empty() {
            self.tell(|| Event::NotFound(key.text().clone()));
            return Ok(Found::Missing);
        }
        self.check(key.text().clone(), |walk| {
            walk.within(layer_node(layer), |walk| walk.ask_levels(layer, &levels.defaults, key, strategy))
        })
    }

    fn module_default_options(&mut self, layer: &Arc<Layer>, module: &Str) -> Result<Arc<Options>> {
        if let Some(known) =
            self.memory.borrow().module_defaults.get(module).filter(|_| !self.inquiry.is_recorded)
        {
            return Ok(Arc::clone(known));
        }
        let key = Key::lookup_options();
        let inquiry = Inquiry { top_key: LOOKUP_OPTIONS.into(), ..self.inquiry.clone() };
        let place = format!("Searching for \"{LOOKUP_OPTIONS}\"");
        let found = self.asking(inquiry.without_given_values()).within(
            || LookupStep::Place(place),
            |walk| walk.in_defaults::<Value>(layer, &key, &Strategy::hash()),
        )?;
        let options = match found {
            Found::Value(options) => {
                validate(&options, Some(module))?;
                Options::new(&options)?
            }
            Found::Missing => Options::default(),
        };
        let options = Arc::new(options);
        self.memory.borrow_mut().module_defaults.insert(module.clone(), Arc::clone(&options));
        Ok(options)
    }

    /// Returns what is configured for a key. The options of its module are put together at the first use.
    pub(super) fn options_of(&mut self, key: &Key) -> Result<KeyOptions> {
        let module = key.module().map(Str::from);
        if self.inquiry.is_recorded {
            self.note(|_| About::Options(module.clone()));
            return self.shared_options(module.as_ref()).options?.of(key.root());
        }
        let known = self.memory.borrow().options.get(&module).cloned();
        let options = if let Some(options) = known {
            options
        } else {
            let options = Arc::new(self.assemble_options(module.as_ref())?);
            self.memory.borrow_mut().options.insert(module, Arc::clone(&options));
            options
        };
        options.of(key.root())
    }

    pub(crate) fn assemble_options(&mut self, module: Option<&Str>) -> Result<Options> {
        // A survey asks for options on behalf of no key.
        let inquiry = self.inquiry.clone().on_behalf_of(LOOKUP_OPTIONS.into(), module.cloned());
        let mut walk = self.asking(inquiry.without_given_values());
        let options =
            walk.within(|| LookupStep::Key(LOOKUP_OPTIONS.into()), |walk| walk.merged_options(module))?;
        options.map_or_else(|| Ok(Options::default()), |options| Options::new(&options))
    }

    fn merged_options(&mut self, module: Option<&Str>) -> Result<Option<Value>> {
        if self.inquiry.global_only {
            return self.global_options();
        }
        let Some(module) = module else { return self.environment_options() };
        // The options of a module depend on those that all keys share, whatever these depend on.
        self.note(|_| About::Options(None));
        let outer = self.unrecorded(|walk| walk.environment_options())?;
        if !self.memory.borrow().options.contains_key(&None) {
            let compiled = outer.as_ref().map_or_else(|| Ok(Options::default()), Options::new)?;
            self.memory.borrow_mut().options.insert(None, Arc::new(compiled));
        }
        let own = self.in_module::<Value>(&Key::lookup_options(), &Strategy::hash())?;
        let Found::Value(own) = own else { return Ok(outer) };
        validate(&own, Some(module))?;
        if own.is_undef() {
            return Ok(outer);
        }
        let Some(outer) = outer else { return Ok(Some(own)) };
        let sources = [(GLOBAL_AND_ENVIRONMENT.to_owned(), outer), (format!("Module {module}"), own)];
        let merged = self.stage(&Strategy::hash(), &sources, |walk, (name, options)| {
            walk.within(
                || LookupStep::Place(name.clone()),
                |walk| {
                    walk.tell(|| Event::Found(LOOKUP_OPTIONS.into(), options.clone()));
                    Ok(Found::Value(options.clone()))
                },
            )
        })?;
        Ok(merged.into_option())
    }

    fn global_options(&mut self) -> Result<Option<Value>> {
        if let Some(known) =
            self.memory.borrow().global_options.as_ref().filter(|_| !self.inquiry.is_recorded)
        {
            return Ok(known.clone().into_option());
        }
        let found = self.in_global::<Value>(&Key::lookup_options(), &Strategy::hash())?.into_option();
        found.iter().try_for_each(|options| validate(options, None))?;
        let found = found.filter(|options| !options.is_undef());
        self.memory.borrow_mut().global_options = Some(found.clone().into());
        Ok(found)
    }

    fn environment_options(&mut self) -> Result<Option<Value>> {
        if let Some(known) =
            self.memory.borrow().environment_options.as_ref().filter(|_| !self.inquiry.is_recorded)
        {
            return Ok(known.clone().into_option());
        }
        let global = self.global_options()?;
        let own = self.in_environment::<Value>(&Key::lookup_options(), &Strategy::hash())?.into_option();
        own.iter().try_for_each(|options| validate(options, None))?;
        let own = own.filter(|options| !options.is_undef());
        let merged = match (global, own) {
            (Some(global), Some(own)) => Some(Strategy::hash().rules::<Value>().merge(global, own)?),
            (global, own) => global.or(own),
        };
        self.memory.borrow_mut().environment_options = Some(merged.clone().into());
        Ok(merged)
    }

    /// Converts a value as its options say.
    fn convert<P: Piece>(&mut self, key: &Key, value: P, convert_to: &Value) -> Result<Found<P>> {
        if makes_sensitive(convert_to) {
            self.hiera.secrets().note(&value.value());
        }
        let mut arguments = match convert_to {
            Value::Array(items) => items.to_vec(),
            other => vec![other.clone()],
        };
        if let Some(Value::String(text)) = arguments.first().cloned() {
            let parsed = self.host.parse_type(&text);
            let type_ =
                parsed.map_err(|error| issues::bad_conversion_type(key.text(), &text, &error.message))?;
            arguments[0] = Value::Type(type_);
        }
        let Some(Value::Type(type_)) = arguments.first().cloned() else {
            let given = arguments.first().cloned().unwrap_or_default();
            let problem = mismatch::describe_value("'new' parameter 'type'", &Type::type_type(), &given);
            return Err(issues::conversion_failed(key.text(), &problem));
        };
        let mut given = vec![value.value()];
        given.extend_from_slice(&arguments[1..]);
        let made = self.host.new_instance(&type_, &given);
        let made = made.map_err(|error| issues::conversion_failed(key.text(), &error.message))?;
        self.tell(|| {
            let arguments = Value::array(arguments);
            Event::Text(format!("Applying convert_to lookup_option with arguments {arguments}"))
        });
        Ok(Found::Value(P::converted(made, value)))
    }

    /// Finds the entry of the lookup options that a key is looked up with, and where it stands.
    pub(crate) fn used_options(&mut self, key: &Key) -> Result<Option<UsedOptions>> {
        let Some((name, options)) = self.options_of(key)?.entry else { return Ok(None) };
        let module = key.module().map(Str::from);
        let inquiry = self.inquiry.clone().on_behalf_of(LOOKUP_OPTIONS.into(), module);
        let origin = self.asking(inquiry).options_origin(&name);
        Ok(Some(UsedOptions { name: name.to_string(), options, origin }))
    }

    /// The entry of the highest layer, level and file counts.
    fn options_origin(&mut self, name: &Value) -> Option<Arc<Origin>> {
        let (key, strategy) = (Key::lookup_options(), Strategy::hash());
        LAYERS.iter().find_map(|layer| {
            let found: Found<TracedValue> = self.ask_layer(*layer, &key, &strategy).ok()?;
            found.into_option()?.part(name)?.origin().cloned()
        })
    }

    /// Returns the strategy of a key.
    pub(crate) fn strategy_of(&mut self, key: &Key) -> Result<Strategy> {
        Strategy::new(&self.options_of(key)?.merge.unwrap_or_default())
    }

    /// Reads the files of a module, or those that all keys share. Returns how many levels there are.
    pub(crate) fn read_all(&mut self, module: Option<&str>, unlisted: &mut Vec<UnlistedKeys>) -> usize {
        let mut count = 0;
        for layer in self.readable_layers(module, unlisted) {
            let levels = match self.levels(&layer) {
                Ok(levels) => levels,
                Err(error) => {
                    unlisted.push(UnlistedKeys::Broken(error));
                    continue;
                }
            };
            for level in levels.normal.iter().chain(&levels.defaults) {
                count += 1;
                self.read_level(&layer, level, unlisted);
            }
        }
        count
    }

    fn read_level(&mut self, layer: &Arc<Layer>, level: &PlacedLevel, unlisted: &mut Vec<UnlistedKeys>) {
        let function = &level.level.function;
        let Some(backend) = self.hiera.backend(function) else {
            unlisted.push(match self.host.function(function) {
                Ok(Some(_)) => UnlistedKeys::Function {
                    level: level.level.name.to_string(),
                    function: function.to_string(),
                },
                Ok(None) => UnlistedKeys::Broken(
                    layer
                        .config
                        .fail(issues::config::no_such_function(level.level.kind.tag(), function), None),
                ),
                Err(error) => UnlistedKeys::Broken(error),
            });
            return;
        };
        for place in level.places.iter().filter(|place| place.exists()) {
            if let Err(error) = self.hiera.document(backend, level, place) {
                unlisted.push(UnlistedKeys::Broken(error));
            }
        }
    }

    /// Returns the layer of a module, or those that all keys share; what cannot be read is told.
    fn readable_layers(&self, module: Option<&str>, unlisted: &mut Vec<UnlistedKeys>) -> Vec<Arc<Layer>> {
        let (layers, around) = (self.hiera.layers(), self.around());
        let found = match module {
            Some(module) => vec![layers.module(around, module).map(ModuleLayer::found)],
            None => vec![layers.global(around).map(Some), layers.environment(around)],
        };
        let mut readable = Vec::new();
        for layer in found {
            match layer {
                Ok(layer) => readable.extend(layer),
                Err(error) => unlisted.push(UnlistedKeys::Broken(error)),
            }
        }
        readable
    }

    /// Returns the layer of a module, or those that all keys share. What cannot be read is left out.
    pub(super) fn layers_of(&self, module: Option<&str>) -> Vec<Arc<Layer>> {
        let around = self.around();
        if let Some(module) = module {
            let found = self.hiera.layers().module(around, module);
            return found.ok().and_then(ModuleLayer::found).into_iter().collect();
        }
        let environment = self.hiera.layers().environment(around).ok().flatten();
        self.hiera.layers().global(around).ok().into_iter().chain(environment).collect()
    }

    /// Returns the names of the levels that a key is looked for in.
    pub(crate) fn level_names(&mut self, key: &Key) -> Vec<String> {
        let mut layers = self.layers_of(None);
        layers.extend(key.module().map(|module| self.layers_of(Some(module))).unwrap_or_default());
        let levels = layers.iter().filter_map(|layer| self.levels(layer).ok());
        levels
            .flat_map(|levels| {
                levels.normal.iter().map(|level| level.level.name.to_string()).collect::<Vec<_>>()
            })
            .collect()
    }

    /// Lists the data files of the environment in which a key may stand.
    pub(crate) fn data_places(&mut self, key: &Key) -> Result<Vec<DataPlace>> {
        let Some(layer) = self.hiera.layers().environment(self.around())? else { return Ok(Vec::new()) };
        let levels = self.levels(&layer)?;
        let mut places = Vec::new();
        for level in &levels.normal {
            let Some(backend) = self.hiera.backend(&level.level.function) else { continue };
            for place in &level.places {
                let Some(location) = place.location.as_ref().filter(|location| location.is_path) else {
                    continue;
                };
                let has_key = location.exists
                    && self.hiera.document(backend, level, place)?.entry(key.root()).is_some();
                places.push(DataPlace {
                    level: level.level.name.to_string(),
                    path: location.text.to_string(),
                    exists: location.exists,
                    has_key,
                    function: level.level.function.to_string(),
                    options: level.options.clone(),
                    incomplete: self
                        .has_empty_token(&location.original, mapped_name(level.level.locations.as_ref()))
                        .then(|| location.original.to_string()),
                });
            }
        }
        Ok(places)
    }

    /// Tells whether a variable in the path of a level has no value, so that other nodes would share the file. The name that
    /// mapped paths give to each value has one.
    fn has_empty_token(&mut self, path: &str, mapped: Option<&str>) -> bool {
        let tokens = path.match_indices("%{").filter_map(|(start, _)| {
            let end = path[start..].find('}')?;
            let name = path[start + 2..start + end].trim();
            let root = name.split_once('.').map_or(name, |(root, _)| root);
            (mapped != Some(root)).then(|| &path[start..=start + end])
        });
        tokens.collect::<Vec<_>>().into_iter().any(|token| {
            let filled = self.interpolate(Value::from(token));
            filled.map_or(true, |value| value.as_str().is_some_and(str::is_empty) || value == Value::Undef)
        })
    }

    /// Looks a key up for a token. Overrides and defaults of the call count here as well.
    pub(super) fn inner_lookup<P: Piece>(&mut self, name: &Str) -> Result<Found<P>> {
        if let Some(value) = self.inquiry.overrides.get_str(name) {
            return Ok(Found::Value(P::of(value.clone())));
        }
        let inquiry = Inquiry { hiera3_scope: false, ..self.inquiry.clone() };
        let found = self.asking(inquiry).search(name, None);
        match found? {
            Found::Missing => Ok(match self.inquiry.defaults.get_str(name) {
                Some(value) => Found::Value(P::of(value.clone())),
                None => Found::Missing,
            }),
            found @ Found::Value(_) => Ok(found),
        }
    }
}

fn mapped_name(locations: Option<&Locations>) -> Option<&str> {
    match locations {
        Some(Locations::Mapped { name, .. }) => Some(name),
        _ => None,
    }
}

/// Tells whether the option `convert_to` makes a value secret.
pub(super) fn makes_sensitive(convert_to: &Value) -> bool {
    match convert_to {
        Value::Array(items) => items.first().is_some_and(makes_sensitive),
        Value::String(text) => text.trim_start().starts_with("Sensitive"),
        Value::Type(type_) => matches!(type_.kind(), Kind::Sensitive(_)),
        _ => false,
    }
}

fn layer_node(layer: &Arc<Layer>) -> impl FnOnce() -> LookupStep + use<> {
    let layer = Arc::clone(layer);
    move || LookupStep::Layer {
        name: layer.name(),
        config: layer.config.path.clone(),
        module: layer.module.clone(),
    }
}
