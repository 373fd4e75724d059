import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

/// Values that are computed once for each distinct number of a column, and numbers that are assigned to words.
@Suite("Distinct numbers") struct NumbersTests {
  /// Returns many more rows than there are days and numbers in them.
  private static func world(
    _ zone: String = "UTC", items: Int = 900, days: Int = 200, minutes: Bool = false
  ) throws -> World {
    var world = try World(seed: 91, items: items)
    world.environment.rules = ZoneRules(TimeZone(identifier: zone))
    var graph = world.snapshot.graph
    for table in graph.tables.indices {
      for column in graph.tables[table].columns.indices
      where graph.tables[table].columns[column].kind == .attribute(.date) {
        let chunks = graph.tables[table].columns[column].chunks
        graph.tables[table].columns[column].chunks = chunks.map {
          Self.days($0, of: days, minutes: minutes)
        }
      }
    }
    world.snapshot = GraphSnapshot(graph)
    return world
  }

  /// Returns a chunk of days from 1979-12-02 on, as numbers; with `minutes`, at any time of day.
  private static func days(
    _ chunk: ColumnChunk, of count: Int, minutes: Bool = false
  ) -> ColumnChunk {
    let days = (0..<chunk.count).map { row in
      let minute = minutes ? Int64(row * 7919 % 1440) : 0
      return Int64(3622 + row * 37 % count) * 86_400_000_000 + minute * 60_000_000
    }
    return ColumnChunk(.integers(days), nulls: chunk.nulls)
  }

  @Test(
    "are evaluated instead of rows from the second use on",
    arguments: [
      "count * 2 - 1 == 3", "modulus:by:(count, 3) == 1", "abs(count) >= 3",
      "TERNARY(count > 2, 1, 0) == 1", "coalesce(count, 7) + 1 > 4", "(count + 1) * count != 6",
      "count / 2 IN {0, 1}", "CAST(count, \"NSString\") BEGINSWITH \"-\"",
    ])
  func leaves(text: String) throws {
    let world = try Self.world()
    for use in 0..<3 {
      #expect(try world.check("Item", text, 91), "\(use): \(text)")
      let methods = try world.request("Item", where: text).plan.filter.methods
      let isAsked = methods.contains("kernel: distinct values of count")
      #expect(isAsked || use < 2, "\(use): \(methods)")
    }
  }

