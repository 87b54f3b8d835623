#!/usr/bin/env ruby
# frozen_string_literal: true

# Answers generated Hiera cases with the real Puppet: JSON lines in, the same lines with the answers out.
# Puppet is loaded once, a copy of the process is made for each case, and every lookup of a case runs the whole
# `puppet lookup` command in it.
#
#   puppet-lookup.rb < CASES.jsonl > ANSWERS.jsonl
#   puppet-lookup.rb bench               how fast warm lookups are, in the files of `xtask bench-lookup`

require 'json'
require 'stringio'
require 'fileutils'
require 'tmpdir'

require 'puppet'
require 'puppet/util/command_line'
require 'puppet/application/lookup'
require 'puppet/pops'
require 'puppet/parser/compiler'
require 'puppet/indirector/node/plain'
require 'puppet/indirector/facts/yaml'
%w[hiera/scope hocon openssl puppet/node/server_facts].each do |lib|
  require lib
rescue LoadError
  nil
end

# Keeps the name and address of this machine out of the answers.
module FixedServerFacts
  def load
    { 'serverversion' => Puppet.version.to_s, 'servername' => 'server.example.com', 'serverip' => '192.0.2.1' }
  end
end
Puppet::Node::ServerFacts.singleton_class.prepend(FixedServerFacts)

# The failures of the lookup under way, inner lookups first; the command itself does not tell them.
FAILED = []

module LookupTap
  def lookup(*args, &block)
    super
  rescue StandardError => e
    FAILED << e
    raise
  end
end
Puppet::Pops::Lookup.singleton_class.prepend(LookupTap)

# Answers the entries of a case. Those that want exact output, such as explanations, run the whole command; the
# others share a scope, because making one takes Puppet a hundred times as long as a lookup.
module Entries
  FLAGS = { '--merge' => :merge, '--knock-out-prefix' => :prefix, '--type' => :type, '--default' => :default_value,
            '--render-as' => :render_as }.freeze
  SWITCHES = { '--sort-merged-arrays' => :sort_merged_arrays, '--merge-hash-arrays' => :merge_hash_arrays,
               '--explain' => :explain, '--explain-options' => :explain_options }.freeze

  def main
    return generate_scope { |scope| $answers.replace(speed(scope)) } if $entries.empty?

    base = options.dup
    exact, values = $entries.each_with_index.partition { |entry, _| exact?(entry) }
    generate_scope { |scope| values.each { |entry, index| $answers[index] = value(entry, scope) } } if values.any?
    exact.each do |entry, index|
      options.replace(base)
      keys = read_flags(entry['args'], options)
      command_line.define_singleton_method(:args) { keys }
      $answers[index] = output(entry)
    end
  end

  # Lookups per second of CPU time. All keys are asked for once before the clock starts.
  def speed(scope)
    clock = -> { Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) }
    { 'plain' => nil, 'text' => nil, 'deep' => { 'strategy' => 'deep' } }.map do |kind, merge|
      round = lambda do
        KEYS.times do |index|
          invocation = Puppet::Pops::Lookup::Invocation.new(scope, {}, {}, nil)
          Puppet::Pops::Lookup.lookup("#{kind}#{index}", nil, nil, false, merge, invocation)
        end
      end
      round.()
      count = 0
      start = clock.()
      (round.(); count += KEYS) while clock.() - start < 2
      (count / (clock.() - start)).round
    end
  end

  def exact?(entry)
    entry['raw'] || entry['args'].any? { |arg| %w[--explain --explain-options --render-as].include?(arg) }
  end

  def read_flags(args, options)
    keys = []
    args = args.dup
    until args.empty?
      arg = args.shift
      if FLAGS[arg]
        value = args.shift
        options[FLAGS[arg]] = arg == '--render-as' ? value.to_sym : value
      elsif SWITCHES[arg]
        options[SWITCHES[arg]] = true
      else
        keys << arg
      end
    end
    keys
  end

  def merge_of(flags)
    return nil unless flags[:merge]
    return { 'strategy' => flags[:merge] } unless flags[:merge] == 'deep'

    merge = { 'strategy' => 'deep', 'sort_merged_arrays' => !flags[:sort_merged_arrays].nil?,
              'merge_hash_arrays' => !flags[:merge_hash_arrays].nil? }
    merge['knockout_prefix'] = flags[:prefix] if flags[:prefix]
    merge
  end

  # What the command does once it has a scope.
  def value(entry, scope)
    flags = {}
    keys = read_flags(entry['args'], flags)
    # Puppet changes what an eyaml level has answered when it merges deeply, and the options when it converts, and
    # remembers it so; after a failure it remembers half of the options. No lookup shall see what others left behind.
    Puppet::Pops::Lookup::LookupAdapter.clear(scope.compiler) if $leaves_traces
    invocation = Puppet::Pops::Lookup::Invocation.new(scope, {}, {}, nil)
    type = flags[:type] && Puppet::Pops::Types::TypeParser.singleton.parse(flags[:type], scope)
    default = flags[:default_value]
    found = Puppet::Pops::Lookup.lookup(keys, type, default, !default.nil?, merge_of(flags), invocation)
    { 'value' => JSON.parse(Puppet::Network::FormatHandler.format(:json).render(found)) }
  rescue StandardError, SystemStackError => e
    Puppet::Pops::Lookup::LookupAdapter.clear(scope.compiler)
    failure(e)
  end

  def output(entry)
    FAILED.clear
    code = 0
    $stdout = StringIO.new
    begin
      method(:main).super_method.call
    rescue SystemExit => e
      code = e.status
    rescue StandardError, SystemStackError => e
      FAILED.replace([e])
      code = 1
    end
    found = { 'output' => $stdout.string, 'exit' => code }
    found.merge!(failure(FAILED.last)) if code != 0 && entry['args'].none? { |arg| arg.start_with?('--explain') }
    found
  ensure
    $stdout = STDOUT
  end

  def failure(error)
    message = error.message
    if error.is_a?(Puppet::DataBinding::LookupError) && message.start_with?('Function lookup() did not find a value')
      { 'not_found' => true }
    else
      { 'error' => message }
    end
  end
