//! What a site answers, without a disk and from many threads.

use std::sync::Arc;
use std::thread;

use hierarch_site::{KnownNodes, NodeFacts, Permissions, Question, Root, Settings, Site, Strict, issues};
use hierarch_source::{MemoryFiles, Overlay, Source};

const HIERARCHY: &str = "version: 5
hierarchy:
  - {name: role, path: '%{role}.yaml'}
  - {name: all, path: common.yaml}
";

fn files() -> MemoryFiles {
    MemoryFiles::from([
        ("hiera.yaml", HIERARCHY),
        ("data/web.yaml", "limits: {files: 4096}"),
        (
            "data/common.yaml",
            "lookup_options: {limits: {merge: deep}}\nlimits: {files: 1024, tasks: 64}\nmotd: Hi\n",
        ),
        ("manifests/a.pp", "$x = lookup('motd')\nnotify { $x: }\nnotice('compiled')"),
        ("manifests/README.md", "no manifest"),
        ("modules/m/manifests/init.pp", "class m { }"),
    ])
}

fn site() -> Site {
    let nodes = KnownNodes::from([("web01", [("role", "web")]), ("db01", [("role", "db")])]);
    Site::on(files()).with_nodes(nodes).build()
}

#[test]
fn without_a_global_hiera_yaml_there_are_no_global_data() {
    let answer = site().node("web01").expect("a node").lookup("limits").expect("a value");
    assert_eq!(answer.value.to_json(), r#"{"files":4096,"tasks":64}"#);
    assert!(!answer.is_secret);
}

#[test]
fn a_question_says_how_it_wants_its_answer() {
    let node = site().node("web01").expect("a node");
    let first = Question { merge: Some("first".into()), .."limits".into() };
    assert_eq!(node.lookup(first).expect("a value").value.to_json(), r#"{"files":4096}"#);
    let typed = Question { value_type: Some("Integer".to_owned()), .."limits".into() };
    assert!(node.lookup(typed).expect_err("a hash").to_string().contains("Integer"));
    let absent = Question { default: Some(7.into()), .."nowhere".into() };
    assert_eq!(node.lookup(absent).expect("the default").value.to_json(), "7");
    let error = node.lookup("nowhere").expect_err("no value");
    assert_eq!(error.code, hierarch_hiera::issues::NOT_FOUND);
}

#[test]
fn an_explanation_names_levels_and_failures() {
    let node = site().node("web01").expect("a node");
    let found = node.explain("limits").expect("an explanation");
    assert!(found.failure.is_none() && found.steps.text().contains("Hierarchy entry \"role\""));
    let missing = node.explain("nowhere").expect("an explanation");
    assert!(missing.failure.is_some() && missing.steps.text().contains("No such key: \"nowhere\""));
}

#[test]
fn a_node_that_nobody_knows_is_an_error() {
    assert_eq!(site().node("web99").err().map(|error| error.code), Some(issues::UNKNOWN_NODE));
}

#[test]
fn a_catalog_is_compiled_from_the_manifests_of_the_environment() {
    let node = site().node("db01").expect("a node");
    let compilation = node.compile_from(&node.environment().manifests().expect("manifests"));
    let catalog = compilation.catalog.expect("a catalog");
    assert!(catalog.resources.iter().any(|resource| resource.to_string() == "Notify[Hi]"));
    assert!(compilation.logs.iter().any(|log| log.message == "compiled"));
}

#[test]
fn lookups_after_a_compilation_see_what_manifests_set() {
    let mut files = files();
    files.insert("data/common.yaml", "seen: '%{x}'");
    let node = Site::on(files).build().node("web01").expect("a node");
    let manifest = Source::unnamed("$x = 'set'");
    let mut compilation = node.compile_from(&[manifest]);
    let (answer, _) = compilation.asking(|lookups| lookups.lookup(&"seen".into()));
    assert_eq!(answer.expect("a value").value.as_str(), Some("set"));
}

#[test]
fn a_dump_has_all_keys_that_a_node_sees() {
    let node = site().node("web01").expect("a node");
    let dumped = node.dump();
    let keys: Vec<&str> = dumped.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["limits", "motd"]);
}

#[test]
fn an_overlay_shows_what_a_change_would_do() {
    let mut changed = Overlay::new(files());
    changed.insert("data/web.yaml", "motd: Welcome");
    let nodes = KnownNodes::from([("web01", [("role", "web")])]);
    let node = Site::on(changed).with_nodes(nodes).build().node("web01").expect("a node");
    assert_eq!(node.lookup("motd").expect("a value").value.as_str(), Some("Welcome"));
}

#[test]
fn environments_are_folders_and_nodes_choose_theirs() {
    let files = MemoryFiles::from([
        ("envs/production/hiera.yaml", "version: 5"),
        ("envs/production/data/common.yaml", "here: production"),
        ("envs/dev/hiera.yaml", "version: 5"),
        ("envs/dev/data/common.yaml", "here: '%{environment}'"),
    ]);
    let site = Site::on(files).with_root(Root::Environments("envs".to_owned())).build();
    assert_eq!(site.environment_names(), ["dev", "production"]);
    let in_dev = NodeFacts { environment: Some("dev".to_owned()), ..NodeFacts::default() };
    for (known, here) in [(NodeFacts::default(), "production"), (in_dev, "dev")] {
        let answer = site.node_with("web01", known).lookup("here").expect("a value");
        assert_eq!(answer.value.as_str(), Some(here));
    }
}

#[test]
fn settings_reach_lookups_and_programs() {
    let settings = Settings { strict: Strict::Off, strict_variables: false, ..Settings::default() };
    let node = Site::on(files()).with_settings(settings).build().node("web01").expect("a node");
    assert!(node.evaluate(&Source::unnamed("$unknown")).expect("undef").is_undef());
    let strict = site().node("web01").expect("a node");
    assert_eq!(
        strict.evaluate(&Source::unnamed("$unknown")).err().map(|error| error.code),
        Some("UNKNOWN_VARIABLE")
    );
}

#[test]
fn programs_of_the_machine_are_not_run_unless_allowed() {
    let run = |permissions: Permissions| {
        let node = Site::on(files()).with_permissions(permissions).build().node("web01").expect("a node");
        node.evaluate(&Source::unnamed("generate('/bin/echo', 'x')"))
    };
    assert!(run(Permissions::default()).is_err());
    assert!(run(Permissions { may_run_programs: true, ..Permissions::default() }).is_ok());
}

#[test]
fn all_texts_of_an_environment_are_checked() {
    let mut files = files();
    files.insert("modules/m/templates/a.epp", "<%= $x");
    files.insert("modules/m/manifests/broken.pp", "class m::broken {");
    let found = Site::on(files).build().environment().validate();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(site().environment().validate().is_empty());
}

#[test]
fn threads_share_a_site() {
    let site = Arc::new(site());
    let ask = |name: &'static str| {
        let site = Arc::clone(&site);
        thread::spawn(move || {
            site.node(name).and_then(|node| node.lookup("limits")).map(|answer| answer.value.to_json())
        })
    };
    let asked = [ask("web01"), ask("db01"), ask("web01")];
    let answers = asked.map(|thread| thread.join().expect("no panic").expect("a value"));
    let (web, db) = (r#"{"files":4096,"tasks":64}"#, r#"{"files":1024,"tasks":64}"#);
    assert_eq!(answers, [web, db, web]);
}
