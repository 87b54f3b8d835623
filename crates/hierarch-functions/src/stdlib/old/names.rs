//! `is_domain_name` and `is_ip_address`: names and addresses of machines.

use super::super::address::Network;
use crate::prelude::*;
use issues::stdlib::bare_count;

/// The function `is_domain_name`.
pub(super) static IS_DOMAIN_NAME: Function = Function {
    name: "is_domain_name",
    doc: "Tells whether a value is a domain name.",
    dispatches: &[legacy(-1, is_domain_name)],
    examples: &[
        Gives("is_domain_name('a.example')", "true"),
        Gives("is_domain_name('192.0.2.1')", "false"),
        Fails("is_domain_name()", "is_domain_name(): Wrong number of arguments given 0 for 1"),
    ],
};

/// The function `is_ip_address`.
pub(super) static IS_IP_ADDRESS: Function = Function {
    name: "is_ip_address",
    doc: "Tells whether a value is an address of version 4 or 6.",
    dispatches: &[legacy(-1, is_ip_address)],
    examples: &[
        Gives("is_ip_address('192.0.2.1')", "true"),
        Gives("is_ip_address('192.0.2')", "false"),
        Fails("is_ip_address()", "is_ip_address(): Wrong number of arguments given 0 for 1"),
    ],
};

fn is_domain_name(call: &mut Call) -> Result<Value> {
    if call.count() != 1 {
        return Err(bare_count("is_domain_name", call.count(), "1").into());
    }
    Ok(call.value(0).as_str().is_some_and(is_domain).into())
}

fn is_domain(text: &str) -> bool {
    if text == "." {
        return true;
    }
    let name = text.strip_suffix('.').unwrap_or(text);
    let is_letters = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let has_good_end = name.rsplit_once('.').is_none_or(|(_, last)| is_letters(last));
    // Empty labels at the end do not count.
    !name.is_empty()
        && name.chars().count() <= 255
        && has_good_end
        && name.trim_end_matches('.').split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.chars().count())
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

fn is_ip_address(call: &mut Call) -> Result<Value> {
    if call.count() != 1 {
        return Err(bare_count("is_ip_address", call.count(), "1").into());
    }
    Ok(call.value(0).as_str().is_some_and(|text| Network::read(text).is_ok()).into())
}
