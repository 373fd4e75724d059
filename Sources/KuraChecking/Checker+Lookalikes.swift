package import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

/// What may be asked as it stands, and looks like something else that was meant.
package enum LookalikeFacts: DiagnosticFacts, Hashable {
  /// `"category" == "Office"`: a text, where there is a key of that name
  case quotedKey(String, entity: String)
  /// `tags == NULL`, of a to-many
  case collectionIsNeverNull(String, isEmpty: Bool)
  /// `category == "<>Private"`
  case operatorInText(String)
  /// `title == "*Sea*"`
  case wildcardInText(String)

  package var kind: Diagnostic.Kind { .semantics }

  package var sentence: String {
    switch self {
    case .quotedKey(let key, let entity):
      localized("\"\(key)\" in quotes is a text, and not the key of \(entity)")
    case .collectionIsNeverNull(let path, _):
      localized("\"\(path)\" is a collection, which is empty at most, and never nil")
    case .operatorInText(let sign): localized("\(sign) in quotes is a part of the text")
    case .wildcardInText(let operation):
      localized("* in quotes is itself beside \(operation), and stands for nothing else")
    }
  }

  package var help: String? {
    switch self {
    case .quotedKey(let key, _): localized("a key stands without quotes: \(key.writtenName)")
    case .collectionIsNeverNull(let path, let isEmpty):
      localized("ask for \(path).@count \(isEmpty ? "==" : ">") 0")
    case .operatorInText: localized("an operator stands before the quotes")
    case .wildcardInText: localized("ask with LIKE, for which * stands for any letters")
    }
  }
}

extension Checker {
  /// `"priority" > 0`: no object has a say in it, and one of the texts is the name of a key.
  func warnOfQuotedKeys(_ comparison: Comparison) {
    let isIdle = { (tree: ExpressionTree) in tree.isScalarLiteral || tree.isLiteralNull }
    guard isIdle(comparison.left), isIdle(comparison.right) else { return }
    if !warnOfQuotedKey(comparison.left) { warnOfQuotedKey(comparison.right) }
  }

  /// `select "title"`, `sort "title"`
  @discardableResult
  func warnOfQuotedKey(_ tree: ExpressionTree) -> Bool {
    guard case .constant(let constant) = tree.kind, case .string(let text) = constant.value,
      let entity, model.property(named: text, of: entity) != nil, tree.span != .none,
      context.source?.bytes[safe: tree.span.start].map({ $0 == 34 || $0 == 39 }) ?? false
    else { return false }
    state.problems.append(
      Diagnostic(
        LookalikeFacts.quotedKey(text, entity: entity), at: tree.span,
        fixIt: FixIt(tree.span, text.writtenName), severity: .warning))
    return true
  }

  /// `tags == NULL`, `tags != NULL`: the same of each object.
  func warnOfNullCollection(_ comparison: Comparison) {
    guard comparison.modifier == .direct, comparison.right.isLiteralNull,
      comparison.operation == .equal || comparison.operation == .notEqual,
      case .keyPath(let path) = comparison.left.kind, path.base == nil, path.components.count == 1,
      let entity,
      case .relationship(let relationship)? = model.property(
        named: path.components[0].name, of: entity), relationship.isToMany
    else { return }
    let isEmpty = comparison.operation == .equal
    let facts = LookalikeFacts.collectionIsNeverNull(text(comparison.left), isEmpty: isEmpty)
    let whole = comparison.left.span.joined(comparison.right.span)
    let question = "\(text(comparison.left)).@count \(isEmpty ? "==" : ">") 0"
    state.problems.append(
      Diagnostic(facts, at: whole, fixIt: FixIt(whole, question), severity: .warning))
  }
}

extension Checker {
  /// `category == "<>Private"`, `title == "*Sea*"`: signs of a spreadsheet or a pattern in a text.
  func warnOfSignsInText(_ comparison: Comparison) {
    guard comparison.operation == .equal || comparison.operation == .notEqual,
      case .keyPath = comparison.left.kind,
      case .constant(let constant) = comparison.right.kind, case .string(let text) = constant.value,
      comparison.right.span != .none
    else { return }
    let span = comparison.operationSpan.joined(comparison.right.span)
    if let sign = ["<>", "!=", ">=", "<=", "=="].first(where: text.hasPrefix), text.count > 2 {
      let rest = text.dropFirst(2).drop(while: \.isWhitespace)
      let written = "\(sign == "<>" ? "!=" : sign) \(String(rest).writtenText)"
      return warn(.operatorInText(sign), at: span, fix: FixIt(span, written))
    }
    guard text.count > 1, text.hasPrefix("*") || text.hasSuffix("*") else { return }
    let isNegated = comparison.operation == .notEqual
    let left = comparison.left.span
    let edits =
      (isNegated ? [TextEdit(SourceSpan(left.start, left.start), "NOT ")] : [])
      + [TextEdit(comparison.operationSpan, "LIKE")]
    warn(.wildcardInText(isNegated ? "!=" : "=="), at: span, fix: FixIt(edits: edits))
  }

  private func warn(_ facts: LookalikeFacts, at span: SourceSpan, fix: FixIt) {
    state.problems.append(Diagnostic(facts, at: span, fixIt: fix, severity: .warning))
  }
}

extension Array {
  fileprivate subscript(safe place: Int) -> Element? {
    indices.contains(place) ? self[place] : nil
  }
}
