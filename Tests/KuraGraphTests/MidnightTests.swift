import Foundation
import KuraModel
import KuraValues
import TestSupport
import Testing

@testable import KuraGraph

@Suite("The dates of rows are midnights") struct MidnightTests {
  @Test(
    "if each is one, also in zones with clock changes",
    arguments: ["UTC", "Asia/Tokyo", "Europe/Berlin", "America/Sao_Paulo", "Africa/Monrovia"])
  func agrees(zone name: String) throws {
    let zone = ZoneRules(TimeZone(identifier: name))
    let rows = 16_384 + 600
    var random = SeededNumbers(seed: 7)
    var all = Column(.attribute(.date))
    for row in 0..<rows {
      let day = Timestamp(microseconds: Int64(random.below(60_000) - 25_000) * 86_400_000_000)
      let midnight = try #require(zone.startOfDay(day))
      // Some days begin at one o'clock.
      let isNull = row % 11 == 3 || !midnight.isMidnight(in: zone)
      all.append(isNull ? .null : .integer(midnight.microseconds))
    }
    for odd in [nil, 5, 16_384] {
      var column = all
      if let odd { column.set([(odd, .integer(1))]) }
      for some in [Array(0..<rows), [], [5], [6, 16_384], Array((6..<16_000).reversed())] {
        let slow = some.allSatisfy { row in
          guard case .date(let date) = column.value(row) else { return true }
          return date.isMidnight(in: zone)
        }
        #expect(slow == (odd.map { !some.contains($0) } ?? true))
        #expect(column.areMidnights(some.map { UInt32($0) }, in: zone) == slow)
      }
    }
  }

  @Test("if none of them is the second of its day")
  func second() throws {
    let zone = ZoneRules(TimeZone(identifier: "America/Havana"))
    let second = try Timestamp("2023-11-05T05:00:00Z", in: .utc)
    var column = Column(.attribute(.date))
    for row in 0..<3_000 {
      let day = Timestamp(microseconds: second.microseconds - Int64(row) * 86_400_000_000)
      column.append(.integer(try #require(zone.startOfDay(day)).microseconds))
    }
    let rows = (0..<3_000).map { UInt32($0) }
      .filter {
        if case .date(let date) = column.value(Int($0)) { date.isMidnight(in: zone) } else { false }
      }
    #expect(column.areMidnights(rows, in: zone))
    column.set([(7, .integer(second.microseconds))])
    #expect(!column.areMidnights(rows + [7], in: zone))
  }

  @Test("if they can be written as days", arguments: [Int64.min, .max, -62_135_683_200_000_000])
  func unwritable(microseconds: Int64) {
    var column = Column(.attribute(.date))
    for row in 0..<3_000 { column.append(.integer(row == 7 ? microseconds : 0)) }
    let rows = (0..<3_000).map { UInt32($0) }
    #expect(!Timestamp(microseconds: microseconds).isMidnight(in: .utc))
    #expect(!column.areMidnights(rows, in: .utc))
  }
}