end
Puppet::Application::Lookup.prepend(Entries)

LEVELS = 12
KEYS = 500

# The files that `xtask bench-lookup` has in memory.
def bench_files
  levels = (0...LEVELS).map { |level| "- {name: L#{level}, path: l#{level}.yaml}\n" }.join
  files = { 'hiera.yaml' => "version: 5\nhierarchy:\n#{levels}" }
  (0...LEVELS).each do |level|
    files["data/l#{level}.yaml"] = (0...KEYS).map do |index|
      own = "plain#{index}: value #{index}\ntext#{index}: \"on %{facts.kernel}\"\n"
      deep = "deep#{index}:\n  a#{level}: {b: [#{index}]}\n"
      (index % LEVELS == level ? own : '') + (level.positive? ? deep : '')
    end.join
  end
  files
end

def write(root, path, content)
  path = File.join(root, path)
  FileUtils.mkdir_p(File.dirname(path))
  content = content['base64'].unpack1('m') if content.is_a?(Hash)
  File.binwrite(path, content)
end

# Writes the files of a case; returns the folders that answers name.
def lay_out(root, kase)
  env = File.join(root, 'code', 'environments', 'production')
  global = File.join(root, 'global')
  FileUtils.mkdir_p([env, global, File.join(root, 'conf'), File.join(root, 'var')])
  place = ->(text) { text.is_a?(String) ? text.gsub('<ENV>', env).gsub('<GLOBAL>', global) : text }
  (kase['files'] || {}).each do |path, content|
    path.start_with?('global/') ? write(root, path, place.(content)) : write(env, path, place.(content))
  end
  (kase['links'] || {}).each do |path, target|
    FileUtils.mkdir_p(File.dirname(File.join(env, path)))
    File.symlink(target, File.join(env, path))
  end
  write(global, 'hiera.yaml', place.(kase['global_hiera'])) if kase['global_hiera']
  unless (kase['settings'] || {}).empty?
    write(root, 'conf/puppet.conf', "[main]\n" + kase['settings'].map { |k, v| "#{k} = #{v}\n" }.join)
  end
  File.write(File.join(root, 'facts.json'), JSON.generate(kase['facts'] || { 'kernel' => 'Linux' }))
  [env, global]
