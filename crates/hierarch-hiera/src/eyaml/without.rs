//! What stands in for the envelopes of encrypted values in a build without them: errors that say so.

/// A pair of keys as texts.
pub struct Keys {
    /// The private key, PKCS#1 in PEM.
    pub private: String,
    /// The certificate with the public key, in PEM.
    pub public: String,
}

const WITHOUT: &str = "this build knows no encrypted values: it was made without the feature `eyaml`";

/// Says that there is no decryption.
pub fn decrypt(_: &str, _: &[u8]) -> Result<Vec<u8>, String> {
    Err(WITHOUT.to_owned())
}

/// Says that there is no encryption.
pub fn encrypt(_: &str, _: &[u8]) -> Result<Vec<u8>, String> {
    Err(WITHOUT.to_owned())
}

/// Says that there are no keys.
pub fn create_keys(_: usize) -> Result<Keys, String> {
    Err(WITHOUT.to_owned())
}
