//! `URI.new`: from text, or from named parts.

use std::sync::{Arc, OnceLock};

use hierarch_source::Result;

use super::Host;
use super::constructor::Constructor;
use crate::Value;
use crate::value::Uri;

pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_error",
    locals: &[],
    dispatches: &[
        (&["String[1] uri"], from_text),
        (
            &[
                "Struct[{Optional[scheme] => String[1], Optional[userinfo] => String[1], Optional[host] => String[1], Optional[port] => Integer[0], Optional[path] => String[1], Optional[query] => String[1], Optional[fragment] => String[1], Optional[opaque] => String[1]}] hash",
            ],
            from_hash,
        ),
    ],
    complaints: &[],
    read: OnceLock::new(),
};

fn from_text(arguments: &[Value], _: &dyn Host) -> Result<Value> {
    Uri::parse(arguments[0].as_str().unwrap_or_default()).map(|uri| Value::Uri(Arc::new(uri)))
}

fn from_hash(arguments: &[Value], _: &dyn Host) -> Result<Value> {
    let parts = arguments[0].as_hash().cloned().unwrap_or_default();
    Uri::from_hash(&parts).map(|uri| Value::Uri(Arc::new(uri)))
}
