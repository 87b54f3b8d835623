//! What users stumble over: flags of Puppet that scripts pass, hints, the REPL's commands, `doc` and `doctor`.

mod common;

use common::{folder_of, hierarch};

/// A small control repository.
fn folder() -> tempfile::TempDir {
    folder_of(&[
        ("hiera.yaml", "version: 5\nhierarchy: [{name: Common, path: common.yaml}]\n"),
        ("data/common.yaml", "port: 80\ndotted.key: 1\n"),
        ("facts/one.yaml", "role: web\n"),
        ("manifests/site.pp", "include m\nnotice(m::f())\n"),
        (
            "modules/m/manifests/init.pp",
            "# Does it.\nclass m(Integer $port = 80) { notify { 'a': message => $port } }\n",
        ),
        ("modules/m/functions/f.pp", "function m::f() { 7 }\n"),
    ])
}

#[test]
fn settings_of_puppet_are_taken_or_passed_over_with_a_note() {
    let folder = folder();
    for flags in ["--vardir /v", "--trace", "--logdest /l", "--no-noop", "--ssldir=/s"] {
        let words: Vec<&str> = ["lookup", "port"].into_iter().chain(flags.split(' ')).collect();
        let run = hierarch(folder.path(), &words, "");
        assert_eq!((run.code, run.out.as_str()), (0, "--- 80\n"), "{flags}: {}", run.err);
        assert!(run.err.contains("is a setting of Puppet that has no effect here"), "{flags}: {}", run.err);
    }
    for flags in [
        "--color false",
        "--log_level debug",
        "--logdest console",
        "--debug",
        "--certname one",
        "--confdir /c",
        "--config /c/p.conf",
        "--manifest manifests",
        "--strict_variables",
    ] {
        let words: Vec<&str> = ["lookup", "port"].into_iter().chain(flags.split(' ')).collect();
        let run = hierarch(folder.path(), &words, "");
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "--- 80\n", ""), "{flags}");
    }
    assert!(hierarch(folder.path(), &["lookup", "--version"], "").out.contains(env!("CARGO_PKG_VERSION")));
    assert_eq!(hierarch(folder.path(), &["lookup", "port", "--log_level", "loud"], "").code, 1);
    let debug = hierarch(folder.path(), &["eval", "--debug", "-e", "debug('x') 1"], "");
    assert_eq!((debug.out.as_str(), debug.err.as_str()), ("1\n", "Debug: Scope(Class[main]): x\n"));
}

#[test]
fn programs_and_wrong_names_get_a_hint() {
    let folder = folder();
    for (words, code, out, hint) in [
        (&["eval", "-e", "-1 + 2"][..], 0, "1\n", ""),
        (&["eval", "1+1"][..], 1, "", "write `hierarch eval -e '1+1'`"),
        (&["eval", "-e", "upcas('a')"][..], 1, "", "did you mean upcase?"),
        (&["eval", "-e", "str2bool('a')"][..], 1, "", "function of the module stdlib"),
        (
            &["eval", "-e", "class a {"][..],
            1,
            "",
            "the text ends on line 1; '{' of line 1, column 9 is not closed",
        ),
        (&["lookup", "dotted.key"][..], 1, "", "put it in quotes"),
        (&["lookup", "lookup_options"][..], 1, "", "lookup_options is reserved"),
        (&["lookup", "a", "--merge", "x"][..], 1, "", "Run 'hierarch lookup --help' for more details"),
        (&["parser", "dump", "--format", "old", "-e", "f(1) + 2"][..], 0, "(+ (call f 1) 2)\n", ""),
    ] {
        let run = hierarch(folder.path(), words, "");
        assert_eq!((run.code, run.out.as_str()), (code, out), "{words:?}: {}", run.err);
        assert!(run.err.contains(hint), "{words:?}: {}", run.err);
    }
}

#[test]
fn a_parameter_with_the_name_of_a_metaparameter_is_told() {
    let folder = folder_of(&[("a.pp", "define d($tag = 'x') { }\n"), ("b.pp", "define d($tag) { }\n")]);
    let odd = hierarch(folder.path(), &["parser", "validate", "a.pp"], "");
    let warning = "Warning: tag is a metaparam; this value will inherit to all contained resources in the d definition\n";
    assert_eq!((odd.code, odd.err.as_str()), (0, warning));
    let refused = hierarch(folder.path(), &["parser", "validate", "b.pp"], "");
    let error = "Error: tag is a metaparameter; please choose another parameter name in the d definition\n";
    assert_eq!((refused.code, refused.err.as_str()), (1, error));
}

#[test]
fn the_repl_knows_its_commands() {
    let input = "$x = 1\n:node one\n$facts['role']\ninclude m\n:classes\n:resources\n:reset\n:load manifests/site.pp\n:facts\n:nope\n:help\nquit\n1\n";
    let run = hierarch(folder().path(), &["repl"], input);
    for part in [
        "=> 1",
        "The node is one",
        "=> 'web'",
        "\nm\n",
        "Notify[a]",
        "role: web",
        "There is no command :nope",
        ":reset",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    assert!(run.err.starts_with("Hierarch ") && run.err.contains(":help shows the commands"), "{}", run.err);
    assert!(!run.out.ends_with("=> 1\n"), "nothing is read behind quit: {}", run.out);
}

#[test]
fn everything_that_has_a_name_is_explained() {
    let folder = folder();
    for (name, part) in [
        ("m", "Does it.\n\nParameters:\n  Integer $port = 80"),
        ("m::f", "a function of the Puppet language"),
        ("file", "file, a resource type"),
        ("notify", "message name withpath"),
        ("strict", "--strict"),
        ("+include", "a merge directive"),
        ("deep", "a merge strategy"),
        ("b64encode", "a filter of templates"),
        ("Integer", "Integer"),
    ] {
        let run = hierarch(folder.path(), &["doc", name], "");
        assert!(run.code == 0 && run.out.contains(part), "{name}: {}{}", run.out, run.err);
    }
}

#[test]
fn the_doctor_groups_and_needs_a_repository() {
    let folder = folder_of(&[
        ("hiera.yaml", "version: 5\n"),
        ("manifests/site.pp", "nowhere(1)\nnowhere(2)\n"),
        ("facts/one.yaml", "{}\n"),
    ]);
    let run = hierarch(folder.path(), &["doctor"], "");
    assert_eq!(run.code, 2, "{}", run.out);
    assert_eq!(run.out.matches("nowhere is neither").count(), 1, "{}", run.out);
    assert!(run.out.contains("manifests/site.pp:1:1\n  manifests/site.pp:2:1"), "{}", run.out);
    let node = hierarch(folder.path(), &["doctor", "--node", "one"], "");
    assert!(
        node.code == 2 && node.out.contains("catalogs that cannot be compiled: 1"),
        "{}{}",
        node.out,
        node.err
    );
    let empty = folder_of(&[("a.txt", "")]);
    let run = hierarch(empty.path(), &["doctor"], "");
    assert!(run.code == 1 && run.err.contains("there is no control repository here"), "{}", run.err);
}
