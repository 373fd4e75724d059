import Foundation
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

@Suite("Texts and paths computed for whole columns") struct TextVectorTests {
  @Test("texts agree with the reference evaluator", arguments: [51, 52, 53, 54] as [UInt64])
  func texts(seed: UInt64) throws {
    let world = try world(seed)
    var dice = Dice(seed &* 7919)
    let answered = try (0..<KernelTests.rounds).count { _ in
      try world.checkIfSound("Item", dice.textComparison(), seed)
    }
    #expect(answered > KernelTests.rounds / 2, "\(answered)")
  }

  @Test("owners agree with the reference evaluator", arguments: [55, 56, 57] as [UInt64])
  func owners(seed: UInt64) throws {
    let world = try world(seed)
    var dice = Dice(seed &* 7919)
    let answered = try (0..<KernelTests.rounds / 2).count { _ in
      try world.checkIfSound("Category", dice.ownerComparison(), seed)
    }
    #expect(answered > KernelTests.rounds / 4, "\(answered)")
  }

  /// Returns a world; every second one has dictionaries, every third stores few values.
  private func world(_ seed: UInt64) throws -> World {
    let world = try World(seed: seed)
    return seed % 2 == 0 ? world.coded : seed % 3 == 0 ? world.sparsified : world
  }

  @Test("have as many parts as the reference evaluator's", arguments: [71, 72] as [UInt64])
  func partCounts(seed: UInt64) throws {
    let world = try World(seed: seed)
    for text in [
      "split(title, \" \").@count > 1", "count(split(note, \"a\")) == 2",
      "split(kind, \"e\")[SIZE] != 1",
      "split(title, \"が\").@count > 1",
    ] {
      #expect(try world.check("Item", text, seed), "\(text)")
    }
  }

  @Test(
    "need no access to single objects",
    arguments: [
      ("Item", "lowercase(title) BEGINSWITH \"r\""), ("Item", "title CONTAINS kind"),
      ("Item", "title CONTAINS[cd] home.name"), ("Item", "substring(title, 0, 2) == \"誕生\""),
      ("Item", "concat(title, \" \", count) ENDSWITH \"3\""), ("Item", "title.length > 8"),
      ("Item", "trim(kind) IN {\"Office\", \"Private\"}"),
      ("Item", "uppercase(title) LIKE \"*A*\""),
      ("Item", "replace(title, \"a\", \"o\") ENDSWITH \"x\""),
      ("Item", "firstMatch(title, \"[0-9]+\") == \"3\""),
      ("Item", "split(title, \" \")[0] == \"x\""), ("Item", "split(title, \" \").@count > 1"),
      ("Item", "canonical(title) MATCHES \".*cafe.*\""), ("Item", "home.name == title"),
      ("Item", "price > home.items.@avg.price"), ("Item", "tags.@count * 2 > count"),
      ("Item", "CAST(count, \"NSString\") == \"3\""), ("Item", "lowercase(title) == nil"),
      ("Item", "lowercase(home.name) BEGINSWITH \"r\""), ("Item", "home.name == home.parent.name"),
      ("Category", "ANY items.price > length(name) * 2"),
      ("Category", "SUBQUERY(items, $i, $i.title BEGINSWITH name).@count > 0"),
      ("Category", "items.@max.price > items.@avg.price * 2"),
    ] as [(String, String)])
  func methods(entity: String, text: String) throws {
    let filter = try World().coded.request(entity, where: text).plan.filter
    #expect(filter.isOfKernels, "\(text): \(filter)")
  }
}

extension TextVectorTests {
  @Test(
    "that look like dates are not dates: only literals of a predicate are read as dates",
    arguments: [
      "kind == date(\"2010-01-01\")", "kind > date(\"2009-01-01\")",
      "kind IN {date(\"2010-01-01\")}",
      "NOT kind <= date(\"2020-01-01\")", "kind BETWEEN {date(\"2000-01-01\"), today()}",
      "kind == \"2010-01-01\"", "kind > \"2009\"", "date(kind) > date(\"2009-01-01\")",
    ])
  func writtenDates(text: String) throws {
    let world = try World().coded { $0 + 2007 }
    #expect(try world.check("Item", text, 0), "\(text)")
  }
}

extension World {
  /// The same objects with codes instead of texts.
  var coded: World { coded(year: nil) }

  /// Returns the same objects with each date replaced by the first of January of a year.
  fileprivate func coded(_ year: @escaping (Int) -> Int) -> World { coded(year: year) }

  private func coded(year: ((Int) -> Int)?) -> World {
    var (result, graph) = (self, snapshot.graph)
    for table in graph.tables.indices {
      for column in graph.tables[table].columns.indices {
        graph.tables[table].columns[column] = graph.tables[table].columns[column].coded { text in
          year.map { "\($0(text.utf8.count % 5))-01-01" } ?? text
        }
      }
    }
    result.snapshot = GraphSnapshot(graph)
    return result
  }

  /// Performs `check` unless the predicate is refused before it runs.
  func checkIfSound(_ entity: String, _ text: String, _ seed: UInt64) throws -> Bool {
    (try? request(entity, where: text)) == nil ? false : try check(entity, text, seed)
  }
}

extension Column {
  fileprivate func coded(_ code: (String) -> String) -> Column {
    guard kind == .attribute(.string) else { return self }
    var column = Column(kind, dictionary: TextDictionary())
    for chunk in chunks.indices {
      for row in 0..<chunks[chunk].count {
        let text = text(chunk << ColumnChunk.shift + row)
        column.append(text.map { .text(code($0)) } ?? .null)
      }
    }
    return column
  }
}
