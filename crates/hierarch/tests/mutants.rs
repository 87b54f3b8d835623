//! Damaged input for every command: none may panic, die of a signal, run away or need more memory than it may have.
//!
//! `scripts/fuzz-commands` runs many more rounds than CI does.
#![cfg(unix)]

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use common::{copy_folder, folder_of};

/// Damage that is the same for the same number.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() >> 16) as usize % most.max(1)
    }

    fn of<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[self.below(list.len())]
    }
}

/// Pieces that mean something in one of the formats.
const PIECES: &[&str] = &[
    "%{",
    "}",
    "%{lookup('a')}",
    "%{alias('a')}",
    "%{facts.role}",
    "{{",
    "}}",
    "{% for x in range(9999999) %}",
    "{% endfor %}",
    "<%=",
    "%>",
    "<% ",
    "*a",
    "&a ",
    "<<: *a",
    "- ",
    ": ",
    "\n",
    "\n  ",
    "\t",
    "\u{0}",
    "\u{feff}",
    "é",
    "“",
    "\u{1f600}",
    "\u{202e}",
    "'",
    "\"",
    "\\",
    "#",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "|",
    ">",
    "@@",
    "$x",
    "${",
    "=>",
    "+include: ",
    "+include: main.yaml",
    "+/a: ",
    "+&a",
    "?",
    "!!binary ",
    "!!",
    "99999999999999999999",
    "-9223372036854775808",
    "1e999",
    "0x",
    "10**9",
    "Integer[1,10**9].map |$x| { $x }",
    "~",
    "null",
    "true",
    ",,",
    "lookup('a')",
    "include m",
    "ENC[PKCS7,MII]",
    "DEC::PKCS7[x]!",
    "DEC(1)::PKCS7[",
    "::",
    ".::",
    "..",
    "/",
    "../../..",
    "**/*",
    "{a,b}{c,d}",
    "(a+)+$",
    "=~ /(x*)*y/",
    ".*",
    "sprintf('%999999999d', 1)",
    "'x' * 999999999",
    "\r\n",
    "---\n",
    "...\n",
    "%YAML 1.1\n---\n",
    "case",
    "class m",
    "unless",
    "@",
    "<|",
    "|>",
    "<<|",
    "->",
    "~>",
    "%s",
    "%<a>s",
    "eval:",
    "get_env:",
    "lookup_options: {'^': {merge: deep}}",
    "version: 4\n",
    "version: 3\n",
    "hiera3_backend: x",
    "mapped_paths: [facts, x, '%{x}']",
    "\u{85}",
    "\u{2028}",
];

