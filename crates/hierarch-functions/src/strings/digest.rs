//! `md5`, `sha1`, `sha256` and `digest`: checksums of texts.

use md5::{Digest, Md5};
use sha1::Sha1;
use sha2::Sha256;

use crate::prelude::*;
use crate::ruby::{hexadecimal, implicit_text};

/// The function `md5`.
pub(super) static MD5: Function = Function {
    name: "md5",
    doc: "Returns the MD5 checksum of a String in hexadecimal digits.",
    dispatches: &[legacy(1, md5)],
    examples: &[
        Gives("md5('abc')", "'900150983cd24fb0d6963f7d28e17f72'"),
        Fails("md5(1)", "no implicit conversion of Integer into String"),
    ],
};

/// The function `sha1`.
pub(super) static SHA1: Function = Function {
    name: "sha1",
    doc: "Returns the SHA-1 checksum of a String in hexadecimal digits.",
    dispatches: &[legacy(1, sha1)],
    examples: &[
        Gives("sha1('abc')", "'a9993e364706816aba3e25717850c26c9cd0d89d'"),
        Fails("sha1()", "sha1(): Wrong number of arguments given (0 for 1)"),
    ],
};

/// The function `sha256`.
pub(super) static SHA256: Function = Function {
    name: "sha256",
    doc: "Returns the SHA-256 checksum of a String in hexadecimal digits.",
    dispatches: &[legacy(1, sha256)],
    examples: &[
        Gives("sha256('abc')", "'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'"),
        Fails("sha256([1])", "no implicit conversion of Array into String"),
    ],
};

/// The function `digest`.
pub(super) static DIGEST: Function = Function {
    name: "digest",
    doc: "Returns the checksum of a String by the algorithm that is the reference's default, SHA-256.",
    dispatches: &[legacy(1, sha256)],
    examples: &[
        Gives("digest('abc')", "'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'"),
        Fails("digest(true)", "no implicit conversion of true into String"),
    ],
};

fn md5(call: &mut Call) -> Result<Value> {
    call.count_slow_work()?;
    checksum::<Md5>(call.value(0))
}

fn sha1(call: &mut Call) -> Result<Value> {
    call.count_slow_work()?;
    checksum::<Sha1>(call.value(0))
}

fn sha256(call: &mut Call) -> Result<Value> {
    call.count_slow_work()?;
    checksum::<Sha256>(call.value(0))
}

fn checksum<D: Digest>(value: &Value) -> Result<Value> {
    Ok(hexadecimal(&D::digest(implicit_text(value)?)).into())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn sums_of_texts() {
        check_calls(&[
            ("md5('a')", "'0cc175b9c0f1b6a831c399e269772661'"),
            ("sha1('a')", "'86f7e437faa5a7fce15d1ddcb9eaeaea377667b8'"),
            ("sha256('a')", "'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'"),
            ("md5('é')", "'66ddcd97cfdeabb2f6fb8a999b4bc76f'"),
            (
                "md5(1)",
                "Evaluation Error: Error while evaluating a Function Call, no implicit conversion of Integer into String (line: 1, column: 1)",
            ),
            (
                "md5()",
                "Evaluation Error: Error while evaluating a Function Call, md5(): Wrong number of arguments given (0 for 1) (line: 1, column: 1)",
            ),
            (
                "md5('a', 'b')",
                "Evaluation Error: Error while evaluating a Function Call, md5(): Wrong number of arguments given (2 for 1) (line: 1, column: 1)",
            ),
            ("sha256(undef)", "'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'"),
        ]);
    }
}
