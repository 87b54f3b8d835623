//! Values of Puppet that Ruby has no class for: types and references, Sensitive, versions, times, binaries, objects.

use std::rc::Rc;

use hierarch_pcore::types::Kind;
use hierarch_pcore::value::SemVer;
use hierarch_pcore::{Type, Value as Pcore};

use crate::core::{Builtin, ClassSpec, m};
use crate::run::{Args, Res, Vm};
use crate::value::convert::Foreign;
use crate::value::{Object, Sym, Value};

/// A class whose instances are values of Puppet.
const fn class(name: &'static str, methods: &'static [&'static [Builtin]]) -> ClassSpec {
    ClassSpec { methods, ..ClassSpec::class(name) }
}

/// The classes of values that are not types.
pub(crate) static CLASSES: &[&ClassSpec] = &[
    &ClassSpec {
        methods: &[COMMON, SENSITIVE],
        singleton: &[SENSITIVE_CLASS],
        ..ClassSpec::class("Puppet::Pops::Types::PSensitiveType::Sensitive")
    },
    &ClassSpec {
        methods: &[COMMON, BINARY],
        singleton: &[BINARY_CLASS],
        ..ClassSpec::class("Puppet::Pops::Types::PBinaryType::Binary")
    },
    &class("Puppet::Pops::Time::Timestamp", &[COMMON, TIME]),
    &class("Puppet::Pops::Time::Timespan", &[COMMON, TIME]),
    &ClassSpec {
        methods: &[COMMON, VERSION],
        singleton: &[VERSION_CLASS],
        includes: &["Comparable"],
        ..ClassSpec::class("SemanticPuppet::Version")
    },
    &class("SemanticPuppet::VersionRange", &[COMMON, RANGE]),
    &class("Puppet::Pops::Types::PuppetObject", &[COMMON, OBJECT]),
    &ClassSpec {
        methods: &[COMMON, ITERATOR],
        includes: &["Enumerable"],
        ..ClassSpec::class("Puppet::Pops::Types::Iterator")
    },
    &ClassSpec { singleton: &[PARSER], ..ClassSpec::class("Puppet::Pops::Types::TypeParser") },
];

static ITERATOR: &[Builtin] = &[m("each", 0, 0, |vm, me, args| {
    if args.block.is_none() {
        return vm.enumerator(me, "each", args);
    }
    let block = args.block(vm)?;
    let Pcore::Foreign(foreign) = of(me) else { return Ok(Value::Nil) };
    let Some(elements) = foreign.elements() else { return Ok(Value::Nil) };
    for element in elements {
        vm.step()?;
        let element = element.map_err(|error| vm.raise_puppet(error))?;
        let element = vm.from_puppet(&element)?;
        vm.call_block(&block, &[element])?;
    }
    Ok(me.clone())
})];

/// The parser is the class itself: there is one.
static PARSER: &[Builtin] = &[
    m("singleton", 0, 0, |_, me, _| Ok(me.clone())),
    m("new", 0, -1, |_, me, _| Ok(me.clone())),
    m("parse", 1, 2, parse_type),
];

fn parse_type(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let text = args.text(vm, 0)?;
    let parsed = vm.puppet("TypeParser#parse", |puppet| puppet.parse_type(&text))?;
    match parsed {
        Ok(type_) => vm.from_puppet(&type_.into()),
        Err(error) => Err(vm.raise_puppet(error)),
    }
}

/// Makes the classes of types: one per name, all of them alike.
macro_rules! type_classes {
    ($($name:literal),* $(,)?) => {
        /// The classes of types.
        pub(crate) static TYPES: &[&ClassSpec] = &[
            &class("Puppet::Pops::Types::PAnyType", &[COMMON, TYPE]),
            $(&ClassSpec {
                superclass: Some("Puppet::Pops::Types::PAnyType"),
                ..ClassSpec::class(concat!("Puppet::Pops::Types::P", $name, "Type"))
            },)*
        ];
    };
}

type_classes! {
    "Undef", "Unit", "Default", "Scalar", "ScalarData", "Numeric", "Integer", "Float", "Boolean", "String", "Enum", "Pattern",
    "Regexp", "Collection", "Array", "Tuple", "Hash", "Struct", "Iterable", "Iterator", "Type", "NotUndef", "Optional",
    "Variant", "Sensitive", "Binary", "SemVer", "SemVerRange", "Timestamp", "Timespan", "URI", "Callable", "CatalogEntry",
    "Class", "Resource", "Runtime", "Object", "TypeSet", "TypeAlias", "TypeReference", "Init",
}

static COMMON: &[Builtin] = &[
    m("to_s", 0, 0, |vm, me, _| Ok(vm.str(of(me).to_plain()))),
    m("inspect", 0, 0, |vm, me, _| {
        let shown = match of(me) {
            Pcore::Sensitive(_) => "#<Sensitive [value redacted]>".to_owned(),
            other => other.to_plain(),
        };
        Ok(vm.str(shown))
    }),
    m("==", 1, 1, |_, me, args| Ok(is_equal(me, &args.at(0)).into())),
    m("eql?", 1, 1, |_, me, args| Ok(is_equal(me, &args.at(0)).into())),
];

static SENSITIVE_CLASS: &[Builtin] = &[m("new", 1, 1, |vm, _, args| {
    let inner = vm.to_puppet(&args.at(0))?;
    vm.from_puppet(&match inner {
        Pcore::Sensitive(_) => inner,
        other => Pcore::Sensitive(other.into()),
    })
})];

static SENSITIVE: &[Builtin] = &[m("unwrap", 0, 1, |vm, me, _| match of(me) {
    Pcore::Sensitive(inner) => vm.from_puppet(&inner),
    _ => Ok(Value::Nil),
})];

static BINARY_CLASS: &[Builtin] = &[
    m("from_binary_string", 1, 1, |vm, _, args| {
        let bytes = match args.at(0) {
            Value::Str(text) => text.text().bytes().to_vec(),
            other => vm.to_text(&other)?.as_bytes().to_vec(),
        };
        vm.from_puppet(&Pcore::Binary(hierarch_pcore::value::Binary::new(bytes).into()))
    }),
    m("from_base64", 1, 1, from_base64),
    m("from_base64_strict", 1, 1, from_base64),
];

fn from_base64(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let decoded = vm.send(&args.at(0), Sym::of("unpack1"), &[vm.str("m")])?;
    let Value::Str(text) = decoded else { return Ok(Value::Nil) };
    let bytes = text.text().bytes().to_vec();
    vm.from_puppet(&Pcore::Binary(hierarch_pcore::value::Binary::new(bytes).into()))
}

static BINARY: &[Builtin] = &[
    m("binary_buffer", 0, 0, |vm, me, _| match of(me) {
        Pcore::Binary(binary) => Ok(vm.binary(binary.bytes().to_vec())),
        _ => Ok(Value::Nil),
    }),
    m("length", 0, 0, |_, me, _| match of(me) {
        Pcore::Binary(binary) => Ok(binary.bytes().len().into()),
        _ => Ok(Value::Nil),
    }),
];

static TIME: &[Builtin] = &[
    m("to_i", 0, 0, |_, me, _| Ok(seconds(&of(me)).into())),
    m("to_f", 0, 0, |_, me, _| Ok(fraction(&of(me)).into())),
    m("format", 1, 2, format),
    m("strftime", 1, 2, format),
];

static VERSION: &[Builtin] = &[
    m("major", 0, 0, |_, me, _| part(me, |version| version.major)),
    m("minor", 0, 0, |_, me, _| part(me, |version| version.minor)),
    m("patch", 0, 0, |_, me, _| part(me, |version| version.patch)),
    m("<=>", 1, 1, |_, me, args| {
        let (Pcore::SemVer(own), Pcore::SemVer(other)) = (of(me), of(&args.at(0))) else {
            return Ok(Value::Nil);
        };
        Ok(Value::Int(own.precedence(&other) as i64))
    }),
];

static VERSION_CLASS: &[Builtin] = &[m("parse", 1, 1, |vm, _, args| {
    let text = args.text(vm, 0)?;
    match SemVer::parse(&text) {
        Ok(version) => vm.from_puppet(&Pcore::SemVer(version.into())),
        Err(error) => Err(vm.raise("ArgumentError", error.message.clone())),
    }
})];

static RANGE: &[Builtin] = &[m("include?", 1, 1, |_, me, args| {
    let (Pcore::SemVerRange(range), Pcore::SemVer(version)) = (of(me), of(&args.at(0))) else {
        return Ok(false.into());
    };
    Ok(range.includes(&version).into())
})];

static OBJECT: &[Builtin] = &[m("method_missing", 1, -1, |vm, me, args| {
    let name = vm.to_s(&args.at(0))?;
    let found = match of(me) {
        Pcore::Object(object) => object.get(&name),
        _ => None,
    };
    match found {
        Some(value) => vm.from_puppet(&value),
        None => Err(vm.no_method(me, Sym::of(&name), crate::run::Form::Explicit)),
    }
})];

static TYPE: &[Builtin] = &[
    m("type_name", 0, 0, |vm, me, _| match of(me) {
        Pcore::Type(type_) => match type_.kind() {
            Kind::Resource(resource) => {
                Ok(resource.type_name().map_or(Value::Nil, |name| vm.str(capitalized(name))))
            }
            _ => Ok(Value::Nil),
        },
        _ => Ok(Value::Nil),
    }),
    m("title", 0, 0, |vm, me, _| match of(me) {
        Pcore::Type(type_) => match type_.kind() {
            Kind::Resource(resource) => {
                Ok(resource.title().map_or(Value::Nil, |title| vm.str(title.clone())))
            }
            _ => Ok(Value::Nil),
        },
        _ => Ok(Value::Nil),
    }),
    m("class_name", 0, 0, |vm, me, _| match of(me) {
        Pcore::Type(type_) => match type_.kind() {
            Kind::Class(class) => Ok(class.class().map_or(Value::Nil, |name| vm.str(name.clone()))),
            _ => Ok(Value::Nil),
        },
        _ => Ok(Value::Nil),
    }),
    m("element_type", 0, 0, |vm, me, _| match of(me) {
        Pcore::Type(type_) => match type_.kind() {
            Kind::Array(array) => vm.from_puppet(&array.of().clone().into()),
            _ => Ok(Value::Nil),
        },
        _ => Ok(Value::Nil),
    }),
    m("from", 0, 0, |_, me, _| Ok(bound(me, |integer| integer.min))),
    m("to", 0, 0, |_, me, _| Ok(bound(me, |integer| integer.max))),
    m("instance?", 1, 1, |vm, me, args| {
        let value = vm.to_puppet(&args.at(0))?;
        Ok(matches!(of(me), Pcore::Type(type_) if type_.has(&value)).into())
    }),
];

/// Returns the value that an object stands for.
fn of(object: &Value) -> Pcore {
    object.payload::<Foreign>().map(|foreign| foreign.0.clone()).unwrap_or_default()
}

fn is_equal(me: &Value, other: &Value) -> bool {
    other.payload::<Foreign>().is_some_and(|other| other.0 == of(me))
}

fn seconds(time: &Pcore) -> i64 {
    let seconds = match time {
        Pcore::Timestamp(time) => time.seconds(),
        Pcore::Timespan(span) => span.seconds(),
        _ => 0,
    };
    i64::try_from(seconds).unwrap_or(i64::MAX)
}

fn fraction(time: &Pcore) -> f64 {
    match time {
        Pcore::Timestamp(time) => time.0 as f64 / 1e9,
        Pcore::Timespan(span) => span.0 as f64 / 1e9,
        _ => 0.0,
    }
}

fn format(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let pattern = args.text(vm, 0)?;
    let written = match of(me) {
        Pcore::Timestamp(time) => time.format(&pattern, None),
        Pcore::Timespan(span) => span.format(&pattern),
        _ => Ok(String::new()),
    };
    match written {
        Ok(text) => Ok(vm.str(text)),
        Err(error) => Err(vm.raise("ArgumentError", error.message.clone())),
    }
}

fn part(me: &Value, get: fn(&SemVer) -> u64) -> Res {
    match of(me) {
        Pcore::SemVer(version) => Ok(Value::Int(get(&version) as i64)),
        _ => Ok(Value::Nil),
    }
}

fn bound(me: &Value, get: fn(&hierarch_pcore::types::IntegerType) -> Option<i64>) -> Value {
    match of(me) {
        Pcore::Type(type_) => match type_.kind() {
            Kind::Integer(integer) => get(integer).into(),
            _ => Value::Nil,
        },
        _ => Value::Nil,
    }
}

pub(super) fn capitalized(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|first| first.to_uppercase().chain(letters).collect::<String>())
            .unwrap_or_default()
    };
    name.split("::").map(word).collect::<Vec<_>>().join("::")
}