/// Command lines, each with the files that are damaged for it. `{}` is the damaged text itself.
const COMMANDS: &[(&str, &[&str])] = &[
    (
        "lookup a --node n",
        &[
            "hiera.yaml",
            "data/common.yaml",
            "data/a.json",
            "data/h.conf",
            "facts/n.yaml",
            "environment.conf",
            "data/s.eyaml",
        ],
    ),
    ("lookup h.k --node n --merge deep --explain", &["hiera.yaml", "data/common.yaml", "data/h.conf"]),
    ("lookup a --node n --origin", &["hiera.yaml", "data/common.yaml", "data/a.json", "data/h.conf"]),
    (
        "lookup m::x --node n --compile",
        &[
            "modules/m/hiera.yaml",
            "modules/m/metadata.json",
            "modules/m/data/common.yaml",
            "manifests/site.pp",
        ],
    ),
    ("lookup {} --node n", &[]),
    ("lookup s --node n", &["data/s.eyaml", "keys/private_key.pkcs7.pem"]),
    ("dump --node n", &["hiera.yaml", "data/common.yaml", "facts/n.yaml", "data/h.conf", "data/s.eyaml"]),
    ("values a", &["facts/n.yaml", "data/common.yaml"]),
    ("where {}", &[]),
    ("set a 2 --node n --dry-run", &["data/common.yaml", "hiera.yaml"]),
    ("set h.k {} --node n --dry-run", &[]),
    ("set {} 1 --node n --dry-run", &[]),
    ("hiera convert old.yaml", &["old.yaml"]),
    ("eyaml decrypt -e data/s.eyaml", &["data/s.eyaml", "keys/private_key.pkcs7.pem"]),
    ("eyaml encrypt -e open.yaml", &["open.yaml", "keys/public_key.pkcs7.pem"]),
    ("eyaml recrypt data/s.eyaml", &["data/s.eyaml"]),
    ("eyaml check data/s.eyaml", &["data/s.eyaml"]),
    ("parser validate manifests/site.pp", &["manifests/site.pp"]),
    ("parser dump manifests/site.pp", &["manifests/site.pp"]),
    ("parser validate manifests/site.pp --format sarif", &["manifests/site.pp"]),
    ("epp render t.epp", &["t.epp"]),
    ("epp validate t.epp", &["t.epp"]),
    ("eval manifests/site.pp", &["manifests/site.pp"]),
    ("eval -e {}", &[]),
    (
        "catalog compile n",
        &[
            "manifests/site.pp",
            "modules/m/manifests/init.pp",
            "modules/m/templates/t.erb",
            "modules/m/templates/t.epp",
            "facts/n.yaml",
        ],
    ),
    (
        "catalog compile n -e notify{template('m/t.erb'):}",
        &["modules/m/templates/t.erb", "modules/m/lib/puppet/functions/m/f.rb"],
    ),
    ("catalog diff one.json two.json", &["one.json", "two.json"]),
    ("doctor", &["modules/m/lib/puppet/functions/m/f.rb", "modules/m/templates/t.erb", "manifests/site.pp"]),
    ("query {} --data main.yaml", &[]),
    ("query .::use::x --data main.yaml", &["main.yaml"]),
    ("template t.j2 --data main.yaml", &["t.j2", "main.yaml"]),
    ("template -e {} --data main.yaml", &[]),
    ("template t.j2 --data main.yaml --ansible", &["t.j2"]),
    ("yaml expand main.yaml", &["main.yaml", "part.yaml"]),
    ("yaml get main.yaml /use/x", &["main.yaml"]),
    ("yaml get main.yaml {}", &[]),
    ("yaml set main.yaml /use/x 2 --dry-run", &["main.yaml"]),
    ("yaml set main.yaml /a {} --dry-run", &[]),
    ("yaml delete main.yaml /a --dry-run", &["main.yaml"]),
    ("yaml rename main.yaml /base other --dry-run", &["main.yaml"]),
    ("yaml update main.yaml --to part.yaml --dry-run", &["main.yaml", "part.yaml"]),
    ("yaml diff main.yaml part.yaml", &["main.yaml", "part.yaml"]),
    ("yaml merge main.yaml part.yaml", &["main.yaml", "part.yaml"]),
    ("yaml lint main.yaml", &["main.yaml"]),
    ("yaml insert main.yaml /list/0 {} --dry-run", &[]),
    ("yaml insert main.yaml /list/0 x --dry-run", &["main.yaml"]),
    ("yaml keys {}", &[]),
    ("doc {}", &[]),
    (
        "check",
        &["hiera.yaml", "data/common.yaml", "data/s.eyaml", "modules/m/manifests/init.pp", "facts/n.yaml"],
    ),
    ("check --compile", &["manifests/site.pp", "modules/m/hiera.yaml", "environment.conf"]),
    ("unused", &["data/common.yaml", "hiera.yaml", "modules/m/manifests/init.pp", "facts/n.yaml"]),
    ("unused --fix --dry-run", &["data/common.yaml", "data/a.json"]),
    ("schema", &["modules/m/manifests/init.pp", "modules/m/metadata.json", "data/common.yaml"]),
    ("sql {}", &[]),
    ("sql select/**/*/**/from/**/leaves", &["data/common.yaml", "data/h.conf", "facts/n.yaml"]),
    ("values h --render-as jsonl", &["data/a.json", "hiera.yaml"]),
    ("impact", &["data/common.yaml", "hiera.yaml", "data/h.conf", "facts/n.yaml"]),
    ("impact --catalogs", &["manifests/site.pp", "modules/m/manifests/init.pp"]),
    ("history a --node n", &["data/common.yaml", "hiera.yaml"]),
    ("lookup a --node n --at {}", &[]),
    ("dump --nodes list.yaml", &["list.yaml"]),
    ("nodes import list.yaml", &["list.yaml"]),
    ("nodes import facts", &["facts/n.yaml"]),
    ("nodes show {}", &[]),
    ("nodes forget {}", &[]),
    ("nodes list --where {}", &[]),
    ("catalog compile n --exported exported.json", &["exported.json"]),
    ("catalog compile n --trusted enc.yaml --enc-answer enc.yaml", &["enc.yaml"]),
    ("catalog compile n --exports", &["manifests/site.pp"]),
    ("doctor --node n", &["manifests/site.pp", "modules/m/manifests/init.pp", "hiera.yaml"]),
    ("template t.j2 --data main.yaml --hiera . --node n", &["t.j2", "hiera.yaml", "data/common.yaml"]),
    ("epp dump t.epp", &["t.epp"]),
    ("repl", &["hiera.yaml", "environment.conf"]),
    ("eyaml rotate data/s.eyaml", &["data/s.eyaml", "keys/public_key.pkcs7.pem"]),
    ("eyaml edit data/s.eyaml", &["data/s.eyaml", "keys/private_key.pkcs7.pem"]),
    ("serve token --name {}", &[]),
    ("completions {}", &[]),
    ("{}", &[]),
];

