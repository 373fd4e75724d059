import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

// A word without quotes where a value is wanted.
extension Checker {
  /// Adds what an unknown word may mean beside the other side of a comparison.
  ///
  /// `found` are the places in `state.problems` of what was said of this side.
  func offerValues(
    _ found: Range<Int>, of side: ExpressionTree, against other: CheckedExpression,
    _ comparison: Comparison
  ) {
    for place in found {
      guard let word = bareWord(in: side, state.problems[place]) else { continue }
      // Two literals would ask nothing of the objects, nor would a text and a list or a word.
      if case .literal = other.type { continue }
      if word.span.end <= comparison.operationSpan.start, other.isNoKey { continue }
      let whole = ComparedText(word.text, at: word.span, is: comparison, other)
      offer(fixes(for: whole), of: word.text, at: place)
    }
  }

  /// Adds what an unknown word may mean where a value of a type is wanted.
  func offerValues(_ found: Range<Int>, of side: ExpressionTree, as type: AttributeType) {
    for place in found {
      guard let word = bareWord(in: side, state.problems[place]) else { continue }
      offer(
        type.literals(meantBy: word.text, in: context.evaluation).map { FixIt(word.span, $0) },
        of: word.text, at: place)
    }
  }

  private func offer(_ fixes: [FixIt], of word: String, at place: Int) {
    guard !fixes.isEmpty,
      case .unknownKey(let key, let entity, _, _)? = state.problems[place].facts as? CheckFacts
    else { return }
    state.problems[place].facts = CheckFacts.bareWord(
      key, entity: entity, meant: fixes[0].replacement(in: context.source))
    state.problems[place].fixIts = fixes + state.problems[place].fixIts
  }

  /// The word that a problem says to be no key, if it is all of a side or an element of a list.
  private func bareWord(
    in side: ExpressionTree, _ problem: Diagnostic
  ) -> (text: String, span: SourceSpan)? {
    guard case .unknownKey(_, _, _, let subentities)? = problem.facts as? CheckFacts,
      subentities.isEmpty, let span = problem.span
    else { return nil }
    let candidates: [ExpressionTree]
    if case .aggregate(let parts) = side.kind { candidates = parts } else { candidates = [side] }
    guard
      let tree = candidates.first(where: { $0.span.start <= span.start && span.end <= $0.span.end }
      ),
      case .keyPath(let path) = tree.kind, path.base == nil,
      path.components.allSatisfy({ $0.kind == .key })
    else { return nil }
    return (text(tree), tree.span)
  }
}

extension CheckedExpression {
  /// Whether it is a list of literals, or a word of which nothing is known.
  fileprivate var isNoKey: Bool {
    switch written.kind {
    case .aggregate(let parts): parts.allSatisfy { $0.isScalarLiteral || $0.isLiteralNull }
    case .keyPath: type == .any
    default: false
    }
  }
}

/// A text, or a word that is to be one, on one side of a comparison.
struct ComparedText {
  let text: String
  let span: SourceSpan
  let comparison: Comparison
  let other: CheckedExpression

  init(_ text: String, at span: SourceSpan, is comparison: Comparison, _ other: CheckedExpression) {
    self.text = text
    self.span = span
    self.comparison = comparison
    self.other = other
  }
}

extension Checker {
  /// What may be written for a text that can never be what the other side is.
  func fixes(for compared: ComparedText) -> [FixIt] {
    let null =
      (WrittenTruth.isNull(compared.text) || compared.text.isEmpty) && compared.asksForEquality
      ? [FixIt(compared.span, "NULL")] : []
    return call(compared.text, at: compared.span) + null + values(for: compared)
  }

  /// `now()` for `now`
  private func call(_ word: String, at span: SourceSpan) -> [FixIt] {
    let function = PredicateFunction.called(word) ?? PredicateFunction.knownElsewhere(as: word)
    guard let function, function.operands.accept(0), let name = function.names.first else {
      return []
    }
    return [FixIt(span, name + "()")]
  }

  private func values(for compared: ComparedText) -> [FixIt] {
    let (text, span) = (compared.text, compared.span)
    switch compared.other.type.element {
    case .attribute(.date), .date: return dates(for: compared)
    case .attribute(let type):
      return type.literals(meantBy: text, in: context.evaluation).map { FixIt(span, $0) }
    case .number, .objectID:
      return WrittenNumber.digits(text).map { [FixIt(span, $0)] } ?? []
    case .boolean: return WrittenTruth.value(text).map { [FixIt(span, $0 ? "YES" : "NO")] } ?? []
    case .object(let entity): return names(of: entity, for: compared)
    case .collection, .entity, .literal, .string, .any: return [FixIt(span, text.writtenText)]
    }
  }

  /// `parentCategory.name == "家"`, `ANY tags.name == "家"`
  private func names(of entity: String, for compared: ComparedText) -> [FixIt] {
    let attributes = model.allAttributes(of: entity).filter { $0.type == .string }
    return attributes.prefix(2).map { attribute in
      let end = compared.other.written.span.end
      let key =
        compared.other.written.kind == .evaluatedObject
        ? TextEdit(compared.other.written.span, attribute.name.writtenName)
        : TextEdit(SourceSpan(end, end), ".\(attribute.name.writtenName)")
      return FixIt(
        edits: anyEdits(compared) + [key, TextEdit(compared.span, compared.text.writtenText)])
    }
  }

  /// `ANY` before a to-many without it.
  private func anyEdits(_ compared: ComparedText) -> [TextEdit] {
    guard compared.other.type.isCollection, compared.comparison.modifier == .direct,
      compared.isOnRight, compared.comparison.operation != .contains
    else { return [] }
    let start = compared.comparison.left.span.start
    return [TextEdit(SourceSpan(start, start), "ANY ")]
  }
}

extension ComparedText {
  var isOnRight: Bool { span.start >= comparison.operationSpan.end }

  fileprivate var asksForEquality: Bool {
    comparison.operation == .equal || comparison.operation == .notEqual
  }
}
