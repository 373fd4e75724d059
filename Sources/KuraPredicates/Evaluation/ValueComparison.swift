import KuraDiagnostics
import KuraValues

/// An operator and its options, applied to two values.
struct ValueComparison {
  let operation: ComparisonOperator
  let options: TextOptions
  let context: EvaluationContext
  /// Whether the left side is a key path. A set is then an unordered relationship.
  let leftIsPath: Bool
  let rightIsPath: Bool
  /// Whether the left side was written as a literal or variable. A text is then read as the type of
  /// the other side.
  let leftIsWritten: Bool
  let rightIsWritten: Bool

  init(_ comparison: Comparison, _ context: EvaluationContext) {
    operation = comparison.operation
    options = TextOptions(rawValue: comparison.options.rawValue)
    self.context = context
    leftIsPath = comparison.left.isKeyPath
    rightIsPath = comparison.right.isKeyPath
    leftIsWritten = comparison.left.isWritten
    rightIsWritten = comparison.right.isWritten
  }

  func holds(_ left: Value, _ right: Value) throws(EvaluationError) -> Bool {
    guard leftIsWritten || rightIsWritten, readsTexts(left, right) else {
      return try compare(left, right)
    }
    let a = leftIsWritten ? left.read(comparedWith: right, context) : left
    let b = rightIsWritten ? right.read(comparedWith: left, context) : right
    return try compare(a, b)
  }

  /// Whether the operator tests equality or order, and not a part of a text.
  private func readsTexts(_ a: Value, _ b: Value) -> Bool {
    switch operation.family {
    case .equality, .order, .range: true
    case .membership, .content: a.elements != nil || b.elements != nil
    case .part, .pattern, .unknown: false
    }
  }

  private func compare(_ a: Value, _ b: Value) throws(EvaluationError) -> Bool {
    switch operation {
    case .equal: areEqual(a, b)
    case .notEqual: !areEqual(a, b)
    case .less: try order(a, b, ifNull: false) { $0 == .before }
    case .lessOrEqual: try order(a, b, ifNull: true) { $0 != .after }
    case .greater: try order(a, b, ifNull: false) { $0 == .after }
    case .greaterOrEqual: try order(a, b, ifNull: true) { $0 != .before }
    case .between: try isBetween(a, b)
    case .beginsWith: try search(a, b) { $0.begins($1) }
    case .endsWith: try search(a, b) { $0.ends($1) }
    case .contains: try isContained(b, in: a)
    case .in: try isContained(a, in: b)
    case .like: try texts(a, b).map { LikePattern($1, options).matches($0) } ?? false
    case .matches: try matches(a, b)
    case .selector(let name): throw .unknownSelector(name)
    case .unsupported(let word): throw .unsupported(word)
    }
  }
}

extension ValueComparison {
  func needle(_ text: String) -> TextNeedle {
    TextNeedle(text, options, locale: context.locale)
  }

