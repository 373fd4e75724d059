/// Finds the end of a JSON object or array by its brackets and strings alone.
struct JSONScan {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  /// The brackets that are open, with the byte that closes each.
  private var open: [(offset: Int, closing: UInt8)] = []

  /// Begins at the first byte, which is `{` or `[`.
  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// What was found; offsets count from the first byte.
  enum Outcome {
    /// The length of the value.
    case end(Int)
    /// A bracket that nothing closes.
    case unclosed(Int)
    /// A string that does not end on its line.
    case unclosedQuote(Int)
    /// A bracket that closes another kind.
    case wrongBracket(Int, found: String, wanted: String)
  }

  mutating func run() -> Outcome {
    while position < bytes.endIndex {
      let offset = position - bytes.startIndex
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "{"): open.append((offset, UInt8(ascii: "}")))
      case UInt8(ascii: "["): open.append((offset, UInt8(ascii: "]")))
      case UInt8(ascii: "\""):
        if !skipString() { return .unclosedQuote(offset) }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard let last = open.popLast(), last.closing == byte else {
          return wrong(byte, at: offset)
        }
        if open.isEmpty { return .end(offset + 1) }
      default: break
      }
    }
    return .unclosed(open.last?.offset ?? 0)
  }

  private func wrong(_ byte: UInt8, at offset: Int) -> Outcome {
    let wanted = byte == UInt8(ascii: "}") ? "]" : "}"
    return .wrongBracket(offset, found: String(Unicode.Scalar(byte)), wanted: wanted)
  }

  private mutating func skipString() -> Bool {
    while position < bytes.endIndex {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\n") { return false }
      position += 1
      if byte == UInt8(ascii: "\"") { return true }
      if byte == UInt8(ascii: "\\"), position < bytes.endIndex,
        bytes[position] != UInt8(ascii: "\n")
      {
        position += 1
      }
    }
    return false
  }
}
