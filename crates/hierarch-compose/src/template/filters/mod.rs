//! The filters, a family per file.

mod collections;
mod dates;
mod encoding;
mod json;
mod markup;
mod numbers;
mod passwords;
mod paths;
mod pretty;
mod random;
mod regexes;
mod sequences;
mod series;
mod sets;
mod texts;
mod unfurl;
mod urls;
mod wrap;
mod yaml;

use super::call::Function;

pub use self::encoding::data_of;
pub(crate) use self::json::pretty_json;
pub(in crate::template) use self::random::Chance;
pub(crate) use self::random::seeded;
pub(in crate::template) use self::regexes::compiled;
pub(crate) use self::series::pairs_of;
pub(in crate::template) use self::urls::url_parts;

pub(super) static FAMILIES: &[&[Function]] = &[
    collections::FILTERS,
    dates::FILTERS,
    encoding::FILTERS,
    json::FILTERS,
    markup::FILTERS,
    numbers::FILTERS,
    passwords::FILTERS,
    paths::FILTERS,
    pretty::FILTERS,
    random::FILTERS,
    regexes::FILTERS,
    sequences::FILTERS,
    series::FILTERS,
    sets::FILTERS,
    texts::FILTERS,
    unfurl::FILTERS,
    urls::FILTERS,
    yaml::FILTERS,
];