/// Commands that read nothing that could be damaged, or write to a folder that the damaged text would name.
const WITHOUT_INPUT: [&str; 4] = ["eyaml createkeys", "eyaml version", "manual", "nodes export"];

/// Command lines of what only some builds have.
#[cfg(feature = "jobs")]
const JOBS: &[(&str, &[&str])] = &[
    ("fleet run a --objects file:objects", &["facts/n.yaml", "data/common.yaml", "hiera.yaml"]),
    ("fleet run {} --objects file:objects", &[]),
    ("fleet work --objects file:objects --run {} --index 0 --of 1", &[]),
    ("fleet status --queue {}", &[]),
];
#[cfg(not(feature = "jobs"))]
const JOBS: &[(&str, &[&str])] = &[];

/// Every command that the manual has a page of is run here, so that a new one is not forgotten.
#[test]
fn all_commands_are_run() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(common::hierarch(folder.path(), &["manual", "pages"], "").code, 0);
    let pages = std::fs::read_dir(folder.path().join("pages")).expect("the manual was written");
    let names = pages.map(|page| page.expect("a page").file_name().to_string_lossy().into_owned());
    let names: Vec<String> = names
        .filter_map(|name| Some(name.strip_prefix("hierarch-")?.trim_end_matches(".1").replace('-', " ")))
        .collect();
    let is_group = |name: &str| names.iter().any(|other| other.starts_with(&format!("{name} ")));
    let is_run = |name: &str| {
        COMMANDS.iter().chain(JOBS).any(|(line, _)| *line == name || line.starts_with(&format!("{name} ")))
    };
    let left_out: Vec<&String> = names
        .iter()
        .filter(|name| !is_run(name) && !is_group(name) && !WITHOUT_INPUT.contains(&name.as_str()))
        .collect();
    assert!(names.len() > 40 && left_out.is_empty(), "not run on damaged input: {left_out:?}");
}

