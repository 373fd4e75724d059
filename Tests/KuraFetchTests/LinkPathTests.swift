import Foundation
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

@Suite("Paths of several relationships")
struct LinkPathTests {
  @Test("have the reference evaluator's aggregates", arguments: [61, 62] as [UInt64])
  func aggregates(seed: UInt64) throws {
    let world = try World.shop(seed)
    let paths = [
      ("Customer", "orders.items"), ("Customer", "orders.items.product.tags"),
      ("Order", "items.product"), ("Order", "items.product.tags"), ("Product", "items.order"),
      ("Product", "tags.products"), ("Tag", "products.items"), ("Tag", "products.tags.products"),
      ("Product", "items.order.customer.orders"),
    ]
    for (entity, path) in paths {
      for text in [
        "{p}.@count", "{p}.@sum.whole", "{p}.@avg.whole", "{p}.@sum.real", "{p}.@avg.real",
        "{p}.@max.real", "{p}.@sum.exact", "{p}.@min.exact", "{p}.@max.name", "count({p})",
        "sum({p}.real)", "max({p}.day)", "{p}.@sum.(whole * 2)",
        "SUBQUERY({p}, $x, $x.whole > 2).@count",
        "SUBQUERY({p}, $x, $x.real == nil).@sum.exact", "SUBQUERY({p}, $x, $x.name == nil).@count",
        "{p}.count + 1", "countDistinct({p})", "countDistinct({p}.whole)",
        "({p}.@distinctUnionOfObjects.name).@count", "({p}.@distinctUnionOfObjects.day).@count",
        "median({p}.whole)", "median({p}.real)", "median({p}.exact)", "stddev({p}.whole)",
        "stddev({p}.real)", "percentile({p}.whole, 30)", "percentile({p}.real, 90)",
        "percentile({p}.exact, 12.5)", "median({p}.(exact * 2))",
        "median(SUBQUERY({p}, $x, $x.whole > 2).real)",
      ] {
        let text = text.replacing("{p}", with: path)
        let tree = try world.expression(text, of: entity)
        let values = try world.evaluated(tree, entity)
        try world.checkShown(tree, values, of: entity, "seed \(seed): \(entity) \(text)")
        // count() does not count the nil of a to-one relationship.
        let isCountOfOnes = ["count(items.product)", "count(items.order)"].contains(text)
        let node = try world.request(entity).vectorNode(tree)
        #expect(isCountOfOnes || node != nil, "\(text)")
      }
    }
  }

  @Test("are related to values of their beginning", arguments: 71...73 as ClosedRange<UInt64>)
  func pairs(seed: UInt64) throws {
    let world = try World.shop(seed)
    var numbers = SeededNumbers(seed: seed)
    let paths = [
      ("Product", "tags"), ("Tag", "products"), ("Customer", "orders"), ("Order", "items.product"),
      ("Product", "tags.products"), ("Product", "items.order"), ("Tag", "products.items"),
    ]
    let keys = ["whole", "real", "exact", "day", "name", "SELF", "whole * 2", "exact / 2"]
    var answered = 0
    for _ in 0..<TestLength.count(80, long: 3000) {
      let (entity, path) = numbers.pick(paths)
      func condition() -> String {
        let key = numbers.pick(keys)
        let operation = numbers.pick(["==", "!=", "<", "<=", ">", ">="])
        switch numbers.below(4) {
        case 0: return "$x.whole > \(numbers.below(4))"
        case 1:
          let object = numbers.pick(["$x", "$x.product", "$x.customer", "$x.order.customer.friend"])
          let objects = numbers.pick([
            path, "orders", "items.product", "tags.products", "products.items.order.customer",
          ])
          return numbers.pick([
            "\(object) IN \(objects)", "\(objects) CONTAINS \(object)",
            "ANY \(objects) == \(object)", "NOT \(object) IN \(objects)",
          ])
        default:
          let inner = key == "SELF" ? "$x" : "$x.\(key)"
          return numbers.flip()
            ? "\(inner) \(operation) \(key)" : "\(key) \(operation) \(inner)"
        }
      }
      let conditions = (0...numbers.below(2)).map { _ in condition() }.joined(separator: " AND ")
      let objects = "SUBQUERY(\(path), $x, \(conditions))"
      let text = numbers.pick([
        "\(objects).@count > 1", "\(objects).@sum.exact > 2", "\(objects).@max.real > real",
        "median(\(objects).whole) <= whole", "\(objects).@min.name != nil",
      ])
      guard (try? world.request(entity, where: text)) != nil else { continue }
      if try world.check(entity, text, seed) { answered += 1 }
    }
    #expect(answered > TestLength.count(80, long: 3000) / 2, "\(answered)")
    for (entity, text) in [
      ("Product", "SUBQUERY(tags, $x, $x.whole > whole).@count > 0"),
      ("Product", "SUBQUERY(tags, $x, $x.name < name AND $x.whole > 2).@count > 0"),
      ("Product", "SUBQUERY(items, $x, $x.order.customer IN items.order.customer).@count > 0"),
      ("Order", "SUBQUERY(items, $x, $x.product IN items.product).@count > 1"),
    ] {
      #expect(try !world.request(entity, where: text).plan.filter.asksReference, "\(text)")
    }
  }

