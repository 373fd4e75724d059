import KuraBytes
import KuraChecking
import KuraDiagnostics
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

/// A place of a fetch inside another, which is checked and run separately.
struct FetchPlace: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// Returns a fetch that contains another.
  let around: @Sendable (ExpressionTree) -> FetchTree
}

extension FetchPlace {
  private init(_ name: String, _ around: @escaping @Sendable (ExpressionTree) -> FetchTree) {
    testDescription = name
    self.around = around
  }

  /// Returns a modified fetch.
  private static func count(_ change: (inout FetchTree) -> Void) -> FetchTree {
    var fetch = FetchTree(.count, of: FetchSource(.entity("Item")))
    change(&fetch)
    return fetch
  }

  private static let one = ExpressionTree(.constant(Constant(.integer(1))))

  private static func equal(_ tree: ExpressionTree) -> PredicateTree {
    PredicateTree(.comparison(Comparison(Key("count").expression, .equal, tree)))
  }

  static let all = [
    FetchPlace("where") { inner in count { $0.predicate = equal(inner) } },
    FetchPlace("where, in a call") { inner in
      let call = ExpressionTree(.function(FunctionCall(.coalesce, [one, inner])))
      return count { $0.predicate = equal(call) }
    },
    FetchPlace("limit") { inner in count { $0.limit = inner } },
    FetchPlace("sort") { inner in count { $0.sort = [SortTree(inner)] } },
    FetchPlace("select") { inner in
      var fetch = FetchTree(.objects, of: FetchSource(.entity("Item")))
      fetch.selection = [SelectedColumn(inner, name: "a")]
      return fetch
    },
    FetchPlace("source") { inner in
      var fetch = FetchTree(.objects, of: FetchSource(.entity("Item")))
      if case .fetch = inner.kind { fetch.source = FetchSource(.objects(inner)) }
      return fetch
    },
    FetchPlace("group by") { inner in count { $0.grouping = [inner] } },
    FetchPlace("having") { inner in
      count {
        $0.grouping = [Key("count").expression]
        $0.having = PredicateTree(.comparison(Comparison(inner, .greater, one)))
      }
    },
  ]

  func nested(_ count: Int) -> FetchTree {
    (1..<count).reduce(around(Self.one)) { tree, _ in around(ExpressionTree(.fetch(tree))) }
  }
}

@Suite("On any stack, a fetch in a fetch")
struct NestedStackTests {
  @Test("is checked, bound and run", arguments: stackSizes, FetchPlace.all)
  func runs(stack: Int, place: FetchPlace) throws {
    let world = try World(items: 3)
    try onStack(of: stack) { () throws in
      let fetch = place.nested(900)
      #expect(fetch == place.nested(900) && "\(fetch)".utf8.count > 5_000)
      do {
        _ = try fetch.bound(to: world.snapshot, world.environment).value(fetch.result)
      } catch let error as Diagnostic {
        #expect(error.severity == .error, "\(error)")
      }
    }
  }
}
