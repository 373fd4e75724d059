import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

/// What a value would have to be read as, to be what the other side is.
///
/// A question that no object could ever answer with yes is a mistake, and not an empty result.
extension Binder {
  /// Reads `"Author/1"` as an object and `--arg n 3` as a number where such stand on the other
  /// side.
  ///
  /// Throws where a side can never be what the other one is.
  func readMeanings(
    _ left: inout BoundExpression, _ right: inout BoundExpression, _ comparison: Comparison
  ) throws(Diagnostic) {
    guard comparison.operation.comparesAlike else { return }
    let (first, second) = (left, right)
    if comparison.operation != .contains, first.tree.mayMean {
      left.tree = try meaning(
        Side(first.tree, comparison.left), against: Side(second, comparison.right), comparison)
    }
    if comparison.operation != .in || second.tree.isList, second.tree.mayMean {
      right.tree = try meaning(
        Side(second.tree, comparison.right), against: Side(first, comparison.left), comparison)
    }
  }

  /// One side: as it is bound, as it was written, and what is known of it.
  struct Side {
    var tree: ExpressionTree
    var written: ExpressionTree
    var type = BoundType.any

    init(_ tree: ExpressionTree, _ written: ExpressionTree) {
      self.tree = tree
      self.written = written
    }

    init(_ bound: BoundExpression, _ written: ExpressionTree) {
      self.init(bound.tree, written)
      type = bound.type
    }
  }

  private func meaning(
    _ side: Side, against other: Side, _ comparison: Comparison
  ) throws(Diagnostic) -> ExpressionTree {
    if case .aggregate(let parts) = side.tree.kind,
      case .aggregate(let written) = side.written.kind, parts.count == written.count
    {
      let sides = zip(parts, written).map { Side($0, $1) }
      return try side.tree.descending { () throws(Diagnostic) in
        side.tree.with(.aggregate(try meanings(sides, against: other, comparison)))
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

  private func meanings(
    _ sides: [Side], against other: Side, _ comparison: Comparison
  ) throws(Diagnostic) -> [ExpressionTree] {
    var read: [ExpressionTree] = []
    for side in sides { read.append(try meaning(side, against: other, comparison)) }
    return read
  }
}

// Functions over lists, objects that are not there
extension Binder {
  /// `MAX(rating)` of one object is its rating: what was meant is of all objects.
  func checkAggregate(
    _ call: FunctionCall, _ types: [BoundType], _ expression: ExpressionTree
  ) throws(Diagnostic) {
    guard let entity, let function = call.function, function.isAggregate, types.count == 1,
      let type = types.first, type.isOneValue, !call.arguments[0].isConstant
    else { return }
    throw Diagnostic(
      MeaningFacts.aggregateOfOne(
        name: function.names[0], argument: call.arguments[0].expressionFormat,
        entity: entity), at: expression.span)
  }

  /// `print MemoDate/99`, `MemoDate/99.title`: an object by its name must be there.
  func checkIsThere(_ tree: ExpressionTree) throws(Diagnostic) {
    guard case .constant(let constant) = tree.kind, case .object(let reference) = constant.value,
      reference.reader is MissingObject, let id = reference.id
    else { return }
    throw Diagnostic(MeaningFacts.missingObject(id), at: tree.span)
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

extension BoundType {
  /// The entity whose objects, or whose identities, the values are.
  fileprivate var objectEntity: String? {
    switch self {
    case .object(let entity), .objectID(let entity): entity
    case .collection(let element): element.objectEntity
    case .attribute, .entity, .literal, .number, .string, .date, .boolean, .any: nil
    }
  }

  /// Whether it is known to be no collection.
  fileprivate var isOneValue: Bool {
    switch self {
    case .attribute(let type): type != .json
    case .object, .objectID, .number, .string, .date, .boolean: true
    case .collection, .entity, .literal, .any: false
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

  fileprivate var isConstant: Bool { if case .constant = kind { true } else { false } }

  fileprivate var isList: Bool { if case .aggregate = kind { true } else { false } }
}
