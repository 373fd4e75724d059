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
    if comparison.operation != .contains {
      left.tree = try meaning(
        Side(first.tree, comparison.left), against: Side(second, comparison.right), comparison)
    }
    if comparison.operation != .in || second.tree.isList {
      right.tree = try meaning(
        Side(second.tree, comparison.right), against: Side(first, comparison.left), comparison)
    }
  }

  /// One side: as it is bound, as it was written, and what is known of it.
  private struct Side {
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
      var read: [ExpressionTree] = []
      for (part, text) in zip(parts, written) {
        read.append(try meaning(Side(part, text), against: other, comparison))
      }
      return side.tree.with(.aggregate(read))
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

// Objects
extension Binder {
  /// `"Author/1"` as the object, wherever it comes from.
  private func object(
    _ side: Side, _ constant: Constant, _ entity: String, _ other: Side
  ) throws(Diagnostic) -> ExpressionTree {
    switch constant.value {
    case .string(let text):
      guard let id = objectID(text, near: entity) else { break }
      return side.tree.with(.constant(Constant(object(id))))
    case .integer, .double, .decimal:
      if case .objectID = other.type.element { return side.tree }
    case .object(let object):
      guard let other = object.id?.entity, !model.isRelated(other, entity) else { return side.tree }
    case .null, .list, .set, .dictionary: return side.tree
    case .boolean, .date, .uuid, .uri, .binary: break
    }
    throw noObject(side, entity, other)
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

  private func noObject(_ side: Side, _ entity: String, _ other: Side) -> Diagnostic {
    let path = other.written
    let key = model.allAttributes(of: entity).first { $0.type == .string }?.name
    let isSelf = path.kind == .evaluatedObject
    var keyPath: String?
    // Another object is no value to compare a key with.
    let isObject = side.tree.literal.map { if case .object = $0 { true } else { false } } ?? false
    if case .object = other.type, let key, !isObject {
      keyPath = isSelf ? key : "\(path.expressionFormat).\(key)"
    }
    return Diagnostic(
      MeaningFacts.noObject(
        path: path.expressionFormat, entity: entity, found: side.tree.expressionFormat,
        key: keyPath), at: side.tree.span)
  }
}

extension Model {
  /// Whether an object of one entity may be of the other.
  fileprivate func isRelated(_ a: String, _ b: String) -> Bool {
    entity(a, isKindOf: b) || entity(b, isKindOf: a)
  }
}

// Numbers and dates
extension Binder {
  /// `1950-01-01` is 1948, and no date.
  private func checkArithmetic(_ side: Side, against other: Side) throws(Diagnostic) {
    guard case .function = side.tree.kind, side.tree.isComputedFromNumbers,
      let type = other.type.literalType, !type.isNumeric, type != .boolean, type != .json
    else { return }
    let text = environment.source?.text(side.tree.span) ?? side.tree.expressionFormat
    let date = BindText.date(text)
    throw Diagnostic(
      MeaningFacts.arithmetic(
        path: other.written.expressionFormat, type: type, found: text, date: date),
      at: side.tree.span, fixIt: date.map { FixIt(side.tree.span, "\"\($0)\"") })
  }

  /// A boolean is 0 or 1.
  private func checkBoolean(
    _ side: Side, _ constant: Constant, _ other: Side, _ comparison: Comparison
  ) throws(Diagnostic) {
    guard other.type.literalType == .boolean, comparison.operation.asksForEquality,
      let number = constant.value.approximateNumber, number != 0, number != 1
    else { return }
    throw Diagnostic(
      BindFacts.literalMismatch(
        key: other.written.expressionFormat, type: .boolean,
        found: side.tree.expressionFormat), at: side.tree.span)
  }

  /// A variable's string where a number or a boolean stands on the other side; a string that was
  /// written there is a mistake.
  private func number(
    _ side: Side, _ constant: Constant, _ other: Side
  ) throws(Diagnostic) -> ExpressionTree {
    guard case .string(let text) = constant.value else { return side.tree }
    let isNumeric = other.type.literalType?.isNumeric ?? other.type.isComputedNumber
    guard case .variable(let name) = side.written.kind else {
      guard other.type.isComputedNumber else { return side.tree }
      throw Diagnostic(
        MeaningFacts.textAgainstNumber(path: other.written.expressionFormat, text: text),
        at: side.tree.span)
    }
    if other.type.literalType == .boolean,
      let value = try? AttributeType.boolean.value(ofText: text, in: environment.rules)
    {
      return side.tree.with(.constant(Constant(value)))
    }
    guard isNumeric else { return side.tree }
    guard let number = NumberText.number(text) else {
      throw Diagnostic(MeaningFacts.notANumber(variable: name, text: text), at: side.tree.span)
    }
    return side.tree.with(.constant(Constant(number, digits: text)))
  }
}

// Functions over lists, objects that are not there
extension Binder {
  /// `MAX(rating)` of one object is its rating: what was meant is of all objects.
  func checkAggregate(
    _ call: FunctionCall, _ types: [BoundType], _ expression: ExpressionTree
  ) throws(Diagnostic) {
    guard let entity, Binder.aggregates.contains(call.selector), types.count == 1,
      let type = types.first, type.isOneValue
    else { return }
    throw Diagnostic(
      MeaningFacts.aggregateOfOne(
        name: String(call.selector.dropLast()), argument: call.arguments[0].expressionFormat,
        entity: entity), at: expression.span)
  }

  private static let aggregates: Set<String> = [
    "sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:",
  ]

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

  fileprivate var asksForEquality: Bool {
    switch self {
    case .equal, .notEqual, .in: true
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .contains, .beginsWith,
      .endsWith, .like, .matches, .selector, .unsupported:
      false
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

  /// `year(date)`, `items.@count`
  fileprivate var isComputedNumber: Bool { if case .number = self { true } else { false } }

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
  fileprivate var isList: Bool { if case .aggregate = kind { true } else { false } }

  /// `1950 - 1 - 1`: arithmetic in which everything is a number that was written.
  fileprivate var isComputedFromNumbers: Bool {
    switch kind {
    case .constant(let constant): constant.value.approximateNumber != nil
    case .function(let call):
      ["add:to:", "from:subtract:", "multiply:by:", "divide:by:", "negate:"].contains(call.selector)
        && call.arguments.allSatisfy(\.isComputedFromNumbers)
    default: false
    }
  }
}

/// Texts that were typed, for messages.
private enum BindText {
  /// `1950-01-01` for `1950/1/1`; nil for what is not written like a date.
  static func date(_ text: String) -> String? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
    guard parts.count == 3, parts[0].count == 4, parts.allSatisfy({ $0.allSatisfy(\.isNumber) }),
      parts[1...].allSatisfy({ (1...2).contains($0.count) })
    else { return nil }
    let padded = parts.map { $0.count == 1 ? "0" + $0 : String($0) }
    return padded.joined(separator: "-")
  }
}
