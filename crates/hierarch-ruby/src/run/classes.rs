//! Classes: how they are made, what they inherit, where their methods are found.

use std::rc::Rc;

use super::{Res, Ruby, Vm};
use crate::core::{self, Table};
use crate::value::class::{Callable, Method, SingletonOwner, Visibility};
use crate::value::{Class, ClassRef, Meta, Sym, Value};

/// The classes of the most frequent values.
#[derive(Clone, Copy)]
pub(crate) enum Plain {
    String,
    Array,
    Hash,
    Integer,
    Float,
    Symbol,
    Nil,
    True,
    False,
    Object,
    TemplateWrapper,
}

impl Plain {
    /// How many there are.
    pub(super) const COUNT: usize = 11;

    fn name(self) -> &'static str {
        match self {
            Self::String => "String",
            Self::Array => "Array",
            Self::Hash => "Hash",
            Self::Integer => "Integer",
            Self::Float => "Float",
            Self::Symbol => "Symbol",
            Self::Nil => "NilClass",
            Self::True => "TrueClass",
            Self::False => "FalseClass",
            Self::Object => "Object",
            Self::TemplateWrapper => "Puppet::Parser::TemplateWrapper",
        }
    }
}

impl Ruby {
    /// Returns a class that comes with Hierarch, by its full name. It is made when it is first asked for.
    pub fn class(&mut self, name: &'static str) -> ClassRef {
        if let Some(class) = self.classes.get(name) {
            return Rc::clone(class);
        }
        match core::spec(name) {
            Some(spec) => self.make(spec),
            // Only a mistake in a table leads here; a plain class is the least harm.
            None => self.class("Object"),
        }
    }

    fn make(&mut self, spec: &'static Table) -> ClassRef {
        let superclass = spec.superclass.map(|name| self.class(name));
        let mut class = Class::new(&self.meter, Some(spec.name.into()), spec.is_module, superclass);
        class.spec = Some(spec);
        let class = Rc::new(class);
        self.classes.insert(spec.name, Rc::clone(&class));
        self.all_classes.push(Rc::clone(&class));
        for module in spec.includes {
            let module = self.class(module);
            class.includes.borrow_mut().push(module);
        }
        self.name_it(spec.name, &class);
        class
    }

    /// Puts a class of ours where scripts find it.
    fn name_it(&mut self, name: &'static str, class: &ClassRef) {
        let value = Value::Class(Rc::clone(class));
        match name.rsplit_once("::") {
            Some((scope, own)) => {
                let scope = self.class(scope);
                scope.constants.borrow_mut().entry(Sym::of(own)).or_insert(value);
            }
            None => {
                let object = self.class("Object");
                object.constants.borrow_mut().entry(Sym::of(name)).or_insert(value);
            }
        }
    }

    /// Makes a class or module of a script.
    pub fn new_class(
        &mut self,
        name: Option<ecow::EcoString>,
        is_module: bool,
        superclass: Option<ClassRef>,
    ) -> ClassRef {
        let class = Rc::new(Class::new(&self.meter, name, is_module, superclass));
        self.all_classes.push(Rc::clone(&class));
        class
    }

    /// Returns the class of a value, its singleton class if it has one.
    #[inline]
    pub fn class_of(&mut self, value: &Value) -> ClassRef {
        match value {
            Value::Object(object) => Rc::clone(&object.class.borrow()),
            Value::Str(text) => self.class_or(&text.meta, Plain::String),
            Value::Array(array) => self.class_or(&array.meta, Plain::Array),
            Value::Hash(hash) => self.class_or(&hash.meta, Plain::Hash),
            Value::Class(class) => self.singleton_of_class(class),
            Value::Nil => self.plain_class(Plain::Nil),
            Value::Bool(true) => self.plain_class(Plain::True),
            Value::Bool(false) => self.plain_class(Plain::False),
            Value::Int(_) | Value::Big(_) => self.plain_class(Plain::Integer),
            Value::Float(_) => self.plain_class(Plain::Float),
            Value::Sym(_) => self.plain_class(Plain::Symbol),
            Value::Range(_) => self.class("Range"),
            Value::Regexp(_) => self.class("Regexp"),
            Value::Proc(_) => self.class("Proc"),
        }
    }

