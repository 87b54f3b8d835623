# frozen_string_literal: true

# What `puppet lookup` says about Hiera cases. A file is a YAML list of cases; a case has files, facts and settings, and a list
# of lookups, each with the arguments of the command or with a manifest. Puppet is loaded once, and a child of this process
# runs the command, so that no lookup sees what another one left behind.

require 'fileutils'
require 'json'
require 'tmpdir'
require 'yaml'
require 'puppet'
require 'puppet/application/lookup'
require 'puppet/indirector/facts/yaml'
require 'puppet/indirector/node/plain'
require 'puppet/node/server_facts'
require 'puppet/parser/compiler'
require 'puppet/pops'
require 'puppet/util/command_line'
%w[hiera/scope hocon openssl].each { |library| require library rescue LoadError }
require_relative 'case_files'

ANSWERS = %w[value not_found error output exit explain notices warnings].freeze
EXACT = %w[--explain --explain-options --render-as].freeze
LONGEST = 60

# What a child tells its parent.
Report = Struct.new(:output, :exit, :logs, :failure) do
  def messages(level) = logs.select { |known, _| known == level }.map(&:last)
  def failed? = !exit.zero?
end

# Watches one run of the command from inside: its logs, and the error that ended it, which it may not print.
module Watched
  @logs = []
  class << self
    attr_accessor :logs, :failure, :depth, :manifest, :variables
  end

  module Logs
    def newmessage(message)
      Watched.logs << [message.level.to_s, message.message.to_s]
      super
    end
  end

  # The outermost lookup says why it failed; later errors only follow from that.
  module Lookups
    def lookup(...)
      Watched.depth = Watched.depth.to_i + 1
      super
    rescue StandardError => e
      Watched.failure ||= [e.class.name, e.message] if Watched.depth == 1
      raise
    ensure
      Watched.depth -= 1
    end
  end

  module Command
    def main
      # A manifest that is given as a flag loses quotes at the ends of its lines.
      Puppet[:code] = Watched.manifest unless Watched.manifest.to_s.empty?
      super
    rescue StandardError => e
      Watched.failure = [e.class.name, e.message]
      raise
    end
  end

  module TopScope
    def compile(...)
      (Watched.variables || {}).each { |name, value| topscope[name] = value unless topscope.bound?(name) }
      super
    end
  end

  # This machine has no business in a record.
  module Server
    def load
      { 'serverversion' => Puppet.version.to_s, 'servername' => 'server.example.com', 'serverip' => '192.0.2.1' }
    end
  end
end

Puppet::Util::Log.singleton_class.prepend(Watched::Logs)
Puppet::Pops::Lookup.singleton_class.prepend(Watched::Lookups)
Puppet::Application::Lookup.prepend(Watched::Command)
Puppet::Parser::Compiler.prepend(Watched::TopScope)
Puppet::Node::ServerFacts.singleton_class.prepend(Watched::Server)

