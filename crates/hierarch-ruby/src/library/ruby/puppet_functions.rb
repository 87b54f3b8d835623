# Functions of the 4.x API: what their files are written in.
module Puppet
  module Pops
    module Functions
      # What every function is.
      class Function
        attr_reader :closure_scope, :loader

        def initialize(closure_scope, loader)
          @closure_scope = closure_scope
          @loader = loader
        end

        def call_function(function_name, *args, &block)
          Puppet::Pops::HostCalls.call(self.class.name, function_name, args, &block)
        end

        def self.dispatches
          @dispatches ||= []
        end

        def self.aliases
          @aliases ||= []
        end
      end
    end
  end

  module Pops
    module Adapters
      # A hash for each object that asks for one.
      class ObjectIdCacheAdapter
        def initialize
          @kept = {}.compare_by_identity
        end

        def retrieve(object)
          @kept[object] ||= {}
        end
      end
    end
  end

  module Functions
    # What functions of modules are based on.
    class Function < Puppet::Pops::Functions::Function
      def self.dispatch(meth_name, &block)
        dispatches << builder_class.new(self, meth_name, false, &block)
      end

      def self.argument_mismatch(meth_name, &block)
        dispatches << builder_class.new(self, meth_name, true, &block)
      end

      def self.local_types(&block)
        LocalTypeAliasesBuilder.new(aliases).instance_eval(&block) if block_given?
      end

      def self.builder_class
        DispatcherBuilder
      end
    end

    # A function that may be handed more than its arguments.
    class InternalFunction < Function
      def self.builder_class
        InternalDispatchBuilder
      end
    end

    # The types that a function names for itself.
    class LocalTypeAliasesBuilder
      def initialize(aliases)
        @aliases = aliases
      end

      def type(assignment_string)
        @aliases << assignment_string
      end
    end

    # What stands in the block of `dispatch`.
    class DispatcherBuilder
      attr_reader :__shape

      def initialize(function, method, is_mismatch, &block)
        @parameters = []
        @injections = []
        @min = 0
        @max = 0
        @__shape = [method.to_s, is_mismatch, nil, @parameters, @injections, function.aliases]
        instance_eval(&block)
      end

      def param(type, name)
        __add(type, name)
        raise ArgumentError, 'A required parameter cannot be added after an optional parameter' if @min != @max

        @min += 1
        @max += 1
        @parameters << ['', type, name.to_s]
      end
      alias required_param param

      def optional_param(type, name)
        __add(type, name)
        @max += 1
        @parameters << ['?', type, name.to_s]
      end

      def repeated_param(type, name)
        __add(type, name)
        @max = nil
        @parameters << ['*', type, name.to_s]
      end
      alias optional_repeated_param repeated_param

      def required_repeated_param(type, name)
        __add(type, name)
        raise ArgumentError, 'A required repeated parameter cannot be added after an optional parameter' if @min != @max

        @min += 1
        @max = nil
        @parameters << ['+', type, name.to_s]
      end

      def block_param(*type_and_name)
        __block('&', type_and_name)
      end
      alias required_block_param block_param

      def optional_block_param(*type_and_name)
        __block('?&', type_and_name)
      end

      def return_type(type)
        raise ArgumentError, "Argument to 'return_type' must be a String reference to a Puppet Data Type. Got #{type.class}" unless type.is_a?(String)

        @__shape[2] = type
      end

      private

      def __add(type, name)
        raise ArgumentError, 'Parameters cannot be added after a block parameter' if @has_block
        raise ArgumentError, 'Parameters cannot be added after a repeated parameter' if @max.nil?
        raise ArgumentError, "Parameter name argument must be a Symbol. Got #{name.class}" unless name.is_a?(Symbol)
        raise ArgumentError, "Parameter type must be a String reference to a Puppet Data Type. Got #{type.class}" unless type.is_a?(String)
      end

      def __block(mark, type_and_name)
        case type_and_name.size
        when 0
          type = 'Callable'
          name = :block
        when 1
          type = type_and_name[0]
          name = :block
        when 2
          type, name = type_and_name
          type = 'Callable' if type.is_a?(Symbol)
        else
          raise ArgumentError, "block_param accepts max 2 arguments (type, name), got #{type_and_name.size}."
        end
        raise ArgumentError, "Expected PCallableType or PVariantType thereof, got #{type}" unless type.is_a?(String)
        raise ArgumentError, "Expected block_param name to be a Symbol, got #{name.class}" unless name.is_a?(Symbol)
        raise ArgumentError, 'Attempt to redefine block' if @has_block

        @has_block = true
        @parameters << [mark, type, name.to_s]
      end
    end

    # What stands in the block of `dispatch` of an InternalFunction.
    class InternalDispatchBuilder < DispatcherBuilder
      def scope_param
        @injections << :scope
      end

      def script_compiler_param
        @injections << :pal_script_compiler
      end

      def cache_param
        @injections << :cache
      end

      def compiler_param
        @injections << :pal_catalog_compiler
      end
    end

    def self.create_function(func_name, function_base = Function, &block)
      create_loaded_function(func_name, nil, function_base, &block)
    end

    def self.create_loaded_function(func_name, _loader, function_base = Function, &block)
      unless function_base.ancestors.include?(Puppet::Pops::Functions::Function)
        raise ArgumentError, "Functions must be based on Puppet::Pops::Functions::Function. Got #{function_base}"
      end

      func_name = func_name.to_s
      created = Class.new(function_base)
      Puppet::Pops::HostCalls.rename(created, func_name)
      created.class_eval(&block)
      __default_dispatch(created, func_name.split('::')[-1]) if created.dispatches.empty?
      created
    rescue StandardError => e
      raise ArgumentError, "Function Load Error for function '#{func_name}': #{e.message}"
    end

    def self.__default_dispatch(created, method)
      unless created.method_defined?(method)
        raise ArgumentError, "Function Creation Error, cannot create a default dispatcher for function '#{method}', no method with this name found"
      end

      marks = { req: '', opt: '?', rest: '*' }
      parameters = created.instance_method(method).parameters.map do |kind, name|
        raise NoMethodError, "undefined method `+' for nil" unless marks.key?(kind)

        [marks[kind], 'Any', name.to_s]
      end
      created.dispatches << Struct.new(:__shape).new([method, false, nil, parameters, [], created.aliases])
    end
  end
end
