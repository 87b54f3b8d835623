//! PKCS7 envelopes with RSA keys and AES-256-CBC, interchangeable with hiera-eyaml's.

use std::time::Duration;

use aes::cipher::block_padding::Pkcs7;
use aes::cipher::{BlockDecryptMut, BlockEncryptMut, KeyIvInit};
use cms::cert::IssuerAndSerialNumber;
use cms::content_info::{CmsVersion, ContentInfo};
use cms::enveloped_data::{
    EncryptedContentInfo, EnvelopedData, KeyTransRecipientInfo, RecipientIdentifier, RecipientInfo,
    RecipientInfos,
};
use der::asn1::{Any, ObjectIdentifier, OctetString, SetOfVec};
use der::{Decode, DecodePem, Encode, EncodePem};
use rand_core::{OsRng, RngCore};
use rsa::pkcs1::{DecodeRsaPrivateKey, EncodeRsaPrivateKey};
use rsa::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePublicKey, LineEnding};
use rsa::{Pkcs1v15Encrypt, RsaPrivateKey, RsaPublicKey};
use x509_cert::Certificate;
use x509_cert::builder::{Builder, CertificateBuilder, Profile};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};
use x509_cert::time::Validity;

const ENVELOPED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.3");
const DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.1");
const RSA_ENCRYPTION: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");
const AES_256_CBC: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.1.42");
const AES_192_CBC: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.1.22");
const AES_128_CBC: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.1.2");

/// As long as eyaml's own certificates are valid.
const FIFTY_YEARS: Duration = Duration::from_hours(50 * 365 * 24);

type Outcome<T> = std::result::Result<T, String>;

/// A pair of keys as texts.
pub struct Keys {
    /// The private key, PKCS#1 in PEM.
    pub private: String,
    /// The certificate with the public key, in PEM.
    pub public: String,
}

/// Opens an envelope with a private key in PEM.
pub fn decrypt(private_key: &str, envelope: &[u8]) -> Outcome<Vec<u8>> {
    let key = private_key_of(private_key)?;
    let no_pkcs7 = |_| "Could not parse the PKCS7: no start line (Expecting: PKCS7)".to_owned();
    let info = ContentInfo::from_der(envelope).map_err(no_pkcs7)?;
    let enveloped: EnvelopedData = info.content.decode_as().map_err(no_pkcs7)?;
    let content = &enveloped.encrypted_content;
    let text = content.encrypted_content.as_ref().ok_or("the envelope is empty")?.as_bytes();
    let parameters =
        content.content_enc_alg.parameters.as_ref().ok_or("the envelope has no initial vector")?;
    let vector: OctetString = parameters.decode_as().map_err(|error| error.to_string())?;
    for recipient in enveloped.recip_infos.0.iter() {
        if let RecipientInfo::Ktri(recipient) = recipient {
            let opened = key.decrypt_blinded(&mut OsRng, Pkcs1v15Encrypt, recipient.enc_key.as_bytes());
            let content_key = opened.map_err(|_| "bad decrypt".to_owned())?;
            return decipher(content.content_enc_alg.oid, &content_key, vector.as_bytes(), text);
        }
    }
    Err("the envelope has no recipient".to_owned())
}

fn private_key_of(pem: &str) -> Outcome<RsaPrivateKey> {
    RsaPrivateKey::from_pkcs1_pem(pem)
        .or_else(|_| RsaPrivateKey::from_pkcs8_pem(pem))
        .map_err(|_| "Neither PUB key nor PRIV key: no start line".to_owned())
}

fn decipher(cipher: ObjectIdentifier, key: &[u8], vector: &[u8], text: &[u8]) -> Outcome<Vec<u8>> {
    let bad = |_| "bad decrypt".to_owned();
    let wrong = |_| "the key has the wrong length".to_owned();
    match cipher {
        AES_256_CBC => cbc::Decryptor::<aes::Aes256>::new_from_slices(key, vector)
            .map_err(wrong)?
            .decrypt_padded_vec_mut::<Pkcs7>(text)
            .map_err(bad),
        AES_192_CBC => cbc::Decryptor::<aes::Aes192>::new_from_slices(key, vector)
            .map_err(wrong)?
            .decrypt_padded_vec_mut::<Pkcs7>(text)
            .map_err(bad),
        AES_128_CBC => cbc::Decryptor::<aes::Aes128>::new_from_slices(key, vector)
            .map_err(wrong)?
            .decrypt_padded_vec_mut::<Pkcs7>(text)
            .map_err(bad),
        other => Err(format!("the cipher {other} is not known")),
    }
}

