import Foundation
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

/// Pages of an order of many rows, compared with the same part of the complete order.
@Suite("A page of many rows") struct PageTests {
  private static let items = 20_000
  private static let world = Result { try World(rows: items) }

  @Test(
    "equals the same part of the complete order",
    arguments: [
      ["price"], ["price | desc", "title"], ["kind", "count | desc"], ["count", "objectID | desc"],
      ["day | desc", "kind"], ["done", "price"], ["home.objectID", "price"], ["count * 2", "day"],
      ["month(day) | desc", "count"], ["title"], ["title | desc", "price"],
      ["kind", "title | desc"], ["kind | desc", "title"],
    ])
  func agrees(sort: [String]) throws {
    let world = try Self.world.get()
    let keys = try sort.map { try World.parsedSort($0) }
    let whole = try world.request("Item", sort: keys).run().rows
    #expect(whole.count == Self.items)
    for (offset, limit) in [(0, 5), (0, 3000), (17, 40), (11_000, 9), (19_990, 40), (90_000, 1)] {
      let page = try world.request("Item", sort: keys, limit: limit, offset: offset).run().rows
      #expect(page == Array(whole.dropFirst(offset).prefix(limit)), "\(sort) \(offset) \(limit)")
    }
    let rest = try world.request("Item", sort: keys, offset: 19_000).run().rows
    #expect(rest == Array(whole.dropFirst(19_000)), "\(sort)")
  }

  @Test("is found by the first key if only some of the rows match", arguments: [false, true])
  func some(isThin: Bool) throws {
    let world = isThin ? try Self.world.get().sparsified : try Self.world.get()
    for sort in [
      ["price"], ["price | desc | nulls last"], ["count | desc", "price"], ["day"], ["title"],
    ] {
      let keys = try sort.map { try World.parsedSort($0) }
      for test in ["count != 7", "kind == \"Office\""] {
        let whole = try world.request("Item", where: test, sort: keys).run().rows
        for offset in [0, whole.count / 2, whole.count * 9 / 10] {
          let page = try world.request("Item", where: test, sort: keys, limit: 11, offset: offset)
          let wanted = Array(whole.dropFirst(offset).prefix(11))
          #expect(try page.run().rows == wanted, "\(test) \(sort) \(offset)")
        }
      }
    }
  }

  @Test("needs few numbers, and a few more if a sample misses it")
  func isPage() throws {
    let world = try Self.world.get()
    let request = try world.request("Item", sort: [try World.parsedSort("price")])
    let rows = try request.passingRows()
    let sorting = try #require(WordSort(request, rows))
    #expect(sorting.isOfNumbers)
    let all = try sorting.sortedRows(rows, nil).rows
    let page = try #require(try sorting.page(rows, 15_000..<15_010))
    #expect(page.rows.count < Self.items / 8 && page.skipped > 12_000)
    #expect(page.rows == Array(all.dropFirst(page.skipped).prefix(page.rows.count)))
    let none: OrderedRows? = try sorting.page(rows, 0..<Self.items)
    #expect(none?.rows == nil)
    // A few numbers say nothing about the others.
    #expect(SamplePlaces(0..<10, of: 1000, sampled: 3)?.low == nil)
  }
}

extension World {
  /// Creates many objects with few keys, quickly.
  fileprivate init(rows: Int) throws {
    let model = Model(entities: [
      Entity(
        name: "Item",
        attributes: [
          Attribute(name: "title", type: .string), Attribute(name: "done", type: .boolean),
          Attribute(name: "kind", type: .string, isOptional: true),
          Attribute(name: "count", type: .integer, isOptional: true),
          Attribute(name: "price", type: .double, isOptional: true),
          Attribute(name: "day", type: .date),
        ],
        relationships: [Relationship(name: "home", destination: "Home", inverse: "items")]),
      Entity(
        name: "Home", attributes: [],
        relationships: [
          Relationship(name: "items", destination: "Item", isToMany: true, inverse: "home")
        ]),
    ])
    var dice = Dice(83)
    var context = GraphContext(Graph(model: model))
    _ = try context.insert((0..<40).map { _ in NewObject(entity: "Home") })
    let homes = context.snapshot
    let objects = (0..<rows).map { _ in
      let home = ObjectReference(homes.object(table: 1, row: dice.below(40)))
      var values = [
        NewValue("title", .string("\(dice.pick(["Meeting", "会議", "mt"])) \(dice.below(9_000))")),
        NewValue("done", .boolean(dice.chance(0.5))),
        NewValue("day", .date(Timestamp(microseconds: Int64(dice.below(9_000)) * 86_400_000_000))),
      ]
      if dice.chance(0.9) { values.append(NewValue("home", .object(home))) }
      if dice.chance(0.8) {
        values.append(NewValue("kind", .string(dice.pick(["Office", "が", ""]))))
        values.append(NewValue("count", .integer(Int64(dice.below(300)) - 150)))
      }
      let price = dice.pick([0, -0.0, .infinity, Double(dice.below(1 << 40)) / 7 - 1e9, 12.5])
      if dice.chance(0.8) { values.append(NewValue("price", .double(price))) }
      return NewObject(entity: "Item", values: values)
    }
    _ = try context.insert(objects)
    self.init(context.snapshot)
  }
}

/// Predicates with kernels that cache the beginnings of texts at the second use.
@Suite("Cached beginnings of texts") struct TextHeadsTests {
  @Test(
    "exist from a second use on, and do not change the result",
    arguments: [
      "title < \"Café\"", "title >= \"\"", "title > \"\"", "title BETWEEN {\"A\", \"meeting 1\"}",
      "title <= \"meeting 12\"", "note > \"誕生日\"", "note BETWEEN {\"が\", \"\u{10FFFF}\"}",
    ])
  func ranges(text: String) throws {
    for world in [try World(seed: 3, items: 900), try World(seed: 4, items: 900).sparsified] {
      for _ in 0..<3 { #expect(try world.check("Item", text, 3)) }
    }
  }

  @Test("determine the rows before and after a bound", arguments: [1, 63, 64, 700])
  func order(count: Int) throws {
    let world = try World(seed: UInt64(count), items: count)
    let request = try world.request("Item", sort: [World.parsedSort("title")])
    let sorting = try #require(WordSort(request, try request.passingRows()))
    let chunk = try #require(sorting.leading).chunks[0]
    let texts = try #require(chunk.packedTexts)
    #expect(chunk.textHeads == nil)
    let heads = try #require(chunk.textHeads)
    let begins = (0..<count).map { row in
      (Array(texts.string(row).utf8.prefix(8)) + Array(repeating: 0, count: 8)).prefix(8)
        .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    for bound in begins.prefix(40) + [0, .max] {
      #expect((0..<count).allSatisfy { heads.rows(below: bound)[$0] == (begins[$0] < bound) })
      #expect((0..<count).allSatisfy { heads.rows(above: bound)[$0] == (begins[$0] > bound) })
      #expect((0..<count).allSatisfy { heads.rows(equal: bound)[$0] == (begins[$0] == bound) })
    }
  }
}
