require_relative '../../../puppet_x/site/network'

# Returns the network that an address is in.
Puppet::Functions.create_function(:'site::network_of') do
  dispatch :network_of do
    param 'String[1]', :address
    param 'Array[String[1]]', :networks
    return_type 'Optional[String]'
  end

  def network_of(address, networks)
    networks.find { |network| PuppetX::Site::Network.new(network).include?(address) }
  end
end