  @Test("are combined as sets", arguments: 74...76 as ClosedRange<UInt64>)
  func sets(seed: UInt64) throws {
    let world = try World.shop(seed)
    for (entity, one, other) in [
      ("Customer", "orders.items.product", "friend.orders.items.product"),
      ("Order", "items.product.tags", "items.product.tags.products.tags"),
      ("Order", "items.order.customer", "items.order.customer.friend"),
      ("Product", "items.order.customer", "items.order.customer.friend"),
      ("Product", "items.whole", "tags.whole"), ("Product", "items.name", "tags.name"),
      ("Product", "items.day", "tags.day"), ("Product", "items.exact", "tags.whole"),
      ("Tag", "products.tags", "products"), ("Product", "tags.products", "tags.products"),
    ] {
      for operation in ["INTERSECT", "MINUS", "UNION"] {
        let text = "(\(one) \(operation) \(other)).@count"
        let tree = try World.parseExpression(text)
        let values = try world.evaluated(tree, entity)
        try world.checkShown(tree, values, of: entity, "seed \(seed): \(entity) \(text)")
        #expect(try world.check(entity, "\(text) > 1", seed), "\(text)")
      }
    }
    let text = "(items.order.customer INTERSECT items.order.customer.friend).@count"
    let tree = try world.expression(text, of: "Product")
    #expect(try world.request("Product").vectorNode(tree) != nil)
  }

  @Test("leave the rows with too many objects to the reference evaluator")
  func limit() throws {
    let world = try World.shop(66)
    let request = try world.request("Tag")
    let compiler = FilterCompiler(graph: world.snapshot.graph, environment: world.environment)
    let scope = FilterScope(entity: "Tag", place: request.place)
    let tree = try world.expression("products.tags.products", of: "Tag")
    guard case .keyPath(let keys) = tree.kind else {
      Issue.record("\(tree) is no path")
      return
    }
    let all = try #require(compiler.linkPath(keys, scope)).0.lists[0]
    let few = try #require(compiler.linkPath(keys, scope, atMost: 200)).0.lists[0]
    var (open, known) = (0, 0)
    for row in all.lists.ends.indices {
      if few.open[row] {
        open += 1
      } else if !all.lists.range(row).isEmpty {
        known += 1
        #expect(
          few.lists.rows[few.lists.range(row)] == all.lists.rows[all.lists.range(row)], "\(row)")
      }
    }
    #expect(open > 0 && known > 0 && few.lists.rows.count <= 200)
    #expect(all.open.isEmpty)
  }

  @Test("find texts, JSON and messages at their end", arguments: [63] as [UInt64])
  func anyAtTheEnd(seed: UInt64) throws {
    let world = try World.shop(seed)
    for (entity, path) in [
      ("Product", "tags"), ("Order", "items.product.tags"), ("Customer", "orders.items.product"),
      ("Item", "product.tags"),
    ] {
      for test in [
        "ANY {p}.name == \"n7\"", "ANY {p}.name CONTAINS \"n1\"",
        "NONE {p}.name IN {\"n7\", \"n8\"}",
        "ALL {p}.name > \"n1\"", "ANY {p}.more.k == 3",
        "ANY {p}.exact > 1.5", "ANY {p}.more.k > 1 AND ANY {p}.name != \"n7\"",
      ] {
        let text = test.replacing("{p}", with: path)
        #expect(try world.check(entity, text, seed), "\(text)")
        #expect(try !world.request(entity, where: text).plan.filter.asksReference, "\(text)")
      }
    }
  }

  @Test("group and count objects at their end", arguments: [65] as [UInt64])
  func groups(seed: UInt64) throws {
    let world = try World.shop(seed)
    for key in ["order.customer", "product", "order", "order.customer.friend"] {
      for text in [
        "sum(whole)", "countDistinct(order.customer)", "countDistinct(order.customer.friend)",
      ] {
        let request = try World.grouped(text, of: "Item", by: key)
          .bound(to: world.snapshot, world.environment)
        let values = try request.valuesOfFirstAggregate()
        #expect(values.engine == values.evaluator, "\(text) by \(key)")
      }
    }
  }

  @Test("are compared as objects", arguments: [64] as [UInt64])
  func objects(seed: UInt64) throws {
    let world = try World.shop(seed)
    for (entity, text) in [
      ("Item", "order == SELF.order"), ("Item", "order.customer == order.customer"),
      ("Item", "order != order"), ("Order", "SELF == SELF"), ("Order", "customer == SELF.customer"),
      ("Item", "whole == SELF.whole"), ("Item", "SELF.order.whole > SELF.whole"),
      ("Customer", "friend == SELF"), ("Customer", "friend.friend == SELF"),
      ("Customer", "friend.friend != friend"),
    ] {
      #expect(try world.check(entity, text, seed), "\(text)")
      #expect(try !world.request(entity, where: text).plan.filter.asksReference, "\(text)")
    }
  }
}