  /// Options only affect strings.
  private func areEqual(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.string(let x), .string(let y)) where !options.isEmpty: needle(y).equals(x)
    case (.set(let x), .list(let y)) where leftIsPath: x == ValueSet(y)
    case (.list(let x), .set(let y)) where rightIsPath: ValueSet(x) == y
    default: a == b
    }
  }

  private func order(
    _ a: Value, _ b: Value, ifNull bothNull: Bool, _ test: (ValueOrder) -> Bool
  ) throws(EvaluationError) -> Bool {
    if a.isNull || b.isNull { return bothNull && a.isNull && b.isNull }
    if case .string(let x) = a, case .string(let y) = b, !options.isEmpty {
      return test(needle(y).order(of: x))
    }
    do {
      return test(try Value.order(a, b))
    } catch {
      if context.lenientOrdering, context.otherKinds == nil { return false }
      throw .unordered(a.kind, b.kind)
    }
  }

  /// Both bounds are included; they are not swapped.
  private func isBetween(_ a: Value, _ b: Value) throws(EvaluationError) -> Bool {
    if b.isNull { return false }
    guard case .list(let bounds) = b, bounds.count == 2 else {
      throw .notTwoBounds(b.elements?.count)
    }
    guard !a.isNull, !bounds[0].isNull, !bounds[1].isNull else { return false }
    guard try order(a, bounds[0], ifNull: false, { $0 != .before }) else { return false }
    return try order(a, bounds[1], ifNull: false) { $0 != .after }
  }

  private func isContained(
    _ element: Value, in container: Value
  ) throws(EvaluationError) -> Bool {
    if element.isNull || container.isNull { return false }
    if let elements = container.elements { return try isAny(of: elements, element) }
    guard case .string = container else { throw .noContainer(operation.family, container.kind) }
    return try search(container, element) { $0.isContained(in: $1) }
  }

  private func isAny(of elements: [Value], _ wanted: Value) throws(EvaluationError) -> Bool {
    for element in elements {
      try context.checkCancel()
      if areEqual(element, wanted) { return true }
    }
    return false
  }

  private func search(
    _ a: Value, _ b: Value, _ test: (TextNeedle, String) -> Bool
  ) throws(EvaluationError) -> Bool {
    try texts(a, b).map { test(needle($1), $0) } ?? false
  }

  private func matches(_ a: Value, _ b: Value) throws(EvaluationError) -> Bool {
    guard let (text, pattern) = try texts(a, b) else { return false }
    do {
      return try RegularExpression.cached(pattern, options).matches(text, cancel: context.cancel)
    } catch {
      throw EvaluationError(error)
    }
  }

  /// Returns both sides as strings; nil if one is nil.
  private func texts(
    _ a: Value, _ b: Value
  ) throws(EvaluationError) -> (String, String)? {
    switch (a, b) {
    case (.string(let x), .string(let y)): (x, y)
    case (.uri(let x), .string(let y)): (x, y)
    case (.null, _), (_, .null): nil
    case (.string, _), (.uri, _): throw .notText(operation.text, b.kind)
    default: throw .notText(operation.text, a.kind)
    }
  }
}

extension ExpressionTree {
  fileprivate var isKeyPath: Bool { if case .keyPath = kind { true } else { false } }

  /// Whether the value is a literal or a variable.
  fileprivate var isWritten: Bool {
    switch kind {
    case .constant(let constant): !constant.isComputed
    case .variable: true
    case .aggregate(let parts): parts.contains { part in part.descending { part.isWritten } }
    default: false
    }
  }
}

extension Value {
  /// Converts a written text to the kind of the other value: `"1935-06-11"` and `"today"` become
  /// dates if the other value is a date. The same applies to UUIDs, URIs and base64. A text that
  /// cannot be converted stays a text.
  ///
  /// Each text of a list is converted, for IN and BETWEEN. If the other value is a list, the kind
  /// of its elements counts.
  fileprivate func read(comparedWith other: Value, _ context: EvaluationContext) -> Value {
    switch self {
    case .string(let text):
      Value.reading(text, other.elementKind, context)?.exact(comparedWith: other) ?? self
    case .list(let values) where other.elementKind.hasLiteral:
      .list(values.map { $0.read(comparedWith: other, context) })
    default: self
    }
  }

  /// Returns the other date if it is equal in microseconds, the precision of a text.
  private func exact(comparedWith other: Value) -> Value {
    guard case .date(let read) = self else { return self }
    let meant = (other.elements ?? [other]).first {
      if case .date(let date) = $0 { date.inWholeMicroseconds == read } else { false }
    }
    return meant ?? self
  }

  private static func reading(
    _ text: String, _ kind: Kind, _ context: EvaluationContext
  ) -> Value? {
    if kind == .date {
      let now = context.readsClock ? .now : context.now
      return (try? Timestamp(written: text, in: context.zone, now: now)).map(Value.date)
    }
    return kind.hasLiteral ? Value(literal: text, kind) : nil
  }

  private var elementKind: Kind {
    arrayValue.map { $0.first { !$0.isNull }?.kind ?? .null } ?? kind
  }
}

extension Value.Kind {
  /// Whether texts are converted to this kind of value.
  fileprivate var hasLiteral: Bool {
    switch self {
    case .date, .uuid, .uri, .binary: true
    default: false
    }
  }
}
