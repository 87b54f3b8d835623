//! All SQL, written for PostgreSQL; SQLite leaves the casts out.

/// The number of the tables' form. A store with a greater one is of a newer program.
pub(crate) const FORMAT: i64 = 1;

/// Makes the tables.
pub(crate) const MAKE: &str = "
create table if not exists factset (hash bytea primary key, json jsonb not null);
create table if not exists node (name text primary key, environment text, facts bytea references factset, trusted jsonb,
    source text not null, seen timestamptz not null, gone timestamptz);
create table if not exists sighting (node text, seen timestamptz, facts bytea references factset, primary key (node, seen));
create table if not exists format (number int not null);
";

/// Sources whose import has begun and not ended. Stores of before have no such table.
pub(crate) const MAKE_UNFINISHED: &str = "create table if not exists unfinished (source text primary key)";
pub(crate) const BEGIN_IMPORT: &str = "insert into unfinished (source) values ($1) on conflict do nothing";
pub(crate) const END_IMPORT: &str = "delete from unfinished where source = $1";
pub(crate) const UNFINISHED: &str = "select source from unfinished order by source";

pub(crate) const READ_FORMAT: &str = "select number from format";
pub(crate) const WRITE_FORMAT: &str =
    "insert into format (number) select $1::text::int where not exists (select 1 from format)";

/// Names, environments, trusted facts, sources, and the hashes of facts: all but the facts themselves.
pub(crate) const NODES: &str =
    "select name, environment, trusted::text, source, seen::text, gone::text from node order by name";
/// The nodes that there are, and their environments: what every question begins with.
pub(crate) const NAMES: &str = "select name, environment from node where gone is null order by name";
pub(crate) const HASHES: &str = "select name, facts from node";
pub(crate) const FACTS: &str = "select f.json::text, n.trusted::text, n.environment from node n join factset f on f.hash = n.facts where n.name = $1";

pub(crate) const PUT_FACTS: &str =
    "insert into factset (hash, json) values ($1, $2::text::jsonb) on conflict do nothing";
pub(crate) const PUT_NODE: &str = "insert into node (name, environment, facts, trusted, source, seen, gone)
    values ($1, $2, $3, $4::text::jsonb, $5, $6::text::timestamptz, null)
    on conflict (name) do update set environment = excluded.environment, facts = excluded.facts, trusted = excluded.trusted,
        source = excluded.source, seen = excluded.seen, gone = null";
pub(crate) const PUT_SIGHTING: &str =
    "insert into sighting (node, seen, facts) values ($1, $2::text::timestamptz, $3) on conflict do nothing";
pub(crate) const MARK_GONE: &str =
    "update node set gone = $2::text::timestamptz where name = $1 and gone is null";
pub(crate) const FORGET_SIGHTINGS: &str = "delete from sighting where node = $1";
pub(crate) const FORGET_NODE: &str = "delete from node where name = $1";
pub(crate) const FORGET_FACTS: &str =
    "delete from factset where hash not in (select facts from node where facts is not null)
    and hash not in (select facts from sighting where facts is not null)";

/// Makes the table of exported resources, which is there once something was exported: older programs do not miss it. The
/// resources are a text, because `jsonb` would put their parameters into another order.
pub(crate) const MAKE_EXPORTS: &str =
    "create table if not exists exports (node text primary key, resources text not null);";
pub(crate) const PUT_EXPORTS: &str = "insert into exports (node, resources) values ($1, $2)
    on conflict (node) do update set resources = excluded.resources";
pub(crate) const EXPORTS: &str = "select e.node, e.resources from exports e left join node n on n.name = e.node where n.gone is null order by e.node";
pub(crate) const FORGET_EXPORTS: &str = "delete from exports where node = $1";
