//! What every command's help ends with: its exit codes, and examples that a test runs.
//!
//! The same texts make `--help`, the manual pages and the chapter of commands, so that they cannot disagree. A new
//! command adds one entry to [`HELP`]; its examples run in a copy of `examples/control-repo`.

use clap::Command;

/// The end of one command's help.
struct Help {
    /// The words after `hierarch`.
    command: &'static str,
    /// Each exit code with what it means.
    exits: &'static [(u8, &'static str)],
    /// Command lines with what they show; a line that ends in `# exit N` ends with that code.
    examples: &'static [(&'static str, &'static str)],
}

/// Exit codes of commands that print an answer or fail.
const DONE_OR_FAILED: &[(u8, &str)] = &[(0, "done"), (1, "failure")];
/// Exit codes of `lookup`, which are Puppet's.
const FOUND_OR_NOT: &[(u8, &str)] = &[(0, "found"), (1, "not found, or failure")];
/// Exit codes of questions about many nodes.
const SOME_OR_NONE: &[(u8, &str)] = &[(0, "some node"), (1, "failure"), (2, "none")];
/// Exit codes of the search for secrets in clear.
const EXPOSED: &[(u8, &str)] = &[(0, "nothing stands in clear"), (1, "failure"), (2, "something does")];
/// Exit codes of comparisons.
const SAME_OR_DIFFERENT: &[(u8, &str)] = &[(0, "the same"), (1, "failure"), (2, "differences")];

/// Exit codes of questions that may have no answer.
const MATCH_OR_NONE: &[(u8, &str)] = &[(0, "found"), (1, "failure"), (2, "no match")];

/// Exit codes of edits.
const WRITTEN_OR_NOT: &[(u8, &str)] =
    &[(0, "done"), (1, "failure"), (2, "no match; with --check, something would change")];

