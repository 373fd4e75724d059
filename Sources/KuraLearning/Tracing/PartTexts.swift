package import KuraDiagnostics
import KuraModel
package import KuraPredicates
import KuraSentences
package import KuraValues

/// Formats parts of a predicate as they were written, and values as statements write them.
package struct PartTexts: Sendable {
  private let source: SourceText?
  private let zone: ZoneRules

  package init(_ source: SourceText?, _ zone: ZoneRules) {
    self.source = source
    self.zone = zone
  }
}

extension PartTexts {
  /// Returns a leaf as written in the text; for AND, OR and NOT, the word.
  package func text(of part: PredicateTree) -> String {
    switch part.kind {
    case .and: return "AND"
    case .or: return "OR"
    case .not where !part.isNone: return "NOT"
    case .not, .comparison, .constant, .truth: return whole(part)
    }
  }

  /// Returns a complete predicate as written in the text.
  package func whole(_ part: PredicateTree) -> String {
    written(part.span) ?? part.predicateFormat
  }

  /// Returns an expression as written in the text.
  package func text(of part: ExpressionTree) -> String {
    written(part.span) ?? part.expressionFormat
  }

  private func written(_ span: SourceSpan) -> String? {
    guard span != .none, let text = source?.text(span), !text.isEmpty else { return nil }
    return text.withPlainBlanks
  }

  /// Returns `"誕生"`, `YES`, `"2026-02-01"`, `Item/3`, `{1, 2, …}`; only the beginning of a long
  /// text.
  package func text(of value: Value) -> String {
    switch value {
    case .null: return "nil"
    case .list(let elements): return list(elements)
    case .set(let set): return list(set.elements)
    case .string(let text) where text.count > Self.mostLetters:
      return StatementText.string(String(text.prefix(Self.mostLetters)) + "…")
    default: return AttributeType.json.literal(value, in: zone)
    }
  }

  private func list(_ elements: [Value]) -> String {
    let shown = elements.prefix(Self.mostElements).map(text(of:))
    let rest =
      elements.count > shown.count ? [localized("… \(elements.count - shown.count) more")] : []
    return "{\((shown + rest).joined(separator: ", "))}"
  }

  private static let mostLetters = 60
  private static let mostElements = 5
}

extension String {
  /// The text on one line, with single spaces except in quotes.
  fileprivate var withPlainBlanks: String {
    var result = ""
    var quote: Character?
    var isEscaped = false
    for character in self {
      if let open = quote {
        result.append(character)
        if character == open, !isEscaped { quote = nil }
        isEscaped = character == "\\" && !isEscaped
      } else if character.isWhitespace {
        if result.last != " " { result.append(" ") }
      } else {
        if character == "\"" || character == "'" { quote = character }
        result.append(character)
      }
    }
    return result
  }
}
