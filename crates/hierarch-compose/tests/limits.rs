//! Templates and expressions end within their limits, and reach nothing that nobody allowed.

use std::io;
use std::path::Path;
use std::sync::Arc;

use hierarch_compose::expr::{Context, ExpressionHost, ExpressionLimits, Expressions, Options};
use hierarch_pcore::{Hash, Value};
use hierarch_source::Error;

const SMALL: ExpressionLimits =
    ExpressionLimits { depth: 60, steps: 20_000, fuel: 50_000, size: 10_000, path: 250 };

fn failure(template: &str, options: Options) -> Error {
    let expressions = Expressions::with(Hash::new(), options).expect("good");
    let text = expressions.render(template, &Context::default());
    text.expect_err(template)
}

fn check(template: &str, wanted: &str) {
    check_within(SMALL, template, wanted);
}

fn check_within(limits: ExpressionLimits, template: &str, wanted: &str) {
    let error = failure(template, Options { limits, ..Options::default() });
    assert!(error.message.contains(wanted), "{template}: {error}");
}

#[test]
fn a_template_has_only_so_much_fuel() {
    check(
        "{% for a in range(1000) %}{% for b in range(1000) %}{% endfor %}{% endfor %}",
        "more than 50000 steps",
    );
}

#[test]
fn large_values_are_worked_on_only_so_often() {
    let limits = ExpressionLimits { depth: 60, steps: 3_000, fuel: 1_000_000, size: 1 << 20, path: 250 };
    for step in ["t ~ i", "t | length", "t == u", "t is in(u)", "l + [i]", "l | first", "l == k", "t.upper()"]
    {
        let template = format!(
            "{{% set t = 'a' * 100000 %}}{{% set u = 'a' * 100000 %}}{{% set l = [1] * 4000 %}}{{% set k = [1] * 4000 %}}\
             {{% for i in range(1000) %}}{{% set x = {step} %}}{{% endfor %}}"
        );
        check_within(limits, &template, "more than 3000 steps");
    }
}

/// Maps and lists have no hash in Python, but are found by what they hold.
#[test]
fn sets_of_maps_take_work_in_proportion_to_their_number() {
    let steps = |count: usize, filter: &str| {
        let work = count as u64 * 100;
        let limits = ExpressionLimits { steps: work, fuel: work, size: 10_000_000, ..SMALL };
        let expressions =
            Expressions::with(Hash::new(), Options { limits, ..Options::default() }).expect("good");
        let template = format!(
            "{{% set l = [] %}}{{% for i in range({count}) %}}{{% set _ = l.append({{'a': i, 'b': [i]}}) %}}{{% endfor %}}{{{{ {filter} }}}}"
        );
        expressions.render(&template, &Context::default()).map(|text| text.to_string())
    };
    for count in [250, 2_000] {
        for (filter, wanted) in [
            ("l | unique | length", count),
            ("l | union(l) | length", count),
            ("l | intersect(l) | length", count),
            ("l | difference([l[0]]) | length", count - 1),
            ("l | symmetric_difference(l) | length", 0),
        ] {
            assert_eq!(
                steps(count, filter).as_deref().ok(),
                Some(wanted.to_string().as_str()),
                "{filter}: {:?}",
                steps(count, filter)
            );
        }
    }
}

#[test]
fn a_template_prints_only_so_much() {
    check("{% for a in range(1000) %}0123456789abcdef{% endfor %}", "more than 10000 bytes");
    check(
        "{% set x %}{% for a in range(1000) %}{{ '0123456789abcdef' }}{% endfor %}{% endset %}",
        "more than 10000 bytes",
    );
    check("{{ 'x' * 20000 }}", "more than 10000 bytes");
    check("{{ ('x' * 5000) | replace('x', 'y' * 5000) | length }}", "bytes");
}

/// Does something to `ns.x` forty times.
fn forty_times(start: &str, step: &str) -> String {
    format!(
        "{{% set ns = namespace(x={start}) %}}{{% for i in range(40) %}}{step}{{% endfor %}}{{{{ ns.x }}}}"
    )
}

fn check_growth(start: &str, step: &str) {
    check(&forty_times(start, step), "bytes");
}