fn repository() -> tempfile::TempDir {
    let hierarchy = "version: 5\ndefaults: {datadir: data}\nhierarchy:\n- {name: n, path: 'nodes/%{trusted.certname}.yaml', data_hash: yaml_data}\n\
        - {name: g, glob: '{a,b}*.json', data_hash: json_data}\n- {name: h, path: h.conf, data_hash: hocon_data}\n\
        - {name: s, path: s.eyaml, lookup_key: eyaml_lookup_key, options: {pkcs7_private_key: keys/private_key.pkcs7.pem}}\n\
        - {name: c, paths: [common.yaml, '%{facts.role}.yaml'], data_hash: yaml_data}\n";
    let manifest = "$x = [1, 2, {'a' => \"b${1 + 2}\"}]\nclass c(String $p = 'x') { notify { $p: message => @(\"END\"/L) }\n  text ${p}\n  | END\n}\n\
        include c\ninclude m\n$x.each |$i, $v| { if $v =~ Integer { notice($i, $v) } }\ncase $x { [1, *$y]: { } default: { fail('x') } }\n\
        function f(Integer $n) >> Integer { $n + 1 }\nfile { '/x': ensure => file, content => epp('m/t.epp', {'v' => f(1)}) } -> Notify<| title != 'q' |>\n";
    let catalog = "{\"name\": \"n\", \"resources\": [{\"type\": \"File\", \"title\": \"/x\", \"parameters\": {\"mode\": \"0644\", \"content\": \"a\\nb\"}}], \
        \"edges\": [{\"source\": \"Stage[main]\", \"target\": \"File[/x]\"}], \"classes\": [\"c\"]}";
    let folder = folder_of(&[
        ("environment.conf", "modulepath = modules:$basemodulepath\nmanifest = manifests\n"),
        ("hiera.yaml", hierarchy),
        (
            "old.yaml",
            "---\n:backends: [yaml, json]\n:hierarchy: ['%{role}', common]\n:yaml:\n  :datadir: data\n:merge_behavior: deeper\n",
        ),
        (
            "data/common.yaml",
            "lookup_options:\n  h: {merge: {strategy: deep, knockout_prefix: '--'}}\na: \"x %{facts.role} %{lookup('b')}\"\nb: [1, &l [2, 3], *l]\nh: {k: {l: 1}, m: \"%{alias('b')}\"}\n",
        ),
        ("data/a.json", "{\"h\": {\"k\": {\"n\": [1, 2.5, null]}}, \"j\": \"%{role}\"}"),
        ("data/h.conf", "h { k { o = ${?x} [1, 2] }\n p += 1 }\ninclude \"none.conf\"\nt = \"\"\"x\"\"\"\n"),
        ("facts/n.yaml", "role: web\nos: {family: Debian, release: {major: '12'}}\nlist: [1, two]\n"),
        ("manifests/site.pp", manifest),
        ("modules/m/metadata.json", "{\"name\": \"a-m\", \"version\": \"1.0.0\", \"dependencies\": []}"),
        ("modules/m/hiera.yaml", "version: 5\nhierarchy: [{name: c, path: common.yaml}]\n"),
        ("modules/m/data/common.yaml", "m::x: 1\nm::t: \"%{lookup('m::x')}\"\n"),
        (
            "modules/m/manifests/init.pp",
            "class m(Integer $x = 0) { notify { \"m${x}\": message => template('m/t.erb') } }\n",
        ),
        (
            "modules/m/templates/t.erb",
            "<% @x.times do |i| -%>\nv <%= i.to_s.rjust(3, '0') %> <%= [1, 'a', {b: :c}].inspect %>\n<% end -%>\n<%= scope['m::x'] %>\n",
        ),
        (
            "modules/m/templates/t.epp",
            "<%- | Any $v = 1 | -%>\nv <%= $v %>\n<% [1, 2].each |$x| { -%>\n<%= $x %>\n<% } -%>\n",
        ),
        (
            "modules/m/lib/puppet/functions/m/f.rb",
            "Puppet::Functions.create_function(:'m::f') do\n  dispatch :f do\n    param 'Integer', :n\n  end\n  def f(n)\n    n + 1\n  end\nend\n",
        ),
        ("t.epp", "<%- | String $a = 'x' | -%>\n<%= $a.upcase %> <% if true { %>y<% } %>\n"),
        (
            "t.j2",
            "{% for k, v in use.items() %}{{ k | upper }}={{ v | default('x') }}{% if loop.last %}.{% endif %}{% endfor %}\n{{ a | int + 1 }} {{ \"%s\" | format(a) }}{# c #}\n",
        ),
        (
            "main.yaml",
            "a: 1\nbase: &base {x: 1, l: [1, 2]}\nuse:\n  +/base:\n  y: 2 # beside\n+include: part.yaml\nlist:\n- {name: a}\n- +/base/l\ne: {eval: {concat: [a, .::a]}}\n",
        ),
        ("part.yaml", "p: 1\nq: [1, {r: s}]\n"),
        ("open.yaml", "s: DEC::PKCS7[x]!\nt: >\n  DEC(2)::PKCS7[y\n  z]!\n"),
        (
            "list.yaml",
            "- {node: n, facts_file: facts/n.yaml}\n- {node: o, facts: {role: web}, trusted: {certname: o}}\n",
        ),
        ("enc.yaml", "classes: {m: {x: 2}}\nparameters: {role: db}\nenvironment: production\ncertname: n\n"),
        (
            "exported.json",
            "[{\"certname\": \"o\", \"type\": \"Notify\", \"title\": \"e\", \"exported\": true, \"parameters\": {\"message\": \"x\"}}]",
        ),
        (".gitignore", "said\n"),
        ("one.json", catalog),
        ("two.json", &catalog.replace("0644", "0600")),
    ]);
    let run = |line: &str| common::hierarch(folder.path(), &line.split(' ').collect::<Vec<_>>(), "");
    assert_eq!(run("eyaml createkeys --pkcs7-keysize 1024").code, 0);
    let token = run("eyaml encrypt -o string -s secret").out;
    std::fs::write(
        folder.path().join("data/s.eyaml"),
        format!("s: {token}t: [\"{} %{{role}}\"]\n", token.trim()),
    )
    .expect("written");
    commit(folder.path());
    folder
}

