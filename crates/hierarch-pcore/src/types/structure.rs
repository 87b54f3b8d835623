//! `Struct[{'a' => T, Optional['b'] => U}]`: hashes with exactly these keys.

use super::build::Arity;
use super::build::{KeyError, KeyKind, Keyed, check_keys};
use super::guide::Guide;
use super::{Guard, IntegerType, Kind, NotUndefType, Rules, TupleType, Type, VariantType};
use crate::convert::Constructor;
use crate::ruby_class;
use crate::{Hash, Str, Value, issues};

/// Hashes by key.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct StructType(Vec<Element>);

/// One key of a struct.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Element {
    name: Str,
    /// The key may be missing.
    is_optional: bool,
    value: Type,
}

impl Element {
    /// Makes a key that must be there.
    pub fn required(name: impl Into<Str>, value: Type) -> Self {
        Self { name: name.into(), is_optional: false, value }
    }

    /// Makes a key that may be missing.
    pub fn optional(name: impl Into<Str>, value: Type) -> Self {
        Self { name: name.into(), is_optional: true, value }
    }

    /// Returns the key.
    pub fn name(&self) -> &Str {
        &self.name
    }

    /// Returns the type of the value.
    pub fn value(&self) -> &Type {
        &self.value
    }

    /// Tells whether the key may be missing.
    pub fn is_optional(&self) -> bool {
        self.is_optional
    }

    /// Returns the type of the key: `Optional['name']` if it may be missing.
    pub fn key(&self) -> Type {
        let exact = Type::exact_string(self.name.clone());
        if self.is_optional { Type::optional_of(exact) } else { exact }
    }

    /// Returns the key as it is printed. Whether it may be missing shows only where the value does not tell.
    fn printed_key(&self) -> Value {
        let value_is_optional = self.value.accepts(&Type::undef());
        match (self.is_optional, value_is_optional) {
            (true, false) => self.key().into(),
            (false, true) => Type::from(NotUndefType::new(Some(self.key()))).into(),
            _ => self.name.clone().into(),
        }
    }

    /// Makes an element of a key and a value of a struct's hash.
    fn of(key: &Value, value: &Value) -> Result<Self, KeyError> {
        let value = match value {
            Value::Type(type_) => type_.clone(),
            Value::String(name) => super::RuntimeType::ruby(name.as_str()).into(),
            other => crate::infer::generic(other),
        };
        if let Value::String(name) = key {
            if name.is_empty() {
                return Err(issues::empty_struct_key().into());
            }
            return Ok(Self { name: name.clone(), is_optional: value.accepts(&Type::undef()), value });
        }
        let (inner, is_optional) = match key.as_type().map(Type::kind) {
            Some(Kind::NotUndef(inner)) => (inner.contained(), false),
            Some(Kind::Optional(inner)) => (inner.contained(), true),
            Some(Kind::String(_) | Kind::Enum(_)) => (key.as_type(), false),
            _ => return Err(issues::bad_struct_key(ruby_class(key)).into()),
        };
        let name = inner.and_then(|inner| match inner.kind() {
            Kind::String(string) => string.value().cloned(),
            Kind::Enum(list) => {
                if let [only] = list.values() {
                    Some(only.clone())
                } else {
                    None
                }
            }
            _ => None,
        });
        let name =
            name.ok_or_else(|| issues::unnamed_struct_key(&inner.map_or(String::new(), Type::to_string)))?;
        Ok(Self { name, is_optional, value })
    }
}

impl StructType {
    /// Makes a struct of its keys.
    pub fn new(elements: Vec<Element>) -> Self {
        Self(elements)
    }

    /// Makes a struct of a hash of keys and types.
    pub fn of_hash(hash: &Hash) -> Result<Self, KeyError> {
        hash.iter().map(|(key, value)| Element::of(key, value)).collect::<Result<_, _>>().map(Self)
    }

    /// Returns the keys with their types.
    pub fn elements(&self) -> &[Element] {
        &self.0
    }

    /// Returns a key with its type.
    pub fn get(&self, name: &str) -> Option<&Element> {
        self.0.iter().find(|element| element.name == name)
    }

    /// Returns how many entries there may be.
    pub fn size_range(&self) -> IntegerType {
        let required = self.0.iter().filter(|element| !element.is_optional).count();
        IntegerType { min: IntegerType::exactly(required).min, max: IntegerType::exactly(self.0.len()).max }
    }

    fn accepts_struct(&self, other: &Self, guard: &mut Guard) -> bool {
        let mut matched = 0;
        let fits = self.0.iter().all(|wanted| match other.get(&wanted.name) {
            None => wanted.is_optional,
            Some(given) => {
                matched += 1;
                (wanted.is_optional || !given.is_optional)
                    && wanted.value.accepts_guarded(&given.value, guard)
            }
        });
        fits && matched == other.0.len()
    }

    fn accepts_hash(&self, other: &super::HashType, guard: &mut Guard) -> bool {
        let fits = self.0.iter().filter(|element| !element.is_optional).all(|element| {
            element.value.accepts_guarded(other.value(), guard) && Type::string().accepts(other.key())
        });
        fits && self.size_range().covers(other.size().unwrap_or(IntegerType::ANY_SIZE))
    }
}

