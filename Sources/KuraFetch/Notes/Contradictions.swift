import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// A search for parts of a predicate that exclude or complete each other, regardless of the data.
struct Contradictions {
  private let shared: SharedEnvironment

  init(_ request: BoundRequest) {
    shared = request.shared
  }

  /// Returns the first contradiction. Quadratic in the comparisons of one expression; it compares at most 32.
  func first(in predicate: PredicateTree) -> Diagnostic? {
    predicate.descending { first(predicate, isNegated: false) }
  }

  private func first(_ tree: PredicateTree, isNegated: Bool) -> Diagnostic? {
    switch tree.kind {
    case .not(let inner): return inner.descending { first(inner, isNegated: !isNegated) }
    case .and(let parts): return first(parts, joinedByAnd: !isNegated, isNegated)
    case .or(let parts): return first(parts, joinedByAnd: isNegated, isNegated)
    case .comparison, .truth: return alone(tree, isNegated)
    case .constant: return nil
    }
  }

  private func first(
    _ parts: [PredicateTree], joinedByAnd isAnd: Bool, _ isNegated: Bool
  ) -> Diagnostic? {
    let evaluation = shared.environment.evaluation
    var claims: [ExpressionTree: [Claim]] = [:]
    for part in parts.flatMap({ $0.joined(byAnd: isAnd, isNegated) }) {
      if let found = part.descending({ first(part, isNegated: isNegated) }) { return found }
      guard let claim = Claim(part, isNegated: isNegated, in: evaluation) else { continue }
      let others = claims[claim.subject, default: []]
      let isWhole = isWhole(claim.subject)
      let other = others.first {
        isAnd ? $0.excludes(claim, isWhole: isWhole) : $0.completes(claim)
      }
      if let other, isOneValue(claim.subject) {
        return diagnostic(other, claim, isAnd, areAlone: parts.count == 2)
      }
      if others.count < 32 { claims[claim.subject] = others + [claim] }
    }
    return nil
  }

  /// Returns the note for `pages / 500 > 0.8`.
  private func quotient(_ tree: PredicateTree) -> Diagnostic? {
    guard case .comparison(let comparison) = tree.kind,
      case .function(let call) = comparison.left.kind, call.arguments.count == 2,
      call.builtIn == .divide, call.arguments.allSatisfy(isInteger),
      case .constant(let constant) = comparison.right.kind, constant.value.isFraction
    else { return nil }
    let divisor = call.arguments[1]
    var fix: FixIt?
    if case .constant = divisor.kind, divisor.span != .none {
      fix = FixIt(SourceSpan(divisor.span.end, divisor.span.end), ".0")
    }
    return Diagnostic(
      FetchNote.wholeQuotient(text(comparison.left)), at: comparison.left.span, fixIt: fix,
      severity: .note)
  }

  private func isInteger(_ expression: ExpressionTree) -> Bool {
    if case .constant(let constant) = expression.kind, case .integer = constant.value {
      return true
    }
    return isWhole(expression)
  }

  /// Returns the note about a single comparison that is never true.
  private func alone(_ tree: PredicateTree, _ isNegated: Bool) -> Diagnostic? {
    if let note = quotient(tree) { return note }
    guard let claim = Claim(tree, isNegated: isNegated, in: shared.environment.evaluation),
      !claim.isNegated, isOneValue(claim.subject)
    else { return nil }
    if let range = range(of: claim.subject), claim.isOutside(range) {
      let high = range.upperBound.isFinite ? Self.text(range.upperBound) : nil
      return Diagnostic(
        FetchNote.outOfRange(
          text(claim.subject), low: Self.text(range.lowerBound), high: high,
          comparison: text(claim)),
        at: claim.span, fixIt: claim.countedFromZero(to: range.lowerBound), severity: .note)
    }
    guard claim.excludesItself(isWhole: isWhole(claim.subject)),
      case .comparison(let comparison) = tree.kind
    else { return nil }
    let bounds = comparison.right.bounds
    return Diagnostic(
      FetchNote.reversedBounds(text(claim)), at: claim.span,
      fixIt: bounds.map { low, high in
        FixIt(edits: [TextEdit(low.span, text(high)), TextEdit(high.span, text(low))])
      }, severity: .note)
  }

