//! Classes, defined types and nodes: who is found, what they see, and in which order things count.

mod common;

use std::collections::BTreeSet;
use std::sync::Arc;

use common::{catalog, compile};
use hierarch_bits::dice::Dice;
use hierarch_eval::{Codebase, Evaluator, Hash, ProgramSettings};
use hierarch_source::{MemoryFiles, Source};

fn messages(code: &str) -> BTreeSet<String> {
    let catalog = catalog(code);
    let notifies = catalog.resources.iter().filter(|resource| resource.type_name == "Notify");
    notifies.map(|resource| resource.title.to_string()).collect()
}

fn names(list: &[&str]) -> BTreeSet<String> {
    list.iter().map(|&name| name.to_owned()).collect()
}

/// A name goes before a pattern, a pattern before the default, and among patterns the first one counts.
#[test]
fn the_definition_of_a_node_is_the_closest_one() {
    const NODES: &[(&str, &str)] = &[
        ("node 'web1' { notify { 'exact': } }", "exact"),
        ("node /^web/ { notify { 'pattern': } }", "pattern"),
        ("node /1$/ { notify { 'second': } }", "second"),
        ("node default { notify { 'default': } }", "default"),
    ];
    for chosen in 1..16_u32 {
        let there: Vec<&(&str, &str)> =
            NODES.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, node)| node).collect();
        let code: String = there.iter().map(|(text, _)| format!("{text}\n")).collect();
        for (name, fits) in [
            ("web1", "exact pattern second default"),
            ("web2", "pattern default"),
            ("db1", "second default"),
            ("x", "default"),
        ] {
            let environment = Codebase::default();
            let settings = ProgramSettings { node: name.to_owned(), ..ProgramSettings::default() };
            let mut evaluator = Evaluator::new(&environment).with_settings(settings);
            let result = evaluator.compile(&[Source::new("site.pp", &*code)]);
            let expected =
                there.iter().map(|(_, word)| *word).find(|word| fits.split(' ').any(|fit| fit == *word));
            match (result, expected) {
                (Ok(catalog), Some(word)) => {
                    assert!(catalog.find("Notify", word).is_some(), "{name}: {code}");
                }
                (Err(error), None) => {
                    assert!(error.message.contains(name), "{name}: {error}");
                }
                (result, expected) => {
                    panic!("{name}: {:?}, expected {expected:?}\n{code}", result.map(|_| ()))
                }
            }
        }
    }
}

/// A chain of classes, each of which declares the one before it: all are there, each once, whichever way they are written down.
#[test]
fn classes_bring_the_classes_they_declare() {
    for seed in 0..80 {
        let mut dice = Dice::new(seed);
        let count = 2 + dice.below(4);
        let mut classes: Vec<String> = (0..count)
            .map(|number| match number {
                0 => "class c0 { notify { 'c0': } }\n".to_owned(),
                _ => format!(
                    "class c{number} {{ notify {{ 'c{number}': }} class {{ 'c{}': }} }}\n",
                    number - 1
                ),
            })
            .collect();
        for at in 0..count {
            let other = dice.below(count);
            classes.swap(at, other);
        }
        let code = format!("{}class {{ 'c{}': }}", classes.concat(), count - 1);
        let expected: BTreeSet<String> = (0..count).map(|number| format!("c{number}")).collect();
        assert_eq!(messages(&code), expected, "{code}");
        let twice = compile(&format!("{code}\nclass {{ 'c0': }}")).expect_err("declared twice");
        assert!(twice.message.contains("Class[C0]"), "{twice}");
    }
}

/// What a class inherits it may override, and its own defaults see what the class above has set.
#[test]
fn a_class_sees_what_it_inherits() {
    let code = "class a($x = 1) { $y = $x + 1 notify { 'n': message => 'a', withpath => true } }\n\
                class b($z = $a::y * 10) inherits a { Notify['n'] { message => \"b ${z} ${y}\", withpath => undef } }\n\
                class { 'b': }";
    let catalog = catalog(code);
    let resource = catalog.find("Notify", "n").expect("declared above");
    assert_eq!(resource.parameter("message").map(ToString::to_string).as_deref(), Some("b 20 2"));
    assert!(resource.parameter("withpath").is_none(), "`undef` takes an attribute away");
}

#[test]
fn only_a_class_below_may_override() {
    let error = compile(
        "class a { notify { 'n': message => 'a' } }\nclass b { Notify['n'] { message => 'b' } }\nclass { 'a': }\nclass { 'b': }",
    )
    .map(|catalog| catalog.to_json("u"))
    .expect_err("b is not below a");
    assert!(error.to_string().contains("Only subclasses can override parameters"), "{error}");
    assert_eq!(error.position().map(|(line, _)| line), Some(2));
}

