//! Encodings: what bytes mean.

use super::super::encoding;
use super::super::prelude::*;
use super::{chars, me_str};

pub(super) static METHODS: &[Builtin] = &[
    m("encoding", 0, 0, |vm, me, _| {
        let it = me_str(me).text().encoding();
        encoding::value(vm, it)
    })
    .gives(&["'a'.encoding.to_s => \"UTF-8\""]),
    m("force_encoding", 1, 1, force_encoding).gives(&["'é'.dup.force_encoding('BINARY').length => 2"]),
    m("encode", 0, -1, encode).gives(&[
        "'é'.encode('ISO-8859-1').bytes => [233]",
        "'é'.encode('US-ASCII', undef: :replace) => \"?\"",
    ]),
    m("encode!", 0, -1, |vm, me, args| {
        vm.check_frozen(me)?;
        let new = encode(vm, me, args)?;
        me_str(me).set(me_str(&new).get());
        Ok(me.clone())
    }),
    m("b", 0, 0, |vm, me, _| {
        let bytes = me_str(me).text().bytes().to_vec();
        Ok(vm.binary(bytes))
    })
    .gives(&["'é'.b.length => 2"]),
    m("valid_encoding?", 0, 0, |_, me, _| Ok(Value::Bool(is_valid(&me_str(me).text()))))
        .gives(&["\"\\xff\".valid_encoding? => false"]),
    m("ascii_only?", 0, 0, |_, me, _| Ok(Value::Bool(me_str(me).text().bytes().is_ascii())))
        .gives(&["'é'.ascii_only? => false"]),
    m("scrub", 0, 1, scrub).gives(&["\"a\\xff\".scrub('?') => \"a?\""]),
    m("scrub!", 0, 1, |vm, me, args| {
        let new = scrub(vm, me, args)?;
        me_str(me).set(me_str(&new).get());
        Ok(me.clone())
    }),
    m("unicode_normalize", 0, 1, normalize),
    m("unicode_normalized?", 0, 1, is_normal),
];

fn is_valid(text: &Text) -> bool {
    match text {
        Text::Utf8(_) => true,
        Text::Bytes(_, Encoding::Utf8) => false,
        Text::Bytes(bytes, Encoding::Ascii) => bytes.is_ascii(),
        Text::Bytes(..) => true,
    }
}

/// Counts the characters of a text that is not well-formed UTF-8: what is broken counts by bytes.
pub(super) fn count(text: &Text) -> usize {
    match text {
        Text::Bytes(bytes, Encoding::Utf8) => {
            bytes.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum()
        }
        Text::Bytes(bytes, Encoding::Utf16Le | Encoding::Utf16Be) => bytes.len() / 2,
        other => other.bytes().len(),
    }
}

fn force_encoding(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    vm.check_frozen(me)?;
    let encoding = encoding::of(vm, &args.at(0))?;
    let it = me_str(me);
    let bytes = it.text().bytes().to_vec();
    it.set(Text::of_bytes(bytes, encoding));
    Ok(me.clone())
}

/// What is put for a character that cannot be.
struct Replacement {
    undefined: Option<String>,
    invalid: Option<String>,
    /// Characters that the encoding lacks become references such as `&#xE9;`.
    is_xml: bool,
    /// A hash, or something to call, that tells what to put.
    fallback: Option<Value>,
}

/// Returns the encoding that a text shall have.
fn target(vm: &mut Vm<'_>, to: &Value, from: Encoding) -> Res<Encoding> {
    if let Value::Str(name) = to
        && Encoding::find(&name.lossy()).is_none()
    {
        let message = format!("code converter not found ({} to {})", from.name(), name.lossy());
        return Err(vm.raise("Encoding::ConverterNotFoundError", message));
    }
    encoding::of(vm, to)
}

fn is_on(args: &Args, name: &str) -> bool {
    args.keyword(name).is_some_and(|it| it.truthy())
}

/// Writes a text as XML does, in a text (`:text`) or in an attribute (`:attr`).
fn in_xml(text: String, form: Option<&str>) -> String {
    let Some(form) = form else { return text };
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    if form == "attr" { format!("\"{}\"", text.replace('"', "&quot;")) } else { text }
}

