import Foundation
import KuraDiagnostics
import KuraValues

/// A comparison with a known right side, to apply to the value of the left side.
typealias PreparedCheck = @Sendable (Value) throws(Diagnostic) -> Bool

/// A prepared operator with the value of its right side.
///
/// Each fast path handles one kind of value; `ValueComparison` handles all others.
struct PreparedComparison {
  typealias Check = @Sendable (Value) throws(EvaluationError) -> Bool

  private let comparison: Comparison
  private let right: Value
  private let general: ValueComparison

  init(_ comparison: Comparison, _ right: Value, _ context: EvaluationContext) {
    self.comparison = comparison
    self.right = right
    general = ValueComparison(comparison, context)
  }
}

extension PreparedComparison {
  /// Returns the check, with errors at a span.
  func check(at span: SourceSpan) -> PreparedCheck {
    let plain = check(right)
    if let quick = integers(at: span, plain) { return quick }
    let exact = exact
    return { left throws(Diagnostic) in
      do throws(EvaluationError) {
        if let exact, let answer = try exact(left) { return answer }
        return try plain(left)
      } catch {
        throw Diagnostic(error, at: span)
      }
    }
  }

  /// Returns a direct check of integers, the most common numbers in predicates.
  private func integers(at span: SourceSpan, _ others: @escaping Check) -> PreparedCheck? {
    guard case .integer(let number) = right, comparison.left.exactDecimal == nil,
      let test = test(number)
    else { return nil }
    return { left throws(Diagnostic) in
      if case .integer(let x) = left { return test(x) }
      do throws(EvaluationError) { return try others(left) } catch {
        throw Diagnostic(error, at: span)
      }
    }
  }

  private func test(_ number: Int64) -> (@Sendable (Int64) -> Bool)? {
    switch comparison.operation {
    case .equal: { $0 == number }
    case .notEqual: { $0 != number }
    case .less: { $0 < number }
    case .lessOrEqual: { $0 <= number }
    case .greater: { $0 > number }
    case .greaterOrEqual: { $0 >= number }
    default: nil
    }
  }

  /// A check with the digits of a number literal if the other side is a decimal.
  private var exact: (@Sendable (Value) throws(EvaluationError) -> Bool?)? {
    if let decimal = comparison.right.exactDecimal, case .double = right {
      let check = check(.decimal(decimal))
      return { left throws(EvaluationError) in
        if case .decimal = left { try check(left) } else { nil }
      }
    }
    guard let decimal = comparison.left.exactDecimal, case .decimal = right else { return nil }
    let check = check(right)
    return { _ throws(EvaluationError) in try check(.decimal(decimal)) }
  }

  private func check(_ right: Value) -> Check {
    let general: Check = { [general] left throws(EvaluationError) in
      try general.holds(left, right)
    }
    switch comparison.operation {
    case .equal, .notEqual:
      return equality(right, isEqual: comparison.operation == .equal, general)
    case .less: return order(right, general) { $0 == .before }
    case .lessOrEqual: return order(right, general) { $0 != .after }
    case .greater: return order(right, general) { $0 == .after }
    case .greaterOrEqual: return order(right, general) { $0 != .before }
    case .contains:
      return search(right, general) { $0.isContained(in: $1) }
    case .beginsWith: return search(right, general) { $0.begins($1) }
    case .endsWith: return search(right, general) { $0.ends($1) }
    case .like: return like(right, general)
    case .matches: return matches(right, general)
    case .between: return between(right) ?? general
    case .in: return membership(right) ?? general
    case .selector, .unsupported: return general
    }
  }
}

extension PreparedComparison {
  private func needle(_ text: String) -> TextNeedle { general.needle(text) }

  private func equality(
    _ right: Value, isEqual: Bool, _ general: @escaping Check
  ) -> Check {
    guard case .string(let text) = right else { return general }
    let needle = needle(text)
    return { left throws(EvaluationError) in
      if case .string(let x) = left { needle.equals(x) == isEqual } else { try general(left) }
    }
  }