#[test]
fn circles_of_inheritance_are_refused() {
    for code in [
        "class a inherits a { }\nclass { 'a': }",
        "class a inherits b { }\nclass b inherits a { }\nclass { 'a': }",
    ] {
        assert!(compile(code).is_err(), "{code}");
    }
}

/// Variables: those of a class by its name, of the top by two colons, of the caller not at all.
#[test]
fn a_scope_sees_itself_what_it_inherits_and_the_top() {
    for (read, seen) in [
        ("$own", true),
        ("$top", true),
        ("$::top", true),
        ("$other::own", true),
        ("$::other::own", true),
        ("$callers", false),
        ("$other_own", false),
    ] {
        let code = format!(
            "$top = 't'\nclass other {{ $own = 'o' }}\nclass {{ 'other': }}\n\
             define d() {{ $own = 'd' notify {{ \"${{{}}}\": }} }}\nclass caller {{ $callers = 'c' d {{ 'x': }} }}\nclass {{ 'caller': }}",
            read.trim_start_matches('$')
        );
        assert_eq!(compile(&code).is_ok(), seen, "{read}");
    }
}

#[test]
fn a_defined_type_knows_its_title_and_its_parameters() {
    let code = "define d($a, $b = \"${title}-${a}\", *$rest) { }";
    assert!(compile(code).is_err(), "a defined type takes no rest");
    let code = "define d($a, $b = \"${title}-${a}\") { notify { \"${name} ${b}\": } }\nd { ['x', 'y']: a => 1; 'z': a => 2, b => 'own' }";
    assert_eq!(messages(code), names(&["x x-1", "y y-1", "z own"]));
}

/// Attributes from a hash count like written ones, and may not be written a second time.
#[test]
fn attributes_come_from_hashes_too() {
    let catalog = catalog("$h = {message => 'm', withpath => true}\nnotify { 'n': * => $h }");
    let resource = catalog.find("Notify", "n").expect("declared");
    assert_eq!(resource.parameters.len(), 2);
    let error = compile("notify { 'n': message => 'a', * => {message => 'b'} }").expect_err("twice");
    assert!(error.message.contains("message"), "{error}");
    let error = compile("notify { 'n': * => 'text' }").expect_err("no hash");
    assert!(error.message.contains("Hash"), "{error}");
}

/// The default of a body goes for those beside it, and what they say themselves goes before it.
#[test]
fn a_default_body_counts_for_its_siblings() {
    let catalog =
        catalog("notify { default: message => 'd', withpath => true; 'a': ; 'b': message => 'own' }");
    let message = |title: &str| {
        catalog.find("Notify", title).and_then(|one| one.parameter("message")).map(ToString::to_string)
    };
    assert_eq!(message("a").as_deref(), Some("d"));
    assert_eq!(message("b").as_deref(), Some("own"));
    assert!(catalog.find("Notify", "default").is_none());
    assert!(compile("notify { default: ; default: ; 'a': }").is_err(), "two defaults");
}

/// Facts are variables of the top, by their name and within `$facts`; neither can be set anew.
#[test]
fn facts_are_there_from_the_start() {
    let environment = Codebase::default();
    let mut evaluator = Evaluator::new(&environment);
    evaluator.set_facts(Hash::from_iter([("kernel", "Linux"), ("os", "x")]));
    let value = evaluator.evaluate(&Source::unnamed("[$kernel, $facts['kernel'], $::os]"));
    assert_eq!(value.map(|value| value.program_text()).ok().as_deref(), Some("['Linux', 'Linux', 'x']"));
    for code in ["$facts = 1", "$kernel = 'other'", "$trusted = 1"] {
        assert!(evaluator.evaluate(&Source::unnamed(code)).is_err(), "{code}");
    }
}

/// What modules define is found by its name alone; what stands in the wrong file is not.
#[test]
fn names_lead_to_files() {
    let files = MemoryFiles::from([
        ("m/a/manifests/init.pp", "class a { notify { 'a': } }"),
        ("m/a/manifests/b.pp", "class a::b { notify { 'a::b': } }"),
        ("m/a/manifests/b/c.pp", "class a::b::c { notify { 'a::b::c': } }"),
        ("m/a/manifests/misplaced.pp", "class a::elsewhere { }"),
    ]);
    let environment = Codebase::default().with_files(Arc::new(files)).with_modulepath(vec!["m".into()]);
    for name in ["a", "a::b", "a::b::c", "::a::b"] {
        let code = format!("class {{ '{name}': }}");
        let catalog = Evaluator::new(&environment).compile(&[Source::unnamed(&*code)]).expect(name);
        assert!(catalog.find("Notify", name.trim_start_matches(':')).is_some(), "{name}");
    }
    for name in ["a::c", "b", "a::elsewhere", "a::misplaced"] {
        let code = format!("class {{ '{name}': }}");
        assert!(Evaluator::new(&environment).compile(&[Source::unnamed(&*code)]).is_err(), "{name}");
    }
}