fn encode(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let positional = args.positional().to_vec();
    let it = me_str(me).get();
    let to = match positional.first() {
        Some(to) => target(vm, to, it.encoding())?,
        None => Encoding::Utf8,
    };
    let from = match positional.get(1) {
        Some(from) => encoding::of(vm, from)?,
        None => it.encoding(),
    };
    let default =
        if matches!(to, Encoding::Utf8 | Encoding::Utf16Be | Encoding::Utf16Le) { "\u{fffd}" } else { "?" };
    let replace = match args.keyword("replace") {
        Some(value) => vm.to_s(&value)?.to_string(),
        None => default.to_owned(),
    };
    let wants = |name: &str| matches!(args.keyword(name), Some(Value::Sym(it)) if it.text() == "replace");
    let xml = match args.keyword("xml") {
        Some(Value::Sym(form)) => Some(form.text()),
        _ => None,
    };
    let replacing = Replacement {
        undefined: wants("undef").then(|| replace.clone()),
        invalid: wants("invalid").then(|| replace.clone()),
        is_xml: xml.is_some(),
        fallback: args.keyword("fallback"),
    };
    let decorates = xml.is_some() || ["universal_newline", "crlf_newline"].iter().any(|it| is_on(args, it));
    if from == to && replacing.invalid.is_none() && !decorates {
        return Ok(vm.text(it));
    }
    let text = decoded(vm, it.bytes(), from, &replacing, to)?;
    let text = in_xml(universal(args, text), xml);
    let new = encoded(vm, &text, to, &replacing, from)?;
    Ok(vm.text(new))
}

fn universal(args: &Args, text: String) -> String {
    if is_on(args, "universal_newline") {
        return text.replace("\r\n", "\n").replace('\r', "\n");
    }
    if is_on(args, "crlf_newline") { text.replace('\n', "\r\n") } else { text }
}

fn decoded(
    vm: &mut Vm<'_>,
    bytes: &[u8],
    from: Encoding,
    replacing: &Replacement,
    to: Encoding,
) -> Res<String> {
    match from {
        Encoding::Latin1 | Encoding::Windows1252 => Ok(bytes.iter().map(|byte| char::from(*byte)).collect()),
        Encoding::Utf16Le | Encoding::Utf16Be => {
            let units: Vec<u16> = bytes
                .chunks(2)
                .map(|pair| match (pair, from) {
                    ([a, b], Encoding::Utf16Le) => u16::from_le_bytes([*a, *b]),
                    ([a, b], _) => u16::from_be_bytes([*a, *b]),
                    _ => 0xfffd,
                })
                .collect();
            Ok(String::from_utf16_lossy(&units))
        }
        _ => {
            let mut text = String::new();
            for chunk in bytes.utf8_chunks() {
                if matches!(from, Encoding::Binary | Encoding::Ascii) && !chunk.valid().is_ascii() {
                    return bytewise(vm, bytes, from, replacing, to);
                }
                text.push_str(chunk.valid());
                if chunk.invalid().is_empty() {
                    continue;
                }
                if matches!(from, Encoding::Binary | Encoding::Ascii) {
                    return bytewise(vm, bytes, from, replacing, to);
                }
                match &replacing.invalid {
                    Some(replace) => text.push_str(replace),
                    None => {
                        let first = chunk.invalid()[0];
                        let message = format!("\"\\x{first:02X}\" on {}", from.name());
                        return Err(vm.raise("Encoding::InvalidByteSequenceError", message));
                    }
                }
            }
            Ok(text)
        }
    }
}

/// Bytes beyond ASCII have no meaning in other encodings.
fn bytewise(
    vm: &mut Vm<'_>,
    bytes: &[u8],
    from: Encoding,
    replacing: &Replacement,
    to: Encoding,
) -> Res<String> {
    let mut text = String::new();
    for byte in bytes {
        if byte.is_ascii() {
            text.push(char::from(*byte));
            continue;
        }
        let replace = if from == Encoding::Ascii { &replacing.invalid } else { &replacing.undefined };
        match replace {
            Some(replace) => text.push_str(replace),
            None if from == Encoding::Ascii => {
                return Err(vm.raise(
                    "Encoding::InvalidByteSequenceError",
                    format!("\"\\x{byte:02X}\" on {}", from.name()),
                ));
            }
            None => {
                let message = format!("\"\\x{byte:02X}\" from {} to {}", from.name(), to.name());
                return Err(vm.raise("Encoding::UndefinedConversionError", message));
            }
        }
    }
    Ok(text)
}

