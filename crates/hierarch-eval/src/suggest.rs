//! Hints for names that nothing has: those that look like them, and the module that would bring a function.

use hierarch_pcore::types::BUILTIN_RESOURCES;
use hierarch_source::{Error, nearest};

use crate::evaluator::Evaluator;
use crate::issues;
use crate::load::Loading;
use crate::resource_types::{METAPARAMETERS, ResourceType};
use crate::scope::Frame;

impl Loading<'_> {
    /// Says why nothing can be called by a name: there is no such function, or it is Ruby.
    pub(crate) fn unknown_function(&self, name: &str) -> Error {
        if let Some(source) = self.environment.foreign_function(name) {
            return issues::ruby_function(name, &source.file);
        }
        let error = issues::unknown_function(name);
        if let Some(module) = self.environment.registry().module_of(name) {
            return error.note(issues::function_of_module(name, module));
        }
        let own = self.function_names();
        let built_in = self.environment.registry().all().into_iter().map(|function| function.name);
        let there = built_in.filter(|name| self.environment.built_in(name).is_some());
        hinted(error, "", &nearest(name, there.chain(own.iter().map(String::as_str))))
    }

    /// Returns the error of a resource type that nothing describes.
    pub(crate) fn unknown_resource_type(&self, name: &str) -> Error {
        let near = self.near_resource_types(name);
        hinted(issues::unknown_resource_type(name), "", &near.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Returns the resource types that look like an unknown one.
    pub(crate) fn near_resource_types(&self, name: &str) -> Vec<String> {
        let built_in = BUILTIN_RESOURCES.iter().map(|name| name.to_ascii_lowercase());
        let known: Vec<String> = built_in.chain(self.define_names()).collect();
        nearest(name, known.iter().map(String::as_str)).into_iter().map(str::to_owned).collect()
    }
}

impl Evaluator<'_> {
    /// Adds the variables that look like an unknown one: of the scopes around a place, and of the top, facts included.
    pub(crate) fn hint_variables(&self, error: Error, frame: &Frame, name: &str) -> Error {
        let mut known: Vec<String> = Vec::new();
        let mut next = Some(frame);
        while let Some(frame) = next {
            let slots = frame.unit.slots.iter().zip(self.stack.slots_from(frame.base));
            known.extend(slots.filter(|(_, value)| value.is_some()).map(|(name, _)| name.to_string()));
            next = frame.parent;
        }
        known.extend(self.stack.global_names().map(|name| self.environment.names().text(name).to_string()));
        let bare = name.strip_prefix("::").unwrap_or(name);
        hinted(error, "$", &nearest(bare, known.iter().map(String::as_str)))
    }
}

/// Adds the attributes of a resource type that look like an unknown one.
pub(crate) fn hint_attributes(error: Error, type_: &ResourceType, name: &str) -> Error {
    let known = type_.parameters.iter().map(|name| name.as_str()).chain(METAPARAMETERS);
    hinted(error, "", &nearest(name, known))
}

fn hinted(error: Error, sign: &str, names: &[&str]) -> Error {
    if names.is_empty() { error } else { error.note(issues::did_you_mean(sign, names)) }
}

#[cfg(test)]
mod tests {
    use hierarch_source::Source;

    use crate::environment::Codebase;
    use crate::evaluator::Evaluator;

    fn hint(manifest: &str) -> String {
        let environment = Codebase::default();
        let error =
            Evaluator::new(&environment).compile(&[Source::unnamed(manifest)]).expect_err("a wrong name");
        error.notes.iter().map(|note| note.text.as_str()).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn names_that_look_alike_are_suggested() {
        for (manifest, expected) in [
            ("$port = 1\n$x = $prot", "did you mean $port?"),
            ("$h = {os => {family => 1}}\n$x = $h['oss']['family']", "did you mean os?"),
            ("$h = {os => {family => {}}}\n$x = $h['os']['famly']['x']", "did you mean family?"),
            ("$h = {os => 1}\n$x = $h['network']['x']", ""),
            ("function check() { 1 }\n$x = chek()", "did you mean check?"),
            ("define vhost() { }\nvhots { 'a': }", "did you mean vhost?"),
            ("notfy { 'a': }", "did you mean notify?"),
            ("file { '/a': esnure => present }", "did you mean ensure?"),
            ("$x = $nothing_like_it", ""),
        ] {
            assert_eq!(hint(manifest), expected, "{manifest}");
        }
    }
}
