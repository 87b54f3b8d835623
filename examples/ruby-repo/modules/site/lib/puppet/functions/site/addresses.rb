require_relative '../../../puppet_x/site/network'

# Counts the addresses of a network.
Puppet::Functions.create_function(:'site::addresses') do
  def addresses(network)
    PuppetX::Site::Network.new(network).size
  end
end
