//! A canary in every cage: secrets that take many ways through data, asked for by every command in every form, with good
//! and with failing input. None of them may sing where nobody asked for its value.
//!
//! A command that is new has to be asked here too: at the end all commands that the manual has a page of are compared with those
//! that were asked.

#[path = "canary/cage.rs"]
mod cage;
mod common;

use cage::{CANARIES, COMMON, Cage, KEYS};

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
    documents_and_templates_show_none(&cage);
    work_on_encrypted_files_shows_none(&cage);
    fleets_show_none(&cage);
    staged_secrets_are_not_shown(&cage);
    checks_show_none(&cage);
    stores_and_tools_show_none(&cage);
    edits_of_documents_show_none(&cage);
    #[cfg(feature = "serve")]
    servers_show_none(&cage);
    every_command_was_asked(&cage);
}

/// What is wrong with data is told without the data.
fn checks_show_none(cage: &Cage) {
    for form in ["text", "json", "jsonl", "csv", "markdown", "github", "sarif", "codeclimate", "junit"] {
        for command in [
            &["check"][..],
            &["check", "--compile"],
            &["check", "--strict-types"],
            &["check", "data/high.eyaml", "data/common.yaml", "nowhere.yaml"],
            &["unused"],
            &["unused", "--proof", "static"],
            &["unused", "--proof", "fleet"],
        ] {
            cage.check(&[command, &["--render-as", form]].concat());
        }
    }
    cage.check(&["check", "--only", "HC101", "--where", "Integer(lookup('password')) > 1"]);
    for form in ["text", "json", "jsonl", "csv"] {
        for query in [
            "select * from answers",
            "select * from leaves",
            "select * from facts",
            "select node from answers where value like '%canary%'",
            "select json_extract(value, '$') from answers where key = 'hash'",
            "select nope from answers",
        ] {
            cage.check(&["sql", query, "--render-as", form]);
        }
    }
    cage.check(&["sql", "select * from changes", "--impact", "HEAD~1..HEAD"]);
    cage.check(&["schema"]);
    cage.check(&["schema", "--for", "hiera"]);
    cage.check(&["eval", "-e", "include m"]);
    cage.check(&["catalog", "compile", "n", "-e", "include m"]);
    cage.check(&["lookup", "m::text", "--node", "n", "--type", "Enum['a', 'b']"]);
    cage.check(&["lookup", "m::number", "--node", "n", "--type", "Integer[1, 5]"]);
    cage.check_decrypted(&["unused", "--fix", "--dry-run"]);
    // Without a key nothing is decrypted, and the file says what is wrong with it.
    let (keys, hidden) = (cage.0.join("keys"), cage.0.join("hidden"));
    std::fs::rename(&keys, &hidden).expect("renamed");
    cage.check(&["check"]);
    cage.check(&["unused"]);
    cage.check(&["lookup", "password", "--node", "n"]);
    std::fs::rename(&hidden, &keys).expect("renamed");
}

/// Commands that have little to do with data, and the store of nodes.
fn stores_and_tools_show_none(cage: &Cage) {
    for arguments in [
        &["nodes", "import", "facts"][..],
        &["nodes", "import", "data/high.eyaml"],
        &["nodes", "list"],
        &["nodes", "list", "--where", "fail(lookup('password'))"],
        &["nodes", "show", "n"],
        &["nodes", "show", "nope"],
        &["nodes", "export", "exported"],
        &["nodes", "forget", "n"],
        &["fleet", "run", "password", "--objects", "file:objects"],
        &["fleet", "work", "--objects", "file:objects", "--run", "nope", "--index", "0", "--of", "1"],
        &["fleet", "status", "--queue", "nowhere"],
        &["doctor"],
        &["doctor", "--node", "n"],
        &["doctor", "--node", "n", "--format", "json"],
        &["doctor", "--node", "n", "--format", "sarif"],
        &["doc", "m"],
        &["doc", "nope"],
        &["hiera", "convert", "old.yaml"],
        &["hiera", "convert", "data/high.eyaml"],
        &["parser", "validate", "manifests/site.pp"],
        &["parser", "validate", "data/high.eyaml"],
        &["parser", "dump", "manifests/site.pp"],
        &["epp", "validate", "data/high.eyaml"],
        &["epp", "dump", "-e", "<%= lookup('password') %>"],
        &["eyaml", "version"],
        &["completions", "bash"],
        &["completions", "nope"],
        &["manual", "pages"],
        &["serve", "--print-openapi"],
        &["serve", "--listen", "nowhere"],
        &["serve", "token", "--name", "x"],
    ] {
        cage.check(arguments);
    }
}