# The folders of one case.
class Site
  def self.for(kase)
    Dir.mktmpdir('hiera') { |folder| yield new(kase, File.realpath(folder)) }
  end

  def initialize(kase, root)
    @kase = kase
    @root = root
    @environment = "#{root}/code/environments/production"
    @global = "#{root}/global"
    FileUtils.mkdir_p([@environment, @global, "#{root}/conf", "#{root}/var"])
    write_files
  end

  def ask(entry)
    answer, report = entry.key?('code') ? compile(entry['code']) : look_up(entry)
    warnings = report.messages('warning').map { |text| tidy(text) }
    answer['warnings'] = warnings if warnings.any?
    answer
  end

  # Puts the folders' names into a text.
  def placed(text)
    text.gsub('<ENV>', @environment).gsub('<GLOBAL>', @global)
  end

  def tidy(text)
    text.gsub(@environment, '<ENV>').gsub(@global, '<GLOBAL>').gsub(@root, '<ROOT>').gsub(/0x\h{16}/, '0x<ADDRESS>')
  end

  private

  def write_files
    (@kase['files'] || {}).each do |path, content|
      write(path.start_with?('global/') ? "#{@root}/#{path}" : "#{@environment}/#{path}", content)
    end
    (@kase['links'] || {}).each do |path, target|
      FileUtils.mkdir_p(File.dirname("#{@environment}/#{path}"))
      File.symlink(target, "#{@environment}/#{path}")
    end
    write("#{@global}/hiera.yaml", @kase['global_hiera']) if @kase['global_hiera']
    settings = (@kase['settings'] || {}).map { |name, value| "#{name} = #{value}\n" }
    write("#{@root}/conf/puppet.conf", "[main]\n#{settings.join}") if settings.any?
    File.write("#{@root}/facts.json", JSON.generate(@kase['facts'] || { 'kernel' => 'Linux' }))
  end

  def write(path, content)
    FileUtils.mkdir_p(File.dirname(path))
    File.binwrite(path, content.is_a?(Hash) ? content['base64'].unpack1('m') : placed(content))
  end

  def compile(manifest)
    report = run(%w[--compile --default - --render-as json __none__], placed(manifest))
    return [{ 'error' => tidy(report.failure&.last || report.messages('err').join("\n")) }, report] if report.failed?

    [{ 'notices' => report.messages('notice').map { |text| tidy(text) } }, report]
  end

  def look_up(entry)
    arguments = entry['args'].map { |argument| argument.gsub('<ENV>', @environment) }
    is_exact = entry['raw'] || (arguments & EXACT).any?
    report = run(is_exact ? arguments : arguments + %w[--render-as json])
    answer = is_exact ? printed(report) : {}
    answer.merge!(failure_of(report)) unless is_exact && arguments.any? { |argument| argument.start_with?('--explain') }
    answer.merge!(value_of(report)) unless is_exact || report.failed?
    answer['explain'] = tidy(run(arguments + ['--explain']).output) if entry.key?('explain')
    [answer, report]
  end

  def printed(report)
    { 'output' => tidy(report.output), 'exit' => report.exit }
  end

  # What manifests say with `notice` is printed before the value.
  def value_of(report)
    { 'value' => JSON.parse(tidy(report.output).lines.last.to_s) }
  rescue JSON::ParserError
    printed(report)
  end

  def failure_of(report)
    return {} unless report.failed?

    kind, message = report.failure
    message ||= report.messages('err').join("\n")
    is_missing = kind == 'Puppet::DataBinding::LookupError' && message.start_with?('Function lookup() did not find a value')
    is_missing ? { 'not_found' => true } : { 'error' => tidy(message) }
  end

  def flags
    %W[--confdir #{@root}/conf --vardir #{@root}/var --codedir #{@root}/code --environmentpath #{@root}/code/environments
       --basemodulepath #{@root}/code/modules --hiera_config #{@global}/hiera.yaml --environment production --color false
       --certname recorder --node #{@kase['node'] || 'test.example.com'} --facts #{@root}/facts.json]
  end

  # Runs the command in a child.
  def run(arguments, manifest = nil)
    Dir.mktmpdir('run') do |folder|
      child = fork { in_child(['lookup', *flags, *arguments], manifest, folder) }
      return Report.new('', 98, [], ['Timeout', "the run took more than #{LONGEST} s"]) unless ended?(child)

      report = JSON.parse(File.read("#{folder}/report"))
      Report.new(File.read("#{folder}/out"), *report.values_at('exit', 'logs', 'failure'))
    end
  end

  def ended?(child)
    last = Process.clock_gettime(Process::CLOCK_MONOTONIC) + LONGEST
    until Process.wait(child, Process::WNOHANG)
      if Process.clock_gettime(Process::CLOCK_MONOTONIC) > last
        Process.kill(:KILL, child)
        Process.wait(child)
        return false
      end
      sleep 0.004
    end
    true
  end

  def in_child(arguments, manifest, folder)
    $stdin.reopen(File::NULL)
    $stdout.reopen("#{folder}/out", 'w')
    $stderr.reopen("#{folder}/err", 'w')
    Watched.manifest = manifest
    Watched.variables = @kase['top_scope']
    status = command(arguments, folder)
    $stdout.flush
    File.write("#{folder}/report", JSON.generate('exit' => status, 'logs' => Watched.logs, 'failure' => Watched.failure))
    exit!(0)
  end

  def command(arguments, home)
    ENV['HOME'] = home
    (@kase['env'] || {}).each { |name, value| ENV[name] = value.is_a?(Hash) ? value['base64'].unpack1('m') : value }
    ARGV.replace(arguments)
    Puppet::Util::CommandLine.new('puppet', arguments).execute
    0
  rescue SystemExit => e
    e.status
  rescue Exception => e # rubocop:disable Lint/RescueException
    Watched.failure ||= [e.class.name, e.message]
    99
  end
end

def recorded?(entry)
  (entry.keys & (ANSWERS - ['explain'])).any? && !(entry.key?('explain') && entry['explain'].nil?)
end

# A first child shows which further files a lookup loads; loaded here, they need not be loaded by every other child.
def warm_up
  reader, writer = IO.pipe
  Watched.logs.clear
  child = fork do
    Site.for({ 'files' => { 'hiera.yaml' => "version: 5\n", 'data/common.yaml' => "a: '%{kernel}'\n" } }) do |site|
      site.send(:command, ['lookup', *site.send(:flags), '--compile', 'a'], Dir.tmpdir)
    end
    writer.write($LOADED_FEATURES.grep(%r{\A/.*\.rb\z}).join("\n"))
    writer.close
    exit!(0)
  end
  writer.close
  files = reader.read.split("\n")
  Process.wait(child)
  $VERBOSE = nil
  files.each { |file| require file rescue LoadError }
end

recording = Recording.new(ARGV)
$stdout.sync = true
saved = $stdout.dup
$stdout.reopen(File::NULL)
warm_up
$stdout.reopen(saved)
recording.files.each do |file|
  cases = YAML.safe_load(File.read(file), aliases: true)
  cases.each do |kase|
    wanted = kase['lookups'].reject { |entry| recording.new_only? && recorded?(entry) }
    next if wanted.empty?

    Site.for(kase) do |site|
      wanted.each do |entry|
        title = "#{File.basename(file)}: #{kase['about']}: #{entry['args']&.join(' ') || entry['code']}"
        recording.take(title, entry, ANSWERS, site.ask(entry))
      end
    end
  end
  File.write(file, YAML.dump(cases, line_width: 110)) unless recording.check?
end
recording.finish
