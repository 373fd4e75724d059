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
    let isRead =
      comparison.operation != .in || second.tree.isList
      || second.tree.isGivenList && first.type.objectEntity != nil
    if isRead, second.tree.mayMean {
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

  /// A list or a set that came as an argument or a variable.
  fileprivate var isGivenList: Bool {
    if case .constant(let constant) = kind { constant.value.elements != nil } else { false }
  }
}

// Objects that stand for themselves, or that a text names.
extension Checker {
  /// `"Author/1"` as the object, wherever it comes from, and each of a list of such.
  func object(
    _ side: CheckedExpression, _ constant: Constant, _ entity: String, _ other: CheckedExpression
  ) throws(Diagnostic) -> ExpressionTree {
    func read(_ value: Value) throws(Diagnostic) -> Value {
      if let object = object(value, entity, other.type) { return object }
      var part = side
      part.tree = side.tree.with(.constant(Constant(value)))
      throw noObject(part, entity, other)
    }
    let meaning =
      switch constant.value {
      case .list(let elements): Value.list(try elements.map(read))
      case .set(let set): Value.set(ValueSet(try set.elements.map(read)))
      case .null, .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary,
        .dictionary, .object:
        try read(constant.value)
      }
    return meaning == constant.value ? side.tree : side.tree.with(.constant(Constant(meaning)))
  }

  /// What a value is where objects of an entity, or their identities, are asked for; nil if it can be
  /// none.
  private func object(_ value: Value, _ entity: String, _ type: CheckedType) -> Value? {
    switch value {
    case .string(let text): return objectID(text, near: entity).map(object)
    case .integer, .double, .decimal:
      if case .objectID = type.element { return value }
    case .object(let object):
      guard let other = object.id?.entity, !model.isRelated(other, entity) else { return value }
    case .null, .list, .set, .dictionary: return value
    case .boolean, .date, .uuid, .uri, .binary: break
    }
    return nil
  }

  /// The identity that a text writes, of an entity that may stand where `entity` does.
  private func objectID(_ text: String, near entity: String) -> ObjectID? {
    guard let slash = text.lastIndex(of: "/"), let number = Int64(text[slash...].dropFirst()),
      number > 0
    else { return nil }
    let name = String(text[..<slash])
    guard model.isRelated(name, entity) else { return nil }
    return ObjectID(entity: name, root: model.root(of: name), number: number)
  }

  private func noObject(_ side: CheckedExpression, _ entity: String, _ other: CheckedExpression)
    -> Diagnostic
  {
    let path = other.written
    let key = model.allAttributes(of: entity).first { $0.type == .string }?.name
    let isSelf = path.kind == .evaluatedObject
    var keyPath: String?
    // Another object is no value to compare a key with.
    if case .object = other.type, let key, !side.tree.isObject {
      keyPath = isSelf ? key : "\(path.expressionFormat).\(key)"
    }
    return Diagnostic(
      CheckFacts.noObject(
        path: path.expressionFormat, entity: entity, found: side.tree.expressionFormat,
        key: keyPath), at: side.tree.span)
  }
}

extension Model {
  /// Whether an object of one entity may be of the other.
  func isRelated(_ a: String, _ b: String) -> Bool {
    entity(a, isKindOf: b) || entity(b, isKindOf: a)
  }
}

extension ExpressionTree {
  /// `Author/1`, or a variable of an object
  fileprivate var isObject: Bool {
    guard case .constant(let constant) = kind, case .object = constant.value else { return false }
    return true
  }
}
