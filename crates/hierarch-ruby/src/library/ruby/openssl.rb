# `OpenSSL::HMAC`, `OpenSSL::KDF` and `OpenSSL::Digest`, over our own checksums.
module OpenSSL
  class Digest
    def self.kind(name)
      wanted = name.to_s.upcase.delete("-")
      return ::Digest.const_get(wanted) if %w[MD5 SHA1 SHA256 SHA384 SHA512].include?(wanted)
      raise "Unsupported digest algorithm (#{name}).: unknown object name"
    end
    private_class_method :kind

    def self.new(name) = kind(name).new
    def self.hexdigest(name, data) = new(name).hexdigest(data)
    def self.digest(name, data) = new(name).digest(data)
  end

  module HMAC
    def self.digest(digest, key, data)
      kind = digest.respond_to?(:hexdigest) ? digest.class : Digest.new(digest).class
      block = kind.new.block_length
      key = kind.digest(key) if key.bytesize > block
      bytes = key.bytes + ([0] * (block - key.bytesize))
      inner = kind.digest(bytes.map { |byte| byte ^ 0x36 }.pack("C*") + data.b)
      kind.digest(bytes.map { |byte| byte ^ 0x5c }.pack("C*") + inner)
    end

    def self.hexdigest(digest, key, data) = digest(digest, key, data).unpack1("H*")
    def self.base64digest(digest, key, data) = [digest(digest, key, data)].pack("m0")
  end

  module KDF
    class KDFError < StandardError
    end

    def self.pbkdf2_hmac(pass, salt:, iterations:, length:, hash:)
      HMAC.digest(hash, "", "")
      raise KDFError, "PKCS5_PBKDF2_HMAC: invalid iteration count" if iterations < 1
      made = "".b
      number = 0
      while made.bytesize < length
        number += 1
        part = HMAC.digest(hash, pass, salt.b + [number].pack("N"))
        sum = part.unpack1("H*").to_i(16)
        (iterations - 1).times do
          part = HMAC.digest(hash, pass, part)
          sum ^= part.unpack1("H*").to_i(16)
        end
        made << [sum.to_s(16).rjust(part.bytesize * 2, "0")].pack("H*")
      end
      made.byteslice(0, length)
    end

    def self.hkdf(ikm, salt:, info:, length:, hash:)
      key = HMAC.digest(hash, salt, ikm)
      made = part = "".b
      number = 0
      while made.bytesize < length
        number += 1
        part = HMAC.digest(hash, key, part + info.b + [number].pack("C"))
        made += part
      end
      made.byteslice(0, length)
    end
  end

  module PKCS5
    def self.pbkdf2_hmac(pass, salt, iterations, length, hash)
      KDF.pbkdf2_hmac(pass, salt: salt, iterations: iterations, length: length, hash: hash)
    end

    def self.pbkdf2_hmac_sha1(pass, salt, iterations, length) = pbkdf2_hmac(pass, salt, iterations, length, "SHA1")
  end
end
