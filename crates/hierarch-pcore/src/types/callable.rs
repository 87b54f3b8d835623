//! `Callable[A, B, min, max, Block]`, `Callable[[params], Return]`: what can be called, and how.

use super::build::{KeyError, Keyed, split_size};
use super::guide::Guide;
use super::{Guard, IntegerType, Kind, Printer, Rules, RuntimeType, TupleType, Type};
use crate::{Value, infer, issues};

/// Lambdas and functions by parameters, block and result.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct CallableType {
    params: Option<TupleType>,
    block: Option<Type>,
    returns: Option<Type>,
}

impl CallableType {
    /// Makes a callable; without parameters it is any that returns what is wanted.
    pub fn new(params: Option<TupleType>, block: Option<Type>, returns: Option<Type>) -> Self {
        Self { params, block, returns: returns.filter(|returns| !matches!(returns.kind(), Kind::Any(_))) }
    }

    /// Returns the types of the parameters.
    pub fn parameters(&self) -> Option<&TupleType> {
        self.params.as_ref()
    }

    /// Returns the type of the block; none: a block is not accepted.
    pub fn block(&self) -> Option<&Type> {
        self.block.as_ref()
    }

    /// Returns the type of the result; none: anything.
    pub fn returns(&self) -> Option<&Type> {
        self.returns.as_ref()
    }

    /// Tells whether it can be called with these values, and with a block of this type if one is given.
    pub fn takes(&self, arguments: &[Value], block: Option<&Type>) -> bool {
        let Some(params) = &self.params else { return true };
        let block_fits = match (&self.block, block) {
            (None, block) => block.is_none(),
            (Some(wanted), None) => wanted.accepts(&Type::undef()),
            (Some(wanted), Some(block)) => wanted.accepts(block),
        };
        block_fits && params.has_all(arguments, &mut Guard::new())
    }

    /// Makes a callable of keys, as `Callable[keys]` does.
    pub fn of_keys(keys: &[Value]) -> Result<Self, KeyError> {
        let (keys, returns) = match keys {
            [Value::Array(params), returns] => (params.to_vec(), Some(type_of(returns))),
            _ => (keys.to_vec(), None),
        };
        let (keys, block) = match keys.split_last() {
            Some((Value::Type(last), rest)) if last.is_callable(true) => (rest, Some(last.clone())),
            _ => (&keys[..], None),
        };
        let (keys, size) = split_size(keys)?;
        let mut types: Vec<Type> = keys.iter().map(type_of).collect();
        // Sizes without types: so many arguments of whatever type.
        if types.is_empty() && size.is_some_and(|size| size.max.is_none_or(|max| max > 0)) {
            types.push(Type::unit());
        }
        Ok(Self::new(Some(TupleType::new(types, size)), block, returns))
    }

    /// Writes what stands in the brackets before the result.
    fn printed_params(&self, params: &TupleType) -> Vec<Value> {
        let is_unit = |type_: &&Type| matches!(type_.kind(), Kind::Unit(_));
        let types = params.types().iter().filter(|type_| !is_unit(type_)).cloned().map(Value::from);
        let sizes = if params.types().is_empty() {
            vec![Value::from(0), Value::from(0)]
        } else {
            params.size().map_or_else(Vec::new, IntegerType::bounds)
        };
        types.chain(sizes).chain(self.block.clone().map(Value::from)).collect()
    }
}

/// Returns the type that a key stands for: of a value that is not a type, the type of such values.
fn type_of(key: &Value) -> Type {
    match key {
        Value::Type(type_) => type_.clone(),
        Value::String(name) => RuntimeType::ruby(name.as_str()).into(),
        other => infer::generic(other),
    }
}

