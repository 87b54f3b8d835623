# `IPAddr`: addresses and networks of IPv4 and IPv6.
class IPAddr
  include Comparable

  class Error < ArgumentError; end
  class InvalidAddressError < Error; end
  class AddressFamilyError < Error; end
  class InvalidPrefixError < InvalidAddressError; end

  IN4MASK = 0xffffffff
  IN6MASK = 0xffffffffffffffffffffffffffffffff

  attr_reader :family, :zone_id

  def self.new_ntoh(bytes)
    new(ntop(bytes))
  end

  def self.ntop(bytes)
    list = bytes.bytes
    return list.join(".") if list.size == 4
    list.each_slice(2).map { |a, b| format("%02x%02x", a, b) }.join(":")
  end

  def initialize(address = "::", family = 0)
    if !address.is_a?(String)
      raise AddressFamilyError, "address family must be specified" if family == 0
      raise AddressFamilyError, "unsupported address family: #{family}" unless [2, 10].include?(family)
      @family = family
      set(address)
      @mask = full
      return
    end
    text, prefix = address.split("/", 2)
    text = text.to_s
    if (m = /\A\[(.*)\]\z/.match(text))
      text = m[1]
    end
    text, @zone_id = text.split("%", 2) if text.include?("%")
    @zone_id = "%#{@zone_id}" if @zone_id
    read(text, address)
    @mask = full
    mask_with(prefix, address) if prefix
  end

  def ipv4? = @family == 2
  def ipv6? = @family == 10
  def to_i = @number

  def to_s
    return dotted if ipv4?
    text = compressed(to_string.split("%").first)
    "#{text}#{@zone_id}"
  end

  def to_string
    return dotted if ipv4?
    text = format("%032x", @number).scan(/.{4}/).join(":")
    "#{text}#{@zone_id}"
  end

  def prefix
    count = 0
    bits.times { |bit| count += 1 if @mask[bits - 1 - bit] == 1 }
    count
  end

  def prefix=(length)
    mask_with(length.to_s, to_s)
  end

  def netmask
    IPAddr.new(@mask, @family).to_s
  end

  def wildcard_mask
    IPAddr.new(full ^ @mask, @family).to_s
  end

  def cidr
    "#{self}/#{prefix}"
  end

  def mask(length)
    copy = dup
    copy.mask_with(length.to_s, to_s)
    copy
  end

  def include?(other)
    other = other.is_a?(IPAddr) ? other : IPAddr.new(other.is_a?(Integer) ? IPAddr.new(other, @family).to_s : other)
    return false unless other.family == @family
    range = to_range
    first, last = range.first.to_i, range.last.to_i
    inner = other.to_range
    first <= inner.first.to_i && last >= inner.last.to_i
  end
  alias === include?

  def to_range
    first = IPAddr.new(@number & @mask, @family)
    last = IPAddr.new((@number & @mask) | (full ^ @mask), @family)
    Range.new(first, last)
  end

  def succ
    changed(@number + 1)
  end

  def +(offset) = changed(@number + offset)
  def -(offset) = changed(@number - offset)
  def |(other) = changed(@number | number_of(other))
  def &(other) = changed(@number & number_of(other))
  def <<(count) = changed((@number << count) & full)
  def >>(count) = changed(@number >> count)
  def ~ = changed(full ^ @number)

  def <=>(other)
    other = IPAddr.new(other.to_s) unless other.is_a?(IPAddr)
    return nil unless other.family == @family
    @number <=> other.to_i
  rescue ArgumentError
    nil
  end

  def ==(other)
    other = IPAddr.new(other.to_s) unless other.is_a?(IPAddr)
    @family == other.family && @number == other.to_i
  rescue ArgumentError
    false
  end

  def eql?(other)
    other.is_a?(IPAddr) && hash == other.hash
  end

  def hash
    [@family, @number, @mask].hash
  end

  def hton
    count = ipv4? ? 4 : 16
    (0...count).map { |place| (@number >> (8 * (count - 1 - place))) & 255 }.pack("C*")
  end

  def reverse
    ipv4? ? hton.bytes.reverse.join(".") + ".in-addr.arpa" : ip6_arpa
  end

  def ip6_arpa
    raise InvalidAddressError, "not an IPv6 address: #{self}" unless ipv6?
    format("%032x", @number).reverse.chars.join(".") + ".ip6.arpa"
  end

  def ipv4_mapped
    raise InvalidAddressError, "not an IPv4 address: #{self}" unless ipv4?
    IPAddr.new(@number | 0xffff00000000, 10)
  end

  def ipv4_mapped?
    ipv6? && @number >> 32 == 0xffff
  end

  def native
    ipv4_mapped? ? IPAddr.new(@number & IN4MASK, 2) : self
  end

  def loopback?
    ipv4? ? @number >> 24 == 127 : @number == 1
  end

  def private?
    return [[8, 10], [12, 0xac1], [16, 0xc0a8]].any? { |count, net| @number >> (32 - count) == net } if ipv4?
    @number >> 121 == 0x7e
  end

  def link_local?
    ipv4? ? @number >> 16 == 0xa9fe : @number >> 118 == 0x3fa
  end

  def inspect
    kind = ipv4? ? "IPv4" : "IPv6"
    "#<IPAddr: #{kind}:#{to_string}/#{IPAddr.new(@mask, @family).to_string}>"
  end

  protected

  def mask_with(length, address)
    if length.match?(/\A\d+\z/)
      count = length.to_i
      raise InvalidPrefixError, "invalid length: #{@number}" if count > bits
      @mask = full ^ (full >> count)
    else
      other = IPAddr.new(length)
      raise InvalidPrefixError, "address family is not same: #{@number}" unless other.family == @family
      inverse = full ^ other.to_i
      raise InvalidPrefixError, "invalid mask #{length}: #{@number}" unless (inverse & (inverse + 1)).zero?
      @mask = other.to_i
    end
    @number &= @mask
    self
  end

  private

  def bits = ipv4? ? 32 : 128
  def full = ipv4? ? IN4MASK : IN6MASK

  def set(number)
    raise InvalidAddressError, "invalid address: #{@number}" unless number.between?(0, full)
    @number = number
  end

  def changed(number)
    copy = dup
    copy.send(:set, number)
    copy
  end

  def number_of(other)
    case other
    when IPAddr then other.to_i
    when String then IPAddr.new(other).to_i
    else other
    end
  end

  def dotted
    [24, 16, 8, 0].map { |shift| (@number >> shift) & 255 }.join(".")
  end

  def read(text, address)
    if (m = /\A(\d+)\.(\d+)\.(\d+)\.(\d+)\z/.match(text))
      @family = 2
      @number = four(m.captures, text)
    elsif text.include?(":") && text.match?(/\A[0-9a-fA-F:.]+\z/)
      @family = 10
      @number = eight(text, address)
    else
      raise InvalidAddressError, "invalid address: "
    end
  end

  def four(parts, text)
    parts.inject(0) do |number, part|
      raise InvalidAddressError, "invalid address: " if part.to_i > 255
      raise InvalidAddressError, "zero-filled number in IPv4 address is ambiguous: " if part.match?(/\A0./)
      number * 256 + part.to_i
    end
  end

  def eight(text, address)
    if (m = /\A(.*:)(\d+\.\d+\.\d+\.\d+)\z/.match(text))
      low = four(m[2].split("."), m[2])
      text = "#{m[1]}#{(low >> 16).to_s(16)}:#{(low & 0xffff).to_s(16)}"
    end
    left, right = text.split("::", -1)
    raise InvalidAddressError, "invalid address: " if text.scan("::").size > 1 || text.include?(":::")
    left = left.to_s.split(":", -1)
    if text.include?("::")
      right = right.to_s.split(":", -1)
      raise InvalidAddressError, "invalid address: " if left.size + right.size > 7
      left += ["0"] * (8 - left.size - right.size) + right
    end
    good = left.size == 8 && left.all? { |part| part.match?(/\A[0-9a-fA-F]{1,4}\z/) }
    raise InvalidAddressError, "invalid address: " unless good
    left.inject(0) { |number, part| number * 65_536 + part.hex }
  end

  def compressed(text)
    parts = text.split(":").map { |part| part.sub(/\A0{1,3}/, "") }
    best = nil
    place = 0
    while place < 8
      count = 0
      count += 1 while place + count < 8 && parts[place + count] == "0"
      best = [place, count] if count > (best ? best[1] : 1)
      place += count.zero? ? 1 : count
    end
    return parts.join(":") unless best
    "#{parts[0, best[0]].join(':')}::#{parts[(best[0] + best[1])..].join(':')}"
  end
end
