//! Lookups that need the language, and programs that look up, as a user meets them in a control repository.

use std::path::Path;
use std::process::Command;

/// A control repository with backends of all kinds that are not built into Hiera.
fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in [
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n\
             - {name: Directives, data_hash: directives_data, path: merged.yaml}\n\
             - {name: Module, lookup_key: 'm::key'}\n\
             - {name: Own, data_hash: 'environment::own', path: own.yaml}\n",
        ),
        ("data/merged.yaml", "base: &b {port: 80, host: '%{facts.kernel}'}\nweb: {+*b: , name: www}\n"),
        ("data/own.yaml", "wrapped: on %{kernel}\n"),
        (
            "functions/environment/own.pp",
            "function environment::own(Hash $options, Puppet::LookupContext $context) {\n\
             yaml_data($options, $context) + {'more' => $options['path'].split('/')[-1]}\n}\n",
        ),
        (
            "modules/m/functions/key.pp",
            "function m::key(String $key, Hash $options, Puppet::LookupContext $context) {\n\
             case $key {\n  'asked': { $context.interpolate(\"%{kernel} and %{lookup('web.port')}\") }\n\
             'typed': { '22' }\n  default: { $context.not_found }\n}\n}\n",
        ),
        ("modules/m/types/port.pp", "type M::Port = Integer[1, 65535]\n"),
        ("facts.yaml", "kernel: Linux\n"),
    ] {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("a folder below");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

fn hierarch(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_hierarch"))
        .args(arguments)
        .args(["--facts", "facts.yaml"])
        .current_dir(folder)
        .output()
        .expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program prints UTF-8");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

#[test]
fn backends_written_in_the_language_need_no_flags() {
    let folder = repository();
    for (key, value) in [
        ("asked", "--- Linux and 80\n"),
        ("wrapped", "--- on Linux\n"),
        ("more", "--- own.yaml\n"),
        ("web", "---\nname: www\nport: 80\nhost: Linux\n"),
    ] {
        let (code, out, err) = hierarch(folder.path(), &["lookup", key]);
        assert_eq!((code, out.as_str(), err.as_str()), (0, value, ""), "{key}");
    }
}

#[test]
fn origins_name_the_lines_of_merged_files_and_the_functions_that_made_values_up() {
    let folder = repository();
    for (key, expected) in [
        ("web.port", "data/merged.yaml:1:17"),
        ("web.name", "    data/merged.yaml:2:20"),
        ("asked", "function m::key"),
        ("more", "data/own.yaml (function environment::own)"),
    ] {
        let (code, out, err) = hierarch(folder.path(), &["lookup", key, "--origin"]);
        assert_eq!((code, err.as_str()), (0, ""), "{key}");
        assert!(out.contains(expected), "{key}: {out}");
    }
}

#[test]
fn a_dump_calls_the_functions_of_each_node() {
    let folder = repository();
    let nodes =
        r#"[{"node": "a", "facts": {"kernel": "Linux"}}, {"node": "b", "facts": {"kernel": "Darwin"}}]"#;
    std::fs::write(folder.path().join("nodes.json"), nodes).expect("a file");
    std::fs::write(folder.path().join("keys"), "asked\nwrapped\nmore\nweb\nnope\n").expect("a file");
    let dump = ["dump", "--nodes", "nodes.json", "--keys", "keys", "--render-as", "jsonl"];
    let output = Command::new(env!("CARGO_BIN_EXE_hierarch")).args(dump).current_dir(folder.path()).output();
    let output = output.expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let value = |node: &str, key: &str| {
        let line = lines.iter().find(|line| line["node"] == node && line["key"] == key);
        line.map(|line| line["value"].clone()).unwrap_or_default()
    };
    for (node, kernel) in [("a", "Linux"), ("b", "Darwin")] {
        assert_eq!(value(node, "asked"), format!("{kernel} and 80"), "{text}");
        assert_eq!(value(node, "wrapped"), format!("on {kernel}"), "{text}");
        assert_eq!(value(node, "web")["host"], kernel, "{text}");
        assert_eq!(value(node, "more"), "own.yaml", "{text}");
    }
}

#[test]
fn what_is_not_found_is_told_with_levels_and_near_names_on_standard_error_only() {
    let folder = repository();
    let (code, out, err) = hierarch(folder.path(), &["lookup", "wrappd"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("nothing found for wrappd"), "{err}");
    assert!(err.contains("levels Directives, Module, Own"), "{err}");
    let (code, out, err) = hierarch(folder.path(), &["lookup", "bas"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("did you mean base?"), "{err}");
}

#[test]
fn facts_that_are_not_there_are_asked_for_by_name() {
    let folder = repository();
    std::fs::create_dir(folder.path().join("facts")).expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hierarch"));
    command.args(["lookup", "web", "--node", "n1", "--facts", "facts"]).current_dir(folder.path());
    let output = command.output().expect("the program runs");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(err.contains("there are no facts of n1 in facts: neither n1.yaml nor n1.json"), "{err}");
}

#[test]
fn types_of_modules_check_what_is_found() {
    let folder = repository();
    let (code, out, _) = hierarch(folder.path(), &["lookup", "web.port", "--type", "M::Port"]);
    assert_eq!((code, out.as_str()), (0, "--- 80\n"));
    let (code, _, err) = hierarch(folder.path(), &["lookup", "typed", "--type", "M::Port"]);
    assert_eq!(code, 1);
    assert!(err.contains("Found value has wrong type, expects a M::Port"), "{err}");
}

#[test]
fn programs_look_up_in_the_repository_around_them() {
    let folder = repository();
    let inside = folder.path().join("modules");
    let code = "lookup('asked')";
    let eval = |place: &Path, flags: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_hierarch"))
            .args(["eval", "-e", code, "--facts"])
            .arg(folder.path().join("facts.yaml"))
            .args(flags)
            .current_dir(place)
            .output()
            .expect("the program runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(eval(&inside, &[]), "'Linux and 80'\n");
    let elsewhere = tempfile::tempdir().expect("a temporary folder");
    assert_eq!(eval(elsewhere.path(), &[]), "");
    let (above, name) = (folder.path().parent().expect("above"), folder.path().file_name().expect("a name"));
    let flags =
        ["--environmentpath", &above.display().to_string(), "--environment", &name.display().to_string()];
    assert_eq!(eval(elsewhere.path(), &flags), "'Linux and 80'\n");
}

/// A backend that reads a file of its own.
const VAULT: &str = "Puppet::Functions.create_function(:'m::vault') do
  dispatch :find do
    param 'String', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
  def find(key, options, context)
    values = context.cached_file_data(options['path']) { |text| JSON.parse(text) }
    return context.not_found unless values.key?(key)
    context.explain { 'opened the vault' }
    context.interpolate(values[key])
  end
end
";

#[test]
fn a_backend_in_ruby_runs() {
    let folder = repository();
    let config = "version: 5\nhierarchy: [{name: Vault, lookup_key: 'm::vault', path: vault.json}]\n";
    let ruby = folder.path().join("modules/m/lib/puppet/functions/m");
    std::fs::create_dir_all(&ruby).expect("a folder");
    std::fs::create_dir_all(folder.path().join("data")).expect("a folder");
    for (name, text) in [
        ("hiera.yaml", config),
        ("data/vault.json", r#"{"key": "%{kernel} and 3"}"#),
        ("modules/m/lib/puppet/functions/m/vault.rb", VAULT),
    ] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let asked = ["lookup", "key"];
    assert_eq!(hierarch(folder.path(), &asked), (0, "--- Linux and 3\n".to_owned(), String::new()));
    let (code, out, err) = hierarch(folder.path(), &[&asked[..], &["--explain"]].concat());
    assert!(code == 0 && out.contains("opened the vault"), "{out}{err}");
    let (code, out, err) = hierarch(folder.path(), &[&asked[..], &["--origin"]].concat());
    assert!(code == 0 && out.contains("vault.json") && out.contains("m::vault"), "{out}{err}");
    std::fs::write(ruby.join("vault.rb"), VAULT.replace("values.key?(key)", "values.nope")).expect("a file");
    let (code, _, err) = hierarch(folder.path(), &asked);
    assert_eq!(code, 1);
    assert!(err.contains("undefined method `nope' for an instance of Hash"), "{err}");
}

#[test]
fn compiling_first_makes_the_variables_of_manifests_visible() {
    let folder = repository();
    for (name, text) in [
        ("manifests/site.pp", "$kernel2 = 'set'\nnotice('compiled')\nnode 'n1' { include m }\n"),
        ("modules/m/manifests/init.pp", "class m { $x = 'of a class' }\n"),
        ("data/own.yaml", "wrapped: '%{kernel2} %{m::x}'\n"),
    ] {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("a folder below");
        std::fs::write(path, text).expect("a file");
    }
    let (code, out, err) = hierarch(folder.path(), &["lookup", "wrapped", "--node", "n1", "--compile"]);
    let expected = "Notice: Scope(Class[main]): compiled\n--- set of a class\n";
    assert_eq!((code, out.as_str(), err.as_str()), (0, expected, ""));
}