/// Files are edited as they are: what is encrypted stays so.
fn edits_of_documents_show_none(cage: &Cage) {
    let file = "data/high.eyaml";
    for arguments in [
        &["yaml", "get", file, "/password"][..],
        &["yaml", "get", file, "/nope/x"],
        &["yaml", "expand", file],
        &["yaml", "keys", file],
        &["yaml", "lint", file],
        &["yaml", "diff", file, "data/low.eyaml"],
        &["yaml", "merge", file, "data/low.eyaml"],
        &["yaml", "set", file, "/new", "1", "--dry-run"],
        &["yaml", "set", file, "/password/x", "1"],
        &["yaml", "insert", file, "/list/0", "x", "--dry-run"],
        &["yaml", "insert", file, "/password/0", "x"],
        &["yaml", "delete", file, "/password", "--dry-run"],
        &["yaml", "rename", file, "/password", "secret", "--dry-run"],
        &["yaml", "update", file, "--to", "data/low.eyaml", "--dry-run"],
    ] {
        cage.check_decrypted(arguments);
    }
}

/// Every question that a server answers without being asked for anything but the question.
#[cfg(feature = "serve")]
fn servers_show_none(cage: &Cage) {
    let server = common::server::Server::start(&cage.0, &[]);
    let mut paths: Vec<String> =
        ["about", "catalog/n", "catalog/nope", "check", "dump?node=n", "environments"]
            .into_iter()
            .chain(["files", "impact?from=HEAD~1&to=HEAD", "keys", "nodes", "nodes/n/facts", "unused"])
            .chain(["where?expr=Integer(lookup('password'))%3E1", "where?expr=fail(lookup('password'))"])
            .map(str::to_owned)
            .collect();
    for key in KEYS.into_iter().chain(["m::text", "m::number", "m::hash"]) {
        for question in ["lookup", "explain", "origin", "layers", "history"] {
            paths.push(format!("{question}?node=n&key={key}"));
        }
        paths.push(format!("values?key={key}"));
    }
    for path in paths {
        let body = server.get(&format!("/api/v1/{path}")).body;
        let heard = CANARIES.iter().find(|canary| body.contains(*canary));
        assert!(heard.is_none(), "{path}: {heard:?}\n{body}");
    }
}