#[test]
fn texts_that_are_put_together_grow_only_so_far() {
    for step in [
        "{% set ns.x = ns.x ~ ns.x %}",
        "{% set ns.x = ns.x + ns.x %}",
        "{% set ns.x = ns.x * 2 %}",
        "{% set ns.x = 2 * ns.x %}",
        "{% set ns.x = [ns.x, ns.x] | join %}",
        "{% set ns.x = ''.join([ns.x, ns.x]) %}",
        "{% set ns.x = ns.x | replace('a', 'aa') %}",
        "{% set ns.x = ns.x.replace('a', 'aa') %}",
        "{% set ns.x = ns.x | regex_replace('a', 'aa') %}",
        "{% set ns.x = '%s%s' | format(ns.x, ns.x) %}",
        "{% set ns.x = '{0}{0}'.format(ns.x) %}",
        "{% set ns.x = ns.x | indent(ns.x | length, true) %}",
        "{% set ns.x = ns.x | center(ns.x | length * 2) %}",
        "{% set ns.x = ns.x.ljust(ns.x | length * 2) %}",
        "{% set ns.x = ns.x.zfill(ns.x | length * 2) %}",
        "{% set ns.x = (ns.x, ns.x) | string %}",
        "{% set ns.x = [ns.x, ns.x] | to_json %}",
        "{% set ns.x = [ns.x, ns.x] | to_nice_yaml %}",
        "{% set ns.x = [ns.x, ns.x] | pprint %}",
        "{% set ns.x = ns.x | b64encode %}",
        "{% set ns.x = ns.x | urlencode ~ ns.x %}",
        "{% set ns.x = [ns.x] | map('replace', 'a', 'aa') | first %}",
        "{% set ns.x = {'concat': [ns.x, ns.x]} | eval %}",
        "{% set ns.x = __unfurl.concat(ns.x, ns.x) %}",
        "{% set ns.x = ns.x | comment(decoration=ns.x) %}",
        "{% set ns.x = ns.x | wordwrap(1, wrapstring=ns.x) ~ ns.x %}",
    ] {
        check_growth("'a'", step);
    }
}

#[test]
fn texts_that_are_captured_grow_only_so_far() {
    for step in [
        "{% set ns.x %}{{ ns.x }}{{ ns.x }}{% endset %}",
        "{% set ns.x %}0123456789{{ ns.x }}{{ ns.x }}{% endset %}",
        "{% set x %}{% filter upper %}{{ ns.x }}{{ ns.x }}{% endfilter %}{% endset %}{% set ns.x = x %}",
        "{% macro m(x) %}{{ x }}{{ x }}{% endmacro %}{% set ns.x = m(ns.x) %}",
        "{% macro m() %}{{ caller() }}{{ caller() }}{% endmacro %}\
         {% set x %}{% call m() %}{{ ns.x }}{% endcall %}{% endset %}{% set ns.x = x %}",
        "{% set x %}{% for a in [1, 2] recursive %}{{ ns.x }}{% endfor %}{% endset %}{% set ns.x = x %}",
    ] {
        check_growth("'a'", step);
    }
    let raw = "x".repeat(1_000);
    check(&format!("{{% set x %}}{{% for i in range(100) %}}{raw}{{% endfor %}}{{% endset %}}"), "bytes");
    check(&format!("{{% macro m() %}}{raw}{{% endmacro %}}{}", "{% set x = m() %}".repeat(20)), "bytes");
    check(&format!("{{% block b %}}{raw}{{% endblock %}}{}", "{% set x = self.b() %}".repeat(20)), "bytes");
}

#[test]
fn collections_grow_only_so_far() {
    for step in [
        "{% set ns.x = ns.x + ns.x %}",
        "{% set ns.x = ns.x * 2 %}",
        "{% set ns.x = [ns.x, ns.x] %}",
        "{% set ns.x = [ns.x, ns.x] | flatten %}",
        "{% set ns.x = (ns.x, ns.x) %}",
        "{% set ns.x = {'a': ns.x, 'b': ns.x} %}",
        "{% set ns.x = dict(a=ns.x, b=ns.x) %}",
        "{% set ns.x = [ns.x] | map('list') | list + [ns.x] %}",
        "{% set ns.x = ns.x | chain(ns.x) %}",
        "{% set ns.x = ns.x | zip(ns.x) %}",
        "{% set ns.x = [ns.x, ns.x] | sum(start=[]) %}",
        "{% set ns.x = ns.x | map('string') | join('aaaa') | list %}",
        "{% set ns.x = [ns.x[:], ns.x[::-1]] %}",
        "{% set ns.x = (ns.x | batch(2, ns.x) | list) + ns.x %}",
        "{% set ns.x = [ns.x, SELF] + ns.x %}",
    ] {
        check_growth("[1, 2]", step);
    }
    check(&forty_times("[1, 2]", "{% set ns.x = [cycler(ns.x, ns.x), ns.x] + ns.x %}"), "levels deep");
    check_growth("(1, 2)", "{% set ns.x = ns.x + ns.x %}");
    check_growth("(1, 2)", "{% set ns.x = ns.x * 2 %}");
    check_growth("[1, 2]", "{% set n = namespace(y=ns.x) %}{% set ns.x = [n.y, n.y] %}");
}

