//! Catalogs of two states, compared.

use hierarch_site::NodeFacts;
use hierarch_source::MemoryFiles;

use super::*;
use crate::NodeSet;

const SITE: &str = "node default {\n  notify { 'port': message => String(lookup('port')) }\n  if $facts['site'] == 'north' { include extra }\n}\n";

fn site(data: &str, class: &str) -> Site {
    Site::on(MemoryFiles::from([
        ("hiera.yaml", "version: 5\n"),
        ("data/common.yaml", data),
        ("environment.conf", ""),
        ("manifests/site.pp", SITE),
        ("modules/extra/manifests/init.pp", class),
    ]))
    .build()
}

fn nodes() -> NodeSet {
    let node = |name: &str, site: &str| {
        (name.to_owned(), NodeFacts::from([("site", site)].into_iter().collect::<Hash>()))
    };
    NodeSet::of([node("a", "north"), node("b", "south"), node("c", "south")])
}

fn compare(old: &Site, new: &Site, changed: &[&str]) -> CatalogImpact {
    let nodes = nodes();
    let changed: Vec<String> = changed.iter().map(|path| (*path).to_owned()).collect();
    let reopen = |overlay: Overlay| Site::on(overlay).build();
    catalogs(&Comparison {
        old,
        new,
        nodes: &nodes,
        tracked: None,
        changed: &changed,
        reopen: &reopen,
        is_wanted: &|_| true,
        most_tried: 1_000,
        progress: None,
        compiles: false,
    })
}

fn told(answer: &CatalogImpact) -> Vec<String> {
    let group = |group: &CatalogGroup| {
        let parameters: Vec<&str> = group.parameters.iter().map(|(name, _, _)| name.as_str()).collect();
        let causes: Vec<String> =
            group.causes.iter().map(|edit| format!("{}:{}", edit.file, edit.path.join("."))).collect();
        format!(
            "{} {} {parameters:?} on {} because {causes:?} {:?}",
            group.resource,
            group.kind.name(),
            group.nodes.join(" "),
            group.proof.map(Proof::name)
        )
    };
    answer.groups.iter().map(group).collect()
}

#[test]
fn resources_are_traced_to_lines_of_data_and_files_of_code() {
    let old = site("port: 80\n", "class extra { notify { 'x': } }\n");
    let new = site("port: 81\nother: 1\n", "class extra { notify { 'y': } }\n");
    let answer = compare(&old, &new, &["data/common.yaml", "modules/extra/manifests/init.pp"]);
    assert_eq!((answer.changed, answer.unanswered.len()), (3, 0), "{:?}", answer.unanswered);
    assert_eq!(
        told(&answer),
        [
            "Notify[port] changed [\"message\"] on a b c because [\"data/common.yaml:port\"] Some(\"undone\")",
            "Notify[x] removed [] on a because [\"modules/extra/manifests/init.pp:\"] Some(\"file undone\")",
            "Notify[y] added [] on a because [\"modules/extra/manifests/init.pp:\"] Some(\"file undone\")",
        ]
    );
}

#[test]
fn a_catalog_that_fails_newly_is_a_change() {
    let old = site("port: 80\n", "class extra {}\n");
    let new = site("port: 80\n", "class extra { fail('no') }\n");
    let answer = compare(&old, &new, &["modules/extra/manifests/init.pp"]);
    assert_eq!(
        told(&answer),
        ["Catalog failing [] on a because [\"modules/extra/manifests/init.pp:\"] Some(\"file undone\")"]
    );
    assert!(answer.groups[0].failure.as_deref().is_some_and(|why| why.contains("no")));
    assert!(compare(&old, &old, &[]).is_empty());
    let broken = compare(&new, &new, &[]);
    assert_eq!((broken.groups.len(), broken.unanswered.len()), (0, 1), "fails the same on both sides");
}
