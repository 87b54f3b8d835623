//! The flags for Ruby and for what stands in for functions, at every command that asks or compiles nodes.

use std::path::Path;
use std::process::Command;

/// Each flag, the key whose answer needs it, the answer with it and what is there without it.
const FLAGS: [(&[&str], &str, &str, &str); 5] = [
    (&["--answers", "answers.yaml"], "from_world", "answered", "Unknown function: 'm::world'"),
    (&["--answers", "none.yaml", "--answers", "answers.yaml"], "from_world", "answered", "Unknown function"),
    (&["--overlay", "overlay"], "from_world", "overlaid x", "Unknown function: 'm::world'"),
    (&["--ruby-env"], "from_env", "seen", "no variable"),
    (&["--ruby-read", "OUTSIDE"], "from_file", "read me", "is not allowed"),
];

/// A control repository whose data come from a backend in Ruby that asks for what only flags give.
struct Repository {
    folder: tempfile::TempDir,
    outside: tempfile::TempDir,
}

impl Repository {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let outside = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(outside.path().join("f.txt"), "read me").expect("written");
        let file = outside.path().join("f.txt").display().to_string();
        let backend = BACKEND.replace("OUTSIDE", &file);
        for (name, text) in [
            ("environment.conf", "modulepath = modules\nmanifest = manifests\n"),
            (
                "hiera.yaml",
                "version: 5\nhierarchy:\n- {name: asked, lookup_key: m::asked}\n- {name: common, path: common.yaml}\n",
            ),
            ("data/common.yaml", "plain: 1\n"),
            ("facts/n1.yaml", "clientcert: n1\n"),
            ("facts/n2.yaml", "clientcert: n2\n"),
            ("modules/m/lib/puppet/functions/m/asked.rb", &backend),
            ("modules/m/manifests/init.pp", "class m($key) { notify { 'it': message => lookup($key) } }\n"),
            ("overlay/functions/m/world.pp", "function m::world($x) { \"overlaid ${x}\" }\n"),
            ("answers.yaml", "- {function: m::world, arguments: [x], result: answered}\n"),
            ("none.yaml", "- {function: nobody::asks, result: 1}\n"),
        ] {
            put(folder.path(), name, text);
        }
        Self { folder, outside }
    }

    /// Gives every node a class whose parameter names the key.
    fn including(self, key: &str) -> Self {
        put(self.folder.path(), "manifests/site.pp", &format!("class {{ 'm': key => '{key}' }}\n"));
        self
    }

    fn committed(self) -> Self {
        for arguments in [&["init", "-q"][..], &["add", "-A"], &["commit", "-qm", "first"]] {
            let done = Command::new("git")
                .args(["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"])
                .args(arguments)
                .current_dir(self.folder.path())
                .status()
                .expect("git runs");
            assert!(done.success(), "git {arguments:?}");
        }
        self
    }

    /// Runs a command; returns its exit code and all that it said.
    fn run(&self, arguments: &[&str], flags: &[&str]) -> (i32, String) {
        let outside = self.outside.path().display().to_string();
        let flags = flags.iter().map(|flag| if *flag == "OUTSIDE" { outside.as_str() } else { flag });
        let output = Command::new(env!("CARGO_BIN_EXE_hierarch"))
            .args(arguments)
            .args(flags)
            .env("HIERARCH_TEST", "seen")
            .current_dir(self.folder.path())
            .output()
            .expect("the program runs");
        let told = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&told).into_owned())
    }
}

const BACKEND: &str = "Puppet::Functions.create_function(:'m::asked') do
  dispatch :asked do
    param 'String', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def asked(key, options, context)
    case key
    when 'from_env' then ENV['HIERARCH_TEST'] || 'no variable'
    when 'from_file' then File.read('OUTSIDE')
    when 'from_world' then call_function('m::world', 'x')
    else context.not_found
    end
  end
end
";

fn put(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).expect("a folder");
    std::fs::write(path, text).expect("written");
}

