import Foundation
import KuraBytes
import KuraValues
import Testing

@testable import KuraStore

@Suite("Days of a document")
struct DateReadingTests {
  /// Zones that change their clocks at midnight, twice in a month, by a day, or not any more.
  static let zones = [
    "UTC", "Asia/Tokyo", "Europe/Berlin", "America/New_York", "America/Sao_Paulo",
    "Africa/Casablanca", "Pacific/Apia", "Asia/Manila", "Africa/Monrovia", "Asia/Gaza",
    "Antarctica/Troll", "Asia/Kathmandu",
  ]

  /// Reads each date in order, so that the month is in the table, and in another order, so that it is not.
  @Test("begin at the times of their texts", arguments: zones)
  func whole(zone: String) throws {
    let rules = ZoneRules(TimeZone(identifier: zone))
    let dates = DateReading(rules: rules)
    let years = [1...3, 1582...1583, 1840...2110, 2399...2401, 9997...9999].joined()
    for year in Array(years) + [1999, 2255, 1743, 1999] {
      for month in 0...13 {
        for day in 0...32 { try hold(year, month, day, dates, rules) }
      }
    }
  }

  @Test("are read in any order", arguments: zones)
  func random(zone: String) throws {
    let rules = ZoneRules(TimeZone(identifier: zone))
    let dates = DateReading(rules: rules)
    var random = SplitMix64(state: 11)
    for _ in 0..<20_000 {
      try hold(
        .random(in: 1...9999, using: &random), .random(in: 1...12, using: &random),
        .random(in: 1...31, using: &random), dates, rules)
    }
  }

  private func hold(
    _ year: Int, _ month: Int, _ day: Int, _ dates: DateReading, _ rules: ZoneRules
  ) throws {
    let text = [UInt8](
      "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))".utf8)
    let read = text.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.flatMap { dates.read($0, bytes.count) }
    }
    let meant = text.withUnsafeBufferPointer { Timestamp.read($0, in: rules)?.microseconds }
    if read != meant {
      #expect(read == meant, "\(String(decoding: text, as: UTF8.self)) in \(rules.identifier)")
    }
  }

  private func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: digits - text.count) + text
  }
}
