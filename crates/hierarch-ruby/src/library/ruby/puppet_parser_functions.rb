# Functions of the 3.x API: what their files are written in.
module Puppet
  module Parser
    module Functions
      @functions = {}

      # What loads functions by name.
      class AutoloaderDelegate
        def load(name, _env = nil)
          Functions.function(name) ? true : false
        end

        def loadall(_env = nil)
          nil
        end

        def loaded?(name)
          Functions.function(name) ? true : false
        end
      end

      def self.autoloader
        @autoloader ||= AutoloaderDelegate.new
      end

      def self.newfunction(name, options = {}, &block)
        name = name.to_sym
        type = (options[:type] || :statement).to_sym
        raise Puppet::DevError, "Invalid statement type #{type.inspect}" unless %i[statement rvalue].include?(type)

        arity = options[:arity] || -1
        Puppet::Parser::Scope.define_method("real_function_#{name}", &block)
        @functions[name] = { :arity => arity, :type => type, :name => "function_#{name}", :doc => options[:doc] }
      end

      def self.get_function(name)
        @functions[name.to_sym]
      end

      def self.function(name, _environment = nil)
        name = name.to_sym
        return @functions[name][:name] if @functions.key?(name)

        Puppet::Pops::HostCalls.load_old(name.to_s)
      end

      def self.rvalue?(name, _environment = nil)
        function(name) && @functions.key?(name.to_sym) ? @functions[name.to_sym][:type] == :rvalue : false
      end

      def self.arity(name, _environment = nil)
        function(name) && @functions.key?(name.to_sym) ? @functions[name.to_sym][:arity] : -1
      end
    end
  end
end
