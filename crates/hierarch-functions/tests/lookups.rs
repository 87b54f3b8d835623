//! Manifests that look values up, and data functions written in the language: what they see, and when they are called.

use std::path::PathBuf;
use std::sync::Arc;

use hierarch_eval::{Evaluator, Level};
use hierarch_hiera::{EnvironmentFolder, Hiera, LookupSettings};
use hierarch_source::{Files, MemoryFiles, Source};

const FILES: [(&str, &str); 8] = [
    (
        "env/hiera.yaml",
        "version: 5\nhierarchy:\n\
         - {name: By role, path: 'role/%{role}.yaml'}\n\
         - {name: Asked, lookup_key: 'environment::asked', paths: [one.txt, two.txt]}\n\
         - {name: Common, path: common.yaml}\n",
    ),
    ("env/data/role/web.yaml", "port: 80\n"),
    (
        "env/data/common.yaml",
        "port: 1\nwho: 'I am %{me}'\ngroup: '%{1}'\nm::size: '%{lookup(\"port\")}'\nlookup_options: {m::size: {convert_to: Integer}}\n",
    ),
    ("env/data/one.txt", ""),
    ("env/data/two.txt", ""),
    (
        "env/functions/environment/asked.pp",
        "function environment::asked(String $key, Hash $options, Puppet::LookupContext $context) {
           $count = $context.cached_value('count').lest || { 0 } + 1
           $context.cache('count', $count)
           case $key {
             'counted': { notice(\"asked ${count}\"); if $count > 3 { $count } else { $context.not_found } }
             'chained': { lookup('who') }
             'scoped':  { $context.interpolate('%{me}') }
             'endless': { lookup('endless') }
             default:   { $context.not_found }
           }
         }",
    ),
    ("env/modules/m/manifests/init.pp", "class m(Integer $size = 0) { notice($size) }"),
    (
        "env/modules/n/manifests/init.pp",
        "class n { $me = 'n' notice(lookup('who'), lookup('chained', undef, undef, '-'), lookup('scoped')) }",
    ),
];

/// Runs a manifest; its notices, or what is wrong.
fn run(code: &str) -> Result<Vec<String>, String> {
    let files: Arc<dyn Files> = Arc::new(MemoryFiles::from(FILES));
    let data = EnvironmentFolder::load(&files, "production", "env", &[]);
    let hiera = Hiera::new(Arc::clone(&files), LookupSettings::default(), data, String::new());
    let environment = hierarch_functions::environment()
        .with_files(files)
        .with_modulepath(vec![PathBuf::from("env/modules")])
        .with_hiera(Arc::new(hiera));
    let mut evaluator = Evaluator::new(&environment);
    let source = Source::unnamed(format!("$me = 'top'\n{code}"));
    let result = evaluator.compile(&[source]);
    let notices = evaluator.take_logs().into_iter().filter(|log| log.level == Level::Notice);
    let notices = notices.map(|log| log.message).collect();
    result.map(|_| notices).map_err(|error| error.message.clone())
}

#[test]
fn lookups_see_the_variables_of_the_place_that_asks() {
    for (code, notices) in [
        ("notice(lookup('who'))", &["I am top"][..]),
        ("['a', 'b'].each |$me| { notice(lookup('who')) }", &["I am a", "I am b"]),
        ("function f($me) { lookup('who') }\nnotice(f('f'))", &["I am f"]),
        // Functions run in the top scope, whoever calls them.
        ("include n", &["I am n I am top n"]),
        ("notice(lookup('port'))\n$role = 'web'\nnotice(lookup('port'))", &["1", "80"]),
        ("$role = 'web'\ninclude m", &["80"]),
        ("class { 'm': size => 7 }", &["7"]),
        // Answers are remembered only where the variables that they read are the same.
        (
            "['a', 'a', 'b', 'a'].each |$me| { notice(lookup('who')) }",
            &["I am a", "I am a", "I am b", "I am a"],
        ),
        ("['web', 'db', 'web'].each |$role| { notice(lookup('port')) }", &["80", "1", "80"]),
        (
            "[1, 2].each |$n| { if $n == 2 { $role = 'web' notice(lookup('port')) } else { notice(lookup('port')) } }",
            &["1", "80"],
        ),
        ("['x', 'y'].each |$t| { if $t =~ /(.)/ { notice(lookup('group')) } }", &["x", "y"]),
        ("[1, 2].each |$n| { notice(lookup('port', Integer)) }", &["1", "1"]),
    ] {
        assert_eq!(run(code), Ok(notices.iter().map(ToString::to_string).collect()), "{code}");
    }
}

#[test]
fn a_function_remembers_by_place_and_is_asked_again_when_it_had_nothing() {
    // Both files are asked in turn, and the search for the options counts, too.
    let notices = ["asked 2", "asked 2", "asked 3", "asked 3", "asked 4", "4"];
    let code = "[1, 2].each |$n| { lookup('counted', undef, undef, 0) }\nnotice(lookup('counted'))";
    assert_eq!(run(code), Ok(notices.iter().map(ToString::to_string).collect()));
}

#[test]
fn a_remembered_answer_is_checked_for_its_type_again() {
    let error = run("[Integer, String].each |$t| { lookup('port', $t) }").expect_err("it is an Integer");
    assert!(error.contains("Found value has wrong type, expects a String value, got Integer"), "{error}");
}

#[test]
fn a_function_that_looks_up_what_it_is_asked_for_ends_in_an_error() {
    let error = run("lookup('endless')").expect_err("it leads back to itself");
    assert!(error.contains("Recursive lookup detected in [endless]"), "{error}");
}
