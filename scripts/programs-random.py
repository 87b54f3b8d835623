"""Makes random Puppet programs as inputs of recorded cases, one JSON object per line: COUNT SEED.

Values, functions with fitting and unfitting arguments, types, formats, conversions, iterators, patterns, resources, defined
types, classes, overrides, collectors, relations, templates, aliases, objects, Deferred and the strictness settings. What two
runs of Puppet could answer differently is left out, and so is what Puppet's process remembers from one program to the next.
"""
import random

from generated import print_cases

INTEGERS = ["0", "1", "2", "3", "-1", "7", "10", "-12", "255", "0x1F", "017", "1000000", "9223372036854775807", "-9223372036854775807"]
FLOATS = ["0.0", "1.5", "-0.5", "3.14159", "1e3", "1e-7", "12345678.9", "1e20", "2.0", "-7.25", "0.1", "1e16"]
STRINGS = ["''", "'a'", "'B'", "'abc'", "'x y z'", "'10'", "'0x1f'", "'1.5'", "'grüße'", "\"l1\\nl2\\n\"", "'true'", "'undef'", "' pad '",
           "'a,b,,c'", "'%d%%'", "'${x}'", "\"tab\\there\"", "'A1-b_2.c'", "'/etc/x.conf'", "'1.2.3'", "'日本語'", "'ǅ'", "'-7'", "'1e3'", "'a::b'"]
BOOLEANS = ["true", "false"]
REGEXES = ["/a/", "/^(.)b/", "/(?<n>[a-z])(\\d)?/", "/\\s+/", "/(?i)ABC/", "/[[:upper:]]/", "/x|y/", "/(a)(b)?(c)?/", "/\\A\\d+\\z/", "/./", "/,/", "//"]
ARRAYS = ["[]", "[1, 2, 3]", "['a', 'b']", "[1, 'a', undef, true]", "[[1, 2], [3, [4]]]", "[3, 1, 2]", "['b', 'A', 'a', 'B']", "[1.5, 1, '1']",
          "[{a => 1}, {a => 2}]", "[undef]", "[['k', 'v'], ['l', 'w']]", "['10', '9', '2']", "[1, 1, 2, 1]", "[[], {}]", "[default, /a/, Integer]"]
HASHES = ["{}", "{a => 1}", "{a => 1, b => [1, 2]}", "{'x' => {'y' => {'z' => 3}}}", "{1 => 'i', 'k' => undef}", "{b => 2, a => 1}", "{[1] => 2}",
          "{a => {b => 1}, c => 'd'}", "{'dotted.key' => 1}", "{undef => 1}", "{a => true, b => false}"]
OTHERS = ["undef", "default", "Sensitive('s')", "Sensitive([1])", "Binary('YWJj')", "Timestamp('2020-01-02T03:04:05.678 UTC')", "Timestamp(0)",
          "Timespan('1-02:03:04.5')", "Timespan(90)", "SemVer('1.2.3')", "SemVer('2.0.0-rc1+b')", "SemVerRange('>=1.0.0 <2.0.0')", "SemVerRange('~1.2')",
          "URI('http://u@h:80/p?q#f')", "File['/a']", "Notify['x']", "Class['a']", "Timestamp", "Integer[1, 3]", "Deferred('upcase', ['a'])"]
TYPES = ["Any", "Integer", "Integer[1, 5]", "Integer[default, 3]", "Float[0.0, 2.0]", "Float", "Numeric", "String", "String[1]", "String[2, 3]", "Boolean", "Boolean[true]",
         "Undef", "Default", "Scalar", "ScalarData", "Data", "RichData", "Array", "Array[Integer]", "Array[String, 1]", "Array[Any, 0, 2]", "Hash", "Hash[String, Integer]",
         "Hash[Any, Any, 1, 2]", "Collection", "Collection[1, 2]", "Tuple[Integer, String]", "Tuple[Integer, 1, 3]", "Struct[{a => Integer}]", "Struct[{a => Integer, Optional[b] => String}]",
         "Struct[{NotUndef[a] => Any}]", "Enum[a, b]", "Enum['A', true]", "Pattern[/a/]", "Pattern[/^a/, 'b']", "Regexp", "Regexp[/a/]", "Variant[Integer, String]", "Optional[Integer]",
         "NotUndef", "NotUndef[String]", "Optional['x']", "Type", "Type[Integer]", "Iterable", "Iterable[Integer]", "Callable", "Callable[1, 2]", "Callable[[Integer], String]",
         "Callable[String, default]", "Callable[0, 0, Callable]", "Sensitive", "Sensitive[String]", "SemVer", "SemVer['>=1.0.0']", "SemVerRange", "Timestamp", "Timestamp['2020-01-01', '2021-01-01']",
         "Timespan", "Timespan['0-01:00:00', '0-02:00:00']", "Binary", "URI", "URI['http:']", "Class", "Class[a]", "File", "File['/a']", "Resource", "Resource['file', '/a']", "CatalogEntry",
         "Init[Integer]", "Init[String, '%x']", "Iterator[Integer]", "Object", "Runtime['ruby', 'X']", "TypeSet", "Error", "Deferred", "Init"]

