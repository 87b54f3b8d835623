"""Makes random Puppet programs about corners of the language, one JSON object per line: COUNT SEED.

Beside `programs-random.py`, which mixes everything: here each program stays at one subject (heredocs, formats of times, maps of
string formats, loops that are left early, overrides and collectors, modules with files) and most of them succeed.
"""
import random

from generated import print_cases

SCALARS = ["0", "1", "-3", "42", "255", "1.5", "-0.25", "1e10", "'a'", "'grün'", "''", "true", "false", "undef", "default", "/x/", "'10'"]
WORDS = ["'a'", "'bc'", "'Hello World'", "'x-y_z'", "'grüße'", "\"l1\\nl2\"", "'aXbXc'", "'  pad '", "'2024-02-29'", "'a1b22c333'", "'日本'", "''"]
PATTERNS = ["/(\\w)(\\d+)/", "/(?<y>\\d{4})-(?<m>\\d\\d)/", "/^\\s*(.*?)\\s*$/", "/X/", "/[[:alpha:]]+/", "/\\b\\w/", "/(a)|(b)/", "/(?i:x)/", "/(?<!a)X/", "/(?=b)/", "/\\p{Alpha}+/", "/\\h+/", "/[^a-z]/", "/(.)\\1/", "/a{2,}|l+/", "/\\A\\z/",
            "/(?m:.+)/", "/(?x: a  b )/", "/[\\w&&[^a]]+/", "/\\R/", "/\\X/", "/(?>a+)X/", "/\\//", "/\\u00fc/", "/$/", "/\\Z/"]
TYPES = ["Integer", "Integer[0, 10]", "String", "String[1]", "Float", "Numeric", "Boolean", "Array[Integer]", "Array[String, 1, 2]", "Hash[String, Integer]", "Optional[String]", "Variant[Integer, String]", "Enum['a', 'b']", "Pattern[/^a/]", "Any", "Data",
         "Tuple[Integer, String]", "Tuple[Integer, 0, 2]", "Struct[{a => Integer}]", "Struct[{Optional[a] => Integer, b => String}]", "Undef", "NotUndef", "Scalar", "Collection[1]", "Iterable[Integer]", "Callable", "Type[Integer]", "Sensitive[String]", "Regexp", "Timestamp", "Timespan", "SemVer", "Binary", "Init[Integer]"]
