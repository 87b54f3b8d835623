# Runs manifests in one warm Puppet process and prints CPU seconds and notices of each, one JSON object a line.
#
#   ruby puppet-eval.rb FILE...
#
# It ends when a line comes in, so that whoever started it can look at its memory first.

require 'json'
require 'tmpdir'
require 'puppet'

Dir.mktmpdir do |tmp|
  Puppet.initialize_settings(['--confdir', "#{tmp}/conf", '--vardir', "#{tmp}/var", '--codedir', "#{tmp}/code",
                              '--hiera_config', "#{tmp}/none.yaml"])
  Puppet[:strict] = :error
  Puppet[:strict_variables] = true

  compile = lambda do |code|
    env = Puppet::Node::Environment.create(:production, ["#{tmp}/modules"], Puppet::Node::Environment::NO_MANIFEST)
    node = Puppet::Node.new('bench.example.com', facts: Puppet::Node::Facts.new('bench.example.com', {}), environment: env)
    Puppet[:code] = code
    Puppet.override(current_environment: env, environments: Puppet::Environments::Static.new(env)) do
      Puppet::Parser::Compiler.new(node).compile
    end
  end

  notices = []
  Puppet::Util::Log.level = :notice
  Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(notices))
  compile.call('notice([1].map |$x| { $x }.filter |$x| { true }.reduce |$a, $b| { $a })')
  ARGV.each do |file|
    code = File.read(file)
    notices.clear
    start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    compile.call(code)
    seconds = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
    puts JSON.generate('file' => File.basename(file), 'seconds' => seconds, 'pid' => Process.pid,
                       'notices' => notices.map { |log| log.message.to_s })
    $stdout.flush
  end
  $stdin.gets
end
