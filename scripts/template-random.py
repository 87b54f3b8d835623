"""Makes random Jinja2 templates, one JSON object per line: COUNT SEED.

The variables are those of tests/cases/templates/ansible.yaml. What two runs of Ansible could answer differently is left out.
"""
import json
import random
import sys

NUMBERS = ["port", "ratio", "big", "0", "1", "-3", "2.5", "7", "1e3", "nums[0]", "users[0].age", "nums | length"]
TEXTS = ["name", "fqdn", "text", "numeric", "empty", "umlaut", "quoted", "html", "multi", "spaces", "path", "winpath",
         "version", "url", "yamltext", "jsontext", "listlike", "'a b'", "'x'", "\"it's\"", "'Ünï→'", "'true'", "'10'", "'a,b,c'"]
LISTS = ["nums", "words", "dups", "none_list", "nested", "users", "tags", "[1, 2]", "['b', 'A', 'c']", "[none, 1]", "range(4)",
         "[[1, 2], [3]]", "(1, 2)", "users | map(attribute='name')", "opts.keys()", "[1, 1.0, true]", "['a', 1]"]
MAPS = ["opts", "more", "users[0]", "{}", "{'a': 1}", "{'x': [1], 'y': {'z': none}}", "{1: 'i', 'k': 2.5}"]
OTHERS = ["on", "off", "nothing", "missing", "opts.nope", "opts.c.nope.deeper", "users[9]", "none", "true", "nested[9]"]

TEXT_FILTERS = ["upper", "lower", "title", "capitalize", "trim", "length", "reverse", "list", "wordcount", "quote", "b64encode",
                "hash('md5')", "hash", "checksum", "int", "float", "bool", "string", "first", "last", "basename", "dirname", "splitext",
                "regex_escape", "urlencode", "urlsplit('hostname')", "to_json", "to_uuid", "e", "striptags", "indent", "indent(2, true)",
                "center(20)", "truncate(9)", "truncate(5, true, '…')", "wordwrap(8)", "comment", "comment('cblock')", "split", "split(',')",
                "regex_replace('[aeiou]', '_')", "regex_replace('(.)(.)', '\\\\2\\\\1')", "regex_search('[a-z]+')", "regex_findall('[a-z]{2}')",
                "replace('a', 'b')", "replace('o', '0', 1)", "format(1)", "join('-')", "unique", "sort", "from_yaml", "type_debug",
                "default('d')", "ternary('y', 'n')", "human_to_bytes", "urldecode", "win_basename", "normpath", "path_join", "sha1",
                "to_yaml", "to_nice_yaml", "tojson", "escape", "min", "max", "count", "pprint", "mandatory", "d('x', true)", "to_nice_json",
                "password_hash('sha256', 'abc')", "password_hash('md5', 'abc')", "shuffle(seed='s') | join", "random(seed=5)", "urlize", "expand"]
LIST_FILTERS = ["length", "first", "last", "sort", "sort(reverse=true)", "reverse", "unique", "list", "join(',')", "min", "max", "sum",
                "flatten", "flatten(levels=1)", "map('string')", "map('upper')", "map('int')", "select", "reject", "select('number')",
                "select('string')", "reject('none')", "batch(2)", "batch(2, 'x')", "slice(2)", "slice(3, 'f')", "zip([9, 8])", "zip_longest([1], fillvalue='-')",
                "union([1, 5])", "intersect([1, 2, 'pear'])", "difference([1])", "symmetric_difference([2, 9])", "to_json", "to_yaml", "to_nice_json",
                "random(seed='x')", "shuffle(seed='abc')", "combinations(2)", "permutations(2) | length", "product([1, 2])", "string", "items2dict",
                "map(attribute='name')", "selectattr('age', 'gt', 30)", "selectattr('name')", "rejectattr('age', 'equalto', 30)", "groupby('age')",
                "sum(attribute='age')", "sort(attribute='age')", "map('extract', opts)", "dict2items", "rekey_on_member('name')", "subelements('groups')",
                "unique(attribute='age')", "min(attribute='age')", "join(' ', attribute='name')", "type_debug", "default([])", "ternary(1, 2)", "bool", "count",
                "to_nice_yaml(indent=2)", "map('default', 'n')", "contains", "pprint", "tojson", "combine", "map(attribute='home.dir')", "to_yaml(default_flow_style=true)"]
