require 'ipaddr'

module PuppetX
  module Site
    # A network that is given as address and length.
    class Network
      def initialize(text)
        @text = text
        @range = IPAddr.new(text).to_range
      end

      def include?(address)
        @range.include?(IPAddr.new(address))
      end

      def size
        @range.last.to_i - @range.first.to_i + 1
      end
    end
  end
end
