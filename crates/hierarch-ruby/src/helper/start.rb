# What `--ruby-command` runs: it takes jobs as lines of JSON and answers each with a line.
#
# Beside the results it may ask back, for variables, functions and files of the compilation, while a job runs.
require 'erb'
require 'json'
require 'yaml'
require 'set'
require 'uri'
require 'time'
require 'digest'
require 'securerandom'
require 'ipaddr'

module Hierarch
  # The lines to and from Hierarch. What scripts print goes nowhere, so that it cannot be mistaken for an answer.
  LINES = [STDIN.dup, STDOUT.dup].each(&:binmode)
  LINES.each { |io| io.close_on_exec = true }
  STDIN.reopen(File::NULL)
  STDOUT.reopen(File::NULL, 'w')

  # Ends this process and what it started when Hierarch is gone, whatever a script is doing.
  PARENT = Process.ppid
  Thread.new do
    sleep 0.1 while Process.ppid == PARENT
    Process.kill('KILL', -Process.pid)
  end

  # A jump of Puppet's, or an error that Hierarch knows already: it goes through scripts and ends the job.
  class Passing < Exception; end

  # A value of Puppet's that Ruby has no class for: it is handed back as it came.
  class Opaque
    attr_reader :number

    def initialize(number, text, type)
      @number = number
      @text = text
      @type = type
    end

    def to_s
      @text
    end

    def type_name
      @text[/\A[^\[]*/]
    end

    def title
      @text[/\[['"]?(.*?)['"]?\]\z/m, 1]
    end

    def inspect
      "#<#{@type} #{@text}>"
    end

    def ==(other)
      other.is_a?(Opaque) && other.to_s == to_s
    end
    alias eql? ==

    def hash
      to_s.hash
    end
  end

  def self.receive
    line = LINES[0].gets or exit!(0)
    JSON.parse(line, max_nesting: false, create_additions: false)
  end

  def self.answer(line)
    LINES[1].puts(JSON.generate(line, max_nesting: false, allow_nan: true))
    LINES[1].flush
  end

  # Asks Hierarch something; it may hand out further jobs before it replies.
  def self.ask(what, *arguments)
    answer('ask' => what, 'arguments' => arguments.map { |argument| encode(argument) })
    loop do
      line = receive
      next job(line) if line.key?('do')
      return decode(line['reply']) if line.key?('reply')
      raise Passing if line['passing'] == 'jump'

      error = Puppet::Error.new(line['error'])
      error.instance_variable_set(:@__passing, true)
      raise error
    end
  end

  def self.decode(value)
    case value
    when Array then value.map { |item| decode(item) }
    when Hash then value.key?('__ptype') ? decode_typed(value) : value.to_h { |key, item| [key, decode(item)] }
    else value
    end
  end

  def self.decode_typed(value)
    inner = value['__pvalue']
    case value['__ptype']
    when 'Default' then :default
    when 'Integer' then inner.to_i
    when 'Regexp' then Regexp.new(inner)
    when 'Sensitive' then Puppet::Pops::Types::PSensitiveType::Sensitive.new(decode(inner))
    when 'Binary' then Puppet::Pops::Types::PBinaryType::Binary.new(inner.unpack1('m0'))
    when 'Hash' then inner.each_slice(2).to_h { |key, item| [decode(key), decode(item)] }
    when 'Context' then Puppet::Pops::Lookup::Context.new(*inner)
    when 'Block' then proc { |*args| ask('yield', inner, *args) }
    else Opaque.new(*inner)
    end
  end

  def self.encode(value)
    case value
    when nil, true, false then value
    when Integer then value.bit_length < 64 ? value : { '__ptype' => 'Integer', '__pvalue' => value.to_s }
    when Float then value
    when String then text(value)
    when Array then value.map { |item| encode(item) }
    when Hash then encode_hash(value)
    when :undef then nil
    when :default then { '__ptype' => 'Default' }
    when Regexp then { '__ptype' => 'Regexp', '__pvalue' => text(value.source) }
    when Puppet::Pops::Types::PSensitiveType::Sensitive
      { '__ptype' => 'Sensitive', '__pvalue' => encode(value.unwrap) }
    when Puppet::Pops::Types::PBinaryType::Binary then { '__ptype' => 'Binary', '__pvalue' => value.to_s }
    when Opaque then { '__ptype' => 'Opaque', '__pvalue' => value.number }
    else text(value.to_s)
    end
  end

  def self.encode_hash(hash)
    if hash.keys.all? { |key| key.is_a?(String) && key != '__ptype' }
      return hash.to_h { |key, value| [text(key), encode(value)] }
    end

    { '__ptype' => 'Hash', '__pvalue' => hash.flat_map { |key, value| [encode(key), encode(value)] } }
  end

  def self.text(string)
    string.encode('UTF-8').scrub
  rescue EncodingError
    string.dup.force_encoding('UTF-8').scrub
  end
end

# What modules know of Puppet.
module Puppet
  class Error < RuntimeError; end

  # An error that may know its place.
  class ParseError < Error
    attr_accessor :file, :line, :pos

    def initialize(message, file = nil, line = nil, pos = nil)
      super(message)
      @file, @line, @pos = file, line, pos
    end
  end

  class ParseErrorWithIssue < ParseError; end
  class PreformattedError < ParseErrorWithIssue; end
  class DevError < Error; end
  class ResourceError < Error; end

  module DataBinding
    class LookupError < PreformattedError; end
    class RecursiveLookupError < LookupError; end
  end

  PUPPETVERSION = '8.10.0'

  def self.version
    PUPPETVERSION
  end

  def self.[](name)
    Hierarch.ask('setting', name.to_s)
  end

  # Settings as an object.
  def self.settings
    Puppet
  end

  # What the machine can do: that of a server that need not be root.
  class Features
    def root?
      Process.uid.zero?
    end

    def posix?
      true
    end

    def microsoft_windows?
      false
    end
  end

  def self.features
    @features ||= Features.new
  end

  %i[debug info notice warning err alert emerg crit].each do |level|
    define_singleton_method(level) { |*args| Hierarch.ask('log', level.to_s, args.join(' ')) && nil }
  end

  def self.deprecation_warning(message, _key = nil)
    warning(message)
  end

  def self.lookup(name)
    name == :current_environment ? Parser::Environment.new : raise(Error, "no '#{name}' in a helper")
  end

  module Pops
    # What the parts that are written in Ruby ask the compilation for.
    module HostCalls
      def self.call(_caller, name, args, &block)
        Parser::Scope.call(name, args, block)
      end

      def self.rename(function, name)
        function.define_singleton_method(:name) { name }
      end

      def self.load_old(name)
        source = Hierarch.ask('old_function', name) or return false
        Hierarch.load_old(name, *source)
        "function_#{name}"
      end

      def self.module_folder(name)
        Hierarch.ask('module_folder', name)
      end

      def self.find_in_module(folder, path)
        Hierarch.ask('find_in_module', folder, path)
      end

      def self.fact(name)
        facts = Hierarch.ask('variable', '::facts')
        facts = facts && facts[0]
        name.nil? ? facts : (facts || {})[name]
      end

      def self.infer(_value, _detailed)
        raise NotImplementedError, 'types are not known in a helper'
      end

      def self.mismatch(subject, type, value)
        "#{subject} has wrong type, expects a value of type #{type}, got #{value.class}"
      end
    end

    module Types
      module PSensitiveType
        # A value that is never shown.
        class Sensitive
          def initialize(value)
            @value = value
          end

          def unwrap
            @value
          end

          def to_s
            'Sensitive [value redacted]'
          end

          def inspect
            '#<Sensitive [value redacted]>'
          end
        end
      end

      module PBinaryType
        # Bytes.
        class Binary
          attr_reader :binary_buffer

          def initialize(bytes)
            @binary_buffer = bytes
          end

          def to_s
            [@binary_buffer].pack('m0')
          end
        end
      end
    end

    module Lookup
      # What a Hiera backend asks about the lookup that it is called for.
      class Context
        CACHES = Hash.new { |caches, place| caches[place] = {} }
        FILES = {}

        def initialize(number, place, module_name, explains)
          @number, @place, @module_name, @explains = number, place, module_name, explains
        end

        attr_reader :module_name

        def not_found
          throw :hierarch_not_found, true
        end

        def environment_name
          Hierarch.ask('variable', 'environment')[0].to_sym
        end

        def interpolate(value)
          Hierarch.ask('interpolate', @number, value)
        end

        def explain
          Hierarch.ask('explain', @number, yield.to_s) if @explains
          nil
        end

        def cache(key, value)
          CACHES[@place][key] = value
        end

        def cache_all(hash)
          CACHES[@place].merge!(hash)
          nil
        end

        def cache_has_key(key)
          CACHES[@place].key?(key)
        end

        def cached_value(key)
          CACHES[@place][key]
        end

        def cached_entries(&block)
          block ? CACHES[@place].each_pair(&block) && nil : CACHES[@place].each_pair
        end

        def cached_file_data(path)
          stat = File.stat(path)
          mark = [stat.ino, stat.mtime, stat.size]
          return FILES[path][1] if FILES.key?(path) && FILES[path][0] == mark

          FILES[path] = [mark, block_given? ? yield(File.read(path)) : File.read(path)]
          FILES[path][1]
        end
      end
    end
  end

  module Parser
    # The environment.
    class Environment
      def name
        Hierarch.ask('variable', 'environment')[0].to_sym
      end

      def to_s
        name.to_s
      end

      def module(name)
        Puppet::Module.find(name)
      end

      def modulepath
        Puppet[:modulepath].to_s.split(':')
      end
    end

    # The node.
    class Node
      def name
        Hierarch.ask('node')
      end
      alias to_s name

      def environment
        Environment.new
      end
    end

    # A resource of the catalog.
    class Resource
      attr_reader :type, :title

      def initialize(type, title, attributes)
        @type, @title, @attributes = type, title, attributes
      end
      alias name title

      def [](name)
        @attributes.fetch(name.to_s) { %w[name title].include?(name.to_s) ? title : nil }
      end

      def to_hash
        named = @attributes.key?('name') ? {} : { name: title }
        named.merge(@attributes.transform_keys(&:to_sym))
      end

      def to_s
        "#{type}[#{title}]"
      end
      alias ref to_s

      def class?
        type == 'Class'
      end

      # Finds one by `Type[title]`, or by both.
      def self.find(first, title = nil)
        type, title = first.to_s.match(/\A(.+?)\[(.*)\]\z/m)&.captures if title.nil?
        raise ArgumentError, "No title provided and #{first.inspect} is not a valid resource reference" unless type || title

        type ||= first.to_s
        found = Hierarch.ask('attributes', type, title.to_s)
        found && new(capitalized(type), type.casecmp?('class') ? capitalized(title.to_s) : title.to_s, found)
      end

      def self.capitalized(name)
        name.split('::').map(&:capitalize).join('::')
      end
    end

    # The catalog.
    class Catalog
      def name
        Hierarch.ask('node')
      end

      def environment
        Environment.new.to_s
      end

      def resource(first, title = nil)
        Resource.find(first, title)
      end

      def classes
        Hierarch.ask('classes')
      end

      def tags
        Hierarch.ask('tags')
      end
    end

    # The compiler.
    class Compiler
      def environment
        Environment.new
      end

      def node
        Node.new
      end

      def catalog
        Catalog.new
      end

      def topscope
        Scope.new
      end
    end

    # Variables and functions.
    class Scope
      def self.call(name, args, block)
        return Hierarch.ask('call', name.to_s, args) unless block

        kinds = block.parameters.map(&:first)
        most = kinds.include?(:rest) ? nil : kinds.size
        Hierarch.with_block(block) { |number| Hierarch.ask('call', name.to_s, args, number, most) }
      end

      def lookupvar(name, _options = nil)
        found = Hierarch.ask('lookup', name.to_s)
        found && found[0]
      end
      alias [] lookupvar

      def include?(name)
        found = Hierarch.ask('variable', name.to_s)
        !found.nil? && !found[0].nil?
      end

      def exist?(name)
        !Hierarch.ask('variable', name.to_s).nil?
      end
      alias bound? exist?

      def to_hash(*)
        Hierarch.ask('variables')
      end

      def setvar(name, value, _options = nil)
        Hierarch.ask('set', name.to_s, value)
        value
      end
      alias []= setvar

      def call_function(name, args = [], &block)
        Scope.call(name, args.is_a?(Array) ? args : [args], block)
      end

      def catalog
        Catalog.new
      end

      def compiler
        Compiler.new
      end

      def environment
        Environment.new
      end

      def resource
        shown = Hierarch.ask('resource')
        type, title = shown.match(/\A(.+?)\[(.*)\]\z/m)&.captures
        Resource.new(type || shown, title.to_s, type ? Hierarch.ask('attributes', type, title) || {} : {})
      end

      def findresource(first, title = nil)
        Resource.find(first, title)
      end

      def find_global_scope
        Scope.new
      end

      def to_s
        "Scope(#{Hierarch.ask('resource')})"
      end

      def respond_to_missing?(name, all = false)
        name.to_s.start_with?('function_') || super
      end

      def method_missing(name, *args, &block)
        function = name.to_s[/\Afunction_(.+)/, 1] or return super
        Scope.call(function, args[0], block)
      end
    end

    # What `self` is in a template.
    class TemplateWrapper
      attr_reader :scope, :file

      def initialize(file, variables)
        @scope = Scope.new
        @file = file
        variables.each { |name, value| instance_variable_set("@#{name.gsub(/\W/, '_')}", value) }
      end

      def has_variable?(name)
        scope.include?(name.to_s)
      end

      def classes
        scope.catalog.classes
      end

      def all_tags
        scope.catalog.tags
      end

      %i[debug info notice warning err alert emerg crit].each do |level|
        define_method(level) { |*args| Puppet.public_send(level, *args) }
      end

      def to_s
        "template[#{file || 'inline'}]"
      end

      # Old releases show all variables of an object in errors about it, secrets too.
      def inspect
        '#<Puppet::Parser::TemplateWrapper>'
      end

      def __binding
        binding
      end
    end
  end
end
