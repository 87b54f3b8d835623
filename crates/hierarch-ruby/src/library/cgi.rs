//! `CGI` and `ERB::Util`: escaping for addresses and HTML.

use crate::core::{Builtin, ClassSpec, m};
use crate::run::{Args, Res, Vm};
use crate::value::{Encoding, Text};

static CGI_METHODS: &[Builtin] = &[
    m("escape", 1, 1, |vm, _, args| of_text(vm, args, |vm, args| percent(vm, args, "*-._", true)))
        .gives(&["CGI.escape('a b&c') => \"a+b%26c\""]),
    m("unescape", 1, 2, |vm, _, args| of_text(vm, args, |vm, args| unescape(vm, args, true)))
        .gives(&["CGI.unescape('a+b%20c') => \"a b c\""]),
    m("escapeURIComponent", 1, 1, |vm, _, args| {
        of_text(vm, args, |vm, args| percent(vm, args, "-._~", false))
    }),
    m("unescapeURIComponent", 1, 2, |vm, _, args| of_text(vm, args, |vm, args| unescape(vm, args, false))),
    m("escapeHTML", 1, 1, |vm, _, args| of_text(vm, args, escape_html))
        .gives(&["CGI.escapeHTML(\"<'&\") => \"&lt;&#39;&amp;\""]),
    m("escape_html", 1, 1, |vm, _, args| of_text(vm, args, escape_html)),
    m("h", 1, 1, |vm, _, args| of_text(vm, args, escape_html)),
    m("unescapeHTML", 1, 1, |vm, _, args| of_text(vm, args, unescape_html))
        .gives(&["CGI.unescapeHTML('&lt;a&gt;') => \"<a>\""]),
    m("unescape_html", 1, 1, |vm, _, args| of_text(vm, args, unescape_html)),
];

static UTIL_METHODS: &[Builtin] = &[
    m("url_encode", 1, 1, |vm, _, args| percent(vm, args, "-._~", false))
        .gives(&["ERB::Util.url_encode('a b/') => \"a%20b%2F\""]),
    m("u", 1, 1, |vm, _, args| percent(vm, args, "-._~", false)),
    m("html_escape", 1, 1, |vm, _, args| escape_html(vm, args))
        .gives(&["ERB::Util.html_escape('<') => \"&lt;\""]),
    m("h", 1, 1, |vm, _, args| escape_html(vm, args)),
];

static CGI: ClassSpec = ClassSpec { singleton: &[CGI_METHODS], ..ClassSpec::class("CGI") };
static ERB: ClassSpec = ClassSpec {
    singleton: &[&[m("new", 0, -1, |vm, _, _| Err(vm.unsupported("ERB.new")))]],
    ..ClassSpec::class("ERB")
};
static UTIL: ClassSpec =
    ClassSpec { singleton: &[UTIL_METHODS], methods: &[UTIL_METHODS], ..ClassSpec::module("ERB::Util") };

/// The class `CGI`.
pub(super) static CGI_CLASSES: &[&ClassSpec] = &[&CGI];

/// The class `ERB` and its module.
pub(super) static ERB_CLASSES: &[&ClassSpec] = &[&ERB, &UTIL];

/// Escapes all bytes but letters, digits and those that are named.
fn percent(vm: &mut Vm<'_>, args: &Args, kept: &str, plus: bool) -> Res {
    let text = vm.to_s_text(&args.at(0))?;
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b' ' if plus => out.push('+'),
            byte if byte.is_ascii_alphanumeric() || kept.contains(char::from(*byte)) => {
                out.push(char::from(*byte));
            }
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    Ok(vm.str(out))
}

/// `CGI` takes texts only, where `ERB::Util` takes anything.
fn of_text(vm: &mut Vm<'_>, args: &Args, body: fn(&mut Vm<'_>, &Args) -> Res) -> Res {
    vm.to_text(&args.at(0))?;
    body(vm, args)
}

fn unescape(vm: &mut Vm<'_>, args: &Args, plus: bool) -> Res {
    let text = args.text(vm, 0)?;
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut place = 0;
    while place < bytes.len() {
        let digits = text.get(place + 1..place + 3).filter(|_| bytes[place] == b'%');
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                place += 3;
            }
            None => {
                out.push(if plus && bytes[place] == b'+' { b' ' } else { bytes[place] });
                place += 1;
            }
        }
    }
    Ok(vm.text(Text::of_bytes(out, Encoding::Utf8)))
}

fn escape_html(vm: &mut Vm<'_>, args: &Args) -> Res {
    let text = vm.to_s(&args.at(0))?;
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    Ok(vm.str(out))
}

fn unescape_html(vm: &mut Vm<'_>, args: &Args) -> Res {
    let text = args.text(vm, 0)?;
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let named = rest.split_once(';').and_then(|(name, after)| entity(name).map(|c| (c, after)));
        match named {
            Some((c, after)) => {
                out.push(c);
                rest = after;
            }
            None => out.push('&'),
        }
    }
    out.push_str(rest);
    Ok(vm.str(out))
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        other => {
            let digits = other.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}
