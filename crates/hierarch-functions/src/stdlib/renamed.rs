//! Functions that moved to the name space `stdlib`, under their old names: they warn, and do what the new ones do.

use super::deprecation::warn_of_use;
use crate::prelude::*;

/// Makes the function of an old name; its examples are a call and what it gives.
macro_rules! renamed {
    ($symbol:ident, $name:literal, $example:expr) => {
        #[doc = concat!("The function `", $name, "`.")]
        pub(super) static $symbol: Function = Function {
            name: $name,
            doc: concat!("Does what `stdlib::", $name, "` does, and warns that this is its name now."),
            dispatches: &[on(&["*Any args"], renamed)],
            examples: &[$example],
        };
    };
}

renamed!(BATCH_ESCAPE, "batch_escape", Gives("batch_escape('a')", "'\"a\"'"));
renamed!(ENSURE_PACKAGES, "ensure_packages", Fails("ensure_packages(1)", "'stdlib::ensure_packages'"));
renamed!(FQDN_RAND_STRING, "fqdn_rand_string", Gives("fqdn_rand_string(2, 'a')", "'aa'"));
renamed!(FQDN_ROTATE, "fqdn_rotate", Gives("fqdn_rotate(['a'])", "['a']"));
renamed!(
    HAS_INTERFACE_WITH,
    "has_interface_with",
    Fails("has_interface_with()", "'stdlib::has_interface_with'")
);
renamed!(
    OS_VERSION_GTE,
    "os_version_gte",
    Fails("os_version_gte('a')", "'stdlib::os_version_gte' expects 2 arguments, got 1")
);
renamed!(PARSEHOCON, "parsehocon", Gives("parsehocon('a = 1')", "{'a' => 1}"));
renamed!(POWERSHELL_ESCAPE, "powershell_escape", Gives("powershell_escape('a b')", "'a` b'"));
renamed!(SEEDED_RAND, "seeded_rand", Gives("seeded_rand(1, 'a')", "0"));
renamed!(SEEDED_RAND_STRING, "seeded_rand_string", Gives("seeded_rand_string(2, 'a', 'bb')", "'bb'"));
renamed!(SHELL_ESCAPE, "shell_escape", Gives("shell_escape('a b')", "'a\\ b'"));
renamed!(TO_JSON, "to_json", Gives("to_json([1])", "'[1]'"));
renamed!(TO_JSON_PRETTY, "to_json_pretty", Gives("to_json_pretty([1])", "\"[\\n  1\\n]\\n\""));
renamed!(TO_PYTHON, "to_python", Gives("to_python(undef)", "'None'"));
renamed!(TO_RUBY, "to_ruby", Gives("to_ruby(undef)", "'nil'"));
renamed!(TO_TOML, "to_toml", Gives("to_toml({a => 1})", "\"a = 1\\n\""));
renamed!(TO_YAML, "to_yaml", Gives("to_yaml([1])", "\"---\\n- 1\\n\""));
renamed!(TYPE_OF, "type_of", Gives("type_of(1)", "Integer[1, 1]"));
renamed!(VALIDATE_DOMAIN_NAME, "validate_domain_name", Gives("validate_domain_name('a.example')", "undef"));
renamed!(
    VALIDATE_EMAIL_ADDRESS,
    "validate_email_address",
    Gives("validate_email_address('a@b.example')", "undef")
);

/// The function `merge`.
pub(super) static MERGE: Function = Function {
    name: "merge",
    doc: "Does what `stdlib::merge` does, and warns that this is its name now.",
    dispatches: &[on(&["*Any args", "?&Variant[Callable[2, 2], Callable[3, 3]] block"], renamed)],
    examples: &[
        Gives("merge({a => 1}, {b => 2})", "{'a' => 1, 'b' => 2}"),
        Fails("merge({}, 1)", "The function 'stdlib::merge' was called with arguments it does not accept."),
    ],
};

fn renamed(call: &mut Call) -> Result<Value> {
    let name = call.name();
    warn_of_use(call, name, &issues::stdlib::renamed(name));
    let arguments = call.take_all().into_vec();
    call.call_function(&format!("stdlib::{}", call.name()), arguments, true)
}
