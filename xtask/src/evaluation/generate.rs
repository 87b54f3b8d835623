//! Random expressions, types and calls, well typed and ill typed: food for `scripts/fuzz-eval`.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde_json::json;

use crate::mutate::Random;

/// Writes programs as JSON lines `{"code": …}`, the same for the same seed; calls of puppetlabs-stdlib only, if so
/// wished.
pub fn write_programs(out: &Path, count: usize, seed: u64, stdlib: bool) -> io::Result<()> {
    let mut file = io::BufWriter::new(fs::File::create(out)?);
    let mut generator = Generator(Random::new(seed));
    let names = stdlib_names();
    for _ in 0..count {
        let code = if stdlib { generator.stdlib_call(&names) } else { generator.program() };
        writeln!(file, "{}", json!({ "code": code }))?;
    }
    file.flush()
}

/// Functions whose answers are chance, depend on more than their arguments, or differ in known ways.
const NOT_COMPARED: &[&str] = &[
    "ensure_packages",
    "get_module_path",
    "glob",
    "has_ip_address",
    "has_ip_network",
    "load_module_metadata",
    "pry",
    "shuffle",
    "str2saltedsha512",
    "time",
    "validate_augeas",
    "validate_cmd",
    "validate_legacy",
];

fn stdlib_names() -> Vec<&'static str> {
    let all = hierarch_functions::stdlib::STDLIB.iter().map(|function| function.name);
    all.filter(|name| !NOT_COMPARED.contains(name)).collect()
}

struct Generator(Random);

const SCALARS: &[&str] = &[
    "0",
    "1",
    "2",
    "-1",
    "-7",
    "10",
    "255",
    "3.5",
    "-0.5",
    "1e3",
    "0x1F",
    "017",
    "9223372036854775807",
    "true",
    "false",
    "undef",
    "default",
    "''",
    "'a'",
    "'A'",
    "'abc'",
    "'10'",
    "'0x1f'",
    "'1.5'",
    "'x y'",
    "'grüße'",
    "\"l1\\nl2\"",
    "/a/",
    "/^(.)b/",
    "Integer",
    "String",
    "'1.2.3'",
    "'true'",
    "'yes'",
    "'-5'",
    "' 7 '",
];

const TYPES: &[&str] = &[
    "Any",
    "Integer",
    "Integer[1, 5]",
    "Integer[default, 3]",
    "Float",
    "Float[0.0, 2.0]",
    "Numeric",
    "String",
    "String[1]",
    "String[2, 3]",
    "Boolean",
    "Boolean[true]",
    "Undef",
    "Default",
    "Scalar",
    "ScalarData",
    "Data",
    "RichData",
    "Array",
    "Array[Integer]",
    "Array[String, 1]",
    "Array[Any, 0, 2]",
    "Hash",
    "Hash[String, Integer]",
    "Collection",
    "Collection[1, 2]",
    "Tuple[Integer, String]",
    "Tuple[Integer, 1, 3]",
    "Struct[{a => Integer}]",
    "Struct[{a => Integer, Optional[b] => String}]",
    "Enum[a, b]",
    "Enum['A', true]",
    "Pattern[/a/]",
    "Regexp",
    "Regexp[/a/]",
    "Variant[Integer, String]",
    "Optional[Integer]",
    "NotUndef",
    "NotUndef[String]",
    "Type",
    "Type[Integer]",
    "Iterable",
    "Iterable[Integer]",
    "Callable",
    "Callable[1, 2]",
    "Callable[[Integer], String]",
    "Sensitive",
    "Sensitive[String]",
    "SemVer",
    "SemVerRange",
    "Timestamp",
    "Timespan",
    "Binary",
    "URI",
    "Class",
    "Class[a]",
    "File",
    "File['/a']",
    "Resource",
    "CatalogEntry",
    "Init[Integer]",
    "Iterator[Integer]",
];

