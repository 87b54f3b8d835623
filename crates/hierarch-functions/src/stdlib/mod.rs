//! The functions of puppetlabs-stdlib, release 9, and those of older releases that modules still call.
//!
//! They are there whether or not the module is; its functions and types in the Puppet language come from the module.

pub(crate) mod address;
mod addresses;
mod any2array;
mod base64;
mod booleans;
mod catalog;
mod characters;
mod checksums;
mod clamp;
mod concat;
mod convert_base;
mod count;
mod deep_merge;
mod delete;
mod delete_at;
mod delete_regex;
mod deprecation;
mod ends;
mod escape;
mod fact;
mod glob;
mod grep;
mod has_function;
mod interfaces;
mod join_keys_to_values;
mod kinds;
mod line_ends;
mod load;
mod merge;
mod module;
mod nested_values;
mod old;
mod os_version_gte;
mod parse;
mod paths;
mod pick;
mod prefix;
mod pry;
mod pw_hash;
mod random;
mod range;
mod renamed;
mod reverse;
mod rich_data;
mod salted;
mod sets;
mod shell;
mod shuffle;
mod squeeze;
mod texts;
mod time;
mod to_bytes;
mod to_code;
mod to_json;
mod to_toml;
mod to_yaml;
mod validate_cmd;
mod validate_legacy;
mod validate_names;
mod validate_x509;
mod values_at;
mod xml_encode;
mod zip;

use hierarch_eval::function::Function;

/// The functions that declare and find resources.
pub static CATALOG: &[&Function] = catalog::CATALOG;

/// The functions of older releases.
pub static OLD: &[&Function] = old::OLD;

/// The functions of this family.
pub static STDLIB: &[&Function] = &[
    &addresses::ENCLOSE_IPV6,
    &addresses::IP_IN_RANGE,
    &any2array::ANY2ARRAY,
    &base64::BASE64,
    &booleans::ANY2BOOL,
    &booleans::BOOL2NUM,
    &booleans::BOOL2STR,
    &booleans::NUM2BOOL,
    &booleans::STR2BOOL,
    &checksums::CRC32,
    &checksums::FQDN_UUID,
    &checksums::SHA256,
    &clamp::CLAMP,
    &concat::CONCAT,
    &convert_base::CONVERT_BASE,
    &count::COUNT,
    &deep_merge::DEEP_MERGE,
    &delete::DELETE,
    &delete::DELETE_UNDEF_VALUES,
    &delete::DELETE_VALUES,
    &delete_at::DELETE_AT,
    &delete_regex::DELETE_REGEX,
    &deprecation::DEPRECATION,
    &ends::END_WITH,
    &ends::START_WITH,
    &escape::BATCH_ESCAPE,
    &escape::POWERSHELL_ESCAPE,
    &fact::FACT,
    &glob::GLOB,
    &grep::GREP,
    &grep::REJECT,
    &has_function::HAS_FUNCTION,
    &interfaces::HAS_INTERFACE_WITH,
    &interfaces::HAS_IP_ADDRESS,
    &interfaces::HAS_IP_NETWORK,
    &join_keys_to_values::JOIN_KEYS_TO_VALUES,
    &kinds::IS_A,
    &kinds::TYPE_OF,
    &line_ends::DOS2UNIX,
    &line_ends::UNIX2DOS,
    &load::LOADJSON,
    &load::LOADYAML,
    &merge::MERGE,
    &module::GET_MODULE_PATH,
    &module::LOAD_MODULE_METADATA,
    &nested_values::NESTED_VALUES,
    &os_version_gte::OS_VERSION_GTE,
    &parse::PARSEHOCON,
    &parse::PARSEJSON,
    &parse::PARSEPSON_FUNCTION,
    &parse::PARSEYAML,
    &paths::BASENAME,
    &paths::DIRNAME,
    &paths::EXTNAME,
    &pick::PICK,
    &pick::PICK_DEFAULT,
    &prefix::PREFIX,
    &prefix::SUFFIX,
    &pry::PRY,
    &pw_hash::PW_HASH,
    &random::FQDN_RAND_STRING,
    &random::FQDN_ROTATE,
    &random::SEEDED_RAND,
    &random::SEEDED_RAND_STRING,
    &range::RANGE,
    &renamed::BATCH_ESCAPE,
    &renamed::ENSURE_PACKAGES,
    &renamed::FQDN_RAND_STRING,
    &renamed::FQDN_ROTATE,
    &renamed::HAS_INTERFACE_WITH,
    &renamed::MERGE,
    &renamed::OS_VERSION_GTE,
    &renamed::PARSEHOCON,
    &renamed::POWERSHELL_ESCAPE,
    &renamed::SEEDED_RAND,
    &renamed::SEEDED_RAND_STRING,
    &renamed::SHELL_ESCAPE,
    &renamed::TO_JSON,
    &renamed::TO_JSON_PRETTY,
    &renamed::TO_PYTHON,
    &renamed::TO_RUBY,
    &renamed::TO_TOML,
    &renamed::TO_YAML,
    &renamed::TYPE_OF,
    &renamed::VALIDATE_DOMAIN_NAME,
    &renamed::VALIDATE_EMAIL_ADDRESS,
    &reverse::REVERSE,
    &salted::STR2SALTEDPBKDF2,
    &salted::STR2SALTEDSHA512,
    &sets::DIFFERENCE,
    &sets::INTERSECTION,
    &sets::MEMBER,
    &sets::UNION,
    &shell::SHELL_ESCAPE,
    &shell::SHELL_JOIN,
    &shell::SHELL_SPLIT,
    &shuffle::SHUFFLE,
    &squeeze::SQUEEZE,
    &texts::REGEXPESCAPE,
    &texts::SWAPCASE,
    &texts::URIESCAPE_FUNCTION,
    &time::TIME,
    &to_bytes::TO_BYTES,
    &to_code::TO_PYTHON,
    &to_code::TO_RUBY,
    &to_json::TO_JSON,
    &to_json::TO_JSON_PRETTY,
    &to_toml::TO_TOML,
    &to_yaml::TO_YAML,
    &validate_cmd::VALIDATE_AUGEAS,
    &validate_cmd::VALIDATE_CMD,
    &validate_legacy::VALIDATE_LEGACY_FUNCTION,
    &validate_names::VALIDATE_DOMAIN_NAME,
    &validate_names::VALIDATE_EMAIL_ADDRESS,
    &validate_x509::VALIDATE_X509_RSA_KEY_PAIR,
    &values_at::VALUES_AT,
    &xml_encode::XML_ENCODE,
    &zip::ZIP,
];
