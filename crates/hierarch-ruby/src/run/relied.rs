//! Methods of core classes that are carried out without a search for them, everywhere: a script that defines one of them
//! anew is refused, because its definition would count in some places and not in others.

use super::{Res, Vm};
use crate::value::{ClassRef, Sym, names};

const NUMBER: &[Sym] = &[
    names::PLUS,
    names::MINUS,
    names::LT,
    names::LE,
    names::GT,
    names::GE,
    names::EQ,
    names::NEQ,
    names::CMP,
    names::EQL,
    names::HASH,
    names::NOT,
];
const PLAIN: &[Sym] = &[names::EQ, names::NEQ, names::CMP, names::EQL, names::HASH, names::NOT];
const LIST: &[Sym] = &[names::EQ, names::NEQ, names::CMP, names::EQL, names::HASH, names::NOT, names::EACH];
const TRUTH: &[Sym] = &[names::EQ, names::NEQ, names::NOT];

/// The methods, by class.
const RELIED_ON: &[(&str, &[Sym])] = &[
    ("Integer", NUMBER),
    ("Float", NUMBER),
    ("String", PLAIN),
    ("Symbol", PLAIN),
    ("Array", LIST),
    ("Hash", LIST),
    ("Range", &[names::EACH, names::NOT]),
    ("Regexp", &[names::NOT]),
    ("Proc", &[names::NOT]),
    ("NilClass", TRUTH),
    ("TrueClass", TRUTH),
    ("FalseClass", TRUTH),
];

impl Vm<'_> {
    /// Refuses a method that would not be called where it should be.
    pub(crate) fn may_define(&mut self, class: &ClassRef, name: Sym) -> Res<()> {
        let Some(spec) = class.spec.filter(|_| !class.is_singleton) else { return Ok(()) };
        let relied_on = RELIED_ON.iter().find(|(known, _)| *known == spec.name).map(|(_, names)| *names);
        if relied_on.is_some_and(|names| names.contains(&name)) {
            return Err(self.unsupported(&format!("new definition of {}#{name}", spec.name)));
        }
        Ok(())
    }

    /// Refuses a module that would stand before a class and hide such methods.
    pub(crate) fn may_prepend(&mut self, class: &ClassRef, module: &ClassRef) -> Res<()> {
        let names: Vec<Sym> = module.methods.borrow().keys().copied().collect();
        names.into_iter().try_for_each(|name| self.may_define(class, name))
    }
}

#[cfg(test)]
mod tests {
    use super::RELIED_ON;
    use crate::ScriptLimits;

    fn outcome(code: &str) -> String {
        crate::run::outcome(code, ScriptLimits::default()).unwrap_or_else(|failure| failure.to_string())
    }

    /// Whatever way it is defined, a method that would be passed over is refused by name, and a script cannot rescue that.
    #[test]
    fn what_would_be_passed_over_is_refused() {
        for (class, names) in RELIED_ON {
            for name in *names {
                let ways = [
                    format!("class ::{class}; def {name}(*a) = 1; end"),
                    format!("::{class}.define_method(:{name}) {{ |*a| 1 }}"),
                    format!("::{class}.class_eval {{ def {name}(*a) = 1 }}"),
                    format!("class ::{class}; def one(*a) = 1; alias {name} one; end"),
                    format!("class ::{class}; def one(*a) = 1; alias_method :{name}, :one; end"),
                    format!("::{class}.prepend(Module.new {{ def {name}(*a) = 1 }})"),
                    format!("class ::{class}; undef_method :{name}; end"),
                    format!("class ::{class}; private :{name}; end"),
                ];
                for way in ways {
                    let refused = format!("new definition of {class}#{name} is not known to Hierarch");
                    let shown = outcome(&format!("begin; {way}; rescue Exception; 'rescued'; end"));
                    assert!(shown.contains(&refused), "{way}: {shown}");
                }
            }
        }
    }

    /// Other methods of core classes, and those of classes that inherit from them, may be defined.
    #[test]
    fn what_is_asked_for_may_be_defined() {
        let programs = [
            ("class ::Integer; def double = self * 2; end; 4.double", "8"),
            ("class ::Integer; def *(o) = 'times'; end; x = 4; x * 2", "\"times\""),
            ("class ::Integer; def to_s = 'whole'; end; 4.to_s", "\"whole\""),
            ("class ::String; def shout = upcase + '!'; end; 'a'.shout", "\"A!\""),
            ("class ::String; def +(o) = 'plus'; end; 'a' + 'b'", "\"plus\""),
            ("class ::Hash; def [](k) = 'entry'; end; h = { 'a' => 1 }; h['a']", "\"entry\""),
            ("class ::Array; def sum = 'all'; end; [1].sum", "\"all\""),
            ("class ::NilClass; def empty? = true; end; nil.empty?", "true"),
            ("class Money < ::String; def ==(o) = true; end; Money.new('a') == 'b'", "true"),
            (
                "class List < ::Array; def each = yield(7); end; r = []; List.new.each { |x| r << x }; r",
                "[7]",
            ),
            (
                "class Price; def +(o) = 'sum'; def ==(o) = true; end; [Price.new + 1, Price.new == 2]",
                "[\"sum\", true]",
            ),
        ];
        for (code, shown) in programs {
            assert_eq!(outcome(code), shown, "{code}");
        }
    }
}