    fn class_or(&mut self, meta: &std::cell::RefCell<Option<Box<Meta>>>, plain: Plain) -> ClassRef {
        if let Some(class) = meta.borrow().as_ref().and_then(|meta| meta.class.clone()) {
            return class;
        }
        self.plain_class(plain)
    }

    /// Returns a class that nearly every call asks for, without a search by name.
    #[inline]
    pub(crate) fn plain_class(&mut self, plain: Plain) -> ClassRef {
        if let Some(class) = &self.plain[plain as usize] {
            return Rc::clone(class);
        }
        let class = self.class(plain.name());
        self.plain[plain as usize] = Some(Rc::clone(&class));
        class
    }

    /// Returns the class of a value as `class` gives it.
    pub fn plain_class_of(&mut self, value: &Value) -> ClassRef {
        match value {
            Value::Class(class) => self.class(if class.is_module { "Module" } else { "Class" }),
            other => self.class_of(other).plain(),
        }
    }

    /// Returns the singleton class of a class, making it if there is none: it inherits from that of the superclass.
    pub fn singleton_of_class(&mut self, class: &ClassRef) -> ClassRef {
        if let Some(singleton) = class.singleton.borrow().clone() {
            return singleton;
        }
        let above = class.superclass.borrow().clone();
        let superclass = match above {
            Some(above) if !class.is_module => self.singleton_of_class(&above),
            _ => self.class(if class.is_module { "Module" } else { "Class" }),
        };
        let mut singleton = Class::new(&self.meter, None, false, Some(superclass));
        singleton.is_singleton = true;
        singleton.spec = class.spec;
        *singleton.attached.borrow_mut() = Some(SingletonOwner::Class(Rc::downgrade(class)));
        let singleton = Rc::new(singleton);
        self.all_classes.push(Rc::clone(&singleton));
        *class.singleton.borrow_mut() = Some(Rc::clone(&singleton));
        singleton
    }

    /// Returns a class and all that it inherits from, in the order in which methods are looked for.
    pub fn ancestors(&mut self, class: &ClassRef) -> Rc<[ClassRef]> {
        if let Some((epoch, list)) = &*class.ancestors.borrow()
            && *epoch == self.epoch
        {
            return Rc::clone(list);
        }
        let mut list = Vec::new();
        Self::gather(class, &mut list);
        let above = class.superclass.borrow().clone();
        if let Some(above) = above {
            let inherited = self.ancestors(&above);
            // A module that the superclass has already is not found a second time.
            list.retain(|one: &ClassRef| {
                !one.is_module || !inherited.iter().any(|known| Rc::ptr_eq(known, one))
            });
            list.extend(inherited.iter().cloned());
        }
        let list: Rc<[ClassRef]> = list.into();
        *class.ancestors.borrow_mut() = Some((self.epoch, Rc::clone(&list)));
        list
    }

    fn gather(class: &ClassRef, list: &mut Vec<ClassRef>) {
        if list.iter().any(|known| Rc::ptr_eq(known, class)) {
            return;
        }
        let prepends = class.prepends.borrow().clone();
        for module in prepends.iter().rev() {
            Self::gather(module, list);
        }
        list.push(Rc::clone(class));
        let includes = class.includes.borrow().clone();
        for module in includes.iter().rev() {
            Self::gather(module, list);
        }
    }

    /// Finds a method.
    #[inline]
    pub fn find_method(&mut self, class: &ClassRef, name: Sym) -> Option<Rc<Method>> {
        {
            let cache = class.cache.borrow();
            if cache.0 == self.epoch
                && let Some(found) = cache.1.get(&name)
            {
                return found.clone();
            }
        }
        let list = self.ancestors(class);
        let found = list.iter().find_map(|one| own_method(one, name)).flatten();
        let mut cache = class.cache.borrow_mut();
        if cache.0 != self.epoch {
            cache.0 = self.epoch;
            cache.1.clear();
        }
        cache.1.insert(name, found.clone());
        found
    }

