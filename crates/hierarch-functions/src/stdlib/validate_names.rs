//! `stdlib::validate_domain_name` and `stdlib::validate_email_address`: names of hosts and people.

use crate::prelude::*;
use issues::stdlib::says;

/// The function `stdlib::validate_domain_name`.
pub(super) static VALIDATE_DOMAIN_NAME: Function = Function {
    name: "stdlib::validate_domain_name",
    doc: "Fails if any argument is no domain name.",
    dispatches: &[on(&["*Variant[Stdlib::Fqdn, Stdlib::Dns::Zone] values"], validate)],
    examples: &[
        Gives("stdlib::validate_domain_name('a.example', 'b.example.')", "undef"),
        Fails(
            "stdlib::validate_domain_name('a b')",
            "'stdlib::validate_domain_name' parameter 'values' expects a match for",
        ),
        Fails(
            "stdlib::validate_domain_name()",
            "stdlib::validate_domain_name(): Wrong number of arguments need at least one",
        ),
    ],
};

/// The function `stdlib::validate_email_address`.
pub(super) static VALIDATE_EMAIL_ADDRESS: Function = Function {
    name: "stdlib::validate_email_address",
    doc: "Fails if any argument is no address of electronic mail.",
    dispatches: &[on(&["*Stdlib::Email values"], validate)],
    examples: &[
        Gives("stdlib::validate_email_address('a@b.example')", "undef"),
        Fails(
            "stdlib::validate_email_address('a')",
            "'stdlib::validate_email_address' parameter 'values' expects a match for Stdlib::Email",
        ),
    ],
};

fn validate(call: &mut Call) -> Result<Value> {
    if call.count() == 0 {
        return Err(says(call.name(), "Wrong number of arguments need at least one").into());
    }
    Ok(Value::Undef)
}
