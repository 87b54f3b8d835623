# What functions and backends of modules use of Puppet beside its interfaces.
module Puppet
  module Util
    # Log messages by plain names.
    module Logging
      %i[debug info notice warning err alert emerg crit].each do |level|
        define_method(level) { |*args| Puppet.public_send(level, *args) }
      end

      def deprecation_warning(message, _key = nil)
        Puppet.deprecation_warning(message)
      end
    end

    # Errors by a plain name.
    module Errors
      def fail(*args)
        type = args[0].is_a?(Class) ? args.shift : Puppet::Error
        raise type, args.join(' ')
      end
    end

    # Versions of packages.
    module Package
      def versioncmp(version_a, version_b, ignore_trailing_zeroes = false)
        if ignore_trailing_zeroes
          version_a = version_a.sub(/(\.0+)+\z/, '')
          version_b = version_b.sub(/(\.0+)+\z/, '')
        end
        pieces = /[-.]|\d+|[^-.\d]+/
        theirs = version_b.scan(pieces)
        version_a.scan(pieces).each_with_index do |own, index|
          other = theirs[index]
          break if other.nil?
          next if own == other

          ['-', '.'].each do |mark|
            return -1 if own == mark
            return 1 if other == mark
          end
          numbers = own.match?(/\A\d+\z/) && other.match?(/\A\d+\z/)
          return own.to_i <=> other.to_i if numbers && !own.start_with?('0') && !other.start_with?('0')

          return own.upcase <=> other.upcase
        end
        version_a <=> version_b
      end
      module_function :versioncmp
    end

    # Tags: a set that can be joined.
    class TagSet < Set
      def join(*args)
        to_a.join(*args)
      end
    end

    # The machine is never Windows.
    module Platform
      def self.windows?
        false
      end
    end

    def self.absolute_path?(path, _platform = nil)
      path.start_with?('/')
    end
  end

  # Files, by Puppet's own names.
  module FileSystem
    def self.exist?(path)
      File.exist?(path.to_s)
    end

    def self.file?(path)
      File.file?(path.to_s)
    end

    def self.directory?(path)
      File.directory?(path.to_s)
    end

    def self.read(path, _options = {})
      File.read(path.to_s)
    end

    def self.read_preserve_line_endings(path)
      File.read(path.to_s)
    end

    def self.binread(path)
      File.binread(path.to_s)
    end

    def self.each_line(path, &block)
      File.read(path.to_s).each_line(&block)
    end

    def self.basename_string(path)
      File.basename(path.to_s)
    end

    def self.dir_string(path)
      File.dirname(path.to_s)
    end

    def self.path_string(path)
      path.to_s
    end

    def self.pathname(path)
      Pathname.new(path.to_s)
    end
  end

  # A module on the modulepath.
  class Module
    attr_reader :name, :path, :environment

    def self.find(name, _environment = nil)
      path = Puppet::Pops::HostCalls.module_folder(name.to_s)
      path && new(name.to_s, path, nil)
    end

    def initialize(name, path, environment)
      @name = name
      @path = path
      @environment = environment
    end

    %w[files templates manifests lib functions facts.d scripts].each do |folder|
      method = folder == 'lib' ? 'plugin' : folder.sub(/s\z/, '').sub('facts.d', 'pluginfact')
      define_method(method) do |wanted = nil|
        file = wanted.nil? ? File.join(path, folder) : File.join(path, folder, wanted)
        File.exist?(file) ? file : nil
      end
      define_method("#{method}s") { File.join(path, folder) }
    end

    def metadata_file
      File.join(path, 'metadata.json')
    end

    def to_s
      "Module #{name}(#{path})"
    end
  end

  module Parser
    # Files of modules, as templates and manifests name them.
    module Files
      def self.find_file(file, _environment = nil)
        __find('files', file)
      end

      def self.find_template(template, _environment = nil)
        __find('templates', template)
      end

      # Puppet asks twice whether what is not a text is an absolute path.
      def self.__find(folder, file)
        return Puppet::Pops::HostCalls.find_in_module(folder, file) if file.is_a?(String)

        2.times { Puppet.warning("Cannot check if #{file} is an absolute path because it is a '#{file.class}' and not a String'") }
        file.split('/')
      end
    end
  end

  module Pops
    module Lookup
      # What reads hiera.yaml.
      class HieraConfig
        def self.symkeys_to_string(struct)
          case struct
          when Hash
            struct.to_h { |key, value| [key.to_s, symkeys_to_string(value)] }
          when Array
            struct.map { |value| symkeys_to_string(value) }
          else
            struct
          end
        end
      end
    end

    module Types
      # A value does not have the type that it should.
      class TypeAssertionError < Puppet::Error
        attr_reader :expected_type, :actual_type

        def initialize(message, expected_type = nil, actual_type = nil)
          super(message)
          @expected_type = expected_type
          @actual_type = actual_type
        end
      end

      # Types of values.
      class TypeCalculator
        def self.singleton
          self
        end

        def self.infer(value)
          Puppet::Pops::HostCalls.infer(value, false)
        end

        def self.infer_set(value)
          Puppet::Pops::HostCalls.infer(value, true)
        end

        def self.instance?(type, value)
          type.instance?(value)
        end
      end

      # Checks of types.
      module TypeAsserter
        def self.assert_instance_of(subject, expected_type, value, nil_ok = false, &block)
          return value if (value.nil? && nil_ok) || expected_type.instance?(value)

          subject = subject.is_a?(Array) ? format(*subject) : (subject || yield)
          message = Puppet::Pops::HostCalls.mismatch(subject, expected_type, value)
          raise TypeAssertionError.new(message, expected_type, TypeCalculator.infer(value))
        end
      end

      # Types by the names of their makers.
      module TypeFactory
        def self.__parse(text)
          TypeParser.singleton.parse(text)
        end

        {
          'any' => 'Any', 'integer' => 'Integer', 'float' => 'Float', 'numeric' => 'Numeric', 'boolean' => 'Boolean',
          'scalar' => 'Scalar', 'data' => 'Data', 'rich_data' => 'RichData', 'undef' => 'Undef', 'default' => 'Default',
          'collection' => 'Collection', 'type_type' => 'Type', 'regexp' => 'Regexp', 'binary' => 'Binary',
          'timestamp' => 'Timestamp', 'timespan' => 'Timespan', 'sem_ver' => 'SemVer'
        }.each do |name, type|
          define_singleton_method(name) { |*| __parse(type) }
        end

        def self.string(*)
          __parse('String')
        end

        def self.range(from, to)
          __parse("Integer[#{[from, to].join(', ')}]")
        end

        def self.array_of(type, *)
          __parse("Array[#{type}]")
        end

        def self.hash_of(value_type, key_type = 'Any', *)
          __parse("Hash[#{key_type}, #{value_type}]")
        end

        def self.optional(type = 'Any')
          __parse("Optional[#{type}]")
        end

        def self.not_undef(type = 'Any')
          __parse("NotUndef[#{type}]")
        end

        def self.variant(*types)
          __parse("Variant[#{types.join(', ')}]")
        end

        def self.tuple(types = [], *)
          __parse("Tuple[#{types.join(', ')}]")
        end

        def self.enum(*values)
          __parse("Enum[#{values.map { |value| "'#{value}'" }.join(', ')}]")
        end

        def self.pattern(*patterns)
          __parse("Pattern[#{patterns.map { |pattern| pattern.is_a?(Regexp) ? pattern.inspect : "/#{pattern}/" }.join(', ')}]")
        end

        def self.sensitive(type = 'Any')
          __parse("Sensitive[#{type}]")
        end
      end
    end
  end
end

# Facts of the node.
module Facter
  # One of them.
  class ResolvedFact
    attr_reader :name, :value

    def initialize(name, value)
      @name = name
      @value = value
    end
  end

  def self.value(name)
    Puppet::Pops::HostCalls.fact(name.to_s)
  end

  def self.[](name)
    found = value(name)
    found.nil? ? nil : ResolvedFact.new(name.to_s, found)
  end

  def self.fact(name)
    self[name]
  end

  def self.to_hash
    Puppet::Pops::HostCalls.fact(nil)
  end
end
