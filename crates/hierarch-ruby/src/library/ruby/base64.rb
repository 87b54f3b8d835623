# `Base64`
module Base64
  module_function

  def encode64(bytes) = [bytes].pack("m")
  def decode64(text) = text.unpack1("m")
  def strict_encode64(bytes) = [bytes].pack("m0")

  def strict_decode64(text)
    good = (text.length % 4).zero? && text.match?(%r{\A[A-Za-z0-9+/]*={0,2}\z})
    raise ArgumentError, "invalid base64" unless good
    text.unpack1("m")
  end

  def urlsafe_encode64(bytes, padding: true)
    text = strict_encode64(bytes).tr("+/", "-_")
    padding ? text : text.delete("=")
  end

  def urlsafe_decode64(text)
    text = text.tr("-_", "+/")
    text = text.ljust((text.length + 3) / 4 * 4, "=") unless text.end_with?("=")
    strict_decode64(text)
  end
end
