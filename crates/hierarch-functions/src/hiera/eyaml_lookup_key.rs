//! `eyaml_lookup_key`: one value of a YAML file, decrypted, for other data functions to call.

use hierarch_eval::hiera::raised;
use hierarch_hiera::issues::path_needed;

use crate::prelude::*;

/// The function `eyaml_lookup_key`.
pub(super) static EYAML_LOOKUP_KEY: Function = Function {
    name: "eyaml_lookup_key",
    doc: "Returns the value of a key in a YAML file whose values may be encrypted. A data function of Hiera: its options name the path and the keys to decrypt with.",
    dispatches: &[on(
        &["String[1] key", "Hash[String[1], Any] options", "Puppet::LookupContext context"],
        of_key,
    )],
    examples: &[Fails("eyaml_lookup_key('a', {})", "'eyaml_lookup_key' expects 3 arguments, got 2")],
};

fn of_key(call: &mut Call) -> Result<Value> {
    let (key, options, context) = (call.str(0).to_owned(), call.hash(1).clone(), call.value(2).clone());
    let Some(path) = options.get_str("path").map(ToString::to_string) else {
        return Err(raised(path_needed("eyaml_lookup_key", "lookup_key")).into());
    };
    let data = call.hiera().read_data(call.name(), &path).map_err(raised)?;
    match data.get_str(&key) {
        Some(value) => call.decrypt(&context, value.clone(), &options, &key),
        None => Err(call.not_found()),
    }
}
