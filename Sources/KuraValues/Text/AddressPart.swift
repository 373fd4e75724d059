/// A part of a URI that is read from its bytes, if the URI has a simple form.
///
///     let path = AddressPart("path")!
///     Array("https://a.org:80/x?y".utf8).withUnsafeBufferPointer { path.place(in: $0) }   // .range(16..<18)
///
/// A simple URI has a scheme and a host, and neither a user nor a percent sign; for others Foundation decides.
package enum AddressPart: String, Sendable {
  case scheme, host, port, path, query, fragment

  /// The place of a part.
  package enum Place: Sendable, Equatable {
    case range(Range<Int>)
    case missing
    /// The URI is not simple.
    case unknown
  }

  /// Returns the place of the part in a URI.
  package func place(in uri: UnsafeBufferPointer<UInt8>) -> Place {
    guard let first = uri.first, first.isLetter else { return .unknown }
    let scheme = uri.end(from: 0) { $0.isOfHost || $0 == UInt8(ascii: "+") }
    let host = scheme + 3
    guard host < uri.count, uri[scheme] == UInt8(ascii: ":"), uri[scheme + 1] == UInt8(ascii: "/"),
      uri[scheme + 2] == UInt8(ascii: "/")
    else { return .unknown }
    let hostEnd = uri.end(from: host, while: \.isOfHost)
    var port: Range<Int>?
    var place = hostEnd
    if place < uri.count, uri[place] == UInt8(ascii: ":") {
      let end = uri.end(from: place + 1) { 0x30...0x39 ~= $0 }
      guard 1...9 ~= end - place - 1 else { return .unknown }
      (port, place) = (place + 1..<end, end)
    }
    let (slash, question, hash) = (UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"))
    let pathEnd = uri.end(from: place) { $0 != question && $0 != hash }
    let queryEnd = uri.end(from: pathEnd) { $0 != hash }
    guard hostEnd > host, !uri.isEncoded(host..<hostEnd), uri.isSimple(from: place),
      pathEnd == place || uri[place] == slash,
      // A second `#` is not valid.
      uri.end(from: queryEnd + 1, while: { $0 != hash }) >= uri.count
    else { return .unknown }
    switch self {
    case .scheme: return .range(0..<scheme)
    case .host: return .range(host..<hostEnd)
    case .port: return port.map { .range($0) } ?? .missing
    case .path: return .range(place..<pathEnd)
    case .query: return queryEnd > pathEnd ? .range(pathEnd + 1..<queryEnd) : .missing
    case .fragment: return queryEnd < uri.count ? .range(queryEnd + 1..<uri.count) : .missing
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the first place from a start on whose byte does not pass a test.
  @inline(__always)
  fileprivate func end(from start: Int, while test: (UInt8) -> Bool) -> Int {
    var place = start
    while place < count, test(self[place]) { place += 1 }
    return place
  }

  /// Whether no byte from a start on is a blank, a control character or a percent sign.
  fileprivate func isSimple(from start: Int) -> Bool {
    end(from: start) { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "%") } == count
  }

  /// Whether a host has characters outside ASCII in an encoded form: `xn--…`.
  fileprivate func isEncoded(_ host: Range<Int>) -> Bool {
    host.dropLast().contains { self[$0] == UInt8(ascii: "-") && self[$0 + 1] == UInt8(ascii: "-") }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { 0x61...0x7A ~= self | 0x20 && self < 0x80 }

  /// Whether it is a letter, a digit, a dot or a hyphen.
  fileprivate var isOfHost: Bool {
    isLetter || 0x30...0x39 ~= self || self == UInt8(ascii: ".") || self == UInt8(ascii: "-")
  }
}