  private func diagnostic(
    _ one: Claim, _ other: Claim, _ isAnd: Bool, areAlone: Bool
  ) -> Diagnostic {
    let (first, second) = (text(one), text(other))
    let joint = areAlone ? joint(one, other) : nil
    return Diagnostic(
      isAnd ? FetchNote.neverBoth(first, second) : .alwaysOne(first, second),
      at: one.span.joined(other.span), fixIt: joint,
      severity: .note)
  }

  /// Returns OR for the AND, or AND for the OR, between two comparisons, if nothing else is between them.
  private func joint(_ one: Claim, _ other: Claim) -> FixIt? {
    guard let source = shared.environment.source, one.span.end < other.span.start else {
      return nil
    }
    let between = source.text(SourceSpan(one.span.end, other.span.start))
    let word = between.drop(while: \.isWhitespace)
    let start = other.span.start - word.utf8.count
    let name = word.prefix { !$0.isWhitespace }
    guard ["AND", "OR", "&&", "||"].contains(name.uppercased()),
      word.dropFirst(name.count).allSatisfy(\.isWhitespace)
    else { return nil }
    let isAnd = ["AND", "&&"].contains(name.uppercased())
    return FixIt(SourceSpan(start, start + name.utf8.count), isAnd ? "OR" : "AND")
  }

  private func text(_ claim: Claim) -> String {
    let source = shared.environment.source
    let text = source.map { $0.text(claim.span) } ?? claim.tree.predicateFormat
    return (claim.isUnderNot ? "NOT " : "") + text
  }

  private func text(_ expression: ExpressionTree) -> String {
    guard let source = shared.environment.source, expression.span != .none else {
      return expression.expressionFormat
    }
    return source.text(expression.span)
  }

  private static func text(_ bound: Double) -> String { String(Int64(bound)) }
}

// Facts about an expression
extension Contradictions {
  /// Returns whether it is a single value of a known type for each object, equal at each evaluation.
  private func isOneValue(_ subject: ExpressionTree) -> Bool {
    guard !subject.dependsOnChance else { return false }
    switch subject.type {
    case .attribute(.json), .any, .literal, .collection: return false
    default: return true
    }
  }

  private func isWhole(_ subject: ExpressionTree) -> Bool {
    switch subject.type {
    case .attribute(.integer), .attribute(.integer16), .attribute(.integer32): true
    default: false
    }
  }

  /// Returns the possible numbers of an expression, if known.
  private func range(of subject: ExpressionTree) -> ClosedRange<Double>? {
    switch subject.kind {
    case .function(let call):
      if shared.environment.calendar != nil { return nil }
      return call.function?.range
    case .keyPath(let path)
    where path.components.last?.name == "count" && path.components.last?.kind == .collectionOperator:
      return 0 ... .infinity
    default: break
    }
    switch subject.type {
    case .attribute(.integer16): return Double(Int16.min)...Double(Int16.max)
    case .attribute(.integer32): return Double(Int32.min)...Double(Int32.max)
    case .attribute(.boolean), .boolean: return 0...1
    default: return nil
    }
  }
}

extension Value {
  /// Whether it is a number with a fraction.
  fileprivate var isFraction: Bool {
    switch self {
    case .double(let number): number.isFinite && number != number.rounded()
    case .decimal(let number): number.rounded(to: .towardZero) != number
    default: false
    }
  }
}

extension PredicateTree {
  /// Returns the parts of nested ANDs, or of nested ORs.
  fileprivate func joined(byAnd isAnd: Bool, _ isNegated: Bool) -> [PredicateTree] {
    switch kind {
    case .and(let parts) where isAnd != isNegated, .or(let parts) where isAnd == isNegated:
      descending { parts.flatMap { $0.joined(byAnd: isAnd, isNegated) } }
    default: [self]
    }
  }
}

extension ExpressionTree {
  /// The two ends of a BETWEEN, as written.
  fileprivate var bounds: (low: ExpressionTree, high: ExpressionTree)? {
    guard case .aggregate(let parts) = kind, parts.count == 2,
      parts.allSatisfy({ $0.span != .none })
    else { return nil }
    return (parts[0], parts[1])
  }
}
