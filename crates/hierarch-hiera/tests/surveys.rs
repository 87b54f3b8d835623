//! Surveys by property: whatever nodes were asked before, a node gets the answer that it gets alone.

use std::collections::HashMap;

use hierarch_hiera::{Hiera, Panel, Query, Scope, Survey};
use hierarch_pcore::Hash;
use hierarch_source::MemoryFiles;

const KEYS: [&str; 11] =
    ["plain", "role", "text", "deep", "alias", "chain", "undefined", "odd", "m::x", "m::default", "nope"];

fn files() -> MemoryFiles {
    let mut files = MemoryFiles::from([
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n- {name: Node, path: 'nodes/%{name}.yaml'}\n\
             - {name: Role, paths: ['role/%{facts.role}.yaml', 'site/%{facts.site}.yaml']}\n\
             - {name: Roles, mapped_paths: [facts.roles, tmp, 'role/%{tmp}.yaml']}\n- {name: Common, path: common.yaml}\n",
        ),
        (
            "data/common.yaml",
            "lookup_options: {deep: {merge: deep}}\nplain: common\nrole: none\ntext: \"at %{facts.site}\"\n\
             deep: {common: [1]}\nalias: \"%{alias('deep')}\"\nchain: \"<%{lookup('text')} %{lookup('role')}>\"\n\
             undefined: \"%{nothing}\"\nodd: \"%{facts.role.x}\"\nm::x: env\n",
        ),
        (
            "modules/m/hiera.yaml",
            "version: 5\nhierarchy: [{name: M, path: 'm-%{facts.site}.yaml'}]\ndefault_hierarchy: [{name: D, path: d.yaml}]\n",
        ),
        ("modules/m/data/m-s1.yaml", "lookup_options: {'m::x': {merge: unique}}\nm::x: module\n"),
        ("modules/m/data/d.yaml", "m::default: \"default at %{facts.site}\"\n"),
    ]);
    for role in ["web", "db"] {
        files.insert(format!("data/role/{role}.yaml"), format!("role: {role}\ndeep: {{{role}: [2]}}\n"));
    }
    files.insert(
        "data/site/s1.yaml",
        "deep: {site: [3], common: [4]}\nlookup_options: {role: {merge: unique}}\n",
    );
    files.insert("data/nodes/n7.yaml", "plain: own\ntext: \"%{facts.role} own\"\n");
    files.insert("data/nodes/n9.yaml", "broken: [\n");
    files
}

fn node(number: usize) -> Scope {
    let mut scope = Scope::new();
    let mut facts = Hash::new();
    facts.insert("role", ["web", "db", "mail"][number % 3]);
    facts.insert("site", format!("s{}", number % 4));
    if number.is_multiple_of(5) {
        facts.insert("roles", hierarch_pcore::Value::array(vec!["db".into(), "web".into()]));
    }
    scope.set("facts", facts);
    scope.set("name", format!("n{number}"));
    if number.is_multiple_of(8) {
        scope.set("nothing", number);
    }
    scope
}

#[test]
fn a_node_gets_from_a_survey_what_it_gets_alone() {
    let hiera = Hiera::open(files(), "hiera.yaml");
    let surveys: HashMap<&str, Survey<String>> = KEYS.iter().map(|key| (*key, Survey::new())).collect();
    for number in (0..60).chain(0..60) {
        let scope = node(number);
        let (asked, alone) = (hiera.session(&scope), hiera.session(&scope));
        for key in KEYS {
            let query = Query::new([key.to_owned()]);
            let found = |session: &hierarch_hiera::Session| format!("{:?}", session.lookup(&query, None));
            assert_eq!(*surveys[key].ask(&asked, found), found(&alone), "{key} of node {number}");
        }
    }
    let answers = |key: &str| surveys[key].different_answers();
    assert!(answers("plain") <= 4, "{} answers to what two files hold", answers("plain"));
    assert!(answers("m::default") <= 6, "{} answers to what four sites differ in", answers("m::default"));
}

#[test]
fn many_nodes_asked_together_answer_as_each_alone() {
    let hiera = Hiera::open(files(), "hiera.yaml");
    let surveys: HashMap<&str, Survey<String>> = KEYS.iter().map(|key| (*key, Survey::new())).collect();
    for first in [0, 30, 7] {
        let scopes: Vec<Scope> = (first..first + 40).map(node).collect();
        let sessions: Vec<_> = scopes.iter().map(|scope| hiera.session(scope)).collect();
        let panel = Panel::new(&sessions);
        for key in KEYS {
            let query = Query::new([key]);
            let found = |session: &hierarch_hiera::Session| format!("{:?}", session.lookup(&query, None));
            let mut told = vec![0; sessions.len()];
            surveys[key].ask_all(&panel, found, |number, answer| {
                told[number] += 1;
                assert_eq!(
                    *answer,
                    found(&hiera.session(&scopes[number])),
                    "{key} of node {}",
                    first + number
                );
            });
            assert!(told.iter().all(|count| *count == 1), "{key}: each node is told of once");
        }
    }
}

#[test]
fn a_session_that_was_used_before_records_all_the_same() {
    let hiera = Hiera::open(files(), "hiera.yaml");
    let survey: Survey<String> = Survey::new();
    for number in 0..12 {
        let scope = node(number);
        let session = hiera.session(&scope);
        for key in KEYS {
            let _ = session.lookup(&Query::new([key.to_owned()]), None);
        }
        let query = Query::new(["chain".to_owned()]);
        let answer = survey.ask(&session, |session| format!("{:?}", session.lookup(&query, None)));
        assert_eq!(*answer, format!("{:?}", hiera.session(&scope).lookup(&query, None)), "node {number}");
    }
}

#[test]
fn threads_that_start_together_get_what_each_gets_alone() {
    let told = |hiera: &Hiera, number: usize| {
        let scope = node(number);
        let session = hiera.session(&scope);
        KEYS.map(|key| format!("{:?}", session.lookup(&Query::new([key]), None)))
    };
    let alone: Vec<_> = (0..4).map(|number| told(&Hiera::open(files(), "hiera.yaml"), number)).collect();
    for _ in 0..40 {
        // Sessions know layers by their address: one that two threads read at the same time must be kept once.
        let (hiera, start) = (Hiera::open(files(), "hiera.yaml"), std::sync::Barrier::new(4));
        std::thread::scope(|threads| {
            for (number, alone) in alone.iter().enumerate() {
                let (hiera, start) = (&hiera, &start);
                threads.spawn(move || {
                    start.wait();
                    assert_eq!(told(hiera, number), *alone, "node {number}");
                });
            }
        });
    }
}
