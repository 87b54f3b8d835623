//! How fast catalogs are compiled: in one warm process, everything read, parsed and looked up anew each time.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use hierarch_hiera::facts;
use hierarch_site::Root;
use hierarch_source::{DiskFiles, Source};

use super::bench::STACK;
use super::site::CompiledSite;
use crate::measure::{self, peak_kb};

/// What a compilation costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CatalogCost {
    /// CPU time of the best of some rounds.
    pub time: Duration,
    /// How many resources the catalog has.
    pub resources: usize,
    /// The most memory this process had, in kilobytes.
    pub peak_kb: u64,
}

/// Measures the compilation of the one node of a generated site.
pub fn bench_catalog(site: &Path) -> io::Result<CatalogCost> {
    let site = site.canonicalize()?.display().to_string();
    let worker = thread::Builder::new().stack_size(STACK).spawn(move || best(&site))?;
    let (time, resources) = worker.join().map_err(|_| io::Error::other("the compilation panicked"))??;
    Ok(CatalogCost { time, resources, peak_kb: peak_kb()? })
}

fn best(folder: &str) -> io::Result<(Duration, usize)> {
    const ROUNDS: usize = 3;
    // The clock is coarse, so a round is many compilations of a small site.
    const ENOUGH: Duration = Duration::from_millis(100);
    let site = site(folder)?;
    let mut best = Duration::MAX;
    let mut resources = 0;
    for _ in 0..ROUNDS {
        let start = measure::thread_time()?;
        let mut count = 0;
        while measure::thread_time()?.saturating_sub(start) < ENOUGH {
            let catalog = site.compile().map_err(|error| io::Error::other(error.to_string()))?;
            resources = catalog.resources.len();
            count += 1;
        }
        best = best.min(measure::thread_time()?.saturating_sub(start) / count);
    }
    Ok((best, resources))
}

/// A site with what `scripts/puppet-catalog.rb` gives it.
fn site(folder: &str) -> io::Result<CompiledSite> {
    let facts = format!("{folder}/facts.json");
    let manifest = format!("{folder}/manifests/site.pp");
    let site = CompiledSite {
        files: Arc::new(DiskFiles),
        root: Root::Repository(folder.to_owned()),
        modulepath: None,
        node: "bench.example.com",
        facts: facts::read(&DiskFiles, &facts).map_err(|error| io::Error::other(error.to_string()))?,
        manifest: Source::new(manifest.as_str(), fs::read_to_string(&manifest)?),
        types: OnceLock::new(),
    };
    site.keep_types();
    Ok(site)
}
