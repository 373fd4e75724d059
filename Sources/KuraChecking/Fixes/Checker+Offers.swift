import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

// Fixes for what was found of two sides that do not fit.
extension Checker {
  /// The problem of a comparison with what may be written for the side at which it is.
  func offering(
    _ problem: Diagnostic, _ comparison: Comparison, _ left: CheckedExpression,
    _ right: CheckedExpression
  ) -> Diagnostic {
    guard let facts = problem.facts as? CheckFacts, let span = problem.span else { return problem }
    var problem = problem
    let isLeft = !comparison.left.parts(at: span).isEmpty
    let (side, other) = isLeft ? (comparison.left, right) : (comparison.right, left)
    problem.fixIts += offers(facts, side, span, comparison, other)
    return problem
  }

  private func offers(
    _ facts: CheckFacts, _ side: ExpressionTree, _ span: SourceSpan, _ comparison: Comparison,
    _ other: CheckedExpression
  ) -> [FixIt] {
    switch facts {
    case .literalMismatch where side.isBoolean && comparison.modifier == .direct:
      // Whether there is a date was asked, and not what it is.
      guard case .constant(let constant) = side.kind, case .boolean(let truth) = constant.value,
        comparison.operation == .equal || comparison.operation == .notEqual
      else { return [] }
      let isThere = truth == (comparison.operation == .equal)
      let whole = comparison.left.span.joined(comparison.right.span)
      return [FixIt(whole, "\(text(other.written)) \(isThere ? "!=" : "==") NULL")]
    case .unreadable, .literalMismatch, .textAgainstNumber:
      guard let text = side.parts(at: span).first.flatMap(literalText) else { return [] }
      return fixes(for: ComparedText(text, at: span, is: comparison, other))
    case .noObject: return objectOffers(side, span, comparison, other)
    case .operatorNeedsText(_, .date):
      guard let text = literalText(comparison.right) else { return [] }
      let left = CheckedExpression(tree: comparison.left, type: .date)
      return fixes(
        for: ComparedText(text.withoutWildcards, at: comparison.right.span, is: comparison, left))
    case .modifierNeedsCollection:
      return withoutModifier(before: comparison.left.span.start).map { [$0] } ?? []
    case .collectionNeedsModifier:
      let start = SourceSpan(comparison.left.span.start, comparison.left.span.start)
      return countOffer(comparison.right, comparison.left.span) + [FixIt(start, "ALL ")]
    default: return []
    }
  }

  /// `tags.name == "家族"`, `items.@count > 2`
  private func objectOffers(
    _ side: ExpressionTree, _ span: SourceSpan, _ comparison: Comparison,
    _ other: CheckedExpression
  ) -> [FixIt] {
    guard let part = side.parts(at: span).first, let text = literalText(part) else { return [] }
    if other.type.isCollection, part.isNumberLiteral {
      return countOffer(part, other.written.span)
    }
    return fixes(for: ComparedText(text, at: span, is: comparison, other)).map(withoutIdleEdits)
  }

  private func countOffer(_ number: ExpressionTree, _ path: SourceSpan) -> [FixIt] {
    number.isNumberLiteral && !number.isBoolean
      ? [FixIt(SourceSpan(path.end, path.end), ".@count")] : []
  }

  private func withoutIdleEdits(_ fix: FixIt) -> FixIt {
    FixIt(edits: fix.edits.filter { context.source?.text($0.span) != $0.replacement })
  }

  /// What a literal of the text says; nil for what is none, or stands in a variable.
  private func literalText(_ tree: ExpressionTree) -> String? {
    guard case .constant(let constant) = tree.kind else { return nil }
    if case .string(let text) = constant.value { return text }
    return context.source?.text(tree.span)
  }

  /// The problem of a value that is to be of a type.
  func offering(_ problem: Diagnostic, as type: AttributeType, written: ExpressionTree)
    -> Diagnostic
  {
    guard let span = problem.span, let text = written.parts(at: span).first.flatMap(literalText)
    else { return problem }
    var problem = problem
    problem.fixIts += type.literals(meantBy: text, in: context.evaluation).map { FixIt(span, $0) }
    return problem
  }
}

extension ExpressionTree {
  fileprivate var isBoolean: Bool {
    if case .constant(let constant) = kind, case .boolean = constant.value { true } else { false }
  }

  /// The literals at a place: itself, or an element of a list.
  fileprivate func parts(at span: SourceSpan) -> [ExpressionTree] {
    if self.span == span { return [self] }
    guard case .aggregate(let parts) = kind else { return [] }
    return parts.filter { $0.span == span }
  }
}

extension String {
  /// `2009` of `2009*` and `2009-%`
  fileprivate var withoutWildcards: String {
    let end = reversed().drop { "*%?_-/＊％ ".contains($0) }
    return String(String(end.reversed()).drop { "*%".contains($0) })
  }
}

extension Array where Element: Hashable {
  /// Each once, where it stands first.
  package var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