#[test]
fn numbers_ask_for_no_more_than_there_is() {
    for (template, wanted) in [
        ("{{ 'x' * 10000000000 }}", "bytes"),
        ("{{ [1] * 10000000000 }}", "bytes"),
        ("{{ (1, 2) * 10000000000 }}", "bytes"),
        ("{{ [1] | batch(10000000000, 'x') }}", "bytes"),
        ("{{ [1] | slice(10000000000) }}", "bytes"),
        ("{{ range(10000000000) | list }}", "bytes"),
        ("{{ 'x' | indent(10000000000, true) }}", "bytes"),
        ("{{ 'x' | center(10000000000) }}", "bytes"),
        ("{{ 'x'.rjust(10000000000) }}", "bytes"),
        ("{{ 'x'.zfill(10000000000) }}", "bytes"),
        ("{{ [[1]] | to_nice_json(indent=10000000000) }}", "bytes"),
        ("{{ [[1]] | to_json(indent=10000000000) }}", "bytes"),
        ("{{ [[1]] | tojson(indent=10000000000) }}", "bytes"),
        ("{{ 'x' | comment(prefix_count=10000000000) }}", "bytes"),
        ("{{ '%99999999d' | format(1) }}", "that wide"),
        ("{{ '{:99999999}'.format(1) }}", "that wide"),
        ("{{ {'generate_string': {'len': 10000000000}} | eval }}", "bytes"),
    ] {
        check(template, wanted);
    }
}

#[test]
fn values_nest_only_so_deep() {
    for step in [
        "{% set ns.x = [ns.x] %}",
        "{% set ns.x = (ns.x,) %}",
        "{% set ns.x = {'a': ns.x} %}",
        "{% set ns.x = cycler(ns.x) %}",
    ] {
        let template =
            format!("{{% set ns = namespace(x=1) %}}{{% for i in range(5000) %}}{step}{{% endfor %}}");
        check(&template, "levels deep");
    }
    for template in [
        "{% set ns = namespace() %}{% set ns.a = ns %}{{ ns }}",
        "{% set ns = namespace() %}{% set ns.a = [{'b': ns}] %}{{ ns }}",
    ] {
        check(template, "could hold itself");
    }
    let chain = format!("{{{{ 1{} }}}}", " + 1".repeat(20_000));
    check(&chain, "levels deep");
}

#[test]
fn a_text_of_the_document_is_there_once_however_often_it_is_used() {
    let text = format!("big: {}\n", "x".repeat(9_000));
    let options = Options { limits: SMALL, ..Options::default() };
    let expressions = Expressions::with(document(&text), options).expect("good");
    let uses: String = (0..100).map(|number| format!("{{% set a{number} = [SELF.big] %}}")).collect();
    let rendered = expressions.render(&uses, &Context::default());
    assert_eq!(rendered.expect("it fits"), Value::from(""));
}

#[test]
fn what_is_no_longer_used_does_not_count() {
    let template = "{% set ns = namespace(l=[], t='') %}{% for i in range(150) %}\
        {% set ns.l = ns.l + [i] %}{% set ns.t = ns.t ~ 'line of text' %}{% endfor %}{{ ns.l | length }} {{ ns.t | length }}";
    let options = Options { limits: SMALL, ..Options::default() };
    let expressions = Expressions::with(Hash::new(), options).expect("good");
    let text = expressions.render(template, &Context::default()).expect("within its limits");
    assert_eq!(text, Value::from("150 1800"));
}

