//! Libraries that modules require. Asked of Ruby 3.3 by `scripts/record-ruby-facts`.

pub(crate) const FACTS: &str = r####"
require 'openssl'
OpenSSL::KDF.pbkdf2_hmac("pw", salt: "salt", iterations: 2, length: 20, hash: "sha1").unpack1("H*")
#=> "133a0b823b029801576d5a38793387e88064dd5f"
require 'openssl'
OpenSSL::KDF.pbkdf2_hmac("pw", salt: "salt", iterations: 10, length: 40, hash: OpenSSL::Digest.new("SHA256")).unpack1("H*")
#=> "72aecd14244887c316e24019c7e020b58888f029861490804d36e20b42d9321aba841f3fcca0e61f"
require 'openssl'
OpenSSL::KDF.pbkdf2_hmac("password" * 20, salt: "\x00\xff".b, iterations: 3, length: 100, hash: "SHA512").unpack1("H*")
#=> "5a999f6da66c4b51f986abd62cee794a9792dadca28df4b17bd6023643985fe9f05020263646108ff5836c060f899973c2f9f00b4bfb396b784eb8c45ff8d2b9cb5d26a89711c383f217dbd8f06ae9ff96009d7e710c2c52e3a099eb78426485437021aa"
require 'openssl'
OpenSSL::KDF.pbkdf2_hmac("", salt: "", iterations: 1, length: 0, hash: "MD5")
#=> ""
require 'openssl'
OpenSSL::KDF.hkdf("key", salt: "salt", info: "info", length: 42, hash: "SHA256").unpack1("H*")
#=> "9ca0d662557439e3b83365f2da4626d35da195c6d9d1779f09838cf9e408966ece99106e2585ace6f083"
require 'openssl'
OpenSSL::KDF.hkdf("key" * 40, salt: "", info: "", length: 100, hash: "SHA1").unpack1("H*")
#=> "02ca18f939be701715fcd025286fb3964d96296209e7c9a27284aa0a4c0740b0aa4a34226dc61c879588501c5c9eb6b4cec7b79ab92e4f286c44fd0c5c4c4d9b1909029fdc1192afbc7de2b8254b8940274859bcdecb0ad4a0a6d21356627c2e3ef05bfc"
require 'openssl'
OpenSSL::PKCS5.pbkdf2_hmac("pw", "salt", 2, 20, "sha512").unpack1("H*")
#=> "8816cc3aaf71373639c3415049b2b6572f8d2bad"
require 'openssl'
OpenSSL::PKCS5.pbkdf2_hmac_sha1("pw", "salt", 2, 20).unpack1("H*")
#=> "133a0b823b029801576d5a38793387e88064dd5f"
require 'openssl'
OpenSSL::KDF.pbkdf2_hmac("pw", salt: "salt", iterations: 2, length: 20, hash: "nope")
#!! RuntimeError: Unsupported digest algorithm (nope).: unknown object name
require 'openssl'
OpenSSL::KDF.pbkdf2_hmac("pw", salt: "salt", iterations: 2, length: 20)
#!! ArgumentError: missing keyword: :hash
require 'openssl'
OpenSSL::KDF.pbkdf2_hmac("pw", salt: "salt", iterations: 0, length: 20, hash: "sha1")
#!! OpenSSL::KDF::KDFError: PKCS5_PBKDF2_HMAC: invalid iteration count
require 'openssl'
OpenSSL::HMAC.hexdigest("SHA256", "key", "data")
#=> "5031fe3d989c6d1537a013fa6e739da23463fdaec3b70137d828e36ace221bd0"
require 'openssl'
OpenSSL::HMAC.hexdigest(OpenSSL::Digest.new("sha1"), "k" * 100, "")
#=> "10e662acd95fe69433326f84609dcfad9e5cb1d1"
require 'openssl'
OpenSSL::HMAC.digest("md5", "key", "data").bytesize
#=> 16
require 'openssl'
OpenSSL::HMAC.base64digest("SHA384", "key", "data")
#=> "xfl62f0QIMF019wCz4PEwb8V7iDsVVtpCtWOYtqKAO5EzNtly4yArP0Sfr7laJWK"
require 'openssl'
OpenSSL::HMAC.hexdigest("nope", "key", "data")
#!! RuntimeError: Unsupported digest algorithm (nope).: unknown object name
require 'openssl'
OpenSSL::Digest.new("nope")
#!! RuntimeError: Unsupported digest algorithm (nope).: unknown object name
require 'openssl'
OpenSSL::Digest.hexdigest("SHA256", "a")
#=> "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
require 'openssl'
OpenSSL::Digest.new("SHA-256").hexdigest("a")
#=> "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
require 'openssl'
OpenSSL::KDF::KDFError.ancestors.include?(StandardError)
#=> true
require 'digest'
[Digest::MD5.hexdigest("a"), Digest::SHA1.base64digest("a"), Digest::SHA256.new.update("a").hexdigest]
#=> ["0cc175b9c0f1b6a831c399e269772661", "hvfkN/qlp/zhXR3cuerq6jd2Z7g=", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"]
require 'digest'
(Digest::SHA512.new << "a" << "b").hexdigest[0, 20]
#=> "2d408a0717ec18815827"
require 'digest'
[Digest::SHA256.new.block_length, Digest::SHA512.new.digest_length, Digest::MD5.new.to_s]
#=> [64, 64, "d41d8cd98f00b204e9800998ecf8427e"]
require 'digest'
Digest::SHA2.new(384).hexdigest("a")[0, 20]
#=> "54a59b9f22b0b80880d8"
require 'digest'
[Digest::SHA2.hexdigest('a')[0, 9], Digest::SHA2.new.update('a').inspect, (Digest::SHA2.new(512) << 'b').to_s[0, 9], Digest::SHA2.new(384).digest_length]
#=> ["ca978112c", "#<Digest::SHA2:256 ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb>", "526776882", 48]
require 'digest'
Digest::SHA2.new(1)
#!! ArgumentError: unsupported bit length: 1
"####;
