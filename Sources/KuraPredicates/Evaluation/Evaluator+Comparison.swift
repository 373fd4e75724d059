import KuraDiagnostics
import KuraValues

extension Evaluator {
  /// `a == b`, `ANY a.b == c`, `ALL a.b == c`
  func holds(_ comparison: Comparison, _ span: SourceSpan) throws(Diagnostic) -> Bool {
    let left = try value(of: comparison.left)
    let right = try value(of: comparison.right)
    return try holds(comparison, of: left, right, span)
  }

  /// The comparison of values that have been computed.
  func holds(
    _ comparison: Comparison, of left: Value, _ right: Value, _ span: SourceSpan
  ) throws(Diagnostic) -> Bool {
    switch comparison.modifier {
    case .direct: return try holds(comparison, left, right, span)
    case .any:
      for element in try elements(left, comparison)
      where try holds(comparison, element, right, span) { return true }
      return false
    case .all:
      for element in try elements(left, comparison)
      where try !holds(comparison, element, right, span) { return false }
      return true
    }
  }

  /// The left side of ANY and ALL; nil has no elements.
  func elements(
    _ value: Value, _ comparison: Comparison
  ) throws(Diagnostic) -> [Value] {
    if value.isNull { return [] }
    guard let elements = value.elements else {
      let word = comparison.modifier == .any ? "ANY" : "ALL"
      throw Diagnostic(
        EvaluationFacts.notACollection(word, value.kind), at: comparison.left.span)
    }
    return elements
  }

  private func holds(
    _ comparison: Comparison, _ left: Value, _ right: Value, _ span: SourceSpan
  ) throws(Diagnostic) -> Bool {
    try checkCancel(span)
    let a = exact(left, comparison.left, beside: right)
    let b = exact(right, comparison.right, beside: left)
    do {
      return try ValueComparison(comparison, context).holds(a, b)
    } catch {
      throw Diagnostic(error, at: span)
    }
  }

  /// A number literal beside a decimal counts by the digits it was typed with.
  func exact(_ value: Value, _ expression: ExpressionTree, beside other: Value) -> Value {
    switch (value, other) {
    case (.double(let double), .decimal):
      guard case .constant(let constant) = expression.kind else { return value }
      let decimal = NumberText.decimal(constant.digits ?? NumberText.text(double))
      return decimal.map(Value.decimal) ?? value
    default: return value
    }
  }
}

/// An operator with its options, asked of two values.
struct ValueComparison {
  let operation: ComparisonOperator
  let options: TextOptions
  let context: EvaluationContext
  /// Whether a set came from a key path on this side: then it is an unordered relationship.
  let leftIsPath: Bool
  let rightIsPath: Bool

  init(_ comparison: Comparison, _ context: EvaluationContext) {
    operation = comparison.operation
    options = TextOptions(rawValue: comparison.options.rawValue)
    self.context = context
    leftIsPath = comparison.left.isKeyPath
    rightIsPath = comparison.right.isKeyPath
  }

  func holds(_ a: Value, _ b: Value) throws(EvaluationFacts) -> Bool {
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

  /// Options say something about strings alone.
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
  ) throws(EvaluationFacts) -> Bool {
    if a.isNull || b.isNull { return bothNull && a.isNull && b.isNull }
    if case .string(let x) = a, case .string(let y) = b, !options.isEmpty {
      return test(needle(y).order(of: x))
    }
    do {
      return test(try Value.order(a, b))
    } catch {
      if context.lenientOrdering { return false }
      throw .unordered(a.kind, b.kind)
    }
  }

  /// Both ends belong to it; the bounds are not swapped.
  private func isBetween(_ a: Value, _ b: Value) throws(EvaluationFacts) -> Bool {
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
  ) throws(EvaluationFacts) -> Bool {
    if element.isNull || container.isNull { return false }
    if let elements = container.elements { return try isAny(of: elements, element) }
    guard case .string = container else { throw .noContainer(container.kind) }
    return try search(container, element) { $0.isContained(in: $1) }
  }

  private func isAny(of elements: [Value], _ wanted: Value) throws(EvaluationFacts) -> Bool {
    for element in elements {
      try context.checkCancel()
      if areEqual(element, wanted) { return true }
    }
    return false
  }

  private func search(
    _ a: Value, _ b: Value, _ test: (TextNeedle, String) -> Bool
  ) throws(EvaluationFacts) -> Bool {
    try texts(a, b).map { test(needle($1), $0) } ?? false
  }

  private func matches(_ a: Value, _ b: Value) throws(EvaluationFacts) -> Bool {
    guard let (text, pattern) = try texts(a, b) else { return false }
    do {
      return try RegularExpression.cached(pattern, options).matches(text, cancel: context.cancel)
    } catch {
      throw EvaluationFacts(error)
    }
  }

  /// Both sides as strings; nil if one is nil.
  private func texts(
    _ a: Value, _ b: Value
  ) throws(EvaluationFacts) -> (String, String)? {
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
}
