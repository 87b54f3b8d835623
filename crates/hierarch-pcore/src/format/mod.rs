//! Values as text under the direction of formats: `String.new(value, formats)`.

mod collection;
mod convert;
mod map;
pub mod sprintf;

use hierarch_source::Result;

use crate::{Value, issues};

pub use convert::converted;
use map::FormatMap;

/// One format: `%[flags][width][.precision]letter`.
#[derive(Clone, Debug)]
pub(crate) struct Format {
    /// The text it was read from.
    original: String,
    letter: char,
    /// `#`: the alternate form.
    alt: bool,
    /// `-`: to the left.
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    /// One of `[ { ( < |`: what encloses a container.
    delimiter: Option<char>,
    width: Option<usize>,
    precision: Option<usize>,
    /// What stands between elements.
    separator: Option<String>,
    /// What stands between a key and its value.
    separator2: Option<String>,
    /// Formats for what a container contains.
    contained: Option<FormatMap>,
}

/// The characters that may stand before the width.
const FLAGS: &str = " \t\n\r\u{b}\u{c}[+#0{<(|-";

impl Format {
    /// Reads a format.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let invalid = || issues::bad_format(text);
        let body = text.strip_prefix('%').ok_or_else(invalid)?;
        let rest = body.trim_start_matches(|c| FLAGS.contains(c));
        let flags = &body[..body.len() - rest.len()];
        let (width, rest) = split_digits(rest);
        let (precision, rest) = match rest.strip_prefix('.') {
            Some(rest) => {
                let (digits, rest) = split_digits(rest);
                if digits.is_empty() {
                    return Err(invalid());
                }
                (Some(digits), rest)
            }
            None => (None, rest),
        };
        let mut letters = rest.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else { return Err(invalid()) };
        if !letter.is_ascii_alphabetic() {
            return Err(invalid());
        }
        let format = Self {
            original: text.to_owned(),
            letter,
            alt: flags.contains('#'),
            left: flags.contains('-'),
            zero: flags.contains('0'),
            plus: flags.contains('+'),
            space: flags.contains(' '),
            delimiter: delimiter(text, flags)?,
            width: width.parse().ok(),
            precision: precision.and_then(|digits| digits.parse().ok()),
            separator: None,
            separator2: None,
            contained: None,
        };
        format.check_size()
    }

    /// Bounds what a format may ask for, so that no text of gigabytes is made.
    fn check_size(self) -> Result<Self> {
        let most = self.width.unwrap_or(0).max(self.precision.unwrap_or(0));
        if most > LARGEST { Err(issues::format_too_wide(&self.original)) } else { Ok(self) }
    }

    /// Reads the formats of a container: its own, its separators, and those of its elements.
    fn of_hash(hash: &crate::Hash) -> Result<Self> {
        const KEYS: [&str; 4] = ["separator", "separator2", "format", "string_formats"];
        if hash.keys().any(|key| key.as_str().is_none_or(|key| !KEYS.contains(&key))) {
            return Err(issues::bad_container_format(&Value::from(hash.clone()).to_plain()));
        }
        let text = |key: &str| hash.get_str(key).and_then(Value::as_str).map(str::to_owned);
        let format = text("format").unwrap_or_default();
        let contained = match hash.get_str("string_formats") {
            Some(Value::Hash(formats)) => Some(FormatMap::of_hash(formats)?),
            _ => None,
        };
        Ok(Self {
            separator: text("separator"),
            separator2: text("separator2"),
            contained,
            ..Self::parse(&format)?
        })
    }

    /// Returns the format that another makes of this one: the other's own, and what it leaves open from here.
    fn overridden_by(&self, other: &Self) -> Self {
        Self {
            separator: other.separator.clone().or_else(|| self.separator.clone()),
            separator2: other.separator2.clone().or_else(|| self.separator2.clone()),
            contained: match (&self.contained, &other.contained) {
                (Some(lower), Some(higher)) => Some(FormatMap::merged(lower, higher)),
                (lower, higher) => higher.clone().or_else(|| lower.clone()),
            },
            ..other.clone()
        }
    }

    /// Returns what encloses a container; a blank as flag means nothing does.
    fn delimiters(&self, default: [&'static str; 2]) -> [&'static str; 2] {
        match self.delimiter {
            Some('[') => ["[", "]"],
            Some('{') => ["{", "}"],
            Some('(') => ["(", ")"],
            Some('<') => ["<", ">"],
            Some('|') => ["|", "|"],
            _ if self.space => ["", ""],
            _ => default,
        }
    }

    /// Returns the flags for Ruby's own formatting.
    fn spec(&self) -> sprintf::Spec {
        sprintf::Spec {
            alt: self.alt,
            left: self.left,
            zero: self.zero,
            plus: self.plus,
            space: self.space,
            width: self.width,
            precision: self.precision,
        }
    }

    /// Fails if the format has a flag that means something else to Ruby's own formatting.
    fn check_plain(&self) -> Result<()> {
        match self.delimiter {
            Some('<' | '{') => Err(issues::unmatched_format_name()),
            Some(delimiter) => Err(issues::malformed_format(delimiter)),
            None => Ok(()),
        }
    }

    /// Applies width and precision to a text.
    fn padded(&self, text: &str) -> String {
        let spec = sprintf::Spec { left: self.left, ..sprintf::Spec::default() };
        sprintf::text(&sprintf::Spec { width: self.width, precision: self.precision, ..spec }, text)
    }
}

