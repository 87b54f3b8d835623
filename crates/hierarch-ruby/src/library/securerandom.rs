//! `SecureRandom`: chance from the host.

use crate::core::{Builtin, ClassSpec, m};
use crate::run::{Args, Res, Vm};
use crate::value::{Sym, Value};

static SINGLETON: &[Builtin] = &[
    m("hex", 0, 1, |vm, _, args| {
        let bytes = bytes(vm, args)?;
        let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(vm.str(text))
    })
    .gives(&["SecureRandom.hex(4).length => 8"]),
    m("bytes", 0, 1, |vm, _, args| {
        let bytes = bytes(vm, args)?;
        Ok(vm.binary(bytes))
    }),
    m("random_bytes", 0, 1, |vm, _, args| {
        let bytes = bytes(vm, args)?;
        Ok(vm.binary(bytes))
    }),
    m("base64", 0, 1, |vm, _, args| {
        let bytes = bytes(vm, args)?;
        Ok(vm.str(hierarch_pcore::value::Binary::new(bytes).base64()))
    }),
    m("urlsafe_base64", 0, 2, |vm, _, args| {
        let bytes = bytes(vm, args)?;
        let text = hierarch_pcore::value::Binary::new(bytes).base64_url();
        Ok(vm.str(text.trim_end_matches('=')))
    }),
    m("uuid", 0, 0, uuid).gives(&["SecureRandom.uuid.length => 36"]),
    m("alphanumeric", 0, 1, alphanumeric).gives(&["SecureRandom.alphanumeric(5).length => 5"]),
    m("random_number", 0, 1, random_number),
    m("rand", 0, 1, random_number),
];

static SECURE_RANDOM: ClassSpec = ClassSpec { singleton: &[SINGLETON], ..ClassSpec::module("SecureRandom") };

/// The classes.
pub(super) static CLASSES: &[&ClassSpec] = &[&SECURE_RANDOM];

fn count(vm: &mut Vm<'_>, args: &Args) -> Res<usize> {
    let count = if args.at(0).is_nil() { 16 } else { usize::try_from(args.int(vm, 0)?).unwrap_or(0) };
    vm.check_size(count.saturating_mul(2))?;
    Ok(count)
}

fn bytes(vm: &mut Vm<'_>, args: &Args) -> Res<Vec<u8>> {
    let count = count(vm, args)?;
    let mut list = Vec::with_capacity(count + 8);
    while list.len() < count {
        vm.step()?;
        list.extend(vm.host.chance().to_le_bytes());
    }
    list.truncate(count);
    Ok(list)
}

fn uuid(vm: &mut Vm<'_>, _: &Value, _: &Args) -> Res {
    let mut bytes = bytes(vm, &Args::default())?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(vm.str(format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])))
}

fn alphanumeric(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let bytes = bytes(vm, args)?;
    let text: String =
        bytes.iter().map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()])).collect();
    Ok(vm.str(text))
}

fn random_number(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let class = Value::Class(vm.class("Random"));
    let seed = Value::from(i128::from(vm.host.chance()));
    let random = vm.send(&class, Sym::of("new"), &[seed])?;
    vm.send_args(&random, Sym::of("rand"), args.clone())
}