  @Test(
    "of dates are days of the zone", arguments: ["UTC", "America/New_York", "Asia/Kathmandu"])
  func days(zone: String) throws {
    let world = try Self.world(zone)
    for text in [
      "year(day) == 1980", "month(day) == 2", "weekday(day) IN {1, 7}",
      "dateByAdding(day, 1, \"month\") >= \"1980-05-01\"", "coalesce(year(day), 1) == 1",
      "daysBetween(\"1980-01-01\", day) BETWEEN {0, 40}", "year(day) != 1980",
      "year(day) + count > 1985", "month(day) * count > 6",
    ] {
      for use in 0..<3 { #expect(try world.check("Item", text, 91), "\(zone) \(use): \(text)") }
    }
  }

  @Test(
    "of dates with a time are days if the time does not matter",
    arguments: ["UTC", "Asia/Tokyo", "America/New_York", "America/Havana", "Pacific/Apia"])
  func daysOfMoments(zone: String) throws {
    let world = try Self.world(zone, items: 3300, minutes: true)
    for text in [
      "year(day) == 1980", "month(day) IN {2, 3}", "startOfDay(day) == \"1980-03-30\"",
      "startOfDay(day) >= \"1980-04-27\"", "format(day, \"yyyy-MM\") == \"1980-02\"",
      "year(day) * 12 + month(day) > 23761", "coalesce(weekday(day), 0) == 1", "day(day) != 31",
      "format(day, \"E d\") ENDSWITH \"1\"", "TERNARY(day == nil, 0, year(day)) == 0",
      "hour(day) < 3 AND year(day) == 1980", "format(day, \"yyyy HH\") == \"1980 04\"",
      "year(day) == 1980 AND day > \"1980-02-29 12:00\"",
    ] {
      for use in 0..<3 {
        #expect(try world.check("Item", text, 91), "\(zone) \(use): \(text)")
        let methods = try world.request("Item", where: text).plan.filter.methods
        let isOfDays = methods == ["kernel: distinct values of day"]
        let isAsked = !["hour", "HH", ":", "nil"].contains { text.contains($0) }
        #expect(isOfDays == isAsked || use < 2, "\(use): \(text): \(methods)")
      }
    }
  }

  @Test(
    "without a kernel are evaluated once each by the reference evaluator",
    arguments: [
      "timeBetween(\"1980-01-01\", day, \"day\") > 300",
      "NOT timeBetween(\"1980-01-01\", day, \"month\") == 5",
      "count == 3 AND timeBetween(\"1980-01-01\", day, \"week\") > 20",
      "timeBetween(\"1980-01-01\", day, \"month\") > 2 OR count > 4",
    ])
  func asked(text: String) throws {
    let world = try Self.world(items: 4000, days: 600)
    for use in 0..<3 {
      #expect(try world.check("Item", text, 91), "\(use): \(text)")
      let methods = try world.request("Item", where: text).plan.filter.methods
      #expect(methods.contains("kernel: distinct values of day") || use < 2, "\(methods)")
    }
  }

  @Test("that make an expression fail do so at the first row that has them")
  func failure() throws {
    let world = try Self.world()
    let text = "10 / count > 3"
    for _ in 0..<3 {
      let request = try world.request("Item", where: text)
      let error = #expect(throws: Diagnostic.self) { try request.run() }
      #expect((error?.facts as? RowFailure)?.object != nil)
    }
  }

  @Test("have one scale in all chunks, or none")
  func scales() throws {
    func column(_ chunks: [[Int64]]) -> Column {
      Column(.attribute(.integer), chunks: chunks.map { ColumnChunk(.integers($0)) })
    }
    let day: Int64 = 86_400_000_000
    let well = column([[3 * day, 5 * day], [day, 9000 * day], [4 * day, 4 * day]])
    #expect(FrameOfReference(well) == nil)
    let frame = try #require(FrameOfReference(well))
    #expect(frame.count == 9000 && frame.codes(0).numbers == [2, 4])
    #expect(frame.codes(1).numbers == [0, 8999] && frame.codes(2).numbers == [3, 3])
    for odd in [
      column([[3 * day, 5 * day], [day, 9000 * day + 1]]), column([[0, 2], [.min, .max]]),
      column([[3 * day, 9000 * day], [day + 1, day + 1]]),
    ] {
      for _ in 0..<3 { #expect(FrameOfReference(odd) == nil) }
    }
  }

  @Test("are assigned to words, equal numbers to equal words", arguments: [0, 1, 300, 40_000])
  func words(count: Int) {
    var dice = Dice(UInt64(count) + 17)
    let values = (0..<count).map { _ in UInt64(dice.below(max(1, count / 3))) }
    let chunks = stride(from: 0, to: count, by: ColumnChunk.capacity).map {
      Array(values[$0..<min(count, $0 + ColumnChunk.capacity)])
    }
    var rows = chunks.map { Bitmap(count: $0.count, filledWith: true) }
    if count > 100 { rows[0][50] = false }
    let found = NumberedWords(chunks.map { $0.map(\.mixed) }, rows)
    var known: [UInt64: UInt32] = [:]
    for (chunk, codes) in found.codes.enumerated() {
      for (row, code) in codes.enumerated() where rows[chunk][row] {
        let value = chunks[chunk][row]
        #expect(known[value, default: code] == code && code < found.count)
        known[value] = code
      }
    }
    #expect(Set(known.values).count == known.count && known.count == Int(found.count))
  }

  @Test("are assigned to words with equal hashes, distinguished by comparison")
  func sharedWords() {
    let words = [[3, 4, 3, 3], [4, 3, 3, 4]].map { $0.map { UInt64($0) } }
    let rows = [Bitmap(count: 4, filledWith: true), Bitmap(count: 4, filledWith: true)]
    // Every second row of a word differs; even words are equal without a comparison.
    let found = NumberedWords(words, rows) { $0 % 2 == $1 % 2 }
    #expect(found.count == 3)
    let codes = found.codes
    #expect(codes[0][0] == codes[0][2] && codes[0][0] != codes[0][3])
    #expect(codes[0][3] == codes[1][1] && codes[0][0] == codes[1][2])
    #expect(codes[0][1] == codes[1][0] && codes[0][1] == codes[1][3])
  }

  @Test(
    "of several keys are evaluated once for each combination",
    arguments: [
      "concat(kind, count) == \"Office3\"", "length(concat(kind, count, kind)) > 12",
      "uppercase(concat(kind, \"-\", count)) BEGINSWITH \"P\"",
    ])
  func combinations(text: String) throws {
    let world = try World(seed: 5, items: 1_200).coded
    let request = try world.request("Item", where: text)
    // The numbers have codes from their second use on.
    for _ in 0..<3 {
      #expect(try world.check("Item", text, 5))
      _ = request.plan
    }
    #expect("\(request.plan.filter.method)".contains("kind, count"), "\(request.plan.filter)")
  }

  @Test("are rounded like doubles")
  func rounded() {
    var numbers: [Double] = [0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, 0.49999999999999994, -0.3, 0x1p50]
    var dice = Dice(5)
    for _ in 0..<500 { numbers.append((Double(dice.below(2_000_000)) - 1_000_000) / 8) }
    for _ in 0..<500 { numbers.append((Double(dice.below(1 << 53)) - 0x1p52) / 2.0000001) }
    for rule in [.down, .up, .towardZero, .toNearestOrAwayFromZero]
      as [FloatingPointRoundingRule]
    {
      let found = Lane.each(numbers).rounded(rule).spread(numbers.count)
      #expect(found == numbers.map { Int64($0.rounded(rule)) })
    }
  }

  @Test("of the objects of a to-one relationship are in their order")
  func links() throws {
    let world = try Self.world()
    let table = try #require(world.snapshot.graph.place(of: "Item")?.table)
    let homes = try world.request("Item").run().rows.map { row -> Int64? in
      let object = world.snapshot.object(table: table, row: Int(row))
      guard case .object(let home) = try object.value(forKey: "home") else { return nil }
      return home.id?.number
    }
    for isAscending in [true, false] {
      let key = SortTree(try World.sort("home.objectID").expression, isAscending: isAscending)
      let request = try world.request("Item", sort: [key])
      #expect(WordSort(request, try request.passingRows())?.isOfNumbers == true)
      let found = try request.run().rows.map { homes[Int($0)] }
      let words = found.map { $0 ?? -1 }
      #expect(zip(words, words.dropFirst()).allSatisfy { isAscending ? $0 <= $1 : $0 >= $1 })
    }
  }

  @Test("that are wanted first are found if many rows have the same word")
  func ties() throws {
    let world = try Self.world()
    for sort in [
      ["kind", "title"], ["done", "title | desc"], ["title", "count"], ["note", "code"],
    ] {
      let keys = try sort.map { try World.sort($0) }
      let request = try world.request("Item", sort: keys)
      let rows = try request.passingRows()
      let sorting = try #require(WordSort(request, rows))
      let all = try sorting.sortedRows(rows, first: nil)
      for wanted in [1, 3, 40, 170] {
        let first = try sorting.sortedRows(rows, first: wanted)
        #expect(Array(first.prefix(wanted)) == Array(all.prefix(wanted)), "\(sort) \(wanted)")
      }
    }
  }
}

extension World {
  fileprivate static func sort(_ text: String) throws -> SortTree {
    let words = text.components(separatedBy: " | ")
    let cursor = TokenCursor(SourceText(words[0]), mode: .statement)
    return SortTree(try PredicateParser(cursor).parseExpression(), isAscending: words.count == 1)
  }
}
