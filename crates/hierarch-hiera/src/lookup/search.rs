//! The search for one key: its options, the three layers, and what to do when they have nothing.

use std::sync::Arc;

use hierarch_pcore::{Str, Type, Value};
use hierarch_source::Result;

use super::{Found, Inquiry, Walk};
use crate::issues::{self, Class, class_of};
use crate::key::{Key, LOOKUP_OPTIONS};
use crate::layers::{Layer, LayerKind, ModuleLayer};
use crate::locate::{Place, PlacedLevel, extra_places};
use crate::merge::{Strategy, type_mismatch};
use crate::options::KeyOptions;
use crate::piece::Piece;
use crate::trace::{Event, LookupStep};

/// The layers, highest first.
pub(super) const LAYERS: [LayerKind; 3] = [LayerKind::Global, LayerKind::Environment, LayerKind::Module];

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
        let convert_to = options.convert_to.as_ref().filter(|_| self.listener.is_some());
        let is_secret = convert_to.is_some_and(|convert_to| self.makes_sensitive(convert_to));
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

    pub(super) fn ask_layer<P: Piece>(
        &mut self,
        layer: LayerKind,
        key: &Key,
        strategy: &Strategy,
    ) -> Result<Found<P>> {
        match layer {
            LayerKind::Global => self.in_global(key, strategy),
            LayerKind::Environment => self.in_environment(key, strategy),
            LayerKind::Module => self.in_module(key, strategy),
        }
    }

    pub(super) fn in_global<P: Piece>(&mut self, key: &Key, strategy: &Strategy) -> Result<Found<P>> {
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

    pub(super) fn in_environment<P: Piece>(&mut self, key: &Key, strategy: &Strategy) -> Result<Found<P>> {
        let Some(layer) = self.hiera.layers().environment(self.around())? else { return Ok(Found::Missing) };
        self.check(key.text().clone(), |walk| walk.in_layer(&layer, key, strategy))
    }

    pub(super) fn in_module<P: Piece>(&mut self, key: &Key, strategy: &Strategy) -> Result<Found<P>> {
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

    pub(super) fn in_defaults<P: Piece>(
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

fn layer_node(layer: &Arc<Layer>) -> impl FnOnce() -> LookupStep + use<> {
    let layer = Arc::clone(layer);
    move || LookupStep::Layer {
        name: layer.name(),
        config: layer.config.path.clone(),
        module: layer.module.clone(),
    }
}
