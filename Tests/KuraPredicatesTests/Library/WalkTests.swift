import KuraPredicates
import KuraValues
import Testing

@Suite("Walking a tree")
struct WalkTests {
  @Test("finds key paths and free variables in the order of the text")
  func lists() throws {
    let tree = try PredicateTree(
      parsing: "age > $least AND SUBQUERY(items, $i, $i.done == NO AND owner == $who)[SIZE] > 2"
        + " OR age == 3 OR ANY (a.b)[$n] == {c, $i}")
    #expect(
      tree.keyPaths.map(\.description) == ["age", "items", "$i.done", "owner", "a.b", "c"])
    #expect(tree.variables == ["least", "who", "n", "i"])
  }

  @Test("knows what is bound, and goes over what the body wants")
  func scope() throws {
    let tree = try PredicateTree(
      parsing: "SUBQUERY(a, $i, SUBQUERY(b, $j, c == $j)[SIZE] > 1)[SIZE] > 1")
    var seen: [String: Set<String>] = [:]
    tree.walk { node, bound in
      if case .expression(let part) = node, case .keyPath(let path) = part.kind, path.base == nil {
        seen[path.description] = bound
      }
      return .into
    }
    #expect(seen == ["a": [], "b": ["i"], "c": ["i", "j"]])
    var count = 0
    tree.walk { _, _ in
      count += 1
      return .over
    }
    #expect(count == 1)
  }

  @Test("rewrites from below")
  func rewrites() throws {
    let tree = try PredicateTree(parsing: "alt == 1 AND ANY kinder.alt < 18")
    let names = ["alt": "age", "kinder": "children"]
    let english = tree.rewritingExpressions { part, _ in
      guard case .keyPath(var path) = part.kind else { return part }
      path.components = path.components.map { KeyComponent(names[$0.name] ?? $0.name, $0.kind) }
      return ExpressionTree(.keyPath(path))
    }
    #expect(english.predicateFormat == "age == 1 AND ANY children.age < 18")
  }
}
