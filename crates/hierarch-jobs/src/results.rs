//! Results addressed by what they were made from, in two steps as ccache does it.
//!
//! The engine, the question and the facts name a list of *records*: of what was read the times before. The first record that
//! says the same of the tree at hand names the result. Nothing of that is trusted further than its address.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hierarch_fleet::{FileQuestion, RecordedFiles};
use hierarch_pcore::Value;
use hierarch_site::NodeFacts;
use hierarch_source::{Files, Result};
use rayon::prelude::*;

use crate::objects::{Objects, address};
use crate::question::{Answer, Open, Question};
use crate::run::Chunk;
use crate::tree::{Tree, plain};

/// As many records are kept for a node: states of the repository that were asked about.
const MOST_RECORDS: usize = 16;

/// How results came to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Nodes whose result was there.
    pub found: usize,
    /// Nodes that were asked.
    pub made: usize,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.found += other.found;
        self.made += other.made;
    }
}

/// Who works on chunks of one tree.
pub struct Worker<'w> {
    /// Where everything is.
    pub objects: &'w dyn Objects,
    /// The tree.
    pub tree: Arc<Tree>,
    /// What is asked.
    pub question: &'w Question,
    /// Which build of the program answers.
    pub engine: &'w str,
    /// Opens a site on files.
    pub open: &'w Open<'w>,
}

/// What was read: questions to files, and what the answers were.
type Record = Vec<(char, String, String)>;

impl Worker<'_> {
    /// Works on a chunk: returns its part of the joined answer, what failed, and how results came to be.
    pub fn work(&self, chunk: &Chunk) -> Result<(String, Vec<String>, Counts)> {
        let found = AtomicUsize::new(0);
        let answers: Vec<Answer> = chunk
            .nodes
            .par_iter()
            .map(|(name, facts)| {
                let (answer, is_found) = self.answer(name, facts)?;
                found.fetch_add(usize::from(is_found), Ordering::Relaxed);
                Ok(answer)
            })
            .collect::<Result<_>>()?;
        let found = found.into_inner();
        let counts = Counts { found, made: answers.len() - found };
        let text: String = answers.iter().map(|answer| answer.text.as_str()).collect();
        Ok((text, answers.into_iter().flat_map(|answer| answer.failures).collect(), counts))
    }

    fn answer(&self, name: &str, facts: &NodeFacts) -> Result<(Answer, bool)> {
        let who = self.who(name, facts);
        let list = format!("records/{}/{who}", &who[..2]);
        let known = self.objects.get(&list)?.map(|bytes| records(&bytes)).unwrap_or_default();
        if let Some(record) = known.iter().find(|record| self.is_the_same(record))
            && let Some(bytes) = self.objects.get(&result_name(&who, record))?
            && let Some(answer) = read(&bytes)
        {
            return Ok((answer, true));
        }
        let recorded = Arc::new(RecordedFiles::new(Arc::clone(&self.tree) as Arc<dyn Files>));
        let site = (self.open)(Arc::clone(&recorded) as Arc<dyn Files>);
        let answer = self.question.ask(&site, name, facts.clone());
        let record = self.record(&recorded.asked());
        // The result first: a record that is there has its result.
        self.objects.put(&result_name(&who, &record), &written(&answer))?;
        let mut all = vec![record];
        all.extend(known);
        all.dedup();
        all.truncate(MOST_RECORDS);
        self.objects.put(&list, &records_text(&all))?;
        Ok((answer, false))
    }

    /// Returns the address of all but the files: engine, question, node and facts.
    fn who(&self, name: &str, facts: &NodeFacts) -> String {
        let question = self.question.to_value().to_json();
        let all = Value::hash(facts.facts.clone()).to_json();
        let trusted =
            facts.trusted.clone().map_or_else(String::new, |trusted| Value::hash(trusted).to_json());
        let environment = facts.environment.clone().unwrap_or_default();
        let root = self.tree.root().display().to_string();
        let parts = [self.engine, &question, &root, name, &all, &trusted, &environment];
        address(parts.iter().map(|part| part.as_bytes()))
    }

    fn record(&self, asked: &[FileQuestion]) -> Record {
        let one = |asked: &FileQuestion| {
            let path = plain(asked.path());
            let sign = match asked {
                FileQuestion::Content(_) => 'c',
                FileQuestion::Names(_) => 'n',
                FileQuestion::Presence(_) => 'p',
            };
            let answer = self.said(sign, &path).to_owned();
            (sign, path.display().to_string(), answer)
        };
        asked.iter().map(one).collect()
    }

    fn said(&self, sign: char, path: &Path) -> &str {
        if sign == 'p' { self.tree.kind_at(path) } else { self.tree.id_at(path) }
    }

    fn is_the_same(&self, record: &Record) -> bool {
        record.iter().all(|(sign, path, answer)| self.said(*sign, &PathBuf::from(path)) == answer)
    }
}

fn result_name(who: &str, record: &Record) -> String {
    let text = record_value(record).to_json();
    let id = address([who.as_bytes(), text.as_bytes()]);
    format!("results/{}/{id}", &id[..2])
}

fn record_value(record: &Record) -> Value {
    let one = |(sign, path, answer): &(char, String, String)| {
        let parts = [sign.to_string(), path.clone(), answer.clone()];
        Value::array(parts.into_iter().map(Value::from).collect())
    };
    Value::array(record.iter().map(one).collect())
}

