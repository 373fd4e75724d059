import KuraValues
import Testing

@testable import KuraPredicates

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

  @Test("reports bound variables, and skips nodes on request")
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

  @Test("rewrites from the leaves up")
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

  @Test("visits each node once, and so does rewriting")
  func everyNode() {
    var all = 0
    for seed in 1...300 as ClosedRange<UInt64> {
      var trees = RandomTrees(seed: seed, isStatement: true)
      let tree = trees.statementExpression(depth: 5)
      var walked: [TreeNode] = []
      tree.walk { node, _ in
        walked.append(node)
        return .into
      }
      var rewritten: [TreeNode] = []
      let again = tree.rewritingPredicates { part, _ in
        rewritten.append(.predicate(part))
        return part
      }.rewritingExpressions { part, _ in
        rewritten.append(.expression(part))
        return part
      }
      #expect(again == tree, "seed \(seed)")
      #expect(Set(walked) == Set(rewritten), "seed \(seed)")
      #expect(walked.count == rewritten.count, "seed \(seed)")
      #expect(tree.height == TreeNode.expression(tree).levels, "seed \(seed)")
      all += walked.count
    }
    #expect(all > 5_000)
  }

  @Test("stops at the first matching node")
  func first() throws {
    let tree = try PredicateTree(parsing: "a == 1 AND SUBQUERY(b, $i, $i.c == now())[SIZE] > $n")
    var asked: [String] = []
    let call = tree.first { part in
      asked.append(part.expressionFormat)
      if case .function = part.kind { return true }
      return false
    }
    #expect(call?.expressionFormat == "now()")
    #expect(!asked.contains("$n"))
    #expect(tree.first { if case .fetch = $0.kind { true } else { false } } == nil)
  }
}

extension TreeNode {
  /// The number of levels of nodes.
  fileprivate var levels: Int {
    var below = 0
    forEachChild { child, _ in below = max(below, child.levels) }
    return below + 1
  }
}
