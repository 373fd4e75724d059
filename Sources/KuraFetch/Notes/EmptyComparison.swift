import Foundation
import KuraChecking
import KuraDiagnostics
import KuraPredicates
import KuraSentences
import KuraValues

/// A comparison with a text that no object satisfies, and similar ones that an object satisfies.
struct EmptyComparison {
  private let comparison: Comparison
  private let request: BoundRequest
  private let texts: [(text: String, span: SourceSpan)]

  /// Returns nil for a comparison without a text, and for one that an object satisfies.
  init?(_ comparison: Comparison, of request: BoundRequest) {
    guard comparison.modifier == .direct || comparison.modifier == .any,
      comparison.operation.asksForText
    else { return nil }
    let texts = comparison.right.texts(in: request.environment)
    guard !texts.isEmpty, !request.finds(PredicateTree(.comparison(comparison))) else { return nil }
    (self.comparison, self.request, self.texts) = (comparison, request, texts)
  }

  var note: Diagnostic? {
    wildcard ?? wholeText ?? nearText ?? otherCase
  }
}

extension EmptyComparison {
  /// `title CONTAINS "*Sea*"`, `title BEGINSWITH "Sea%"`
  private var wildcard: Diagnostic? {
    guard let (text, span) = texts.first, comparison.operation.family != .pattern else {
      return nil
    }
    let pattern = text.replacing("%", with: "*")
    guard pattern.contains("*"), pattern.contains(where: { $0 != "*" }) else { return nil }
    let plain = pattern.trimmingCharacters(in: CharacterSet(charactersIn: "*"))
    if comparison.operation.asksForPart, !plain.contains("*"), finds(comparison.operation, plain) {
      return note(
        .wildcard(operation: comparison.operation.text), at: span,
        fix: FixIt(span, plain.writtenText))
    }
    let whole = comparison.operation.patternOfWhole(pattern)
    guard finds(.like, whole) else { return nil }
    return note(
      .wildcard(operation: comparison.operation.text), at: span,
      fix: edits(operation: "LIKE", text: whole, at: span))
  }

  /// `title LIKE "Sea"`, `title MATCHES "Sea"`
  private var wholeText: Diagnostic? {
    guard let (text, span) = texts.first, !text.isEmpty else { return nil }
    let pattern: String
    switch comparison.operation {
    case .like where !text.contains { "*?".contains($0) }: pattern = "*\(text)*"
    case .matches: pattern = text.contains("|") ? ".*(\(text)).*" : ".*\(text).*"
    default: return nil
    }
    guard finds(comparison.operation, pattern) else { return nil }
    return note(
      .wholeText(operation: comparison.operation.text), at: span,
      fix: FixIt(span, pattern.writtenText))
  }

  /// `title == "the sea"`, for all objects: `nearText` reads only some objects.
  private var otherCase: Diagnostic? {
    guard comparison.options.isEmpty else { return nil }
    var other = comparison
    other.options = .caseInsensitive
    guard request.finds(PredicateTree(.comparison(other))) else { return nil }
    let text = request.environment.source?.text(whole)
    return note(
      .otherCase(text ?? PredicateTree(.comparison(comparison)).predicateFormat), at: whole,
      fix: ignoringCase)
  }

  private var ignoringCase: FixIt? {
    guard comparison.operationSpan != .none, comparison.options.isEmpty else { return nil }
    let end = comparison.operationSpan.end
    return FixIt(SourceSpan(end, end), "[c]")
  }

  /// `title == "The  Sea"`
  private var nearText: Diagnostic? {
    guard let (typed, span) = texts.first else { return nil }
    let known = request.texts(of: comparison.left)
    switch comparison.operation {
    case .equal, .in:
      guard let near = NearValue(to: typed, among: known) else { return nil }
      return note(
        .nearValue(subject, typed: typed, near: near.near, near.way), at: span,
        fix: FixIt(span, near.near.writtenText))
    case .beginsWith, .endsWith, .contains:
      let near = NearValue(partOf: known, comparison.operation, typed: typed)
      return near.flatMap {
        note(
          .nearPart(
            subject, operation: comparison.operation.text, typed: typed, near: $0.near, $0.way),
          at: span, fix: $0.way == .letterCase ? ignoringCase : nil)
      }
    default: return nil
    }
  }
}

extension EmptyComparison {
  private var subject: String {
    request.environment.source.map { $0.text(comparison.left.span) }
      ?? comparison.left.expressionFormat
  }

  private var whole: SourceSpan { comparison.left.span.joined(comparison.right.span) }

  private func finds(_ operation: ComparisonOperator, _ text: String) -> Bool {
    var other = comparison
    other.operation = operation
    other.right = ExpressionTree(.constant(Constant(.string(text))))
    return request.finds(PredicateTree(.comparison(other)))
  }

  private func edits(operation: String, text: String, at span: SourceSpan) -> FixIt? {
    guard comparison.operationSpan != .none, span != .none else { return nil }
    return FixIt(edits: [
      TextEdit(comparison.operationSpan, operation), TextEdit(span, text.writtenText),
    ])
  }

  private func note(_ facts: FetchNote, at span: SourceSpan, fix: FixIt?) -> Diagnostic? {
    let place = span == .none ? whole : span
    return Diagnostic(facts, at: place, fixIt: span == .none ? nil : fix, severity: .note)
  }
}

extension ComparisonOperator {
  fileprivate var asksForText: Bool {
    self == .equal || self == .in || asksForPart || family == .pattern
  }

  fileprivate var asksForPart: Bool { family == .part || family == .content }

  /// Returns a LIKE pattern with the meaning of this operator.
  fileprivate func patternOfWhole(_ pattern: String) -> String {
    switch self {
    case .contains: "*\(pattern)*".replacing("**", with: "*")
    case .beginsWith: "\(pattern)*".replacing("**", with: "*")
    case .endsWith: "*\(pattern)".replacing("**", with: "*")
    default: pattern
    }
  }
}

extension ExpressionTree {
  /// Returns the texts of a literal or a list, with their spans.
  fileprivate func texts(in environment: FetchEnvironment) -> [(text: String, span: SourceSpan)] {
    switch kind {
    case .constant(let constant):
      switch constant.value {
      case .string(let text): [(text, span)]
      case .list(let list):
        list.compactMap { if case .string(let text) = $0 { (text, .none) } else { nil } }
      default: []
      }
    case .aggregate(let parts): parts.flatMap { $0.texts(in: environment) }
    case .variable(let name):
      if case .string(let text)? = environment.variables[name] { [(text, .none)] } else { [] }
    default: []
    }
  }
}
