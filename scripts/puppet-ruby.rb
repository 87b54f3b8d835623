# Compiles a program with and without its calls in one warm Puppet process and prints the CPU time of one call.
#
#   ruby puppet-ruby.rb MODULEPATH PREPARATION CALL COUNT
#
# It prints a JSON object and ends when a line comes in, so that whoever started it can look at its memory first.

require 'json'
require 'tmpdir'
require 'puppet'

modulepath, preparation, call, count = ARGV
Dir.mktmpdir do |tmp|
  Puppet.initialize_settings(['--confdir', "#{tmp}/conf", '--vardir', "#{tmp}/var", '--codedir', "#{tmp}/code",
                              '--hiera_config', "#{tmp}/none.yaml"])
  compile = lambda do |code|
    env = Puppet::Node::Environment.create(:production, [modulepath], Puppet::Node::Environment::NO_MANIFEST)
    node = Puppet::Node.new('bench.example.com', facts: Puppet::Node::Facts.new('bench.example.com', {}), environment: env)
    Puppet[:code] = code
    start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    Puppet.override(current_environment: env, environments: Puppet::Environments::Static.new(env)) do
      Puppet::Parser::Compiler.new(node).compile
    end
    Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
  end
  loop_of = ->(times) { "#{preparation}\nInteger[1, #{times}].each |$i| { #{call} }\n" }
  compile.call(loop_of.call(10))
  few = compile.call(loop_of.call(1))
  many = compile.call(loop_of.call(count.to_i))
  puts JSON.generate('microseconds' => (many - few) / (count.to_i - 1) * 1e6, 'pid' => Process.pid)
  $stdout.flush
  $stdin.gets
end
