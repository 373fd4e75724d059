import Foundation
import KuraValues

/// Reads the dates of a document, most of which are days in the store's zone.
struct DateReading {
  let rules: ZoneRules

  /// Microseconds since 1970, or nil if it is no date.
  @inline(__always)
  func read(_ text: UnsafePointer<UInt8>, _ length: Int) -> Int64? {
    Timestamp(utf8: UnsafeBufferPointer(start: text, count: length), in: rules)?.microseconds
  }
}

extension DateReading {
  /// For plain JSON, in which strings stay strings.
  static let utc = DateReading(rules: .utc)
}