/// Makes an envelope for the owner of a certificate, or of a bare public key, in PEM.
pub fn encrypt(public_key: &str, text: &[u8]) -> Outcome<Vec<u8>> {
    seal(public_key, text)
        .map_err(|error| format!("cannot be used to encrypt - invalid public key format ({error})"))
}

fn seal(public_key: &str, text: &[u8]) -> std::result::Result<Vec<u8>, Box<dyn std::error::Error>> {
    let (key, recipient) = recipient_of(public_key)?;
    let (mut content_key, mut vector) = ([0; 32], [0; 16]);
    OsRng.fill_bytes(&mut content_key);
    OsRng.fill_bytes(&mut vector);
    let cipher = cbc::Encryptor::<aes::Aes256>::new(&content_key.into(), &vector.into());
    let recipient = KeyTransRecipientInfo {
        version: CmsVersion::V0,
        rid: RecipientIdentifier::IssuerAndSerialNumber(recipient),
        key_enc_alg: AlgorithmIdentifierOwned { oid: RSA_ENCRYPTION, parameters: Some(Any::null()) },
        enc_key: OctetString::new(key.encrypt(&mut OsRng, Pkcs1v15Encrypt, &content_key)?)?,
    };
    let mut recipients = SetOfVec::new();
    recipients.insert(RecipientInfo::Ktri(recipient))?;
    let enveloped = EnvelopedData {
        version: CmsVersion::V0,
        originator_info: None,
        recip_infos: RecipientInfos(recipients),
        encrypted_content: EncryptedContentInfo {
            content_type: DATA,
            content_enc_alg: AlgorithmIdentifierOwned {
                oid: AES_256_CBC,
                parameters: Some(Any::encode_from(&OctetString::new(vector)?)?),
            },
            encrypted_content: Some(OctetString::new(cipher.encrypt_padded_vec_mut::<Pkcs7>(text))?),
        },
        unprotected_attrs: None,
    };
    Ok(ContentInfo { content_type: ENVELOPED_DATA, content: Any::encode_from(&enveloped)? }.to_der()?)
}

fn recipient_of(
    pem: &str,
) -> std::result::Result<(RsaPublicKey, IssuerAndSerialNumber), Box<dyn std::error::Error>> {
    if pem.contains("BEGIN PUBLIC KEY") {
        let nobody =
            IssuerAndSerialNumber { issuer: Name::default(), serial_number: SerialNumber::from(0u8) };
        return Ok((RsaPublicKey::from_public_key_pem(pem)?, nobody));
    }
    let certificate = Certificate::from_pem(pem)?.tbs_certificate;
    let key = RsaPublicKey::from_public_key_der(&certificate.subject_public_key_info.to_der()?)?;
    Ok((key, IssuerAndSerialNumber { issuer: certificate.issuer, serial_number: certificate.serial_number }))
}

/// Makes a pair of keys, the public one in a certificate that it signs itself.
pub fn create_keys(bits: usize) -> Outcome<Keys> {
    make_keys(bits).map_err(|error| error.to_string())
}

fn make_keys(bits: usize) -> std::result::Result<Keys, Box<dyn std::error::Error>> {
    let key = RsaPrivateKey::new(&mut OsRng, bits)?;
    let signer = rsa::pkcs1v15::SigningKey::<rsa::sha2::Sha256>::new(key.clone());
    let public = SubjectPublicKeyInfoOwned::from_der(key.to_public_key().to_public_key_der()?.as_bytes())?;
    let profile = Profile::Manual { issuer: Some(Name::default()) };
    let validity = Validity::from_now(FIFTY_YEARS)?;
    let builder = CertificateBuilder::new(
        profile,
        SerialNumber::from(1u8),
        validity,
        Name::default(),
        public,
        &signer,
    )?;
    let certificate = builder.build::<rsa::pkcs1v15::Signature>()?;
    Ok(Keys {
        private: key.to_pkcs1_pem(LineEnding::LF)?.to_string(),
        public: certificate.to_pem(LineEnding::LF)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encrypted_decrypts_with_the_other_key() {
        let keys = create_keys(1024).expect("keys");
        let envelope = encrypt(&keys.public, "geheim ü".as_bytes()).expect("encrypted");
        assert_eq!(decrypt(&keys.private, &envelope).expect("decrypted"), "geheim ü".as_bytes());
        let others = create_keys(1024).expect("keys");
        assert!(decrypt(&others.private, &envelope).is_err());
    }

    #[test]
    fn what_is_no_envelope_is_refused_in_openssl_s_words() {
        let keys = create_keys(1024).expect("keys");
        assert!(
            decrypt(&keys.private, &[0, 0, 0])
                .expect_err("no envelope")
                .contains("Could not parse the PKCS7")
        );
        assert!(decrypt("nonsense", &[]).is_err());
    }
}
