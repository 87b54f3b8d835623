//! `stdlib::crc32`, `stdlib::sha256` and `fqdn_uuid`: checksums and what is made of them.

use sha1::{Digest, Sha1};
use sha2::Sha256;

use crate::prelude::*;
use crate::ruby::{hexadecimal, implicit_text};

/// The name space of host names that version 5 identifiers are made in.
const DNS: [u8; 16] =
    [0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8];

/// The function `stdlib::crc32`.
pub(super) static CRC32: Function = Function {
    name: "stdlib::crc32",
    doc: "Returns the CRC-32 checksum of the text of a value in hexadecimal digits. What is Sensitive is looked into.",
    dispatches: &[on(
        &["Variant[ScalarData, Sensitive[ScalarData], Binary, Sensitive[Binary]] my_data"],
        crc32,
    )
    .returns("String")],
    examples: &[
        Gives("stdlib::crc32('abc')", "'352441c2'"),
        Fails("stdlib::crc32([1])", "parameter 'my_data' expects a value of type"),
    ],
};

/// The function `stdlib::sha256`.
pub(super) static SHA256: Function = Function {
    name: "stdlib::sha256",
    doc: "Returns the SHA-256 checksum of the text of a value in hexadecimal digits. What is Sensitive is looked into.",
    dispatches: &[on(
        &["Variant[ScalarData, Sensitive[ScalarData], Binary, Sensitive[Binary]] my_data"],
        sha256,
    )
    .returns("String")],
    examples: &[
        Gives("stdlib::sha256(Sensitive('abc'))[0, 8]", "'ba7816bf'"),
        Fails("stdlib::sha256([1])", "parameter 'my_data' expects a value of type"),
    ],
};

/// The function `fqdn_uuid`.
pub(super) static FQDN_UUID: Function = Function {
    name: "fqdn_uuid",
    doc: "Returns the unique identifier (version 5) of a host name.",
    dispatches: &[legacy(-1, fqdn_uuid)],
    examples: &[
        Gives("fqdn_uuid('puppetlabs.com')", "'9c70320f-6815-5fc5-ab0f-debe68bf764c'"),
        Fails("fqdn_uuid()", "fqdn_uuid: No arguments given"),
    ],
};

fn crc32(call: &mut Call) -> Result<Value> {
    call.count_slow_work()?;
    Ok(format!("{:x}", crc(text(call).as_bytes())).into())
}

fn sha256(call: &mut Call) -> Result<Value> {
    call.count_slow_work()?;
    Ok(hexadecimal(&Sha256::digest(text(call))).into())
}

fn text(call: &Call) -> String {
    match call.value(0) {
        Value::Sensitive(value) => ruby_text(value),
        value => ruby_text(value),
    }
}

/// Returns the checksum that archives use.
fn crc(bytes: &[u8]) -> u32 {
    let turn = |rest: u32| if rest & 1 == 1 { rest >> 1 ^ 0xedb8_8320 } else { rest >> 1 };
    let add = |sum: u32, byte: &u8| (0..8).fold(sum ^ u32::from(*byte), |rest, _| turn(rest));
    !bytes.iter().fold(u32::MAX, add)
}

fn fqdn_uuid(call: &mut Call) -> Result<Value> {
    let name = match call.arguments() {
        [] => return Err(issues::argument("fqdn_uuid: No arguments given").into()),
        [name] => implicit_text(name)?,
        _ => {
            let words = format!("fqdn_uuid: Too many arguments given ({})", call.count());
            return Err(issues::argument(words).into());
        }
    };
    let mut bytes = Sha1::new().chain_update(DNS).chain_update(name).finalize();
    bytes[6] = bytes[6] & 0x0f | 0x50;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let parts = [0..4, 4..6, 6..8, 8..10, 10..16].map(|range| hexadecimal(&bytes[range]));
    Ok(parts.join("-").into())
}
