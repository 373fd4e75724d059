import KuraGraph
import KuraModel
import KuraPredicates

/// What all paths of an expression begin with.
enum SharedHead {
  /// One key of texts that have codes.
  case text(key: String, column: Int)
  /// One key of integers or dates.
  case number(key: String, column: Int)
  /// A to-one, behind which each path goes on.
  case one(key: String, column: Int)

  /// Each key is a node in a node.
  private static let longest = 16

  init?(paths: [KeyPathTree], _ graph: Graph, _ scope: FilterScope) {
    guard let first = paths.first?.components.first, first.kind == .key,
      paths.allSatisfy({ path in
        path.base == nil && path.components.first == first
          && path.components.count <= Self.longest
      })
    else { return nil }
    switch graph.tables[scope.place.table].layout.slots[scope.place.code][first.name] {
    case .attribute(let column, .string)?:
      guard paths.allSatisfy({ $0.onlyKey != nil || $0.sendsMessage }) else { return nil }
      self = .text(key: first.name, column: column)
    case .attribute(let column, .integer)?, .attribute(let column, .integer16)?,
      .attribute(let column, .integer32)?, .attribute(let column, .date)?:
      guard paths.allSatisfy({ $0.onlyKey != nil }) else { return nil }
      self = .number(key: first.name, column: column)
    case .toOne(let column, _)?:
      // Links of which some lead to deleted objects are read one by one.
      guard !graph.mayDangle, paths.allSatisfy({ $0.components.count > 1 }) else { return nil }
      self = .one(key: first.name, column: column)
    case .attribute?, .toMany?, .inverse?, .unresolved?, nil: return nil
    }
  }
}

extension KeyPathTree {
  /// Whether nothing but keys stands in it: behind an attribute those are messages to its value.
  fileprivate var sendsMessage: Bool { components.allSatisfy { $0.kind == .key } }

  /// The path behind its first key.
  fileprivate var withoutHead: KeyPathTree { KeyPathTree(Array(components.dropFirst())) }
}

extension TreeNode {
  /// The paths that begin at the asked object, each once; nil where more than they decides.
  ///
  /// What a SUBQUERY asks of its own elements is not among them.
  var ownPaths: [KeyPathTree]? {
    var paths: [KeyPathTree] = []
    var asksMore = false
    walk { node, bound in
      guard !asksMore, case .expression(let tree) = node else { return asksMore ? .over : .into }
      switch tree.kind {
      case .variable(let name): asksMore = !bound.contains(name)
      case .subquery: break
      case .keyPath(let path) where path.base == nil:
        if !paths.contains(path) { paths.append(path) }
      default: asksMore = tree.asksMoreThanPaths
      }
      return .into
    }
    return asksMore ? nil : paths
  }
}

extension ExpressionTree {
  /// Whether an expression depends on more than its paths.
  var asksMoreThanPaths: Bool {
    switch kind {
    case .evaluatedObject, .variable, .anyKey, .objectOrQuotient, .subquery, .fetch, .indexAfterDot,
      .assignment:
      true
    case .function(let call): call.depends(on: .chance)
    case .message(_, let selector, _): FunctionCall(selector, []).depends(on: .chance)
    case .constant, .keyPath, .index, .aggregate, .ternary, .setOperation, .predicate: false
    }
  }

  /// The same asked of the object at the end of the key that all its paths begin with.
  var withoutHead: ExpressionTree {
    if case .keyPath(let path) = kind, path.base == nil {
      return ExpressionTree(.keyPath(path.withoutHead), span: span)
    }
    return mapParts(predicate: { part, _ in part.withoutHead }, expression: \.withoutHead)
  }
}

extension PredicateTree {
  /// The same asked of the object at the end of the key that all its paths begin with.
  var withoutHead: PredicateTree {
    mapParts(predicate: \.withoutHead, expression: \.withoutHead)
  }
}