MAP_FILTERS = ["length", "list", "dict2items", "dictsort", "dictsort(by='value')", "items", "combine({'b': 9})", "combine(more, recursive=true)",
               "combine(more, list_merge='append')", "combine(more, recursive=true, list_merge='append_rp')", "to_json", "to_nice_json", "to_yaml", "to_nice_yaml",
               "to_json(sort_keys=true)", "string", "first", "join(',')", "xmlattr", "urlencode", "type_debug", "default('x')", "sort", "pprint", "tojson", "min",
               "map('upper')", "dict2items(key_name='k', value_name='v')", "subelements('x', skip_missing=true)", "bool", "reverse", "unique", "to_yaml(indent=4)", "upper"]
NUMBER_FILTERS = ["abs", "int", "float", "round", "round(1)", "round(1, 'ceil')", "round(-1)", "string", "human_readable", "filesizeformat", "filesizeformat(true)",
                  "pow(2)", "log(2)", "root", "root(3)", "bool", "to_json", "random(seed='s')", "default(3)", "ternary('a', 'b')", "type_debug", "human_readable(true)",
                  "random(start=1, step=2, seed='q')", "to_yaml", "strftime", "upper", "length", "list", "join", "sum", "human_readable(unit='K')", "max"]
ANY_FILTERS = ["default('d')", "default('d', true)", "bool", "string", "to_json", "type_debug", "ternary('y', 'n', 'none')", "mandatory", "list", "upper", "length",
               "int", "float", "join(',')", "to_yaml", "first", "map('upper')", "b64encode", "quote", "trim", "d(1)", "dict2items", "flatten", "hash", "combine({})",
               "regex_replace('a', 'b')", "e", "comment", "unique", "sum", "items", "urlencode", "to_nice_json", "sort", "abs", "basename", "split", "from_json"]
TESTS = ["defined", "undefined", "none", "string", "number", "integer", "float", "boolean", "mapping", "sequence", "iterable", "true", "false", "callable", "odd",
         "even", "divisibleby(3)", "in([1, 2, 'web01'])", "eq(1)", "ne('a')", "gt(2)", "lt(100)", "sameas(true)", "match('w.b')", "search('o')", "regex('^[a-z]+$')",
         "lower", "upper", "truthy", "falsy", "version('2.9', '>')", "subset([1, 2, 3])", "superset([1])", "contains(1)", "contains('a')", "all", "any", "url", "escaped",
         "failed", "nan", "abs", "truthy(convert_bool=true)", "filter", "test", "changed", "uri", "urn"]
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "~", "==", "!=", "<", ">", "<=", ">=", "in", "not in", "and", "or"]
METHODS = {
    "text": ["upper()", "split('.')", "split()", "strip()", "title()", "startswith('w')", "endswith('com')", "replace('a', 'b')", "find('o')", "count('o')",
             "join(['a', 'b'])", "format(1, a=2)", "zfill(8)", "center(11, '*')", "partition('.')", "rpartition('/')", "rsplit('/', 1)", "splitlines()", "isdigit()",
             "isalpha()", "swapcase()", "capitalize()", "ljust(12, '.')", "rjust(12)", "lstrip('/ ')", "removeprefix('web')", "index('e')", "casefold()", "expandtabs()",
             "islower()", "istitle()", "split(',', 1)", "rfind('e')", "isspace()", "isidentifier()", "nothing()", "encode() | length"],
    "list": ["count(1)", "index(2)", "copy()", "append(1)", "pop()", "sort()", "nothing()", "index('apple')"],
    "map": ["get('a')", "get('zz', 'd')", "keys()", "values()", "items()", "keys() | list", "items() | list", "copy()", "pop('a', 0)", "a", "b", "get('c').x", "update({'q': 1})", "nope"],
}
STATEMENTS = [
    "{{% for x in {l} %}}{{{{ loop.index }}}}:{{{{ x }}}}{{% if not loop.last %}},{{% endif %}}{{% endfor %}}",
    "{{% for x in {l} if x %}}[{{{{ x }}}}]{{% else %}}none{{% endfor %}}",
    "{{% for k, v in ({m}).items() %}}{{{{ k }}}}={{{{ v }}}};{{% endfor %}}",
    "{{% set x = {e} %}}{{{{ x }}}}-{{{{ x }}}}",
    "{{% set x %}}a{{{{ {e} }}}}b{{% endset %}}{{{{ x }}}}",
    "{{% if {e} %}}yes{{% elif {e2} %}}maybe{{% else %}}no{{% endif %}}",
    "{{% macro m(a, b={n}) %}}<{{{{ a }}}}|{{{{ b }}}}>{{% endmacro %}}{{{{ m({e}) }}}}{{{{ m(1, 2) }}}}",
    "{{% macro m() %}}{{{{ varargs }}}}{{{{ kwargs }}}}{{% endmacro %}}{{{{ m({t}, k={n}) }}}}",
    "{{% with a = {e}, b = {e2} %}}{{{{ a }}}}{{{{ b }}}}{{% endwith %}}",
    "{{% filter upper %}}x{{{{ {t} }}}}{{% endfilter %}}",
    "{{% set ns = namespace(n=0) %}}{{% for x in {l} %}}{{% set ns.n = ns.n + 1 %}}{{% endfor %}}{{{{ ns.n }}}}",
    "{{% call(x) f({e}) %}}{{{{ x }}}}{{% endcall %}}",
    "{{% macro f(v) %}}({{{{ caller(v) }}}}){{% endmacro %}}{{% call(x) f({e}) %}}{{{{ x }}}}!{{% endcall %}}",
    "{{% block b %}}{{{{ {e} }}}}{{% endblock %}}{{{{ self.b() }}}}",
    "{{% for x in [1, [2, [3]]] recursive %}}{{% if x is iterable %}}({{{{ loop(x) }}}}){{% else %}}{{{{ x }}}}{{% endif %}}{{% endfor %}}",
    "{{% set l = [] %}}{{% for x in {l} %}}{{% set _ = l.append(x) %}}{{% endfor %}}{{{{ l }}}}",
    "{{% for x in {l} %}}{{{{ loop.cycle('a', 'b') }}}}{{{{ loop.revindex0 }}}}{{{{ loop.first }}}}{{{{ loop.previtem | default('-') }}}}{{% endfor %}}",
    "{{% raw %}}{{{{ x }}}}{{% endraw %}}{{{{ {e} }}}}",
    "a {{%- if on -%}} b {{%- endif %}} {{{{- {t} -}}}} c",
    "{{# note #}}{{{{ {e} if {e2} else {n} }}}}",
    "{{% set a, b = {l}[:2] %}}{{{{ a }}}}{{{{ b }}}}",
    "{{% print {n} %}}{{% autoescape false %}}{{{{ {t} }}}}{{% endautoescape %}}",
]
SHAPES = ["{{{{ {e} }}}}", "{{{{ {e} }}}}", "{{{{ {e} }}}}", "x{{{{ {e} }}}}y", "{{{{ {e} }}}}{{{{ {n} }}}}", "[{{{{ {n} }}}}, {{{{ {e} }}}}]"]


