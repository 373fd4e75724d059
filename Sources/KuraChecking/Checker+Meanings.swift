import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

/// What a value would have to be read as, to be what the other side is.
///
/// A question that no object could ever answer with yes is a mistake, and not an empty result.
extension Checker {
  /// Reads `"Author/1"` as an object and `--arg n 3` as a number where such stand on the other
  /// side.
  ///
  /// Throws where a side can never be what the other one is.
  func readMeanings(
    _ left: inout CheckedExpression, _ right: inout CheckedExpression, _ comparison: Comparison
  ) throws(Diagnostic) {
    guard comparison.operation.comparesAlike else { return }
    let (first, second) = (left, right)
    if comparison.operation != .contains, first.tree.mayMean {
      left.tree = try meaning(first, against: second, comparison)
    }
    if comparison.operation != .in || second.tree.isList, second.tree.mayMean {
      right.tree = try meaning(second, against: first, comparison)
    }
  }

  private func meaning(
    _ side: CheckedExpression, against other: CheckedExpression, _ comparison: Comparison
  ) throws(Diagnostic) -> ExpressionTree {
    if side.tree.isList {
      return try side.tree.descending { () throws(Diagnostic) in
        let parts = try side.parts.map { part throws(Diagnostic) in
          try meaning(part, against: other, comparison)
        }
        return side.tree.with(.aggregate(parts))
      }
    }
    try checkArithmetic(side, against: other)
    guard case .constant(let constant) = side.tree.kind, !constant.value.isNull else {
      return side.tree
    }
    if let entity = other.type.objectEntity { return try object(side, constant, entity, other) }
    try checkBoolean(side, constant, other, comparison)
    return try number(side, constant, other)
  }
}

extension ComparisonOperator {
  /// Whether a value of one side is held against values of the other side.
  fileprivate var comparesAlike: Bool {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in,
      .contains:
      true
    case .beginsWith, .endsWith, .like, .matches, .selector, .unsupported: false
    }
  }
}

extension CheckedType {
  /// The entity whose objects, or whose identities, the values are.
  fileprivate var objectEntity: String? {
    switch self {
    case .object(let entity), .objectID(let entity): entity
    case .collection(let element): element.objectEntity
    case .attribute, .entity, .literal, .number, .string, .date, .boolean, .any: nil
    }
  }
}

extension ExpressionTree {
  /// Whether it is of the kinds that are looked at: literals, and arithmetic.
  fileprivate var mayMean: Bool {
    switch kind {
    case .constant, .aggregate, .function: true
    case .evaluatedObject, .variable, .keyPath, .message, .index, .indexAfterDot, .subquery,
      .ternary, .setOperation, .assignment, .anyKey, .objectOrQuotient, .predicate, .fetch:
      false
    }
  }

  fileprivate var isList: Bool { if case .aggregate = kind { true } else { false } }
}
