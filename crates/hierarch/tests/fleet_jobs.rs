//! `hierarch fleet run|work|status`: joined answers are those of one process, results are found again, shares without a queue.
//! What needs a PostgreSQL server runs where `HIERARCH_TEST_POSTGRES` names one (`scripts/test-postgres` starts one).
#![cfg(feature = "jobs")]

mod common;

use std::path::Path;

use common::{Run, copy_folder, folder_of, hierarch};

fn example() -> tempfile::TempDir {
    let folder = folder_of(&[]);
    copy_folder(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/control-repo"),
        &folder.path().join("site"),
    );
    std::fs::create_dir(folder.path().join("empty")).expect("a folder");
    folder
}

fn objects(folder: &Path) -> String {
    format!("file:{}", folder.join("objects").display())
}

fn run(folder: &Path, arguments: &[&str]) -> Run {
    let objects = objects(folder);
    hierarch(&folder.join("site"), &[&["fleet", "run", "--objects", &objects], arguments].concat(), "")
}

/// Works in a folder that has nothing.
fn work(folder: &Path, arguments: &[&str]) -> Run {
    let objects = objects(folder);
    hierarch(&folder.join("empty"), &[&["fleet", "work", "--objects", &objects], arguments].concat(), "")
}

fn made(run: &Run) -> String {
    assert_eq!(run.code, 0, "{}", run.err);
    run.out.lines().find_map(|line| line.strip_prefix("run ")).expect("a run").to_owned()
}

fn dump(folder: &Path) -> String {
    hierarch(&folder.join("site"), &["dump", "--nodes", "facts", "--render-as", "jsonl"], "").out
}

#[test]
fn shares_without_a_queue_make_the_whole() {
    let folder = example();
    let path = folder.path();
    let id = made(&run(path, &["--chunk", "5"]));
    for index in ["0", "1"] {
        let missing = run(path, &["--collect", &id]);
        assert_eq!(missing.code, 1);
        assert!(missing.err.contains("of 3 parts are missing"), "{}", missing.err);
        let worked = work(path, &["--run", &id, "--index", index, "--of", "2"]);
        assert_eq!(worked.code, 0, "{}", worked.err);
    }
    let joined = run(path, &["--collect", &id]);
    assert_eq!(joined.code, 0, "{}", joined.err);
    assert_eq!(joined.out, dump(path));
    assert!(joined.err.ends_with("12 nodes: 0 found, 12 made\n"), "{}", joined.err);
}

#[test]
fn after_an_edit_most_results_are_found() {
    let folder = example();
    let path = folder.path();
    let whole = |told: &str| {
        let id = made(&run(path, &["--chunk", "50"]));
        assert_eq!(work(path, &["--run", &id, "--index", "0", "--of", "1"]).code, 0);
        let joined = run(path, &["--collect", &id]);
        assert_eq!(joined.out, dump(path));
        assert!(joined.err.ends_with(told), "{told}: {}", joined.err);
    };
    whole("12 nodes: 0 found, 12 made\n");
    let file = path.join("site/data/locations/tokyo.yaml");
    let text = std::fs::read_to_string(&file).expect("a file");
    std::fs::write(&file, text.replace("ntp1.tokyo", "ntp9.tokyo")).expect("written");
    whole("12 nodes: 7 found, 5 made\n");
    std::fs::write(&file, text).expect("written");
    // The run is the one that was made first, with its parts.
    whole("12 nodes: 0 found, 12 made\n");
}

