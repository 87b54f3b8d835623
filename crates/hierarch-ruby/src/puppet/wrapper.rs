//! `Puppet::Parser::TemplateWrapper`: what `self` is in a template.

use std::rc::Rc;
use std::sync::Arc;

use super::{logging, scope};
use crate::core::{Builtin, ClassSpec, m};
use crate::run::{Args, Plain, Res, Vm};
use crate::syntax::tree::Program;
use crate::value::{Object, Payload, Sym, Value};

/// `Puppet::Parser::TemplateWrapper`
pub(super) static TEMPLATE_WRAPPER: ClassSpec = ClassSpec {
    methods: &[METHODS, logging::METHODS],
    ..ClassSpec::class("Puppet::Parser::TemplateWrapper")
};

static METHODS: &[Builtin] = &[
    m("scope", 0, 0, |vm, _, _| Ok(scope::object(vm))),
    m("file", 0, 0, |vm, me, _| Ok(file_of(me).map_or(Value::Nil, |file| vm.str(file)))),
    m("to_s", 0, 0, |vm, me, _| {
        let file = file_of(me).unwrap_or_else(|| "inline".to_owned());
        Ok(vm.str(format!("template[{file}]")))
    }),
    m("has_variable?", 1, 1, has_variable),
    m("instance_variables", 0, 0, |vm, me, _| {
        let own = vm.ivar_names(me);
        let all = std::iter::once(Sym::of("@__scope__")).chain(own).map(Value::Sym).collect();
        Ok(vm.array(all))
    }),
    m("classes", 0, 0, |vm, _, _| {
        let names = vm.puppet("TemplateWrapper#classes", |puppet| puppet.classes())?;
        let names = names.into_iter().map(|name| vm.str(name)).collect();
        Ok(vm.array(names))
    }),
    m("all_tags", 0, 0, |vm, _, _| {
        let tags = vm.puppet("TemplateWrapper#all_tags", |puppet| puppet.all_tags())?;
        super::scope::tag_set(vm, tags)
    }),
    m("tags", 0, 0, |vm, _, _| Err(vm.raise("NotImplementedError", "Call 'all_tags' instead."))),
];

/// What a wrapper knows beside its variables.
struct Wrapper {
    file: Option<String>,
}

impl Payload for Wrapper {}

fn file_of(wrapper: &Value) -> Option<String> {
    wrapper.payload::<Wrapper>()?.file.clone()
}

fn has_variable(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let name = vm.to_s(&args.at(0))?;
    let value = vm.puppet("TemplateWrapper#has_variable?", |puppet| puppet.variable(&name))?;
    Ok(value.is_some_and(|value| !value.is_undef()).into())
}

impl Vm<'_> {
    /// Makes the `self` of a template, with variables as its instance variables.
    pub fn template_wrapper(
        &mut self,
        file: Option<&str>,
        variables: impl IntoIterator<Item = (Sym, hierarch_pcore::Value)>,
    ) -> Res {
        let class = self.plain_class(Plain::TemplateWrapper);
        let object = Object::with(class, Wrapper { file: file.map(str::to_owned) });
        for (name, value) in variables {
            let value = self.from_puppet(&value)?;
            object.set_ivar(name, value);
        }
        Ok(Value::Object(Rc::new(object)))
    }

    /// Runs a program as a template is run.
    pub fn run_in_wrapper(&mut self, program: &Arc<Program>, wrapper: Value) -> Res {
        let class = self.plain_class(Plain::TemplateWrapper);
        self.run_as(program, wrapper, &class)
    }
}

/// Returns what a variable is called in a template: characters that no variable of Ruby may have become underscores.
pub fn instance_variable(name: &str) -> Sym {
    let plain = |c: char| if c.is_alphanumeric() || c == '_' { c } else { '_' };
    Sym::of(&std::iter::once('@').chain(name.chars().map(plain)).collect::<String>())
}
