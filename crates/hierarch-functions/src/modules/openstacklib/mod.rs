//! Functions of the module openstacklib, which those of OpenStack's services use.

mod addresses;
mod is_service_default;
mod os_transport_url;

use hierarch_eval::function::Function;

/// All of them.
pub(super) static OPENSTACKLIB: &[&Function] = &[
    &addresses::INET6_PREFIX,
    &addresses::NORMALIZE_IP_FOR_URI,
    &is_service_default::IS_SERVICE_DEFAULT,
    &os_transport_url::OS_TRANSPORT_URL,
];