const OPERATORS: &[&str] =
    &["+", "-", "*", "/", "%", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "=~", "!~", "in", "and", "or"];

/// Calls with holes for arguments.
const CALLS: &[&str] = &[
    "length(_)",
    "size(_)",
    "keys(_)",
    "values(_)",
    "upcase(_)",
    "downcase(_)",
    "abs(_)",
    "type(_)",
    "type(_, generalized)",
    "type(_, reduced)",
    "String(_)",
    "Integer(_)",
    "Float(_)",
    "Numeric(_)",
    "Boolean(_)",
    "Array(_)",
    "Array(_, true)",
    "Hash(_)",
    "String(_, '%s')",
    "String(_, '%p')",
    "String(_, '%#p')",
    "String(_, '%d')",
    "String(_, '%x')",
    "Integer(_, 16)",
    "Regexp(_)",
    "SemVer(_)",
    "Timespan(_)",
    "Sensitive(_)",
    "Binary(_, '%s')",
    "Type(_)",
    "_.map |$x| { $x }",
    "_.map |$i, $x| { [$i, $x] }",
    "_.filter |$x| { $x }",
    "_.filter |$x| { $x =~ _T }",
    "_.reduce |$m, $x| { $x }",
    "_.reduce(_) |$m, $x| { [$m, $x] }",
    "_.each |$x| { }",
    "_.then |$x| { $x }",
    "_.lest || { _ }",
    "with(_, _) |$a, $b| { [$b, $a] }",
    "assert_type(_T, _)",
    "_.convert_to(_T)",
    "_T.new(_)",
    "with(_) |_T $x| { $x }",
    "with(_, _) |_T $a, $b = $a| { [$a, $b] }",
    "with(_) |$a, $b = [$a, _]| { $b }",
    "with(_) |$a = $b, $b = _| { $a }",
    "with(_, _) |*$r| { $r }",
    "with(_, _) |$a, _T *$r| { [$a, $r] }",
    "with(_) |$x| >> _T { $x }",
    "with(_) |$x| { [$p, $q] = $x [$q, $p] }",
    "with(_) |$x| { [$a, $c] = $x [$a, $c] }",
    "with(_) |$x| { $y = $x $x =~ /(.)(z)?/ [$0, $1, $2] }",
    "with(_) |$x| { $x = 1 }",
    "with(_) |$x| { $z = $x with($z) |$y| { $z = [$y] $z } }",
    "with(_) |$x| { if $x =~ _T { $w = 1 } $w }",
    "with(_) |$x| { case $x { /^(.)/: { $1 } /b(.)/, _T: { [$0] } default: { $0 } } }",
    "with(_) |$x| { $x ? { /(a)|(b)/ => [$1, $2], _T => 't', _ => 'e', default => $0 } }",
    "with(_) |$x| { unless $x { [_] } else { next($x) } }",
    "_.map |$x| { if $x =~ _T { next('n') } $x }",
    "_.map |$x| { if $x == 1 { break() } [$x] }",
    "[*_, _]",
    "length([*_])",
    "_.each |_T $x| { }",
    "_.map |$x, $y, $z| { }",
    "inline_epp('<%= $x %>', {x => _})",
    "inline_epp('<%- |_T $a, $b = 2| -%><%= $a %>-<%= $b %>', {a => _})",
    "all(_) |$x| { $x }",
    "any(_) |$i, $x| { $x }",
    "capitalize(_)",
    "camelcase(_)",
    "ceiling(_)",
    "chomp(_)",
    "chop(_)",
    "compare(_, _)",
    "compare(_, _, false)",
    "dig(_, 0)",
    "dig(_, a, 1)",
    "empty(_)",
    "flatten(_)",
    "flatten(_, _)",
    "floor(_)",
    "get(_, 'a')",
    "get(_, '0.a', _)",
    "group_by(_) |$x| { $x }",
    "index(_, _)",
    "index(_) |$x| { $x }",
    "join(_)",
    "join(_, ', ')",
    "lstrip(_)",
    "match(_, _)",
    "max(_, _)",
    "max(_)",
    "min(_, _)",
    "min(_)",
    "partition(_) |$x| { $x }",
    "regsubst(_, 'a', 'b')",
    "regsubst(_, /(.)/, '<\\\\1>', 'G')",
    "reverse_each(_)",
    "Array(reverse_each(_))",
    "round(_)",
    "rstrip(_)",
    "scanf(_, '%d')",
    "scanf(_, '%s %f')",
    "slice(_, 2)",
    "slice(_, 2) |$a, $b| { [$b] }",
    "sort(_)",
    "sort(_) |$a, $b| { compare($b, $a) }",
    "split(_, ',')",
    "split(_, /b/)",
    "split(_, _)",
    "step(_, 2)",
    "Array(step(_, 2))",
    "strip(_)",
    "tree_each(_)",
    "Array(tree_each(_))",
    "unique(_)",
    "unique(_) |$x| { $x }",
    "unwrap(_)",
    "versioncmp(_, _)",
    "sprintf('%s', _)",
    "sprintf('%d', _)",
    "sprintf('%5.2f|%-5s', _, _)",
    "sprintf('%x %#o', _, _)",
    "sprintf('%{a}', _)",
    "shellquote(_)",
    "shellquote(_, _)",
    "md5(_)",
    "sha1(_)",
    "sha256(_)",
    "fqdn_rand(10, _)",
    "getvar(_)",
    "strftime(Timespan(_), '%H:%M:%S')",
    "call('length', _)",
    "fail(_)",
    "String(_, {Any => '%p'})",
    "Struct[{a => _T}]",
    "Timestamp(_)",
    "SemVerRange(_)",
    "URI(_)",
    "Init[Integer].new(_)",
    "Optional[_T](_)",
    "new(_T, _)",
];