fn records_text(records: &[Record]) -> Vec<u8> {
    Value::array(records.iter().map(record_value).collect()).to_json().into_bytes()
}

/// Reads records; what is damaged is as if it were not there.
fn records(bytes: &[u8]) -> Vec<Record> {
    let read = || {
        let value = hierarch_hiera::read::json(std::str::from_utf8(bytes).ok()?).ok()?;
        let one = |entry: &Value| {
            let parts = entry.as_array()?;
            let text = |index: usize| parts.get(index)?.as_str();
            Some((text(0)?.chars().next()?, text(1)?.to_owned(), text(2)?.to_owned()))
        };
        let list = |record: &Value| record.as_array()?.iter().map(one).collect::<Option<Record>>();
        value.as_array()?.iter().map(list).collect::<Option<Vec<Record>>>()
    };
    read().unwrap_or_default()
}

fn written(answer: &Answer) -> Vec<u8> {
    let failures = answer.failures.iter().map(|why| Value::from(why.as_str())).collect();
    format!("{}\n{}", Value::array(failures).to_json(), answer.text).into_bytes()
}

fn read(bytes: &[u8]) -> Option<Answer> {
    let (failures, text) = std::str::from_utf8(bytes).ok()?.split_once('\n')?;
    let failures = hierarch_hiera::read::json(failures).ok()?;
    let failures =
        failures.as_array()?.iter().map(|why| Some(why.as_str()?.to_owned())).collect::<Option<_>>()?;
    Some(Answer { text: text.to_owned(), failures })
}

#[cfg(test)]
mod tests {
    use hierarch_pcore::Hash;
    use hierarch_site::{Root, Site};
    use hierarch_source::MemoryFiles;

    use super::*;
    use crate::objects::Memory;
    use crate::question::Kind;

    fn tree(north: &str, common: &str) -> Arc<Tree> {
        let files = MemoryFiles::from([
            (
                "/r/hiera.yaml",
                "version: 5\nhierarchy: [{name: A, paths: ['%{facts.site}.yaml', common.yaml]}]\n",
            ),
            ("/r/data/north.yaml", north),
            ("/r/data/common.yaml", common),
            ("/r/manifests/site.pp", "notify { lookup('a'): }\n"),
        ]);
        Arc::new(Tree::read(&files, Path::new("/r"), 10_000).expect("read"))
    }

    fn chunk() -> Chunk {
        let node = |name: &str, site: &str| {
            (name.to_owned(), NodeFacts::from([("site", site)].into_iter().collect::<Hash>()))
        };
        Chunk { nodes: vec![node("n", "north"), node("s", "south")] }
    }

    fn work(objects: &Memory, tree: &Arc<Tree>, kind: Kind, engine: &str) -> (String, Counts) {
        let question = Question { kind, keys: Vec::new() };
        let open = |files: Arc<dyn Files>| Site::on(files).with_root(Root::Repository("/r".into())).build();
        let worker = Worker { objects, tree: Arc::clone(tree), question: &question, engine, open: &open };
        let (text, failures, counts) = worker.work(&chunk()).expect("worked");
        assert!(failures.is_empty(), "{failures:?}");
        (text, counts)
    }

    #[test]
    fn nodes_that_read_nothing_that_changed_are_found() {
        for kind in [Kind::Answers, Kind::Catalogs] {
            let objects = Memory::default();
            let first = tree("a: north\n", "a: common\n");
            let (text, counts) = work(&objects, &first, kind, "1");
            assert_eq!(counts, Counts { found: 0, made: 2 });
            assert_eq!(work(&objects, &first, kind, "1"), (text.clone(), Counts { found: 2, made: 0 }));
            let edited = tree("a: other\n", "a: common\n");
            let (other, counts) = work(&objects, &edited, kind, "1");
            assert_eq!(counts, Counts { found: 1, made: 1 });
            assert_ne!(text, other);
            // Back to what was known; another engine knows nothing.
            assert_eq!(work(&objects, &first, kind, "1"), (text, Counts { found: 2, made: 0 }));
            assert_eq!(work(&objects, &first, kind, "2").1, Counts { found: 0, made: 2 });
        }
    }

    #[test]
    fn a_file_that_appears_is_seen() {
        let objects = Memory::default();
        let first = tree("a: north\n", "a: common\n");
        work(&objects, &first, Kind::Answers, "1");
        let mut files = MemoryFiles::default();
        for path in ["/r/hiera.yaml", "/r/data/north.yaml", "/r/data/common.yaml"] {
            files.insert(path, first.read(Path::new(path)).expect("there"));
        }
        files.insert("/r/data/south.yaml", "a: south\n");
        let more = Arc::new(Tree::read(&files, Path::new("/r"), 10_000).expect("read"));
        let (text, counts) = work(&objects, &more, Kind::Answers, "1");
        assert!(text.contains("\"value\":\"south\""), "{text}");
        assert_eq!(counts.made, 1, "{text}");
    }

    #[test]
    fn what_is_damaged_is_made_again() {
        let objects = Memory::default();
        let first = tree("a: north\n", "a: common\n");
        let (text, _) = work(&objects, &first, Kind::Answers, "1");
        for name in objects.names() {
            objects.put(&name, b"[[").expect("put");
        }
        assert_eq!(work(&objects, &first, Kind::Answers, "1"), (text, Counts { found: 0, made: 2 }));
    }
}
