# `Digest::SHA2`: one class for the sums of three lengths.
module Digest
  class SHA2
    def self.hexdigest(text, bits = 256) = new(bits).hexdigest(text)
    def self.digest(text, bits = 256) = new(bits).digest(text)
    def self.base64digest(text, bits = 256) = new(bits).base64digest(text)

    def initialize(bits = 256)
      unless [256, 384, 512].include?(bits)
        raise ArgumentError, "unsupported bit length: %s" % bits.inspect
      end

      @bits = bits
      @sum = Digest.const_get("SHA#{bits}").new
    end

    def update(text)
      @sum.update(text)
      self
    end
    alias << update

    def reset
      @sum.reset
      self
    end

    def hexdigest(*text) = @sum.hexdigest(*text)
    def digest(*text) = @sum.digest(*text)
    def base64digest(*text) = @sum.base64digest(*text)
    def to_s = hexdigest
    def block_length = @sum.block_length
    def digest_length = @sum.digest_length
    def ==(other) = to_s == other.to_s
    def inspect = "#<Digest::SHA2:#{@bits} #{hexdigest}>"
  end
end