fn encoded(vm: &mut Vm<'_>, text: &str, to: Encoding, replacing: &Replacement, from: Encoding) -> Res<Text> {
    let most = match to {
        Encoding::Utf8 => return Ok(Text::Utf8(text.into())),
        Encoding::Utf16Le => {
            return Ok(Text::Bytes(text.encode_utf16().flat_map(u16::to_le_bytes).collect(), to));
        }
        Encoding::Utf16Be => {
            return Ok(Text::Bytes(text.encode_utf16().flat_map(u16::to_be_bytes).collect(), to));
        }
        Encoding::Latin1 | Encoding::Windows1252 => 0xff,
        Encoding::Ascii | Encoding::Binary => 0x7f,
    };
    let mut bytes = Vec::new();
    for c in text.chars() {
        if u32::from(c) <= most {
            bytes.push(u32::from(c) as u8);
            continue;
        }
        if let Some(put) = fallback(vm, replacing, c)? {
            bytes.extend_from_slice(put.as_bytes());
            continue;
        }
        match &replacing.undefined {
            Some(replace) => bytes.extend_from_slice(replace.as_bytes()),
            None => {
                let way = if from == Encoding::Utf8 {
                    format!("from UTF-8 to {}", to.name())
                } else {
                    format!("to {} in conversion from {} to UTF-8 to {}", to.name(), from.name(), to.name())
                };
                let message = format!("U+{:04X} {way}", u32::from(c));
                return Err(vm.raise("Encoding::UndefinedConversionError", message));
            }
        }
    }
    Ok(Text::Bytes(bytes, to))
}

/// Returns what stands for a character that the encoding lacks, where the script says.
fn fallback(vm: &mut Vm<'_>, replacing: &Replacement, c: char) -> Res<Option<EcoString>> {
    if replacing.is_xml {
        return Ok(Some(format!("&#x{:X};", u32::from(c)).into()));
    }
    let Some(fallback) = &replacing.fallback else { return Ok(None) };
    let shown = vm.str(c.to_string());
    let how = if matches!(fallback, Value::Hash(_)) { Sym::of("[]") } else { names::CALL };
    match vm.send(fallback, how, &[shown])? {
        Value::Nil => Ok(None),
        put => vm.to_text(&put).map(Some),
    }
}

fn scrub(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let it = me_str(me).get();
    let Text::Bytes(bytes, Encoding::Utf8) = &it else { return Ok(vm.text(it)) };
    let replace = match args.get(0) {
        Some(value) if !value.is_nil() => args.text(vm, 0).inspect(|_it| {
            let _ = value;
        })?,
        _ => "\u{fffd}".into(),
    };
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if chunk.invalid().is_empty() {
            continue;
        }
        match &args.block {
            Some(block) => {
                let broken = vm.text(Text::Bytes(chunk.invalid().to_vec(), Encoding::Utf8));
                let new = vm.call_block(&Rc::clone(block), &[broken])?;
                text.push_str(&vm.to_s(&new)?);
            }
            None => text.push_str(&replace),
        }
    }
    Ok(vm.str(text))
}

/// Returns a text in the normal form that is asked for.
fn normal_form(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res<String> {
    use unicode_normalization::UnicodeNormalization;
    let text = chars(me);
    let form = match args.get(0) {
        Some(form) => vm.to_s(form)?,
        None => "nfc".into(),
    };
    match form.as_str() {
        "nfc" => Ok(text.nfc().collect()),
        "nfd" => Ok(text.nfd().collect()),
        "nfkc" => Ok(text.nfkc().collect()),
        "nfkd" => Ok(text.nfkd().collect()),
        other => Err(vm.raise("ArgumentError", format!("Invalid normalization form {other}."))),
    }
}

fn normalize(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let text = normal_form(vm, me, args)?;
    vm.check_size(text.len())?;
    Ok(vm.str(text))
}

fn is_normal(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let text = normal_form(vm, me, args)?;
    Ok(Value::Bool(chars(me) == text))
}
