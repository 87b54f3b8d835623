//! Ruby's core classes: a file each, with a table of methods.

mod array;
mod comparable;
pub(crate) mod encoding;
pub(crate) mod enumerable;
pub(crate) mod enumerator;
mod exception;
pub(crate) mod file;
mod hash;
pub(crate) mod internal;
pub mod known;
mod lazy;
pub mod match_data;
mod method;
pub(crate) mod module;
mod nil;
mod number;
mod object;
mod prelude;
mod proc_;
pub mod random;
mod range;
pub(crate) mod regexp;
mod string;
mod structs;
mod symbol;
mod time;

use std::sync::{LazyLock, OnceLock};

use rustc_hash::FxHashMap;

use crate::run::{Args, Res, Vm};
use crate::value::{ClassRef, Sym, Value};

/// What a method of ours does.
pub type Body = fn(&mut Vm<'_>, &Value, &Args) -> Res;

/// A method of ours.
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// How many arguments it needs.
    pub least: u8,
    /// How many it takes; `-1` is any number.
    pub most: i8,
    /// What it does.
    pub body: Body,
    /// The keywords it takes; without any, keywords are a hash like others.
    pub keywords: &'static [&'static str],
    /// Whether it says that one argument was expected where it takes none as well.
    pub counts_one: bool,
    /// Whether only `self` may call it.
    pub is_private: bool,
    /// Code and what it gives, run by the tests.
    pub examples: &'static [&'static str],
}

/// Makes an entry of a table.
pub const fn m(name: &'static str, least: u8, most: i8, body: Body) -> Builtin {
    Builtin { name, least, most, body, keywords: &[], counts_one: false, is_private: false, examples: &[] }
}

impl Builtin {
    /// Adds examples.
    #[must_use]
    pub const fn gives(self, examples: &'static [&'static str]) -> Self {
        Self { examples, ..self }
    }

    /// Names its keywords, which do not count as arguments then.
    #[must_use]
    pub const fn takes(self, keywords: &'static [&'static str]) -> Self {
        Self { keywords, ..self }
    }

    /// Says that one argument was expected where there are too many, though none will do: Ruby counts so in some methods.
    #[must_use]
    pub const fn counts_one(self) -> Self {
        Self { counts_one: true, ..self }
    }

    /// Makes it private.
    #[must_use]
    pub const fn private(self) -> Self {
        Self { is_private: true, ..self }
    }

    /// Returns its arity as Ruby counts it.
    pub fn arity(&self) -> i64 {
        let least = i64::from(self.least);
        if i64::from(self.most) == least { least } else { -least - 1 }
    }
}

/// A class or module of ours.
pub struct ClassSpec {
    /// Its full name.
    pub name: &'static str,
    /// What it inherits from.
    pub superclass: Option<&'static str>,
    /// Whether it is a module.
    pub is_module: bool,
    /// What it includes.
    pub includes: &'static [&'static str],
    /// Tables of its methods.
    pub methods: &'static [&'static [Builtin]],
    /// Tables of the methods of the class itself.
    pub singleton: &'static [&'static [Builtin]],
    /// Makes an instance for `new` to initialize; inherited.
    pub allocate: Option<fn(&mut Vm<'_>, &ClassRef) -> Res>,
    /// Its constants that are not classes.
    pub constants: &'static [(&'static str, fn(&mut Vm<'_>) -> Res)],
}

/// A class of ours with its methods by name, listed when the first is looked for.
pub struct Table {
    spec: &'static ClassSpec,
    own: OnceLock<FxHashMap<Sym, &'static Builtin>>,
    class: OnceLock<FxHashMap<Sym, &'static Builtin>>,
}

impl std::ops::Deref for Table {
    type Target = ClassSpec;

    fn deref(&self) -> &ClassSpec {
        self.spec
    }
}

impl Table {
    /// Finds a method.
    pub fn method(&self, name: Sym) -> Option<&'static Builtin> {
        self.own.get_or_init(|| indexed(self.spec.methods)).get(&name).copied()
    }

    /// Finds a method of the class itself.
    pub fn singleton_method(&self, name: Sym) -> Option<&'static Builtin> {
        self.class.get_or_init(|| indexed(self.spec.singleton)).get(&name).copied()
    }
}

