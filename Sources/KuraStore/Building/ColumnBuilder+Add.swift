import Foundation
import KuraGraph
import KuraModel
import KuraValues

/// What became of a value that was offered to a column.
enum AddResult {
  case added
  /// The column's type cannot hold it.
  case mismatch
}

extension ColumnBuilder {
  /// A written null; for a relationship it says «none», where a key left out says nothing.
  mutating func addNull() -> AddResult {
    switch expectation {
    case .inferred, .attribute: appendNull()
    case .toOne: appendWord(0)
    case .toMany: appendText([], isOdd: false)
    case .objectID: return .mismatch
    }
    return .added
  }

  @inline(__always)
  mutating func addInteger(_ value: Int64) -> AddResult {
    switch shape {
    case .integers where expectation != .attribute(.date) && fits(value):
      appendWord(value)
      return .added
    case .doubles where Int64(exactly: Double(value)) == value || expectation != .inferred:
      let isFloat = expectation == .attribute(.float)
      appendWord(Int64(bitPattern: (isFloat ? Double(Float(value)) : Double(value)).bitPattern))
      return .added
    default: return addUnusual(String(value), .integers)
    }
  }

  /// Whether an integer is in the range of the column's type.
  private func fits(_ value: Int64) -> Bool {
    switch expectation {
    case .attribute(.integer16): Int16(exactly: value) != nil
    case .attribute(.integer32): Int32(exactly: value) != nil
    case .objectID, .toOne: value > 0 && value <= Int64.max / 2
    default: true
    }
  }

  @inline(__always)
  mutating func addDouble(_ value: Double, digits: UnsafeBufferPointer<UInt8>, isWide: Bool)
    -> AddResult
  {
    if shape == .doubles, expectation == .attribute(.double) || expectation == .inferred && !isWide {
      appendWord(Int64(bitPattern: value.bitPattern))
      return .added
    }
    return addUnusual(String(decoding: digits, as: UTF8.self), isWide ? .decimals : .doubles)
  }

  @inline(__always)
  mutating func addBoolean(_ value: Bool) -> AddResult {
    guard shape == .booleans else { return addUnusual(value ? "true" : "false", .booleans) }
    appendWord(value ? 1 : 0)
    return .added
  }

  /// A nested value as JSON text without blanks.
  mutating func addNested(_ json: [UInt8], isOdd: Bool) -> AddResult {
    if expectation == .inferred, shape != .json { widen(to: .json) }
    guard shape == .json else { return .mismatch }
    appendText(json, isOdd: isOdd)
    return .added
  }
}

extension ColumnBuilder {
  /// A value that is not of the column's shape: the shape is widened, or it is refused.
  @inline(never)
  private mutating func addUnusual(_ text: String, _ kind: Shape) -> AddResult {
    switch expectation {
    case .inferred: return widenAndAdd(text, kind)
    case .attribute(.json):
      appendText(Array(text.utf8), isOdd: false)
      return .added
    case .attribute(let type) where type.isNumeric && kind != .booleans:
      return addTypedNumber(text, type)
    case .attribute, .toOne, .toMany, .objectID: return .mismatch
    }
  }

  /// `3.0` and `1e3` are integers too; a float is the nearest one to the digits.
  private mutating func addTypedNumber(_ digits: String, _ type: AttributeType) -> AddResult {
    switch try? type.value(ofDigits: digits) {
    case .integer(let value): appendWord(value)
    case .double(let value): appendWord(Int64(bitPattern: value.bitPattern))
    case .decimal(let value): appendText(Array(value.description.utf8), isOdd: false)
    default: return .mismatch
    }
    return .added
  }

  private mutating func widenAndAdd(_ text: String, _ kind: Shape) -> AddResult {
    switch (shape, kind) {
    case (.empty, _): widen(to: kind)
    case (.integers, .doubles) where integersFitDoubles: widen(to: .doubles)
    case (.integers, .doubles), (.integers, .decimals), (.doubles, .decimals), (.doubles, .integers):
      // 1e300 is a double and no decimal: then each value keeps the digits it has.
      widen(to: areDecimals && NumberText.decimal(text) != nil ? .decimals : .json)
    case (.decimals, .integers), (.decimals, .decimals): break
    case (.decimals, .doubles): if NumberText.decimal(text) == nil { widen(to: .json) }
    case (.json, _): break
    default: widen(to: .json)
    }
    append(text, as: kind)
    return .added
  }

  /// Appends a number or word to a column whose shape has room for it now.
  private mutating func append(_ text: String, as kind: Shape) {
    switch shape {
    case .integers: appendWord(Int64(text) ?? 0)
    case .doubles: appendWord(Int64(bitPattern: (Double(text) ?? 0).bitPattern))
    case .booleans: appendWord(text == "true" ? 1 : 0)
    case .decimals:
      appendText(Array((NumberText.decimal(text)?.description ?? text).utf8), isOdd: false)
    default: appendText(Array(text.utf8), isOdd: false)
    }
  }

  mutating func appendRaw(_ bytes: UnsafeRawBufferPointer) {
    let start = bytes.bindMemory(to: UInt8.self).baseAddress
    appendBytes(start ?? UnsafePointer(arena.start), bytes.count, isOdd: false)
  }

  mutating func appendText(_ text: [UInt8], isOdd: Bool) {
    text.withUnsafeBufferPointer {
      // An empty array may have no address; a text of no bytes needs none.
      appendBytes($0.baseAddress ?? UnsafePointer(arena.start), $0.count, isOdd: isOdd)
    }
  }

  /// Whether all doubles so far can be decimals.
  private var areDecimals: Bool {
    guard shape == .doubles else { return true }
    let open = UnsafeBufferPointer(start: words, count: count).allSatisfy {
      NumberText.decimal("\(Double(bitPattern: UInt64(bitPattern: $0)))") != nil
    }
    return open
      && sealed.allSatisfy {
        guard case .doubles(let values) = $0.values else { return true }
        return values.allSatisfy { NumberText.decimal("\($0)") != nil }
      }
  }

  /// Whether all integers so far can be doubles without loss.
  private var integersFitDoubles: Bool {
    let limit: UInt64 = 1 << 53
    let open = UnsafeBufferPointer(start: words, count: count).allSatisfy { $0.magnitude <= limit }
    return open
      && sealed.allSatisfy {
        if case .integers(let values) = $0.values {
          values.allSatisfy { $0.magnitude <= limit }
        } else {
          true
        }
      }
  }
}