extension World {
  /// Customers with orders of items, whose products have tags. There are enough tags that their names have no codes.
  fileprivate static func shop(_ seed: UInt64) throws -> World {
    let attributes = [
      Attribute(name: "name", type: .string, isOptional: true),
      Attribute(name: "whole", type: .integer, isOptional: true),
      Attribute(name: "real", type: .double, isOptional: true),
      Attribute(name: "exact", type: .decimal, isOptional: true),
      Attribute(name: "day", type: .date, isOptional: true),
      Attribute(name: "more", type: .json, isOptional: true),
    ]
    func toMany(_ name: String, _ destination: String, _ inverse: String) -> Relationship {
      Relationship(name: name, destination: destination, isToMany: true, inverse: inverse)
    }
    func toOne(_ name: String, _ destination: String, _ inverse: String?) -> Relationship {
      Relationship(name: name, destination: destination, isOptional: true, inverse: inverse)
    }
    let model = Model(entities: [
      Entity(
        name: "Customer", attributes: attributes,
        relationships: [toMany("orders", "Order", "customer"), toOne("friend", "Customer", nil)]),
      Entity(
        name: "Order", attributes: attributes,
        relationships: [toOne("customer", "Customer", "orders"), toMany("items", "Item", "order")]),
      Entity(
        name: "Item", attributes: attributes,
        relationships: [toOne("order", "Order", "items"), toOne("product", "Product", "items")]),
      Entity(
        name: "Product", attributes: attributes,
        relationships: [toMany("items", "Item", "product"), toMany("tags", "Tag", "products")]),
      Entity(
        name: "Tag", attributes: attributes, relationships: [toMany("products", "Product", "tags")]),
    ])
    var dice = Dice(seed)
    var context = GraphContext(Graph(model: model))
    func insert(
      _ entity: String, _ count: Int, _ links: (inout Dice) -> [(String, [Value])]
    ) throws -> [Value] {
      let ids = try context.insert(
        (0..<count).map { number in
          var values: [NewValue] = []
          let optional: [(String, Value)] = [
            ("name", .string("n\(number)")), ("whole", .integer(Int64(dice.below(9)))),
            ("real", .double(Double(dice.below(90)) / 7)),
            ("exact", .decimal(Decimal(dice.below(70)) / 10)),
            ("day", .date(Timestamp(microseconds: Int64(dice.below(40)) * 86_400_000_000))),
            ("more", .dictionary(ValueDictionary([("k", .integer(Int64(dice.below(5))))]))),
          ]
          for (key, value) in optional where dice.chance(0.8) {
            values.append(NewValue(key, value))
          }
          for (key, objects) in links(&dice) where !objects.isEmpty {
            values.append(NewValue(key, key == "tags" ? .list(objects) : objects[0]))
          }
          return NewObject(entity: entity, values: values)
        })
      let snapshot = context.snapshot
      return ids.compactMap { id in
        context.graph.find(id).map {
          .object(ObjectReference(snapshot.object(table: $0.table, row: $0.row)))
        }
      }
    }
    func one(_ objects: [Value], _ dice: inout Dice) -> [Value] {
      dice.chance(0.9) ? [dice.pick(objects)] : []
    }
    let customers = try insert("Customer", 12) { _ in [] }
    let more = try insert("Customer", 8) { [("friend", one(customers, &$0))] }
    let orders = try insert("Order", 60) { [("customer", one(customers + more, &$0))] }
    let tags = try insert("Tag", 300) { _ in [] }
    let products = try insert("Product", 40) { dice in
      [("tags", tags.filter { _ in dice.chance(0.02) })]
    }
    _ = try insert("Item", 200) { dice in
      [("order", one(orders, &dice)), ("product", one(products, &dice))]
    }
    return World(context.snapshot)
  }
}
