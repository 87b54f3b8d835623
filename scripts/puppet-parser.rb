# frozen_string_literal: true

# What the real Puppet makes of manifests and EPP templates, in one warm process.
#
#   ruby puppet-parser.rb answers < PATHS    one JSON object per file: its tree as PN, its problems
#   ruby puppet-parser.rb bench < PATHS      CPU seconds and bytes of parse + validate, as one JSON object
#
# PATHS is one path a line, read relative to the current folder; messages name files as given. An answer has
#   path   the file
#   pn     the dump of the unvalidated parse, or dump_error when it does not parse
#   logs   what validation logs, in order: level, message, issue, line, col
#   error  what validation raises, if anything: message, issue, line, col; class if it is not one of Puppet's own errors

$VERBOSE = nil # Ruby has its own opinion about the manifests' regular expressions
require 'json'
require 'tmpdir'
require 'puppet'
require 'puppet/pops'
require 'puppet/pops/pn'

# Takes the log messages gathered so far.
def drain(logs)
  taken = logs.map do |log|
    { 'level' => log.level.to_s, 'message' => text(log.message), 'issue' => log.issue_code&.to_s,
      'line' => log.line, 'col' => log.pos }.compact
  end
  logs.clear
  taken
end

def set_up
  dir = Dir.mktmpdir('puppet-parser')
  at_exit { FileUtils.rm_rf(dir) }
  Puppet.initialize_settings(%w[confdir vardir codedir].flat_map { |name| ["--#{name}", File.join(dir, name)] })
  environment = Puppet::Node::Environment.create(:production, [], Puppet::Node::Environment::NO_MANIFEST)
  Puppet.push_context({ current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment) })
end

def parser_for(path)
  parsers = Puppet::Pops::Parser
  path.end_with?('.epp') ? parsers::EvaluatingParser::EvaluatingEppParser.new : parsers::EvaluatingParser.new
end

# A message as text that JSON can hold, whatever bytes the file had.
def text(value)
  value.to_s.dup.force_encoding('UTF-8').scrub
end

# An error without issue code has its place at the end of its message; here it is told apart.
def describe(error)
  message = error.respond_to?(:basic_message) ? error.basic_message : error.message
  message = message.to_s.sub(/ \((file: [^()]*|line: \d+(, column: \d+)?)\)\z/, '')
  answer = { 'message' => text(message) }
  answer['issue'] = error.issue_code.to_s if error.respond_to?(:issue_code) && error.issue_code
  answer['line'] = error.line if error.respond_to?(:line) && error.line
  answer['col'] = error.pos if error.respond_to?(:pos) && error.pos
  answer['class'] = error.class.name unless error.is_a?(Puppet::Error)
  answer
end

def dump(path)
  source = Puppet::FileSystem.read(path, encoding: 'utf-8')
  model = parser_for(path).parser.parse_string(source)
  pn = Puppet::Pops::Model::PNTransformer.transform(model)
  { 'pn' => pn.to_s }
rescue StandardError, SystemStackError, NotImplementedError => e
  { 'dump_error' => describe(e) }
end

def validate(path)
  # Some warnings are given once per process; here every file is to have its own.
  Puppet::Util::Warnings.clear_warnings
  parser_for(path).parse_file(path)
  {}
rescue StandardError, SystemStackError, NotImplementedError => e
  { 'error' => describe(e) }
end

def answers(paths)
  logs = []
  Puppet::Util::Log.level = :info
  Puppet::Util::Log.with_destination(Puppet::Test::LogCollector.new(logs)) do
    paths.each do |path|
      tree = dump(path)
      drain(logs)
      result = validate(path)
      $stdout.puts JSON.generate({ 'path' => path }.merge(tree, { 'logs' => drain(logs) }, result))
    end
  end
end

def cpu_seconds
  Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
end

def bench(paths)
  Puppet::Util::Log.level = :crit
  paths.first(200).each { |path| validate(path) }
  start = cpu_seconds
  paths.each { |path| validate(path) }
  seconds = cpu_seconds - start
  $stdout.puts JSON.generate('bytes' => paths.sum { |path| File.size(path) }, 'files' => paths.size, 'seconds' => seconds)
end

mode = ARGV.shift
abort 'usage: ruby puppet-parser.rb answers|bench < PATHS' unless %w[answers bench].include?(mode)
paths = $stdin.each_line(chomp: true).reject(&:empty?)
set_up
send(mode, paths)