impl ClassSpec {
    /// A class without anything; tables are added by `..ClassSpec::class("Name")`.
    pub const fn class(name: &'static str) -> Self {
        Self {
            name,
            superclass: Some("Object"),
            is_module: false,
            includes: &[],
            methods: &[],
            singleton: &[],
            allocate: None,
            constants: &[],
        }
    }

    /// A module without anything.
    pub const fn module(name: &'static str) -> Self {
        Self { superclass: None, is_module: true, ..Self::class(name) }
    }

    /// A class of errors.
    pub const fn error(name: &'static str, superclass: &'static str) -> Self {
        Self { superclass: Some(superclass), ..Self::class(name) }
    }
}

fn indexed(tables: &'static [&'static [Builtin]]) -> FxHashMap<Sym, &'static Builtin> {
    tables.iter().flat_map(|table| table.iter()).map(|method| (Sym::of(method.name), method)).collect()
}

/// Tables of the classes of Ruby itself.
static CORE: &[&[&ClassSpec]] = &[
    &[
        &object::BASIC_OBJECT,
        &object::OBJECT,
        &object::KERNEL,
        &object::IO,
        &module::MODULE,
        &module::CLASS,
        &comparable::COMPARABLE,
        &enumerable::ENUMERABLE,
        &enumerator::ENUMERATOR,
        &enumerator::YIELDER,
        &enumerator::SEQUENCE,
        &enumerator::CHAIN,
        &lazy::LAZY,
        &nil::NIL,
        &nil::TRUE,
        &nil::FALSE,
        &number::NUMERIC,
        &number::INTEGER,
        &number::FLOAT,
        &number::RATIONAL,
        &number::MATH,
        &string::STRING,
        &symbol::SYMBOL,
        &array::ARRAY,
        &hash::HASH,
        &range::RANGE,
        &regexp::REGEXP,
        &match_data::MATCH_DATA,
        &proc_::PROC,
        &method::METHOD,
        &method::UNBOUND_METHOD,
        &random::RANDOM,
        &encoding::ENCODING,
        &structs::STRUCT,
        &time::TIME,
        &file::FILE,
        &file::DIR,
        &file::PROCESS,
        &exception::ERRNO,
    ],
    exception::EXCEPTIONS,
];

/// All classes by name, those of libraries included.
static TABLES: LazyLock<FxHashMap<&'static str, Table>> = LazyLock::new(|| {
    let libraries = crate::library::LIBRARIES.iter().map(|library| library.classes);
    let specs = CORE.iter().copied().chain(libraries).flatten();
    specs.map(|spec| (spec.name, Table { spec, own: OnceLock::new(), class: OnceLock::new() })).collect()
});

/// Finds a class by its full name.
pub fn spec(name: &str) -> Option<&'static Table> {
    TABLES.get(name)
}

/// Returns all classes.
pub fn specs() -> impl Iterator<Item = &'static Table> {
    TABLES.values()
}

use array::dig_on as array_dig_on;
use enumerable::to_h as enumerable_to_h;
use number::float_sequence;
use object::{copy_plain as object_copy, names_of as object_names_of};
use string::of_point as string_of_point;
use string::walk_texts as string_walk;

/// Runs a method of arrays on the pairs of a hash.
pub(crate) fn on_pairs(vm: &mut Vm<'_>, me: &Value, name: &str, args: &Args) -> Res {
    if args.block.is_none() && !name.ends_with('?') && name != "sum" {
        return vm.enumerator(me, name, args);
    }
    let list = vm.elements(me)?;
    let list = vm.array(list);
    vm.send_args(&list, Sym::of(name), args.clone())
}
