import KuraBytes

extension Loader {
  /// Calls `element` at each element of the array that begins here; it leaves the scanner behind it.
  mutating func array(_ element: (inout Loader) throws(LoadFailure) -> Void) throws(LoadFailure) {
    scanner.p += 1
    guard try peek() != 0x5D else {
      scanner.p += 1
      return
    }
    while true {
      try element(&self)
      switch try peek() {
      case 0x2C:
        scanner.p += 1
        _ = try peek()
      case 0x5D:
        scanner.p += 1
        return
      default: throw failure(.commaOrArrayEnd)
      }
    }
  }

  /// Calls `member` behind each key of the object that begins here.
  mutating func object(
    _ member: (inout Loader, _ key: String, _ keyOffset: Int) throws(LoadFailure) -> Void
  ) throws(LoadFailure) {
    scanner.p += 1
    guard try peek() != 0x7D else {
      scanner.p += 1
      return
    }
    var seen: Set<String> = []
    while true {
      guard try peek() == 0x22 else { throw failure(.key) }
      let offset = window.offset(of: scanner.p)
      var key = ""
      try finish { scanner in
        let status = scanner.checkedString()
        if status == .done { key = scanner.tokenText }
        return status == .done ? scanner.colon() : status
      }
      guard seen.insert(key).inserted else {
        throw .syntax(JSONSyntaxError(.duplicateKey(key), at: offset))
      }
      _ = try peek()
      try member(&self, key, offset)
      switch try peek() {
      case 0x2C: scanner.p += 1
      case 0x7D:
        scanner.p += 1
        return
      default: throw failure(.commaOrObjectEnd)
      }
    }
  }

  /// The next byte that is no blank; the input must go on.
  mutating func peek() throws(LoadFailure) -> UInt8 {
    guard try skipToValue() else { throw .syntax(unexpectedEnd) }
    return scanner.p.pointee
  }

  private mutating func failure(_ expected: JSONSyntaxError.Expectation) -> LoadFailure {
    _ = scanner.failExpecting(expected)
    return .syntax(fault)
  }
}
