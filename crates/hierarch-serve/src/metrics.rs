//! Figures about the server, in the text form that Prometheus reads.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// The upper ends of the buckets of durations, in seconds.
const BUCKETS: [f64; 12] = [0.000_1, 0.000_2, 0.000_5, 0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 2.0, 10.0];

/// What a request was.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct RouteLabels {
    route: &'static str,
    status: u16,
}

/// What is measured.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RouteLabels, Counter>,
    durations: Histogram,
    pub(crate) catalogs: Histogram,
    pub(crate) remembered: Counter,
    pub(crate) asked: Counter,
    pub(crate) reloads: Counter,
    pub(crate) connections: Gauge,
    waiting: Gauge,
    running: Gauge,
    generation: Gauge,
    files: Gauge,
    state_age: Gauge<f64, AtomicU64>,
    memory: Gauge,
}

/// What is measured on demand.
pub(crate) struct Now {
    pub(crate) waiting: usize,
    pub(crate) running: usize,
    pub(crate) generation: u64,
    pub(crate) files: usize,
    pub(crate) state_age: Duration,
    pub(crate) memory: Option<u64>,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let metrics = Self {
            registry: Registry::with_prefix("hierarch"),
            requests: Family::default(),
            durations: Histogram::new(BUCKETS),
            catalogs: Histogram::new(BUCKETS),
            remembered: Counter::default(),
            asked: Counter::default(),
            reloads: Counter::default(),
            connections: Gauge::default(),
            waiting: Gauge::default(),
            running: Gauge::default(),
            generation: Gauge::default(),
            files: Gauge::default(),
            state_age: Gauge::default(),
            memory: Gauge::default(),
        };
        metrics.registered()
    }

    fn registered(mut self) -> Self {
        let all = &mut self.registry;
        all.register("requests", "Requests by route and status", self.requests.clone());
        all.register_with_unit(
            "request_duration",
            "How long requests took",
            Unit::Seconds,
            self.durations.clone(),
        );
        all.register_with_unit(
            "catalog_duration",
            "How long catalogs took",
            Unit::Seconds,
            self.catalogs.clone(),
        );
        all.register("survey_hits", "Lookups whose answer was known", self.remembered.clone());
        all.register("survey_lookups", "Lookups", self.asked.clone());
        all.register("reloads", "States that were made because files changed", self.reloads.clone());
        all.register("connections", "Open connections", self.connections.clone());
        all.register("queue_depth", "Questions that wait", self.waiting.clone());
        all.register("questions_running", "Questions that are being answered", self.running.clone());
        all.register("generation", "The number of the state", self.generation.clone());
        all.register("files", "Files of the state", self.files.clone());
        all.register_with_unit("state_age", "How old the state is", Unit::Seconds, self.state_age.clone());
        all.register_with_unit("memory", "Memory of the process", Unit::Bytes, self.memory.clone());
        self
    }

    /// Counts a request.
    pub(crate) fn count(&self, route: &'static str, status: u16, took: Duration) {
        self.requests.get_or_create(&RouteLabels { route, status }).inc();
        self.durations.observe(took.as_secs_f64());
    }

    /// Returns everything as text.
    pub(crate) fn text(&self, now: &Now) -> String {
        let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        self.waiting.set(number(now.waiting as u64));
        self.running.set(number(now.running as u64));
        self.generation.set(number(now.generation));
        self.files.set(number(now.files as u64));
        self.state_age.set(now.state_age.as_secs_f64());
        self.memory.set(number(now.memory.unwrap_or(0)));
        let mut text = String::new();
        // A text in memory can always be written to.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_route_and_status() {
        let metrics = Metrics::new();
        metrics.count("/api/v1/lookup", 200, Duration::from_micros(150));
        metrics.count("/api/v1/lookup", 200, Duration::from_millis(3));
        let now = Now {
            waiting: 1,
            running: 2,
            generation: 7,
            files: 3,
            state_age: Duration::from_secs(4),
            memory: Some(5),
        };
        let text = metrics.text(&now);
        for line in [
            "hierarch_requests_total{route=\"/api/v1/lookup\",status=\"200\"} 2",
            "hierarch_request_duration_seconds_bucket{le=\"0.0002\"} 1",
            "hierarch_generation 7",
            "hierarch_state_age_seconds 4.0",
            "hierarch_memory_bytes 5",
        ] {
            assert!(text.contains(line), "{line} is not in\n{text}");
        }
    }
}
