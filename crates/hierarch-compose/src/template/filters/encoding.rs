//! Ansible's filters for other notations: base64, checksums, identifiers.

use hierarch_bits::base64;
use hierarch_pcore::Value;
use hierarch_yaml::{Data, Scalar};
use md5::Md5;
use sha1::{Digest, Sha1};
use sha2::{Sha224, Sha256, Sha384, Sha512};

use super::super::call::{BoundArguments, Function, function};
use super::super::fault::Checked;
use super::super::issues;
use super::super::renderer::Renderer;
use super::super::value::Val;

pub(super) static FILTERS: &[Function] = &[
    function("to_uuid", &["string", "namespace?"], to_uuid),
    function("b64encode", &["string", "encoding?"], |renderer, given| {
        let text = given.text(renderer, 0)?;
        let bytes = encoded(&text, &given.text_or(renderer, 1, "utf-8")?)?;
        renderer.text(base64::encode(&bytes))
    }),
    function("b64decode", &["string", "encoding?"], b64decode),
    function("hash", &["data", "hashtype?"], |renderer, given| {
        let kind = given.text_or(renderer, 1, "sha1")?;
        checksum(renderer, given, &kind)
    }),
    function("checksum", &["data"], |renderer, given| checksum(renderer, given, "sha1")),
    function("md5", &["data"], |renderer, given| checksum(renderer, given, "md5")),
    function("sha1", &["data"], |renderer, given| checksum(renderer, given, "sha1")),
];

/// Makes a document's data of a value; with `sorted`, keys in order.
pub fn data_of(value: &Value, sorted: bool) -> Data {
    match value {
        Value::Undef => Data::NULL,
        Value::Boolean(truth) => Data::Scalar(Scalar::Bool(*truth)),
        Value::Integer(number) => Data::Scalar(Scalar::Int(*number)),
        Value::Float(number) => Data::Scalar(Scalar::Float(*number)),
        Value::Array(items) => Data::List(items.iter().map(|item| data_of(item, sorted)).collect()),
        Value::Hash(map) => {
            let mut entries: Vec<(&Value, &Value)> = map.iter().collect();
            if sorted {
                entries.sort_by_key(|(key, _)| key.to_string());
            }
            Data::Map(
                entries
                    .into_iter()
                    .map(|(key, value)| (data_of(key, sorted), data_of(value, sorted)))
                    .collect(),
            )
        }
        Value::Sensitive(_) => Data::text("<<REDACTED>>"),
        other => match crate::expr::Instance::of(other) {
            Some(instance) => {
                Data::Map(vec![(Data::text("ref"), Data::text(format!("::{}", instance.name())))])
            }
            None => Data::text(other.to_string()),
        },
    }
}

/// A name-based identifier, in Ansible's own name space unless another one is given.
fn to_uuid(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    const ANSIBLE: u128 = 0x361E_6D51_FAEC_444A_9079_3413_86DA_8E2E;
    let space = match given.get(1) {
        None => ANSIBLE,
        Some(value) => {
            let text = renderer.printed(value)?;
            let digits: String = text.chars().filter(|c| !"{}-".contains(*c)).collect();
            let digits = digits.strip_prefix("urn:uuid:").unwrap_or(&digits);
            let number = u128::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 32);
            number.ok_or_else(|| issues::bad_uuid(&text))?
        }
    };
    let text = given.text(renderer, 0)?;
    let digest = Sha1::new().chain_update(space.to_be_bytes()).chain_update(text).finalize();
    let mut bytes: Vec<u8> = digest[..16].to_vec();
    bytes[6] = (bytes[6] & 0x0f) | 0x50;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex = hexadecimal(&bytes);
    renderer.text(format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]))
}

/// Writes a text in another encoding.
fn encoded(text: &str, encoding: &str) -> Checked<Vec<u8>> {
    let utf16 = |units: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(units).collect::<Vec<u8>>();
    match encoding.to_lowercase().replace('_', "-").as_str() {
        "utf-8" | "utf8" => Ok(text.as_bytes().to_vec()),
        "ascii" | "us-ascii" if text.is_ascii() => Ok(text.as_bytes().to_vec()),
        "latin-1" | "latin1" | "iso-8859-1" => {
            let bytes = text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect::<Option<Vec<_>>>();
            bytes.ok_or_else(|| issues::not_encoded(encoding))
        }
        "utf-16-le" | "utf-16le" => Ok(utf16(u16::to_le_bytes)),
        "utf-16-be" | "utf-16be" => Ok(utf16(u16::to_be_bytes)),
        "utf-16" | "utf16" => Ok([vec![0xff, 0xfe], utf16(u16::to_le_bytes)].concat()),
        _ => Err(issues::not_encoded(encoding)),
    }
}

fn decoded(bytes: Vec<u8>, encoding: &str) -> Checked<String> {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect::<Vec<u16>>();
        String::from_utf16(&units).map_err(|_| issues::decoded_no_text())
    };
    match encoding.to_lowercase().replace('_', "-").as_str() {
        "latin-1" | "latin1" | "iso-8859-1" => Ok(bytes.into_iter().map(char::from).collect()),
        "utf-16-be" | "utf-16be" => utf16(&bytes, u16::from_be_bytes),
        "utf-16-le" | "utf-16le" => utf16(&bytes, u16::from_le_bytes),
        "utf-16" | "utf16" => match bytes.strip_prefix(&[0xfe, 0xff]) {
            Some(rest) => utf16(rest, u16::from_be_bytes),
            None => utf16(bytes.strip_prefix(&[0xff, 0xfe]).unwrap_or(&bytes), u16::from_le_bytes),
        },
        "utf-8" | "utf8" | "ascii" | "us-ascii" => {
            String::from_utf8(bytes).map_err(|_| issues::decoded_no_text())
        }
        _ => Err(issues::not_encoded(encoding)),
    }
}

/// Reads base64; what does not belong to it is left out, as Python does, but there must be whole groups.
fn b64decode(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let text = given.text(renderer, 0)?;
    let digits: String =
        text.chars().filter(|c| u8::try_from(*c).is_ok_and(|c| base64::digit(c).is_some())).collect();
    let padding = text.bytes().filter(|byte| *byte == b'=').count();
    let (letters, bytes) = (digits.len(), base64::decode(&digits));
    if letters % 4 == 1 || (letters % 4 > 0 && padding < 4 - letters % 4) {
        return Err(issues::no_base64());
    }
    let encoding = given.text_or(renderer, 1, "utf-8")?;
    let text = decoded(bytes, &encoding)?;
    renderer.text(text)
}

fn checksum(renderer: &mut Renderer, given: &BoundArguments, kind: &str) -> Checked<Val> {
    let text = given.text(renderer, 0)?;
    let sum = match kind.to_lowercase().as_str() {
        "md5" => hexadecimal(&Md5::digest(&text)),
        "sha1" => hexadecimal(&Sha1::digest(&text)),
        "sha224" => hexadecimal(&Sha224::digest(&text)),
        "sha256" => hexadecimal(&Sha256::digest(&text)),
        "sha384" => hexadecimal(&Sha384::digest(&text)),
        "sha512" => hexadecimal(&Sha512::digest(&text)),
        other => return Err(issues::unknown_hash(other)),
    };
    renderer.text(sum)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_fills_up() {
        for (text, wanted) in [("", ""), ("a", "YQ=="), ("ab", "YWI="), ("abc", "YWJj")] {
            assert_eq!(base64::encode(text.as_bytes()), wanted);
        }
    }
}