impl Generator {
    fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    fn pick(&mut self, choices: &[&'static str]) -> &'static str {
        self.0.pick::<&str>(choices)
    }

    fn program(&mut self) -> String {
        match self.below(10) {
            0 => format!("({}) =~ {}", self.expr(2), self.type_(2)),
            1 => format!("{} {} {}", self.type_(2), self.pick(&["<", "<=", "==", ">", ">="]), self.type_(2)),
            2 => self.type_(3),
            _ => self.expr(3),
        }
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.pick(SCALARS).to_owned();
        }
        let inner = depth - 1;
        match self.below(14) {
            0 | 1 => self.pick(SCALARS).to_owned(),
            2 => self.array(inner),
            3 => self.hash(inner),
            4..=6 => format!("({}) {} ({})", self.expr(inner), self.pick(OPERATORS), self.expr(inner)),
            7 => format!("({})[{}]", self.expr(inner), self.keys(inner)),
            8 => format!("\"a${{{}}}b\"", self.expr(inner).replace('"', "'")),
            9 => self.conditional(inner),
            10 => format!("({} ({}))", self.pick(&["!", "-"]), self.expr(inner)),
            _ => self.call(inner),
        }
    }

    fn stdlib_call(&mut self, names: &[&'static str]) -> String {
        const WORDS: &[&str] =
            &["'a,b'", "'/a/b.c'", "'1-3'", "'aab'", "'::1'", "'10.0.0.1'", "'md5'", "'encode'"];
        let count = self.below(4);
        let name = self.pick(names);
        let arguments: Vec<String> = (0..count)
            .map(|_| if self.below(6) == 0 { self.pick(WORDS).to_owned() } else { self.data(2) })
            .collect();
        format!("{name}({})", arguments.join(", "))
    }

    fn data(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 1 } else { 4 }) {
            0 | 1 => self.pick(SCALARS).to_owned(),
            2 => format!(
                "[{}]",
                (0..self.below(4)).map(|_| self.data(depth - 1)).collect::<Vec<_>>().join(", ")
            ),
            _ => format!("{{a => {}, 'b c' => {}}}", self.data(depth - 1), self.data(depth - 1)),
        }
    }

