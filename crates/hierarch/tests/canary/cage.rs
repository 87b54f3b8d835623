//! A control repository full of secrets, and the program that is asked about them.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// What must not be seen: texts that were encrypted, and values that `convert_to` makes sensitive.
pub(crate) const CANARIES: [&str; 6] =
    ["canary-encrypted", "canary-tokens", "4815162342", "1123581321", "canary-in-hash", "canary-in-list"];

pub(crate) struct Cage(pub(crate) PathBuf, pub(crate) RefCell<BTreeSet<String>>);

impl Cage {
    pub(crate) fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("hierarch-cage-{}", std::process::id()));
        for name in [
            "data",
            "facts",
            "manifests",
            "functions/environment",
            "modules/m/manifests",
            "modules/m/types",
            "modules/w/manifests",
        ] {
            std::fs::create_dir_all(folder.join(name)).expect("a folder");
        }
        let cage = Self(folder, RefCell::default());
        cage.run(&["eyaml", "createkeys", "--pkcs7-keysize", "1024"]);
        let token = |text: &str| {
            let output = cage.run(&["eyaml", "encrypt", "-o", "string", "-s", text]);
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        };
        let (plain, tokens, number) =
            (token("canary-encrypted"), token("canary-tokens %{facts.kernel}"), token("4815162342"));
        let quoted = |token: &str| format!("\"{token}\"");
        let (secret, digits) = (quoted(&plain), quoted(&number));
        let level = |name: &str| {
            format!(
                "- {{name: {name}, lookup_key: eyaml_lookup_key, path: {name}.eyaml, options: {{pkcs7_private_key: keys/private_key.pkcs7.pem}}}}\n"
            )
        };
        let files = [
            (
                "hiera.yaml",
                format!(
                    "version: 5\nhierarchy:\n{}{}- {{name: function, data_hash: 'environment::made'}}\n- {{name: common, path: common.yaml}}\n",
                    level("high"),
                    level("low")
                ),
            ),
            ("functions/environment/made.pp", MADE.to_owned()),
            ("modules/m/manifests/init.pp", CLASS.to_owned()),
            ("modules/m/types/sec.pp", "type M::Sec = Sensitive[Variant[String, Hash]]\n".to_owned()),
            ("modules/w/manifests/init.pp", "class w(Integer $conv) { }\n".to_owned()),
            ("old.yaml", "---\n:backends: yaml\n:yaml: {:datadir: data}\n".to_owned()),
            (
                "facts/n.yaml",
                "{kernel: Linux, clientcert: n, hostname: n, domain: d, fqdn: n.d}\n".to_owned(),
            ),
            ("manifests/site.pp", "$pin = lookup('pin')\n$number = Integer(lookup('password'))\n".to_owned()),
            (
                "data/high.eyaml",
                format!(
                    "password: {plain}\ntokens: \"{tokens}\"\nmixed: \"{plain} %{{facts.kernel}}\"\nnumber: {number}\nhash: {{a: {secret}, b: open}}\nlist: [{secret}, open]\ndeep: {{x: {{y: {secret}}}}}\nm::text: {plain}\nm::nope: {plain}\nundefined: \"{plain} %{{nope}}\"\n"
                ),
            ),
            (
                "data/low.eyaml",
                format!(
                    "password: \"low {plain}\"\nhash: {{a: {digits}, c: \"{tokens}\"}}\nlist: [open, {digits}]\n"
                ),
            ),
            ("data/common.yaml", COMMON.to_owned()),
        ];
        for (name, text) in files {
            std::fs::write(cage.0.join(name), text).expect("written");
        }
        cage
    }

    /// Notes which command is asked.
    fn note(&self, arguments: &[&str]) {
        let words: Vec<&str> = arguments.iter().copied().take_while(|word| !word.starts_with('-')).collect();
        self.1.borrow_mut().extend((1..=words.len().min(2)).map(|count| words[..count].join(" ")));
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.note(arguments);
        let mut command = Command::new(env!("CARGO_BIN_EXE_hierarch"));
        command.current_dir(&self.0).env("HOME", &self.0).args(arguments);
        command.env("EDITOR", "false").env_remove("VISUAL");
        command.output().expect("the program starts")
    }

    pub(crate) fn song(&self, arguments: &[&str]) -> Option<String> {
        Self::heard(arguments, self.run(arguments))
    }

    pub(crate) fn song_of_input(&self, arguments: &[&str], input: &str) -> Option<String> {
        self.note(arguments);
        let mut command = Command::new(env!("CARGO_BIN_EXE_hierarch"));
        command.current_dir(&self.0).env("HOME", &self.0).env("XDG_STATE_HOME", &self.0).args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        // A program that reads no input may have closed it already.
        let _ = child.stdin.take().expect("it was piped").write_all(input.as_bytes());
        Self::heard(arguments, child.wait_with_output().expect("it ends"))
    }

    fn heard(arguments: &[&str], output: Output) -> Option<String> {
        let text = [output.stdout, output.stderr]
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .join("\n");
        assert!(!text.contains("panicked"), "{arguments:?}\n{text}");
        CANARIES.iter().any(|canary| text.contains(canary)).then_some(text)
    }

    /// What files hold in clear text may be shown as it stands there, what was decrypted may not.
    pub(crate) fn check_decrypted(&self, arguments: &[&str]) {
        let text = self.song(arguments).unwrap_or_default();
        assert!(CANARIES[..3].iter().all(|canary| !text.contains(canary)), "{arguments:?}\n{text}");
    }

    pub(crate) fn check(&self, arguments: &[&str]) {
        if let Some(text) = self.song(arguments) {
            panic!("{arguments:?}\n{text}");
        }
    }
}

