//! The tables: one list that SQL and Parquet are made from.

/// A column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// It holds whole numbers; else texts.
    pub is_number: bool,
    /// Every row has it.
    pub is_always: bool,
}

/// A table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Its name.
    pub name: &'static str,
    /// What a row is, for people.
    pub doc: &'static str,
    /// Its columns, in order.
    pub columns: &'static [Column],
    /// The column with the name of a node.
    pub node: &'static str,
    /// It has a column `key`.
    pub has_key: bool,
}

const fn text(name: &'static str) -> Column {
    Column { name, is_number: false, is_always: true }
}

const fn perhaps(name: &'static str) -> Column {
    Column { name, is_number: false, is_always: false }
}

const fn number(name: &'static str) -> Column {
    Column { name, is_number: true, is_always: false }
}

/// The nodes that are asked.
pub const NODES: Shape = Shape {
    name: "nodes",
    doc: "a node, when a store last saw it, its facts as JSON",
    columns: &[text("name"), perhaps("environment"), perhaps("seen"), text("facts")],
    node: "name",
    has_key: false,
};

/// The facts.
pub const FACTS: Shape = Shape {
    name: "facts",
    doc: "a leaf of a node's facts: its dotted path, its value as JSON",
    columns: &[text("node"), text("path"), text("value")],
    node: "node",
    has_key: false,
};

/// The values.
pub const ANSWERS: Shape = Shape {
    name: "answers",
    doc: "the value of a key for a node as JSON, its type, how levels were merged, where its first leaf stands",
    columns: &[
        text("node"),
        text("key"),
        text("value"),
        text("type"),
        text("strategy"),
        perhaps("file"),
        number("line"),
    ],
    node: "node",
    has_key: true,
};

/// The leaves of values.
pub const LEAVES: Shape = Shape {
    name: "leaves",
    doc: "a leaf of such a value: its dotted path, its value as JSON, where it stands",
    columns: &[
        text("node"),
        text("key"),
        text("path"),
        text("value"),
        perhaps("file"),
        number("line"),
        number("column"),
    ],
    node: "node",
    has_key: true,
};

/// What differs between two revisions.
pub const CHANGES: Shape = Shape {
    name: "changes",
    doc: "a key whose value changes for a node, with the first line that does it (with --impact)",
    columns: &[
        text("node"),
        text("key"),
        text("kind"),
        perhaps("old"),
        perhaps("new"),
        perhaps("file"),
        number("line"),
        perhaps("proof"),
    ],
    node: "node",
    has_key: true,
};

/// The values that workers of a run found.
pub const RESULTS: Shape = Shape {
    name: "answers",
    doc: "the value of a key for a node as JSON, as workers of a run found it",
    columns: &[text("node"), text("key"), text("value")],
    node: "node",
    has_key: true,
};

/// The catalogs that workers of a run compiled.
pub const CATALOGS: Shape = Shape {
    name: "catalogs",
    doc: "the catalog of a node as JSON, as workers of a run compiled it",
    columns: &[text("node"), text("catalog")],
    node: "node",
    has_key: false,
};

/// All tables of SQL.
pub const SHAPES: &[Shape] = &[NODES, FACTS, ANSWERS, LEAVES, CHANGES];

impl Shape {
    /// Returns the statement that makes the table.
    pub(crate) fn make(&self) -> String {
        let column = |column: &Column| {
            let kind = if column.is_number { "integer" } else { "text" };
            let always = if column.is_always { " not null" } else { "" };
            format!("\"{}\" {kind}{always}", column.name)
        };
        let columns: Vec<String> = self.columns.iter().map(column).collect();
        format!("create table {} ({})", self.name, columns.join(", "))
    }

    /// Returns the statement that puts a row in.
    pub(crate) fn insert(&self) -> String {
        let marks = vec!["?"; self.columns.len()].join(", ");
        format!("insert into {} values ({marks})", self.name)
    }
}

/// A row of `nodes`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownNode {
    /// The node.
    pub name: String,
    /// Its environment.
    pub environment: Option<String>,
    /// When a store last saw it.
    pub seen: Option<String>,
    /// Its facts, as JSON.
    pub facts: String,
    /// The leaves of its facts: paths and values as JSON.
    pub leaves: Vec<(String, String)>,
}

/// A row of `changes`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Change {
    /// The node.
    pub node: String,
    /// The key.
    pub key: String,
    /// What happens.
    pub kind: String,
    /// The value before, as JSON.
    pub old: Option<String>,
    /// The value after, as JSON.
    pub new: Option<String>,
    /// The file with the first edit that does it.
    pub file: Option<String>,
    /// The line of that.
    pub line: Option<u32>,
    /// How the cause was proved.
    pub proof: Option<String>,
}
