# Compiles the catalog of one node in one warm Puppet process and prints CPU seconds and the number of resources.
#
#   ruby puppet-catalog.rb ENVIRONMENT_FOLDER [RUNS]     the folder has the facts as facts.json

require 'json'
require 'tmpdir'
require 'puppet'

folder = File.expand_path(ARGV.fetch(0))
runs = Integer(ARGV.fetch(1, '3'))
Dir.mktmpdir do |tmp|
  Puppet.initialize_settings(['--confdir', "#{tmp}/conf", '--vardir', "#{tmp}/var", '--codedir', "#{tmp}/code",
                              '--hiera_config', "#{tmp}/none.yaml", '--environmentpath', File.dirname(folder)])
  facts = JSON.parse(File.read("#{folder}/facts.json"))
  name = 'bench.example.com'
  compile = lambda do
    loader = Puppet::Environments::Directories.new(File.dirname(folder), [])
    env = loader.get!(File.basename(folder))
    Puppet.override(current_environment: env, environments: loader) do
      node = Puppet::Node.new(name, facts: Puppet::Node::Facts.new(name, facts), environment: env)
      node.merge(facts)
      node.trusted_data = { 'certname' => name, 'authenticated' => 'local', 'extensions' => {} }
      Puppet::Parser::Compiler.compile(node)
    end
  end
  resources = compile.call.resources.size
  seconds = Array.new(runs) do
    start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    compile.call
    Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
  end
  puts JSON.generate('seconds' => seconds.min, 'resources' => resources)
end