    fn array(&mut self, depth: usize) -> String {
        let count = self.below(4);
        let elements: Vec<String> = (0..count).map(|_| self.expr(depth)).collect();
        format!("[{}]", elements.join(", "))
    }

    fn hash(&mut self, depth: usize) -> String {
        // Keys differ, since a literal with equal keys does not get past validation.
        const KEYS: &[&str] = &["a", "'b c'", "1", "2.5", "true", "undef", "c"];
        let count = self.below(4);
        let start = self.below(KEYS.len());
        let entries: Vec<String> = (0..count)
            .map(|index| format!("{} => {}", KEYS[(start + index) % KEYS.len()], self.expr(depth)))
            .collect();
        format!("{{{}}}", entries.join(", "))
    }

    fn keys(&mut self, depth: usize) -> String {
        let count = 1 + self.below(2);
        let keys: Vec<String> = (0..count).map(|_| self.expr(depth.min(1))).collect();
        keys.join(", ")
    }

    fn conditional(&mut self, depth: usize) -> String {
        let (test, one, two) = (self.expr(depth), self.expr(depth), self.expr(depth));
        match self.below(3) {
            0 => format!("if {test} {{ [{one}] }} else {{ [{two}] }}"),
            1 => format!("(({test}) ? {{ {} => {one}, default => {two} }})", self.expr(0)),
            _ => format!(
                "case {test} {{ {}, {}: {{ [{one}] }} default: {{ [{two}] }} }}",
                self.type_(1),
                self.expr(0)
            ),
        }
    }

    fn call(&mut self, depth: usize) -> String {
        let template = self.pick(CALLS);
        let mut text = String::new();
        let mut rest = template;
        while let Some(at) = rest.find('_') {
            let is_hole = !rest[..at].ends_with(|c: char| c.is_alphanumeric());
            let after = &rest[at + 1..];
            text.push_str(&rest[..at]);
            if let Some(after) = after.strip_prefix('T') {
                text.push_str(&self.type_(depth.min(2)));
                rest = after;
            } else if is_hole && !after.starts_with(|c: char| c.is_alphanumeric()) {
                text.push_str(&format!("({})", self.expr(depth)));
                rest = after;
            } else {
                text.push('_');
                rest = after;
            }
        }
        text.push_str(rest);
        text
    }

    fn type_(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.pick(TYPES).to_owned();
        }
        let inner = depth - 1;
        match self.below(12) {
            0 => format!("Array[{}]", self.type_(inner)),
            1 => format!("Hash[{}, {}]", self.type_(inner), self.type_(inner)),
            2 => format!("Variant[{}, {}]", self.type_(inner), self.type_(inner)),
            3 => format!("Optional[{}]", self.type_(inner)),
            4 => format!("Tuple[{}, {}]", self.type_(inner), self.type_(inner)),
            5 => format!("Struct[{{a => {}, Optional[b] => {}}}]", self.type_(inner), self.type_(inner)),
            6 => format!("Type[{}]", self.type_(inner)),
            7 => format!("Callable[{}, {}]", self.type_(inner), self.type_(inner)),
            8 => format!(
                "{}[{}]",
                self.pick(&["Integer", "String", "Array", "Enum", "Pattern", "Float"]),
                self.keys(0)
            ),
            _ => self.pick(TYPES).to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_programs_and_most_follow_the_grammar() {
        let programs = |seed| {
            let mut generator = Generator(Random::new(seed));
            (0..200).map(|_| generator.program()).collect::<Vec<String>>()
        };
        assert_eq!(programs(7), programs(7));
        let good = programs(7).iter().filter(|code| parses(code)).count();
        assert!(good > 180, "{good} of 200");
    }

    fn parses(code: &str) -> bool {
        hierarch_syntax::parse(&hierarch_source::Source::unnamed(code)).program.is_ok()
    }
}