# The kinds of values by letter: what a function's parameter takes.
KINDS = {"i": INTEGERS, "f": FLOATS, "s": STRINGS, "b": BOOLEANS, "r": REGEXES, "a": ARRAYS, "h": HASHES, "o": OTHERS, "t": TYPES}

# Functions with the kinds of their arguments; `*` is anything, `l1`, `l2`, `l3` a lambda of so many parameters, `n` a number.
CALLS = ["abs n", "all a l1", "all h l2", "all a", "any a l1", "any h l2", "any a", "assert_type t *", "assert_type t * l2", "capitalize s", "capitalize a", "ceiling n", "chomp s", "chop s", "chop a",
         "compare s s", "compare i i", "compare s s b", "convert_to * t", "convert_to * t l1", "defined s", "defined t", "dig h s", "dig a i", "dig a i i", "dig h s s", "digest s", "downcase s", "downcase a", "downcase h",
         "each a l1", "each a l2", "each h l1", "each h l2", "each k l1", "empty *", "empty a", "empty h", "empty s", "filter a l1", "filter a l2", "filter h l1", "filter h l2", "flatten a", "flatten * *", "floor n",
         "get h s", "get a s", "get h s *", "getvar s", "getvar s *", "group_by a l1", "group_by h l1", "group_by a l2", "index a l1", "index a *", "index h l1", "index h l2", "index s s", "join a", "join a s", "keys h", "length a", "length h", "length s", "length *",
         "lest * l0", "lstrip s", "lstrip a", "map a l1", "map a l2", "map h l1", "map h l2", "map k l1", "match s r", "match s s", "match a r", "match s t", "max n n", "max s s", "max a", "max a l2", "max * *", "min n n", "min s s", "min a", "min a l2", "min * *",
         "new t *", "new t * *", "partition a l1", "partition h l1", "partition h l2", "partition a l2", "reduce a l2", "reduce a * l2", "reduce h l2", "reduce h * l2", "regsubst s r s", "regsubst s s s", "regsubst s r s S", "regsubst a r s", "regsubst s t s", "reverse_each a", "reverse_each a l1", "reverse_each k",
         "round n", "rstrip s", "scanf s F", "scanf s F l1", "sha256 s", "md5 s", "sha1 s", "shellquote s s", "shellquote a", "shellquote *", "size s", "slice a k", "slice a k l1", "slice h k", "slice h k l2", "sort a", "sort a l2", "sort s", "split s s", "split s r", "split s t", "split s r b",
         "sprintf F *", "sprintf F * *", "sprintf G h", "step a k", "step k k", "step a k l1", "strftime o D", "strip s", "strip a", "swapcase s", "swapcase *", "then * l1", "tree_each h", "tree_each a l2", "tree_each h l2", "tree_each h O l2",
         "type *", "type * T", "unique a", "unique s", "unique a l1", "unique h l2", "unique h", "unwrap o", "unwrap o l1", "unwrap *", "upcase s", "upcase h", "upcase *", "values h", "values *", "versioncmp V V", "versioncmp V V b", "with * l1", "with * * l2", "camelcase s", "camelcase a", "fqdn_rand i",
         "fqdn_rand i s", "notice *", "warning * *", "info *", "err *", "debug *", "fail *", "fail * *", "annotate t *", "call s *", "call s * *", "create_resources s h", "tag s", "tagged s", "inline_epp E", "inline_epp E h", "module_directory s", "return *", "next *", "break", "lookup s", "hiera s", "contain s", "include s",
         "require s", "realize t", "file s", "find_file s", "epp s", "import s", "eyaml_lookup_key s h *", "binary_file s", "upcase a", "downcase *", "chomp a", "rstrip a", "abs *", "floor s", "round *", "ceiling s", "keys *", "sort *", "join *", "flatten *", "length o", "split *"]
