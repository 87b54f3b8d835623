//! `hierarch sql`: tables made of what a query needs, the same answers as other commands give, and what is refused.

mod common;

use std::path::Path;

use common::{Run, copy_folder, folder_of, hierarch};
use serde_json::Value as Json;

fn example() -> tempfile::TempDir {
    let folder = folder_of(&[]);
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/control-repo"), folder.path());
    folder
}

fn sql(folder: &Path, query: &str, more: &[&str]) -> Run {
    hierarch(folder, &[&["sql", query], more].concat(), "")
}

fn rows(folder: &Path, query: &str, more: &[&str]) -> Vec<Json> {
    let run = sql(folder, query, &[more, &["--render-as", "json"]].concat());
    assert_eq!(run.code, 0, "{query}: {}", run.err);
    let answer: Json = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(answer["format"], "hierarch.sql/1");
    answer["rows"].as_array().expect("rows").clone()
}

#[test]
fn groups_of_a_key_are_those_of_values() {
    let folder = example();
    for key in ["ntp::servers", "profile::web::port", "profile::web::sites", "motd::message"] {
        let query = format!(
            "select value, count(*) from answers where key = '{key}' group by value order by 2 desc, 1"
        );
        let mut counted: Vec<(Json, i64)> = rows(folder.path(), &query, &[])
            .iter()
            .map(|row| {
                let value = serde_json::from_str(row[0].as_str().expect("JSON text")).expect("JSON");
                (value, row[1].as_i64().expect("a count"))
            })
            .collect();
        let run = hierarch(folder.path(), &["values", key, "--render-as", "json"], "");
        let values: Json = serde_json::from_str(&run.out).expect("JSON");
        let mut groups: Vec<(Json, i64)> = values["groups"]
            .as_array()
            .expect("groups")
            .iter()
            .map(|group| (group["value"].clone(), group["count"].as_i64().expect("a count")))
            .collect();
        let by_text = |a: &(Json, i64), b: &(Json, i64)| a.0.to_string().cmp(&b.0.to_string());
        counted.sort_by(by_text);
        groups.sort_by(by_text);
        assert!(!groups.is_empty(), "{key} has values");
        assert_eq!(counted, groups, "{key}");
    }
}

#[test]
fn all_answers_are_those_of_dump() {
    let folder = example();
    let run = hierarch(folder.path(), &["dump", "--nodes", "facts", "--render-as", "jsonl"], "");
    let mut dumped: Vec<String> = run
        .out
        .lines()
        .map(|line| {
            let line: Json = serde_json::from_str(line).expect("JSON");
            format!("{} {} {}", line["key"], line["node"], line["value"])
        })
        .collect();
    dumped.sort();
    let mut asked: Vec<String> = rows(folder.path(), "select key, node, value from answers", &[])
        .iter()
        .map(|row| {
            let value: Json = serde_json::from_str(row[2].as_str().expect("text")).expect("JSON");
            format!("{} {} {value}", row[0], row[1])
        })
        .collect();
    asked.sort();
    assert!(dumped.len() > 100);
    assert_eq!(asked, dumped);
}

/// What a `where` clause leaves out is not looked up, and never missed.
#[test]
fn narrowed_queries_answer_as_whole_ones_do() {
    let folder = example();
    let conditions = [
        "key = 'ntp::servers'",
        "key in ('ntp::servers', 'profile::web::port') and node like 'WEB%'",
        "key glob 'profile::web::*' and node glob '*berlin*'",
        "key like 'profile::%port'",
        "node = 'web01.berlin.example.com'",
        "key = 'ntp::servers' or key = 'profile::web::port'",
        "key = 'nowhere'",
    ];
    for condition in conditions {
        let narrow = format!(
            "select node, key, value, type, strategy, file, line from answers where {condition} order by 1, 2"
        );
        // A subquery asks for all.
        let whole = narrow.replace("from answers", "from (select * from answers)");
        assert_eq!(rows(folder.path(), &narrow, &[]), rows(folder.path(), &whole, &[]), "{condition}");
    }
}

