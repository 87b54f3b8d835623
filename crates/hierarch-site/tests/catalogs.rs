//! What compilations give a caller of the library: catalogs that agree with themselves, failures with their places, and limits that
//! hold.

use std::sync::Arc;

use hierarch_eval::{Catalog, ProgramLimits};
use hierarch_site::{KnownNodes, Limits, Node, Site};
use hierarch_source::{Error, MemoryFiles, Source};

fn node_of(files: MemoryFiles, limits: Limits) -> Node {
    let nodes = KnownNodes::from([("test.example.com", [("kernel", "Linux")])]);
    let site = Site::on(files).with_nodes(nodes).with_limits(limits).build();
    site.node("test.example.com").expect("a node")
}

fn compiled(manifest: &str) -> Result<Catalog, Error> {
    let files = MemoryFiles::from([("hiera.yaml", "version: 5\nhierarchy: []\n")]);
    let node = node_of(files, Limits::default());
    node.compile_from(&[Source::unnamed(manifest)]).catalog
}

/// A manifest with classes, defined types, virtual resources, overrides, collectors and arrows.
const WHOLE: &str = "
class base($size = 1) {
  file { '/a': mode => \"${size}\" } -> file { '/b': }
  @user { 'v': tag => 'wanted' }
  d { ['x', 'y']: }
}
class over inherits base { File['/a'] { owner => 'root' } contain inner }
class inner { notify { 'in': } }
define d($p = $title) { notify { \"d-${p}\": message => $name } }
include over
User <| tag == 'wanted' |> { shell => '/bin/sh' }
File['/b'] ~> Class['inner']
";

#[test]
fn a_catalog_agrees_with_itself() {
    let catalog = compiled(WHOLE).expect("a catalog");
    for (from, to) in &catalog.edges {
        assert!(from < &catalog.resources.len() && to < &catalog.resources.len());
        assert_ne!(from, to);
    }
    // Each resource is found under its own name, and none stands there twice.
    for resource in &catalog.resources {
        let found = catalog.find(&resource.type_name, &resource.title).expect("it is there");
        assert!(std::ptr::eq(found, resource), "{resource}");
    }
    // All but the outermost are contained in another; a class that is contained may be in several.
    let contained = |index: usize| catalog.edges.iter().filter(|(_, to)| *to == index).count();
    let outermost: Vec<String> = catalog
        .resources
        .iter()
        .enumerate()
        .filter(|(index, _)| contained(*index) == 0)
        .map(|(_, resource)| resource.to_string())
        .collect();
    assert_eq!(outermost, ["Stage[main]"]);
}

#[test]
fn a_catalog_has_what_overrides_and_collectors_say() {
    let catalog = compiled(WHOLE).expect("a catalog");
    for (type_name, title, parameter, value) in [
        ("File", "/a", "owner", "root"),
        ("File", "/a", "mode", "1"),
        ("User", "v", "shell", "/bin/sh"),
        ("Notify", "d-x", "message", "x"),
        ("Notify", "d-y", "message", "y"),
    ] {
        let resource = catalog.find(type_name, title).unwrap_or_else(|| panic!("{type_name}[{title}]"));
        let got = resource.parameter(parameter).map(ToString::to_string);
        assert_eq!(got.as_deref(), Some(value), "{resource}");
    }
    assert_eq!(
        catalog.classes.iter().map(ToString::to_string).collect::<Vec<_>>().last().map(String::as_str),
        Some("inner")
    );
}

#[test]
fn the_same_question_gives_the_same_catalog() {
    let once = compiled(WHOLE).expect("a catalog").to_json("u");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(compiled(WHOLE).expect("a catalog").to_json("u"), once));
        }
    });
}

#[test]
fn all_ways_to_write_a_catalog_say_the_same() {
    let catalog = compiled(WHOLE).expect("a catalog");
    let plain = catalog.to_json("u");
    let mut streamed = Vec::new();
    catalog.write_json("u", &mut streamed).expect("a list of bytes takes everything");
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(squeezed(&String::from_utf8(streamed).expect("UTF-8")), squeezed(&plain));
    assert_eq!(squeezed(&catalog.to_data("u").to_json()), squeezed(&plain));
}

