//! `Puppet::Parser::TemplateWrapper`: what `self` is in a template.

use std::rc::Rc;
use std::sync::Arc;

use crate::core::ClassSpec;
use crate::run::{Res, Vm};
use crate::syntax::tree::Program;
use crate::value::{Object, Sym, Value};

/// `Puppet::Parser::TemplateWrapper`
pub(super) static TEMPLATE_WRAPPER: ClassSpec = ClassSpec::class("Puppet::Parser::TemplateWrapper");

impl Vm<'_> {
    /// Makes the `self` of a template, with variables as its instance variables.
    pub fn template_wrapper(&mut self, variables: &[(String, hierarch_pcore::Value)]) -> Res {
        let class = self.class("Puppet::Parser::TemplateWrapper");
        let object = Object::new(class);
        for (name, value) in variables {
            let value = self.from_puppet(value)?;
            object.set_ivar(Sym::of(&format!("@{}", as_name(name))), value);
        }
        Ok(Value::Object(Rc::new(object)))
    }

    /// Runs a program as a template is run.
    pub fn run_in_wrapper(&mut self, program: &Arc<Program>, wrapper: Value) -> Res {
        let class = self.class("Puppet::Parser::TemplateWrapper");
        self.run_as(program, wrapper, &class)
    }
}

/// Characters that no variable of Ruby may have become underscores.
fn as_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect()
}
