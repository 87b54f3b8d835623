//! A run: a question about the nodes of one tree, cut into chunks.

use hierarch_fleet::NodeSet;
use hierarch_pcore::{Hash, Value};
use hierarch_site::NodeFacts;
use hierarch_source::{Error, Result};

use crate::issues;
use crate::objects::{Objects, address};
use crate::question::Question;
use crate::results::Counts;

/// A run. Equal runs have equal ids, so that what was done once is not done again.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its id.
    pub id: String,
    /// The id of its tree.
    pub tree: String,
    /// What is asked.
    pub question: Question,
    /// The build of the program that made it.
    pub engine: String,
    /// How many chunks it has.
    pub chunks: usize,
    /// How many nodes.
    pub nodes: usize,
    /// What could not be sent out: nodes without facts.
    pub failures: Vec<String>,
    /// Workers write their parts as tables, too.
    pub has_tables: bool,
}

/// Some nodes of a run, with all that is known of them.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// Names and facts, in order.
    pub nodes: Vec<(String, NodeFacts)>,
}

/// The whole answer of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunAnswer {
    /// The parts of all chunks, in order.
    pub text: String,
    /// What could not be answered.
    pub failures: Vec<String>,
    /// How results came to be.
    pub counts: Counts,
}

impl Run {
    /// Makes a run and puts all that workers need into an object store.
    pub fn make(
        objects: &dyn Objects,
        (tree, engine): (&str, &str),
        (question, has_tables): (Question, bool),
        nodes: &NodeSet,
        size: usize,
    ) -> Result<Self> {
        let (mut all, mut failures) = (Vec::new(), Vec::new());
        for name in nodes.names() {
            match nodes.find(name) {
                Some(Ok(facts)) => all.push((name.to_owned(), facts)),
                Some(Err(error)) => failures.push(format!("{name}: {error}")),
                None => {}
            }
        }
        let chunks: Vec<String> =
            all.chunks(size.max(1)).map(|some| Chunk { nodes: some.to_vec() }.to_text()).collect();
        let asked = question.to_value().to_json();
        let form = if has_tables { "tables" } else { "lines" };
        let parts = [tree, engine, &asked, form].into_iter().chain(chunks.iter().map(String::as_str));
        let id = address(parts.map(str::as_bytes));
        let run = Self {
            id,
            tree: tree.to_owned(),
            question,
            engine: engine.to_owned(),
            chunks: chunks.len(),
            nodes: all.len(),
            failures,
            has_tables,
        };
        for (number, chunk) in chunks.iter().enumerate() {
            objects.put(&run.chunk_name(number), chunk.as_bytes())?;
        }
        // Last: whoever finds the run finds its chunks.
        objects.put(&Self::name(&run.id), run.to_value().to_json().as_bytes())?;
        Ok(run)
    }

    fn name(id: &str) -> String {
        format!("runs/{id}/run.json")
    }

    fn chunk_name(&self, number: usize) -> String {
        format!("runs/{}/chunks/{number:05}.json", self.id)
    }

    fn part_name(&self, number: usize) -> String {
        format!("runs/{}/parts/{number:05}", self.id)
    }

    /// Fetches a run, and refuses it if another build made it.
    pub fn fetch(objects: &dyn Objects, id: &str, engine: &str) -> Result<Self> {
        let name = Self::name(id);
        let bytes = objects.get(&name)?.ok_or_else(|| issues::no_object(&name))?;
        let run = Self::of(id, &hash(&name, &bytes)?)
            .ok_or_else(|| issues::damaged(&name, "a field is missing"))?;
        if run.engine == engine { Ok(run) } else { Err(issues::other_engine(&run.engine, engine)) }
    }

    fn to_value(&self) -> Value {
        let fields = [
            ("format", Value::from("hierarch.run/1")),
            ("tree", Value::from(self.tree.as_str())),
            ("engine", Value::from(self.engine.as_str())),
            ("question", self.question.to_value()),
            ("chunks", Value::from(self.chunks)),
            ("nodes", Value::from(self.nodes)),
            ("failures", texts(&self.failures)),
            ("tables", Value::from(self.has_tables)),
        ];
        Value::hash(fields.into_iter().collect())
    }

