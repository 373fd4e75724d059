import KuraDiagnostics
import KuraPredicates
import KuraValues

/// Computes parts that are equal for every object once: `60 * 60`, `year(now()) > 2000`.
///
/// Errors remain the same: a part that fails, such as `1 / 0`, is not replaced, and fails when a row reaches it.
struct ConstantFolding {
  let context: EvaluationContext
  /// The comparisons that contain a computed part and now read differently.
  private(set) var places: Set<SourceSpan> = []

  init(_ environment: FetchEnvironment) { context = environment.evaluation }
}

extension ConstantFolding {
  /// Returns a predicate with its constant parts computed.
  mutating func folded(_ predicate: PredicateTree) -> PredicateTree {
    predicate.descending { foldedKind(of: predicate) }
  }

  private mutating func foldedKind(of predicate: PredicateTree) -> PredicateTree {
    switch predicate.kind {
    case .constant: return predicate
    case .comparison(let comparison): return folded(comparison, predicate)
    case .truth(let expression):
      let truth = PredicateTree(.truth(folded(expression)), span: predicate.span)
      return expression.isFixed ? answered(truth) : truth
    case .not(let inner):
      let inner = folded(inner)
      guard case .constant(let answer) = inner.kind else {
        return PredicateTree(.not(inner), span: predicate.span)
      }
      return PredicateTree(.constant(!answer), span: predicate.span)
    case .and(let parts): return chain(parts, predicate, endsWith: false)
    case .or(let parts): return chain(parts, predicate, endsWith: true)
    }
  }

  private mutating func chain(
    _ parts: [PredicateTree], _ whole: PredicateTree, endsWith end: Bool
  ) -> PredicateTree {
    var folding = self
    defer { self = folding }
    return .chain(of: parts, endsWith: end, span: whole.span) { folding.folded($0) }
  }

  private mutating func folded(_ comparison: Comparison, _ whole: PredicateTree) -> PredicateTree {
    var comparison = comparison
    let sides = (comparison.left, comparison.right)
    if !sides.0.isPlain || !sides.1.isPlain {
      comparison.left = folded(sides.0)
      comparison.right = folded(sides.1)
      if sides.0.readsOtherwise(comparison.left) || sides.1.readsOtherwise(comparison.right) {
        places.insert(whole.span)
      }
    }
    let result = PredicateTree(.comparison(comparison), span: whole.span)
    return comparison.left.isFixed && comparison.right.isFixed ? answered(result) : result
  }

  /// Returns the answer of a constant predicate, or the predicate itself if it fails.
  private func answered(_ predicate: PredicateTree) -> PredicateTree {
    guard let answer = try? predicate.evaluate(on: .null, in: context) else { return predicate }
    return PredicateTree(.constant(answer), span: predicate.span)
  }
}

extension ConstantFolding {
  /// Returns an expression with its constant parts computed.
  mutating func folded(_ expression: ExpressionTree) -> ExpressionTree {
    if expression.isPlain { return expression }
    var folding = self
    // Folds each part once: nested SUBQUERYs would otherwise double the work at each level.
    let parts = expression.mapParts(
      predicate: { part, binding in
        binding == nil ? part.replacing { folding.folded($0) } : folding.folded(part)
      }, expression: { part, _ in folding.folded(part) })
    return foldedNode(parts)
  }

  /// Folds a node after its parts.
  private func foldedNode(_ tree: ExpressionTree) -> ExpressionTree {
    // Without a base, a path begins at SELF.
    if case .keyPath(let path) = tree.kind, case .evaluatedObject? = path.base?.kind,
      path.components.first?.kind == .key
    {
      return ExpressionTree(.keyPath(KeyPathTree(path.components)), span: tree.span)
    }
    switch tree.kind {
    case .function, .message, .index, .ternary, .keyPath: break
    case .constant, .evaluatedObject, .variable, .aggregate, .indexAfterDot, .subquery, .mapped,
      .setOperation, .assignment, .anyKey, .objectOrQuotient, .predicate, .fetch:
      return tree
    }
    guard tree.isComputable, let value = try? tree.evaluate(on: .null, in: context),
      value.isItselfAsLiteral
    else { return tree }
    var constant = tree.numberLiteral ?? Constant(value)
    if constant.digits != nil, !constant.isExactBesideDecimals { return tree }
    constant.isComputed = true
    return ExpressionTree(.constant(constant), span: tree.span)
  }
}

extension Value {
  /// Whether the value can replace an expression as a literal.
  ///
  /// Texts of a double such as 0.1 + 0.2 have other digits than its exact value.
  fileprivate var isItselfAsLiteral: Bool {
    switch self {
    case .double(let number):
      // Such a number has at most 15 digits, so its shortest digits are exact.
      number.magnitude < 0x1p16 && (number * 0x1p10).rounded() == number * 0x1p10
    case .null, .boolean, .integer, .decimal, .string, .date, .uuid, .uri, .binary: true
    case .list, .set: elements?.allSatisfy(\.isItselfInList) ?? false
    case .dictionary, .object: false
    }
  }

  private var isItselfInList: Bool { if case .object = self { true } else { isItselfAsLiteral } }
}

extension ExpressionTree {
  /// Whether the expression contains nothing to compute.
  var isPlain: Bool {
    switch kind {
    case .constant, .evaluatedObject, .variable: true
    case .keyPath(let path): path.base == nil
    case .aggregate(let parts): descending { parts.allSatisfy(\.isPlain) }
    case .function, .message, .index, .indexAfterDot, .subquery, .mapped, .ternary, .setOperation,
      .assignment, .anyKey, .objectOrQuotient, .predicate, .fetch:
      false
    }
  }

  /// Whether its folded parts are all that it needs, and none is random.
  var isComputable: Bool {
    switch kind {
    case .function(let call):
      !call.depends(on: .chance) && call.arguments.allSatisfy(\.isFixed)
    case .message(let target, let selector, let arguments):
      !FunctionCall(selector, []).depends(on: .chance) && target.isFixed
        && arguments.allSatisfy(\.isFixed)
    case .index(let collection, let place): collection.isFixed && place.isFixed
    // The values of the objects of a fetch
    case .keyPath(let path):
      path.base?.isFixed == true && path.components.allSatisfy { $0.kind != .variable }
    case .ternary(let condition, let yes, let no):
      condition.isConstant && yes.isFixed && no.isFixed
    default: false
    }
  }

  /// Returns whether the folded tree reads differently.
  ///
  /// Dates and lists do not count: `now()` and a fetch read better than their value.
  func readsOtherwise(_ folded: ExpressionTree) -> Bool {
    if case .constant(let constant) = folded.kind {
      switch constant.value {
      case .date, .list: return false
      default: break
      }
    }
    return self != folded
  }
}

extension PredicateTree {
  /// Whether it is visibly constant.
  fileprivate var isConstant: Bool {
    switch kind {
    case .constant: true
    case .comparison(let comparison): comparison.left.isFixed && comparison.right.isFixed
    case .truth(let expression): expression.isFixed
    case .not(let inner): descending { inner.isConstant }
    case .and(let parts), .or(let parts): descending { parts.allSatisfy(\.isConstant) }
    }
  }
}
