import Foundation
import TestSupport

/// Changes bytes as an attacker or a broken disk could.
enum Corruption {
  static func corrupted(_ bytes: [UInt8], _ numbers: inout SeededNumbers) -> [UInt8] {
    var result = bytes
    for _ in 0..<(1 + numbers.below(3)) { result = once(result, &numbers) }
    return result
  }

  private static func once(_ bytes: [UInt8], _ numbers: inout SeededNumbers) -> [UInt8] {
    guard !bytes.isEmpty else { return Array(numbers.pick(insertions)) }
    let place = numbers.below(bytes.count)
    var result = bytes
    switch numbers.below(12) {
    case 0: return Array(bytes[..<place])
    case 1: result[place] ^= 1 << UInt8(numbers.below(8))
    case 2: result.insert(contentsOf: numbers.pick(insertions), at: place)
    case 3: return numbers.pick(insertions) + bytes
    case 4: return bytes + numbers.pick(insertions)
    case 5: return inUTF16(bytes, isLittle: numbers.flip())
    case 6: result.insert(contentsOf: nest(&numbers), at: place)
    case 7: result.removeSubrange(place..<min(bytes.count, place + 1 + numbers.below(20)))
    case 8: result.insert(contentsOf: bytes[place..<min(bytes.count, place + 200)], at: place)
    default: return withAnotherValue(bytes, &numbers)
    }
    return result
  }

  /// Bytes that may occur anywhere, and are wrong nearly everywhere.
  private static let insertions: [[UInt8]] = [
    [0], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE5, 0xAE],
    [0xEF, 0xBB, 0xBF], [0x1B, 0x5B],
    Array("\u{2028}\u{202E}\u{301}".utf8), Array("\r\n".utf8), Array("{}".utf8), Array("[],".utf8),
    Array(",".utf8),
    Array("\"".utf8), Array("\\u".utf8), Array("/* x */".utf8), [UInt8](repeating: 0, count: 600),
    [UInt8](repeating: 0x20, count: 70_000),
    Array("\"objects\": {\"Item\": [{\"objectID\": 1}]},".utf8),
    [UInt8](repeating: 0x61, count: 1_100_000),
  ]

  private static func inUTF16(_ bytes: [UInt8], isLittle: Bool) -> [UInt8] {
    String(decoding: bytes, as: UTF8.self).utf16.reduce(
      into: isLittle ? [0xFF, 0xFE] : [0xFE, 0xFF]
    ) {
      let pair = [UInt8($1 >> 8), UInt8($1 & 0xFF)]
      $0 += isLittle ? pair.reversed() : pair
    }
  }

  private static func nest(_ numbers: inout SeededNumbers) -> [UInt8] {
    let opening = Array(
      numbers.pick(["[", "{\"a\":", "[[1],", "(", "{\"a\": [", "NOT ", "-", "SUBQUERY(a, $a, "])
        .utf8)
    let count = numbers.pick([10, 500, 5000, 100_000])
    return Array([[UInt8]](repeating: opening, count: count).joined())
  }

  private static let values = [
    "1e400", "-1e400", "1e-400", "-0", "00", "01", "1.", ".5", "+1", "0x10", "NaN", "Infinity",
    "9223372036854775807",
    "9223372036854775808", "-9223372036854775809", "1e18",
    "123456789012345678901234567890123456789012345678",
    "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\\ud83d\"", "\"\\u0000\"", "\"\\x\"", "\"\t\"", "\"a",
    "null", "true", "tru",
    "nul", "[]", "{}", "[null]", "{\"\": 1, \"\": 2}", "{\"objectID\": 1}", "\"Item\"",
    "\"kura/2\"", "\"integer\"",
    "\"9999-12-31\"", "\"0000-00-00\"", "\"(\"", "-1", "0", "1.5", "\"x\\ny\"",
  ]

  /// Replaces one number, text or word.
  private static func withAnotherValue(_ bytes: [UInt8], _ numbers: inout SeededNumbers) -> [UInt8]
  {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.count < 100_000 else { return bytes }
    let tokens = text.matches(of: /"(?:[^"\\]|\\.)*"|-?[0-9.]+|[a-z]+/)
    guard !tokens.isEmpty else { return bytes }
    let token = numbers.pick(tokens).range
    var value = numbers.pick(values)
    if numbers.oneIn(20) {
      value = String(
        repeating: numbers.pick(["9", "1.0", "0."]), count: numbers.pick([400, 100_000]))
    }
    return Array(text.replacingCharacters(in: token, with: value).utf8)
  }
}