/// The largest width or precision.
const LARGEST: usize = 1_000_000;

fn split_digits(text: &str) -> (&str, &str) {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    text.split_at(count)
}

fn delimiter(text: &str, flags: &str) -> Result<Option<char>> {
    let repeated = flags.char_indices().any(|(at, flag)| flags[..at].contains(flag));
    if repeated {
        return Err(issues::repeated_flag(text));
    }
    let mut delimiters = ['[', '{', '(', '<', '|'].into_iter().filter(|delimiter| flags.contains(*delimiter));
    let first = delimiters.next();
    if delimiters.next().is_some() { Err(issues::several_delimiters(text)) } else { Ok(first) }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;

    /// Programs, and what Puppet makes of them.
    const A_FORMAT_THAT_CANNOT_BE_READ_IS_TOLD: &[(&str, &str)] = &[
        (
            "String(1, '')",
            r"'new_string' parameter 'string_formats' expects a Formats = Variant[Default, String[1], TypeMap = Hash[Type, Variant[Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/], ContainerFormat = Struct[{Optional['format'] => Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/], Optional['separator'] => String, Optional['separator2'] => String, Optional['string_formats'] => Hash[Type, Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/]]}]]]] value, got String",
        ),
        (
            "String(1, 'd')",
            "The format 'd' is not a valid format on the form '%<flags><width>.<prec><format>'",
        ),
        (
            "String(1, '%')",
            "The format '%' is not a valid format on the form '%<flags><width>.<prec><format>'",
        ),
        (
            "String(1, '%d%d')",
            "The format '%d%d' is not a valid format on the form '%<flags><width>.<prec><format>'",
        ),
        (
            "String(1, '%1')",
            "The format '%1' is not a valid format on the form '%<flags><width>.<prec><format>'",
        ),
        (
            "String(1, '%.d')",
            "The format '%.d' is not a valid format on the form '%<flags><width>.<prec><format>'",
        ),
        (
            "String(1, '%1.2.3d')",
            "The format '%1.2.3d' is not a valid format on the form '%<flags><width>.<prec><format>'",
        ),
        (
            "String(1, '%é')",
            "The format '%é' is not a valid format on the form '%<flags><width>.<prec><format>'",
        ),
        ("String(1, '%--d')", "The same flag can only be used once, got '%--d'"),
        ("String(1, '%##x')", "The same flag can only be used once, got '%##x'"),
        ("String(1, '%00d')", "The same flag can only be used once, got '%00d'"),
        (
            "String([1], '%[{a')",
            "Only one of the delimiters [ { ( < | can be given in the format flags, got '%[{a'",
        ),
        (
            "String([1], '%(<a')",
            "Only one of the delimiters [ { ( < | can be given in the format flags, got '%(<a'",
        ),
        ("String([1], '%[[a')", "The same flag can only be used once, got '%[[a'"),
        (
            "String(1, 5)",
            r"'new_string' parameter 'string_formats' expects a Formats = Variant[Default, String[1], TypeMap = Hash[Type, Variant[Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/], ContainerFormat = Struct[{Optional['format'] => Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/], Optional['separator'] => String, Optional['separator2'] => String, Optional['string_formats'] => Hash[Type, Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/]]}]]]] value, got Integer",
        ),
        ("String(1, {})", "'1'"),
        (
            "String(1, {1 => '%d'})",
            r"'new_string' parameter 'string_formats' expects a Formats = Variant[Default, String[1], TypeMap = Hash[Type, Variant[Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/], ContainerFormat = Struct[{Optional['format'] => Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/], Optional['separator'] => String, Optional['separator2'] => String, Optional['string_formats'] => Hash[Type, Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/]]}]]]] value, got Hash",
        ),
        (
            "String(1, {'Integer' => '%d'})",
            "'new_string' expects (Convertible = Any from, Formats = Variant[Default, String[1], TypeMap = Hash[Type, Variant[Format = Pattern[/^%([\\s\\[+#0{<(|-]*)([1-9][0-9]*)?(?:\\.([0-9]+))?([a-zA-Z])$/], ContainerFormat = Struct[{Optional['format'] => Format = Pattern[/^%([\\s\\[+#0{<(|-]*)([1-9][0-9]*)?(?:\\.([0-9]+))?([a-zA-Z])$/], Optional['separator'] => String, Optional['separator2'] => String, Optional['string_formats'] => Hash[Type, Format = Pattern[/^%([\\s\\[+#0{<(|-]*)([1-9][0-9]*)?(?:\\.([0-9]+))?([a-zA-Z])$/]]}]]]] string_formats?)\n  rejected: parameter 'string_formats' variant 0 expects a Default value, got Struct\n  rejected: parameter 'string_formats' variant 1 expects a String value, got Struct\n  rejected: parameter 'string_formats' variant 2 key of entry 'Integer' expects a Type value, got String",
        ),
        (
            "String([1], {Array => {}})",
            "The format '' is not a valid format on the form '%<flags><width>.<prec><format>'",
        ),
        (
            "String([1], {Array => {separator => ','}})",
            "The format '' is not a valid format on the form '%<flags><width>.<prec><format>'",
        ),
        (
            "String([1], {Array => {format => '%a', other => 1}})",
            r"'new_string' parameter 'string_formats' expects a Formats = Variant[Default, String[1], TypeMap = Hash[Type, Variant[Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/], ContainerFormat = Struct[{Optional['format'] => Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/], Optional['separator'] => String, Optional['separator2'] => String, Optional['string_formats'] => Hash[Type, Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/]]}]]]] value, got Hash",
        ),
        (
            "String([1], {Array => {format => '%a', separator => 1}})",
            r"'new_string' parameter 'string_formats' expects a Formats = Variant[Default, String[1], TypeMap = Hash[Type, Variant[Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/], ContainerFormat = Struct[{Optional['format'] => Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/], Optional['separator'] => String, Optional['separator2'] => String, Optional['string_formats'] => Hash[Type, Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/]]}]]]] value, got Hash",
        ),
        (
            "String([1], {Array => 1})",
            r"'new_string' parameter 'string_formats' expects a Formats = Variant[Default, String[1], TypeMap = Hash[Type, Variant[Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/], ContainerFormat = Struct[{Optional['format'] => Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/], Optional['separator'] => String, Optional['separator2'] => String, Optional['string_formats'] => Hash[Type, Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/]]}]]]] value, got Hash",
        ),
    ];

    #[test]
    fn a_format_that_cannot_be_read_is_told() {
        check_facts(A_FORMAT_THAT_CANNOT_BE_READ_IS_TOLD);
    }

    /// Programs, and what Puppet makes of them.
    const A_LETTER_BELONGS_TO_SOME_TYPES: &[(&str, &str)] = &[
        ("String('a', '%d')", "'a'"),
        (
            "String('a', '%q')",
            "Illegal format 'q' specified for value of String type - expected one of the characters 'cCudspt'",
        ),
        (
            "String(1, '%t')",
            "Illegal format 't' specified for value of Integer type - expected one of the characters 'dxXobBeEfgGaAspc'",
        ),
        (
            "String(1.5, '%c')",
            "Illegal format 'c' specified for value of Float type - expected one of the characters 'dxXobBeEfgGaAsp'",
        ),
        ("String(true, '%f')", "'1.000000'"),
        (
            "String(undef, '%h')",
            "Illegal format 'h' specified for value of Undef type - expected one of the characters 'nudxXobBeEfgGaAvVsp'",
        ),
        (
            "String(default, '%x')",
            "Illegal format 'x' specified for value of Default type - expected one of the characters 'dDsp'",
        ),
        (
            "String([1], '%d')",
            "Illegal format 'd' specified for value of Array type - expected one of the characters 'asp'",
        ),
        (
            "String({a => 1}, '%d')",
            "Illegal format 'd' specified for value of Hash type - expected one of the characters 'hasp'",
        ),
        (
            "String(/a/, '%d')",
            "Illegal format 'd' specified for value of Regexp type - expected one of the characters 'sp'",
        ),
        (
            "String(Integer, '%d')",
            "Illegal format 'd' specified for value of Type type - expected one of the characters 'sp'",
        ),
        ("String(SemVer('1.2.3'), '%d')", "can't convert SemanticPuppet::Version into Integer"),
        ("String(Timespan(1), '%x')", "'1'"),
        (
            "String(Binary('YQ=='), '%d')",
            "Illegal format 'd' specified for value of Binary type - expected one of the characters 'bButTsp'",
        ),
        (
            "String(Sensitive(1), '%d')",
            "can't convert Puppet::Pops::Types::PSensitiveType::Sensitive into Integer",
        ),
        (
            "String(URI('http://a'), '%d')",
            "Illegal format 'd' specified for value of URI type - expected one of the characters 'sp'",
        ),
    ];

    #[test]
    fn a_letter_belongs_to_some_types() {
        check_facts(A_LETTER_BELONGS_TO_SOME_TYPES);
    }

    #[test]
    fn integers_in_all_letters() {
        check_facts(&[
            ("String(255, '%d')", "'255'"),
            ("String(255, '%x')", "'ff'"),
            ("String(255, '%X')", "'FF'"),
            ("String(255, '%#x')", "'0xff'"),
            ("String(255, '%#X')", "'0XFF'"),
            ("String(255, '%o')", "'377'"),
            ("String(255, '%#o')", "'0377'"),
            ("String(255, '%b')", "'11111111'"),
            ("String(255, '%#b')", "'0b11111111'"),
            ("String(255, '%#B')", "'0B11111111'"),
            ("String(-255, '%x')", "'..f01'"),
            ("String(-255, '%#x')", "'0x..f01'"),
            ("String(-255, '%o')", "'..7401'"),
            ("String(-5, '%b')", "'..1011'"),
            ("String(-5, '%08b')", "'..111011'"),
            ("String(-5, '% b')", "'-101'"),
            ("String(255, '%+d')", "'+255'"),
            ("String(255, '% d')", "' 255'"),
            ("String(255, '%+ d')", "'+255'"),
            ("String(255, '%8d')", "'     255'"),
            ("String(255, '%-8d')", "'255     '"),
            ("String(255, '%08d')", "'00000255'"),
            ("String(-255, '%08d')", "'-0000255'"),
            ("String(255, '%.5d')", "'00255'"),
            ("String(255, '%8.5d')", "'   00255'"),
            ("String(255, '%-8.5d')", "'00255   '"),
            ("String(0, '%.0d')", "''"),
            ("String(255, '%e')", "'2.550000e+02'"),
            ("String(255, '%.2f')", "'255.00'"),
            ("String(255, '%g')", "'255'"),
            ("String(255, '%a')", "'0x1.fep+7'"),
            ("String(65, '%c')", "'A'"),
            ("String(65, '%#c')", r#"'"A"'"#),
            ("String(65, '%5c')", "'    A'"),
            ("String(955, '%c')", "'λ'"),
            ("String(-1, '%c')", "pack(U): value out of range"),
            ("String(255, '%s')", "'255'"),
            ("String(255, '%#s')", r#"'"255"'"#),
            ("String(255, '%p')", "'255'"),
            ("String(255, '%6p')", "'   255'"),
            ("String(9223372036854775807, '%d')", "'9223372036854775807'"),
            ("String(-9223372036854775807, '%x')", "'..f8000000000000001'"),
        ]);
    }

    #[test]
    fn floats_in_all_letters() {
        check_facts(&[
            ("String(1.5, '%f')", "'1.500000'"),
            ("String(1.5, '%.0f')", "'2'"),
            ("String(2.5, '%.0f')", "'2'"),
            ("String(1.5, '%8.3f')", "'   1.500'"),
            ("String(1.5, '%-8.3f')", "'1.500   '"),
            ("String(-1.5, '%08.3f')", "'-001.500'"),
            ("String(1.5, '%+f')", "'+1.500000'"),
            ("String(1.5, '%e')", "'1.500000e+00'"),
            ("String(1.5, '%E')", "'1.500000E+00'"),
            ("String(1.5, '%.3e')", "'1.500e+00'"),
            ("String(1.5, '%g')", "'1.5'"),
            ("String(1.0e10, '%g')", "'1e+10'"),
            ("String(1.0e-10, '%G')", "'1E-10'"),
            ("String(100000.0, '%g')", "'100000'"),
            ("String(1000000.0, '%g')", "'1e+06'"),
            ("String(100.0, '%#g')", "'100.000'"),
            ("String(1.5, '%a')", "'0x1.8p+0'"),
            ("String(1.5, '%A')", "'0X1.8P+0'"),
            ("String(0.1, '%a')", "'0x1.999999999999ap-4'"),
            ("String(1.5, '%d')", "'1'"),
            ("String(1.9, '%d')", "'1'"),
            ("String(-1.9, '%x')", "'..f'"),
            ("String(1.5, '%s')", "'1.5'"),
            ("String(1.5, '%#s')", r#"'"1.5"'"#),
            ("String(1.5, '%p')", "'1.5'"),
            ("String(1.5, '%10s')", "'       1.5'"),
            ("String(1.0e16, '%s')", "'1.0e+16'"),
            ("String(1.0e15, '%s')", "'1.0e+15'"),
            ("String(0.0001, '%s')", "'0.0001'"),
            ("String(0.00001, '%s')", "'1.0e-05'"),
        ]);
    }

    #[test]
    fn texts_in_all_letters() {
        check_facts(&[
            ("String('hEllo wOrld', '%s')", "'hEllo wOrld'"),
            ("String('hEllo wOrld', '%p')", r"'\'hEllo wOrld\''"),
            ("String('hEllo wOrld', '%#s')", "'hEllo wOrld'"),
            ("String('hEllo wOrld', '%c')", "'Hello world'"),
            ("String('hEllo wOrld', '%C')", "'Hello world'"),
            ("String('hello::world', '%C')", "'Hello::World'"),
            ("String('hEllo wOrld', '%u')", "'HELLO WORLD'"),
            ("String('hEllo wOrld', '%d')", "'hello world'"),
            ("String('  hi ', '%t')", "'hi'"),
            ("String('  hi ', '%-t')", "'hi'"),
            ("String('hello', '%10s')", "'     hello'"),
            ("String('hello', '%-10s')", "'hello     '"),
            ("String('hello', '%.2s')", "'he'"),
            ("String('hello', '%10.2s')", "'        he'"),
            ("String('hello', '%10p')", r"'   \'hello\''"),
            ("String('grüße', '%8s')", "'   grüße'"),
            ("String('grüße', '%.3s')", "'grü'"),
            ("String('grüße', '%u')", "'GRÜSSE'"),
            (r#"String("it's", '%p')"#, r"'\'it\'s\''"),
            (r#"String("a\nb", '%p')"#, r#"'"a\nb"'"#),
            ("String('$x', '%p')", r"'\'$x\''"),
        ]);
    }

    #[test]
    fn booleans_and_words() {
        check_facts(&[
            ("String(true, '%t')", "'true'"),
            ("String(false, '%t')", "'false'"),
            ("String(true, '%T')", "'True'"),
            ("String(true, '%#t')", "'t'"),
            ("String(true, '%#T')", "'T'"),
            ("String(true, '%y')", "'yes'"),
            ("String(false, '%Y')", "'No'"),
            ("String(false, '%#y')", "'n'"),
            ("String(true, '%d')", "'1'"),
            ("String(false, '%x')", "'0'"),
            ("String(true, '%#x')", "'0x1'"),
            ("String(true, '%s')", "'true'"),
            ("String(true, '%p')", "'true'"),
            ("String(true, '%6t')", "'  true'"),
            ("String(undef, '%s')", "''"),
            ("String(undef, '%p')", "'undef'"),
            ("String(undef, '%d')", "'NaN'"),
            ("String(undef, '%x')", "'NaN'"),
            ("String(undef, '%n')", "'nil'"),
            ("String(undef, '%#n')", "'null'"),
            ("String(undef, '%u')", "'undef'"),
            ("String(undef, '%#u')", "'undefined'"),
            ("String(undef, '%v')", "'n/a'"),
            ("String(undef, '%V')", "'N/A'"),
            ("String(undef, '%8n')", "'     nil'"),
            ("String(default, '%s')", "'default'"),
            ("String(default, '%p')", "'default'"),
            ("String(default, '%d')", "'default'"),
            ("String(default, '%D')", "'Default'"),
            ("String(default, '%#d')", r#"'"default"'"#),
            ("String(default, '%10s')", "'   default'"),
        ]);
    }

    #[test]
    fn other_values_in_their_letters() {
        check_facts(&[
            ("String(/a.b/, '%s')", "'a.b'"),
            (
                "String(/a.b/, '%r')",
                "Illegal format 'r' specified for value of Regexp type - expected one of the characters 'sp'",
            ),
            ("String(/a.b/, '%p')", "'/a.b/'"),
            (
                "String(/a.b/, '%#r')",
                "Illegal format 'r' specified for value of Regexp type - expected one of the characters 'sp'",
            ),
            ("String(/a.b/, '%10s')", "'       a.b'"),
            ("String(Integer[1, 2], '%s')", "'Integer[1, 2]'"),
            ("String(Integer[1, 2], '%p')", "'Integer[1, 2]'"),
            ("String(Integer[1, 2], '%#s')", r#"'"Integer[1, 2]"'"#),
            ("String(Integer[1, 2], '%20s')", "'       Integer[1, 2]'"),
            ("String(SemVer('1.2.3-a'), '%s')", "'1.2.3-a'"),
            ("String(SemVer('1.2.3-a'), '%p')", "'1.2.3-a'"),
            ("String(SemVer('1.2.3-a'), '%#s')", "'1.2.3-a'"),
            ("String(SemVerRange('>=1.0.0'), '%s')", "'>=1.0.0'"),
            ("String(SemVerRange('>=1.0.0'), '%p')", "'>=1.0.0'"),
            ("String(Binary('aGk='), '%s')", "'hi'"),
            ("String(Binary('aGk='), '%b')", r#""aGk=\n""#),
            ("String(Binary('aGk='), '%B')", "'aGk='"),
            ("String(Binary('aGk='), '%u')", "'aGk='"),
            ("String(Binary('aGk='), '%t')", "'Binary'"),
            ("String(Binary('aGk='), '%#t')", r#"'"Binary"'"#),
            ("String(Binary('aGk='), '%T')", "'BINARY'"),
            ("String(Binary('aGk='), '%p')", r#"'Binary("aGk=")'"#),
            ("String(Binary('/w=='), '%s')", r#""\xFF" from ASCII-8BIT to UTF-8"#),
            ("String(Timespan('1-02:03:04', '%D-%H:%M:%S'), '%s')", "'1-02:03:04.0'"),
            ("String(Timespan(90), '%d')", "'90'"),
            ("String(Timespan(90.5), '%f')", "'90.500000'"),
            ("String(Timestamp('2020-01-02T03:04:05 UTC'), '%s')", "'2020-01-02T03:04:05.000000000 UTC'"),
            ("String(Timestamp(90), '%d')", "'90'"),
            ("String(URI('http://a/b'), '%s')", "'http://a/b'"),
            ("String(URI('http://a/b'), '%p')", r"'URI(\'http://a/b\')'"),
            ("String(Sensitive('x'), '%s')", "'Sensitive [value redacted]'"),
            ("String(Sensitive('x'), '%p')", "'#<Sensitive [value redacted]>'"),
        ]);
    }
}
