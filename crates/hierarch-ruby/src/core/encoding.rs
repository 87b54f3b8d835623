//! The methods of `Encoding`.

use super::prelude::*;

struct EncodingData(Encoding);

impl Payload for EncodingData {}

static METHODS: &[Builtin] = &[
    m("name", 0, 0, to_s).gives(&["'a'.encoding.name => \"UTF-8\""]),
    m("to_s", 0, 0, to_s),
    m("inspect", 0, 0, |vm, me, _| {
        let name = get(me).name();
        let name = if name == "ASCII-8BIT" { "BINARY (ASCII-8BIT)" } else { name };
        let name = if name.starts_with("BINARY") { "ASCII-8BIT" } else { name };
        Ok(vm.str(format!("#<Encoding:{name}>")))
    }),
    m("ascii_compatible?", 0, 0, |_, me, _| {
        Ok(Value::Bool(!matches!(get(me), Encoding::Utf16Le | Encoding::Utf16Be)))
    }),
    m("==", 1, 1, |_, me, args| {
        Ok(Value::Bool(args.at(0).payload::<EncodingData>().is_some_and(|other| other.0 == get(me))))
    }),
    m("hash", 0, 0, |_, me, _| Ok(Value::Int(get(me) as i64))),
];

static SINGLETON: &[Builtin] = &[
    m("default_external", 0, 0, |vm, _, _| value(vm, Encoding::Utf8)),
    m("default_internal", 0, 0, |_, _, _| Ok(Value::Nil)),
    m("default_external=", 1, 1, |_, _, args| Ok(args.at(0))),
    m("default_internal=", 1, 1, |_, _, args| Ok(args.at(0))),
    m("find", 1, 1, |vm, _, args| {
        let encoding = of(vm, &args.at(0))?;
        value(vm, encoding)
    }),
];

/// `Encoding`
pub(super) static ENCODING: ClassSpec = ClassSpec {
    methods: &[METHODS],
    singleton: &[SINGLETON],
    constants: &[
        ("UTF_8", |vm| value(vm, Encoding::Utf8)),
        ("ASCII_8BIT", |vm| value(vm, Encoding::Binary)),
        ("BINARY", |vm| value(vm, Encoding::Binary)),
        ("US_ASCII", |vm| value(vm, Encoding::Ascii)),
        ("ASCII", |vm| value(vm, Encoding::Ascii)),
        ("ISO_8859_1", |vm| value(vm, Encoding::Latin1)),
        ("UTF_16LE", |vm| value(vm, Encoding::Utf16Le)),
        ("UTF_16BE", |vm| value(vm, Encoding::Utf16Be)),
        ("WINDOWS_1252", |vm| value(vm, Encoding::Windows1252)),
    ],
    ..ClassSpec::class("Encoding")
};

/// Makes an encoding.
pub(super) fn value(vm: &mut Vm<'_>, encoding: Encoding) -> Res {
    let class = vm.class("Encoding");
    let object = Object::with(class, EncodingData(encoding));
    object.frozen.set(true);
    Ok(Value::Object(Rc::new(object)))
}

fn get(me: &Value) -> Encoding {
    me.payload::<EncodingData>().map_or(Encoding::Utf8, |it| it.0)
}

fn to_s(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    Ok(vm.str(get(me).name()))
}

/// Returns the encoding that a value names.
pub(super) fn of(vm: &mut Vm<'_>, named: &Value) -> Res<Encoding> {
    if let Some(it) = named.payload::<EncodingData>() {
        return Ok(it.0);
    }
    let name = vm.to_text(named)?;
    match Encoding::find(&name) {
        Some(encoding) => Ok(encoding),
        None => Err(vm.raise("ArgumentError", format!("unknown encoding name - {name}"))),
    }
}