/// Keeps the undamaged state as a revision, for the commands that compare.
fn commit(folder: &Path) {
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "."],
        &["-c", "user.name=n", "-c", "user.email=n@example.com", "commit", "--quiet", "-m", "start"],
    ] {
        let done = Command::new("git").args(arguments).current_dir(folder).status();
        assert!(done.is_ok_and(|status| status.success()), "{arguments:?}");
    }
    let _ = std::fs::remove_dir_all(folder.join(".git/hooks"));
}

fn damaged(chance: &mut Chance, text: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=chance.below(4) {
        let at = chance.below(bytes.len() + 1);
        let end = (at + chance.below(40)).min(bytes.len());
        match chance.below(9) {
            0 => drop(bytes.drain(at..end)),
            1 => bytes.truncate(at),
            2 if at < bytes.len() => bytes[at] = chance.below(256) as u8,
            3 => {
                let copy = bytes[at..end].repeat(1 + chance.below(6));
                bytes.splice(at..at, copy);
            }
            4 => {
                let piece = chance.of(PIECES).repeat(1 + chance.below(3000));
                bytes.splice(at..at, piece.into_bytes());
            }
            5 if at < bytes.len() => bytes[at] ^= 1 << chance.below(8),
            _ => drop(bytes.splice(at..at, chance.of(PIECES).bytes())),
        }
    }
    bytes
}

struct Finding {
    why: String,
    said: String,
}

/// How long a run may take: budgets end each in seconds, on a machine that has nothing else to do.
const PATIENCE: Duration = Duration::from_mins(1);

/// How much address space a run may have, in KiB: budgets lie far below.
const MEMORY: usize = 6 << 20;

