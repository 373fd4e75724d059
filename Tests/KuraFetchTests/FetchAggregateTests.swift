import KuraDiagnostics
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

/// Aggregates of a nested fetch are computed from columns, aggregates of a page from its objects.
@Suite("The aggregate of a fetch") struct FetchAggregateTests {
  private static let keys = [
    "count", "price", "exact", "day", "title", "kind", "serial", "home.objectID", "home.name",
    "key",
    "rank", "tags", "extra", "done", "self", "titel",
  ]
  private static let conditions = ["YES == YES", "done == YES", "count > 99", "price == nil"]

  @Test("equals the aggregate of its objects", arguments: ["sum", "avg", "min", "max", "count"])
  func objects(name: String) throws {
    var numbers = 0
    for world in [try World(), try World().sparsified, try World(items: 0)] {
      for key in Self.keys {
        for condition in Self.conditions {
          for entity in ["Item", "Task", "Base"] {
            let keys = name == "count" ? [] : key.split(separator: ".").map(String.init)
            let path = [KeyComponent(name, .collectionOperator)] + keys.map { KeyComponent($0) }
            let (columns, objects) = (
              try Self.outcome(entity, condition, path, isPage: false, world),
              try Self.outcome(entity, condition, path, isPage: true, world)
            )
            #expect(columns == objects, "(fetch \(entity) where \(condition)).@\(name).\(key)")
            if columns.hasPrefix("double") || columns.hasPrefix("decimal") { numbers += 1 }
          }
        }
      }
    }
    #expect(numbers > 8 || name == "count")
  }

  private static func outcome(
    _ entity: String, _ condition: String, _ path: [KeyComponent], isPage: Bool, _ world: World
  ) throws -> String {
    var fetch = FetchTree(of: FetchSource(entity: entity))
    fetch.predicate = try World.parse(condition)
    if isPage { fetch.limit = ExpressionTree(.constant(Constant(9999))) }
    let tree = ExpressionTree(.keyPath(KeyPathTree(base: ExpressionTree(.fetch(fetch)), path)))
    do throws(Diagnostic) {
      let value = try tree.value(in: world.snapshot, world.environment)
      return "\(value.kind) \(ExpressionTree(.constant(Constant(value))).expressionFormat)"
    } catch {
      return error.facts.sentence
    }
  }
}
