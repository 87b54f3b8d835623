# Records what `Type <<| query |>>` takes from other nodes, as Puppet does it: `scripts/puppet run ruby record_exported.rb FILE.json` fills in `answers`.
#
# The file has `store`, resources that nodes exported, and `codes`, programs of the node node.example.com. Puppet is given a store of its own
# kind that searches these; what a program gives is the resources of its catalog but classes and stages, its edges, or the error.

require 'json'
require 'tmpdir'
require 'puppet'
require 'puppet/indirector/code'

# A store that searches a list.
class Puppet::Resource::Listed < Puppet::Indirector::Code
  desc 'resources of a list'

  class << self
    attr_accessor :list
  end

  def validate_key(_request); end

  def search(request)
    wanted = self.class.list.select do |one|
      one['type'] == request.key && one['certname'] != request.options[:host] && passes?(one, request.options[:filter])
    end
    wanted.map { |one| resource(one, request.options[:scope]) }
  end

  def resource(one, scope)
    made = Puppet::Parser::Resource.new(one['type'], one['title'], scope: scope, source: nil)
    one['parameters'].each { |name, value| made.set_parameter(name, value) }
    made.tag(*one['tags'])
    made.exported = true
    made.collector_id = "#{one['certname']}|#{made.ref}"
    made.file = one['file']
    made.line = one['line']
    made
  end

  def passes?(one, filter)
    return true if filter.nil? || filter.empty?

    left, operator, right = filter
    case operator
    when 'and' then passes?(one, left) && passes?(one, right)
    when 'or' then passes?(one, left) || passes?(one, right)
    else (found?(one, left, right) == (operator == '=='))
    end
  end

  def found?(one, name, value)
    return one['tags'].include?(value.downcase) if name == 'tag'

    (name == 'title' ? one['title'] : one['parameters'][name]).to_s == value.to_s
  end
end

def answer(code, environment)
  node = Puppet::Node.new('node.example.com', environment: environment)
  node.trusted_data = {}
  Puppet[:code] = code
  Puppet.override(current_environment: environment, environments: Puppet::Environments::Static.new(environment)) do
    catalog = JSON.parse(JSON.generate(Puppet::Parser::Compiler.compile(node, nil).to_data_hash))
    resources = catalog['resources'].reject { |one| %w[Stage Class].include?(one['type']) }
    { 'code' => code, 'resources' => resources, 'edges' => catalog['edges'] }
  end
rescue StandardError => e
  { 'code' => code, 'error' => e.message.sub(/ on node node.example.com\z/, '') }
end

file = ARGV.fetch(0)
asked = JSON.parse(File.read(file))
Puppet::Resource::Listed.list = asked['store']
Dir.mktmpdir do |tmp|
  Puppet.initialize_settings(['--confdir', "#{tmp}/conf", '--vardir', "#{tmp}/var", '--codedir', "#{tmp}/code", '--node_name_value', 'node.example.com'])
  Puppet[:storeconfigs] = true
  Puppet::Util::Log.level = :alert
  Puppet::Resource.indirection.terminus_class = :listed
  asked['answers'] = asked['codes'].map do |code|
    answer(code, Puppet::Node::Environment.create(:production, [], Puppet::Node::Environment::NO_MANIFEST))
  end
end
File.write(file, JSON.pretty_generate(asked) + "\n")