impl Rules for CallableType {
    fn name(&self) -> &'static str {
        "Callable"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide {
            name: "Callable",
            parameters: "T, …[, min[, max]][, block] or [params], result",
            what: "Lambdas, by what they take and give",
        })
    }

    fn write(&self, printer: &mut Printer) {
        let params = self.params.as_ref().map(|params| self.printed_params(params));
        match (&self.returns, params) {
            (None, params) => printer.parametrized("Callable", &params.unwrap_or_default()),
            (Some(returns), params) => {
                let params = Value::array(params.unwrap_or_default());
                printer.parametrized("Callable", &[params, returns.clone().into()]);
            }
        }
    }

    fn has(&self, value: &Value, guard: &mut Guard) -> bool {
        let Value::Foreign(foreign) = value else { return false };
        Type::from(self.clone()).accepts_guarded(&foreign.inferred(), guard)
    }

    fn accepts(&self, other: &Type, guard: &mut Guard) -> bool {
        let Kind::Callable(other) = other.kind() else { return false };
        if let Some(returns) = &self.returns
            && !returns.accepts_guarded(other.returns.as_ref().unwrap_or(&Type::any()), guard)
        {
            return false;
        }
        let Some(params) = &self.params else { return true };
        // Turned around: what is called must take all that this one may be called with.
        let Some(other_params) = &other.params else { return false };
        if !Type::from(other_params.clone()).accepts_guarded(&params.clone().into(), guard) {
            return false;
        }
        let undef = Type::undef();
        other.block.as_ref().unwrap_or(&undef).accepts_guarded(self.block.as_ref().unwrap_or(&undef), guard)
    }

    fn generalized(&self) -> Option<Type> {
        Some(self.changed(Type::generalized))
    }

    fn normalized(&self) -> Option<Type> {
        Some(self.changed(Type::normalized))
    }

    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        self.params.iter().flat_map(|params| params.types()).for_each(&mut *visit);
        self.block.iter().chain(&self.returns).for_each(visit);
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        if let Some(Value::Array(_)) = keys.first() {
            if keys.len() != 2 {
                let label = issues::type_label(self);
                return Err(KeyError::whole(issues::type_slice_arity(&label, 2, Some(2), keys.len())));
            }
            if !matches!(keys[1], Value::Type(_)) {
                return Err(KeyError::key(1, issues::type_specialization(self, &keys[1], "Any-Type")));
            }
        }
        // Texts are names of Ruby classes.
        let is_nameless = |key: &Value| key.as_str() == Some("");
        let has_nameless = |key: &Value| key.as_array().is_some_and(|keys| keys.iter().any(is_nameless));
        if keys.iter().any(|key| is_nameless(key) || has_nameless(key)) {
            return Err(issues::runtime_name().into());
        }
        Ok(Type::from(Self::of_keys(keys)?).into())
    }
}

impl CallableType {
    fn changed(&self, change: fn(&Type) -> Type) -> Type {
        let params = self
            .params
            .as_ref()
            .map(|params| TupleType::new(params.types().iter().map(change).collect(), params.size()));
        Self { params, block: self.block.as_ref().map(change), returns: self.returns.as_ref().map(change) }
            .into()
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_accepts, check_prints};

    #[test]
    fn parameters_turn_around_and_results_do_not() {
        check_accepts(
            "Callable[Integer]",
            &["Callable[Numeric]", "Callable[Scalar]"],
            &["Callable[Integer[1]]", "Callable"],
        );
        check_accepts(
            "Callable[[Integer], Numeric]",
            &["Callable[[Integer], Integer]"],
            &["Callable[[Integer], String]"],
        );
        check_accepts("Callable", &["Callable[Integer]", "Callable[0, 0]"], &["Integer"]);
    }

    #[test]
    fn callables_print_sizes_blocks_and_results() {
        for (text, expected) in [
            ("Callable[0, 0]", "Callable[0, 0]"),
            ("Callable[1, 2]", "Callable[1, 2]"),
            ("Callable[String, 1, 2, Callable]", "Callable[String, 1, 2, Callable]"),
            ("Callable[[], Integer]", "Callable[[0, 0], Integer]"),
        ] {
            check_prints(text, expected);
        }
    }

    #[test]
    fn parameters_block_and_result_are_told_apart() {
        check_facts(&[
            ("Callable[Integer]", "Callable[Integer]"),
            ("Callable[Integer, 0, 1]", "Callable[Integer, 0, 1]"),
            ("Callable[Integer, 1, default]", "Callable[Integer, 1]"),
            ("Callable[Integer, String, 2]", "Callable[Integer, String, 2]"),
            ("Callable[Integer, Callable[String]]", "Callable[Integer, Callable[String]]"),
            ("Callable[Integer, Optional[Callable]]", "Callable[Integer, Optional[Callable]]"),
            ("Callable[[Integer], String]", "Callable[[Integer], String]"),
            ("Callable[[Integer, Callable], String]", "Callable[[Integer, Callable], String]"),
            ("Callable[[0, 0], String]", "Callable[[0, 0], String]"),
            ("Callable[[], String]", "Callable[[0, 0], String]"),
            ("Callable[Undef, 0]", "Callable[Undef, 0]"),
            ("Callable[0]", "Callable[0]"),
            ("Callable[1, 1]", "Callable[1, 1]"),
            ("Callable[2, 1]", "'from' must be less or equal to 'to'. Got (2, 1"),
            ("Callable['a']", "Callable[Runtime[ruby, 'a']]"),
            ("Callable[Integer, 'a']", "Callable[Integer, Runtime[ruby, 'a']]"),
            ("Callable[[Integer], String, String]", "A Callable-Type[] accepts 2 arguments. Got 3"),
            ("Callable(1)", "Creation of new instance of type 'Callable' is not supported"),
        ]);
    }
}