const HELP: &[Help] = &[
    Help {
        command: "lookup",
        exits: FOUND_OR_NOT,
        examples: &[
            ("hierarch lookup profile::web::port --node web01.berlin.example.com", "A value"),
            (
                "hierarch lookup profile::web::sites --node web01.berlin.example.com --origin",
                "Where every leaf comes from, and what it hides",
            ),
        ],
    },
    Help {
        command: "dump",
        exits: &[(0, "done"), (1, "failure"), (2, "no node has any of the keys that were asked for")],
        examples: &[
            ("hierarch dump 'profile::web::*' --nodes facts", "Some keys of all nodes"),
            ("hierarch dump --nodes facts --render-as jsonl", "All keys of all nodes, a JSON object a line"),
        ],
    },
    Help {
        command: "values",
        exits: SOME_OR_NONE,
        examples: &[
            ("hierarch values ntp::servers", "Who has which servers, and why"),
            (
                "hierarch values profile::web::port --where '$facts[\"role\"] == \"web\"' --render-as json",
                "Some nodes, for tools",
            ),
            ("hierarch values ntp::servers --fact location=tokyo", "What if all nodes were in Tokyo"),
        ],
    },
    Help {
        command: "where",
        exits: SOME_OR_NONE,
        examples: &[
            ("hierarch where 'profile::web::port == 80' --values", "Nodes by the value of a key"),
            (
                "hierarch where 'ntp::servers.size > 1 and $facts[\"os\"][\"family\"] == \"RedHat\"'",
                "Nodes by keys and facts",
            ),
        ],
    },
    Help {
        command: "impact",
        exits: &[(0, "nothing changes"), (1, "could not be asked"), (2, "something changes")],
        examples: &[
            ("hierarch impact", "What the working tree changes, compared with the last commit"),
            (
                "hierarch impact main...HEAD --render-as markdown",
                "What a branch changes, as a comment for its merge request",
            ),
        ],
    },
    Help {
        command: "history",
        exits: DONE_OR_FAILED,
        examples: &[(
            "hierarch history profile::web::port --node web01.berlin.example.com --since 90d",
            "Since when the port is what it is, and who changed it",
        )],
    },
    Help {
        command: "check",
        exits: &[
            (0, "nothing found that counts"),
            (1, "could not be asked"),
            (2, "an error, or what --fail-on names"),
        ],
        examples: &[
            ("hierarch check", "All data files, against the code and the nodes"),
            (
                "hierarch check data/common.yaml --skip HC206 --render-as github",
                "What concerns one file, for GitHub",
            ),
        ],
    },
    Help {
        command: "unused",
        exits: &[
            (0, "nothing found, or removed"),
            (1, "could not be asked"),
            (2, "found; with --dry-run, something would change"),
        ],
        examples: &[
            (
                "hierarch unused  # exit 2",
                "What no code names, no node loads, or other levels make superfluous",
            ),
            (
                "hierarch unused --fix --dry-run  # exit 2",
                "What can go without changing any answer of any node",
            ),
        ],
    },
    Help {
        command: "sql",
        exits: DONE_OR_FAILED,
        examples: &[
            (
                "hierarch sql \"select value, count(*) from answers where key = 'ntp::servers' group by value\"",
                "How many nodes have which servers",
            ),
            (
                "hierarch sql \"select file, count(*) from leaves where key glob 'profile::*' group by 1\"",
                "Which files have how much to say",
            ),
        ],
    },
    Help {
        command: "schema",
        exits: DONE_OR_FAILED,
        examples: &[
            (
                "hierarch schema > data.schema.json",
                "The class parameters, their types and what comments say about them",
            ),
            ("hierarch schema --modeline data.schema.json", "The line that binds a data file to it"),
        ],
    },
    Help {
        command: "serve",
        exits: &[(0, "ended by a signal, or printed"), (1, "failure")],
        examples: &[
            (
                "hierarch serve token ci read facts",
                "A token for a script, with the line for the file of --tokens",
            ),
            ("hierarch serve --print-openapi", "What can be asked, for tools that read OpenAPI"),
        ],
    },
    Help {
        command: "serve token",
        exits: DONE_OR_FAILED,
        examples: &[(
            "hierarch serve token ci read facts >> tokens",
            "A token for a script; the file holds only its hash",
        )],
    },
    Help {
        command: "nodes import",
        exits: DONE_OR_FAILED,
        examples: &[(
            "hierarch nodes import facts",
            "Into .hierarch/nodes.db, which other commands then take nodes from",
        )],
    },
    Help {
        command: "nodes list",
        exits: DONE_OR_FAILED,
        examples: &[(
            "hierarch nodes import facts && hierarch nodes list --where 'profile::web::port == 80'",
            "Nodes of the store, chosen by facts and keys",
        )],
    },
    Help {
        command: "nodes show",
        exits: DONE_OR_FAILED,
        examples: &[(
            "hierarch nodes import facts && hierarch nodes show web01.berlin.example.com",
            "All that the store knows of a node, as JSON",
        )],
    },
    Help {
        command: "nodes forget",
        exits: DONE_OR_FAILED,
        examples: &[(
            "hierarch nodes import facts && hierarch nodes forget web04.tokyo.example.com",
            "A machine that is gone for good",
        )],
    },
    Help {
        command: "nodes export",
        exits: DONE_OR_FAILED,
        examples: &[(
            "hierarch nodes import facts && hierarch nodes export nodes.yaml",
            "A list that --nodes reads",
        )],
    },
    Help {
        command: "set",
        exits: DONE_OR_FAILED,
        examples: &[(
            "hierarch set profile::web::port 8080 --node web01.berlin.example.com --dry-run",
            "What would be written, and where",
        )],
    },
    Help {
        command: "hiera convert",
        exits: DONE_OR_FAILED,
        examples: &[(
            "printf ':backends: [yaml]\\n:hierarchy: [common]\\n' > old.yaml && hierarch hiera convert old.yaml",
            "An old configuration as a new one",
        )],
    },
    Help {
        command: "eyaml createkeys",
        exits: DONE_OR_FAILED,
        examples: &[("hierarch eyaml createkeys", "Makes ./keys with a private and a public key")],
    },
    Help {
        command: "eyaml encrypt",
        exits: DONE_OR_FAILED,
        examples: &[(
            "hierarch eyaml encrypt -s 'a secret'",
            "A text, as a line for a data file and as a block",
        )],
    },
    Help {
        command: "parser validate",
        exits: &[(0, "valid"), (1, "errors")],
        examples: &[("hierarch parser validate manifests site", "All manifests below two folders")],
    },
    Help {
        command: "parser dump",
        exits: &[(0, "done"), (1, "errors")],
        examples: &[("hierarch parser dump -e '$a = 1 + 2'", "The tree of an expression")],
    },
    Help {
        command: "epp render",
        exits: DONE_OR_FAILED,
        examples: &[(
            "hierarch epp render -e 'Hello <%= $who %>' --values '{who => world}'",
            "A template given as text",
        )],
    },
    Help {
        command: "epp validate",
        exits: &[(0, "valid"), (1, "errors")],
        examples: &[("hierarch epp validate site/profile/templates/site.conf.epp", "One template")],
    },
    Help {
        command: "epp dump",
        exits: &[(0, "done"), (1, "errors")],
        examples: &[("hierarch epp dump -e 'Hello <%= $who %>'", "The tree of a template")],
    },
    Help {
        command: "eval",
        exits: DONE_OR_FAILED,
        examples: &[
            ("hierarch eval -e '[1, 2, 3].map |$x| { $x * 2 }'", "The value of an expression"),
            (r#"hierarch eval -e 'type([1, "a"])' --json"#, "Value, type and logs as JSON"),
        ],
    },
    Help {
        command: "doc",
        exits: &[(0, "explained"), (1, "nothing of that name is known")],
        examples: &[
            ("hierarch doc length", "A function"),
            ("hierarch doc Timespan", "A type"),
            ("hierarch doc notify", "A resource type with its attributes"),
            ("hierarch doc ntp", "A class of this repository"),
            ("hierarch doc +include", "A merge directive"),
            ("hierarch doc b64encode", "A filter of templates"),
            ("hierarch doc strict_variables", "A setting"),
        ],
    },
    Help {
        command: "doctor",
        exits: &[(0, "all can be evaluated natively"), (1, "failure"), (2, "findings")],
        examples: &[
            ("hierarch doctor", "The whole repository"),
            ("hierarch doctor --node web01.berlin.example.com", "What one node's catalog is made of"),
            ("hierarch doctor --all", "Which nodes need what cannot run"),
        ],
    },
    Help {
        command: "repl",
        exits: &[(0, "left"), (1, "failure")],
        examples: &[("echo '$x = 2; $x + 3' | hierarch repl", "Lines from a program instead of a person")],
    },
    Help {
        command: "catalog compile",
        exits: &[
            (0, "done"),
            (1, "failed"),
            (3, "compiled with --stub-missing, and placeholders stand for what some functions would give"),
        ],
        examples: &[("hierarch catalog compile web01.berlin.example.com", "The catalog as JSON")],
    },
    Help {
        command: "catalog diff",
        exits: SAME_OR_DIFFERENT,
        examples: &[(
            "hierarch catalog diff . . --facts facts",
            "Every node of a repository, against itself",
        )],
    },
    Help {
        command: "query",
        exits: MATCH_OR_NONE,
        examples: &[("hierarch query '.::domain' --data data/common.yaml", "A value of a document")],
    },
    Help {
        command: "template",
        exits: &[(0, "done"), (1, "failure"), (2, "with --check, something would change")],
        examples: &[(
            "hierarch template -e 'Write to ops@{{ domain }}' --data data/common.yaml",
            "A template given as text",
        )],
    },
    Help {
        command: "yaml expand",
        exits: DONE_OR_FAILED,
        examples: &[("hierarch yaml expand data/common.yaml --render-as json", "A document as JSON")],
    },
    Help {
        command: "yaml get",
        exits: MATCH_OR_NONE,
        examples: &[
            ("hierarch yaml get data/common.yaml /domain --render-as s", "A text without quotes"),
            ("echo 'a: [1, 2]' | hierarch yaml get - /a/1", "An item of a document on standard input"),
            ("echo 'a: [{n: x, v: 1}]' | hierarch yaml get - '/a/[n=x]/v'", "All that a selector leads to"),
        ],
    },
    Help {
        command: "yaml set",
        exits: WRITTEN_OR_NOT,
        examples: &[
            (
                "hierarch yaml set 'data/**/*.yaml' '/**/port' 8443 --diff",
                "Every port of many files, all or nothing, shown as a diff",
            ),
            ("hierarch yaml set data/common.yaml /domain example.org", "One value; nothing else changes"),
            (
                "hierarch yaml set data/common.yaml /new/map/key 1 --parents --dry-run",
                "With the maps around it",
            ),
        ],
    },
    Help {
        command: "yaml insert",
        exits: WRITTEN_OR_NOT,
        examples: &[(
            "hierarch yaml insert data/common.yaml /profile::base::packages/0 tmux --diff",
            "A new first item of a list, shown as a diff",
        )],
    },
    Help {
        command: "yaml rename",
        exits: WRITTEN_OR_NOT,
        examples: &[(
            "hierarch yaml rename data/common.yaml /domain search_domain --diff",
            "A key; its value, place and comments stay",
        )],
    },
    Help {
        command: "yaml delete",
        exits: WRITTEN_OR_NOT,
        examples: &[(
            "hierarch yaml delete data/common.yaml /profile::base::users/alice --diff",
            "An entry, with the comments that belong to it",
        )],
    },
    Help {
        command: "yaml merge",
        exits: DONE_OR_FAILED,
        examples: &[
            (
                "hierarch yaml merge data/common.yaml data/os/Debian.yaml",
                "The second over the first, comments included",
            ),
            (
                "hierarch yaml merge data/common.yaml data/os/Debian.yaml --origin",
                "Where every leaf comes from",
            ),
        ],
    },
    Help {
        command: "yaml lint",
        exits: &[(0, "nothing found"), (1, "failure"), (2, "findings")],
        examples: &[("hierarch yaml lint 'data/**/*.yaml' --allow-surprises", "All data files")],
    },
    Help {
        command: "yaml keys",
        exits: DONE_OR_FAILED,
        examples: &[("hierarch yaml keys kubernetes", "The keys by which lists of Kubernetes meet")],
    },
    Help {
        command: "yaml update",
        exits: WRITTEN_OR_NOT,
        examples: &[(
            "hierarch yaml update data/os/Debian.yaml --to data/os/RedHat.yaml --dry-run",
            "The first file made to say what the second says, with the fewest changes",
        )],
    },
    Help {
        command: "eyaml decrypt",
        exits: DONE_OR_FAILED,
        examples: &[(
            "hierarch eyaml encrypt -s 'a secret' -o string | hierarch eyaml decrypt --stdin",
            "There and back",
        )],
    },
    Help {
        command: "eyaml edit",
        exits: DONE_OR_FAILED,
        examples: &[(
            "hierarch eyaml edit data/common.yaml",
            "Opens $EDITOR with the secrets in clear; what is left unchanged keeps its ciphertext",
        )],
    },
    Help {
        command: "eyaml recrypt",
        exits: DONE_OR_FAILED,
        examples: &[("hierarch eyaml recrypt data/common.yaml", "The same secrets, newly encrypted")],
    },
    Help {
        command: "eyaml version",
        exits: DONE_OR_FAILED,
        examples: &[("hierarch eyaml version", "Also the version of hiera-eyaml whose ways it has")],
    },
    Help {
        command: "eyaml rotate",
        exits: DONE_OR_FAILED,
        examples: &[
            ("hierarch eyaml createkeys --pkcs7-private-key new.pem --pkcs7-public-key new.pub", "New keys"),
            (
                "hierarch eyaml rotate data/common.yaml --new-public-key new.pub",
                "A file whose secrets only the new key opens",
            ),
        ],
    },
    Help {
        command: "eyaml check",
        exits: EXPOSED,
        examples: &[
            ("hierarch eyaml check", "What the next commit would hold, as a hook asks"),
            ("hierarch eyaml check --since HEAD", "All since a revision, as a server asks"),
        ],
    },
    Help {
        command: "yaml diff",
        exits: SAME_OR_DIFFERENT,
        examples: &[(
            "hierarch yaml diff data/os/Debian.yaml data/os/RedHat.yaml  # exit 2",
            "What two documents differ in",
        )],
    },
    Help {
        command: "completions",
        exits: DONE_OR_FAILED,
        examples: &[
            (
                "hierarch completions bash",
                "In ~/.bashrc: source <(hierarch completions bash); zsh: the same in ~/.zshrc; \
                 fish: hierarch completions fish | source in config.fish",
            ),
            ("hierarch completions bash --static", "Only commands and flags"),
        ],
    },
    Help {
        command: "manual",
        exits: DONE_OR_FAILED,
        examples: &[("hierarch manual man", "hierarch.1 and a page for every command, in the folder man")],
    },
];

/// Puts exit codes and examples at the end of every command's help.
pub(super) fn with_examples(command: Command) -> Command {
    HELP.iter().fold(command, |command, help| {
        let words: Vec<&str> = help.command.split(' ').collect();
        below(command, &words, &|command| command.after_help(help.text()))
    })
}

/// Changes the command that some words lead to; words that lead nowhere change nothing, as in a build without a feature.
fn below(command: Command, words: &[&str], change: &dyn Fn(Command) -> Command) -> Command {
    match words {
        [] => change(command),
        [first, ..] if command.find_subcommand(first).is_none() => command,
        [first, rest @ ..] => command.mut_subcommand(*first, |command| below(command, rest, change)),
    }
}

impl Help {
    fn text(&self) -> String {
        let mut text = String::new();
        if !self.examples.is_empty() {
            text.push_str("Examples:\n");
            for (line, shows) in self.examples {
                text.push_str(&format!("  {shows}:\n    {line}\n"));
            }
            text.push('\n');
        }
        text.push_str("Exit codes:\n");
        for (code, meaning) in self.exits {
            text.push_str(&format!("  {code}  {meaning}\n"));
        }
        text
    }
}
