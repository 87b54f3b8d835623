//! The span of a request, for programs that serve with a `tracing` subscriber of their own. It holds what the log holds: never a
//! query, a header or a body, which may hold what is secret.

use tracing::Span;
use tracing::field::Empty;

/// Opens the span of a request.
pub(crate) fn request(method: &str, path: &str, generation: u64) -> Span {
    tracing::info_span!("request", method, path, generation, route = Empty, name = Empty, status = Empty)
}

/// Notes how a request ended: which route answered it, to whom, and how.
pub(crate) fn end(span: &Span, route: &str, name: &str, status: u16) {
    span.record("route", route).record("name", name).record("status", status);
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;
    use std::sync::{Arc, Mutex};

    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Metadata, Subscriber};

    use super::*;

    /// Notes the fields of all spans.
    #[derive(Clone, Default)]
    struct Notes(Arc<Mutex<Vec<String>>>);

    impl Notes {
        fn all(&self) -> Vec<String> {
            self.0.lock().expect("whole").clone()
        }
    }

    impl Visit for Notes {
        fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
            self.0.lock().expect("whole").push(format!("{}={value:?}", field.name()));
        }
    }

    impl Subscriber for Notes {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, span: &Attributes<'_>) -> Id {
            span.record(&mut self.clone());
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, values: &Record<'_>) {
            values.record(&mut self.clone());
        }

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, _: &Event<'_>) {}

        fn enter(&self, id: &Id) {
            self.0.lock().expect("whole").push(format!("enter {}", id.into_u64()));
        }

        fn exit(&self, id: &Id) {
            self.0.lock().expect("whole").push(format!("exit {}", id.into_u64()));
        }
    }

    #[test]
    fn a_span_tells_what_was_asked_and_how_it_ended() {
        let notes = Notes::default();
        tracing::subscriber::with_default(notes.clone(), || {
            let span = request("GET", "/api/v1/lookup", 3);
            span.in_scope(|| ());
            end(&span, "/api/v1/lookup", "ci", 200);
        });
        assert_eq!(
            notes.all(),
            [
                "method=\"GET\"",
                "path=\"/api/v1/lookup\"",
                "generation=3",
                "enter 1",
                "exit 1",
                "route=\"/api/v1/lookup\"",
                "name=\"ci\"",
                "status=200"
            ]
        );
    }
}