#[test]
fn attributes_that_double_each_other_end_in_an_error() {
    for (first, form) in [
        ("[1, 2]", "[{eval: '::root::aN'}, {eval: '::root::aN'}]"),
        ("abc", "{concat: [{eval: '::root::aN'}, {eval: '::root::aN'}]}"),
        ("abc", "'{{ SELF.aN }}{{ SELF.aN }}'"),
        ("[1]", "'{{ [SELF.aN, SELF.aN] }}'"),
        ("[1, 2]", "{eval: '::root::aN', foreach: $collection}"),
    ] {
        let mut text = format!("a0: {first}\n");
        for level in 1..40 {
            text.push_str(&format!("a{level}: {}\n", form.replace("aN", &format!("a{}", level - 1))));
        }
        let options = Options { limits: SMALL, ..Options::default() };
        let expressions = Expressions::with(document(&text), options).expect("good");
        let error = expressions.evaluated(&Context::default()).expect_err(form);
        assert_eq!(error.code, "EXPR_LIMIT", "{form}: {error}");
    }
}

#[test]
fn an_attribute_used_often_is_written_out_only_so_often() {
    let mut text = format!("big: {}\n", "x".repeat(5_000));
    for number in 0..100 {
        text.push_str(&format!("a{number}: {{eval: '::root::big'}}\n"));
    }
    let options = Options { limits: SMALL, ..Options::default() };
    let expressions = Expressions::with(document(&text), options).expect("good");
    let error = expressions.evaluated(&Context::default()).expect_err("too much");
    assert_eq!(error.code, "EXPR_LIMIT", "{error}");
}

#[test]
fn a_limit_is_named_with_its_flag_and_where_it_was_reached() {
    let template = "first\n{% set x = 'ab' * 9000 %}";
    let error = failure(template, Options { limits: SMALL, ..Options::default() });
    assert_eq!(error.message, "a value takes more than 10000 bytes");
    assert!(error.notes.iter().any(|note| note.text.contains("--max-size")), "{error}");
    let place = error.place.as_ref().expect("a place");
    assert_eq!(place.position(), (2, Some(12)));
}

fn document(text: &str) -> Hash {
    let source = hierarch_source::Source::unnamed(text);
    let limits = hierarch_yaml::DocumentLimits::default();
    let tree = hierarch_yaml::read(&source, hierarch_yaml::Dialect::Core, limits).expect("YAML");
    let data = tree.root().map(|root| tree.data(root, limits).expect("data"));
    data.map(|data| hierarch_pcore::data::from_data(&data, hierarch_pcore::data::Rules::Text))
        .and_then(|value| value.as_hash().cloned())
        .unwrap_or_default()
}

#[test]
fn macros_call_themselves_only_so_often() {
    check("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "recursion limit");
}

#[test]
fn lists_of_lists_have_only_so_many_members() {
    let large = ExpressionLimits { size: 1 << 20, ..SMALL };
    check_within(large, "{{ range(1000) | product(range(1000)) | length }}", "more than 100000 members");
    check_within(large, "{{ range(100) | permutations(5) | length }}", "more than 100000 ways");
    check_within(large, "{{ query('nested', range(1000), range(1000)) }}", "steps");
    check_within(large, "{{ query('sequence', 'end=99999999999') }}", "that long");
}

#[test]
fn patterns_do_not_run_away() {
    check("{{ ('a' * 60) | regex_search('^(a|aa)+\\\\1b$') }}", "steps");
    let large = ExpressionLimits { size: 1 << 20, ..SMALL };
    check_within(large, "{{ 'a' | regex_search('a' * 100000) }}", "more than 65536 bytes");
}

#[test]
fn a_path_has_only_so_many_steps_and_is_read_in_one_go() {
    let expressions = Expressions::new(Hash::new()).expect("good");
    for path in ["a::".repeat(8_000), ".::".repeat(200_000), "a[b]::".repeat(100_000)] {
        let error = expressions.query(&path.as_str().into(), &Context::default()).expect_err("too long");
        assert_eq!(error.code, "EXPR_LIMIT", "{error}");
    }
    let fine = expressions.query(&".::".repeat(200).as_str().into(), &Context::default());
    assert!(fine.is_ok());
}

/// Steps are calls within calls: who raises the limit has a thread with room for them, as the program has.
#[test]
fn a_longer_path_is_followed_where_there_is_room() {
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    thread.spawn(follow_long_paths).expect("a thread").join().expect("followed");
}

fn follow_long_paths() {
    let long = ExpressionLimits { path: 2_500, ..ExpressionLimits::default() };
    let options = Options { limits: long, ..Options::default() };
    let expressions = Expressions::with(Hash::new(), options).expect("good");
    for path in [".::".repeat(2_400), "a::".repeat(2_400), "..::".repeat(2_400), "*::".repeat(2_400)] {
        let found = expressions.query(&path.as_str().into(), &Context::default());
        assert!(found.is_ok(), "{found:?}");
    }
}

#[test]
fn templates_that_include_one_another_end_in_an_error() {
    struct Four;
    impl ExpressionHost for Four {
        fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
            let number: u32 = path.to_string_lossy().trim_start_matches("./t").parse().unwrap_or(0);
            let text =
                if number < 20 { format!("{{% include 't{}' %}}", number + 1).repeat(4) } else { "x".into() };
            Ok(text.into_bytes())
        }
    }
    for (template, wanted) in [
        ("{% include 't0' %}", "steps"),
        (
            "{% macro m() %}{{ self.b() }}{% endmacro %}{% block b %}{{ m() }}{% endblock %}",
            "recursion limit",
        ),
    ] {
        let options = Options {
            host: Arc::new(Four),
            limits: ExpressionLimits { size: 1 << 30, ..SMALL },
            ..Options::default()
        };
        let error = failure(template, options);
        assert!(error.message.contains(wanted), "{template}: {error}");
    }
}

