# Compiles `include CLASS` for classes of modules in one warm Puppet process, one JSON object a line.
#
#   ruby puppet-catalogs.rb MODULES FACTS.json < CLASSES
#
# MODULES is the modulepath; FACTS.json has facts by the name of an operating system. An answer has `class`, `os` and
# either `catalog`, as Puppet sends it to agents, or `error`. `ruby` tells which functions and templates of modules
# that are Ruby were used on the way.

require 'json'
require 'timeout'
require 'tmpdir'
require 'puppet'

# Remembers which Ruby of modules a compilation runs.
module Used
  class << self
    attr_accessor :seen
  end

  def self.note(what)
    (self.seen ||= {})[what] = true
  end
end

module NoteTemplates
  def file=(name)
    Used.note("template #{name}")
    super
  end

  def result(string = nil)
    Used.note('inline_template') if string
    super
  end
end

module NoteFunctions
  def call_function(name, *)
    Used.note("function #{name}")
    super
  end
end

def catalog_of(node)
  Used.seen = {}
  # Long, because one that is interrupted while Puppet loads a type spoils those after it.
  Timeout.timeout(600) { Puppet::Parser::Compiler.compile(node, nil).to_data_hash }
end

modules, facts_file = ARGV
facts_by_os = JSON.parse(File.read(facts_file))
Dir.mktmpdir do |tmp|
  Puppet.initialize_settings(['--confdir', "#{tmp}/conf", '--vardir', "#{tmp}/var", '--codedir', "#{tmp}/code",
                              '--hiera_config', "#{tmp}/none.yaml", '--node_name_value', 'node.example.com'])
  Puppet::Util::Log.level = :alert
  Puppet::Parser::TemplateWrapper.prepend(NoteTemplates)
  Puppet::Pops::Evaluator::EvaluatorImpl.prepend(NoteFunctions)
  of_modules = Dir.glob("#{modules}/*/lib/puppet/{functions,parser/functions}/**/*.rb").reject { |f| f.start_with?("#{modules}/stdlib/") }
  ruby = of_modules.to_h { |f| [f[%r{/functions/(.*)\.rb}, 1].gsub('/', '::'), true] }
  # A new environment each time: what a compilation that fails leaves behind spoils the next in the same one.
  fresh = -> { Puppet::Node::Environment.create(:production, [modules], Puppet::Node::Environment::NO_MANIFEST) }
  fresh.call.each_plugin_directory { |dir| $LOAD_PATH << dir }
  trusted = { 'authenticated' => 'remote', 'certname' => 'node.example.com', 'extensions' => {},
              'hostname' => 'node', 'domain' => 'example.com', 'external' => {} }
  $stdin.each_line(chomp: true) do |name|
    facts_by_os.each do |os, values|
      env = fresh.call
      facts = Puppet::Node::Facts.new('node.example.com', values)
      node = Puppet::Node.new('node.example.com', facts: facts, environment: env)
      node.merge(facts.values)
      node.trusted_data = trusted
      node.add_server_facts('serverversion' => Puppet.version, 'servername' => 'server.example.com',
                            'serverip' => '192.0.2.1', 'environment' => 'production')
      Puppet[:code] = "include #{name}\n"
      answer = { 'class' => name, 'os' => os }
      begin
        Puppet.override(current_environment: env, environments: Puppet::Environments::Static.new(env)) do
          catalog = catalog_of(node)
          answer['catalog'] = JSON.parse(JSON.generate(catalog))
        end
      rescue StandardError, ScriptError, SystemStackError, UncaughtThrowError, Timeout::Error => e
        answer['error'] = e.message.dup.force_encoding('UTF-8').scrub
      end
      used = Used.seen.keys.select { |what| what.include?('template') || ruby[what.delete_prefix('function ')] }
      answer['ruby'] = used unless used.empty?
      puts JSON.generate(answer)
    end
    $stdout.flush
  end
end