def pick(kind):
    table = {"n": NUMBERS, "t": TEXTS, "l": LISTS, "m": MAPS, "o": OTHERS}
    return random.choice(table[kind])


def expression(depth=0):
    kind = random.choices("ntlmo", [3, 5, 5, 3, 2])[0]
    value = pick(kind)
    roll = random.random()
    if roll < 0.5:
        filters = {"n": NUMBER_FILTERS, "t": TEXT_FILTERS, "l": LIST_FILTERS, "m": MAP_FILTERS, "o": ANY_FILTERS}[kind]
        if random.random() < 0.12:
            filters = random.choice([TEXT_FILTERS, LIST_FILTERS, MAP_FILTERS, NUMBER_FILTERS, ANY_FILTERS])
        made = "%s | %s" % (value if "(" not in value[:1] else value, random.choice(filters))
        if random.random() < 0.25:
            made += " | " + random.choice(TEXT_FILTERS + LIST_FILTERS + ANY_FILTERS)
        return made
    if roll < 0.62:
        return "%s is %s%s" % (value, random.choice(["", "", "not "]), random.choice(TESTS))
    if roll < 0.78 and depth < 2:
        other = expression(depth + 1) if random.random() < 0.3 else pick(random.choice("ntlm"))
        return "(%s) %s (%s)" % (value, random.choice(OPERATORS), other)
    if roll < 0.9 and kind in "tlm":
        name = {"t": "text", "l": "list", "m": "map"}[kind]
        return "(%s).%s" % (value, random.choice(METHODS[name]))
    if roll < 0.95 and kind in "tl":
        return "(%s)[%s]" % (value, random.choice(["0", "-1", "1:", ":2", "::-1", "1:3", "9", "'a'", "::2", "-2:"]))
    return value


def template():
    shape = random.choice(SHAPES) if random.random() < 0.75 else random.choice(STATEMENTS)
    return shape.format(e=expression(), e2=expression(), n=pick("n"), t=pick("t"), l=pick("l"), m=pick("m"))


def main():
    count, seed = int(sys.argv[1]), sys.argv[2]
    random.seed(seed)
    seen = set()
    while len(seen) < count:
        made = template()
        if made in seen or "strftime" in made:
            continue
        seen.add(made)
        case = {"template": made}
        if random.random() < 0.25:
            case["mode"] = random.choice(["text", "ansible"])
        print(json.dumps(case, ensure_ascii=False))


main()
