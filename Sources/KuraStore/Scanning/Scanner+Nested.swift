import KuraBytes
import KuraJSON
import KuraValues

extension Scanner {
  /// Reads any value that begins here and leaves it alone; `token` has its bytes.
  mutating func skipValue() -> ScanStatus {
    let start = p
    // A bit for each open bracket: 1 for an object.
    var kinds = [UInt64](repeating: 0, count: Scanner.nestingLimit / 64)
    var depth = 0
    while true {
      skipBlanks()
      switch p.pointee {
      case 0x7B, 0x5B:
        let isObject = p.pointee == 0x7B
        guard depth < Scanner.nestingLimit else {
          return fail(.tooDeep(limit: Scanner.nestingLimit), at: p)
        }
        setBit(&kinds, depth, isObject)
        depth += 1
        p += 1
        skipBlanks()
        if p.pointee == (isObject ? 0x7D : 0x5D) {
          p += 1
          depth -= 1
        } else {
          if isObject, case let status = skipKey(), status != .done { return status }
          continue
        }
      default:
        let status = skipScalar()
        if status != .done { return status }
      }
      // Behind a value: close what closes here, then go to the next one.
      while depth > 0 {
        skipBlanks()
        let isObject = bit(kinds, depth - 1)
        if p.pointee == (isObject ? 0x7D : 0x5D) {
          p += 1
          depth -= 1
        } else if p.pointee == 0x2C {
          p += 1
          if isObject, case let status = skipKey(), status != .done { return status }
          break
        } else {
          return failExpecting(isObject ? .commaOrObjectEnd : .commaOrArrayEnd)
        }
      }
      if depth == 0 {
        token.start = start
        token.count = p - start
        return .done
      }
    }
  }

  private mutating func skipKey() -> ScanStatus {
    skipBlanks()
    guard p.pointee == 0x22 else { return failExpecting(.key) }
    let status = checkedString()
    return status == .done ? colon() : status
  }

  /// Reads a string, number or word.
  private mutating func skipScalar() -> ScanStatus {
    switch p.pointee {
    case 0x22: return checkedString()
    case 0x2D, 0x30...0x39:
      var kind = NumberKind.integer
      return number(&kind)
    default: return word() == nil ? failWithoutValue() : .done
    }
  }

  /// Nothing that begins a value is here; a word may go on behind the window.
  mutating func failWithoutValue() -> ScanStatus {
    isCutWord(before: end) ? .needsMore : failExpecting(.value)
  }

  /// Whether the bytes from here to `limit` are the beginning of `null`, `true` or `false`.
  func isCutWord(before limit: UnsafePointer<UInt8>) -> Bool {
    guard p < limit, limit - p < 5 else { return false }
    let bytes = UnsafeBufferPointer(start: p, count: limit - p)
    return Scanner.words.contains { $0.utf8.count > bytes.count && $0.utf8.starts(with: bytes) }
  }

  private static let words = ["null", "true", "false"]

  /// Reads a string and checks its UTF-8 and its escapes.
  mutating func checkedString() -> ScanStatus {
    let status = string()
    guard status == .done else { return status }
    if token.hasEscapes, case let decoded = decode(), decoded != .done { return decoded }
    var oddity = false
    if !token.isASCII, let wrong = firstInvalidUTF8(token.start, token.count, &oddity) {
      return fail(.invalidUTF8, at: wrong)
    }
    return .done
  }

  /// The words of JSON.
  enum Word {
    case null
    case `true`
    case `false`
  }

  /// Reads `null`, `true` or `false`; nil if none of them is here as a whole.
  @inline(__always)
  mutating func word() -> Word? {
    let bytes = UnsafeRawPointer(p).loadUnaligned(as: UInt32.self)
    switch UInt32(littleEndian: bytes) {
    case 0x6C6C_756E:
      p += 4
      return .null
    case 0x6575_7274:
      p += 4
      return .true
    case 0x736C_6166 where p[4] == 0x65:
      p += 5
      return .false
    default: return nil
    }
  }
}

private func setBit(_ bits: inout [UInt64], _ i: Int, _ value: Bool) {
  if value { bits[i >> 6] |= 1 << UInt64(i & 63) } else { bits[i >> 6] &= ~(1 << UInt64(i & 63)) }
}

private func bit(_ bits: [UInt64], _ i: Int) -> Bool { bits[i >> 6] >> UInt64(i & 63) & 1 == 1 }
