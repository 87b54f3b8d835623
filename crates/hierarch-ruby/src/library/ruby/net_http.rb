# `Net::HTTP`: pages, asked from the host.
module Net
  class ProtocolError < StandardError; end
  class ProtoRetriableError < ProtocolError; end
  class ProtoFatalError < ProtocolError; end
  class ProtoServerError < ProtocolError; end
  class OpenTimeout < StandardError; end
  class ReadTimeout < StandardError; end

  # An answer that is an error, with the answer.
  module HTTPExceptions
    attr_reader :response
    alias data response

    def initialize(message, response)
      super(message)
      @response = response
    end
  end

  class HTTPError < ProtocolError
    include HTTPExceptions
  end

  class HTTPRetriableError < ProtoRetriableError
    include HTTPExceptions
  end

  class HTTPClientException < ProtoServerError
    include HTTPExceptions
  end
  HTTPServerException = HTTPClientException

  class HTTPFatalError < ProtoFatalError
    include HTTPExceptions
  end

  # Names and values, whose case does not matter.
  module HTTPHeader
    def [](name) = @headers[name.to_s.downcase]

    def []=(name, value)
      value.nil? ? @headers.delete(name.to_s.downcase) : @headers[name.to_s.downcase] = value.to_s
    end

    def add_field(name, value) = self[name] = value
    def key?(name) = @headers.key?(name.to_s.downcase)
    def each_header(&block) = @headers.each_pair(&block)
    def to_hash = @headers.transform_values { |value| [value] }
    def content_type = self['content-type']&.split(';')&.first&.strip
    def content_type=(type)
      self['content-type'] = type
    end

    def basic_auth(user, password)
      self['authorization'] = "Basic #{["#{user}:#{password}"].pack('m0')}"
    end

    def set_form_data(parameters, _separator = '&')
      @body = URI.encode_www_form(parameters)
      self['content-type'] = 'application/x-www-form-urlencoded'
    end
    alias form_data= set_form_data
  end

  # What a server answers.
  class HTTPResponse
    include HTTPHeader

    attr_reader :code, :message, :body
    attr_accessor :uri
    alias msg message
    alias read_body body
    alias entity body

    def initialize(code, message, headers, body)
      @code, @message, @body = code, message, body
      @headers = {}
      headers.each { |name, value| @headers[name.downcase] = value }
    end

    def http_version = '1.1'
    def inspect = "#<#{self.class} #{code} #{message} readbody=true>"

    def value
      return if is_a?(HTTPSuccess)

      raise __error.new("#{code} #{message.dump}", self)
    end
    alias error! value

    def __error
      case code[0]
      when '3' then HTTPRetriableError
      when '4' then HTTPClientException
      when '5' then HTTPFatalError
      else HTTPError
      end
    end
  end

  class HTTPInformation < HTTPResponse; end
  class HTTPSuccess < HTTPResponse; end
  class HTTPRedirection < HTTPResponse; end
  class HTTPClientError < HTTPResponse; end
  class HTTPServerError < HTTPResponse; end
  class HTTPOK < HTTPSuccess; end
  class HTTPCreated < HTTPSuccess; end
  class HTTPNoContent < HTTPSuccess; end
  class HTTPMovedPermanently < HTTPRedirection; end
  class HTTPFound < HTTPRedirection; end
  class HTTPSeeOther < HTTPRedirection; end
  class HTTPNotModified < HTTPRedirection; end
  class HTTPBadRequest < HTTPClientError; end
  class HTTPUnauthorized < HTTPClientError; end
  class HTTPForbidden < HTTPClientError; end
  class HTTPNotFound < HTTPClientError; end
  class HTTPInternalServerError < HTTPServerError; end
  class HTTPBadGateway < HTTPServerError; end
  class HTTPServiceUnavailable < HTTPServerError; end

  # A connection, of which only the address is kept.
  class HTTP
    CLASSES = {
      '200' => HTTPOK, '201' => HTTPCreated, '204' => HTTPNoContent, '301' => HTTPMovedPermanently, '302' => HTTPFound,
      '303' => HTTPSeeOther, '304' => HTTPNotModified, '400' => HTTPBadRequest, '401' => HTTPUnauthorized,
      '403' => HTTPForbidden, '404' => HTTPNotFound, '500' => HTTPInternalServerError, '502' => HTTPBadGateway,
      '503' => HTTPServiceUnavailable
    }.freeze
    FAMILIES = { '1' => HTTPInformation, '2' => HTTPSuccess, '3' => HTTPRedirection, '4' => HTTPClientError,
                 '5' => HTTPServerError }.freeze

    attr_reader :address, :port
    attr_accessor :use_ssl, :verify_mode, :open_timeout, :read_timeout, :ssl_timeout, :ca_file, :ca_path, :cert, :key,
                  :write_timeout, :keep_alive_timeout, :max_retries, :ssl_version, :min_version, :cert_store
    alias use_ssl? use_ssl

    def self.default_port = 80
    def self.https_default_port = 443

    def self.get(address, path = nil, port = nil) = get_response(address, path, port).body

    def self.get_response(address, path = nil, port = nil)
      return new(address, port).request(Get.new(path)) unless address.respond_to?(:request_uri)

      start(address.hostname, address.port, use_ssl: address.scheme == 'https') do |http|
        http.request(Get.new(address, path.is_a?(Hash) ? path : nil))
      end
    end

    def self.post_form(url, parameters)
      request = Post.new(url)
      request.set_form_data(parameters)
      start(url.hostname, url.port, use_ssl: url.scheme == 'https') { |http| http.request(request) }
    end

    def self.post(url, data, header = nil)
      start(url.hostname, url.port, use_ssl: url.scheme == 'https') { |http| http.post(url, data, header) }
    end

    def self.start(address, port = nil, *rest, &block)
      options = rest.last.is_a?(Hash) ? rest.last : {}
      http = new(address, port)
      options.each { |name, value| http.public_send("#{name}=", value) if http.respond_to?("#{name}=") }
      http.start(&block)
    end

    def initialize(address, port = nil, *)
      @address = address
      @port = port || HTTP.default_port
      @started = false
    end

    def started? = @started

    def start
      @started = true
      return self unless block_given?

      begin
        yield self
      ensure
        @started = false
      end
    end

    def finish = @started = false

    def get(path, headers = nil) = request(Get.new(path, headers))
    def head(path, headers = nil) = request(Head.new(path, headers))
    def request_get(path, headers = nil) = get(path, headers)

    def post(path, data, headers = nil)
      request = Post.new(path, headers)
      request.body = data
      request(request)
    end

    def request(request, body = nil)
      scheme = use_ssl ? 'https' : 'http'
      url = "#{scheme}://#{address}:#{port}#{request.path}"
      code, message, headers, content =
        HierarchNetwork.page('Net::HTTP', request.method, url, request.each_header.to_a, body || request.body)
      response = CLASSES.fetch(code) { FAMILIES.fetch(code[0], HTTPResponse) }.new(code, message, headers, content)
      response.uri = request.uri
      yield response if block_given?
      response
    end

    # What a server is asked.
    class GenericRequest
      include HTTPHeader

      attr_reader :path, :uri
      attr_accessor :body

      def self.const_method = name.split('::').last.upcase

      def initialize(target, headers = nil)
        @uri = target if target.respond_to?(:request_uri)
        @path = @uri ? @uri.request_uri : target.to_s
        raise ArgumentError, 'HTTP request path is empty' if @path.empty?

        @headers = {}
        (headers || {}).each { |name, value| self[name] = value }
      end

      def method = self.class.const_method
    end

    class Get < GenericRequest; end
    class Head < GenericRequest; end
    class Post < GenericRequest; end
    class Put < GenericRequest; end
    class Delete < GenericRequest; end
  end
end
