//! Hints for names that nothing has: those that look like them, and the module that would bring a function.

use hierarch_pcore::Value;
use hierarch_pcore::types::BUILTIN_RESOURCES;
use hierarch_source::{Error, nearest};

use crate::access::is_plain;
use crate::code::{Id, Instruction, Item};
use crate::evaluator::Evaluator;
use crate::load::Loading;
use crate::resource_types::{METAPARAMETERS, ResourceType};
use crate::scope::Frame;
use crate::{Unwind, issues};

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

impl Evaluator<'_> {
    /// Adds to a failure the keys that look like one that an operand asks for in vain: in `upcase($facts['osfamly'])`,
    /// those of `$facts`. Only the innermost expression that failed is looked at.
    #[cold]
    pub(crate) fn hint_operands(&mut self, frame: &Frame, id: Id, unwind: Unwind) -> Unwind {
        let Unwind::Error(error) = unwind else { return unwind };
        // A name that nothing has is hinted at by itself.
        if error.has_detail(issues::INNERMOST) || error.code.starts_with("UNKNOWN_") {
            return error.into();
        }
        let found = operands(frame, id).into_iter().find_map(|operand| self.near_keys(frame, operand));
        hinted_keys(error, &found.unwrap_or_default()).detail(issues::INNERMOST, "").into()
    }

    /// Returns the keys that look like the one that an expression asks for in vain.
    fn near_keys(&mut self, frame: &Frame, id: Id) -> Option<Vec<String>> {
        let (container, path) = self.asked_key(frame, id)?;
        let mut value = container;
        for key in path {
            let Value::Hash(hash) = &value else { return None };
            let Some(found) = hash.get(&key) else {
                let near = nearest(key.as_str()?, hash.keys().filter_map(Value::as_str));
                return (!near.is_empty()).then(|| near.into_iter().map(str::to_owned).collect());
            };
            value = found.clone();
        }
        None
    }

    /// Returns what an expression looks into, and the keys that lead on from there: `$h['a']`, `$h.get('a.b')`,
    /// `$h.dig('a', 'b')`. Only what can be evaluated again without effect is.
    fn asked_key(&mut self, frame: &Frame, id: Id) -> Option<(Value, Vec<Value>)> {
        let (container, keys): (Id, Vec<Id>) = match frame.code.node(id) {
            Instruction::Access { left, keys } => (*left, keys.to_vec()),
            Instruction::Method(site) => {
                (site.receiver.id, site.arguments.iter().map(|item| item.id).collect())
            }
            _ => return None,
        };
        if !is_plain(frame, container) || !keys.iter().all(|key| is_plain(frame, *key)) {
            return None;
        }
        let container = self.eval(frame, container).ok()?;
        let keys: Vec<Value> =
            keys.iter().map(|key| self.eval(frame, *key)).collect::<Result<_, _>>().ok()?;
        let name = match frame.code.node(id) {
            Instruction::Method(site) => self.environment.names().text(site.name).to_string(),
            _ => String::new(),
        };
        let path = match (name.as_str(), &keys[..]) {
            ("get", [Value::String(path), ..]) => path.split('.').map(Value::from).collect(),
            ("dig", _) => keys,
            ("", [_]) => keys,
            _ => return None,
        };
        Some((container, path))
    }
}

/// Returns the expressions that an expression works on.
fn operands(frame: &Frame, id: Id) -> Vec<Id> {
    let ids = |items: &[Item]| items.iter().map(|item| item.id).collect::<Vec<_>>();
    match frame.code.node(id) {
        Instruction::Call(site) => ids(&site.arguments),
        Instruction::Method(site) => [vec![site.receiver.id], ids(&site.arguments)].concat(),
        Instruction::New { arguments, .. } => ids(arguments),
        Instruction::Arithmetic { left, right, .. }
        | Instruction::Compare { left, right, .. }
        | Instruction::Match { left, right, .. }
        | Instruction::In { left, right } => vec![*left, *right],
        Instruction::Minus(operand) | Instruction::Unfold(operand) => vec![*operand],
        Instruction::Resource(site) => {
            let operations = site.bodies.iter().flat_map(|body| &body.operations);
            operations.map(|operation| operation.value).collect()
        }
        _ => Vec::new(),
    }
}

fn hinted_keys(error: Error, near: &[String]) -> Error {
    hinted(error, "", &near.iter().map(String::as_str).collect::<Vec<_>>())
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
            ("$h = {os => {family => 1}}\n$x = 1 + $h['os']['famly']", "did you mean family?"),
            ("$h = {os => {family => 1}}\n$x = $h['oss'] + 1", "did you mean os?"),
            ("$h = {os => 1}\n$x = $h['os'] + []", ""),
            ("$h = {os => 1}\nclass c(String $p) { }\nclass { 'c': p => $h['oss'] }", "did you mean os?"),
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
