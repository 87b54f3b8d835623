//! Stores: equal facts once, changes told, broken-off imports, refused formats, and the same answers from SQLite and, where
//! `HIERARCH_TEST_POSTGRES` names a server (`scripts/test-postgres` starts one), from PostgreSQL.
#![cfg(feature = "sqlite")]

use std::collections::BTreeSet;

use std::sync::Mutex;

use hierarch_hiera::read;
use hierarch_pcore::{Hash, Value};
use hierarch_site::{NodeFacts, NodeSource};
use hierarch_source::{DiskFiles, Error, Result};
use hierarch_store::{Address, ImportReport, NodeImport, Store};

fn facts(json: &str) -> NodeFacts {
    match read::json(json) {
        Ok(Value::Hash(hash)) => NodeFacts::from((*hash).clone()),
        other => panic!("{other:?}"),
    }
}

fn import(store: &mut Store, seen: &str, is_whole: bool, nodes: &[(&str, &str)]) -> ImportReport {
    let volatile = ["uptime*".to_owned()];
    let incoming =
        NodeImport { source: "test", seen, volatile: &volatile, is_whole, listed: BTreeSet::new() };
    let nodes = nodes.iter().map(|(name, json)| Ok(((*name).to_owned(), facts(json))));
    store.import(&incoming, nodes).expect("imported")
}

const FIRST: &str = "2026-11-16T09:00:00Z";
const LATER: &str = "2026-11-16T10:00:00Z";

/// One server is shared by all tests.
static SERVER: Mutex<()> = Mutex::new(());

/// Runs a body with a store of each kind that is there.
fn each(body: impl Fn(&Address)) {
    let folder = tempfile::tempdir().expect("a folder");
    body(&Address::Sqlite(folder.path().join("nodes.db")));
    let _turn = SERVER.lock();
    #[cfg(feature = "postgres")]
    if let Ok(server) = std::env::var("HIERARCH_TEST_POSTGRES") {
        let mut client = postgres::Client::connect(&server, postgres::NoTls).expect("a server");
        for table in ["sighting", "node", "factset", "format"] {
            client.batch_execute(&format!("drop table if exists {table} cascade")).expect("dropped");
        }
        body(&Address::parse(&server).expect("an address"));
    }
}

#[test]
fn facts_are_kept_and_found_again() {
    each(|address| {
        let mut store = Store::open(address).expect("made");
        let nodes = [
            ("b", r#"{"role": "db", "n": 1.5, "uptime": 1}"#),
            ("a", r#"{"role": "web", "l": [1, {"x": null}]}"#),
            ("c", r#"{"role": "db", "n": 1.5, "uptime": 9}"#),
        ];
        assert_eq!(
            import(&mut store, FIRST, true, &nodes),
            ImportReport { new: 3, ..ImportReport::default() }
        );
        let again = Store::open_existing(address).expect("there");
        assert_eq!(again.names(&DiskFiles).expect("names"), ["a", "b", "c"]);
        let found = again.find(&DiskFiles, "a").expect("found").expect("known").facts;
        assert_eq!(Value::hash(found), Value::hash(facts(nodes[1].1).facts));
        assert!(again.facts("nobody").expect("asked").is_none());
    });
}

#[test]
fn what_changes_is_told_and_what_goes_is_gone_not_deleted() {
    each(|address| {
        let mut store = Store::open(address).expect("made");
        import(&mut store, FIRST, true, &[("a", r#"{"x": 1, "uptime": 1}"#), ("b", "{}"), ("c", "{}")]);
        let done =
            import(&mut store, LATER, true, &[("a", r#"{"x": 1, "uptime": 2}"#), ("b", r#"{"y": 1}"#)]);
        assert_eq!(done, ImportReport { new: 0, changed: 1, same: 1, gone: 1 });
        let nodes = store.nodes().expect("listed");
        let gone: Vec<&str> =
            nodes.iter().filter(|node| node.gone.is_some()).map(|node| node.name.as_str()).collect();
        assert_eq!(gone, ["c"]);
        let again = Store::open_existing(address).expect("there");
        assert_eq!(again.names(&DiskFiles).expect("names"), ["a", "b"], "those that are gone are not asked");
        let done = import(&mut store, LATER, false, &[("c", "{}")]);
        assert_eq!((done.same, done.gone), (1, 0));
        assert_eq!(store.forget(&["b".into(), "nobody".into()]).expect("forgotten"), ["nobody"]);
        assert_eq!(store.nodes().expect("listed").len(), 2);
    });
}

#[test]
fn a_broken_off_import_leaves_the_last_whole_thousand() {
    each(|address| {
        let mut store = Store::open(address).expect("made");
        let incoming = NodeImport {
            source: "test",
            seen: FIRST,
            volatile: &[],
            is_whole: true,
            listed: BTreeSet::new(),
        };
        let nodes = (0..2500).map(|number: i64| -> Result<(String, NodeFacts)> {
            if number == 2300 {
                return Err(Error::new("TEST", "the connection was lost"));
            }
            Ok((format!("n{number:04}"), NodeFacts::from([("n", number)].into_iter().collect::<Hash>())))
        });
        store.import(&incoming, nodes).expect_err("broken off");
        let again = Store::open_existing(address).expect("there");
        assert_eq!(again.names(&DiskFiles).expect("names").len(), 2000);
    });
}

#[test]
fn what_is_no_store_of_ours_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = Address::Sqlite(folder.path().join("none.db"));
    let error = Store::open_existing(&missing).err().expect("missing");
    assert!(error.to_string().contains("there is no store"), "{error}");
    let text = folder.path().join("text.db");
    std::fs::write(&text, "this is no database\n".repeat(100)).expect("written");
    assert!(Store::open(&Address::Sqlite(text)).is_err());
    let newer = folder.path().join("newer.db");
    drop(Store::open(&Address::Sqlite(newer.clone())).expect("made"));
    let changed = rusqlite::Connection::open(&newer)
        .and_then(|connection| connection.execute("update format set number = 9", []));
    assert_eq!(changed, Ok(1));
    let error = Store::open_existing(&Address::Sqlite(newer)).err().expect("refused");
    assert!(error.to_string().contains("has format 9, and this program knows formats up to 1"), "{error}");
}