impl Rules for StructType {
    fn name(&self) -> &'static str {
        "Struct"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Struct", parameters: "{key => T, …}", what: "Hashes with exactly these keys" })
    }

    fn arity(&self) -> Option<Arity> {
        Some(Arity { least: 1, most: 1, words: "1" })
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        Some(&super::hash::CONSTRUCTOR)
    }

    fn params(&self) -> Vec<Value> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let hash: Hash =
            self.0.iter().map(|element| (element.printed_key(), element.value.clone())).collect();
        vec![hash.into()]
    }

    fn has(&self, value: &Value, guard: &mut Guard) -> bool {
        let Value::Hash(hash) = value else { return false };
        let mut matched = 0;
        let fits = self.0.iter().all(|element| match hash.get_str(&element.name) {
            None => element.is_optional,
            Some(value) => {
                matched += 1;
                element.value.has_guarded(value, guard)
            }
        });
        fits && matched == hash.len()
    }

    fn accepts(&self, other: &Type, guard: &mut Guard) -> bool {
        match other.kind() {
            Kind::Struct(other) => self.accepts_struct(other, guard),
            Kind::Hash(other) => self.accepts_hash(other, guard),
            _ => false,
        }
    }

    fn generalized(&self) -> Option<Type> {
        let change = |element: &Element| Element { value: element.value.generalized(), ..element.clone() };
        Some(Self(self.0.iter().map(change).collect()).into())
    }

    fn normalized(&self) -> Option<Type> {
        let change = |element: &Element| Element { value: element.value.normalized(), ..element.clone() };
        Some(Self(self.0.iter().map(change).collect()).into())
    }

    fn element(&self) -> Option<Type> {
        let pair = if self.0.is_empty() {
            vec![Type::unit(), Type::unit()]
        } else {
            vec![
                VariantType::of(self.0.iter().map(Element::key).collect()),
                VariantType::of(self.0.iter().map(|element| element.value.clone()).collect()),
            ]
        };
        Some(TupleType::new(pair, Some(IntegerType::exactly(2))).into())
    }

    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        self.0.iter().for_each(|element| visit(&element.value));
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        check_keys(self, keys, 1, Some(1), &[KeyKind::Hash])?;
        let hash = keys[0].as_hash().cloned().unwrap_or_default();
        Ok(Type::from(Self::of_hash(&hash)?).into())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_accepts, check_has, check_prints};

    #[test]
    fn a_key_is_optional_if_it_says_so_or_if_its_value_may_be_undef() {
        check_has(
            "Struct[{a => Integer, Optional[b] => String, c => Optional[String]}]",
            &["{a => 1}", "{a => 1, b => x, c => undef}"],
            &["{}", "{a => 1, b => undef}", "{a => 1, d => 1}", "{a => x}"],
        );
        check_has("Struct[{NotUndef[a] => Optional[Integer]}]", &["{a => undef}"], &["{}"]);
    }

    #[test]
    fn hashes_fit_by_size() {
        check_accepts(
            "Struct[{a => Integer}]",
            &["Hash[Enum['a'], Integer, 1, 1]", "Struct[{a => Integer[1]}]"],
            &[
                "Hash[String, Integer]",
                "Struct[{a => Integer, b => Integer}]",
                "Struct[{Optional[a] => Integer}]",
            ],
        );
    }

    #[test]
    fn keys_print_only_what_their_value_does_not_tell() {
        for (text, expected) in [
            ("Struct[{Optional[a] => Optional[Integer]}]", "Struct[{'a' => Optional[Integer]}]"),
            ("Struct[{NotUndef[a] => Integer}]", "Struct[{'a' => Integer}]"),
            ("Struct[{NotUndef[a] => Any}]", "Struct[{NotUndef['a'] => Any}]"),
            ("Struct[{a => 1}]", "Struct[{'a' => Integer}]"),
            (
                "Struct[{1 => Integer}]",
                "Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. Got: Integer",
            ),
        ] {
            check_prints(text, expected);
        }
    }

    #[test]
    fn members_have_names_and_may_be_optional() {
        check_facts(&[
            ("Struct[{a => Integer}]", "Struct[{'a' => Integer}]"),
            ("Struct[{Optional[a] => Integer}]", "Struct[{Optional['a'] => Integer}]"),
            ("Struct[{NotUndef[a] => Integer}]", "Struct[{'a' => Integer}]"),
            ("Struct[{Optional['a b'] => Integer}]", "Struct[{Optional['a b'] => Integer}]"),
            ("Struct[{a => Optional[Integer]}]", "Struct[{'a' => Optional[Integer]}]"),
            ("Struct[{NotUndef[a] => Optional[Integer]}]", "Struct[{NotUndef['a'] => Optional[Integer]}]"),
            ("Struct[{'' => Integer}]", "Struct element key cannot be an empty String"),
            (
                "Struct[{1 => Integer}]",
                "Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. Got: Integer",
            ),
            (
                "Struct[{Integer => Integer}]",
                "Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. Got: Puppet::Pops::Types::PIntegerType",
            ),
            ("Struct[{a => 1}]", "Struct[{'a' => Integer}]"),
            ("Struct[{}]", "Struct"),
            (
                "Struct[1]",
                "Error creating type specialization of a Struct-Type, Cannot use Integer where Hash is expected",
            ),
            ("Struct[a, b]", "A Struct-Type[] accepts 1 argument. Got 2"),
            ("Struct(1)", "odd number of arguments for Hash"),
            ("Struct[{a => Integer}].new({a => 1})", "{'a' => 1}"),
            ("Struct[{a => Integer}].new([[a, 1]])", "{'a' => 1}"),
            (
                "Struct[{a => Integer}].new({a => x})",
                "Converted value from Struct[{'a' => Integer}].new() has wrong type, entry 'a' expects an Integer value, got String",
            ),
        ]);
    }
}
