# frozen_string_literal: true

# What Puppet says about cases of the language. A file has a JSON object a line: its `kind` says what it asks, and so which
# method below answers it. Each case has an environment, a node and a compiler of its own.

require 'fileutils'
require 'json'
require 'timeout'
require 'tmpdir'
require 'puppet'
require 'puppet/pops'
require 'puppet/pops/pn'
require_relative 'case_files'

ANSWERS = %w[notices warnings logs result result_type error errors pn pn_json instance assignable inferred canonical text
             catalog valid].freeze

# Modules that all cases see besides their own, if there are any.
MODULES = File.join(__dir__, 'modules')

NODE = 'case.example.com'
LONGEST = 20

# Keeps what the manifest itself evaluates to: the first program that comes to an end is the one given as code.
module FirstValue
  @values = []

  class << self
    attr_reader :values
  end

  def eval_Program(...)
    super.tap { |value| FirstValue.values << value }
  end
end

# Ruby's own way to show them is of no use to anybody.
module NamedTime
  def inspect
    "#{self.class.name[/\w+\z/]}('#{self}')"
  end
end

class Cases
  Types = Puppet::Pops::Types

  def initialize
    @root = Dir.mktmpdir('lang')
    at_exit { FileUtils.remove_entry(@root) }
    folders = %w[conf var code].flat_map { |name| ["--#{name}dir", File.join(@root, name).tap { |path| Dir.mkdir(path) }] }
    Puppet.initialize_settings(folders + ['--hiera_config', File.join(@root, 'none.yaml')])
    Puppet[:node_name_value] = NODE
    Puppet::Util::Log.level = :info
    Puppet::Pops::Evaluator::EvaluatorImpl.prepend(FirstValue)
    [Puppet::Pops::Time::Timespan, Puppet::Pops::Time::Timestamp].each { |time| time.prepend(NamedTime) }
    @environments = 0
    @calculator = Types::TypeCalculator.singleton
  end

  def answer(input)
    settle({ 'strict' => 'error', 'strict_variables' => true }.merge(input['settings'] || {}))
    Puppet::Util::Warnings.clear_warnings
    Puppet.clear_deprecation_warnings
    logs = []
    said = nil
    Puppet::Util::Log.with_destination(Puppet::Test::LogCollector.new(logs)) { said = attempt(input) }
    JSON.parse(JSON.generate(said.merge(sorted_logs(logs, said))))
  end

  private

  # A case may have settings of its own.
  def settle(settings)
    settings.each { |name, value| Puppet[name.to_sym] = value.is_a?(String) ? value.to_sym : value }
  end

  def attempt(input)
    FirstValue.values.clear
    Timeout.timeout(LONGEST) { public_send(:"ask_#{input['kind']}", input) }
  rescue Timeout::Error
    { 'error' => { 'message' => 'TIMEOUT' } }
  rescue StandardError, SystemStackError, NotImplementedError => e
    { 'error' => description(e) }
  end

  public

  def ask_eval(input)
    value = evaluated(input, input['code'])
    { 'result' => written(value), 'result_type' => tidy(@calculator.infer_set(value).to_s) }
  end
  alias ask_convert ask_eval

  def ask_parse(input)
    model = Puppet::Pops::Parser::Parser.new.parse_string(input['code'])
    notation = Puppet::Pops::Model::PNTransformer.transform(model)
    notation = Puppet::Pops::PN::Literal.new(notation) unless notation.is_a?(Puppet::Pops::PN)
    case input['format']
    when 'pretty'
      text = String.new
      notation.format(Puppet::Pops::PN::Indent.new('  '), text)
      { 'pn' => text }
    when 'json' then { 'pn' => notation.to_s, 'pn_json' => notation.to_data }
    else { 'pn' => notation.to_s }
    end
  end

  def ask_validate(input)
    Puppet::Pops::Parser::EvaluatingParser.new.parse_string(input['code'])
    { 'valid' => true }
  end

  def ask_instance(input)
    type, value = all_of(input, 'type', 'value')
    { 'instance' => @calculator.instance?(type, value) ? true : false }
  end

  def ask_assignable(input)
    wide, narrow = all_of(input, 'a', 'b')
    { 'assignable' => @calculator.assignable?(wide, narrow) ? true : false }
  end

  def ask_infer(input)
    value, = all_of(input, 'value')
    reduced = @calculator.infer(value)
    types = { 'detailed' => @calculator.infer_set(value), 'reduced' => reduced, 'generalized' => reduced.generalize }
    { 'inferred' => types.transform_values(&:to_s) }
  end

  def ask_type(input)
    { 'canonical' => written(all_of(input, 'type').first) }
  end

  def ask_epp(input)
    text = nil
    compiling(input, input['setup'] || 'undef') do |compiler|
      compiler.compile do |catalog|
        scope = compiler.topscope
        parameters = input['params'] && Puppet::Pops::Parser::EvaluatingParser.singleton.evaluate_string(scope, input['params'])
        text = scope.call_function('inline_epp', [input['template'], parameters].compact)
        catalog
      end
    end
    { 'text' => tidy(text.to_s) }
  end

  # What every catalog has says nothing about a case.
  EVERYWHERE = %w[Stage[main] Class[Settings] Class[Main] Class[main]].freeze

  def ask_catalog(input)
    catalog = compiling(input, input['code'], &:compile).filter(&:virtual?)
    edges = catalog.edges.map { |edge| [edge.source.to_s, edge.target.to_s] }.uniq
    resources = catalog.resources.reject { |resource| EVERYWHERE.include?(resource.ref) }
    { 'catalog' => { 'resources' => resources.map { |resource| shown(resource) },
                     'edges' => edges.reject { |edge| edge.include?('Class[Settings]') },
                     'classes' => catalog.classes - ['settings'] } }
  end

  private

  def shown(resource)
    # A name that only repeats the title is not part of the catalog's data.
    kept = (resource.to_data_hash['parameters'] || {}).keys
    parameters = resource.to_hash.compact.transform_keys(&:to_s).slice(*kept)
    entry = { 'type' => resource.type.to_s, 'title' => resource.title.to_s,
              'parameters' => parameters.sort.to_h { |name, value| [name, plain(value)] } }
    hidden = resource.sensitive_parameters.map(&:to_s).sort
    entry['sensitive'] = hidden if hidden.any?
    entry['exported'] = true if resource.exported
    entry
  end

  def plain(value)
    case value
    when Integer, Float, true, false, nil then value
    when Array then value.map { |item| plain(item) }
    when Hash then value.to_h { |key, item| [plain(key).to_s, plain(item)] }
    when Types::PSensitiveType::Sensitive then { '__sensitive' => plain(value.unwrap) }
    when Puppet::Resource then value.ref
    else tidy(value.to_s)
    end
  end

  # Evaluates the expressions of some fields, after the setup.
  def all_of(input, *fields)
    evaluated(input, "#{input['setup']}\n[#{fields.map { |field| "(#{input[field]})" }.join(', ')}]")
  end

  def evaluated(input, code)
    FirstValue.values.clear
    compiling(input, code, &:compile)
    FirstValue.values.first
  end

  def compiling(input, code)
    environment = environment_with(input['files'] || {})
    name = input['node'] || NODE
    facts = Puppet::Node::Facts.new(name, input['facts'] || {})
    node = Puppet::Node.new(name, facts: facts, environment: environment)
    node.merge(facts.values) if input['facts']
    Puppet[:code] = code
    Puppet.override(current_environment: environment, environments: Puppet::Environments::Static.new(environment)) do
      yield Puppet::Parser::Compiler.new(node)
    end
  ensure
    Puppet[:code] = ''
  end

  def environment_with(files)
    FileUtils.rm_rf(folder)
    @environments += 1
    modules = File.join(folder, 'modules')
    FileUtils.mkdir_p(modules)
    files.each do |path, text|
      FileUtils.mkdir_p(File.dirname(File.join(folder, path)))
      File.binwrite(File.join(folder, path), text)
    end
    modulepath = [modules, MODULES].select { |path| File.directory?(path) }
    Puppet::Node::Environment.create(:production, modulepath, Puppet::Node::Environment::NO_MANIFEST)
  end

  def folder
    File.join(@root, "env#{@environments}")
  end

  def written(value)
    tidy(Types::StringConverter.singleton.convert(value, '%p'))
  rescue StandardError => e
    "#<#{value.class}: #{e.class}>"
  end

  # Paths and addresses differ from run to run.
  def tidy(text)
    text = text.dup.force_encoding(Encoding::UTF_8).scrub
    text = text.gsub(%r{#{Regexp.escape(@root)}/env\d+}, 'ENV').gsub(@root, 'TMP').gsub(/(#<[^\s>]*?):0x\h{16}/, '\1:0xADDR')
    # Where in the Ruby of such a module a warning was raised says nothing about the program.
    File.directory?(MODULES) ? text.gsub(__dir__, 'TMP').sub(/\n   \(location: .*\)\z/, '') : text
  end

  # An error in the code given is wrapped by one that has lost the place.
  def description(error)
    inner = error.respond_to?(:original) && error.original
    error = inner if inner && error.message.start_with?('Could not parse for environment')
    asked = ->(name) { error.respond_to?(name) ? error.public_send(name) : nil }
    file = asked[:file].to_s
    { 'message' => tidy(asked[:basic_message]&.to_s || without_place(error.message.to_s)),
      'issue' => asked[:issue_code]&.to_s,
      'line' => asked[:line]&.to_i,
      'col' => asked[:pos]&.to_i,
      'file' => ['', 'unknown'].include?(file) ? nil : tidy(file),
      'class' => error.is_a?(Puppet::Error) ? nil : error.class.name }.compact
  end

  def without_place(message)
    message.sub(/ on node \S+\z/, '').sub(/\ACould not parse for environment \w+: /, '')
           .sub(/ \((?:file: [^()]*|line: \d+(?:, column: \d+)?)\)\z/, '')
  end

  # Several errors of one manifest are logged one by one before it is given up.
  def sorted_logs(logs, said)
    # What a module's own Ruby uses that is about to leave Puppet says nothing about the program.
    logs = logs.reject { |log| log.message.to_s.include?('Puppet::Parser::Functions.autoloader') }
    levels = logs.group_by { |log| log.level.to_s }.transform_values { |some| some.map { |log| tidy(log.message.to_s) } }
    levels.delete('debug')
    known = { 'notices' => levels.delete('notice'), 'warnings' => levels.delete('warning') }
    known['errors'] = levels.delete('err') if said['error']
    known['logs'] = levels.to_a if levels.any?
    known.compact
  end
end

recording = Recording.new(ARGV)
cases = Cases.new
recording.files.each do |file|
  lines = File.readlines(file, encoding: 'UTF-8').map(&:strip).reject(&:empty?).map { |line| JSON.parse(line) }
  lines.each_with_index do |entry, index|
    next if recording.new_only? && (entry.keys & ANSWERS).any?

    title = "#{File.basename(file)}:#{index + 1}: #{entry['about'] || entry['code']}"
    recording.take(title, entry, ANSWERS, cases.answer(entry.reject { |part, _| ANSWERS.include?(part) }))
  end
  File.write(file, lines.map { |entry| "#{JSON.generate(entry)}\n" }.join) unless recording.check?
end
recording.finish
