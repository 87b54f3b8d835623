//! For tests of what may be shown: a site of one class, one data file and one node.

use hierarch_source::MemoryFiles;

use crate::{KnownNodes, Permissions, Site};

/// Returns a site whose node `a`, with the role `web`, includes the class `app` as it is given here.
pub(crate) fn site_of(data: &str, class: &str, may_show_secrets: bool) -> Site {
    let files = MemoryFiles::from([
        ("hiera.yaml", "version: 5\nhierarchy: [{name: A, path: a.yaml}]\n"),
        ("data/a.yaml", data),
        ("manifests/site.pp", "include app\n"),
        ("modules/app/manifests/init.pp", class),
    ]);
    let nodes = KnownNodes::from([("a", [("role", "web")])]);
    let permissions = Permissions { may_show_secrets, ..Permissions::default() };
    Site::on(files).with_nodes(nodes).with_permissions(permissions).build()
}