/// Fails where the manual has a page of a command that nobody asked above.
fn every_command_was_asked(cage: &Cage) {
    let pages = std::fs::read_dir(cage.0.join("pages")).expect("the manual was written");
    let names = pages.map(|page| page.expect("a page").file_name().to_string_lossy().into_owned());
    let names: Vec<String> = names
        .filter_map(|name| Some(name.strip_prefix("hierarch-")?.trim_end_matches(".1").replace('-', " ")))
        .collect();
    let is_group = |name: &str| names.iter().any(|other| other.starts_with(&format!("{name} ")));
    let asked = cage.1.borrow();
    let silent: Vec<&String> =
        names.iter().filter(|name| !asked.contains(*name) && (!is_group(name) || *name == "serve")).collect();
    assert!(names.len() > 40 && silent.is_empty(), "no canary for {silent:?}");
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
        "include w",
        "lookup('named').unwrap + 1",
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

/// What `lookup('hiera', …)` finds is secret in documents and templates; told is it only where that is asked for.
fn documents_and_templates_show_none(cage: &Cage) {
    let site = ["--hiera", ".", "--node", "n", "--facts", "facts/n.yaml"];
    let texts = |key: &str| {
        let value = format!("lookup('hiera', '{key}')");
        [
            format!("{{{{ {value} }}}}"),
            format!("{{{{ {value} | upper }}}}"),
            format!("{{{{ {value} | int(nope) }}}}"),
            format!("{{{{ {value} | nosuchfilter }}}}"),
            format!("{{{{ {value} + 1 }}}}"),
            format!("{{% for x in {value} %}}{{{{ x.y.z }}}}{{% endfor %}}"),
            format!("{{% set v = {value} %}}{{{{ v | from_json }}}}"),
            format!("{{% if {value} is match('(') %}}{{% endif %}}"),
            format!("{{{{ [{value}] | map('no') | list }}}}"),
            format!("{{{{ {{'k': {value}}}['nope'] }}}}"),
        ]
    };
    for key in KEYS.iter().filter(|key| !cage::SENSITIVE.contains(key)) {
        for text in texts(key) {
            cage.check(&[&["template", "-e", &text][..], &site].concat());
            cage.check(&[&["template", "--ansible", "-e", &text][..], &site].concat());
            std::fs::write(cage.0.join("document.yaml"), format!("v: {{eval: {{template: {text:?}}}}}\n"))
                .expect("written");
            for form in ["yaml", "json", "s"] {
                let query = ["query", ".::v", "--data", "document.yaml", "--render-as", form];
                cage.check(&[&query[..], &site].concat());
            }
        }
    }
    let asked = [&["template", "-e", "{{ lookup('hiera', 'password') }}", "--reveal"][..], &site].concat();
    assert!(cage.song(&asked).is_some(), "it is what was asked for");
    assert!(cage.song(&["epp", "render", "-e", "<%= lookup('pin') %>"]).is_some(), "it becomes a file");
    for text in [
        "<%= Integer(lookup('password')) %>",
        "<%= fail(lookup('password')) %>",
        "<%= lookup('pin').unwrap + {} %>",
    ] {
        cage.check(&["epp", "render", "-e", text]);
    }
    for text in [
        "lookup('pin')\n",
        "Integer(lookup('password'))\n",
        "$p = lookup('pin')\n:type $p\n:vars\n$p\n",
        "fail(lookup('wrong'))\n",
        "notify { lookup('password'): } notify { lookup('password'): }\n",
    ] {
        assert_eq!(cage.song_of_input(&["repl"], text), None, "repl {text}");
    }
}

/// Commands that open encrypted files tell nothing but what is asked for, least of all when they fail.
fn work_on_encrypted_files_shows_none(cage: &Cage) {
    let broken = format!(
        "a: {}\nb: ENC[PKCS7,MIIBAAAA]\n",
        String::from_utf8_lossy(
            &cage.run(&["eyaml", "encrypt", "-o", "string", "-s", "canary-encrypted"]).stdout
        )
        .trim()
    );
    std::fs::write(cage.0.join("broken.eyaml"), broken).expect("written");
    std::fs::write(
        cage.0.join("open.yaml"),
        "a: DEC::PKCS7[canary-encrypted]!\nb: DEC::PKCS7[canary-tokens\n",
    )
    .expect("written");
    for arguments in [
        &["eyaml", "encrypt", "-s", "canary-encrypted"][..],
        &["eyaml", "encrypt", "-s", "canary-encrypted", "-l", "k", "-o", "block"],
        &["eyaml", "encrypt", "-e", "open.yaml", "--pkcs7-public-key", "nowhere"],
        &["eyaml", "decrypt", "-e", "broken.eyaml"],
        &["eyaml", "decrypt", "-e", "data/high.eyaml", "--pkcs7-private-key", "keys/public_key.pkcs7.pem"],
        &["eyaml", "decrypt", "-f", "broken.eyaml"],
        &["eyaml", "recrypt", "broken.eyaml"],
        &["eyaml", "recrypt", "data/low.eyaml"],
        &["eyaml", "rotate", "--new-public-key", "keys/public_key.pkcs7.pem", "data/low.eyaml"],
        &["eyaml", "rotate", "--new-public-key", "nowhere", "data/low.eyaml"],
        &["eyaml", "edit", "data/low.eyaml"],
    ] {
        cage.check(arguments);
    }
    for arguments in [
        &["set", "password", "canary-encrypted", "--node", "n", "--dry-run"][..],
        &["set", "password", "canary-encrypted", "--node", "n"],
        &["set", "password", "{a: canary-encrypted}", "--node", "n"],
        &["set", "hash.a", "canary-in-hash", "--node", "n", "--level", "nowhere"],
        &["set", "new", "canary-encrypted", "--node", "n", "--encrypt", "--level", "common"],
    ] {
        cage.check(arguments);
    }
}

/// What stands in clear where it was encrypted is named, not shown.
fn staged_secrets_are_not_shown(cage: &Cage) {
    let high = std::fs::read_to_string(cage.0.join("data/high.eyaml")).expect("readable");
    for secret in
        ["canary-encrypted", "DEC::PKCS7[canary-encrypted]!", "[canary-encrypted, {a: canary-in-hash}]"]
    {
        let lines = high.lines().filter(|line| !line.starts_with("password:")).collect::<Vec<_>>().join("\n");
        std::fs::write(cage.0.join("data/high.eyaml"), format!("password: {secret}\n{lines}\n"))
            .expect("written");
        common::git(&cage.0, &["add", "data/high.eyaml"]);
        for more in [&[][..], &["data/high.eyaml"], &["--since", "HEAD~1"], &["--since", "nowhere"]] {
            cage.check(&[&["eyaml", "check"], more].concat());
        }
    }
    std::fs::write(cage.0.join("data/high.eyaml"), high).expect("written");
    common::git(&cage.0, &["add", "data/high.eyaml"]);
}

/// Questions over many nodes and revisions, in every form.
fn fleets_show_none(cage: &Cage) {
    common::git(&cage.0, &["init", "--quiet", "."]);
    common::git(&cage.0, &["add", "--all"]);
    common::git(&cage.0, &["commit", "--quiet", "--message", "one"]);
    let token = |text: &str| {
        let output = cage.run(&["eyaml", "encrypt", "-o", "string", "-s", text]);
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    };
    let high = std::fs::read_to_string(cage.0.join("data/high.eyaml")).expect("readable");
    let (new, pin) = (token("canary-encrypted 2"), COMMON.replace("pin: 1123581321", "pin: 11235813212"));
    let lines = high.lines().filter(|line| !line.starts_with("password:") && !line.starts_with("mixed:"));
    let changed: Vec<&str> = lines.collect();
    let changed = format!("password: {new}\nmixed: \"{new} x\"\n{}\n", changed.join("\n"));
    std::fs::write(cage.0.join("data/high.eyaml"), changed).expect("written");
    std::fs::write(cage.0.join("data/common.yaml"), pin).expect("written");
    common::git(&cage.0, &["commit", "--quiet", "--all", "--message", "two"]);
    for form in ["text", "json", "jsonl", "csv"] {
        for key in KEYS {
            cage.check(&["values", key, "--render-as", form]);
        }
        for condition in [
            "lookup('password') == 'x'",
            "lookup('password') =~ /canary/",
            "Integer(lookup('password')) > 1",
            "fail(lookup('password'))",
            "lookup('pin').unwrap > 1",
            "Boolean(lookup('pin').unwrap)",
        ] {
            cage.check(&["where", condition, "--values", "--render-as", form]);
        }
    }
    for form in ["text", "json", "markdown", "github", "sarif", "codeclimate", "junit"] {
        cage.check(&["impact", "HEAD~1..HEAD", "--render-as", form]);
        cage.check(&["impact", "HEAD~1..HEAD", "--catalogs", "--render-as", form]);
    }
    for form in ["text", "jsonl"] {
        for key in KEYS {
            cage.check(&["history", key, "--node", "n", "--render-as", form]);
        }
    }
    for more in
        [&["values", "password"][..], &["impact", "HEAD~1..HEAD"], &["history", "password", "--node", "n"]]
    {
        let shown = cage.song(&[more, &["--show-secrets"]].concat());
        assert!(shown.is_some(), "{more:?} tells where that is asked for");
    }
    made_secret_shows_nothing(cage);
    cage.check(&["catalog", "diff", "HEAD~1", "HEAD", "--facts", "facts"]);
    cage.check(&["catalog", "diff", "HEAD~1", "HEAD", "--facts", "facts", "--render-as", "json"]);
}

/// The commit that makes a plain value a secret does not show it, nor does what looks back.
fn made_secret_shows_nothing(cage: &Cage) {
    let text = std::fs::read_to_string(cage.0.join("data/common.yaml")).expect("readable");
    let made = |convert: &str| {
        text.replacen(
            "lookup_options:\n",
            &format!("lookup_options:\n  later: {{convert_to: {convert}}}\n"),
            1,
        )
    };
    for convert in ["String", "Sensitive"] {
        let new = format!("{}later: {}\n", made(convert), CANARIES[0]);
        assert_ne!(made(convert), text, "there are options");
        std::fs::write(cage.0.join("data/common.yaml"), new).expect("written");
        common::git(&cage.0, &["commit", "--quiet", "--all", "--message", convert]);
    }
    for form in ["text", "json", "markdown"] {
        cage.check(&["impact", "HEAD~1..HEAD", "--render-as", form]);
    }
    for form in ["text", "jsonl"] {
        cage.check(&["history", "later", "--node", "n", "--render-as", form]);
    }
    cage.check(&["sql", "select * from changes", "--impact", "HEAD~1..HEAD"]);
}