end

def tidied(value, pairs)
  case value
  when String then pairs.reduce(value) { |text, (from, to)| text.gsub(from, to) }.gsub(/0x[0-9a-f]{16}/, '0x<ADDRESS>')
  when Array then value.map { |item| tidied(item, pairs) }
  when Hash then value.to_h { |key, item| [tidied(key, pairs), tidied(item, pairs)] }
  else value
  end
end

# Answers a case, in a process of its own.
def answer(kase)
  root = File.realpath(Dir.mktmpdir('hcase'))
  env, global = lay_out(root, kase)
  args = ['lookup', '--confdir', "#{root}/conf", '--vardir', "#{root}/var", '--codedir', "#{root}/code",
          '--environmentpath', "#{root}/code/environments", '--basemodulepath', "#{root}/code/modules",
          '--hiera_config', "#{global}/hiera.yaml", '--environment', 'production', '--color', 'false',
          '--certname', 'recorder', '--log_level', 'err', '--node', kase['node'] || 'test.example.com',
          '--facts', "#{root}/facts.json"]
  reader, writer = IO.pipe
  pid = fork do
    reader.close
    $entries = kase['lookups'].map { |e| e.merge('args' => e['args'].map { |a| a.gsub('<ENV>', env) }) }
    $answers = []
    $leaves_traces = kase.to_s.match?(/eyaml_lookup_key|convert_to/)
    $stderr.reopen(File::NULL)
    ENV['HOME'] = root
    begin
      Puppet::Util::CommandLine.new('puppet', args).execute
    rescue SystemExit
      nil
    end
    $answers = $LOADED_FEATURES.grep(%r{\A/.*\.rb\z}) if kase['trial']
    writer.write(JSON.generate(tidied($answers, [[env, '<ENV>'], [global, '<GLOBAL>'], [root, '<ROOT>']])))
    writer.close
    exit!(0)
  end
  writer.close
  text = reader.read
  Process.waitpid(pid)
  answers = text.empty? ? [] : JSON.parse(text)
  return answers if kase['trial'] || kase['lookups'].empty?

  kase.merge('lookups' => kase['lookups'].each_with_index.map { |entry, i| entry.merge(answers[i] || { 'lost' => true }) })
ensure
  FileUtils.rm_rf(root) if root
end

# A trial shows which further files a lookup loads; loading them here saves every case from doing it.
def warm_up
  trial = { 'trial' => true, 'files' => { 'hiera.yaml' => "version: 5\n", 'data/common.yaml' => "a: \"%{kernel}\"\n" },
            'lookups' => [{ 'args' => ['a'] }, { 'args' => ['a', '--merge', 'deep', '--explain'] }] }
  verbose, $VERBOSE = $VERBOSE, nil
  answer(trial).each do |file|
    require file
  rescue LoadError, StandardError
    nil
  end
  $VERBOSE = verbose
end

$stdout.sync = true
warm_up
if ARGV == ['bench']
  answer('files' => bench_files, 'lookups' => []).zip(['plain', 'interpolated', 'deep merge of 11 levels']) do |rate, name|
    puts "  #{name}: #{rate}"
  end
  exit
end
$stdin.each_line { |line| puts JSON.generate(answer(JSON.parse(line)).merge('silent' => true)) }