STAMPS = ["Timestamp('2020-01-02T03:04:05.678 UTC')", "Timestamp(0)", "Timestamp(1.5)", "Timestamp('1999-12-31T23:59:59.999999999 UTC')", "Timestamp('2024-02-29')", "Timestamp('2001-09-09 01:46:40', '%F %T')", "Timestamp('2010-05-06T07:08:09 +02:00')", "Timestamp(-86400)"]
SPANS = ["Timespan(0)", "Timespan(90)", "Timespan(1.25)", "Timespan('1-02:03:04.5')", "Timespan('-0-00:00:01')", "Timespan({days => 2, hours => 3})", "Timespan(1, 2, 3, 4)", "Timespan(1, 2, 3, 4, 5, 6, 7)", "Timespan('3:4', '%H:%M')", "Timespan('12', '%S')", "Timespan({negative => true, minutes => 90})", "Timespan(100000)"]
STAMP_FORMATS = ["%Y", "%C", "%y", "%m", "%B", "%b", "%^B", "%d", "%e", "%-d", "%j", "%H", "%k", "%I", "%l", "%P", "%p", "%M", "%S", "%L", "%N", "%3N", "%6N", "%12N", "%z", "%:z", "%::z", "%Z", "%A", "%a", "%^a", "%u", "%w", "%G", "%g", "%V", "%U", "%W", "%s", "%n", "%t", "%%", "%c", "%D", "%F", "%T", "%R", "%r", "%x", "%X", "%v", "%+", "%10Y", "%-m", "%_m", "%05d", "%^10a", "%#p", "%E", "%h", "%-y", "%010N"]
SPAN_FORMATS = ["%D", "%H", "%M", "%S", "%L", "%N", "%-H", "%_H", "%3H", "%03D", "%-M:%S", "%3N", "%6N", "%9N", "%-N", "%_9L", "%%", "%x", "%D-%H:%M:%S.%L", "%H hours", "%12D", "%-D", "%_5D", "%1N", "%-L", "%:H"]
VERSIONS = ["1.2.3", "1.2.3-rc1", "1.2.3-rc.2+b.1", "0.0.0", "2.0.0", "10.0.1", "1.10.0", "1.2.3+build"]
RANGES = [">=1.0.0 <2.0.0", "~1.2", "1.x", "^1.2.3", "1.2.3 - 2.0.0", ">1.2.3", "<=2.0.0", "=1.2.3", "*", "1.2", "~1.2.3-rc1", ">=1.0.0 || <0.5.0", "1.2.3", "<1.0.0 >2.0.0", "^0.1.2", "~0", "1.2.x", ">= 1.0.0"]
LISTS = ["[1, 2, 3]", "[3, 1, 2]", "['a', 'b', 'c']", "[]", "[[1, 2], [3, 4]]", "[1, [2, [3]]]", "Integer[1, 4]", "5", "'abc'", "{a => 1, b => 2}", "{}", "[undef, 1]", "[1, 2, 3].reverse_each", "[1, 2, 3, 4].step(2)", "{x => [1, 2], y => {z => 3}}", "Enum['a', 'b']"]


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def one(self, pool):
        return self.r.choice(pool)

    def maybe(self, chance):
        return self.r.random() < chance

    def some(self, pool, least, most):
        return [self.one(pool) for _ in range(self.r.randint(least, most))]

    def value(self, depth=0):
        kind = self.r.random()
        if depth > 2 or kind < 0.5:
            return self.one(SCALARS + WORDS)
        if kind < 0.65:
            return "[" + ", ".join(self.value(depth + 1) for _ in range(self.r.randrange(4))) + "]"
        if kind < 0.8:
            keys = self.r.sample(["a", "b", "'c d'", "1", "'k'", "true", "[1]", "undef"], self.r.randrange(4))
            return "{" + ", ".join(f"{key} => {self.value(depth + 1)}" for key in keys) + "}"
        return self.one([self.one(STAMPS), self.one(SPANS), f"SemVer('{self.one(VERSIONS)}')", f"SemVerRange('{self.one(RANGES)}')", "Binary('YWJj')", "Binary('grüße', '%s')", "Sensitive('s')", "Sensitive({a => 1})", self.one(TYPES), "File['/x']", "URI('http://h/p?q=1')"])

    # Texts.

    def heredoc(self):
        tag = self.one(["END", "\"END\"", "\"END\"/L", "END/", "END/nt", "\"END\"/tsrnL$u", "'END'", "\"END\":json", "END:yaml", "\" E O F \"", "END/x", "\"END\"/$", "END:", "\"END\":epp/L"])
        name = tag.split("/")[0].split(":")[0].strip("\"'").strip()
        lines = ["plain", "  indented", "${x}", "$x and ${x[0]}", "\\t tab \\n", "\\$x \\${x}", "a \\", "", "\\u00fc\\u{1F600}", "  ${[1, 2].map |$i| { $i * 2 }}", "'q' \"dq\"", "{\"a\": 1}", "\\s\\r", "\\\\", "${x.length} é", "| bar", "\ttabbed", "<%= 1 %>", "${if $x { 'y' } else { 'n' }}"]
        margin = self.one(["", "  ", "    ", "\t"])
        body = "".join(f"{margin}{line}\n" if line or self.maybe(0.5) else "\n" for line in self.some(lines, 0, 4))
        end = self.one([f"{margin}| {name}", f"{margin}|- {name}", f"{margin}|-{name}", name, f"  - {name}", f"   | {name}", f"| {name}"])
        use = self.one(["", ".length", ".split(\"\\n\")", "[0, 3]", " + 'z'"]) if self.maybe(0.3) else ""
        return f"$x = {self.one(WORDS + ['[1, 2]', 'undef'])}\n$h = @({tag}){use}\n{body}{end}\n$h"

    def interpolation(self):
        inside = self.one(["x", "x[0]", "x[1][0]", "x['a']", "x.length", "x[0].upcase", "$x", "$x[0]", "x ? { 1 => 2, default => 3 }", "x + 1", "1 + 1", "'lit'", "if", "true", "undef", "x()", "[1, 2]", "{a => 1}", "x.map |$e| { $e }", "notice(1)", "::x", "a::b", "x[0, 1]", "x =~ String", "!x", "", "x['a'][0]", "_y", "x.y.z", "upcase('a')", "x[-1]", "x != 1", "facts['a']", "\"in ${x} side\""])
        around = self.one(["\"${%s}\"", "\"a${%s}b\"", "\"${%s}${%s}\"", "\"\\${%s}\"", "\"$x${%s}\"", "\"$x[0]${%s}\"", "\"$x-${%s}\"", "\"$x::${%s}\"", "\"$ ${%s} $$\"", "\"\\u{e9}${%s}\\x\""])
        return f"$x = {self.one(['1', chr(39) + 'abc' + chr(39), '[1, [2]]', '{a => [5]}', 'undef', '-1.5', 'Integer', 'true'])}\n{around.replace('%s', inside)}"

    def pattern(self):
        text, pattern = self.one(WORDS), self.one(PATTERNS)
        into = self.one(["'<\\0>'", "'\\1-\\2'", "'\\k<y>'", "'\\\\'", "''", "'&'", "\"\\\\1\\n\"", "'\\9'"])
        return self.one([f"if {text} =~ {pattern} {{ [$0, $1, $2] }}", f"{text}.match({pattern})", f"{text}.regsubst({pattern}, {into}, '{self.one(['G', 'GI', 'I', 'E', 'M', 'GEM'])}')", f"{text}.split({pattern})", f"regsubst([{text}, 'b'], {pattern}, {into})", f"case {text} {{ {pattern}: {{ \"${{0}}|${{1}}\" }} default: {{ $0 }} }}", f"{text} ? {{ {pattern} => $1, default => 'no' }}",
                         f"{text} =~ {pattern}\n[1].map |$e| {{ {text} =~ {self.one(PATTERNS)}\n $0 }} + [$0]", f"[{text}, 'zz'].filter |$e| {{ $e =~ {pattern} and $0 != '' }}", f"{text} in [{pattern}, 'a']", f"{pattern} in [{text}]", f"{text} !~ {pattern} or $1", f"Regexp[{pattern}]", f"{text} =~ Pattern[{pattern}]", f"Regexp({text})", f"String({pattern}, '{self.one(['%p', '%s', '%r', '%#r'])}')", f"[{text}, {text}].match({pattern})", f"{text}.index({text})"])

    # Formats.

    def time(self):
        a, b, s, t = self.one(STAMPS), self.one(STAMPS), self.one(SPANS), self.one(SPANS)
        zone = self.one(["", "", ", 'UTC'", ", 'CET'", ", '+02:00'", ", 'PST'", ", 'nope'"])
        return self.one([f"{a}.strftime('{' '.join(self.some(STAMP_FORMATS, 1, 3))}'{zone})", f"{s}.strftime('{' '.join(self.some(SPAN_FORMATS, 1, 3))}')", f"{a} - {b}", f"{a} + {s}", f"{s} + {t}", f"{s} - {t}", f"{s} * {self.one(['2', '0.5', '-1'])}", f"{s} / {self.one(['2', t, '0.5'])}", f"{s} % {self.one(['2', t])}", f"{s} // {t}", f"-{s}", f"{a} < {b}", f"{s} <= {t}", f"{a} == {b}",
                         f"[{a}, {b}].sort |$l, $r| {{ compare($l, $r) }}", f"String({a})", f"String({s})", f"Integer({a})", f"Float({s})", f"Integer({s})", f"Float({a})", f"Numeric({s})", f"{a} =~ Timestamp['2000-01-01', {self.one(['default', chr(39) + '2020-01-02' + chr(39), b])}]", f"{s} =~ Timespan[{self.one(['default', t, '1'])}, {self.one(['default', chr(39) + '1-00:00:00' + chr(39), '500'])}]", f"Timestamp['2000-01-01', '2001-01-01'] < Timestamp", f"type({self.one([a, s])})",
                         f"Timestamp('{self.one(['2020', '2020-01', '2020-01-02T03', '2020-01-02T03:04', '2020-13-01', '2020-01-02 03:04:05', '2020-01-02T03:04:05Z', '2020-01-02T03:04:05.5+01:00', 'x', '20-1-2'])}')", f"Timestamp('{self.one(['12/31/99', '1 Feb 2003', '2003-02-01 4', '1e3', '2020 060'])}', '{self.one(['%m/%d/%y', '%d %b %Y', '%Y-%m-%d %H', '%s', '%Y %j'])}')", f"Timestamp('2020-01-02', ['%d', '%F']{zone})",
                         f"Timespan('{self.one(['1-2', '1:2:3', '1.5', '100', '-5', '1 2', '99:99'])}', '{self.one(['%D-%H', '%H:%M:%S', '%S.%L', '%M', '-%S', '%D %H', '%-H:%-M', '%S'])}')", f"Timespan('{self.one(['1-02', '25:61', '3', '1:2', '-1:02:03', '1.5', '00:00:00.123456789', '1-00:00:00.5'])}')", f"Timespan({{string => '10:20', format => '%H:%M'}})", f"Timestamp({{string => '2020', format => '%Y', timezone => 'UTC'}})", f"{a}.{self.one(['year', 'strftime'])}", f"{s}.{self.one(['days', 'total_seconds', 'hours'])}"])

    def formats(self):
        inner = lambda: self.one(["'%p'", "'%s'", "'%#p'", "{format => '%d', separator => ','}", "{format => '%(a', separator => ' |'}", "{format => '%#a', separator => ';', separator2 => ':'}", "{format => '%h', separator => ' & ', separator2 => ' = '}", "{format => '% a', string_formats => {Any => '%p', Integer => '%#x', String => '%u'}}", "{format => '%<h', string_formats => {Integer => '%05d', Undef => '%n'}}", "'%x'", "'%.1f'", "'%T'", "'%y'", "'%10s'", "'%-8s|'", "'%c'", "'%B'", "'%t'", "'%a'", "'%#h'"])
        types = self.r.sample(["Any", "Integer", "Float", "String", "Array", "Hash", "Boolean", "Undef", "Numeric", "Scalar", "Collection", "Default", "Type", "Regexp", "Integer[0, 10]", "Array[Integer]", "Tuple", "Struct", "Timestamp", "Binary", "SemVer", "Sensitive", "Object"], self.r.randint(1, 3))
        return f"String({self.value()}, {{" + ", ".join(f"{name} => {inner()}" for name in types) + "})"

    def printed(self):
        flags = self.one(["", "", "-", "0", "+", " ", "#", "-0", "+0", "# "])
        width = self.one(["", "", "3", "8", "12", "*", "1$"])
        precision = self.one(["", "", ".0", ".2", ".10", ".*"])
        form = f"%{flags}{width}{precision}{self.one(list('dsfegxXobBaApcuiEGA'))}"
        name = self.one(["%<a>d", "%{a}", "%<a>+.2f|%{b}", "%-10<a>s|", "%<nope>s", "%{nope}"])
        return self.one([f"sprintf('{form}|{self.one(['%%', '%s', ''])}', {self.value()}, {self.value()})", f"sprintf('{form}', {self.one(SCALARS)})", f"sprintf('{name}', {{'a' => {self.one(SCALARS)}, 'b' => {self.one(WORDS)}}})", f"sprintf('{form}{form}', {self.one(SCALARS)}, {self.one(SCALARS)}, 3)"])

    def number(self):
        n = lambda: self.one(["0", "1", "-1", "7", "-7", "3", "10", "0x10", "010", "2.5", "-2.5", "1e3", "0.1", "9223372036854775807", "-9223372036854775808", "4611686018427387904", "1e308", "1.7976931348623157e308", "5e-324", "'3'", "'0x1f'", "' 7'", "'1e2'", "100", "0b1", "08", "1_000", ".5", "1.", "64", "63"])
        return self.one([f"{n()} {self.one(['+', '-', '*', '/', '%', '<<', '>>', '<', '>=', '==', '!=', '=='])} {n()}", f"{n()} {self.one(['+', '*'])} {n()} {self.one(['-', '/'])} {n()}", f"-{n()} {self.one(['%', '/', '**'])} {n()}", f"Integer({n()}, {self.one(['2', '8', '10', '16', 'default'])})", f"Float({n()})", f"Numeric({n()})", f"Integer({n()})", f"{n()}.{self.one(['abs', 'ceiling', 'floor', 'round'])}", f"[{n()}, {n()}, {n()}].{self.one(['max', 'min', 'sort', 'unique', 'sum'])}",
                         f"String({n()}, '%{self.one(['d', 'x', '#o', 'e', '.3g', 'f', '.20f', 'a', 's', 'p', '08b', '+d'])}')", f"{n()} =~ {self.one(['Integer[0]', 'Float', 'Numeric', 'Integer[default, 5]', 'Float[0.0, 1.0]'])}", f"notice({n()}, -{n()})", f"\"${{{n()}}}\"", f"Integer('{self.one(['12', '0x1F', '0b101', '0o17', '017', '1.5', ' 1', '1 ', '+3', '- 4', '-0x5', '', '1_0', '0x', '９'])}')", f"Float('{self.one(['1.5', '1e5', '.5', '1.', '-1.5e-3', '0x1.8p1', 'inf', 'NaN', '1_0.0', ' 1.5 ', '010.5'])}')", f"Integer({n()}, 10, {self.one(['true', 'false'])})"])

    def versions(self):
        v, w, r, q = (self.one(VERSIONS), self.one(VERSIONS), self.one(RANGES), self.one(RANGES))
        return self.one([f"SemVer('{v}') {self.one(['<', '>', '==', '<=', '!='])} SemVer('{w}')", f"SemVer('{v}') =~ SemVer['{r}']", f"SemVer('{v}') =~ SemVer['{r}', '{q}']", f"SemVer('{v}') in SemVerRange('{r}')", f"SemVerRange('{r}') == SemVerRange('{q}')", f"SemVerRange('{r}')", f"String(SemVerRange('{r}'), '{self.one(['%p', '%s'])}')", f"SemVer('{v}').{self.one(['major', 'minor', 'patch', 'prerelease', 'build', 'x'])}", f"SemVerRange('{v}', '{w}')", f"SemVerRange('{v}', '{w}', true)", f"SemVerRange({{min => '{v}', max => '{w}', exclude_max => {self.one(['true', 'false'])}}})",
                         f"SemVer({{major => 1, minor => 2, patch => 3, prerelease => '{self.one(['rc1', '', 'a.b', '-', '01'])}'}})", f"SemVer(1, 2, 3, '{self.one(['rc', 'x.1', ''])}', '{self.one(['b', '1'])}')", f"SemVer['{r}'] <= SemVer['{q}']", f"[SemVer('{v}'), SemVer('{w}')].{self.one(['max', 'min', 'sort'])}", f"compare(SemVer('{v}'), SemVer('{w}'))", f"SemVer('{self.one(['1.2', 'v1.2.3', '1.2.3.4', '01.2.3', '1.2.3-', ''])}')", f"versioncmp('{v}', '{w}')", f"SemVer('{v}') ? {{ SemVer['{r}'] => 'in', default => 'out' }}", f"SemVerRange('{r}').{self.one(['min', 'max'])}"])

    def bytes(self):
        b = self.one(["Binary('YWJj')", "Binary('YW J\\nj')", "Binary('YWI', '%b')", "Binary('_-8', '%u')", "Binary('grüße', '%s')", "Binary('abc', '%r')", "Binary([1, 2, 255])", "Binary({value => 'YQ==', format => '%B'})", "Binary([])", "Binary('\\xff', '%r')", "Binary([256])", "Binary('a', '%x')"])
        return self.one([b, f"String({b}, '{self.one(['%s', '%p', '%b', '%B', '%u', '%t', '%T', '%#s', '%d'])}')", f"{b} == {b}", f"{b}.length", f"Array({b})", f"{b}[{self.one(['0', '-1', '1, 2', '5'])}]", f"{b} in [{b}]", f"97 in {b}", f"'b' in {b}", f"{b}.empty", f"{b}.each |$x| {{ notice($x) }}", f"[{b}].unique", f"type({b})", f"notify {{ 'x': message => {b} }}", f"\"<${{{'(' + b + ')'}}}>\"", f"{b} + {b}", f"Sensitive({b})", f"{b} < {b}"])

    def secret(self):
        v = self.value()
        return self.one([f"Sensitive({v})", f"Sensitive({v}).unwrap", f"Sensitive({v}) == Sensitive({v})", f"\"<${{Sensitive({v})}}>\"", f"notice(Sensitive({v}), [{v}])", f"String(Sensitive({v}), '{self.one(['%s', '%p'])}')", f"Sensitive({v}).unwrap |$x| {{ type($x) }}", f"Sensitive({v}) =~ Sensitive[{self.one(TYPES)}]", f"type(Sensitive({v}))", f"Sensitive(Sensitive({v})).unwrap", f"[Sensitive({v})].map |$s| {{ $s.unwrap }}", f"Sensitive.new({v}) in [Sensitive({v})]", f"unwrap({v})", f"notify {{ 'x': message => Sensitive({v}) }}", f"{{k => Sensitive({v})}}",
                         f"Sensitive[{self.one(TYPES)}]", f"assert_type(Sensitive[{self.one(TYPES)}], Sensitive({v}))", f"join([Sensitive('a'), 'b'])", f"Sensitive({v}).length", f"Sensitive({v})[0]", f"case Sensitive({v}) {{ Sensitive: {{ 1 }} default: {{ 2 }} }}", f"Sensitive('a') + 'b'", f"fail(Sensitive({v}))", f"inline_epp('<%= $s %>', {{s => Sensitive({v})}})", f"inline_epp('<%= $s.unwrap %>', {{s => Sensitive({v})}})"])

    # Loops and blocks.

    def loop(self):
        function = self.one(["each", "map", "filter", "reduce", "any", "all", "index", "slice(2)", "group_by", "partition", "reverse_each", "step(2)", "then", "with", "tree_each", "unique", "sort", "lest", "each", "map"])
        count = 2 if function in ("reduce", "sort") else self.one([1, 1, 2])
        names = ["$x", "$y"][:count]
        typed = [f"{self.one(TYPES[:16])} {name}" if self.maybe(0.3) else name for name in names]
        if self.maybe(0.1):
            typed[-1] += " = 5"
        if self.maybe(0.08):
            typed[-1] = "*" + names[-1] if " " not in typed[-1] else typed[-1]
        if function == "lest":
            typed = []
        leave = self.one(["break()", "next($x)", "next()", "return($x)", "return()", "$x", "[$x]", "$x == 2", "$x", "true", "$x + 1", "notice($x)", "fail('no')", "\"$x\"", "undef"])
        guard = self.one(["%s", "if $x == 2 { %s } $x", "if $x == 1 { %s } else { $x }", "unless $x == 3 { %s }", "[1].each |$z| { %s } $x", "$r = %s\n $x", "with(1) |$w| { %s }", "case $x { 1: { %s } default: { $x } }", "$x ? { 1 => 1, default => %s }", "if true { %s }"])
        body = guard.replace("%s", leave)
        if function == "lest":
            body = body.replace("$x", "1")
        made = f"{self.one(LISTS)}.{function} |{', '.join(typed)}| {{ {body} }}"
        return self.one([made, made, f"$r = {made}\n$r", f"function f() {{ $v = {made}\n[$v, 'after'] }}\nf()", f"[10, 20].map |$o| {{ {made} }}", f"{made}\nnotice('end')"])

    def block(self):
        parameters = self.one(["$a", "Integer $a", "$a, $b = $a", "Integer $a, String $b = 'd'", "*$a", "Integer *$a", "$a, *$b", "String $a = 'x', Integer *$b", "Tuple[Integer, String] $a", "Optional[Integer] $a = undef", "Array[Integer] $a", "$a = 1, $b", "Variant[Integer, Undef] $a, $b = type($a)", "Callable $a", ""])
        call = self.one(["with(%s)", "with(%s)", "[%s].each", "[%s].map", "[[%s]].map", "{a => [%s]}.map", "[%s].reduce", "assert_type(Integer, %s)", "call('with', %s)", "then(%s)", "lest(undef)"])
        arguments = ", ".join(self.value(2) for _ in range(self.r.randrange(4)))
        names = [word for word in parameters.replace("*", "").replace(",", "").split() if word.startswith("$")]
        body = "[" + ", ".join(dict.fromkeys(names)) + "]" if names else "'none'"
        return f"{call.replace('%s', arguments)} |{parameters}|{self.one(['', '', '', ' >> Integer', ' >> Array'])} {{ {body} }}"

    def function(self):
        kind, result = self.one(TYPES), self.one(["", f" >> {self.one(TYPES)}"])
        body = self.one(["$x", "[$x, $r]", "return $x", "next($x)", "if $x { 1 }", "$x.then |$y| { return($y) }", "case $x { Integer: { 'i' } String: { return('s') } default: { fail(\"bad ${x}\") } }", "f2($x)", "notice($x)", "undef", "break()", "$x =~ Integer and $x > 3"])
        second = "function f2($y) { [$y].each |$e| { return(\"f2:${e}\") } }\n"
        return f"{second}function f({self.one(['', kind + ' '])}$x{self.one(['', ' = 5', ' = undef'])}, {self.one(['*$r', '$r = [$x]', self.one(TYPES) + ' *$r', kind + ' $r = $x'])}){result} {{ {body} }}\nf({', '.join(self.value(1) for _ in range(self.r.randrange(4)))})"

    # Access and types.

    def access(self):
        base = self.one(["[1, 2, 3, 4]", "'abcdef'", "{a => 1, b => {c => [5, 6]}}", "[[1, [2]], {k => v}]", "''", "[]", "{1 => 2, undef => 3, [1] => 4}", "Integer", "Array", "Hash", "File", "Class", "Notify['a', 'b']", "10", "undef", "'grüße'", "String", "Enum", "Struct", "Resource", "Callable", "Variant", "Sensitive('abc')", "Tuple[Integer, String]", "Type[Integer]", "Object", "Regexp", "Optional", "Pattern", "true"])
        index = lambda: self.one(["0", "1", "-1", "-2", "4", "-10", "0, 2", "-3, 2", "1, -1", "2, 0", "9, 1", "1, -2", "'a'", "b", "'zz'", "a, b", "undef", "default", "1.5", "/a/", "Integer", "[1]", "'a', 'zz'", "0, 1, 2", "true", "{a => Integer}", "", "String, Integer", "1, default", "default, 5", "[Integer], String", "'x', 'y'"])
        return base + "".join(f"[{index()}]" for _ in range(self.one([1, 1, 1, 2])))

    def typed(self):
        t = lambda: self.one(TYPES + [f"Array[{self.one(TYPES)}, 1, 3]", f"Hash[{self.one(TYPES)}, {self.one(TYPES)}]", f"Variant[{self.one(TYPES)}, {self.one(TYPES)}]", f"Tuple[{self.one(TYPES)}, {self.one(TYPES)}, 1, 4]", f"Struct[{{a => {self.one(TYPES)}}}]", f"Optional[{self.one(TYPES)}]", f"Callable[[{self.one(TYPES)}], {self.one(TYPES)}]", f"Type[{self.one(TYPES)}]", f"Enum[a, B, true]", "Init[Timespan]", "Init[String, '%x']", "Object[{attributes => {a => Integer}}]", "TypeReference['X']", "Iterator[Integer]", "Collection[0, 0]", "Timestamp[0, 1]", "Resource['file']", "Class['a']"])
        return self.one([f"{t()} {self.one(['<', '<=', '==', '>', '>='])} {t()}", f"{self.value()} =~ {t()}", f"assert_type({t()}, {self.value()})", f"{t()}", f"String({t()}, '{self.one(['%p', '%s', '%#p', '%#s'])}')", f"type({self.value()}, '{self.one(['detailed', 'reduced', 'generalized'])}')", f"{t()}.{self.one(['type', 'generalize', 'name', 'simple_name', 'keys', 'length'])}", f"type A = {t()}\n[A, {self.value()} =~ A, A == {t()}]", f"type A = {t()}\nassert_type(A, {self.value()})", f"type A = Array[Variant[Integer, A]]\n{self.value()} =~ A", f"{self.value()} ? {{ {t()} => 1, {t()} => 2, default => 3 }}", f"case {self.value()} {{ {t()}, {t()}: {{ 'in' }} default: {{ 'out' }} }}", f"{t()} in [{t()}, {t()}]", f"[{t()}, {t()}].unique", f"{{{t()} => 1}}", f"{self.value()}.convert_to({t()})", f"{t()}.new({self.value()})", f"new({t()}, {self.value()}, {self.value()})", f"type Named::Thing = {t()}\nnotice(Named::Thing)\nnamed::thing == 1"])

    def assign(self):
        return self.one([f"[$a, $b] = {self.value()}\n[$b, $a]", f"[$a, [$b, $c]] = {self.value()}\n$c", f"$a = $b = {self.value()}\n[$a, $b]", "$a = 1\n$a = 2", f"[$a, $b] = {{a => 1, b => 2, c => 3}}\n[$a, $b]", "[$a, $c] = {a => 1}\n$a", "$1 = 2", "$a::b = 1", f"$x = {self.value()}\n$y = {{ k => $x }}\n$y['k'] == $x", "if true { $z = 5 }\n$z", "[1].each |$i| { $z = $i }\n$z", "$facts = 1", "$trusted = 1", "$_a = 1\n$_a", "$Abc = 1", "$a += 1", "$a = []\n$a += [1]", "{a => 1}['a'] = 2", "[$a] = [1, 2]\n$a", "[$a, $a] = [1, 2]\n$a", "$a = if false { 1 }\n$a", f"$a = case {self.value()} {{ Integer: {{ 'int' }} default: {{ undef }} }}\n$a", "$a = fail('x')", "$x = [1, 2, *[3, 4]]\n$x", "notice(*[1, 2])", "$a = *{b => 1}\n$a", "$server_facts = 1", "$title", "$name", "$module_name = 2", "$environment", "[$environment, $trusted['certname'], $facts['kernel']]", "$settings::strict", "$::nope", "$nope::a", "$0 = 1"])

    def deferred(self):
        call = self.one(["Deferred('join', [['a', 'b'], '-'])", "Deferred('upcase', [Deferred('downcase', ['Ab'])])", "Deferred('nope')", "Deferred('$x', [])", "Deferred('$x', ['a', 0])", "Deferred('sprintf', ['%s', {a => Deferred('upcase', ['q'])}])", "Deferred('new', [Integer, '3'])", "Deferred('inline_epp', ['<%= $a %>', {a => 1}])", "Deferred('unwrap', [Sensitive('s')])", "Deferred('fail', ['stop'])", "Deferred('Sensitive', ['x'])", "Deferred('map', [[1]])"])
        return self.one([f"$x = {{a => [7]}}\n{call}.call", f"{call}", f"notify {{ 'n': message => {call} }}", f"notify {{ 'n': message => [{call}, {{k => {call}}}] }}", f"$d = {call}\n[$d.name, $d.arguments]", f"{call} =~ Deferred", f"\"${{{'(' + call + ')'}}}\"", f"Sensitive({call})", f"notify {{ 'n': message => Sensitive({call}) }}", f"file {{ '/x': content => {call}, mode => {call} }}", f"{call} == {call}", f"type({call})", f"define d(String $s) {{ notify {{ $title: message => $s }} }}\nd {{ 'x': s => {call} }}", f"class c(Variant[String, Deferred] $s) {{ notify {{ 'z': message => $s }} }}\nclass {{ 'c': s => {call} }}"])

    # Catalogs.

    def body(self, names, least=0):
        return ", ".join(f"{name} => {self.value(1)}" for name in names if self.maybe(0.6) or least)

    def catalog(self):
        typed = lambda: self.one(["", "", "Integer ", "String ", "Optional[String] ", "Variant[String, Integer] ", "Array[String] ", "Boolean ", "Enum['a', 'b'] ", "Any "])
        parts = [f"define d({typed()}$p = {self.one(['1', chr(39) + 'a' + chr(39), '[]', '$title', 'undef', '$name'])}, {typed()}$q = {self.one(['$p', 'undef', '2', chr(39) + 'b' + chr(39)])}) {{\n  notify {{ \"d-${{title}}-${{name}}\": message => [$p, $q] }}\n  {self.statement()}\n}}",
                 f"class a($x = 1) {{\n  notify {{ 'from a': message => $x }}\n  {self.statement()}\n}}", f"class b inherits a {{\n  {self.one(['Notify[' + chr(39) + 'from a' + chr(39) + '] { message => ' + self.value(2) + ' }', 'Notify[' + chr(39) + 'from a' + chr(39) + '] { message +> ' + self.value(2) + ', tag +> t5 }', 'Notify[' + chr(39) + 'from a' + chr(39) + '] { message => undef }', self.statement()])}\n}}", "class c { contain a }"]
        parts += [self.statement() for _ in range(self.r.randint(1, 6))]
        if self.maybe(0.15):
            parts.append(f"node {self.one(['default', chr(39) + 'case.example.com' + chr(39), '/case/', chr(39) + 'other' + chr(39) + ', default'])} {{ {self.statement()} }}")
        return "\n".join(parts) + "\n"

    def reference(self):
        return self.one(["Notify['x']", "Notify['x', 'y']", "Notify['from a']", "Class['a']", "Class['b']", "D['one']", "File['/x']", "Stage['main']", "Notify[['x', 'y']]", "Resource['notify', 'x']", "Exec['e']", "Notify['d-one-one']"])

    def query(self):
        atom = lambda: self.one(["title == 'x'", "title != 'x'", "message == 'm'", "tag == 't1'", "tag != 'a'", "message != undef", "noop == true", "title == \"x\"", "message == ['a', 'b']", "tag == 'notify'", "message == 1", "loglevel == 'debug'", "require == Notify['x']"])
        return self.one(["", atom(), atom(), f"{atom()} and {atom()}", f"{atom()} or {atom()}", f"({atom()} or {atom()}) and {atom()}"])

    def statement(self):
        arrow = lambda: self.one(["->", "~>", "<-", "<~"])
        meta = lambda: self.one(["tag => 't1'", "tag => ['t1', 't2']", "noop => true", "loglevel => debug", f"require => {self.reference()}", f"before => [{self.reference()}]", f"notify => {self.reference()}", "alias => 'al'", "subscribe => [Notify['x'], Class['a']]", "stage => main", "schedule => daily", "audit => [mode]"])
        resource = lambda: self.one([f"notify {{ 'x': message => 'm', {meta()} }}", "notify { ['x', 'y']: message => 'm' }", "@notify { 'x': message => 'm', tag => 't1' }", "@@notify { 'y': message => ['a', 'b'] }", f"d {{ 'one': {self.body(['p', 'q'])} }}", f"@d {{ 'one': {meta()} }}", f"file {{ '/x': ensure => {self.one(['file', 'present', 'directory', 'absent', 'link'])}, {meta()} }}", "exec { 'e': command => '/bin/true', refreshonly => true }", f"notify {{ default: message => 'dm', {meta()};\n 'x': ;\n 'y': message => 'own' }}", f"notify {{ 'x': * => {{message => 'splat', {self.one(['tag', 'noop'])} => true}} }}", f"class {{ 'a': x => {self.value(2)} }}", f"class {{ 'b': {meta()} }}", "Notify { 'x': message => 'upper' }", f"Resource['notify'] {{ 'x': message => 'm' }}", "notify { 'x': message => 'a'; 'x2': message => 'b' }", "stage { 'pre': before => Stage['main'] }", f"user {{ 'u': {self.body(['uid', 'groups', 'nope'])} }}", f"package {{ 'p': ensure => {self.value(2)} }}", f"service {{ 's': ensure => running, enable => {self.value(2)} }}"])
        return self.one([resource, resource, resource, resource, lambda: f"Notify <| {self.query()} |>", lambda: f"Notify <| {self.query()} |> {{ {self.one(['message => ' + self.value(2), 'tag +> ' + self.value(2), 'message +> ' + self.value(2), 'noop => true', 'message => undef', 'nope => 1'])} }}", lambda: f"Notify <<| {self.query()} |>>", lambda: f"D <| {self.query()} |> {{ p => {self.value(2)} }}", lambda: f"Class <| {self.query()} |>", lambda: f"File <| {self.query()} |> {arrow()} Notify <| {self.query()} |>",
                         lambda: f"{self.reference()} {arrow()} {self.reference()}", lambda: f"{self.reference()} {arrow()} {self.reference()} {arrow()} {self.reference()}", lambda: f"[{self.reference()}, {self.reference()}] {arrow()} {self.reference()}", lambda: f"{resource()} {arrow()} {resource()}", lambda: f"{self.reference()} {{ {self.one(['message => 1', 'message +> x', 'noop => true', 'tag +> z', 'p => 5', meta()])} }}", lambda: f"Notify {{ {self.one(['message => dflt', 'noop => true', meta(), 'nope => 1'])} }}", lambda: f"D {{ p => {self.value(2)} }}", lambda: f"File {{ mode => '0644', {meta()} }}",
                         lambda: f"{self.one(['include', 'contain', 'require'])} {self.one(['a', 'b', 'c', 'a, b', '[a, c]', 'Class[a]', chr(39) + '::a' + chr(39), 'nope'])}", lambda: f"realize({self.reference()})", lambda: f"realize {self.reference()}, {self.reference()}", lambda: f"create_resources({self.one(['notify', chr(39) + '@notify' + chr(39), 'd', 'class', chr(39) + '@@d' + chr(39), 'nope'])}, {{{self.one(['x', 'y', 'one', 'a', chr(39) + 'q r' + chr(39)])} => {{{self.one(['message => m', 'p => 1', 'x => 4', '', 'tag => t1'])}}}}}{self.one(['', ', {message => d}', ', {noop => true}'])})", lambda: f"tag {self.one(['t1', chr(39) + 'T2' + chr(39), 't3, t4', chr(39) + 'bad tag' + chr(39)])}", lambda: f"if tagged({self.one(['t1', 'a', 'd', 'case'])}) {{ notify {{ 'tagged': }} }}",
                         lambda: f"if defined({self.one([self.reference(), chr(39) + 'a' + chr(39), chr(39) + 'd' + chr(39), chr(39) + '$x' + chr(39), chr(39) + 'notify' + chr(39), 'Integer'])}) {{ notice('defined') }} else {{ notice('not') }}", lambda: f"notice({self.reference()}[{self.one(['message', 'noop', 'tag', 'title', 'nope', 'p', 'x', 'loglevel'])}])", lambda: f"['p', 'q'].each |$i, $t| {{ notify {{ \"${{t}}${{i}}\": message => $i }} }}", lambda: f"$r = {resource()}\nnotice($r)", lambda: "notice($a::x)", lambda: f"$v{self.r.randrange(99)} = {self.value()}", lambda: f"notice(getvar('a::x'), defined('$a::x'))", lambda: f"ensure_resource('notify', 'x')", lambda: "notify { \"${title}-t\": message => $name }"])()

    # Files.

    def template(self):
        header = self.one(["", "<%- | $a = 1, String $b = 'b' | -%>\n", "<%- | Integer $a, $b = $a | -%>\n", "<%- | Optional[Integer] $a = undef, *$b | -%>\n", "<% | $a, $b | %>\n", "<%-| |-%>\n", "<%#- c -%>\n<%- | $a | -%>\n", "<%- | Sensitive[String] $a, $b = 1 | -%>"])
        pieces = ["text\n", "  <%- $c = 1 -%>\n", "<%= $a %>", "[<%= $b -%>]\n", "<% if $a { -%>\nyes\n<% } else { -%>\nno\n<% } -%>\n", "<% [1, 2].each |$x| { -%>\n  - <%= $x %>\n<% } -%>\n", "<%# comment -%>\n", "<%% literal %%>", "<%= [1, 2].map |$x| { \"<$x>\" } %>", "<%= \"${a}\" %>", "<%= 'it' -%>   \n", "\t<%- notice('n') %>\n", "<%= undef %>|<%= true %>|<%= {a => 1} %>", "<%= @(E)\n  here\n  | E\n%>", "<%= $a ? { 1 => 'one', default => 'other' } %>", "<%= inline_epp('<%= 1 %%>') %>", "<%= $facts['kernel'] %>", "<% return() %>", "<%= $nope %>", "-%>", "<%", "<%= fail('x') %>", "<% 1\n2 %>", "<%= $b.length %>", "é<%= \"\\u00e9\" %>", "<%= 1; 2 %>", "<%= Sensitive('s') %>"]
        return header + "".join(self.some(pieces, 1, 5))

    def files(self):
        params = self.one(["", ", {a => 1}", ", {a => 2, b => 'x'}", ", {b => 1}", ", {'a' => 'text', 'b' => [1]}", ", {c => 1}", ", 5"])
        files = {"modules/m/templates/t.epp": self.template(), "modules/m/manifests/init.pp": f"class m({self.one(['', '$p = 1', 'Integer $p', 'String $p = m::f(1)'])}) {{ notify {{ 'm': message => {self.one(['$p', 'epp(' + chr(39) + 'm/t.epp' + chr(39) + params + ')', 'm::f(2)', '$module_name', 'lookup(' + chr(39) + 'm::p' + chr(39) + ')'])} }} }}\n", "modules/m/functions/f.pp": f"function m::f({self.one(TYPES[:12])} $x){self.one(['', ' >> ' + self.one(TYPES[:12])])} {{ {self.one(['$x', '[$x]', chr(34) + 'f:${x}' + chr(34), '$module_name', 'm::g($x)'])} }}\n", "modules/m/types/t.pp": f"type M::T = {self.one(TYPES)}\n", "modules/m/manifests/d.pp": f"define m::d(M::T $v{self.one(['', ' = 1'])}) {{ notify {{ \"md-${{title}}\": message => $v }} }}\n", "modules/m/manifests/sub/deep.pp": self.one(["class m::sub::deep { include m }\n", "class m::sub::wrong { }\n", "class m::sub::deep inherits m { }\n"])}
        code = "\n".join(self.some([f"notice(epp('m/t.epp'{params}))", "include m", "m::f(3)", "m::d { 'k': v => 1 }", "m::d { 'j': }", f"class {{ 'm': p => {self.value(2)} }}", "include m::sub::deep", f"notice({self.value(1)} =~ M::T)", "M::T", "notice(M::Nope)", "notice(m::nope(1))", "include m::nope", f"notice(m::f({self.value(1)}))", "notice(module_directory('m') =~ String)", "notice(find_file('m/x') =~ Undef)", "contain m", "M::D { v => 2 }", "M::D <| |>", "notice(defined('m::d'), defined('m'), defined(M::T))", "notice($m::p)", "m::f(1).notice"], 1, 3))
        return {"kind": "catalog", "code": code + "\n", "files": files}

    def case(self):
        subjects = [self.heredoc, self.interpolation, self.pattern, self.time, self.time, self.formats, self.formats, self.printed, self.number, self.versions, self.bytes, self.secret, self.loop, self.loop, self.loop, self.block, self.function, self.access, self.typed, self.typed, self.assign, self.deferred]
        choice = self.r.random()
        if choice < 0.28:
            case = {"kind": "catalog", "code": self.catalog()}
        elif choice < 0.36:
            case = self.files()
        elif choice < 0.43:
            case = {"kind": "epp", "template": self.template(), "params": self.one(["{}", "{a => 1}", "{a => 'x', b => [1, 2]}", "{a => undef, b => 'y'}", "{a => Sensitive('s')}", "{c => 1}"])}
        else:
            code = self.one(subjects)()
            case = {"kind": "catalog" if " { 'n': message" in code or "file { '/x'" in code or "notify { 'x'" in code else "eval", "code": code}
        if case["kind"] != "epp" and self.maybe(0.12):
            case["settings"] = {"strict": self.one(["off", "warning", "error"]), "strict_variables": self.maybe(0.5)}
        return case


print_cases(Generator)
