//! Revisions for the server: the very code of `--at`, `impact` and `history`.

use std::sync::Arc;

use hierarch_fleet::NodeSet;
use hierarch_serve::{CommandOutcome, Revisions};
use hierarch_source::Files;

use super::super::arguments::SiteArguments;
use super::super::fleet::at::OpenRepository;
use super::super::fleet::{history, impact};

/// The git repository around the site.
pub(super) struct GitRevisions {
    site: SiteArguments,
}

impl GitRevisions {
    /// Finds the repository; none if there is none with a commit.
    pub(super) fn find(site: &SiteArguments) -> Option<Self> {
        OpenRepository::around(site).ok()?.revision("HEAD").ok()?;
        Some(Self { site: site.clone() })
    }
}

impl Revisions for GitRevisions {
    fn at(&self, name: &str) -> Result<(String, Arc<dyn Files>), String> {
        let open = || {
            let opened = OpenRepository::around(&self.site)?;
            let revision = opened.revision(name)?;
            Ok((revision.commit.clone(), Arc::new(opened.files(&revision)?) as Arc<dyn Files>))
        };
        open().map_err(|failure: super::super::failure::Failure| failure.to_string())
    }

    fn impact(&self, range: &str, nodes: &NodeSet, tells_equal_secrets: bool) -> CommandOutcome {
        impact::json(&self.site, range, nodes, tells_equal_secrets).map_err(|failure| failure.to_string())
    }

    fn history(&self, key: &str, node: &str, nodes: &NodeSet) -> CommandOutcome {
        history::json_lines(&self.site, key, node, nodes).map_err(|failure| failure.to_string())
    }
}
