//! `stdlib::fqdn_rand_string`, `stdlib::fqdn_rotate`, `stdlib::seeded_rand` and `stdlib::seeded_rand_string`: what
//! looks random and stays the same for a node or a seed.

use md5::{Digest, Md5};
use sha2::Sha256;

use crate::collections::flattened;
use crate::numbers::seeded;
use crate::prelude::*;
use issues::stdlib::no_method;

/// Digits first, capitals before small letters.
const FQDN_CHARACTERS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Digits first, small letters before capitals.
const SEEDED_CHARACTERS: &str = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The function `stdlib::fqdn_rand_string`.
pub(super) static FQDN_RAND_STRING: Function = Function {
    name: "stdlib::fqdn_rand_string",
    doc: "Returns a text of a length, from letters and digits or other characters, which depends only on the name of the node and the seeds.",
    dispatches: &[on(&["Integer[1] length", "?Optional[String] charset", "*Any seed"], fqdn_rand_string)],
    examples: &[
        Gives("stdlib::fqdn_rand_string(5, 'a')", "'aaaaa'"),
        Fails(
            "stdlib::fqdn_rand_string(0)",
            "parameter 'length' expects an Integer[1] value, got Integer[0, 0]",
        ),
    ],
};

/// The function `stdlib::fqdn_rotate`.
pub(super) static FQDN_ROTATE: Function = Function {
    name: "stdlib::fqdn_rotate",
    doc: "Returns an Array or a String turned round by a number of places that depends only on the name of the node and the seeds.",
    dispatches: &[
        on(&["String input", "*Variant[Integer, String] seeds"], rotate_string).returns("String"),
        on(&["Array input", "*Variant[Integer, String] seeds"], rotate_array).returns("Array"),
    ],
    examples: &[
        Gives("stdlib::fqdn_rotate(['a'])", "['a']"),
        Fails(
            "stdlib::fqdn_rotate(1)",
            "parameter 'input' expects a value of type String or Array, got Integer",
        ),
    ],
};

/// The function `stdlib::seeded_rand`.
pub(super) static SEEDED_RAND: Function = Function {
    name: "stdlib::seeded_rand",
    doc: "Returns an Integer from zero up to, but not including, a maximum, which depends only on a seed.",
    dispatches: &[on(&["Integer[1] max", "String seed"], seeded_rand)],
    examples: &[
        Gives("stdlib::seeded_rand(1, 'x')", "0"),
        Fails(
            "stdlib::seeded_rand(0, 'x')",
            "parameter 'max' expects an Integer[1] value, got Integer[0, 0]",
        ),
    ],
};

/// The function `stdlib::seeded_rand_string`.
pub(super) static SEEDED_RAND_STRING: Function = Function {
    name: "stdlib::seeded_rand_string",
    doc: "Returns a text of a length, from letters and digits or other characters, which depends only on a seed.",
    dispatches: &[on(&["Integer[1] length", "String seed", "?String[2] charset"], seeded_rand_string)],
    examples: &[
        Gives("length(stdlib::seeded_rand_string(9, 'x'))", "9"),
        Fails(
            "stdlib::seeded_rand_string(1, 'x', 'y')",
            "parameter 'charset' expects a String[2] value, got String",
        ),
    ],
};

fn fqdn_rand_string(call: &mut Call) -> Result<Value> {
    let length = call.integer(0);
    call.check_size(usize::try_from(length).unwrap_or(usize::MAX))?;
    let charset = if call.str(1).is_empty() { FQDN_CHARACTERS } else { call.str(1) };
    let charset: Vec<char> = charset.chars().collect();
    let seeds: Vec<String> =
        flattened(call.arguments().get(2..).unwrap_or_default()).iter().map(ruby_text).collect();
    let mut text = String::new();
    for place in 1..=length {
        let seed = seeds.iter().cloned().chain([place.to_string()]).collect::<Vec<_>>().join(":");
        let index = call.call_function("fqdn_rand", vec![charset.len().into(), seed.into()], false)?;
        let index = index.as_integer().and_then(|index| usize::try_from(index).ok());
        text.extend(index.and_then(|index| charset.get(index)));
    }
    Ok(text.into())
}

fn rotate_string(call: &mut Call) -> Result<Value> {
    let mut characters: Vec<char> = call.str(0).chars().collect();
    let places = places(call, characters.len())?;
    characters.rotate_left(places);
    Ok(characters.into_iter().collect::<String>().into())
}

fn rotate_array(call: &mut Call) -> Result<Value> {
    let mut elements = call.array(0).to_vec();
    let places = places(call, elements.len())?;
    elements.rotate_left(places);
    Ok(Value::array(elements))
}

/// Returns by how many places something of a size is turned round.
fn places(call: &mut Call, size: usize) -> Result<usize> {
    if size <= 1 {
        return Ok(0);
    }
    let facts = call.variable("facts").unwrap_or_default();
    let networking = facts.as_hash().and_then(|facts| facts.get_str("networking"));
    let networking = networking.and_then(Value::as_hash).ok_or_else(|| no_method("[]", &Value::Undef))?;
    let name = networking.get_str("fqdn").map(ruby_text).unwrap_or_default();
    let seeds: Vec<String> = call.arguments()[1..].iter().map(ruby_text).collect();
    let seed = Md5::digest(format!("{name}:{}", seeds.join(":")));
    Ok(seeded(&seed).up_to(size as u64 - 1) as usize)
}

fn seeded_rand(call: &mut Call) -> Result<Value> {
    let limit = call.integer(0).unsigned_abs() - 1;
    let number = seeded(&Md5::digest(call.str(1))).up_to(limit);
    Ok(i64::try_from(number).unwrap_or(i64::MAX).into())
}

fn seeded_rand_string(call: &mut Call) -> Result<Value> {
    let length = call.integer(0);
    call.check_size(usize::try_from(length).unwrap_or(usize::MAX))?;
    let charset = if call.count() > 2 { call.str(2) } else { SEEDED_CHARACTERS };
    let charset: Vec<char> = charset.chars().collect();
    let mut twister = seeded(&Sha256::digest(call.str(1)));
    let text: String =
        (0..length).map(|_| charset[twister.up_to(charset.len() as u64 - 1) as usize]).collect();
    Ok(text.into())
}