/// Returns the name of the class that a value has in Ruby.
fn class_of(value: &Pcore) -> &'static str {
    match value {
        Pcore::Sensitive(_) => "Puppet::Pops::Types::PSensitiveType::Sensitive",
        Pcore::Binary(_) => "Puppet::Pops::Types::PBinaryType::Binary",
        Pcore::SemVer(_) => "SemanticPuppet::Version",
        Pcore::SemVerRange(_) => "SemanticPuppet::VersionRange",
        Pcore::Timestamp(_) => "Puppet::Pops::Time::Timestamp",
        Pcore::Timespan(_) => "Puppet::Pops::Time::Timespan",
        Pcore::Type(type_) => class_of_type(type_),
        Pcore::Object(_) => "Puppet::Pops::Types::PuppetObject",
        Pcore::Foreign(foreign) if foreign.inferred() == Type::lookup_context() => {
            "Puppet::Pops::Lookup::Context"
        }
        _ => "Puppet::Pops::Types::Iterator",
    }
}

fn class_of_type(type_: &Type) -> &'static str {
    let name = format!("Puppet::Pops::Types::P{}Type", type_.name());
    TYPES.iter().find(|class| class.name == name).map_or("Puppet::Pops::Types::PAnyType", |class| class.name)
}

impl Vm<'_> {
    /// Makes a value of Ruby as old functions know it: a reference is a resource to them.
    pub(crate) fn from_puppet_old(&mut self, value: &Pcore) -> Res {
        match value {
            Pcore::Type(type_) => match super::resource::reference(type_) {
                Some(name) => {
                    Ok(super::resource::object(self, "Puppet::Resource", name, hierarch_pcore::Hash::new()))
                }
                None => self.from_puppet(value),
            },
            Pcore::Array(items) => {
                let items = items.iter().map(|item| self.from_puppet_old(item)).collect::<Res<Vec<_>>>()?;
                Ok(self.array(items))
            }
            other => self.from_puppet(other),
        }
    }

    /// Makes an object around a value that Ruby has no class of its own for.
    pub(crate) fn foreign(&mut self, value: &Pcore) -> Res {
        let class = self.class(class_of(value));
        Ok(Value::Object(Rc::new(Object::with(class, Foreign(value.clone())))))
    }
}
