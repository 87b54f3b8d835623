//! `hierarch catalog compile` as a user meets it: resource types of modules, and what nobody describes.

use std::path::Path;
use std::process::Command;

/// A control repository with a module that has a type written in Ruby.
fn repository(site: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in [
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", site),
        (
            "modules/a/lib/puppet/type/pair.rb",
            "Puppet::Type.newtype(:pair) do\n  newparam(:left, :namevar => true)\n  newparam(:right) do\n    isnamevar\n  \
             end\n  newproperty(:weight)\n  def self.title_patterns\n    [[/^(\\w+)-(\\w+)$/, [[:left], [:right]]]]\n  \
             end\nend\n",
        ),
    ] {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).expect("a folder");
        std::fs::write(path, text).expect("written");
    }
    folder
}

/// Compiles the catalog of a node; returns the exit code, the catalog and what was said.
fn compile(site: &str, flags: &[&str]) -> (i32, String, String) {
    let folder = repository(site);
    let output = Command::new(env!("CARGO_BIN_EXE_hierarch"))
        .args(["catalog", "compile", "node.example.com", "--render-as", "json"])
        .args(flags)
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program prints UTF-8");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

#[test]
fn a_type_of_a_module_is_read_from_its_ruby_file() {
    let (code, catalog, err) = compile("pair { 'x-y': weight => 3 }", &["--strict-types"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(catalog.contains(r#""left":"x""#) && catalog.contains(r#""right":"y""#), "{catalog}");
}

#[test]
fn attributes_that_a_type_does_not_have_are_refused() {
    let (code, _, err) = compile("pair { 'x-y': hight => 3 }", &[]);
    assert_eq!(code, 1);
    assert!(err.contains("no parameter named 'hight'"), "{err}");
    let (code, _, err) = compile("pair { 'x': }", &[]);
    assert_eq!(code, 1);
    assert!(err.contains("No set of title patterns matched the title \"x\"."), "{err}");
}

#[test]
fn a_type_that_nobody_describes_is_warned_of_or_refused() {
    let (code, catalog, err) = compile("nobody { 'x': any => 1 }", &[]);
    assert!(code == 0 && catalog.contains(r#""any":1"#), "{err}");
    assert!(err.contains("Unknown resource type: 'nobody'"), "{err}");
    let (code, _, err) = compile("nobody { 'x': any => 1 }", &["--strict-types"]);
    assert_eq!(code, 1);
    assert!(err.contains("Unknown resource type: 'nobody'"), "{err}");
}

#[test]
fn a_function_in_ruby_runs() {
    let folder = repository("notify { a::shout('x'): }");
    let file = folder.path().join("modules/a/lib/puppet/functions/a/shout.rb");
    std::fs::create_dir_all(file.parent().unwrap_or(Path::new(""))).expect("a folder");
    let compile = |body: &str| {
        let text = format!(
            "Puppet::Functions.create_function(:'a::shout') do\n  def shout(text)\n    {body}\n  end\nend\n"
        );
        std::fs::write(&file, text).expect("written");
        let output = Command::new(env!("CARGO_BIN_EXE_hierarch"))
            .args(["catalog", "compile", "node.example.com", "--render-as", "json"])
            .current_dir(folder.path())
            .output()
            .expect("the program runs");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    };
    let (code, catalog, err) = compile("text.upcase + '!'");
    assert!(code == 0 && catalog.contains(r#""title":"X!""#), "{err}{catalog}");
    let (code, _, err) = compile("text.nope");
    assert_eq!(code, 1);
    assert!(err.contains("Function Call, undefined method `nope' for an instance of String"), "{err}");
    assert!(err.contains("manifests/site.pp, line: 1"), "{err}");
    let (code, _, err) = compile("`id`");
    assert_eq!(code, 1);
    assert!(err.contains("not allowed in Hierarch") || err.contains("not known to Hierarch"), "{err}");
}

#[test]
fn what_nothing_describes_is_not_defined() {
    // Puppet 8.10 answers false to all of these; only who declares a resource says that there is such a type.
    let site = "notify { \"${defined('epel')} ${defined('Nosuch')} ${defined('1')} ${defined('a b')} \
                ${defined('pair')} ${defined('notify')}\": }\n";
    let (code, catalog, said) = compile(site, &[]);
    assert_eq!((code, said.as_str()), (0, ""));
    assert!(catalog.contains("false false false false true true"), "{catalog}");
}