/// Asks a command about the key of each flag, with and without it.
fn holds(repository: impl Fn(&str) -> Repository, command: impl Fn(&str) -> Vec<String>) {
    for (flags, key, with, without) in FLAGS {
        let repository = repository(key);
        let command = command(key);
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let (_, told) = repository.run(&command, flags);
        assert!(told.contains(with) && !told.contains(without), "{command:?} {flags:?}: {told}");
        let (_, told) = repository.run(&command, &[]);
        assert!(told.contains(without) && !told.contains(with), "{command:?} without {flags:?}: {told}");
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[test]
fn values_are_those_that_the_flags_give() {
    holds(|_| Repository::new(), |key| words(&format!("values {key}")));
}

#[test]
fn history_and_sql_take_them() {
    let repository = Repository::new().committed();
    for (flags, key, with, without) in FLAGS {
        let (_, told) = repository.run(&["history", key, "--node", "n1"], flags);
        assert!(told.contains(with) && !told.contains(without), "history {flags:?}: {told}");
    }
    let (_, told) = repository.run(
        &["sql", "select value from answers where key = 'from_env'", "--keys", "from_env"],
        &["--ruby-env"],
    );
    let is_there = told.contains("seen");
    // Without `--keys` only keys of data files are asked for.
    assert!(is_there || told.contains("--keys"), "{told}");
}

#[test]
fn catalogs_are_compiled_with_them() {
    holds(|key| Repository::new().including(key), |_| words("catalog compile n1 --render-as json"));
}

#[test]
fn both_sides_of_a_comparison_are_compiled_with_them() {
    for (flags, key, with, _) in FLAGS {
        let repository = Repository::new().including(key).committed();
        let site =
            format!("class {{ 'm': key => '{key}' }} notify {{ 'more': message => lookup('{key}') }}\n");
        put(repository.folder.path(), "manifests/site.pp", &site);
        let (code, told) = repository.run(&["catalog", "diff", "HEAD", ".", "--node", "n1"], flags);
        assert!(told.contains("Notify[more]") && told.contains(with), "{flags:?}: {code} {told}");
        assert!(!told.contains("Notify[it]"), "{flags:?}: {told}");
        let (code, told) = repository.run(&["catalog", "diff", "HEAD", ".", "--node", "n1"], &[]);
        assert!(code != 0 && (!told.contains(with)), "without {flags:?}: {code} {told}");
    }
}

#[test]
fn check_and_impact_compile_with_them() {
    let (flags, key, _, _) = FLAGS[0];
    let repository = Repository::new().including(key).committed();
    let (code, told) = repository.run(&["check", "--compile"], flags);
    assert_eq!(code, 0, "{told}");
    let (code, told) = repository.run(&["check", "--compile"], &[]);
    assert!(code != 0 && told.contains("m::world"), "{code} {told}");
    let (code, told) = repository.run(&["impact", "--compile"], flags);
    assert!(code == 0 && told.contains("nothing changes"), "{code} {told}");
    let (code, told) = repository.run(&["impact", "--compile"], &[]);
    assert!(code != 0 && told.contains("m::world"), "{code} {told}");
}

#[test]
fn doctor_counts_what_is_left() {
    let (flags, key, _, _) = FLAGS[0];
    let repository = Repository::new().including(key);
    let (_, told) = repository.run(&["doctor", "--all"], flags);
    assert!(!told.contains("m::world"), "{told}");
    let (code, told) = repository.run(&["doctor", "--all"], &[]);
    assert!(code != 0 && told.contains("m::world"), "{code} {told}");
}

/// The flags that lead out of a refusal stand below the report.
#[test]
fn doctor_names_the_flags() {
    let repository = Repository::new();
    put(repository.folder.path(), "modules/m/templates/t.erb", "<%= `date` %>\n");
    let (code, told) = repository.run(&["doctor"], &[]);
    assert!(code != 0, "{told}");
    for flag in ["--ruby-command", "--answers", "--overlay", "--stub-missing"] {
        assert!(told.contains(flag), "{flag}: {told}");
    }
}

/// A file of answers for other arguments is named where the function is missing.
#[test]
fn answers_for_other_arguments_are_said() {
    let repository = Repository::new();
    put(repository.folder.path(), "manifests/site.pp", "notice(m::world('y'))\n");
    let (code, told) = repository.run(&["catalog", "compile", "n1"], &["--answers", "answers.yaml"]);
    assert!(code != 0 && told.contains("Unknown function: 'm::world'"), "{code} {told}");
    assert!(told.contains("--answers has results of m::world(), but for other arguments"), "{told}");
}

/// A placeholder is one thing to walk over, not its letters.
#[test]
fn a_placeholder_is_walked_over_once() {
    let repository = Repository::new();
    let site = "nosuch(1).each |$x| { notify { \"each ${x}\": } }
      $m = nosuch(2).map |$i, $x| { \"${i} ${x}\" }
      notify { $m: }
      $f = nosuch(3).filter |$x| { true }
      notify { \"filter ${f.length}\": }\n";
    put(repository.folder.path(), "manifests/site.pp", site);
    let (code, told) =
        repository.run(&["catalog", "compile", "n1", "--render-as", "json"], &["--stub-missing"]);
    assert_eq!(code, 3, "{told}");
    for title in
        ["each <<stub: nosuch() did not run>>", "0 <<stub: nosuch() did not run (call 2)>>", "filter 1"]
    {
        assert!(
            told.contains(&format!("\"title\":\"{title}\""))
                || told.contains(&format!("\"title\": \"{title}\"")),
            "{title}: {told}"
        );
    }
}
