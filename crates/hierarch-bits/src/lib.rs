//! Algorithms on bytes that Puppet, Ruby and Python share, exact to the bit.
//!
//! What a language makes of them (which texts it accepts, how it seeds a generator, how it says what is wrong) stays with
//! the language.
//!
//! ```
//! use hierarch_bits::{Twister, base64};
//!
//! assert_eq!(base64::encode(b"ab"), "YWI=");
//! assert_eq!(Twister::of_word(5489).word(), 3_499_211_612);
//! ```

pub mod base64;
pub mod crypt;
pub mod decimal;
pub mod dice;
pub mod digits;
pub mod json;
mod successor;
mod twister;

pub use successor::successor;
pub use twister::Twister;