impl Drop for Cage {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A function that looks a secret up while it makes its data.
const MADE: &str = "function environment::made($options, $context) {
  { 'made' => $context.interpolate('made of %{facts.kernel}') }
}
";

/// Parameters that no value fits, so that messages quote what they were given.
const CLASS: &str = "class m(
  Enum['a', 'b'] $text = 'a',
  Pattern[/^x/] $tokens = 'x',
  Integer[1, 5] $number = 1,
  Struct[{a => Enum['q']}] $hash = {a => 'q'},
  Array[Enum['z']] $list = [],
  Integer $pin = 1,
) { }
";

pub(crate) const COMMON: &str = "lookup_options:
  m::number: {convert_to: Integer}
  m::pin: {convert_to: Sensitive}
  number: {convert_to: Integer}
  pin: {convert_to: Sensitive}
  structure: {convert_to: [Sensitive]}
  wrong: {convert_to: Integer}
  w::conv: {convert_to: Integer}
  named: {convert_to: 'M::Sec'}
  initial: {convert_to: 'Init[Sensitive]'}
  optional: {convert_to: 'Optional[Sensitive]'}
  hash: {merge: {strategy: deep, knockout_prefix: '--'}}
  list: {merge: unique}
pin: 1123581321
structure: {a: canary-in-hash, b: [1, canary-in-list]}
inside: \"see %{lookup('password')} and %{lookup('tokens')}\"
other: \"%{alias('hash')}\"
wrong: \"%{lookup('password')}\"
w::conv: \"%{lookup('password')}\"
named: canary-in-hash
initial: canary-in-list
optional: canary-in-hash
keys: {\"%{lookup('password')}\": v}
m::tokens: \"%{lookup('tokens')}\"
m::number: \"%{lookup('number')}\"
m::hash: \"%{alias('hash')}\"
m::list: \"%{alias('list')}\"
m::pin: 1123581321
";

pub(crate) const KEYS: [&str; 20] = [
    "password",
    "tokens",
    "mixed",
    "number",
    "hash",
    "list",
    "deep",
    "deep.x.y",
    "inside",
    "other",
    "wrong",
    "keys",
    "undefined",
    "pin",
    "structure",
    "structure.a.b",
    "w::conv",
    "named",
    "initial",
    "optional",
];

/// The keys whose values are `Sensitive`: what a template shows of them is asked for.
pub(crate) const SENSITIVE: [&str; 6] = ["pin", "structure", "structure.a.b", "named", "initial", "optional"];
