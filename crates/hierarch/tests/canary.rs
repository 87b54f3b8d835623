//! A canary in every cage: secrets that take many ways through data, asked for by every command in every form, with good
//! and with failing input. None of them may sing where nobody asked for its value.

use std::path::PathBuf;
use std::process::{Command, Output};

/// What must not be seen: texts that were encrypted, and values that `convert_to` makes sensitive.
const CANARIES: [&str; 6] =
    ["canary-encrypted", "canary-tokens", "4815162342", "1123581321", "canary-in-hash", "canary-in-list"];

struct Cage(PathBuf);

impl Cage {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("hierarch-cage-{}", std::process::id()));
        for name in ["data", "facts", "manifests", "functions/environment"] {
            std::fs::create_dir_all(folder.join(name)).expect("a folder");
        }
        let cage = Self(folder);
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
            (
                "facts/n.yaml",
                "{kernel: Linux, clientcert: n, hostname: n, domain: d, fqdn: n.d}\n".to_owned(),
            ),
            ("manifests/site.pp", "$pin = lookup('pin')\n$number = Integer(lookup('password'))\n".to_owned()),
            (
                "data/high.eyaml",
                format!(
                    "password: {plain}\ntokens: \"{tokens}\"\nmixed: \"{plain} %{{facts.kernel}}\"\nnumber: {number}\nhash: {{a: {secret}, b: open}}\nlist: [{secret}, open]\ndeep: {{x: {{y: {secret}}}}}\nundefined: \"{plain} %{{nope}}\"\n"
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

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hierarch"));
        command.current_dir(&self.0).env("HOME", &self.0).args(arguments);
        command.output().expect("the program starts")
    }

    fn song(&self, arguments: &[&str]) -> Option<String> {
        let output = self.run(arguments);
        let text = [output.stdout, output.stderr]
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .join("\n");
        assert!(!text.contains("panicked"), "{arguments:?}\n{text}");
        CANARIES.iter().any(|canary| text.contains(canary)).then_some(text)
    }

    fn check(&self, arguments: &[&str]) {
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

const COMMON: &str = "lookup_options:
  number: {convert_to: Integer}
  pin: {convert_to: Sensitive}
  structure: {convert_to: [Sensitive]}
  wrong: {convert_to: Integer}
  hash: {merge: {strategy: deep, knockout_prefix: '--'}}
  list: {merge: unique}
pin: 1123581321
structure: {a: canary-in-hash, b: [1, canary-in-list]}
inside: \"see %{lookup('password')} and %{lookup('tokens')}\"
other: \"%{alias('hash')}\"
wrong: \"%{lookup('password')}\"
keys: {\"%{lookup('password')}\": v}
";

const KEYS: [&str; 16] = [
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
];

#[test]
fn no_view_of_a_lookup_shows_a_secret() {
    let cage = Cage::new();
    let views: [&[&str]; 12] = [
        &["--explain"],
        &["--explain", "--render-as", "json"],
        &["--explain", "--render-as", "yaml"],
        &["--explain", "--merge", "deep", "--knock-out-prefix", "--"],
        &["--explain", "--compile"],
        &["--explain-options"],
        &["--origin"],
        &["--origin", "--render-as", "json"],
        &["--origin", "--render-as", "yaml"],
        &["--origin", "--merge", "unique"],
        &["--type", "Boolean"],
        &["--type", "Boolean", "--debug"],
    ];
    for key in KEYS {
        for view in views {
            let mut arguments = vec!["lookup", key, "--node", "n"];
            arguments.extend_from_slice(view);
            cage.check(&arguments);
        }
    }
    assert!(cage.song(&["lookup", "inside", "--node", "n"]).is_some(), "it is the answer");
    assert!(cage.song(&["lookup", "inside", "--node", "n", "--origin", "--show-secrets"]).is_some());
    assert!(cage.song(&["lookup", "inside", "--node", "n", "--explain", "--show-secrets"]).is_some());
    many_keys_show_none(&cage);
    programs_that_fail_show_none(&cage);
}

fn many_keys_show_none(cage: &Cage) {
    for form in ["json", "yaml", "jsonl", "table"] {
        for more in [&[][..], &["--origin"], &["*a*"], &["wrong", "undefined", "pin"]] {
            let mut arguments = vec!["dump", "--node", "n", "--render-as", form];
            arguments.extend_from_slice(more);
            cage.check(&arguments);
        }
    }
    assert!(cage.song(&["dump", "--node", "n", "--show-secrets"]).is_some());
}

/// Errors after a secret was unwrapped, and commands that read data on the way.
fn programs_that_fail_show_none(cage: &Cage) {
    let programs = [
        "Integer(lookup('password'))",
        "Integer(lookup('structure').unwrap['a'])",
        "fail(\"no ${lookup('password')}\")",
        "$x = lookup('pin').unwrap  Boolean($x)",
        "lookup('password') + 1",
        "lookup('wrong')",
        "notify { lookup('password'): } notify { lookup('password'): }",
    ];
    for code in programs {
        cage.check(&["eval", "-e", code]);
        cage.check(&["eval", "--json", "-e", code]);
        cage.check(&["catalog", "compile", "n", "-e", code]);
    }
    for arguments in [
        &["catalog", "compile", "n"][..],
        &["lookup", "password", "--node", "n", "--compile"],
        &["doctor"],
        &["set", "inside", "x", "--node", "n", "--dry-run"],
        &["set", "password.x", "x", "--node", "n", "--dry-run"],
        &["yaml", "get", "data/high.eyaml", "/password"],
        &["template", "-e", "{{ nope }}", "--data", "data/common.yaml"],
    ] {
        // What a file holds in clear text is not decrypted.
        let text = cage.song(arguments).unwrap_or_default();
        assert!(
            !text.contains("canary-encrypted") && !text.contains("canary-tokens"),
            "{arguments:?}\n{text}"
        );
    }
}
