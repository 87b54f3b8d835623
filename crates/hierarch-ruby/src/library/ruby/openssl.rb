# `OpenSSL::HMAC` and `OpenSSL::Digest`, over our own checksums.
module OpenSSL
  class Digest
    def self.new(name) = ::Digest.const_get(name.to_s.upcase.delete("-")).new
    def self.hexdigest(name, data) = new(name).hexdigest(data)
    def self.digest(name, data) = new(name).digest(data)
  end

  module HMAC
    def self.digest(digest, key, data)
      kind = digest.respond_to?(:hexdigest) ? digest.class : ::Digest.const_get(digest.to_s.upcase.delete("-"))
      block = kind.new.block_length
      key = kind.digest(key) if key.bytesize > block
      bytes = key.bytes + ([0] * (block - key.bytesize))
      inner = kind.digest(bytes.map { |byte| byte ^ 0x36 }.pack("C*") + data.b)
      kind.digest(bytes.map { |byte| byte ^ 0x5c }.pack("C*") + inner)
    end

    def self.hexdigest(digest, key, data) = digest(digest, key, data).unpack1("H*")
    def self.base64digest(digest, key, data) = [digest(digest, key, data)].pack("m0")
  end
end