    fn of(id: &str, value: &Hash) -> Option<Self> {
        let number = |name: &str| match value.get_str(name)? {
            Value::Integer(number) => usize::try_from(*number).ok(),
            _ => None,
        };
        let text = |name: &str| Some(value.get_str(name)?.as_str()?.to_owned());
        Some(Self {
            id: id.to_owned(),
            tree: text("tree")?,
            engine: text("engine")?,
            question: Question::of(value.get_str("question")?.as_hash()?)?,
            chunks: number("chunks")?,
            nodes: number("nodes")?,
            failures: list(value.get_str("failures")?)?,
            has_tables: matches!(value.get_str("tables"), Some(Value::Boolean(true))),
        })
    }

    /// Returns the name of the folder that holds the tables.
    pub fn tables(&self) -> String {
        format!("runs/{}/tables/{}", self.id, self.question.kind.name())
    }

    /// Returns the name of the table of a chunk.
    pub fn table_name(&self, number: usize) -> String {
        format!("{}/part-{number:05}.parquet", self.tables())
    }

    /// Fetches a chunk.
    pub fn chunk(&self, objects: &dyn Objects, number: usize) -> Result<Chunk> {
        let name = self.chunk_name(number);
        let bytes = objects.get(&name)?.ok_or_else(|| issues::no_object(&name))?;
        Chunk::of(&bytes).ok_or_else(|| issues::damaged(&name, "an entry has another form"))
    }

    /// Puts the part of a chunk.
    pub fn put_part(
        &self,
        objects: &dyn Objects,
        number: usize,
        (text, failures, counts): (&str, &[String], Counts),
    ) -> Result<()> {
        let head = [
            ("found", Value::from(counts.found)),
            ("made", Value::from(counts.made)),
            ("failures", texts(failures)),
        ];
        let head = Value::hash(head.into_iter().collect()).to_json();
        objects.put(&self.part_name(number), format!("{head}\n{text}").as_bytes())
    }

    /// Tells whether the part of a chunk is there.
    pub fn has_part(&self, objects: &dyn Objects, number: usize) -> Result<bool> {
        objects.has(&self.part_name(number))
    }

    /// Joins all parts but those of chunks that failed, whose messages are given.
    pub fn join(&self, objects: &dyn Objects, failed: &[(usize, String)]) -> Result<RunAnswer> {
        let mut joined = RunAnswer { failures: self.failures.clone(), ..RunAnswer::default() };
        let mut missing = Vec::new();
        for number in 0..self.chunks {
            if let Some((_, message)) = failed.iter().find(|(one, _)| *one == number) {
                let names: Vec<String> =
                    self.chunk(objects, number)?.nodes.into_iter().map(|(name, _)| name).collect();
                joined.failures.extend(names.iter().map(|name| format!("{name}: {message}")));
                continue;
            }
            match objects.get(&self.part_name(number))? {
                None => missing.push(number),
                Some(bytes) => self.add(number, &bytes, &mut joined)?,
            }
        }
        if missing.is_empty() { Ok(joined) } else { Err(issues::missing_parts(&missing, self.chunks)) }
    }

    fn add(&self, number: usize, bytes: &[u8], joined: &mut RunAnswer) -> Result<()> {
        let name = self.part_name(number);
        let read = || {
            let (head, text) = std::str::from_utf8(bytes).ok()?.split_once('\n')?;
            let head = hierarch_hiera::read::json(head).ok()?;
            let head = head.as_hash()?;
            let count = |name: &str| match head.get_str(name)? {
                Value::Integer(number) => usize::try_from(*number).ok(),
                _ => None,
            };
            Some((
                text,
                list(head.get_str("failures")?)?,
                Counts { found: count("found")?, made: count("made")? },
            ))
        };
        let (text, failures, counts) =
            read().ok_or_else(|| issues::damaged(&name, "its head is malformed"))?;
        joined.text.push_str(text);
        joined.failures.extend(failures);
        joined.counts += counts;
        Ok(())
    }
}

