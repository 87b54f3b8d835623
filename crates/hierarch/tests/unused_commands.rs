//! `hierarch unused`: every kind of dead data is found where it is planted, nothing living is, and what is removed changes no answer.

mod common;

use std::fs;
use std::path::Path;

use common::{Run, folder_of, hierarch};
use serde_json::Value as Json;

/// A repository in which nothing is dead.
const ALIVE: &[(&str, &str)] = &[
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - name: Node\n    path: \"nodes/%{trusted.certname}.yaml\"\n  - name: Role\n    path: \"roles/%{facts.role}.yaml\"\n  - name: Common\n    path: common.yaml\n",
    ),
    ("environment.conf", "modulepath = modules\n"),
    (
        "modules/web/manifests/init.pp",
        "class web (Integer $port, Array $list = [], $named = lookup('site')) {}\n",
    ),
    (
        "data/common.yaml",
        "web::port: 80\nweb::list: [a, b]\nsite: \"%{lookup('base')}\"\nbase: x\nlookup_options:\n  web::list:\n    merge: {strategy: deep, knockout_prefix: '--'}\n",
    ),
    ("data/roles/web.yaml", "web::port: 81\n"),
    ("data/nodes/a.yaml", "web::list: ['--b', c]\nbase: y\n"),
    ("facts/a.yaml", "clientcert: a\nrole: web\n"),
    ("facts/b.yaml", "clientcert: b\nrole: web\n"),
    ("facts/c.yaml", "clientcert: c\nrole: db\n"),
];

fn site(changes: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = folder_of(ALIVE);
    for (file, text) in changes {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        let old = fs::read_to_string(&path).unwrap_or_default();
        fs::write(path, text.replace("<old>", &old)).expect("written");
    }
    folder
}

fn unused(folder: &Path, arguments: &[&str]) -> Run {
    hierarch(folder, &[&["unused"], arguments].concat(), "")
}