#[test]
fn an_expression_takes_only_so_many_steps() {
    let list = Value::array((0..300).map(Value::from).collect());
    let document: Hash = [("list", list)].into_iter().collect();
    let options = Options { limits: ExpressionLimits { size: 1 << 20, ..SMALL }, ..Options::default() };
    let expressions = Expressions::with(document, options).expect("good");
    let inner: Hash =
        [("eval", Value::from("::root::list")), ("foreach", "$item".into())].into_iter().collect();
    let outer: Hash = [("eval", Value::from("list")), ("foreach", inner.into())].into_iter().collect();
    let error = expressions.query(&outer.into(), &Context::default()).expect_err("too many");
    assert!(error.message.contains("steps"), "{error}");
}

/// A host that must not be asked anything.
struct Untouchable;

impl ExpressionHost for Untouchable {
    fn variable(&self, _: &str) -> hierarch_source::Result<Option<String>> {
        panic!("the environment was asked")
    }

    fn variables(&self) -> hierarch_source::Result<Vec<(String, String)>> {
        panic!("the environment was asked")
    }

    fn read(&self, _: &Path) -> io::Result<Vec<u8>> {
        panic!("a file was read")
    }

    fn write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        panic!("a file was written")
    }

    fn make_folder(&self, _: &Path) -> io::Result<()> {
        panic!("a folder was made")
    }

    fn is_program(&self, _: &Path) -> bool {
        panic!("programs were looked for")
    }

    fn hiera(&self, _: &str, _: Option<&str>) -> hierarch_source::Result<Option<Value>> {
        panic!("Hiera was asked")
    }
}

#[test]
fn in_safe_mode_nothing_beyond_the_document_is_touched() {
    for template in [
        "{{ lookup('env', 'HOME') }}",
        "{{ lookup('file', '/etc/passwd') }}",
        "{{ lookup('template', 'x') }}",
        "{{ lookup('hiera', 'x') }}",
        "{{ {'get_env': 'HOME'} | eval }}",
        "{{ {'file': 'x', 'contents': 'y'} | eval }}",
        "{{ {'template': {'path': 'x'}} | eval }}",
        "{{ {'lookup': {'env': 'HOME'}} | eval }}",
        "{{ __unfurl.get_env('HOME') }}",
        "{{ __unfurl.tempfile('x') }}",
        "{{ 'sh' | which }}",
        "{{ 'x' | abspath('.', true) }}",
        "{{ 'tmp' | get_dir(true) }}",
        "{% include '/etc/passwd' %}",
        "{% import 'x' as y %}",
        "{% extends 'x' %}",
    ] {
        let options = Options { host: Arc::new(Untouchable), safe: true, ..Options::default() };
        failure(template, options);
    }
}

#[test]
fn without_a_host_everything_beyond_the_document_is_refused() {
    for (template, wanted) in [
        ("{{ lookup('env', 'HOME') }}", "not allowed"),
        ("{{ lookup('file', '/etc/passwd') }}", "not read"),
        ("{{ lookup('hiera', 'x') }}", "no Hiera data"),
        ("{{ {'file': 'x', 'contents': 'y'} | eval }}", "not written"),
        ("{{ 'sh' | which }}", "not allowed"),
        ("{{ lookup('pipe', 'ls') }}", "not found"),
        ("{{ lookup('url', 'http://x') }}", "not found"),
        ("{{ ''.__class__.__mro__ }}", "__class__"),
    ] {
        let error = failure(template, Options::default());
        assert!(error.message.contains(wanted), "{template}: {error}");
    }
}
