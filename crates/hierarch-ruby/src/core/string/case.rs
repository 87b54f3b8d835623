//! Upper and lower case.

use super::super::prelude::*;
use super::{chars, in_place, like};

pub(super) static METHODS: &[Builtin] = &[
    m("upcase", 0, -1, upcase).gives(&["'aé'.upcase => \"AÉ\"", "'ß'.upcase => \"SS\""]),
    m("downcase", 0, -1, downcase).gives(&["'AÉ'.downcase => \"aé\""]),
    m("capitalize", 0, -1, capitalize).gives(&["'hELLO wORLD'.capitalize => \"Hello world\""]),
    m("swapcase", 0, -1, swapcase).gives(&["'aBc'.swapcase => \"AbC\""]),
    m("upcase!", 0, -1, |vm, me, args| in_place(vm, me, args, upcase)).gives(&["'A'.dup.upcase! => nil"]),
    m("downcase!", 0, -1, |vm, me, args| in_place(vm, me, args, downcase))
        .gives(&["'A'.dup.downcase! => \"a\""]),
    m("capitalize!", 0, -1, |vm, me, args| in_place(vm, me, args, capitalize)),
    m("swapcase!", 0, -1, |vm, me, args| in_place(vm, me, args, swapcase)),
    m("casecmp", 1, 1, casecmp).gives(&["'aB'.casecmp('Ab') => 0", "'a'.casecmp(1) => nil"]),
    m("casecmp?", 1, 1, is_casecmp).gives(&["'É'.casecmp?('é') => true", "'ß'.casecmp?('SS') => true"]),
];

fn is_ascii_only(args: &Args) -> bool {
    matches!(args.get(0), Some(Value::Sym(name)) if name.text() == "ascii")
}

/// Fails unless the options are known.
fn check_options(vm: &mut Vm<'_>, args: &Args) -> Res<()> {
    if args.len() > 1 {
        return Err(vm.raise("ArgumentError", "too many options"));
    }
    let is_known = |name: &str| matches!(name, "ascii" | "turkic" | "lithuanian" | "fold");
    match args.get(0) {
        None => Ok(()),
        Some(Value::Sym(name)) if name.text() == "ascii" => Ok(()),
        // Other rules make other letters of these.
        Some(Value::Sym(name)) if is_known(name.text()) => {
            Err(vm.unsupported(&format!("rule :{name} for capital and small letters")))
        }
        Some(_) => Err(vm.raise("ArgumentError", "invalid option")),
    }
}

fn upcase(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    check_options(vm, args)?;
    let text = chars(me);
    let text = if is_ascii_only(args) {
        text.to_ascii_uppercase().to_string()
    } else {
        text.to_uppercase().to_string()
    };
    Ok(like(vm, me, &text))
}

fn downcase(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    check_options(vm, args)?;
    let text = chars(me);
    let text = if is_ascii_only(args) { text.to_ascii_lowercase().to_string() } else { lowercase(&text) };
    Ok(like(vm, me, &text))
}

fn capitalize(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    check_options(vm, args)?;
    let text = chars(me);
    let mut characters = text.chars();
    let first: String = characters.next().map(titlecase).unwrap_or_default();
    Ok(like(vm, me, &format!("{first}{}", lowercase(characters.as_str()))))
}

/// Returns a letter as the first of a word: of several letters only the first is a capital, and some pairs that are one
/// letter have a form for that.
fn titlecase(c: char) -> String {
    match c {
        'Ǆ'..='ǆ' => "ǅ".to_owned(),
        'Ǉ'..='ǉ' => "ǈ".to_owned(),
        'Ǌ'..='ǌ' => "ǋ".to_owned(),
        'Ǳ'..='ǳ' => "ǲ".to_owned(),
        c => {
            let mut letters = c.to_uppercase();
            let first: String = letters.next().into_iter().collect();
            first + &lowercase(&letters.collect::<String>())
        }
    }
}

fn swapcase(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    check_options(vm, args)?;
    let mut text = String::new();
    for c in chars(me).chars() {
        if c.is_uppercase() { text.extend(c.to_lowercase()) } else { text.extend(c.to_uppercase()) }
    }
    Ok(like(vm, me, &text))
}

/// What is not a text, and does not stand for one, cannot be compared with one.
fn is_text(vm: &mut Vm<'_>, value: &Value) -> Res<bool> {
    match value {
        Value::Str(_) => Ok(true),
        Value::Object(_) => vm.responds(value, Sym::of("to_str")),
        _ => Ok(false),
    }
}

fn casecmp(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if !is_text(vm, &args.at(0))? {
        return Ok(Value::Nil);
    }
    let other = args.text(vm, 0)?;
    let order = chars(me).to_ascii_lowercase().as_bytes().cmp(other.to_ascii_lowercase().as_bytes());
    Ok(Value::Int(order as i64))
}

/// Ruby knows no sigma for the end of a word.
fn lowercase(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Returns a text as it is compared without case: what has several capitals becomes several letters.
fn folded(text: &str) -> String {
    let fold = |c: char| match (c, c.to_uppercase().len()) {
        ('ς', _) => "σ".to_owned(),
        (c, 1) => c.to_lowercase().collect(),
        (c, _) => lowercase(&c.to_uppercase().collect::<String>()),
    };
    text.chars().map(fold).collect()
}

fn is_casecmp(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if !is_text(vm, &args.at(0))? {
        return Ok(Value::Nil);
    }
    let other = args.text(vm, 0)?;
    Ok(Value::Bool(folded(&chars(me)) == folded(&other)))
}