fn run(folder: &Path, arguments: &[String]) -> Option<Finding> {
    let said = folder.join("said");
    let file = std::fs::File::create(&said).expect("a file");
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\""))
        .arg(common::program())
        .args(arguments);
    command.current_dir(folder).env("HOME", folder).env("EDITOR", "true").env("RUST_BACKTRACE", "0");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(file);
    let mut child = command.spawn().expect("it starts");
    let start = Instant::now();
    let why = loop {
        if let Some(status) = child.try_wait().expect("it can be asked") {
            break complaint(status);
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            break Some(format!("it had not ended after {PATIENCE:?}"));
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let said = String::from_utf8_lossy(&std::fs::read(said).expect("readable")).into_owned();
    let why = why.or_else(|| said.contains("panicked at").then(|| "it panicked".to_owned()))?;
    Some(Finding { why, said })
}

fn complaint(status: ExitStatus) -> Option<String> {
    (!matches!(status.code(), Some(0..=2))).then(|| format!("it ended with {status}"))
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn damaged_input_breaks_no_command() {
    let (rounds, seed) = (number("HIERARCH_ROUNDS", 200), number("HIERARCH_SEED", 1));
    let original = repository();
    let work = tempfile::tempdir().expect("a folder");
    let mut findings = Vec::new();
    let mut progress = Progress::new(seed, rounds);
    for round in 0..rounds {
        let mut chance = Chance((seed << 32 | round).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        for _ in 0..4 {
            chance.next();
        }
        let folder = work.path().join(round.to_string());
        copy_folder(original.path(), &folder);
        let (line, arguments) = prepared(&mut chance, &folder);
        let start = Instant::now();
        let finding = run(&folder, &arguments);
        progress.ran(line, round, start.elapsed(), findings.len());
        match finding {
            None => std::fs::remove_dir_all(&folder).expect("removed"),
            Some(finding) => findings.push(told(&finding, round, &arguments, &folder)),
        }
    }
    progress.end();
    assert!(findings.is_empty(), "{} of {rounds} runs:\n{}", findings.len(), findings.join("\n"));
    #[expect(clippy::print_stdout, reason = "scripts/fuzz-commands shows it")]
    {
        println!(
            "{rounds} runs of {} command lines on damaged input, none broke",
            COMMANDS.len() + JOBS.len()
        );
    }
}

/// What a long run says every minute, and at its end: how far it is, and where its time goes.
struct Progress {
    seed: u64,
    rounds: u64,
    start: Instant,
    said: Instant,
    /// How often each command line ran and how long.
    lines: BTreeMap<&'static str, (u32, Duration)>,
    slowest: (Duration, u64, &'static str),
}

impl Progress {
    fn new(seed: u64, rounds: u64) -> Self {
        let now = Instant::now();
        Self {
            seed,
            rounds,
            start: now,
            said: now,
            lines: BTreeMap::new(),
            slowest: (Duration::ZERO, 0, "nothing"),
        }
    }

    fn ran(&mut self, line: &'static str, round: u64, took: Duration, findings: usize) {
        let (runs, all) = self.lines.entry(line).or_default();
        *runs += 1;
        *all += took;
        self.slowest = self.slowest.max((took, round, line));
        if self.said.elapsed() >= Duration::from_mins(1) {
            self.said = Instant::now();
            self.say(&format!("{} of {} runs, {findings} broke", round + 1, self.rounds));
        }
    }

    #[expect(clippy::print_stderr, reason = "whoever waits for a long run sees that it goes on")]
    fn say(&self, what: &str) {
        let (took, round, line) = self.slowest;
        eprintln!(
            "{:.0} s: seed {}, {what}; slowest {:.1} s: round {round}, {line}",
            self.start.elapsed().as_secs_f64(),
            self.seed,
            took.as_secs_f64()
        );
    }

    /// Tells which command lines took the most, of runs that took long.
    #[expect(clippy::print_stderr, reason = "it is what scripts/fuzz-commands shows")]
    fn end(&self) {
        if self.start.elapsed() < Duration::from_mins(1) {
            return;
        }
        let running: Duration = self.lines.values().map(|(_, took)| *took).sum();
        self.say(&format!("{} runs, {:.0} s of it in them", self.rounds, running.as_secs_f64()));
        let mut lines: Vec<_> = self.lines.iter().collect();
        lines.sort_by_key(|(_, (_, took))| std::cmp::Reverse(*took));
        for (line, (runs, took)) in lines.into_iter().take(8) {
            eprintln!("  {:7.1} s in {runs} runs: {line}", took.as_secs_f64());
        }
    }
}

/// Damages a file of a command line, or its argument. Returns the line too.
fn prepared(chance: &mut Chance, folder: &Path) -> (&'static str, Vec<String>) {
    let every = COMMANDS.len() + JOBS.len();
    let (line, files) = COMMANDS.iter().chain(JOBS).nth(chance.below(every)).expect("one of them");
    if !files.is_empty() {
        let path = folder.join(chance.of(files));
        let bytes = damaged(chance, &std::fs::read(&path).expect("it is there"));
        std::fs::write(&path, bytes).expect("written");
    }
    let text = std::fs::read(folder.join(chance.of(&[
        "t.j2",
        "manifests/site.pp",
        "main.yaml",
        "data/common.yaml",
    ])))
    .expect("it is there");
    let start = chance.below(text.len());
    let text = damaged(chance, &text[start..(start + 60).min(text.len())]);
    // No argument has a zero byte, and none is endless.
    let text: String = String::from_utf8_lossy(&text).chars().filter(|&c| c != '\0').take(20_000).collect();
    let word = |word: &str| if word == "{}" { text.clone() } else { word.to_owned() };
    (line, line.split(' ').map(word).collect())
}

fn told(finding: &Finding, round: u64, arguments: &[String], folder: &Path) -> String {
    let kept = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("mutant-{round}"));
    let _ = std::fs::remove_dir_all(&kept);
    copy_folder(folder, &kept);
    let said: String = finding.said.chars().take(600).collect();
    let arguments: String = format!("{arguments:?}").chars().take(400).collect();
    format!("round {round}: {}: {arguments}\nin {}\n{said}", finding.why, kept.display())
}