#[test]
fn facts_leaves_and_nodes_join() {
    let folder = example();
    let query = "select f.value, count(distinct l.value), count(*) from leaves l join facts f on f.node = l.node \
                 where l.key = 'ntp::servers' and f.path = 'location' group by 1 order by 1";
    let found: Vec<String> = rows(folder.path(), query, &[]).iter().map(ToString::to_string).collect();
    assert_eq!(found, ["[\"\\\"berlin\\\"\",2,14]", "[\"\\\"tokyo\\\"\",1,5]"]);
    let query = "select count(*), count(distinct facts->>'location') from nodes";
    assert_eq!(rows(folder.path(), query, &[])[0], serde_json::json!([12, 2]));
    let leaf = "select file, line, column from leaves where key = 'ntp::servers' and node = 'web01.berlin.example.com'";
    assert_eq!(rows(folder.path(), leaf, &[])[0], serde_json::json!(["data/locations/berlin.yaml", 5, 5]));
}

#[cfg(feature = "git")]
#[test]
fn changes_are_those_of_impact() {
    let folder = example();
    let path = folder.path();
    let git = |arguments: &[&str]| {
        let done = std::process::Command::new("git")
            .args(["-c", "user.name=A", "-c", "user.email=a@example.com"])
            .args(arguments)
            .current_dir(path)
            .status()
            .expect("git runs");
        assert!(done.success());
    };
    git(&["init", "--quiet", "--initial-branch=main"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "start"]);
    let file = path.join("data/common.yaml");
    let text = std::fs::read_to_string(&file).expect("a file");
    std::fs::write(&file, text.replace("profile::web::port: 80\n", "profile::web::port: 8000\n"))
        .expect("written");
    let query =
        "select key, old, new, file, line, count(*) from changes where key = 'profile::web::port' group by 1";
    assert_eq!(
        rows(path, query, &["--impact", "HEAD"])[0],
        serde_json::json!(["profile::web::port", "80", "8000", "data/common.yaml", 57, 8])
    );
    let run = sql(path, "select * from changes", &[]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("--impact"), "{}", run.err);
}

#[test]
fn rows_are_printed_in_all_forms() {
    let folder = example();
    let query =
        "select key, count(*) as n, null as none from answers where key = 'ntp::servers' group by key";
    for (form, wanted) in [
        ("text", "key           n   none\nntp::servers  12\n"),
        ("jsonl", "{\"key\":\"ntp::servers\",\"n\":12,\"none\":null}\n"),
        ("csv", "key,n,none\nntp::servers,12,\n"),
    ] {
        let run = sql(folder.path(), query, &["--render-as", form]);
        assert_eq!((run.code, run.out.as_str()), (0, wanted), "{form}: {}", run.err);
    }
}

#[test]
fn what_is_no_question_or_too_much_is_refused() {
    let folder = example();
    for (query, more, message) in [
        ("delete from nodes", &[][..], "only questions are answered"),
        ("attach 'x.db' as x", &[], "only questions are answered"),
        ("select 1; select 2", &[], "only questions are answered"),
        ("select valu from answers", &[], "no such column: valu"),
        ("selec 1", &[], "near \"selec\": syntax error"),
        ("select * from answers", &["--max-rows", "5"], "and --max-rows is 5: name keys or nodes in `where`"),
        (
            "with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n",
            &["--max-steps", "1000000"],
            "takes more than 1000000 steps; raise --max-steps",
        ),
    ] {
        let run = sql(folder.path(), query, more);
        assert_eq!(run.code, 1, "{query}");
        assert!(run.err.contains(message), "{query}: {}", run.err);
        assert!(run.out.is_empty(), "{query}");
    }
    assert!(!folder.path().join("x.db").exists());
}

#[test]
fn a_data_file_that_cannot_be_read_is_told() {
    let folder = folder_of(&[
        ("hiera.yaml", "version: 5\nhierarchy: [{name: C, path: c.yaml}]\n"),
        ("data/c.yaml", "k: [\n"),
        ("facts/n.yaml", "x: 1\n"),
    ]);
    let run = sql(folder.path(), "select * from answers", &["--fail-on-unanswered"]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.err.contains("c.yaml") && run.err.contains("1 of 1 node could not be asked"), "{}", run.err);
}

#[test]
fn json_has_no_word_for_what_is_not_finite() {
    let found = rows(example().path(), "select 1e400, -1e400, 0.5", &[]);
    assert_eq!(found, [serde_json::json!(["inf", "-inf", 0.5])]);
}