#[test]
fn catalogs_are_those_of_one_process() {
    let folder = example();
    let path = folder.path();
    let id = made(&run(path, &["--question", "catalogs", "--only", "web0*"]));
    assert_eq!(work(path, &["--run", &id, "--index", "0", "--of", "1"]).code, 0);
    let joined = run(path, &["--collect", &id]);
    assert_eq!(joined.code, 0, "{}", joined.err);
    let lines: Vec<serde_json::Value> =
        joined.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(!lines.is_empty());
    for line in lines {
        let node = line["node"].as_str().expect("a name");
        let alone = hierarch(&path.join("site"), &["catalog", "compile", node, "--render-as", "json"], "");
        let catalog: serde_json::Value = serde_json::from_str(&alone.out).expect("JSON");
        for part in ["resources", "edges", "classes", "environment"] {
            assert_eq!(line["catalog"][part], catalog[part], "{node} {part}");
        }
    }
}

/// Parquet is read by the library that writes it in a test of its own, and by DuckDB in `scripts/check-parquet`.
#[cfg(feature = "parquet")]
#[test]
fn workers_write_tables() {
    let folder = example();
    let path = folder.path();
    let id = made(&run(path, &["--chunk", "5", "--render-as", "parquet"]));
    assert_eq!(work(path, &["--run", &id, "--index", "0", "--of", "1"]).code, 0);
    let told = run(path, &["--collect", &id]);
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(told.out.ends_with(&format!("objects/runs/{id}/tables/answers/\n")), "{}", told.out);
    let target = path.join("tables");
    let collected = run(path, &["--collect", &id, "-o", &target.display().to_string()]);
    assert_eq!(collected.code, 0, "{}", collected.err);
    let mut names: Vec<String> = std::fs::read_dir(&target)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    assert_eq!(names, ["part-00000.parquet", "part-00001.parquet", "part-00002.parquet"]);
    assert!(std::fs::read(target.join(&names[0])).expect("a file").starts_with(b"PAR1"));
    let again = run(path, &["--collect", &id, "-o", &target.display().to_string()]);
    assert_eq!(again.code, 1, "what is there stays: {}", again.err);
}

#[test]
fn bad_input_is_told() {
    let folder = example();
    let path = folder.path();
    for (arguments, message) in [
        (
            &["--run", "nothing", "--index", "0", "--of", "1"][..],
            "the object store has no runs/nothing/run.json",
        ),
        (&["--run", "nothing", "--index", "2", "--of", "2"], "--index 2 is not below --of 2"),
        (&["--run", "nothing", "--of", "2"], "--index is missing"),
        (&["--queue", "sqlite:x"], "cannot hand out work"),
        (&["--queue", "x"], "'x' is not the address of a queue"),
        (&["--queue", "postgres://me:s3cret@127.0.0.1:1/x"], "postgres://me@127.0.0.1:1/x"),
    ] {
        let run = work(path, arguments);
        assert_eq!(run.code, 1, "{arguments:?}");
        assert!(run.err.contains(message) && !run.err.contains("s3cret"), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn a_queue_hands_out_the_work() {
    let Ok(server) = std::env::var("HIERARCH_TEST_POSTGRES") else { return };
    let folder = example();
    let path = folder.path();
    let queue = server;
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2)
            .map(|number| {
                let queue = queue.clone();
                let name = format!("w{number}");
                scope.spawn(move || {
                    // A worker that finds nothing to do yet ends at once with --drain: so it comes again.
                    for _ in 0..600 {
                        let run = work(path, &["--queue", &queue, "--drain", "--worker", &name]);
                        assert_eq!(run.code, 0, "{}", run.err);
                        if path.join("done").exists() {
                            break;
                        }
                        std::thread::sleep(std::time::Duration::from_millis(100));
                    }
                })
            })
            .collect();
        let joined = run(path, &["--queue", &queue, "--chunk", "1"]);
        std::fs::write(path.join("done"), "").expect("written");
        assert_eq!(joined.code, 0, "{}", joined.err);
        assert_eq!(joined.out, dump(path));
        workers.into_iter().for_each(|worker| worker.join().expect("ended"));
    });
    let status = hierarch(path, &["fleet", "status", "--queue", &queue], "");
    assert!(status.out.contains("12 of 12 chunks done, 0 taken, 0 failed"), "{}", status.out);
}
