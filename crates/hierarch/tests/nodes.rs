//! Where the facts of a node come from, which repository is asked, and what a dump says of what it cannot read.

mod common;

use common::{Run, folder_of, hierarch};

const CONFIG: &str = "version: 5\nhierarchy:\n- {name: Node, path: 'nodes/%{trusted.certname}.yaml'}\n\
                      - {name: Common, path: common.yaml}\n";

fn check(run: &Run, code: i32, out: &str, err: &str) {
    assert_eq!((run.code, run.out.as_str()), (code, out), "{}", run.err);
    assert!(run.err.contains(err), "{}", run.err);
}

#[test]
fn keys_and_nodes_that_fit_nothing_are_said() {
    let folder = folder_of(&[
        ("hiera.yaml", CONFIG),
        ("data/common.yaml", "profile::port: 1\n"),
        ("facts/web01.example.com.yaml", "clientcert: web01.example.com\n"),
        ("facts/db01.example.com.yaml", "clientcert: db01.example.com\n"),
    ]);
    let ask = |words: &[&str]| hierarch(folder.path(), words, "");
    let short = ask(&["lookup", "profile::port", "--node", "web01"]);
    check(&short, 1, "", "Did you mean web01.example.com?");
    let nothing = "---\ndb01.example.com: {}\nweb01.example.com: {}\n";
    let near = "no node has a key profile::prot; did you mean profile::port?";
    check(&ask(&["dump", "profile::prot", "--nodes", "facts"]), 2, nothing, near);
    check(&ask(&["dump", "nothing::*", "--nodes", "facts"]), 2, nothing, "no node has a key nothing::*");
    let some = ask(&["dump", "profile::*", "nothing::*", "--only", "web*"]);
    check(&some, 0, "---\nweb01.example.com:\n  profile::port: 1\n", "no node has a key nothing::*");
    let condition = "$trusted['certname'] =~ /^db/";
    let one = ask(&["dump", "profile::port", "--where", condition]);
    check(&one, 0, "---\ndb01.example.com:\n  profile::port: 1\n", "");
}

