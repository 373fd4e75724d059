import KuraJSON

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

extension Loader {
  /// Reads the array of rows that begins here.
  mutating func rows(into builder: inout EntityBuilder) throws(LoadFailure) {
    try array { loader throws(LoadFailure) in try loader.row(into: &builder) }
  }

  /// Reads one row; the loop over an array's rows is here, so that no call stands between them.
  mutating func row(into builder: inout EntityBuilder, inArray: Bool = true) throws(LoadFailure) {
    if inArray, isSharingDue(builder), try !shareRows(into: &builder) { return }
    while true {
      switch builder.scanRow(&scanner, window) {
      case .done:
        guard inArray, goesOn() else { return }
      case .failed: throw .syntax(fault)
      case .needsMore:
        try needMore()
        if inArray, isSharingDue(builder), try !shareRows(into: &builder) { return }
      }
    }
  }

  /// Reads rows until one begins at `limit` or behind it; nil if something else must be done first.
  ///
  /// Unlike `row(into:)` it leaves the builder's last chunk open.
  mutating func rowsAhead(
    into builder: inout EntityBuilder, upTo limit: Int
  ) throws(LoadFailure) -> ReadAhead? {
    while true {
      switch builder.scanRow(&scanner, window) {
      case .done:
        if !goesOn() {
          guard isNearEnd else { return .rows(upTo: window.offset(of: scanner.p)) }
          try refill()
          guard goesOn() else { return .rows(upTo: window.offset(of: scanner.p)) }
        }
        // Rows of the next entity, or such as one thread must read again.
        guard builder.problemCount == 0 else { return nil }
        let offset = window.offset(of: scanner.p)
        if offset >= limit || builder.isNearlyFull { return .beginning(at: offset) }
      case .failed: return nil
      case .needsMore:
        guard !window.isAtEnd else { return nil }
        try refill()
      }
    }
  }

  /// Whether what follows the row may stand behind the window.
  private var isNearEnd: Bool { !window.isAtEnd && scanner.end - scanner.p < 16 }

  /// Goes over a comma and a blank or line feed to the brace that opens the next row.
  @inline(__always)
  private mutating func goesOn() -> Bool {
    var p = scanner.p
    guard p.pointee == 0x2C else { return false }
    p += 1
    while p.pointee == 0x0A || p.pointee == 0x20 { p += 1 }
    guard p.pointee == 0x7B else { return false }
    scanner.p = p
    return true
  }

  /// Reads a small value as a tree; its spans are offsets in the input.
  mutating func tree() throws(LoadFailure) -> (bytes: [UInt8], offset: Int) {
    var bytes: [UInt8] = []
    var offset = 0
    let window = window
    try finish { scanner in
      let start = scanner.p
      offset = window.offset(of: start)
      let status = scanner.skipValue()
      if status == .done {
        bytes = Array(UnsafeBufferPointer(start: start, count: scanner.p - start))
      }
      return status
    }
    return (bytes, offset)
  }
}
