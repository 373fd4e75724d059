import KuraDiagnostics
import KuraPredicates
import KuraValues

/// A comparison of an expression with a value that is equal for every object.
struct Claim {
  /// `year` in `year < 1900` and in `1900 > year`.
  let subject: ExpressionTree
  /// The operator with the subject on the left.
  let operation: ComparisonOperator
  let options: ComparisonOptions
  let value: Value
  let isNegated: Bool
  /// The comparison as written, without NOT.
  let tree: PredicateTree
  /// Whether NOT precedes the source text at the span.
  let isUnderNot: Bool
  let span: SourceSpan
  private let evaluation: EvaluationContext

  /// Returns nil for a comparison of another form.
  init?(_ tree: PredicateTree, isNegated: Bool, in evaluation: EvaluationContext) {
    var (tree, isNegated) = (tree, isNegated)
    while case .not(let inner) = tree.kind { (tree, isNegated) = (inner, !isNegated) }
    let comparison: Comparison
    switch tree.kind {
    case .comparison(let written): comparison = written
    case .truth(let expression):
      comparison = Comparison(
        expression, .equal, ExpressionTree(.constant(Constant(.boolean(true)))))
    case .not, .and, .or, .constant: return nil
    }
    guard comparison.modifier == .direct,
      let (subject, operation, other) = comparison.subjectAndOther,
      let value = try? other.evaluate(on: .null, in: evaluation)
    else { return nil }
    let negated = isNegated ? operation.negated : nil
    (self.subject, self.operation, self.value) = (subject, negated ?? operation, value)
    self.isNegated = negated == nil && isNegated
    (isUnderNot, self.tree) = (isNegated, tree)
    options = comparison.options
    span = tree.span == .none ? comparison.left.span.joined(comparison.right.span) : tree.span
    self.evaluation = evaluation
  }

  private init(_ subject: ExpressionTree, _ bound: Bound, isLower: Bool, _ other: Claim) {
    self.subject = subject
    operation =
      isLower
      ? (bound.isStrict ? .greater : .greaterOrEqual) : (bound.isStrict ? .less : .lessOrEqual)
    (options, value, isNegated, isUnderNot) = ([], bound.value, false, false)
    (tree, span) = (other.tree, other.span)
    evaluation = other.evaluation
  }
}

/// An end of a range of values.
struct Bound {
  let value: Value
  /// Whether the end itself is excluded.
  let isStrict: Bool
}

extension Claim {
  /// Returns whether an object with this subject value satisfies the claim; nil if unknown.
  func holds(of value: Value) -> Bool? {
    compare(value, operation, options, self.value).map { $0 != isNegated }
  }

  /// The possible values of the subject; nil if they are not a list.
  var candidates: [Value]? {
    guard !isNegated else { return nil }
    switch operation {
    case .equal: return [value]
    case .in: return value.elements.map(Array.init)
    default: return nil
    }
  }

  /// Returns whether no value satisfies this claim and another one about the same subject.
  func excludes(_ other: Claim, isWhole: Bool) -> Bool {
    if excludesByCandidates(other) || other.excludesByCandidates(self) { return true }
    if isNegated, other.isNegated { return false }
    if let lower, let upper = other.upper, isEmpty(lower, upper, isWhole) { return true }
    if let upper, let lower = other.lower, isEmpty(lower, upper, isWhole) { return true }
    return false
  }

  /// Returns whether no value satisfies the claim: `year BETWEEN {1950, 1900}`.
  func excludesItself(isWhole: Bool) -> Bool {
    guard !isNegated, let lower, let upper else { return false }
    return isEmpty(lower, upper, isWhole)
  }

  /// Returns whether every value satisfies this claim or another one about the same subject.
  func completes(_ other: Claim) -> Bool {
    completesWhereUnequal(other) || other.completesWhereUnequal(self)
  }

  private func excludesByCandidates(_ other: Claim) -> Bool {
    guard options.isEmpty || options == other.options && other.operation.asksForEquality,
      let candidates, !candidates.isEmpty, candidates.count <= 64
    else { return false }
    return candidates.allSatisfy { other.holds(of: $0) == false }
  }