POOLS = {"n": INTEGERS + FLOATS, "k": INTEGERS[:9], "S": ["'G'", "'GI'", "'EM'", "'X'", "G", "''"], "T": ["'detailed'", "'reduced'", "'generalized'", "'x'"], "V": ["'1.0'", "'1.0.1'", "'1.10'", "'a'", "'1.0-1'", "'1.0rc1'", "'2'", "''"],
         "D": ["'%Y-%m-%d %H:%M:%S'", "'%s'", "'%H:%M:%S.%L'", "'%-d %B %y %j'", "'%N %3N %9N'", "'%D %H'", "'%e|%_5S|%-M'", "'%%x'", "'%Q'", "'%F %T %z'", "'%U %w %A'", "'%C'"],
         "O": ["{order => 'breadth_first'}", "{include_root => false}", "{include_containers => false}", "{include_values => false}", "{container_type => Array}", "{include_refs => true}", "{order => x}"],
         "G": ["'%<a>d'", "'%{a}'", "'%<a>s-%<b>s'", "'%{x}'", "'%<a>05d'", "'%{a} %<b>p'"],
         "E": ["'x<%= 1 + 1 %>y'", "'<%- | $a = 1 | -%>[<%= $a %>]'", "'<%- | Integer $a | -%>[<%= $a %>]'", "'<% if true { %>t<% } %>'", "'<%# c %>z<%% %%>'", "'<%= $nope %>'", "'<% [1,2].each |$x| { -%>\n<%= $x %>,\n<% } -%>'", "'<%= ['", "'a <%- 1 -%>  \nb'"],
         "F": ["'%d'", "'%i'", "'%s'", "'%p'", "'%x'", "'%#X'", "'%o'", "'%b'", "'%#b'", "'%e'", "'%.2f'", "'%g'", "'%a'", "'%c'", "'%5d|'", "'%-5s|'", "'%05d'", "'%+d'", "'% d'", "'%%'", "'%.3s'", "'%8.3f'", "'%s %s'", "'%2$s %1$s'", "'%*d'", "'%-8.2e|'", "'%G'",
               "'%u'", "'%z'", "'%'", "'%d %d %d'", "'%.0f'", "'%x %x'", "'%08b'", "'%+x'", "'%..f'", "'%#.3g'", "'%a%s'", "'%10s'", "'%-+5d|'", "'% 05d'"]}
FORMATS = {"Integer": ["%d", "%x", "%#x", "%X", "%o", "%#o", "%b", "%#b", "%B", "%e", "%f", "%.1f", "%g", "%a", "%s", "%p", "%c", "%5d", "%-5d|", "%05d", "%+d", "% d", "%#p", "%q", "%10s", "%#s", "%8b", "%.3d", "%T", "%<d"],
           "Float": ["%f", "%.2f", "%e", "%.1e", "%E", "%g", "%G", "%a", "%A", "%d", "%x", "%s", "%p", "%10.3f", "%-10.2f|", "%+f", "%010.2f", "%q", "%.0f", "%#.0f"],
           "String": ["%s", "%p", "%c", "%C", "%u", "%d", "%t", "%#s", "%10s", "%-10s|", "%.2s", "%q", "%#p", "%x", "%+s", "%5.1s"],
           "Boolean": ["%t", "%T", "%#t", "%y", "%Y", "%#y", "%d", "%x", "%#x", "%s", "%p", "%e", "%b", "%o", "%q", "%5d", "%-6s|", "%.2f"],
           "Undef": ["%s", "%p", "%n", "%#n", "%u", "%#u", "%d", "%#d", "%x", "%e", "%v", "%V", "%#v", "%q", "%5s", "%.1s", "%-6u|"],
           "Array": ["%a", "%s", "%p", "%(a", "%<a", "%[a", "%{a", "%|a", "%#a", "%#p", "% a", "%5a", "%q", "%(s", "% #a", "%d"],
           "Hash": ["%h", "%a", "%s", "%p", "%(h", "%<h", "%[h", "%{h", "%#h", "%#p", "% h", "%q", "%#a", "%(a", "%|h", "%d"],
           "Regexp": ["%r", "%s", "%p", "%#r", "%q", "%5s", "%10r|", "%-8s|"],
           "Default": ["%d", "%D", "%s", "%p", "%#d", "%q", "%10s", "%#p"],
           "Binary": ["%p", "%b", "%B", "%u", "%t", "%T", "%s", "%#p", "%q", "%#s", "%10t", "%#u"],
           "Timestamp": ["%s", "%p", "%Y", "%d"], "Timespan": ["%s", "%p", "%d"], "Type": ["%s", "%p", "%#s", "%q", "%#p", "%10s"],
           "SemVer": ["%s", "%p", "%#p", "%q"], "Sensitive": ["%s", "%p"], "URI": ["%s", "%p", "%q"]}
