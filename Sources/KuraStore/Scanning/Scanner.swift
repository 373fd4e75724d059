import KuraJSON

/// Reads JSON from the bytes of a window.
///
/// A method that meets the end of the window answers `needsMore`, with the caller free to go back
/// to where it began. A zero byte stands behind the window's end.
struct Scanner {
  /// Where it reads.
  var p: UnsafePointer<UInt8>
  /// Behind the last byte.
  var end: UnsafePointer<UInt8>
  /// What failed, after a `failed`.
  var fault: JSONSyntaxError.Kind?
  /// Where, after a `failed`.
  var faultPlace: UnsafePointer<UInt8>
  /// The string, number or nested value that was read last.
  var token = Token()
  /// Decoded text of strings with escapes.
  var scratch: [UInt8] = []

  /// How deep brackets may stand inside each other.
  static let nestingLimit = 512

  init(_ window: InputWindow) {
    p = UnsafePointer(window.start)
    end = UnsafePointer(window.end)
    faultPlace = p
  }

  /// Reads bytes that have been read before; a zero byte stands behind them.
  init(_ start: UnsafePointer<UInt8>, count: Int) {
    p = start
    end = start + count
    faultPlace = p
  }

  /// What was read last, by its bytes in the window.
  struct Token {
    var start: UnsafePointer<UInt8>! = nil
    var count = 0
    /// Whether a byte beyond ASCII stands in the string.
    var isASCII = true
    /// Whether the string has escapes and is to be decoded.
    var hasEscapes = false
    var integer: Int64 = 0
    var double: Double = 0
    /// Digits that neither 64 bits nor a double hold.
    var isWide = false
    /// Whether a number that is not zero is nearer to zero than any double.
    var isTooSmall = false
  }
}

extension Scanner {
  @inline(__always)
  mutating func skipBlanks() {
    while p.pointee <= 0x20 {
      switch p.pointee {
      case 0x20, 0x0A, 0x0D, 0x09: p += 1
      default: return
      }
    }
  }

  /// Records a fault, or says that more bytes are needed if the window ended here.
  mutating func fail(_ kind: JSONSyntaxError.Kind, at place: UnsafePointer<UInt8>) -> ScanStatus {
    if place >= end { return .needsMore }
    fault = kind
    faultPlace = place
    return .failed
  }

  /// Reads the colon behind a key, after blanks.
  @inline(__always)
  mutating func colon() -> ScanStatus {
    skipBlanks()
    guard p.pointee == 0x3A else { return failExpecting(.colon) }
    p += 1
    return .done
  }

  /// Something else than what is expected stands here.
  @inline(never)
  mutating func failExpecting(_ expected: JSONSyntaxError.Expectation) -> ScanStatus {
    fail(.unexpectedByte(p.pointee, expected: expected), at: p)
  }
}

/// How a step of a scan ended.
enum ScanStatus {
  /// It is done.
  case done
  /// The window ended in the middle: read on and do it again.
  case needsMore
  /// The bytes are wrong; `Scanner.fault` says how, `Scanner.faultPlace` where.
  case failed
}