#[test]
fn a_failure_names_the_file_of_a_module() {
    let files = MemoryFiles::from([
        ("hiera.yaml", "version: 5\nhierarchy: []\n"),
        ("modules/m/manifests/init.pp", "class m {\n  $x = 1\n  $y = $x + 'a'\n}\n"),
    ]);
    let node = node_of(files, Limits::default());
    let error =
        node.compile_from(&[Source::new("site.pp", "\ninclude m\n")]).catalog.expect_err("'a' is no number");
    assert_eq!(error.code, "NOT_NUMERIC");
    let place = error.place.as_ref().expect("a place");
    assert!(place.source.name().is_some_and(|name| name.ends_with("modules/m/manifests/init.pp")));
    assert_eq!(place.position(), (3, Some(13)));
}

#[test]
fn programs_end_at_limits_that_are_named() {
    let few =
        ProgramLimits { steps: 10_000, depth: 50, size: 1_000, resources: 20, ..ProgramLimits::default() };
    let few = Limits { evaluation: few, ..Limits::default() };
    let endless = "function f($x) { f($x + 1) } f(0)";
    let loops = "Integer[1, 100000].each |$x| { }";
    let grows = "$x = Integer[1, 30].reduce('ab') |$m, $x| { \"${m}${m}\" }";
    let many = "Integer[1, 100].each |$x| { notify { \"${x}\": } }";
    for (manifest, flag) in
        [(endless, "--max-depth"), (loops, "--max-steps"), (grows, "--max-size"), (many, "--max-resources")]
    {
        let files = MemoryFiles::from([("hiera.yaml", "version: 5\nhierarchy: []\n")]);
        let node = node_of(files, few);
        let error = node.compile_from(&[Source::unnamed(manifest)]).catalog.expect_err(manifest);
        let notes: Vec<&str> = error.notes.iter().map(|note| note.text.as_str()).collect();
        let whole = format!("{error} {}", notes.join(" "));
        assert!(whole.contains(flag), "{manifest}: {whole}");
        // With more room the same program goes on, but for the endless one.
        let files = MemoryFiles::from([("hiera.yaml", "version: 5\nhierarchy: []\n")]);
        if manifest != endless && manifest != grows {
            let node = node_of(files, Limits::default());
            assert!(node.compile_from(&[Source::unnamed(manifest)]).catalog.is_ok(), "{manifest}");
        }
    }
}

#[test]
fn logs_say_where_they_come_from() {
    let files = MemoryFiles::from([("hiera.yaml", "version: 5\nhierarchy: []\n")]);
    let node = node_of(files, Limits::default());
    let manifest = "class a { notice('in a') }\nwarning('top')\ninclude a";
    let compilation = node.compile_from(&[Source::new("site.pp", manifest)]);
    let logs: Vec<(&str, &str, Option<u32>)> = compilation
        .logs
        .iter()
        .map(|log| {
            (log.level.name(), log.message.as_str(), log.place.as_ref().map(|place| place.position().0))
        })
        .collect();
    assert_eq!(logs, [("warning", "top", Some(2)), ("notice", "in a", Some(1))]);
    let scopes: Vec<Option<&str>> = compilation.logs.iter().map(|log| log.scope.as_deref()).collect();
    assert_eq!(scopes, [Some("Class[main]"), Some("Class[A]")]);
}

#[test]
fn sites_on_the_same_files_are_independent() {
    let files = Arc::new(MemoryFiles::from([
        ("hiera.yaml", "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n"),
        ("data/a.yaml", "x::size: 5\n"),
        ("modules/x/manifests/init.pp", "class x($size) { notify { \"${size}\": } }"),
    ]));
    let ask = |files: Arc<MemoryFiles>| {
        let node = Site::on(files).build().node("n").expect("a node");
        let catalog = node.compile_from(&[Source::unnamed("include x")]).catalog.expect("a catalog");
        catalog.find("Notify", "5").is_some()
    };
    assert!(ask(Arc::clone(&files)) && ask(files));
}
