//! Classes and modules, and the methods in them.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use ecow::EcoString;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::meter::{Meter, Share};
use super::{Proc, Sym, Value};
use crate::core::{Builtin, Table};
use crate::syntax::tree::Define;

/// A class or module.
pub type ClassRef = Rc<Class>;

/// Who may call a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(missing_docs, reason = "Ruby's words")]
pub enum Visibility {
    #[default]
    Public,
    Protected,
    Private,
}

/// What a method does.
#[derive(Clone)]
pub enum Callable {
    /// One of ours.
    Builtin(&'static Builtin),
    /// `def`
    Code(Rc<Code>),
    /// `define_method`
    Block(Rc<Proc>),
    /// `attr_reader`, with the variable's name.
    Reader(Sym),
    /// `attr_writer`, with the variable's name.
    Writer(Sym),
}

/// The code of a `def`, and where it stands.
pub struct Code {
    /// Its text.
    pub define: Arc<Define>,
    /// Where its constants are looked for.
    pub lexical: Rc<Lexical>,
    /// The file it stands in.
    pub file: Arc<str>,
}

/// Modules around a piece of text, the innermost first: where constants are looked for.
pub struct Lexical {
    /// The innermost module.
    pub module: ClassRef,
    /// Those around it.
    pub outer: Option<Rc<Lexical>>,
}

/// A method in a class.
pub struct Method {
    /// Its name where it was defined.
    pub name: Sym,
    /// The class or module it is in.
    pub owner: ClassRef,
    /// Who may call it.
    pub visibility: Visibility,
    /// What it does.
    pub body: Callable,
}

/// A class or module.
pub struct Class {
    /// Its full name, if it has one.
    pub name: RefCell<Option<EcoString>>,
    /// Whether it is a module.
    pub is_module: bool,
    /// What it is the singleton class of.
    pub attached: RefCell<Option<SingletonOwner>>,
    /// What it inherits from.
    pub superclass: RefCell<Option<ClassRef>>,
    /// Modules it includes, the latest last.
    pub includes: RefCell<Vec<ClassRef>>,
    /// Modules that go before it, the latest last.
    pub prepends: RefCell<Vec<ClassRef>>,
    /// Its methods; nothing for one that is undefined.
    pub methods: RefCell<IndexMap<Sym, Option<Rc<Method>>, rustc_hash::FxBuildHasher>>,
    /// Its constants.
    pub constants: RefCell<IndexMap<Sym, Value>>,
    /// `@@x`
    pub class_variables: RefCell<Vec<(Sym, Value)>>,
    /// `@x` of the class itself.
    pub ivars: RefCell<Vec<(Sym, Value)>>,
    /// Its singleton class, made when it is first asked for.
    pub singleton: RefCell<Option<ClassRef>>,
    /// The table of methods that come with Hierarch.
    pub spec: Option<&'static Table>,
    /// Whether the table's methods are those of the class itself.
    pub is_singleton: bool,
    /// Private constants.
    pub private_constants: RefCell<Vec<Sym>>,
    /// Whether it may change.
    pub frozen: Cell<bool>,
    /// Counts its instances.
    pub meter: Rc<Meter>,
    /// What it counts as itself.
    pub share: Share,
    /// Found methods, good as long as nothing is defined anywhere.
    pub cache: RefCell<(u64, FxHashMap<Sym, Option<Rc<Method>>>)>,
    /// Itself and what it inherits from, good as long as nothing is defined anywhere.
    pub ancestors: RefCell<Option<(u64, Rc<[ClassRef]>)>>,
}

/// What a singleton class belongs to.
#[derive(Clone)]
pub enum SingletonOwner {
    /// A class or module.
    Class(std::rc::Weak<Class>),
    /// An object: how it shows itself.
    Object(EcoString),
}

impl Class {
    /// Makes a class or module.
    pub fn new(
        meter: &Rc<Meter>,
        name: Option<EcoString>,
        is_module: bool,
        superclass: Option<ClassRef>,
    ) -> Self {
        Self {
            meter: Rc::clone(meter),
            share: Share::new(meter, 2 * size_of::<Self>()),
            name: RefCell::new(name),
            is_module,
            attached: RefCell::new(None),
            superclass: RefCell::new(superclass),
            includes: RefCell::default(),
            prepends: RefCell::default(),
            methods: RefCell::default(),
            constants: RefCell::default(),
            class_variables: RefCell::default(),
            ivars: RefCell::default(),
            singleton: RefCell::new(None),
            spec: None,
            is_singleton: false,
            private_constants: RefCell::default(),
            frozen: Cell::new(false),
            cache: RefCell::default(),
            ancestors: RefCell::new(None),
        }
    }

    /// Returns its name as it is shown.
    pub fn shown(&self) -> EcoString {
        if let Some(name) = &*self.name.borrow() {
            return name.clone();
        }
        match &*self.attached.borrow() {
            Some(SingletonOwner::Class(class)) => {
                let inner = class.upgrade().map(|class| class.shown()).unwrap_or_default();
                format!("#<Class:{inner}>").into()
            }
            Some(SingletonOwner::Object(shown)) => format!("#<Class:{shown}>").into(),
            None => {
                let kind = if self.is_module { "Module" } else { "Class" };
                format!("#<{kind}:0x{:016x}>", std::ptr::from_ref(self) as usize).into()
            }
        }
    }

    /// Returns the class behind a singleton class.
    pub fn plain(self: &Rc<Self>) -> ClassRef {
        let mut class = Rc::clone(self);
        while class.is_singleton {
            let Some(next) = class.superclass.borrow().clone() else { break };
            class = next;
        }
        class
    }

    /// Lets go of everything, when the run ends: classes hold each other.
    pub fn clear(&self) {
        self.superclass.borrow_mut().take();
        self.includes.borrow_mut().clear();
        self.prepends.borrow_mut().clear();
        let methods = std::mem::take(&mut *self.methods.borrow_mut());
        drop(methods);
        let constants = std::mem::take(&mut *self.constants.borrow_mut());
        drop(constants);
        drop(std::mem::take(&mut *self.class_variables.borrow_mut()));
        drop(std::mem::take(&mut *self.ivars.borrow_mut()));
        drop(self.singleton.borrow_mut().take());
        *self.cache.borrow_mut() = Default::default();
        *self.ancestors.borrow_mut() = None;
    }
}