    /// Finds the method after one, for `super`.
    pub fn find_super(&mut self, class: &ClassRef, owner: &ClassRef, name: Sym) -> Option<Rc<Method>> {
        let list = self.ancestors(class);
        let after = list.iter().position(|one| Rc::ptr_eq(one, owner)).map_or(0, |place| place + 1);
        list[after..].iter().find_map(|one| own_method(one, name)).flatten()
    }

    /// Tells whether a class is another or inherits from it.
    pub fn inherits(&mut self, class: &ClassRef, from: &ClassRef) -> bool {
        if Rc::ptr_eq(class, from) {
            return true;
        }
        self.ancestors(class).iter().any(|one| Rc::ptr_eq(one, from))
    }

    /// Tells whether a value is an instance of a class or module.
    pub fn is_instance(&mut self, value: &Value, class: &ClassRef) -> bool {
        let own = self.class_of(value);
        self.inherits(&own, class)
    }

    /// Puts a method in a class.
    pub fn define(&mut self, class: &ClassRef, name: Sym, visibility: Visibility, body: Callable) {
        self.epoch += 1;
        let method = Method { name, owner: Rc::clone(class), visibility, body };
        class.methods.borrow_mut().insert(name, Some(Rc::new(method)));
    }
}

/// Finds a method in one class alone; the inner nothing is one that was undefined.
pub(crate) fn own_method(class: &ClassRef, name: Sym) -> Option<Option<Rc<Method>>> {
    if let Some(found) = class.methods.borrow().get(&name) {
        return Some(found.clone());
    }
    let spec = class.spec?;
    let builtin = if class.is_singleton { spec.singleton_method(name) } else { spec.method(name) }?;
    let visibility =
        if builtin.is_private && !class.is_singleton { Visibility::Private } else { Visibility::Public };
    let body = Callable::Builtin(builtin);
    Some(Some(Rc::new(Method { name, owner: Rc::clone(class), visibility, body })))
}

impl Vm<'_> {
    /// Returns the singleton class of any value that can have one.
    pub fn singleton_class(&mut self, value: &Value) -> Res<ClassRef> {
        if let Value::Class(class) = value {
            return Ok(self.singleton_of_class(class));
        }
        if matches!(value, Value::Nil | Value::Bool(_)) {
            return Ok(self.class_of(value));
        }
        let class = self.class_of(value);
        if class.is_singleton {
            return Ok(class);
        }
        let shown = self.any_to_s(value);
        let mut singleton = Class::new(&self.meter, None, false, Some(class));
        singleton.is_singleton = true;
        *singleton.attached.borrow_mut() = Some(SingletonOwner::Object(shown));
        let singleton = Rc::new(singleton);
        self.all_classes.push(Rc::clone(&singleton));
        self.set_class(value, Rc::clone(&singleton))?;
        Ok(singleton)
    }

    /// Gives a value a class of its own.
    pub fn set_class(&mut self, value: &Value, class: ClassRef) -> Res<()> {
        let meta = match value {
            Value::Object(object) => {
                *object.class.borrow_mut() = class;
                return Ok(());
            }
            Value::Str(text) => &text.meta,
            Value::Array(array) => &array.meta,
            Value::Hash(hash) => &hash.meta,
            _ => return Err(self.raise("TypeError", "can't define singleton")),
        };
        meta.borrow_mut().get_or_insert_with(|| Box::new(Meta { class: None, ivars: Vec::new() })).class =
            Some(class);
        Ok(())
    }

    /// Returns the name of a value's class.
    pub fn class_name(&mut self, value: &Value) -> ecow::EcoString {
        self.plain_class_of(value).shown()
    }

    /// Tells whether a value answers to a public method.
    pub fn responds(&mut self, value: &Value, name: Sym) -> Res<bool> {
        let class = self.class_of(value);
        if let Some(method) = self.find_method(&class, name) {
            return Ok(method.visibility == Visibility::Public);
        }
        if crate::core::known::has(&mut *self, &class, name) {
            return Ok(true);
        }
        let asks = crate::value::names::RESPOND_TO_MISSING;
        match self.find_method(&class, asks) {
            Some(method) if !matches!(method.body, Callable::Builtin(_)) => {
                Ok(self.send(value, asks, &[Value::Sym(name), Value::Bool(false)])?.truthy())
            }
            _ => Ok(false),
        }
    }
}
