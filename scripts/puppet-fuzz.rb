# Evaluates programs, JSON lines {"code": …} on standard input, in one warm Puppet process and prints what each gave.
#
#   [MODULES=FOLDER] ruby puppet-fuzz.rb < PROGRAMS > ANSWERS

require 'json'
require 'timeout'
require 'tmpdir'
require 'puppet'

# Puppet shows these two with Ruby's inspect, which says nothing to anyone else.
module ReadableTime
  def inspect
    "#{self.class.name.split('::').last}('#{self}')"
  end
end

def error_of(err)
  message = err.respond_to?(:basic_message) ? err.basic_message.to_s : err.message.to_s
  message = message.sub(/ \((file: [^()]*|line: \d+(, column: \d+)?)\)\z/, '')
  message = message.dup.force_encoding('UTF-8').scrub
  { 'message' => message, 'issue' => (err.respond_to?(:issue_code) && err.issue_code || '').to_s,
    'line' => err.respond_to?(:line) ? err.line : nil, 'col' => err.respond_to?(:pos) ? err.pos : nil }
end

Dir.mktmpdir do |tmp|
  Puppet.initialize_settings(['--confdir', "#{tmp}/conf", '--vardir', "#{tmp}/var", '--codedir', "#{tmp}/code",
                              '--hiera_config', "#{tmp}/none.yaml"])
  Puppet[:strict] = :error
  Puppet[:strict_variables] = true
  [Puppet::Pops::Time::Timespan, Puppet::Pops::Time::Timestamp].each { |c| c.prepend(ReadableTime) }
  warnings = []
  Puppet::Util::Log.level = :warning
  Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(warnings))
  parser = Puppet::Pops::Parser::EvaluatingParser.singleton
  loop do
    batch = $stdin.each_line.first(500)
    break if batch.empty?

    env = Puppet::Node::Environment.create(:production, [ENV['MODULES'].to_s.empty? ? "#{tmp}/modules" : ENV['MODULES']], Puppet::Node::Environment::NO_MANIFEST)
    node = Puppet::Node.new('fuzz.example.com', facts: Puppet::Node::Facts.new('fuzz.example.com', {}), environment: env)
    Puppet[:code] = 'undef'
    Puppet.override(current_environment: env, environments: Puppet::Environments::Static.new(env)) do
      compiler = Puppet::Parser::Compiler.new(node)
      compiler.compile do |catalog|
        batch.each do |line|
          code = JSON.parse(line)['code']
          answer = { 'code' => code }
          warnings.clear
          Puppet::Util::Warnings.clear_warnings
          Puppet.clear_deprecation_warnings
          begin
            Timeout.timeout(2) do
              value = compiler.topscope.with_guarded_scope { parser.evaluate_string(compiler.topscope, code) }
              answer['result'] = Puppet::Pops::Types::StringConverter.singleton.convert(value, '%p').dup.force_encoding('UTF-8').scrub
              answer['type'] = Puppet::Pops::Types::TypeCalculator.singleton.infer_set(value).to_s
            end
          rescue Timeout::Error
            answer['error'] = { 'message' => 'TIMEOUT' }
          rescue StandardError, SystemStackError, NotImplementedError, NoMemoryError, UncaughtThrowError => e
            answer.delete('result')
            answer['error'] = error_of(e)
          end
          found = warnings.select { |log| log.level == :warning }.map { |log| log.message.to_s.sub(/\n   \(location: .*\)\z/, '') }
          answer['warnings'] = found unless found.empty?
          puts JSON.generate(answer)
        end
        catalog
      end
    end
  end
end