  /// Returns whether the other claim holds if this one fails: `author != "a"` is false only for "a".
  private func completesWhereUnequal(_ other: Claim) -> Bool {
    guard operation == .notEqual, !isNegated,
      options.isEmpty || options == other.options && other.operation.asksForEquality
    else { return false }
    return other.holds(of: value) == true
  }

  /// The least value; nil satisfies a negated claim too.
  private var lower: Bound? {
    guard options.isEmpty else { return nil }
    return switch bounding {
    case .greater: Bound(value: value, isStrict: true)
    case .greaterOrEqual: Bound(value: value, isStrict: false)
    case .between: value.elements?.first.map { Bound(value: $0, isStrict: false) }
    default: nil
    }
  }

  /// The greatest value; nil satisfies a negated claim too.
  private var upper: Bound? {
    guard options.isEmpty else { return nil }
    return switch bounding {
    case .less: Bound(value: value, isStrict: true)
    case .lessOrEqual: Bound(value: value, isStrict: false)
    case .between:
      value.elements.flatMap { Array($0).last }.map { Bound(value: $0, isStrict: false) }
    default: nil
    }
  }

  /// The operator with NOT applied, for values other than nil.
  private var bounding: ComparisonOperator? { isNegated ? operation.complement : operation }

  private func isEmpty(_ lower: Bound, _ upper: Bound, _ isWhole: Bool) -> Bool {
    guard lower.value.isComparable(with: upper.value) else { return false }
    if compare(lower.value, .greater, [], upper.value) == true { return true }
    if compare(lower.value, .equal, [], upper.value) == true {
      return lower.isStrict || upper.isStrict
    }
    guard isWhole, lower.isStrict, upper.isStrict, case .integer(let from) = lower.value,
      case .integer(let to) = upper.value
    else { return false }
    return to.subtractingReportingOverflow(from) == (1, false)
  }

  private func compare(
    _ left: Value, _ operation: ComparisonOperator, _ options: ComparisonOptions, _ right: Value
  ) -> Bool? {
    let comparison = Comparison(
      ExpressionTree(.constant(Constant(left))), operation, options: options,
      ExpressionTree(.constant(Constant(right))))
    return try? PredicateTree(.comparison(comparison)).evaluate(on: .null, in: evaluation)
  }

  /// Returns whether no number in a range satisfies the claim.
  func isOutside(_ range: ClosedRange<Double>) -> Bool {
    let least = Claim(
      subject, Bound(value: .double(range.lowerBound), isStrict: false), isLower: true, self)
    let most = Claim(
      subject, Bound(value: .double(range.upperBound), isStrict: false), isLower: false, self)
    guard candidates.map({ $0.allSatisfy(\.isNumber) }) ?? true else { return false }
    return excludes(least, isWhole: false) || excludes(most, isWhole: false)
  }
}

extension Claim {
  /// Returns a fix-it `month(added) == 1` for `month(added) == 0`: other languages count from 0.
  func countedFromZero(to least: Double) -> FixIt? {
    guard operation == .equal, least == 1, case .integer(0) = value,
      case .comparison(let comparison) = tree.kind
    else { return nil }
    let side = comparison.left == subject ? comparison.right : comparison.left
    return side.span == .none ? nil : FixIt(side.span, "1")
  }
}

extension Value {
  fileprivate var isNumber: Bool {
    switch self {
    case .boolean, .integer, .double, .decimal: true
    default: false
    }
  }

  fileprivate func isComparable(with other: Value) -> Bool {
    if isNumber, other.isNumber { return true }
    return switch (self, other) {
    case (.string, .string), (.date, .date): true
    default: false
    }
  }
}

extension Comparison {
  /// The two sides and the operator, if one side is equal for every object.
  fileprivate var subjectAndOther: (ExpressionTree, ComparisonOperator, ExpressionTree)? {
    if right.isSettled, !left.isSettled { return (left, operation, right) }
    guard left.isSettled, !right.isSettled else { return nil }
    return operation.mirrored.map { (right, $0, left) }
  }
}

extension ExpressionTree {
  /// Whether it is a value or a list of values.
  fileprivate var isSettled: Bool {
    switch kind {
    case .constant: true
    case .aggregate(let parts): parts.allSatisfy(\.isSettled)
    default: false
    }
  }
}
