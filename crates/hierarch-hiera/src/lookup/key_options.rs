//! What `lookup_options` say about a key: how they are put together of all layers, and the conversion they ask for.

use std::sync::Arc;

use hierarch_pcore::{Str, Type, Value, mismatch};
use hierarch_source::{Error, Result};

use super::search::LAYERS;
use super::{Found, Inquiry, Walk};
use crate::eyaml::HIDDEN;
use crate::issues;
use crate::key::{Key, LOOKUP_OPTIONS};
use crate::layers::Layer;
use crate::merge::Strategy;
use crate::options::{KeyOptions, Options, validate};
use crate::origin::{Origin, TracedValue, UsedOptions};
use crate::piece::Piece;
use crate::survey::About;
use crate::trace::{Event, LookupStep};

const GLOBAL_AND_ENVIRONMENT: &str = "Global and Environment";

impl Walk<'_> {
    /// Returns what the default hierarchy of a module says about its own keys.
    pub(super) fn module_default_options(
        &mut self,
        layer: &Arc<Layer>,
        module: &Str,
    ) -> Result<Arc<Options>> {
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
                Options::new(&options, self.hiera.patterns())?
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
        self.compiled(options.as_ref())
    }

    fn compiled(&self, options: Option<&Value>) -> Result<Options> {
        options.map_or_else(|| Ok(Options::default()), |options| Options::new(options, self.hiera.patterns()))
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
            let compiled = self.compiled(outer.as_ref())?;
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
    pub(super) fn convert<P: Piece>(&mut self, key: &Key, value: P, convert_to: &Value) -> Result<Found<P>> {
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
        if type_.may_be_sensitive() {
            self.hiera.secrets().note(&value.value());
        }
        let made = self.made(&type_, value.value(), &arguments[1..]);
        let made = made.map_err(|error| self.conversion_failed(key, &value, &arguments, &error.message))?;
        self.tell(|| {
            let arguments = Value::array(arguments);
            Event::Text(format!("Applying convert_to lookup_option with arguments {arguments}"))
        });
        Ok(Found::Value(P::converted(made, value)))
    }

    fn made(&self, type_: &Type, value: Value, arguments: &[Value]) -> Result<Value> {
        let mut given = vec![value];
        given.extend_from_slice(arguments);
        self.host.new_instance(type_, &given)
    }

    /// Says why a value could not be converted. Of one that is known to be secret, or that would have become it, the words are those
    /// for what stands for it.
    fn conversion_failed<P: Piece>(&self, key: &Key, value: &P, arguments: &[Value], problem: &str) -> Error {
        let Some(Value::Type(type_)) = arguments.first() else {
            return issues::conversion_failed(key.text(), problem);
        };
        let secret =
            if type_.may_be_sensitive() { Value::from(HIDDEN) } else { value.shown(self.hiera.secrets()) };
        if !P::IS_TRACED || self.shows_secrets || secret == value.value() {
            return issues::conversion_failed(key.text(), problem);
        }
        match self.made(type_, secret, &arguments[1..]) {
            Err(error) => issues::conversion_failed(key.text(), &error.message),
            Ok(_) => issues::conversion_failed(key.text(), issues::SECRET_CONVERSION),
        }
    }

    /// Tells whether the option `convert_to` makes a value secret.
    pub(super) fn makes_sensitive(&self, convert_to: &Value) -> bool {
        match convert_to {
            Value::Array(items) => items.first().is_some_and(|first| self.makes_sensitive(first)),
            // What a type that cannot be read would make of the value is not known.
            Value::String(text) => {
                text.contains("Sensitive") || self.host.parse_type(text).map_or(true, |type_| hides(&type_))
            }
            Value::Type(type_) => hides(type_),
            _ => false,
        }
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
}

/// Tells whether a type may make a value secret.
fn hides(type_: &Type) -> bool {
    type_.may_be_sensitive() || type_.unresolved().is_some()
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use crate::{Explainer, Hiera, Query, Scope};

    /// Explains the lookup of a text that is converted.
    fn explained(convert_to: &str) -> String {
        let data = format!("lookup_options: {{k: {{convert_to: {convert_to}}}}}\nk: 'CANARY'\n");
        let files = MemoryFiles::from([
            ("hiera.yaml", "version: 5\nhierarchy: [{name: C, path: c.yaml}]\n"),
            ("data/c.yaml", data.as_str()),
        ]);
        let (hiera, scope, mut explainer) =
            (Hiera::open(files, "hiera.yaml"), Scope::new(), Explainer::default());
        let answer = hiera.session(&scope).lookup(&Query::new(["k"]), Some(&mut explainer));
        let words = answer.err().map(|error| error.message.clone()).unwrap_or_default();
        format!("{}\n{words}", explainer.text())
    }

    /// Whether a value becomes secret is asked of the type, not of its spelling; a type that nobody knows may do anything.
    #[test]
    fn what_becomes_sensitive_is_not_explained() {
        for secret in [
            "Sensitive",
            "'Sensitive[String]'",
            "['Sensitive[String]']",
            "'Init[Sensitive]'",
            "'Optional[Sensitive]'",
            "'Variant[Integer, Sensitive]'",
            "'Array[Sensitive]'",
            "'Sensitive[Integer]'",
            "'Nobody::Knows'",
            "'Array[Nobody::Knows]'",
            "'Array['",
        ] {
            let text = explained(secret);
            assert!(!text.contains("CANARY"), "{secret}: {text}");
        }
        for plain in ["String", "'Array[String]'", "[String, '%p']"] {
            assert!(explained(plain).contains("CANARY"), "{plain}");
        }
    }
}
