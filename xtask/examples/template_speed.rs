//! Measures the evaluation of 10,000 values: `template_speed expressions|templates [--text]`. Prints seconds of CPU and a
//! checksum of the answers; with `--text` the question as JSON, for other programs.

use std::io::{self, Write};

use hierarch_compose::expr::{Context, Expressions};
use hierarch_pcore::data::from_json;
use hierarch_pcore::{Hash, Value};
use serde_json::{Value as Json, json};
use sha1::{Digest, Sha1};

const VALUES: usize = 10_000;

/// The document that is asked.
fn document() -> Json {
    let users: Vec<Json> = (0..20)
        .map(|index| json!({"name": format!("user{index}"), "age": 20 + index, "groups": ["all", format!("g{}", index % 3)]}))
        .collect();
    json!({
        "title": "Demo",
        "users": users,
        "instances": {
            "web": {"host": "w1", "port": 8080, "paths": ["/a", "/b"]},
            "db": {"host": "d1", "port": 5432},
        },
    })
}

fn expression(index: usize) -> Json {
    match index % 8 {
        0 => json!({"eval": "::web::port"}),
        1 => json!({"eval": format!("users::[name=user{}]::age", index % 20)}),
        2 => {
            json!({"concat": ["http://", {"eval": "::web::host"}, ":", {"eval": "::web::port"}, format!("/{index}")]})
        }
        3 => json!({"eval": {"if": "::db::port", "then": "::db::host", "else": "title"}}),
        4 => {
            json!({"eval": "$v::host", "vars": {"v": {"eval": format!("::{}", if index % 16 < 8 { "web" } else { "db" })}}})
        }
        5 => {
            json!({"eval": "::web::paths", "foreach": {"eval": {"concat": [{"eval": "$item"}, format!("{index}")]}}})
        }
        6 => json!({"eval": {"eq": [{"eval": "title"}, "Demo"]}}),
        _ => json!({"eval": {"to_dns_label": format!("Host_{index}")}}),
    }
}

fn template(index: usize) -> Json {
    json!(match index % 6 {
        0 => format!("{{{{ {index} + 1 }}}}"),
        1 => format!("http://{{{{ '::web::host' | eval }}}}:{{{{ '::web::port' | eval }}}}/{index}"),
        2 => format!(
            "{{% for user in SELF.users if user.age > {} %}}{{{{ user.name | upper }}}} {{% endfor %}}",
            20 + index % 20
        ),
        3 => format!("{{{{ SELF.users | map(attribute='name') | join(',') }}}}-{index}"),
        4 => format!("{{{{ {{'a': {index}}} | combine({{'b': SELF.title}}) | to_json }}}}"),
        _ => format!(
            "{{{{ 'x{index}' | regex_replace('[0-9]+', 'n') }}}}{{{{ lookup('unfurl', '::db::port') }}}}"
        ),
    })
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let make = if arguments.iter().any(|argument| argument == "templates") { template } else { expression };
    // `--only N`: values of one kind, to see where time goes.
    let only = arguments
        .iter()
        .position(|argument| argument == "--only")
        .and_then(|at| arguments.get(at + 1)?.parse().ok());
    let kinds = if arguments.iter().any(|argument| argument == "templates") { 6 } else { 8 };
    let values: Vec<Json> = (0..VALUES)
        .map(|index| make(only.map_or(index, |kind: usize| index / kinds * kinds + kind)))
        .collect();
    if arguments.iter().any(|argument| argument == "--text") {
        let question = json!({"data": document(), "values": values});
        return writeln!(io::stdout(), "{question}");
    }
    let values = from_json(&Json::Array(values));
    let Value::Hash(document) = from_json(&document()) else { return Err(io::Error::other("no map")) };
    let rounds = 5;
    let start = cpu_seconds();
    let mut answers = Value::Undef;
    for _ in 0..rounds {
        let expressions = Expressions::new(Hash::clone(&document)).map_err(io::Error::other)?;
        answers = expressions.resolve(&values, &Context::default()).map_err(io::Error::other)?;
    }
    let seconds = (cpu_seconds() - start) / f64::from(rounds);
    let checksum: String = Sha1::digest(answers.to_json()).iter().map(|byte| format!("{byte:02x}")).collect();
    writeln!(io::stdout(), "{seconds:.6} {checksum}")
}

/// The CPU time of this process: other work on the machine must not count.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds: f64 = text.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or(0.0);
    nanoseconds / 1e9
}