RADIXES = ["2", "8", "10", "16", "default", "7", "'x'"]
UNARY = ["-", "!", "*", "+"]
BINARY = ["+", "-", "*", "/", "%", "<<", ">>", "==", "!=", "<", ">", "<=", ">=", "in", "and", "or", "=~", "!~"]
NAMES = ["a", "b", "c", "a::b"]
METAPARAMETERS = ["tag => 't1'", "tag => ['t1', 't2']", "noop => true", "loglevel => 'debug'", "require => Notify['x']", "before => [Notify['x'], Notify['y']]", "notify => Notify['z']", "subscribe => 'Notify[x]'", "alias => 'al'", "audit => 'all'", "schedule => 'daily'", "stage => 'main'"]


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.depth = 0
        # A gentle catalog refers to what is there and repeats no title, so that most of them compile.
        self.gentle = False
        self.titles = 0
        # Types of definitions are well formed: what Puppet's reader of types makes of others is told in COMPATIBILITY.md.
        self.proper = False

    def one(self, pool):
        return self.r.choice(pool)

    def maybe(self, chance):
        return self.r.random() < chance

    # Values.

    def of(self, kind):
        # Nobody waits for a walk over 2 ** 63 numbers.
        if kind == "*" or (len(kind) == 1 and kind != "k" and self.maybe(0.06)):
            return self.value()
        if kind in POOLS:
            return self.one(POOLS[kind])
        if kind[0] == "l":
            return self.block(int(kind[1]))
        if kind in "ah" and self.maybe(0.25):
            return self.collection(kind)
        if kind == "t" and self.maybe(0.3):
            return self.type()
        return self.one(KINDS[kind])

    def value(self):
        return self.of(self.one("iiiffsssssbbraaahhhoot"))

    def collection(self, kind):
        count = self.r.randrange(4)
        if kind == "a":
            return "[" + ", ".join(self.value() for _ in range(count)) + "]"
        return "{" + ", ".join(f"{self.of(self.one('ssib'))} => {self.value()}" for _ in range(count)) + "}"

    def block(self, count):
        variables = ["$p", "$q", "$s"][:count]
        if self.maybe(0.06):
            variables.append("*$rest")
        if variables and self.maybe(0.1):
            variables[0] = f"{self.one(TYPES[:20])} {variables[0]}"
        if count and self.maybe(0.05):
            variables.append("$d = 5")
        names = ["$p", "$q", "$s"][:max(count, 1)] if count else ["1"]
        a, b = self.one(names), self.one(names)
        bodies = [a, f"[{a}, {b}]", f"{a} == {b}", f"{a} =~ {self.one(TYPES)}", "true", "undef", f"\"<${{{a[1:] if a != '1' else '(1)'}}}>\"", f"if {a} {{ {b} }}", f"next({a})", f"break()", f"{a} + 1", f"{a} + {b}",
                  f"{a} <= {b}", f"notice({a}) {b}", f"type({a})", f"{{k => {a}}}", f"return({a})", f"{a} ? {{ Integer => 'i', /a/ => $0, default => {b} }}", f"{a}[0]", f"{a}.length", f"String({a})", f"compare({a}, {b})", f"fail('stop')"]
        return f"|{', '.join(variables)}| {{ {self.one(bodies)} }}"

    # Types.

    def type(self):
        if self.depth > 2 or self.maybe(0.4):
            return self.one(TYPES)
        self.depth += 1
        i = lambda: self.one(INTEGERS[:8] + ["default"])
        t = self.type
        made = self.one([lambda: f"Array[{t()}]", lambda: f"Array[{t()}, {i()}, {i()}]", lambda: f"Hash[{t()}, {t()}]", lambda: f"Hash[{t()}, {t()}, {i()}]", lambda: f"Variant[{t()}, {t()}]", lambda: f"Variant[{t()}, {t()}, {t()}]",
                         lambda: f"Optional[{t()}]", lambda: f"NotUndef[{t()}]", lambda: f"Type[{t()}]", lambda: f"Tuple[{t()}, {t()}]", lambda: f"Tuple[{t()}, {i()}, {i()}]", lambda: f"Struct[{{a => {t()}, Optional[b] => {t()}}}]",
                         lambda: f"Iterable[{t()}]", lambda: f"Sensitive[{t()}]", lambda: f"Callable[{t()}, {t()}]", lambda: f"Callable[[{t()}, {i()}, {i()}], {t()}]", lambda: self.one(["Init[Integer]", "Init[Array]", "Init[Timespan]", "Init[Boolean]"]), lambda: f"Integer[{i()}, {i()}]",
                         lambda: f"String[{i()}, {i()}]", lambda: f"Enum[{self.of('s')}, {self.of('s')}]", lambda: f"Pattern[{self.of('r')}]", lambda: f"Collection[{i()}, {i()}]", lambda: f"Iterator[{t()}]", lambda: f"Optional[{self.of('s')}]",
                         lambda: f"{self.one(TYPES)}[{self.value()}]" if not self.proper else self.one(TYPES)])()
        self.depth -= 1
        return made

    # Expressions.

    def call(self):
        name, *kinds = self.one(CALLS).split()
        if self.maybe(0.04) and kinds:
            kinds.pop()
        if self.maybe(0.03):
            kinds.append("*")
        block = ""
        if kinds and kinds[-1][0] == "l" and len(kinds[-1]) == 2:
            block = " " + self.of(kinds.pop())
        elif self.maybe(0.02):
            block = " " + self.block(1)
        arguments = [self.argument(kind) for kind in kinds]
        if arguments and self.maybe(0.5) and name not in ("return", "next", "break"):
            first, rest = arguments[0], arguments[1:]
            brackets = f"({', '.join(rest)})" if rest else self.one(["", "()"])
            return f"{first}.{name}{brackets}{block}"
        return f"{name}({', '.join(arguments)}){block}"

    def argument(self, kind):
        if self.depth < 2 and kind != "t" and self.maybe(0.12):
            self.depth += 1
            inner = self.expression()
            self.depth -= 1
            return f"({inner})"
        return self.of(kind)

    def expression(self):
        return self.one([self.call, self.call, self.call, self.call, self.operation, self.operation, self.access, self.convert, self.text, self.condition, self.test])()

    def operation(self):
        if self.maybe(0.08):
            return f"{self.one(UNARY)}{self.value()}"
        a, b = self.value(), self.value()
        operator = self.one(BINARY)
        if operator in ("=~", "!~"):
            b = self.of(self.one("rrttts"))
        if self.maybe(0.3):
            b = f"({self.value()} {self.one(BINARY)} {self.value()})"
        return f"{a} {operator} {b}"

    def access(self):
        a = self.of(self.one("aahhsoti"))
        keys = [self.of(self.one("iiisasrtob")) for _ in range(self.one([1, 1, 1, 2, 2, 3]))]
        return f"$v = {a}\n$v[{', '.join(keys)}]"

    def convert(self):
        kind = self.one(list(FORMATS))
        source = {"Integer": INTEGERS, "Float": FLOATS, "String": STRINGS, "Boolean": BOOLEANS, "Undef": ["undef"], "Array": ARRAYS, "Hash": HASHES, "Regexp": REGEXES, "Default": ["default"], "Binary": ["Binary('YWJj')", "Binary('gA==')"],
                  "Timestamp": OTHERS[5:7], "Timespan": OTHERS[7:9], "Type": TYPES, "SemVer": OTHERS[9:11], "Sensitive": OTHERS[2:4], "URI": OTHERS[13:14]}[kind]
        value, format = self.one(source), self.one(FORMATS[kind])
        if self.maybe(0.35):
            inner = self.one(list(FORMATS))
            deep = f"{{{kind} => {{format => '{format}'{self.one(['', chr(44) + ' separator => ' + chr(39) + ';' + chr(39), ', string_formats => {' + inner + ' => ' + chr(39) + self.one(FORMATS[inner]) + chr(39) + '}', ', separator2 => ' + chr(39) + ':' + chr(39)])}}}, {inner} => '{self.one(FORMATS[inner])}'}}"
            return f"String({self.one([value, value, self.one(ARRAYS), self.one(HASHES)])}, {deep})"
        if self.maybe(0.5):
            return f"String({value}, '{format}')"
        return self.one([lambda: f"Integer({self.value()}, {self.one(RADIXES)})", lambda: f"Integer({self.of('s')}, {self.one(RADIXES)}, {self.one(BOOLEANS)})", lambda: f"Float({self.value()})", lambda: f"Numeric({self.value()})", lambda: f"Numeric({self.value()}, true)",
                         lambda: f"Boolean({self.value()})", lambda: f"Array({self.value()})", lambda: f"Array({self.value()}, true)", lambda: f"Hash({self.value()})", lambda: f"Hash({self.value()}, 'tree')", lambda: f"Hash({self.value()}, 'hash_tree')", lambda: f"Tuple({self.value()})",
                         lambda: f"Struct({self.value()})", lambda: f"Regexp({self.of('s')})", lambda: f"Binary({self.of('s')}, {self.one(['%b', '%u', '%B', '%s', '%r', '%x'])!r})", lambda: f"SemVer({self.value()})", lambda: f"SemVerRange({self.value()})", lambda: f"SemVer(1, {self.of('i')}, {self.of('i')})",
                         lambda: f"Timestamp({self.value()})", lambda: f"Timespan({self.value()})", lambda: f"Timespan({self.of('i')}, {self.of('i')}, {self.of('i')}, {self.of('i')})", lambda: f"Timespan({self.of('s')}, {self.of('D')})", lambda: f"Timestamp('2020-02-03 04:05', '%Y-%m-%d %H:%M')", lambda: f"URI({self.value()})",
                         lambda: f"Sensitive({self.value()})", lambda: f"{self.type()}({self.value()})", lambda: f"Type({self.value()})", lambda: f"String({self.value()})", lambda: f"Enum({self.value()})", lambda: f"Optional[{self.one(TYPES)}]({self.value()})"])()

    def text(self):
        value = self.value()
        return self.one([f"$v = {value}\n\"<${{v}}>\"", f"$v = {value}\n\"<$v>\"", f"\"${{{value if value[0] in '[{(' else '(' + value + ')'}}}\"", f"$v = {value}\n\"${{v[0]}}\"", f"$v = {value}\n\"${{v.length}}|\\u00e9\"", f"$v = {value}\n@(\"E\")\n  a ${{v}}\n   b\n  | E\n",
                         f"@(E/tn)\n  a\\tb\n  | -E\n", f"$v = {value}\nnotice($v)\nnotice(\"x${{v}}\", $v)"])

    def condition(self):
        a, b, c = self.value(), self.value(), self.value()
        option = self.of(self.one("srtahib"))
        return self.one([f"if {a} {{ {b} }} else {{ {c} }}", f"unless {a} {{ {b} }}", f"case {a} {{ {option}: {{ {b} }} default: {{ {c} }} }}", f"case {a} {{ {option}, {self.value()}: {{ [$0, $1] }} }}", f"{a} ? {{ {option} => {b}, default => {c} }}",
                         f"{a} ? {{ {option} => {b} }}", f"if {self.of('s')} =~ {self.of('r')} {{ [$0, $1, $2] }} else {{ {c} }}", f"[$x, $y] = {self.of('a')}\n[$y, $x]", f"[$a, $b] = {self.of('h')}\n$a", f"case {a} {{ *{self.of('a')}: {{ 1 }} default: {{ 2 }} }}"])

    def test(self):
        return self.one([lambda: f"{self.value()} =~ {self.type()}", lambda: f"{self.type()} == {self.type()}", lambda: f"{self.type()} < {self.type()}", lambda: f"{self.type()} <= {self.type()}", lambda: f"{self.type()} > {self.type()}", lambda: f"{self.type()}", lambda: f"type({self.value()})",
                         lambda: f"type([{self.value()}, {self.value()}], 'generalized')", lambda: f"assert_type({self.type()}, {self.value()})", lambda: f"{self.value()} in {self.value()}", lambda: f"{self.type()} =~ {self.type()}"])()

    # Definitions.

    def function(self):
        type, default = self.type(), self.value()
        body = self.one(["$x", "[$x, $y]", "return($x)", f"$x =~ {self.type()}", "notice($x) $y", "$y.then |$v| { return($v) }", "[1, 2].each |$e| { if $e == 2 { return($e) } }", "next($x)", self.expression().replace("$v", "$w")])
        result = self.one(["", "", f" >> {self.type()}"])
        parameters = self.one([f"{type} $x, $y = {default}", f"$x, {type} $y = $x", f"{type} *$x", f"$x, {type} *$y", f"Optional[{type}] $x = undef, $y = $x", f"$x = {default}, $y = [$x]"])
        arguments = ", ".join(self.value() for _ in range(self.one([0, 1, 1, 2, 2, 3])))
        return f"function f({parameters}){result} {{ {body} }}\nf({arguments})"

    def definition(self, made):
        self.proper = True
        code = made()
        self.proper = False
        return code

    def alias(self):
        return self.one([lambda: f"type A = {self.type()}\n{self.value()} =~ A", lambda: f"type A = {self.type()}\nA", lambda: f"type A = Variant[{self.type()}, Array[A]]\n[{self.value()}, [{self.value()}]] =~ A", lambda: f"type A = {self.type()}\nfunction f(A $x) {{ $x }}\nf({self.value()})",
                         lambda: f"type A = {self.type()}\nassert_type(A, {self.value()})", lambda: f"type A = {self.type()}\ntype B = Struct[{{a => A}}]\nassert_type(B, {{a => {self.value()}}})", lambda: f"type T = Hash[String, Variant[String, T]]\nassert_type(T, {self.of('h')})", lambda: f"type A = {self.type()}\nA({self.value()})"])()

    def object(self):
        attribute = lambda name: f"{name} => {self.one([self.type(), '{type => ' + self.type() + ', value => ' + self.value() + '}', '{type => ' + self.type() + ', kind => ' + self.one(['constant, value => ' + self.value(), 'derived', 'given_or_derived', 'reference']) + '}'])}"
        extra = self.one(["", "", ", equality => [a]", ", equality_include_type => false", f", constants => {{c => {self.value()}}}", f", functions => {{f => Callable[[], {self.type()}]}}", f", type_parameters => {{a => {self.type()}}}", ", equality => []"])
        use = self.one([f"O({self.value()})", f"O({self.value()}, {self.value()})", f"O({{a => {self.value()}}})", f"O({{a => {self.value()}, b => {self.value()}}})", "O", f"O({self.value()}).a", f"O({self.value()}) == O({self.value()})", f"$o = O({self.value()}, {self.value()})\n[$o.a, $o.b]", f"O({self.value()}).c",
                        f"type(O({self.value()}))", f"P({self.value()}, {self.value()}, {self.value()})", "P", "P < O", f"O({self.value()}) =~ P", f"O[{self.value()}]", f"String(O({self.value()}), '%p')", f"O({self.value()}).f()", f"O.new({self.value()})", f"[O({self.value()})].unique", f"{self.value()} =~ O"])
        child = f"\ntype P = Object[{{parent => O, attributes => {{{attribute(self.one('dab'))}}}}}]" if "P" in use else ""
        return f"type O = Object[{{attributes => {{{attribute('a')}, {attribute('b')}}}{extra}}}]{child}\n{use}"

    # Catalogs.

    def attributes(self, names=("message",)):
        if self.gentle:
            names = tuple(name for name in names if name not in ("nope", "name", "timeout")) if "p" not in names else ("p", "q")
            made = [f"{name} => {self.value()}" for name in dict.fromkeys(names) if self.maybe(0.5) and name not in ("withpath", "ensure", "mode", "owner")]
            return ", ".join(made + ([self.one(METAPARAMETERS[:9])] if self.maybe(0.3) else []))
        made = [f"{self.one(names)} => {self.value()}"] if self.maybe(0.7) else []
        if self.maybe(0.3):
            made.append(self.one(METAPARAMETERS))
        if self.maybe(0.08):
            made.append(f"* => {self.one(['{message => s}', '{withpath => true}', self.of('h')])}")
        return ", ".join(made)

    def title(self):
        if self.gentle:
            self.titles += 1
            return self.one([f"'n{self.titles}'", f"['m{self.titles}', 'k{self.titles}']", f"\"t${{{self.titles} + 1}}\""])
        return self.one(["'x'", "'x'", "'y'", "'z'", "'x y'", "['x', 'y']", "['w', ['z']]", "\"t${1 + 1}\"", "[]"] + ([self.value()] if self.maybe(0.15) else []))

    def resource(self):
        virtual = self.one(["", "", "", "", "@", "@@"])
        kind = self.one(["notify", "notify", "notify", "d", "d", "Notify", "file", "a::d", "exec"])
        if kind in ("file", "exec") and self.gentle:
            self.titles += 1
            return f"{virtual}file {{ '/f{self.titles}': {self.attributes(('content', 'source'))} }}"
        if kind == "file":
            return f"{virtual}file {{ {self.one([chr(39) + '/a' + chr(39), chr(39) + '/a/b/' + chr(39), chr(39) + 'rel' + chr(39)])}: {self.attributes(('ensure', 'content', 'mode', 'owner', 'nope'))} }}"
        if kind == "exec":
            return f"{virtual}exec {{ {self.one(['x', 'y'])}: command => '/bin/true', {self.attributes(('onlyif', 'creates', 'timeout', 'path'))} }}"
        names = ("message", "withpath", "name", "nope") if kind.lower() == "notify" else ("p", "q", "p", "message")
        body = f"{self.title()}: {self.attributes(names)}"
        if self.maybe(0.15):
            body = f"default: {self.attributes(names)}; {body}"
        if self.maybe(0.15) and not self.gentle:
            body += f"; 'u': {self.attributes(names)}"
        return f"{virtual}{kind} {{ {body} }}"

    def reference(self):
        if self.gentle:
            return self.one(["Notify['x']", "Notify['y']", "Notify['x', 'y']", "D['x']", "Notify['z']"])
        return self.one(["Notify['x']", "Notify['y']", "Notify['x', 'y']", "D['x']", "Class['a']", "Class['b']", "A::D['x']", "File['/a']", "Notify['nope']", "Exec['x']"])

    def collector(self):
        query = self.one(["", "title == 'x'", "title != 'x'", "tag == 't1'", "message == 'm'", "title == 'x' or title == 'y'", "tag == 'a' and title != 'z'", "noop == true", "(title == 'x') and (message != 1)", f"message == {self.value()}", "title == 'X'"])
        body = self.one(["", "", f" {{ {self.attributes()} }}", " { message +> 'm2' }", " { tag +> 't9' }"])
        mark = self.one(["<| {} |>", "<| {} |>", "<<| {} |>>"]).format(query)
        return f"{self.one(['Notify', 'D', 'A::D', 'File', 'Class'])} {mark}{body}"

    def statement(self):
        return self.one([self.resource, self.resource, self.resource, self.collector, lambda: f"{self.reference()} {{ {self.attributes()} }}", lambda: f"{self.reference()} {self.one(['->', '~>', '<-', '<~'])} {self.reference()}", lambda: f"{self.resource()} -> {self.resource()}",
                         lambda: f"Notify {{ {self.attributes()} }}", lambda: f"D {{ {self.attributes(('p', 'q'))} }}", lambda: f"{self.one(['include', 'contain', 'require'])} {self.one(NAMES)}", lambda: f"class {{ '{self.one(NAMES)}': {self.attributes(('p', 'q'))} }}", lambda: f"realize({self.reference()})",
                         lambda: f"tag('{self.one(['t1', 't2', 'a'])}')", lambda: f"notice(defined({self.reference()}), tagged('{self.one(['t1', 'a', 'x'])}'))", lambda: f"notice({self.reference()}['{self.one(['message', 'p', 'tag', 'noop'])}'])", lambda: f"if defined({self.reference()}) {{ {self.resource()} }}",
                         lambda: f"[1, 2].each |$i| {{ notify {{ \"n$i\": message => $i }} }}", lambda: f"create_resources('{self.one(['notify', 'd', 'class', '@notify'])}', {{'{self.one(['x', 'y', 'a'])}' => {{{self.attributes()}}}}}{self.one(['', ', {message => dflt}'])})", lambda: f"$k = {self.value()}", lambda: f"notify {{ 'x': message => $k }}",
                         lambda: f"ensure_x({self.value()})" if self.maybe(0.1) else "notice($module_name, $title, $name)", lambda: f"{self.collector()} -> {self.collector()}", lambda: f"notice(getvar('{self.one(NAMES)}::v'), ${self.one(NAMES)}::v)", lambda: self.expression().replace("$v", f"$v{self.r.randrange(99)}")])()

    def catalog(self):
        self.gentle, self.titles = self.maybe(0.65), 0
        parts = ["notify { ['x', 'y']: }\n@notify { 'z': tag => 't1', message => 'm' }\nd { 'x': }\n" + self.one(["include a", "include b", "realize(Notify['z'])", ""])] if self.gentle else []
        parameters = lambda: "$p = 1, $q = $p" if self.gentle else self.one(["$p = 1, $q = $p", f"{self.one(TYPES)} $p = {self.value()}, $q = undef", f"{self.one(TYPES)} $p, $q = [$p]", "$p = $title, $q = $name", "$p = undef, $q = 'q'"])
        body = lambda: "\n  ".join(self.statement() for _ in range(self.one([0, 1, 1, 2])))
        parts.append(f"define d({parameters()}) {{\n  notify {{ \"d-${{title}}\": message => $p }}\n  {body()}\n}}")
        if self.maybe(0.5):
            parts.append(f"define a::d($p = 1, $q = 2) {{ @notify {{ \"ad-${{title}}\": message => [$p, $q] }} }}")
        parts.append(f"class a({parameters() if self.maybe(0.5) else ''}) {{\n  $v = {self.value()}\n  {body()}\n}}")
        parts.append(f"class b{self.one(['', ' inherits a'])} {{\n  {body()}\n}}")
        if self.maybe(0.4):
            parts.append(f"class a::b({self.one(TYPES)} $p = {self.value()}) {{ $v = $p\n  {body()} }}")
        if self.maybe(0.12):
            parts.append(f"node {self.one(['default', chr(39) + 'case.example.com' + chr(39), '/^(c)ase/', '/nope/'])} {{ {self.statement()} }}")
        parts.append("\n".join(self.statement() for _ in range(self.r.randrange(1, 6))))
        if self.maybe(0.2):
            self.r.shuffle(parts)
        self.gentle = False
        return "\n".join(parts) + "\n"

    def template(self):
        parameters = self.one(["", "", f"<%- | {self.type()} $a, $b = {self.value()} | -%>\n", f"<%- | $a = {self.value()}, $b = $a | -%>\n", "<%- | $a, $b = [$a] | %>"])
        pieces = ["text ", "<%= $a %>", "<%= $b %>", "<%- if $a { -%>\n", "yes\n<%- } -%>\n", "<%# note %>", "<%% x %%>", "  <%- 1 -%>  \n", f"<%= {self.value()} %>", "<% $c = 1 -%>\n", "<%= $c %>", "\n\n", "<%= [1,2].map |$x| { $x } %>", "<% [1,2].each |$x| { %>(<%= $x %>)<% } %>", f"<%= {self.expression()} %>", "<%=", "-%>", "é"]
        body = "".join(self.one(pieces) for _ in range(self.r.randrange(1, 6)))
        return {"kind": "epp", "template": parameters + body, "params": self.one(["{}", f"{{a => {self.value()}}}", f"{{a => {self.value()}, b => {self.value()}}}", "{c => 1}"])}

    def deferred(self):
        arguments = ", ".join(self.value() for _ in range(self.one([0, 1, 2])))
        made = f"Deferred({self.one([chr(39) + 'upcase' + chr(39), chr(39) + 'join' + chr(39), chr(39) + 'new' + chr(39), chr(39) + 'nope' + chr(39), chr(39) + '$x' + chr(39), self.value()])}, [{arguments}])"
        return self.one([f"{made}.call", made, f"$x = {self.value()}\n{made}.call", f"Deferred('join', [[{made}, 'z'], '-']).call", f"type({made})", f"{made}.name", f"{made}.arguments", f"{made} == {made}", f"notice({made})"])

    def case(self):
        choice = self.r.random()
        if choice < 0.40:
            case = {"kind": "eval", "code": self.expression()}
        elif choice < 0.46:
            case = {"kind": "eval", "code": self.definition(self.function)}
        elif choice < 0.51:
            case = {"kind": "eval", "code": self.definition(self.alias)}
        elif choice < 0.57:
            case = {"kind": "eval", "code": self.definition(self.object)}
        elif choice < 0.60:
            case = {"kind": "eval", "code": self.deferred()}
        elif choice < 0.82:
            case = {"kind": "catalog", "code": self.catalog()}
        elif choice < 0.87:
            case = self.template()
        elif choice < 0.92:
            case = {"kind": "assignable", "a": self.type(), "b": self.type()}
        elif choice < 0.96:
            case = {"kind": "instance", "type": self.type(), "value": self.value()}
        else:
            case = {"kind": "infer", "value": self.value()} if self.maybe(0.5) else {"kind": "type", "type": self.type()}
        if case["kind"] in ("eval", "catalog") and self.maybe(0.1):
            case["settings"] = {"strict": self.one(["off", "warning", "error"]), "strict_variables": self.maybe(0.5)}
        return case


print_cases(Generator)
