import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

extension KeyPathTree {
  /// Whether all its components are keys. After an attribute, these are messages to its value.
  var hasKeysOnly: Bool { components.allSatisfy { $0.kind == .key } }

  /// Whether a key means the size of a collection, even if its objects have such a key.
  var asksSize: Bool { components.contains(where: \.asksSize) }

  /// Whether it is only `@count`, after a base.
  var isCount: Bool {
    components.count == 1 && components[0].kind == .collectionOperator
      && components[0].name == "count"
  }

  fileprivate var withoutHead: KeyPathTree { KeyPathTree(Array(components.dropFirst())) }
}

extension TreeNode {
  /// The distinct paths that begin at the evaluated object; nil if the value depends on more than these.
  ///
  /// Paths of a collection's elements do not count.
  var ownPaths: [KeyPathTree]? {
    var paths: [KeyPathTree] = []
    var asksMore = false
    walk { node, bound in
      guard !asksMore, case .expression(let tree) = node else { return asksMore ? .over : .into }
      switch tree.kind {
      case .variable(let name): asksMore = !bound.contains(name)
      case .subquery, .mapped: break
      case .keyPath(let path) where path.base == nil:
        if !paths.contains(path) { paths.append(path) }
      default: asksMore = tree.readsMoreThanPaths
      }
      return .into
    }
    return asksMore ? nil : paths
  }
}

extension TreeNode {
  /// Returns whether the value depends only on the days of an attribute with dates: `year(date)`, `format(date,
  /// "yyyy-MM")`.
  func readsOnlyDays(of key: String) -> Bool {
    var readsMore = false
    walk { node, _ in
      guard !readsMore, case .expression(let tree) = node else { return readsMore ? .over : .into }
      switch tree.kind {
      case .function(let call)
      where call.arguments.first?.onlyKey?.name == key && call.readsOnlyDay:
        return .over
      case .keyPath(let path) where path.base == nil && path.components.first?.name == key:
        readsMore = true
      default: break
      }
      return .into
    }
    return !readsMore
  }
}

extension FunctionCall {
  /// Whether the result depends on the day of the first argument, and on literals.
  fileprivate var readsOnlyDay: Bool {
    guard let builtIn, builtIn.entry.operands.accept(arguments.count) else { return false }
    if case .part(let part)? = builtIn.loop.row { return part.isOfDay }
    guard builtIn == .format, case .string(let pattern)? = arguments[1].literal,
      arguments.dropFirst().allSatisfy({ $0.literal != nil })
    else { return false }
    return DatePeriod.length(of: pattern) == .day
  }
}

extension ExpressionTree {
  /// Whether an expression depends on more than its paths.
  var readsMoreThanPaths: Bool {
    switch kind {
    case .evaluatedObject, .variable, .anyKey, .objectOrQuotient, .subquery, .mapped, .fetch,
      .indexAfterDot, .assignment:
      true
    case .function(let call): call.depends(on: .chance)
    case .message(_, let selector, _): FunctionCall(selector, []).depends(on: .chance)
    case .constant, .keyPath, .index, .aggregate, .ternary, .setOperation, .predicate: false
    }
  }

  /// Whether a random number occurs in it.
  var dependsOnChance: Bool {
    first { tree in
      if case .function(let call) = tree.kind { call.depends(on: .chance) } else { false }
    } != nil
  }

  /// The expression for the object at the end of the first key, which all its paths share.
  var withoutHead: ExpressionTree {
    if case .keyPath(let path) = kind, path.base == nil {
      return ExpressionTree(.keyPath(path.withoutHead), span: span)
    }
    return mapParts(
      predicate: { part, _ in part.withoutHead }, expression: { part, _ in part.withoutHead })
  }
}

extension PredicateTree {
  /// The predicate for the object at the end of the first key, which all its paths share.
  var withoutHead: PredicateTree {
    mapParts(predicate: \.withoutHead, expression: \.withoutHead)
  }
}

/// A predicate or an expression about an element, rewritten for the element: `$i.done` becomes `done`, `$i` becomes SELF.
///
/// If a key of the element leads to the outer object, `name` becomes `owner.name`. Otherwise it is nil if the predicate
/// reads the outer object.
struct ElementPredicate {
  let variable: String
  let owner: KeyComponent?

  init(_ variable: String, owner: KeyComponent? = nil) {
    self.variable = variable
    self.owner = owner
  }

  func of(_ predicate: PredicateTree) -> PredicateTree? { try? turned(predicate) }

  func of(_ expression: ExpressionTree) -> ExpressionTree? { try? turned(expression) }

  /// The predicate reads something outside the element.
  private struct ReadsOutsideElement: Error {}

  private func turned(_ predicate: PredicateTree) throws(ReadsOutsideElement) -> PredicateTree {
    try predicate.mapParts(
      predicate: { part throws(ReadsOutsideElement) in try turned(part) },
      expression: { part throws(ReadsOutsideElement) in try turned(part) })
  }

  private func turned(_ expression: ExpressionTree) throws(ReadsOutsideElement) -> ExpressionTree {
    switch expression.kind {
    case .constant, .function, .aggregate, .ternary: break
    case .variable(variable): return ExpressionTree(.evaluatedObject, span: expression.span)
    case .variable: return expression
    case .keyPath(let path):
      if let owner, path.base == nil, path.components.allSatisfy({ $0.kind != .variable }) {
        return expression.withHead(owner)
      }
      guard try begins(path) else { break }
      return ExpressionTree(.keyPath(KeyPathTree(path.components)), span: expression.span)
    // Inside, the variable has another meaning.
    case .subquery(_, variable, _): throw ReadsOutsideElement()
    case .subquery, .mapped, .predicate: break
    case .evaluatedObject, .message, .index, .indexAfterDot, .setOperation, .assignment, .anyKey,
      .objectOrQuotient, .fetch:
      throw ReadsOutsideElement()
    }
    return try expression.mapParts(
      predicate: { part, _ throws(ReadsOutsideElement) in try turned(part) },
      expression: { part, _ throws(ReadsOutsideElement) in try turned(part) })
  }

  /// Returns whether a path begins at the element. Paths from SELF begin at the outer object.
  private func begins(_ path: KeyPathTree) throws(ReadsOutsideElement) -> Bool {
    guard let base = path.base, path.components.allSatisfy({ $0.kind != .variable }) else {
      throw ReadsOutsideElement()
    }
    if case .variable(variable) = base.kind { return true }
    return false
  }
}
