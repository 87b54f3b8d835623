//! `Digest`: checksums.

use std::cell::RefCell;
use std::rc::Rc;

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest as _, Sha256, Sha384, Sha512};

use crate::core::{Builtin, ClassSpec, m};
use crate::run::{Args, Res, Vm};
use crate::value::{Encoding, Payload, Text, Value, names};

/// What was fed to a digest so far.
struct DigestInput(RefCell<Vec<u8>>);

impl Payload for DigestInput {}

static METHODS: &[Builtin] = &[
    m("initialize", 0, 1, |_, me, _| {
        if let Some(object) = me.as_object() {
            object.set_payload(DigestInput(RefCell::default()));
        }
        Ok(Value::Nil)
    })
    .private(),
    m("update", 1, 1, update).gives(&["Digest::MD5.new.update('a').hexdigest[0, 4] => \"0cc1\""]),
    m("<<", 1, 1, update),
    m("reset", 0, 0, |_, me, _| {
        if let Some(fed) = me.payload::<DigestInput>() {
            fed.0.borrow_mut().clear();
        }
        Ok(me.clone())
    }),
    m("digest", 0, 1, |vm, me, args| instance(vm, me, args, binary)),
    m("hexdigest", 0, 1, |vm, me, args| instance(vm, me, args, hexadecimal)),
    m("base64digest", 0, 1, |vm, me, args| instance(vm, me, args, base64)),
    m("to_s", 0, 0, |vm, me, args| instance(vm, me, args, hexadecimal)),
    m("block_length", 0, 0, |vm, me, _| {
        Ok(Value::Int(if matches!(name_of(vm, me).as_str(), "SHA384" | "SHA512") { 128 } else { 64 }))
    }),
    m("digest_length", 0, 0, |vm, me, _| {
        let name = name_of(vm, me);
        Ok(sum(&name, b"").len().into())
    }),
    m("==", 1, 1, |vm, me, args| {
        let mine = instance(vm, me, &Args::default(), hexadecimal)?;
        let other = vm.to_s(&args.at(0))?;
        Ok(Value::Bool(vm.to_s(&mine)? == other))
    }),
];

static SINGLETON: &[Builtin] = &[
    m("digest", 1, 1, |vm, me, args| of_class(vm, me, args, binary)),
    m("hexdigest", 1, 1, |vm, me, args| of_class(vm, me, args, hexadecimal))
        .gives(&["Digest::MD5.hexdigest('a') => \"0cc175b9c0f1b6a831c399e269772661\""]),
    m("base64digest", 1, 1, |vm, me, args| of_class(vm, me, args, base64))
        .gives(&["Digest::MD5.base64digest('y') => \"QVKQdpWURg4uSFkikE80XQ==\""]),
    m("file", 1, 1, |vm, me, args| {
        let bytes = crate::core::file::read(vm, &args.at(0))?;
        let digest = vm.send(me, names::NEW, &[])?;
        if let Some(fed) = digest.payload::<DigestInput>() {
            *fed.0.borrow_mut() = bytes;
        }
        Ok(digest)
    }),
];

static DIGEST: ClassSpec = ClassSpec::module("Digest");
static BASE: ClassSpec =
    ClassSpec { methods: &[METHODS], singleton: &[SINGLETON], ..ClassSpec::class("Digest::Base") };
static MD5: ClassSpec = ClassSpec { superclass: Some("Digest::Base"), ..ClassSpec::class("Digest::MD5") };
static SHA1: ClassSpec = ClassSpec { superclass: Some("Digest::Base"), ..ClassSpec::class("Digest::SHA1") };
static SHA256: ClassSpec =
    ClassSpec { superclass: Some("Digest::Base"), ..ClassSpec::class("Digest::SHA256") };
static SHA384: ClassSpec =
    ClassSpec { superclass: Some("Digest::Base"), ..ClassSpec::class("Digest::SHA384") };
static SHA512: ClassSpec =
    ClassSpec { superclass: Some("Digest::Base"), ..ClassSpec::class("Digest::SHA512") };

/// The classes.
pub(super) static CLASSES: &[&ClassSpec] = &[&DIGEST, &BASE, &MD5, &SHA1, &SHA256, &SHA384, &SHA512];

fn sum(name: &str, data: &[u8]) -> Vec<u8> {
    match name {
        "MD5" => Md5::digest(data).to_vec(),
        "SHA1" => Sha1::digest(data).to_vec(),
        "SHA384" => Sha384::digest(data).to_vec(),
        "SHA512" => Sha512::digest(data).to_vec(),
        _ => Sha256::digest(data).to_vec(),
    }
}

fn last_part(name: &str) -> String {
    name.rsplit("::").next().unwrap_or(name).to_owned()
}

fn name_of(vm: &mut Vm<'_>, me: &Value) -> String {
    last_part(&vm.class_name(me))
}

fn update(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let more = vm.to_str(&args.at(0))?;
    if let Some(fed) = me.payload::<DigestInput>() {
        vm.check_size(fed.0.borrow().len() + more.bytes().len())?;
        fed.0.borrow_mut().extend_from_slice(more.bytes());
    }
    Ok(me.clone())
}

type Show = fn(&mut Vm<'_>, &[u8]) -> Value;

fn instance(vm: &mut Vm<'_>, me: &Value, args: &Args, show: Show) -> Res {
    let name = name_of(vm, me);
    let data = match args.get(0) {
        Some(text) => vm.to_str(text)?.bytes().to_vec(),
        None => me.payload::<DigestInput>().map(|fed| fed.0.borrow().clone()).unwrap_or_default(),
    };
    Ok(show(vm, &sum(&name, &data)))
}

fn of_class(vm: &mut Vm<'_>, me: &Value, args: &Args, show: Show) -> Res {
    let Value::Class(class) = me else { return Ok(Value::Nil) };
    let name = last_part(&Rc::clone(class).shown());
    let text = vm.to_str(&args.at(0))?;
    Ok(show(vm, &sum(&name, text.bytes())))
}

fn binary(vm: &mut Vm<'_>, bytes: &[u8]) -> Value {
    vm.binary(bytes.to_vec())
}

fn hexadecimal(vm: &mut Vm<'_>, bytes: &[u8]) -> Value {
    let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    vm.text(Text::Bytes(text.into_bytes(), Encoding::Ascii))
}

fn base64(vm: &mut Vm<'_>, bytes: &[u8]) -> Value {
    vm.str(hierarch_pcore::value::Binary::new(bytes).base64())
}