fn hash(name: &str, bytes: &[u8]) -> Result<Hash> {
    let damaged = |why: &str| -> Error { issues::damaged(name, why) };
    let text = std::str::from_utf8(bytes).map_err(|error| damaged(&error.to_string()))?;
    match hierarch_hiera::read::json(text) {
        Ok(Value::Hash(hash)) => Ok((*hash).clone()),
        _ => Err(damaged("it is no JSON object")),
    }
}

fn texts(list: &[String]) -> Value {
    Value::array(list.iter().map(|text| Value::from(text.as_str())).collect())
}

fn list(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| Some(text.as_str()?.to_owned())).collect()
}

impl Chunk {
    fn to_text(&self) -> String {
        let node = |(name, known): &(String, NodeFacts)| {
            let optional = |value: Option<Value>| value.unwrap_or_default();
            let fields = [
                ("node", Value::from(name.as_str())),
                ("environment", optional(known.environment.as_deref().map(Value::from))),
                ("trusted", optional(known.trusted.clone().map(Value::hash))),
                ("facts", Value::hash(known.facts.clone())),
            ];
            Value::hash(fields.into_iter().collect())
        };
        Value::array(self.nodes.iter().map(node).collect()).to_json()
    }

    fn of(bytes: &[u8]) -> Option<Self> {
        let value = hierarch_hiera::read::json(std::str::from_utf8(bytes).ok()?).ok()?;
        let node = |entry: &Value| {
            let entry = entry.as_hash()?;
            let facts = entry.get_str("facts")?.as_hash()?.clone();
            let trusted = entry.get_str("trusted").and_then(Value::as_hash).cloned();
            let environment = entry.get_str("environment").and_then(Value::as_str).map(str::to_owned);
            Some((entry.get_str("node")?.as_str()?.to_owned(), NodeFacts { facts, trusted, environment }))
        };
        Some(Self { nodes: value.as_array()?.iter().map(node).collect::<Option<_>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Memory;
    use crate::question::Kind;

    fn run(objects: &Memory) -> Run {
        let nodes = ["a", "b", "c"].map(|name| (name.to_owned(), NodeFacts::default()));
        let question = Question { kind: Kind::Answers, keys: vec!["x*".into()] };
        Run::make(objects, ("tree", "engine 1"), (question, false), &NodeSet::of(nodes), 2).expect("made")
    }

    #[test]
    fn a_run_is_found_again_with_its_chunks() {
        let objects = Memory::default();
        let made = run(&objects);
        assert_eq!(run(&objects).id, made.id, "equal runs have equal ids");
        let found = Run::fetch(&objects, &made.id, "engine 1").expect("found");
        assert_eq!((found.chunks, found.nodes, found.question.keys), (2, 3, vec!["x*".to_owned()]));
        let error = Run::fetch(&objects, &made.id, "engine 2").expect_err("another build");
        assert!(error.to_string().contains("made by engine 1, and this is engine 2"), "{error}");
        let names: Vec<String> =
            made.chunk(&objects, 1).expect("a chunk").nodes.into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["c"]);
    }

    #[test]
    fn parts_are_joined_in_order_and_missing_ones_named() {
        let objects = Memory::default();
        let run = run(&objects);
        let counts = Counts { found: 1, made: 1 };
        run.put_part(&objects, 1, ("c\n", &[], counts)).expect("put");
        let error = run.join(&objects, &[]).expect_err("a part is missing");
        assert!(error.to_string().contains("1 of 2 parts are missing: 0"), "{error}");
        let joined = run.join(&objects, &[(0, "five workers were lost".to_owned())]).expect("the rest");
        assert_eq!(joined.failures, ["a: five workers were lost", "b: five workers were lost"]);
        run.put_part(&objects, 0, ("a\nb\n", &["b: why".to_owned()], counts)).expect("put");
        let joined = run.join(&objects, &[]).expect("joined");
        assert_eq!((joined.text.as_str(), joined.counts), ("a\nb\nc\n", Counts { found: 2, made: 2 }));
        assert_eq!(joined.failures, ["b: why"]);
    }
}