  private func order(
    _ right: Value, _ general: @escaping Check, _ test: @escaping @Sendable (ValueOrder) -> Bool
  ) -> Check {
    switch right {
    case .integer(let number):
      return { left throws(EvaluationError) in
        if case .integer(let x) = left { test(ValueOrder(x, number)) } else { try general(left) }
      }
    case .date(let moment):
      return { left throws(EvaluationError) in
        if case .date(let x) = left { test(ValueOrder(x, moment)) } else { try general(left) }
      }
    case .string(let text):
      let needle = needle(text)
      return { left throws(EvaluationError) in
        if case .string(let x) = left { test(needle.order(of: x)) } else { try general(left) }
      }
    case .null, .boolean, .double, .decimal, .uuid, .uri, .binary, .list, .set, .dictionary,
      .object:
      return general
    }
  }

  private func search(
    _ right: Value, _ general: @escaping Check,
    _ test: @escaping @Sendable (TextNeedle, String) -> Bool
  ) -> Check {
    guard case .string(let text) = right else { return general }
    let needle = needle(text)
    return { left throws(EvaluationError) in
      if case .string(let x) = left { test(needle, x) } else { try general(left) }
    }
  }

  private func like(_ right: Value, _ general: @escaping Check) -> Check {
    guard case .string(let text) = right else { return general }
    let pattern = LikePattern(text, self.general.options)
    return { left throws(EvaluationError) in
      if case .string(let x) = left { pattern.matches(x) } else { try general(left) }
    }
  }

  /// Returns a check for MATCHES. A bad pattern is an error only if the left side is a string.
  private func matches(_ right: Value, _ general: @escaping Check) -> Check {
    guard case .string(let text) = right,
      let pattern = try? RegularExpression(text, self.general.options)
    else { return general }
    let cancel = self.general.context.cancel
    return { left throws(EvaluationError) in
      guard case .string(let x) = left else { return try general(left) }
      return try evaluating { () throws(ValueError) in try pattern.matches(x, cancel: cancel) }
    }
  }
}

extension PreparedComparison {
  /// Returns a check of both bounds as separate comparisons; nil if the evaluator must report an
  /// error.
  private func between(_ right: Value) -> Check? {
    guard case .list(let bounds) = right, bounds.count == 2, !bounds[0].isNull, !bounds[1].isNull
    else { return nil }
    let (from, to) = (single(.greaterOrEqual, bounds[0]), single(.lessOrEqual, bounds[1]))
    return { left throws(EvaluationError) in
      guard try from(left) else { return false }
      return try to(left)
    }
  }

  private func single(_ operation: ComparisonOperator, _ bound: Value) -> Check {
    var single = comparison
    single.operation = operation
    return PreparedComparison(single, bound, general.context).check(bound)
  }

  /// Returns a hash lookup for `x IN {…}`, for lists of more than three plain values.
  private func membership(_ right: Value) -> Check? {
    guard general.options.isEmpty, case .list(let elements) = right, elements.count > 3,
      elements.allSatisfy(\.isPlain)
    else { return nil }
    let set = Set(elements)
    let general = general
    return { left throws(EvaluationError) in
      switch left {
      case .null: return false
      case .boolean, .integer, .string: return set.contains(left)
      case .double(let x) where !x.isNaN: return set.contains(left)
      default: return try general.holds(left, right)
      }
    }
  }
}

extension ExpressionTree {
  /// The decimal with the digits of a literal that has a fraction.
  fileprivate var exactDecimal: Decimal? {
    guard case .constant(let constant) = kind, case .double = constant.value,
      case .decimal(let decimal) = constant.besideDecimals
    else { return nil }
    return decimal
  }
}

extension Value {
  /// Whether hashing agrees with `==`. It does not for NaN.
  fileprivate var isPlain: Bool {
    switch self {
    case .null, .boolean, .integer, .string, .date, .uuid: true
    case .double(let x): !x.isNaN
    case .decimal, .uri, .binary, .list, .set, .dictionary, .object: false
    }
  }
}