#[test]
fn a_node_that_is_named_has_facts_or_there_is_no_answer() {
    let folder = folder_of(&[
        ("hiera.yaml", CONFIG),
        ("data/common.yaml", "k: common %{facts.kernel}\n"),
        ("data/nodes/b.yaml", "k: node\n"),
        ("facts/a.yaml", "kernel: Linux\n"),
        (
            "facts/b.yaml",
            "--- !ruby/object:Puppet::Node::Facts\nname: b\nvalues: {kernel: Linux, clientcert: b, hostname: b, \
             domain: d, fqdn: b.d}\ntimestamp: 2020-01-02 03:04:05.6 +00:00\n",
        ),
        ("elsewhere/c.json", r#"{"name": "c", "values": {"kernel": "Darwin"}}"#),
    ]);
    let ask = |node: &str| hierarch(folder.path(), &["lookup", "k", "--node", node], "");
    check(&ask("a"), 0, "--- common Linux\n", "trusted.certname} in hiera.yaml is empty");
    check(&ask("b"), 0, "--- node\n", "");
    check(&ask("c"), 1, "", "Could not run: No facts available for target node: c");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_hierarch"));
    command
        .args(["lookup", "k", "--node", "c"])
        .current_dir(folder.path())
        .env("HIERARCH_NODES", "elsewhere");
    let output = command.output().expect("the program starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "--- common Darwin\n");
    // The name of a node is trusted where Puppet has no command to differ from.
    let dump = hierarch(folder.path(), &["dump", "k", "--node", "a", "--render-as", "json"], "");
    check(&dump, 0, "{\"a\":{\"k\":\"common Linux\"}}\n", "");
}

#[test]
fn programs_trust_the_name_of_a_node_where_its_facts_do_not_tell() {
    let folder = folder_of(&[
        ("hiera.yaml", CONFIG),
        ("data/common.yaml", "k: common\n"),
        ("data/nodes/a.x.yaml", "k: node\n"),
        ("facts/a.x.yaml", "kernel: Linux\n"),
        ("facts/b.json", r#"{"name": "b", "values": {"kernel": "Linux", "clientcert": "a.x"}}"#),
        ("t.epp", "<%= lookup('k') %>"),
    ]);
    let eval = |node: &str, code: &str| hierarch(folder.path(), &["eval", "--node", node, "-e", code], "");
    check(&eval("a.x", "lookup('k')"), 0, "'node'\n", "");
    check(
        &eval("a.x", "[$trusted['certname'], $trusted['hostname'], $trusted['domain']]"),
        0,
        "['a.x', 'a', 'x']\n",
        "",
    );
    check(&eval("b", "lookup('k')"), 0, "'node'\n", "");
    check(&eval("c", "lookup('k')"), 1, "", "No facts available for target node: c");
    check(&hierarch(folder.path(), &["epp", "render", "--node", "a.x", "t.epp"], ""), 0, "node", "");
    check(&hierarch(folder.path(), &["repl", "--node", "a.x"], "lookup('k')\n"), 0, "=> 'node'\n", "");
    check(
        &hierarch(folder.path(), &["doctor", "--node", "c"], ""),
        1,
        "",
        "No facts available for target node: c",
    );
}

#[test]
fn where_there_is_no_repository_that_is_said() {
    let folder = folder_of(&[("data/common.yaml", "k: 1\n"), ("facts/n.yaml", "kernel: Linux\n")]);
    for arguments in [
        &["lookup", "k", "--node", "n"][..],
        &["set", "k", "5", "--node", "n"],
        &["eval", "--node", "n", "-e", "1"],
    ] {
        let run = hierarch(folder.path(), arguments, "");
        assert_eq!(run.code, 1, "{arguments:?}: {}", run.err);
        assert!(run.err.contains("there is no control repository here"), "{arguments:?}: {}", run.err);
        assert!(!run.err.contains("a folder 'facts' in the control repository"), "{}", run.err);
    }
}

#[test]
fn a_catalog_needs_not_all_names_of_a_node() {
    let folder = folder_of(&[("hiera.yaml", CONFIG), ("facts.yaml", "clientcert: a\n")]);
    let arguments =
        ["catalog", "compile", "a", "--facts", "facts.yaml", "-e", "notify { $trusted['certname']: }"];
    let run = hierarch(folder.path(), &arguments, "");
    assert!(run.code == 0 && run.out.contains("\"a\""), "{}", run.err);
    let run = hierarch(folder.path(), &["lookup", "k", "--node", "a", "--facts", "facts.yaml"], "");
    check(&run, 1, "", "they must all be overridden");
}

#[test]
fn an_environment_that_is_not_there_is_an_error() {
    let folder = folder_of(&[("envs/production/hiera.yaml", CONFIG), ("f.yaml", "kernel: Linux\n")]);
    let arguments =
        ["lookup", "k", "--facts", "f.yaml", "--environmentpath", "envs", "--environment", "nope"];
    let run = hierarch(folder.path(), &arguments, "");
    check(&run, 1, "", "Could not find a directory environment named 'nope' anywhere in the path: ");
}

#[test]
fn environments_side_by_side_keep_their_names() {
    let folder = folder_of(&[
        ("environments/production/hiera.yaml", CONFIG),
        ("environments/production/data/common.yaml", "k: production %{environment}\n"),
        ("environments/dev/hiera.yaml", CONFIG),
        ("environments/dev/data/common.yaml", "k: dev %{environment}\n"),
        ("f.yaml", "kernel: Linux\n"),
    ]);
    let dev = folder.path().join("environments/dev");
    let ask =
        |more: &[&str]| hierarch(&dev, &[&["lookup", "k", "--facts", "../../f.yaml"], more].concat(), "");
    check(&ask(&[]), 0, "--- dev dev\n", "");
    check(&ask(&["--environment", "dev"]), 0, "--- dev dev\n", "");
    check(&ask(&["--environment", "production"]), 0, "--- production production\n", "");
    check(&ask(&["--environment", "nope"]), 1, "", "Could not find a directory environment named 'nope'");
}

#[test]
fn names_that_are_nearly_right_are_proposed() {
    let folder = folder_of(&[
        ("hiera.yaml", CONFIG),
        ("data/common.yaml", "k: on %{facts.osfamly}\nl: '%{facts.nothing}'\n"),
        ("facts/a.yaml", "osfamily: Debian\nclientcert: a\n"),
    ]);
    let ask = |key: &str| hierarch(folder.path(), &["lookup", key, "--node", "a"], "");
    let words = "%{facts.osfamly} is empty: there is no 'osfamly'; did you mean osfamily?";
    check(&ask("k"), 0, "--- 'on '\n", words);
    let nothing = ask("l");
    assert_eq!((nothing.code, nothing.err.as_str()), (0, ""), "{}", nothing.out);
    for program in [
        "upcase($facts['osfamly'])",
        "$facts['osfamly'].upcase",
        "$facts.get('osfamly').upcase",
        "$facts['osfamly'] + 1",
        "upcase($osfamily) + upcase($facts['osfamly'])",
    ] {
        let run = hierarch(folder.path(), &["eval", "--node", "a", "-e", program], "");
        assert!(run.code == 1 && run.err.contains("did you mean osfamily?"), "{program}: {}", run.err);
    }
    let other = hierarch(folder.path(), &["eval", "--node", "a", "-e", "upcse($facts['osfamly'])"], "");
    assert!(other.err.contains("did you mean upcase?") && !other.err.contains("osfamily"), "{}", other.err);
    let nobody = hierarch(folder.path(), &["lookup", "k"], "");
    check(&nobody, 0, "--- 'on '\n", "no facts are known here; name a node with --node");
}

#[test]
fn a_broken_file_is_told_with_its_place() {
    let folder = folder_of(&[
        ("hiera.yaml", CONFIG),
        ("data/common.yaml", "k: 1\n"),
        ("facts/a.yaml", "x: 1\ny: [1\nz: 2\n"),
        ("facts/b.json", "{\"x\": 1,\n \"y\": oops}\n"),
        ("manifests/site.pp", "class x {"),
    ]);
    let ask = |arguments: &[&str]| hierarch(folder.path(), arguments, "");
    let dump = ask(&["dump", "--nodes", "facts"]);
    for place in ["(file: facts/a.yaml, line: 2, column: 4)", "(file: facts/b.json, line: 2, column: 7)"] {
        assert!(dump.code == 1 && dump.err.contains(place), "{place}: {}", dump.err);
    }
    let facts = ["lookup", "k", "--facts"];
    let yaml = "Could not run: (facts/a.yaml): did not find expected ',' or ']' while parsing a flow sequence at line 2 column 4";
    check(&ask(&[&facts[..], &["facts/a.yaml"]].concat()), 1, "", yaml);
    let json = "Could not run: unexpected token at '{\"x\": 1,";
    check(&ask(&[&facts[..], &["facts/b.json"]].concat()), 1, "", json);
    let manifest = ask(&["eval", "manifests/site.pp"]);
    let words = "Syntax error at end of input (file: manifests/site.pp)";
    assert!(manifest.code == 1 && manifest.err.contains(words), "{}", manifest.err);
}

#[test]
fn what_is_wrong_for_many_keys_is_said_once_and_shown() {
    let folder = folder_of(&[
        ("hiera.yaml", CONFIG),
        ("data/common.yaml", "k: 1\ny: [1\n"),
        ("facts/a.yaml", "x: 1\n"),
        ("facts/b.yaml", "x: 1\n"),
        ("modules/m/manifests/init.pp", "class m { }"),
        ("modules/m/metadata.json", "{\n  \"name\": nope\n}\n"),
    ]);
    let ask = |arguments: &[&str]| hierarch(folder.path(), arguments, "");
    let dump = ask(&["dump", "k", "l", "--nodes", "facts"]);
    let words = "a: k, a: l, b: k +1: Unable to parse";
    assert!(dump.code == 1 && dump.err.contains(words), "{}", dump.err);
    assert_eq!(dump.err.matches("Unable to parse").count(), 1, "{}", dump.err);
    let metadata = ask(&["eval", "-e", "include m"]);
    let place = "modules/m/metadata.json, line: 2, column: 11";
    assert!(metadata.code == 1 && metadata.err.contains(place), "{}", metadata.err);
}

#[test]
fn a_dump_of_nobody_says_whom_it_is_about() {
    let folder = folder_of(&[("hiera.yaml", CONFIG), ("data/common.yaml", "k: 1\n")]);
    let dump = hierarch(folder.path(), &["dump"], "");
    assert!(dump.code == 0 && dump.err.contains("no node is named: answered for"), "{}", dump.err);
    let named = hierarch(folder.path(), &["dump", "--nodes", "facts"], "");
    assert!(!named.err.contains("no node is named"), "{}", named.err);
}

#[test]
fn inside_a_module_the_repository_around_it_is_asked() {
    let folder = folder_of(&[
        ("hiera.yaml", CONFIG),
        ("environment.conf", "modulepath = \"site:modules\"\n"),
        ("data/common.yaml", "k: repository\n"),
        ("facts/a.yaml", "kernel: Linux\n"),
        ("modules/m/hiera.yaml", CONFIG),
        ("modules/m/data/common.yaml", "k: module\n"),
    ]);
    let run = hierarch(&folder.path().join("modules/m"), &["lookup", "k", "--node", "a"], "");
    check(&run, 0, "--- repository\n", "is that of a module; the control repository around it is asked");
}

#[test]
fn a_lookup_that_fails_while_compiling_is_blamed_itself() {
    let folder = folder_of(&[
        ("hiera.yaml", CONFIG),
        ("data/common.yaml", "asked: 1\n"),
        ("facts/a.yaml", "kernel: Linux\n"),
        ("manifests/site.pp", "$x = lookup('missing')\n"),
    ]);
    let run = hierarch(folder.path(), &["lookup", "asked", "--node", "a", "--compile"], "");
    check(&run, 1, "", "Could not run: Function lookup() did not find a value for the name 'missing'");
    assert!(!run.err.contains("asked"), "{}", run.err);
}

#[test]
fn a_dump_names_all_that_it_cannot_read_and_answers_the_rest() {
    let broken =
        folder_of(&[("hiera.yaml", CONFIG), ("data/common.yaml", "k: [\n"), ("facts/a.yaml", "x: 1\n")]);
    let run = hierarch(broken.path(), &["dump", "--node", "a"], "");
    assert!(run.code == 1 && run.err.contains("common.yaml"), "{}{}", run.out, run.err);

    let config = "version: 5\nhierarchy:\n- {name: N, data_hash: nope_data, path: common.yaml}\n";
    let unknown =
        folder_of(&[("hiera.yaml", config), ("data/common.yaml", "k: 1\n"), ("facts/a.yaml", "x: 1\n")]);
    let run = hierarch(unknown.path(), &["dump", "--node", "a"], "");
    assert!(run.code == 1 && run.err.contains("nope_data"), "{}{}", run.out, run.err);

    let empty = folder_of(&[("environment.conf", ""), ("facts/a.yaml", "x: 1\n")]);
    let run = hierarch(empty.path(), &["dump", "--node", "a"], "");
    assert!(run.code == 1 && run.err.contains("there is no hiera.yaml with levels here"), "{}", run.err);

    let config =
        "version: 5\nhierarchy:\n- {name: F, lookup_key: 'environment::f'}\n- {name: C, path: common.yaml}\n";
    let function = "function environment::f($key, $options, $context) { $context.not_found }";
    let folder = folder_of(&[
        ("hiera.yaml", config),
        ("data/common.yaml", "k: '%{facts.x}'\n"),
        ("functions/environment/f.pp", function),
        ("nodes/a.yaml", "x: 1\n"),
        ("nodes/b.yaml", "x: [\n"),
        ("nodes/c.json", "{\"x\": 3}"),
    ]);
    let run = hierarch(folder.path(), &["dump", "--nodes", "nodes", "--render-as", "json"], "");
    check(&run, 1, "{\"a\":{\"k\":\"1\"},\"c\":{\"k\":\"3\"}}\n", "(file: nodes/b.yaml, line: ");
    assert!(run.err.contains("level 'F'") && run.err.contains("environment::f"), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_errors() {
    let folder = folder_of(&[("hiera.yaml", CONFIG), ("data/x", ""), ("facts/a.yaml", "x: 1\n")]);
    let make = |name: &str| {
        let path = folder.path().join(name);
        let _ = std::fs::remove_file(&path);
        assert!(std::process::Command::new("mkfifo").arg(path).status().is_ok_and(|status| status.success()));
    };
    make("data/common.yaml");
    let run = hierarch(folder.path(), &["lookup", "k", "--node", "a"], "");
    check(&run, 1, "", "it is no regular file");
    make("f.yaml");
    let run = hierarch(folder.path(), &["lookup", "k", "--facts", "f.yaml"], "");
    check(&run, 1, "", "it is no regular file");
    let run = hierarch(folder.path(), &["lookup", "k", "--facts", "/dev/zero"], "");
    check(&run, 1, "", "it is no regular file");
    make("hiera.yaml");
    let run = hierarch(folder.path(), &["lookup", "k", "--node", "a"], "");
    check(&run, 1, "", "it is no regular file");
}

#[test]
fn what_grows_without_end_ends_at_a_limit_that_is_named_with_its_flag() {
    let doubling: String =
        (1..40).map(|n| format!("k{n}: \"%{{lookup('k{0}')}}%{{lookup('k{0}')}}\"\n", n - 1)).collect();
    let lists: String =
        (1..40).map(|n| format!("l{n}: [\"%{{alias('l{0}')}}\", \"%{{alias('l{0}')}}\"]\n", n - 1)).collect();
    let texts: String =
        (1..9).map(|n| format!("t{n}: \"{}\"\n", format!("%{{lookup('t{}')}}", n - 1).repeat(20))).collect();
    let config = format!("version: 5\nhierarchy:\n- {{name: G, glob: '{}.yaml'}}\n", "{a,b}".repeat(40));
    let data = format!("k0: x\nl0: [x]\nt0: {}\n{doubling}{lists}{texts}", "x".repeat(1000));
    let folder = folder_of(&[
        ("hiera.yaml", "version: 5\n"),
        ("data/common.yaml", data.as_str()),
        ("facts/a.yaml", "x: 1\n"),
        ("glob/hiera.yaml", config.as_str()),
        ("glob/facts/a.yaml", "x: 1\n"),
    ]);
    let less = ["--max-lookup-steps", "20000", "--max-lookup-size", "200000"];
    let ask = |folder: &std::path::Path, key: &str| {
        hierarch(folder, &[&["lookup", key, "--node", "a"][..], &less].concat(), "")
    };
    check(&ask(folder.path(), "k39"), 1, "", "--max-lookup-steps raises the limit");
    check(&ask(folder.path(), "l39"), 1, "", "--max-lookup-steps raises the limit");
    check(&ask(folder.path(), "t8"), 1, "", "--max-lookup-size raises the limit");
    check(&ask(&folder.path().join("glob"), "k"), 1, "", "--max-lookup-steps raises the limit");
}
