//! Which nodes need what cannot run: each catalog is compiled with placeholders, and those are counted.

use std::collections::BTreeMap;

use hierarch_eval::substitute::{Stub, Substitutes};
use hierarch_source::{Diagnostic, Severity};
use rayon::prelude::*;

use super::super::arguments::{NodeArguments, SiteArguments, node_failure};
use super::super::failure::Failure;
use super::super::issues;
use super::super::language::{STACK, on_large_stack};
use super::super::ruby::StandInArguments;
use super::{Finding, Obstacle};

/// More names of nodes than these are only counted.
const MOST_NAMES: usize = 5;

/// What a node's compilation lacked.
enum Lack {
    Stub(Stub),
    Catalog(Diagnostic),
}

/// Compiles the catalogs of all nodes and says which of them need what cannot run, and what the whole comes to.
pub(super) fn look(
    site: &SiteArguments,
    node: &NodeArguments,
    stand_ins: &StandInArguments,
) -> Result<(Vec<Finding>, String), Failure> {
    let builder = site.builder()?.with_limits(site.limits().with_stack_of(STACK));
    let builder = builder.with_substitutes(Substitutes { stubs: true, ..stand_ins.substitutes()? });
    let site = node.add_freely_to(builder)?.build();
    let names = site.node_source().names(&**site.files()).map_err(|error| node_failure(&error))?;
    if names.is_empty() {
        return Err(issues::no_nodes_to_examine());
    }
    let lacks: Vec<(String, Vec<Lack>)> = names
        .into_par_iter()
        .map(|name| -> Result<_, Failure> {
            let lacks = on_large_stack(|| lacks_of(&site, &name))??;
            Ok((name, lacks))
        })
        .collect::<Result<_, _>>()?;
    Ok(told(lacks))
}

fn lacks_of(site: &hierarch_site::Site, name: &str) -> Result<Vec<Lack>, Failure> {
    let node = site.node(name).map_err(|error| node_failure(&error))?;
    Ok(match node.compile() {
        Ok(catalog) => catalog.stubs.into_iter().map(Lack::Stub).collect(),
        Err(error) => vec![Lack::Catalog(error.into_diagnostic())],
    })
}

/// Makes a finding of each lack, with the nodes that have it.
fn told(lacks: Vec<(String, Vec<Lack>)>) -> (Vec<Finding>, String) {
    let all = lacks.len();
    let (mut with_stubs, mut without_catalog) = (0, 0);
    let mut groups: BTreeMap<(Obstacle, String), (Diagnostic, Vec<String>)> = BTreeMap::new();
    for (name, lacks) in lacks {
        let has_catalog = !lacks.iter().any(|lack| matches!(lack, Lack::Catalog(_)));
        with_stubs += usize::from(has_catalog && !lacks.is_empty());
        without_catalog += usize::from(!has_catalog);
        for lack in lacks {
            let (obstacle, diagnostic) = diagnostic(lack);
            let subject = diagnostic.to_string();
            let group = groups.entry((obstacle, subject)).or_insert_with(|| (diagnostic, Vec::new()));
            if group.1.last() != Some(&name) {
                group.1.push(name.clone());
            }
        }
    }
    let finding =
        |((obstacle, subject), (diagnostic, nodes)): ((Obstacle, String), (Diagnostic, Vec<String>))| {
            let shown = nodes.iter().take(MOST_NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
            let diagnostic = diagnostic.note(issues::needed_by(&shown, nodes.len(), MOST_NAMES));
            let file = diagnostic.file().unwrap_or_default().to_owned();
            Finding { obstacle, subject, diagnostic, file }
        };
    let findings = groups.into_iter().map(finding).collect();
    (findings, issues::nodes_share(all, all - with_stubs - without_catalog, with_stubs, without_catalog))
}

fn diagnostic(lack: Lack) -> (Obstacle, Diagnostic) {
    match lack {
        Lack::Catalog(diagnostic) => (Obstacle::NoCatalog, diagnostic),
        Lack::Stub(stub) => {
            let message = issues::stub_without_place(&stub);
            let mut diagnostic = Diagnostic::new(Severity::Error, "STUB", message);
            diagnostic.place = stub.place;
            (Obstacle::NodeNeeds, diagnostic)
        }
    }
}