fn answers(folder: &Path) -> String {
    let run = hierarch(folder, &["dump", "--nodes", "facts", "--render-as", "jsonl"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    run.out
}

#[test]
fn nothing_is_found_where_nothing_is_dead() {
    let folder = site(&[]);
    let run = unused(folder.path(), &[]);
    assert_eq!((run.code, run.out.as_str()), (0, "nothing found on 3 nodes\n"), "{}", run.err);
    let run = unused(folder.path(), &["--fix"]);
    assert_eq!((run.code, run.out.as_str()), (0, "0 findings removed\n"), "{}", run.err);
}

/// Files, the line that is printed, and whether removing it leaves every answer as it is.
type Planted = (&'static [(&'static str, &'static str)], &'static str);

const PLANTED: &[Planted] = &[
    (
        &[("data/lost.yaml", "x: 1\n")],
        "data/lost.yaml: unloaded-file: no level of a hierarchy can name this file",
    ),
    (
        &[("data/nodes/gone.yaml", "base: z\n")],
        "data/nodes/gone.yaml: unloaded-file: none of 3 nodes loads this file",
    ),
    (
        &[("data/common.yaml", "<old>web::prot: 1\n")],
        "data/common.yaml:8:1: unknown-parameter: web::prot: the class has no such parameter, and nothing asks for the key",
    ),
    (
        &[("data/common.yaml", "<old>nobody: 1\n")],
        "data/common.yaml:8:1: unused-key: nobody: no code and no token asks for it",
    ),
    (
        &[("data/nodes/a.yaml", "<old>web::port: 1\n"), ("data/nodes/b.yaml", "web::port: 2\n")],
        "data/roles/web.yaml:1:1: shadowed: web::port: other levels decide on all of 3 nodes, it has no effect",
    ),
    (
        &[("data/nodes/a.yaml", "<old>web::port: 81\n")],
        "data/nodes/a.yaml:3:1: redundant: web::port: without it all answers of 3 nodes are the same, lower levels say the same",
    ),
    (
        &[("data/roles/db.yaml", "base: \"x\"\n")],
        "data/roles/db.yaml:1:1: redundant: base: without it all answers of 3 nodes are the same, lower levels say the same",
    ),
    (
        &[("data/common.yaml", "<old>  lost: {merge: unique}\n")],
        "data/common.yaml:8:3: dead-option: lookup_options.lost matches no key",
    ),
    (
        &[("data/nodes/a.yaml", "web::list: ['--b', c, '--z']\nbase: y\n")],
        "data/nodes/a.yaml:1:23: dead-knockout: web::list.2 removes nothing on any of 3 nodes",
    ),
    (
        &[("hiera.yaml", "<old>  - name: Os\n    path: \"os/%{facts.os}.yaml\"\n")],
        "hiera.yaml:9: dead-level: level 'Os': there is no file for it",
    ),
];

#[test]
fn every_kind_is_found_where_it_is_planted_and_removed_without_a_trace() {
    for (changes, line) in PLANTED {
        let folder = site(changes);
        let path = folder.path();
        let before = answers(path);
        let run = unused(path, &[]);
        let lines: Vec<&str> = run.out.lines().filter(|line| line.contains(": ")).collect();
        assert_eq!((run.code, lines), (2, vec![*line]), "{changes:?}\n{}", run.err);
        let shown = unused(path, &["--fix", "--proof", "static", "--dry-run"]);
        assert_eq!(answers(path), before, "a dry run writes nothing");
        let fixed = unused(path, &["--fix", "--proof", "static"]);
        assert_eq!(fixed.code, 0, "{}", fixed.err);
        if line.contains("dead-level") {
            continue;
        }
        assert!(fixed.out.ends_with("1 finding removed\n"), "{line}: {}", fixed.out);
        assert_eq!(shown.out.replace("would be removed", "removed"), fixed.out);
        assert_eq!(unused(path, &[]).out, "nothing found on 3 nodes\n", "{line}");
        if !line.contains("unused-key") && !line.contains("unknown-parameter") {
            assert_eq!(answers(path), before, "{line}");
        }
    }
}

#[test]
fn of_two_entries_that_repeat_each_other_one_stays() {
    let folder = site(&[("data/roles/db.yaml", "base: q\n"), ("data/nodes/c.yaml", "base: q\n")]);
    let path = folder.path();
    let before = answers(path);
    let found = unused(path, &["--proof", "fleet"]);
    assert!(
        found.out.contains("data/nodes/c.yaml:1:1: redundant")
            && found.out.contains("data/roles/db.yaml:1:1: shadowed"),
        "{}",
        found.out
    );
    let fixed = unused(path, &["--fix"]);
    assert!(fixed.out.ends_with("1 finding removed\n"), "{}", fixed.out);
    assert_eq!(answers(path), before);
    assert_eq!(unused(path, &[]).out, "nothing found on 3 nodes\n");
}

#[test]
fn comments_of_others_stay_and_secrets_are_not_shown() {
    let folder = site(&[(
        "data/nodes/a.yaml",
        "# Of the list.\nweb::list: ['--b', c]\n# Of the port.\nweb::port: 81 # why\n# Of the base.\nbase: y\n",
    )]);
    let run = unused(folder.path(), &["--fix"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let text = fs::read_to_string(folder.path().join("data/nodes/a.yaml")).expect("a file");
    assert!(
        text.contains("# Of the list.") && text.contains("# Of the base.") && !text.contains("port: 81"),
        "{text}"
    );
}

#[test]
fn computed_names_make_it_uncertain() {
    let folder = site(&[
        ("data/common.yaml", "<old>nobody: 1\nprofile::a::port: 2\n"),
        (
            "modules/web/manifests/more.pp",
            "class web::more ($what = 'x') { $p = lookup(\"profile::${what}::port\") }\n",
        ),
    ]);
    let json = |path: &Path| -> Json {
        serde_json::from_str(&unused(path, &["--render-as", "json"]).out).expect("JSON")
    };
    let found = json(folder.path());
    assert_eq!(found["findings"].as_array().map(Vec::len), Some(1), "{found}");
    assert_eq!(
        (found["findings"][0]["path"][0].as_str(), found["findings"][0]["certain"].as_bool()),
        (Some("nobody"), Some(true))
    );
    fs::write(
        folder.path().join("modules/web/manifests/most.pp"),
        "class web::most ($what = 'x') {\n  $p = lookup($what)\n}\n",
    )
    .expect("written");
    let found = json(folder.path());
    assert_eq!(found["findings"][0]["certain"], false);
    assert_eq!(
        found["open_calls"][0],
        serde_json::json!({"file": "modules/web/manifests/most.pp", "line": 2})
    );
    let fixed = unused(folder.path(), &["--fix", "--proof", "static"]);
    assert_eq!(fixed.out, "0 findings removed\n", "what is not certain stays");
}

#[test]
fn catalogs_tell_which_keys_nobody_asks_for() {
    let folder = site(&[
        ("manifests/site.pp", "include web\n"),
        ("modules/idle/manifests/init.pp", "class idle (Integer $port) {}\n"),
        ("data/common.yaml", "<old>idle::port: 1\n"),
    ]);
    let path = folder.path();
    let run = unused(path, &["--proof", "compiled", "--export-inputs", "inputs.json"]);
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    assert!(run.out.contains("unused-key: idle::port: no catalog of 3 nodes asks for it"), "{}", run.out);
    assert!(!run.out.contains("base"), "a token in what is asked for asks for it: {}", run.out);
    let inputs: Json =
        serde_json::from_str(&fs::read_to_string(path.join("inputs.json")).expect("a file")).expect("JSON");
    assert_eq!(inputs.as_array().map(Vec::len), Some(3));
    assert!(inputs[0]["inputs"].to_string().contains(r#"["hiera","web::port"]"#), "{inputs}");
    // Catalogs of here lack what a classifier adds; those that PuppetDB knows do not.
    assert!(run.out.contains("; not certain, because code asks for it, and a classifier"), "{}", run.out);
    let again = unused(path, &["--proof", "compiled", "--inputs", "inputs.json"]);
    assert!(again.out.ends_with("no catalog of 3 nodes asks for it\n1 finding\n"), "{}", again.out);
    fs::write(path.join("inputs.json"), "{}").expect("written");
    let bad = unused(path, &["--proof", "compiled", "--inputs", "inputs.json"]);
    assert!(bad.code == 1 && bad.err.contains("inputs.json: it is no list of"), "{}", bad.err);
}

#[test]
fn what_code_merges_itself_is_not_hidden() {
    let calls = [
        "lookup('web::list', Array, 'unique')",
        "lookup('web::list', {merge => 'unique'})",
        "lookup({name => 'web::list', merge => 'unique'})",
        "'web::list'.lookup(Array, 'unique')",
        "hiera_array('web::list')",
        "lookup(\"web::${x}\", Array, 'unique')",
    ];
    let hidden = ("data/roles/web.yaml", "<old>web::list: [z]\n");
    let common = ("data/roles/db.yaml", "web::list: [z]\n");
    let options =
        ("data/common.yaml", "web::port: 80\nweb::list: [a, b]\nsite: \"%{lookup('base')}\"\nbase: x\n");
    let told = |manifest: &str| {
        let folder = site(&[hidden, common, options, ("manifests/site.pp", manifest)]);
        unused(folder.path(), &[]).out
    };
    assert!(told("").contains("shadowed: web::list"), "{}", told(""));
    for call in calls {
        let out = told(&format!("$x = 'list'\n$y = {call}\n"));
        assert!(!out.contains("shadowed: web::list"), "{call}: {out}");
    }
    let out = told("$y = lookup('web::list', Array)\n$z = lookup('web::port', undef, 'deep')\n");
    assert!(out.contains("shadowed: web::list"), "other calls do not count: {out}");
    // A name that nobody knows: it is told, and left alone.
    let folder = site(&[
        hidden,
        common,
        options,
        ("manifests/site.pp", "$y = lookup($facts['x'], Array, 'unique')\n"),
    ]);
    let before = fs::read_to_string(folder.path().join("data/common.yaml")).expect("a file");
    unused(folder.path(), &["--fix"]);
    assert_eq!(fs::read_to_string(folder.path().join("data/common.yaml")).expect("a file"), before);
}

#[test]
fn nothing_is_certain_where_a_manifest_cannot_be_read() {
    let folder = site(&[("modules/web/manifests/init.pp", "class web (\n")]);
    let path = folder.path();
    let before = fs::read_to_string(path.join("data/common.yaml")).expect("a file");
    let found: Json = serde_json::from_str(&unused(path, &["--render-as", "json"]).out).expect("JSON");
    let keys = found["findings"].as_array().expect("a list").iter().filter(|one| one["kind"] == "unused-key");
    let certain: Vec<&Json> = keys.filter(|one| one["certain"] == true).collect();
    assert!(certain.is_empty(), "{certain:?}");
    unused(path, &["--fix", "--proof", "static"]);
    assert_eq!(fs::read_to_string(path.join("data/common.yaml")).expect("a file"), before);
    let run = hierarch(path, &["check"], "");
    assert!(run.code == 2 && run.out.contains("modules/web/manifests/init.pp:"), "{}", run.out);
}

#[test]
fn outside_of_a_repository_nothing_is_said_to_be_well() {
    let folder = folder_of(&[]);
    for command in ["unused", "check"] {
        let run = hierarch(folder.path(), &[command], "");
        assert!(run.code == 1 && run.err.contains("there is no control repository here"), "{}", run.err);
    }
}

#[test]
fn whatever_may_merge_levels_leaves_them_alone() {
    let ways: [&[(&str, &str)]; 14] = [
        &[
            ("environment.conf", "modulepath = modules\nmanifest = other\n"),
            ("other/x.pp", "lookup('web::list', Array, 'unique').include\n"),
        ],
        &[("manifests/site.pp", "$o = {merge => 'unique'}\nlookup('web::list', $o).include\n")],
        &[("manifests/site.pp", "$o = {name => 'web::list', merge => 'unique'}\nlookup($o).include\n")],
        &[("manifests/site.pp", "$a = ['web::list', Array, 'unique']\nlookup(*$a).include\n")],
        &[("manifests/site.pp", "call('lookup', 'web::list', Array, 'unique').include\n")],
        &[("manifests/site.pp", "$f = 'look'\ncall(\"${f}up\", $facts['k'], Array, 'unique').include\n")],
        &[("manifests/site.pp", "Deferred('lookup', [$facts['k'], Array, 'unique']).call.include\n")],
        &[("manifests/site.pp", "::lookup('web::list', Array, 'unique').include\n")],
        &[("manifests/site.pp", "$x = inline_epp(\"<%= lookup('web::list', Array, 'unique') %>\")\n")],
        &[("manifests/site.pp", "$x = inline_template('<%= scope.call_function(\"lookup\", [k]) %>')\n")],
        &[
            ("manifests/site.pp", "web::l('web::list').include\n"),
            (
                "modules/web/lib/puppet/functions/web/l.rb",
                "Puppet::Functions.create_function(:'web::l') do\n  def l(k)\n    call_function('lookup', k, {'merge' => 'unique'})\n  end\nend\n",
            ),
        ],
        &[(
            "modules/web/templates/a.erb",
            "<%= scope.call_function('lookup', ['web::list', {\n 'merge' => 'unique'}]) %>\n",
        )],
        &[("modules/web/plans/p.pp", "plan web::p() {\n  return lookup('web::list', Array, 'unique')\n}\n")],
        &[(
            "modules/web/functions/f.pp",
            "function web::f() {\n  ['web::list'].map |$k| { $k.lookup(Array, 'unique') }\n}\n",
        )],
    ];
    let hidden = [
        ("data/roles/web.yaml", "<old>web::list: [z]\n"),
        ("data/roles/db.yaml", "web::list: [z]\n"),
        ("data/common.yaml", "web::port: 80\nweb::list: [a, b]\nsite: \"%{lookup('base')}\"\nbase: x\n"),
    ];
    let folder = site(&hidden);
    let fixed = unused(folder.path(), &["--fix"]);
    assert!(fixed.out.contains("-web::list: [a, b]"), "without such code it goes: {}", fixed.out);
    for way in ways {
        let folder = site(&[&hidden, way].concat());
        let before = data(folder.path());
        let fixed = unused(folder.path(), &["--fix"]);
        assert_eq!((fixed.code, fixed.out.as_str()), (0, "0 findings removed\n"), "{way:?}: {}", fixed.err);
        assert_eq!(data(folder.path()), before, "{way:?}");
    }
}

#[test]
fn what_a_catalog_may_know_better_is_not_certain() {
    let level = |path: &str| {
        format!(
            "version: 5\nhierarchy:\n  - name: Role\n    path: \"{path}.yaml\"\n  - name: Common\n    path: common.yaml\n"
        )
    };
    for (token, name) in [
        ("roles/%{trusted.extensions.pp_role}", "trusted.extensions.pp_role"),
        ("roles/%{::myrole}", "myrole"),
        ("roles/%{module_name}", "module_name"),
        ("roles/%{facts.rol}", "facts.rol"),
        ("roles/%{environment}", "environment"),
    ] {
        let folder = site(&[
            ("hiera.yaml", &level(token)),
            ("manifests/site.pp", "$myrole = $facts['role']\ninclude web\n"),
        ]);
        fs::remove_dir_all(folder.path().join("data/nodes")).expect("a folder");
        let before = data(folder.path());
        let fixed = unused(folder.path(), &["--fix"]);
        assert_eq!((fixed.code, fixed.out.as_str()), (0, "0 findings removed\n"), "{token}: {}", fixed.err);
        assert!(fixed.err.contains("not certain"), "{token}: {}", fixed.err);
        assert_eq!(data(folder.path()), before, "{token}");
        let found = unused(folder.path(), &[]);
        assert!(found.out.contains(&format!("a path reads %{{{name}}}")), "{token}: {}", found.out);
    }
    // What a source says of all nodes is known.
    let folder = site(&[
        ("hiera.yaml", &level("roles/%{trusted.extensions.pp_role}")),
        (
            "nodes.yaml",
            "- {node: a, facts: {role: web}, trusted: {certname: a, extensions: {pp_role: web}}}\n- {node: b, facts: {role: web}, trusted: {certname: b, extensions: {}}}\n",
        ),
        ("data/roles/gone.yaml", "base: z\n"),
    ]);
    let found = unused(folder.path(), &["--nodes", "nodes.yaml"]);
    assert!(
        found.out.contains("data/roles/gone.yaml: unloaded-file: none of 2 nodes loads this file\n"),
        "{}",
        found.out
    );
}

#[test]
fn a_node_of_an_environment_that_is_not_there_is_not_asked() {
    let folder = folder_of(&[
        ("environments/production/hiera.yaml", "version: 5\nhierarchy: [{name: C, path: c.yaml}]\n"),
        ("environments/production/data/c.yaml", "k: 1\n"),
        ("nodes.yaml", "- {node: c, environment: gone, facts: {x: 1}}\n- {node: d, facts: {x: 1}}\n"),
    ]);
    let flags = ["--nodes", "nodes.yaml", "--environmentpath", "environments"];
    for command in [
        &["values", "k", "--fail-on-unanswered"][..],
        &["where", "lookup('k') == 1", "--fail-on-unanswered"],
        &["unused", "--fix"],
        &["sql", "select * from answers", "--fail-on-unanswered"],
    ] {
        let run = hierarch(folder.path(), &[command, &flags[..]].concat(), "");
        assert_eq!(run.code, 1, "{command:?}: {}{}", run.out, run.err);
        assert!((run.out + &run.err).contains("'gone'"), "{command:?}");
    }
}

/// Returns the texts of all data files.
fn data(folder: &Path) -> Vec<(std::path::PathBuf, String)> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.join("data")];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            if entry.path().is_dir() {
                waiting.push(entry.path());
            } else {
                found.push((entry.path(), fs::read_to_string(entry.path()).expect("a text")));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_node_that_cannot_be_asked_may_need_everything() {
    let broken: [(&str, &[(&str, &str)]); 3] = [
        ("facts", &[("facts/a.yaml", "x: [\n")]),
        // The levels of a node cannot be found, so nobody knows which files it would load.
        (
            "levels",
            &[(
                "hiera.yaml",
                "<old>  - name: Odd\n    mapped_paths: [facts.role, one, \"odd/%{foo('x')}.yaml\"]\n",
            )],
        ),
        ("data", &[("data/roles/db.yaml", "base: [\n")]),
    ];
    for (what, changes) in broken {
        let folder = site(&[changes, &[("data/nodes/gone.yaml", "base: z\n")]].concat());
        let path = folder.path();
        let before = data(path);
        for proof in [&[][..], &["--proof", "static"]] {
            let fixed = unused(path, &[&["--fix"], proof].concat());
            assert_eq!((fixed.code, fixed.out.as_str()), (1, ""), "{what}: {}", fixed.err);
            assert!(
                fixed.err.contains("could not be asked") && fixed.err.contains("nothing was removed"),
                "{what}: {}",
                fixed.err
            );
        }
        assert_eq!(data(path), before, "{what}");
        let found: Json = serde_json::from_str(&unused(path, &["--render-as", "json"]).out).expect("JSON");
        let rests_on_nodes = |one: &&Json| one["evidence"] == "fleet" && one["certain"] == true;
        let certain = found["findings"].as_array().expect("a list").iter().find(rests_on_nodes);
        assert_eq!(certain, None, "{what}");
        assert_ne!(found["unanswered"], serde_json::json!([]), "{what}");
    }
}

#[test]
fn what_chosen_nodes_do_not_need_is_not_removed() {
    let folder = site(&[]);
    let path = folder.path();
    let before = data(path);
    for flags in [["--only", "a"], ["--where", "$node == 'a'"], ["--fact", "role=web"]] {
        let fixed = unused(path, &[&["--fix"], &flags[..]].concat());
        assert!(fixed.code == 1 && fixed.err.contains(flags[0]), "{}", fixed.err);
    }
    assert_eq!(data(path), before);
    let found = unused(path, &["--only", "c"]);
    assert!(found.out.contains("--only chose the nodes: others may need"), "{}", found.out);
}

#[test]
fn inputs_that_lack_nodes_prove_nothing() {
    let folder = site(&[
        ("manifests/site.pp", "include web\n"),
        ("modules/idle/manifests/init.pp", "class idle (Integer $port) {}\n"),
        ("data/common.yaml", "<old>idle::port: 1\n"),
    ]);
    let path = folder.path();
    let before = data(path);
    let one = r#"{"certname": "a", "inputs": [["hiera", "web::port"]]}"#;
    let stranger = r#"{"certname": "z", "inputs": [["hiera", "web::port"]]}"#;
    for inputs in [format!("[{one}]"), format!("[{stranger}]"), "[]".to_owned()] {
        fs::write(path.join("inputs.json"), &inputs).expect("written");
        let flags = ["--proof", "compiled", "--inputs", "inputs.json"];
        let found = unused(path, &flags);
        assert!(
            found.out.contains("not certain, because not every node's catalog is known"),
            "{}",
            found.out
        );
        assert!(found.out.contains("the inputs of its catalog are not given"), "{}", found.out);
        let fixed = unused(path, &[&["--fix"], &flags[..]].concat());
        assert_eq!((fixed.code, fixed.out.as_str()), (0, "0 findings removed\n"), "{}", fixed.err);
        assert!(fixed.err.contains("nodes could not be asked"), "{}", fixed.err);
        assert_eq!(data(path), before, "{inputs}");
    }
}

#[test]
fn what_another_environment_needs_is_not_dead() {
    let config = |level: &str| {
        format!(
            "version: 5\ndefaults: {{datadir: ../../shared, data_hash: yaml_data}}\nhierarchy:\n  - {{name: C, path: {level}.yaml}}\n"
        )
    };
    let folder = folder_of(&[
        ("environments/one/hiera.yaml", &config("one")),
        ("environments/two/hiera.yaml", &config("two")),
        ("environments/one/manifests/site.pp", "$x = lookup('k')\n"),
        ("environments/two/manifests/site.pp", "$x = lookup('k')\n"),
        ("shared/one.yaml", "k: 1\n"),
        ("shared/two.yaml", "k: 2\n"),
        ("shared/nobody.yaml", "k: 3\n"),
        (
            "nodes.yaml",
            "- {node: a, environment: one, facts: {x: 1}}\n- {node: b, environment: two, facts: {x: 1}}\n",
        ),
    ]);
    let flags = ["--environmentpath", "environments", "--nodes", "nodes.yaml"];
    let found = unused(folder.path(), &flags);
    let lines: Vec<&str> = found.out.lines().filter(|line| line.contains("unloaded-file")).collect();
    assert_eq!(lines.len(), 1, "{}{}", found.out, found.err);
    assert!(lines[0].contains("shared/nobody.yaml"), "{}", found.out);
}

#[test]
fn data_of_modules_that_are_not_deployed_are_not_certain() {
    let folder =
        site(&[("data/common.yaml", "<old>apache::port: 80\n"), ("manifests/site.pp", "include apache\n")]);
    let before = data(folder.path());
    let found = unused(folder.path(), &[]);
    assert!(
        found.out.contains("apache::port")
            && found.out.contains("the module apache is not in the modulepath"),
        "{}",
        found.out
    );
    unused(folder.path(), &["--fix", "--proof", "static"]);
    assert_eq!(data(folder.path()), before);
}

#[test]
fn texts_of_inline_templates_name_keys() {
    for manifest in [
        "file { '/x': content => inline_epp(@(END)) }\n  key <%= lookup(\"key_one\") %>\n  | END\n",
        "$x = inline_template('<%= scope.call_function(%q(lookup), [%q(key_one)]) %>')\n",
    ] {
        let folder = site(&[("data/common.yaml", "<old>key_one: 1\n"), ("manifests/site.pp", manifest)]);
        let before = data(folder.path());
        unused(folder.path(), &["--fix", "--proof", "static"]);
        assert_eq!(data(folder.path()), before, "{manifest}");
    }
}
