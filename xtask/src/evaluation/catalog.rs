//! How fast catalogs are compiled: in one warm process, everything read, parsed and looked up anew each time.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use hierarch_eval::{Evaluator, Limits, Settings};
use hierarch_hiera::node::Node;
use hierarch_hiera::{Environment, Hiera};
use hierarch_pcore::{Hash, Value};
use hierarch_source::{DiskFiles, Source};

use super::bench::{STACK, peak_kb};
use crate::parser::measure;

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

const NODE: &str = "bench.example.com";

/// Measures the compilation of the one node of a generated site.
pub fn bench_catalog(site: &Path) -> io::Result<CatalogCost> {
    let site = site.canonicalize()?.display().to_string();
    let worker = thread::Builder::new().stack_size(STACK).spawn(move || best(&site))?;
    let (time, resources) = worker.join().map_err(|_| io::Error::other("the compilation panicked"))??;
    Ok(CatalogCost { time, resources, peak_kb: peak_kb()? })
}

fn best(site: &str) -> io::Result<(Duration, usize)> {
    const ROUNDS: usize = 3;
    let mut best = Duration::MAX;
    let mut resources = 0;
    for _ in 0..ROUNDS {
        let start = measure::thread_time()?;
        resources = compile(site)?;
        best = best.min(measure::thread_time()?.saturating_sub(start));
    }
    Ok((best, resources))
}

fn compile(site: &str) -> io::Result<usize> {
    let environment = Environment::load(&DiskFiles, "production", site, &[]);
    let modulepath = environment.modulepath.iter().map(Into::into).collect();
    let hiera =
        Arc::new(Hiera::new(DiskFiles, hierarch_hiera::Settings::default(), environment, String::new()));
    let language =
        hierarch_functions::environment().with_modulepath(modulepath).with_hiera(Arc::clone(&hiera));
    let settings = Settings { node: NODE.to_owned(), ..Settings::default() };
    let limits = Limits::default().with_stack_of(STACK);
    let mut evaluator = Evaluator::new(&language).with_settings(settings).with_limits(limits);
    for (name, value) in node().scope(hiera.log()).variables() {
        evaluator.set_variable(name.as_str().unwrap_or_default(), value.clone());
    }
    let manifest = format!("{site}/manifests/site.pp");
    let source = Source::new(manifest.as_str(), fs::read_to_string(&manifest)?);
    let catalog = evaluator.compile(&[source]).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(catalog.resources.len())
}

/// The facts that `scripts/puppet-catalog.rb` gives the node.
fn node() -> Node {
    let mut facts: Hash = [("kernel", "Linux")].into_iter().collect();
    facts.insert("os", [("name", "Debian"), ("family", "Debian")].into_iter().collect::<Hash>());
    let mut trusted: Hash = [("certname", NODE), ("authenticated", "local")].into_iter().collect();
    trusted.insert("extensions", Value::from(Hash::new()));
    Node {
        name: NODE.to_owned(),
        facts,
        environment: "production".to_owned(),
        server_facts: Hash::new(),
        trusted: Some(trusted),
    }
}
