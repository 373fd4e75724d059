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
    case .objectID, .toOne: value > 0 && value <= ObjectID.greatestNumber
    default: true
    }
  }

  @inline(__always)
  mutating func addDouble(_ value: Double, digits: UnsafeBufferPointer<UInt8>, isWide: Bool)
    -> AddResult
  {
    if shape == .doubles, !isWide, !isFloat {
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
