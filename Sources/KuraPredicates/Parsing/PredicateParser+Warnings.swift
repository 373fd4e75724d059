import KuraDiagnostics
import KuraValues

// What is read as it is written, and was perhaps not meant so: said in statements only.
extension PredicateParser {
  /// Looks at a pattern that stands as a string on the right.
  func warnAboutPattern(_ operation: ComparisonOperator, _ right: ExpressionTree) {
    guard cursor.isStatement, case .constant(let constant) = right.kind,
      case .string(let text) = constant.value
    else { return }
    switch operation {
    case .matches: warnAboutBackspaces(right.span)
    case .like: warnAboutPercent(text, right.span)
    default: break
    }
  }

  /// `\b` on the right of MATCHES is a backspace, and was meant as a boundary.
  private func warnAboutBackspaces(_ span: SourceSpan) {
    let bytes = cursor.bytes(span)
    guard bytes.first == UInt8(ascii: "\"") || bytes.first == UInt8(ascii: "'") else { return }
    for offset in StringLiteral(quoted: bytes).backspaces {
      let start = span.start + offset - bytes.startIndex
      warn(.backspaceInPattern, at: SourceSpan(start, start + 2), fix: "\\\\b")
    }
  }

  /// `LIKE "%x%"`, as in SQL, where nothing else in the pattern is special.
  private func warnAboutPercent(_ pattern: String, _ span: SourceSpan) {
    let bytes = pattern.utf8
    guard bytes.first == UInt8(ascii: "%") || bytes.last == UInt8(ascii: "%"),
      !bytes.contains(UInt8(ascii: "*")), !bytes.contains(UInt8(ascii: "?"))
    else { return }
    warn(.percentInLike, at: span, fix: cursor.text(span).replacing("%", with: "*"))
  }

  /// `2010-07-20`, which is a subtraction.
  func warnAboutDate(_ span: SourceSpan) {
    guard cursor.isStatement, (8...10).contains(span.end - span.start) else { return }
    let text = cursor.text(span)
    let parts = text.split { $0 == "-" || $0 == "/" }
    let isDate =
      parts.count == 3 && parts[0].utf8.count == 4
      && parts.allSatisfy { $0.utf8.allSatisfy(\.isDigit) }
    if isDate { warn(.dateWithoutQuotes(text), at: span, fix: "\"\(text)\"") }
  }

  func warn(_ facts: PredicateSyntaxFacts, at span: SourceSpan, fix: String) {
    warnings.append(Diagnostic(facts, at: span, fixIt: FixIt(span, fix), severity: .warning))
  }
}
