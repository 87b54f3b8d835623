# `Resolv`: names and addresses, asked from the host.
class Resolv
  class ResolvError < StandardError; end
  class ResolvTimeout < StandardError; end

  # An address of IPv4.
  class IPv4
    Regex256 = /25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d/
    Regex = /\A(#{Regex256.source})\.(#{Regex256.source})\.(#{Regex256.source})\.(#{Regex256.source})\z/

    def self.create(text) = new(text)

    def initialize(text)
      raise ArgumentError, "cannot interpret as IPv4 address: #{text.inspect}" unless Regex.match?(text.to_s)

      @text = text.to_s
    end

    def to_s = @text
    def inspect = "#<#{self.class} #{self}>"
    def ==(other) = other.is_a?(IPv4) && to_s == other.to_s
    alias eql? ==
    def hash = to_s.hash
    def to_name = DNS::Name.create("#{@text.split('.').reverse.join('.')}.in-addr.arpa.")
  end

  # An address of IPv6.
  class IPv6
    HEX = /\h{1,4}/.source
    HEXES = /(?:#{HEX}(?::#{HEX})*)?/.source
    DECIMAL = /\d+\.\d+\.\d+\.\d+/.source
    Regex_8Hex = /\A(?:#{HEX}:){7}#{HEX}\z/
    Regex_6Hex4Dec = /\A(?:#{HEX}:){6}#{DECIMAL}\z/
    Regex_CompressedHex = /\A#{HEXES}::#{HEXES}\z/
    Regex_CompressedHex4Dec = /\A#{HEXES}::(?:#{HEX}:)*#{DECIMAL}\z/
    Regex = Regexp.union(Regex_8Hex, Regex_CompressedHex, Regex_6Hex4Dec, Regex_CompressedHex4Dec)

    def self.create(text) = new(text)

    def initialize(text)
      raise ArgumentError, "not numeric IPv6 address: #{text}" unless Regex.match?(text.to_s)

      @text = text.to_s
    end

    def to_s = @text
    def inspect = "#<#{self.class} #{self}>"
    def ==(other) = other.is_a?(IPv6) && to_s == other.to_s
    alias eql? ==
    def hash = to_s.hash
  end

  AddressRegex = Regexp.union(IPv4::Regex, IPv6::Regex)

  def self.getaddress(name) = new.getaddress(name)
  def self.getaddresses(name) = new.getaddresses(name)
  def self.each_address(name, &block) = new.getaddresses(name).each(&block)
  def self.getname(address) = new.getname(address)
  def self.getnames(address) = new.getnames(address)
  def self.each_name(address, &block) = new.getnames(address).each(&block)

  def initialize(*) = nil

  def getaddress(name)
    getaddresses(name).first or raise ResolvError, "no address for #{name}"
  end

  def getaddresses(name)
    return [name] if AddressRegex.match?(name.to_s)

    %w[A AAAA].flat_map { |kind| HierarchNetwork.records('Resolv.getaddress', name.to_s, kind) }
  end

  def getname(address)
    getnames(address).first or raise ResolvError, "no name for #{address}"
  end

  def getnames(address)
    HierarchNetwork.records('Resolv.getname', address.to_s, 'PTR').map { |name| DNS::Name.create(name).to_s }
  end

  def each_address(name, &block) = getaddresses(name).each(&block)
  def each_name(address, &block) = getnames(address).each(&block)

  # Questions to name servers.
  class DNS
    # A name.
    class Name
      def self.create(name) = name.is_a?(Name) ? name : new(name.to_s)

      def initialize(text)
        @absolute = text.end_with?('.')
        @text = text.delete_suffix('.')
      end

      def absolute? = @absolute
      def to_s = @text
      def inspect = "#<#{self.class}: #{self}#{'.' if absolute?}>"
      def ==(other) = other.is_a?(Name) && to_s.casecmp?(other.to_s)
      alias eql? ==
      def hash = to_s.downcase.hash
    end

    # An answer of a name server.
    class Resource
      module IN; end

      def self.__kind = name.split('::').last
    end

    class Resource::IN::A < Resource
      attr_reader :address

      def initialize(text) = @address = IPv4.create(text)
    end

    class Resource::IN::AAAA < Resource
      attr_reader :address

      def initialize(text) = @address = IPv6.create(text)
    end

    # What has a name alone.
    class Resource::DomainName < Resource
      attr_reader :name

      def initialize(text) = @name = Name.create(text)
    end

    class Resource::IN::PTR < Resource::DomainName; end
    class Resource::IN::CNAME < Resource::DomainName; end
    class Resource::IN::NS < Resource::DomainName; end

    class Resource::IN::TXT < Resource
      attr_reader :strings

      def initialize(text) = @strings = [text]
      def data = strings.join
    end

    class Resource::IN::MX < Resource
      attr_reader :preference, :exchange

      def initialize(text)
        preference, exchange = text.split(' ', 2)
        @preference = preference.to_i
        @exchange = Name.create(exchange.to_s)
      end
    end

    class Resource::IN::SRV < Resource
      attr_reader :priority, :weight, :port, :target

      def initialize(text)
        *numbers, target = text.split(' ', 4)
        @priority, @weight, @port = numbers.map(&:to_i)
        @target = Name.create(target.to_s)
      end
    end

    def self.open(*)
      dns = new
      block_given? ? yield(dns) : dns
    end

    def initialize(*) = nil
    def close = nil
    def timeouts=(seconds); end

    def getaddress(name)
      getaddresses(name).first or raise ResolvError, "DNS result has no information for #{name}"
    end

    def getaddresses(name)
      %w[A AAAA].flat_map do |kind|
        found = HierarchNetwork.records('Resolv::DNS#getaddress', name.to_s, kind)
        found.map { |text| kind == 'A' ? IPv4.create(text) : IPv6.create(text) }
      end
    end

    def each_address(name, &block) = getaddresses(name).each(&block)

    def getname(address)
      getnames(address).first or raise ResolvError, "DNS result has no information for #{address}"
    end

    def getnames(address)
      HierarchNetwork.records('Resolv::DNS#getname', address.to_s, 'PTR').map { |name| Name.create(name) }
    end

    def getresource(name, type)
      getresources(name, type).first or raise ResolvError, "DNS result has no information for #{name}"
    end

    def getresources(name, type)
      HierarchNetwork.records('Resolv::DNS#getresources', name.to_s, type.__kind).map { |text| type.new(text) }
    end

    def each_resource(name, type, &block) = getresources(name, type).each(&block)
  end
end
