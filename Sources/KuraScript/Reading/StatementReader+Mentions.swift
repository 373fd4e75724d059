import KuraDiagnostics
import KuraPredicates

// A fix of a statement that what follows depends on.
extension StatementReader {
  /// `let x = 3` and then `print x`: with its sign in the one place, a variable wants it in the others.
  func withLaterMentions(_ diagnostic: Diagnostic) -> Diagnostic {
    guard case .variableWithoutSign(let name)? = diagnostic.facts as? StatementFacts,
      let first = diagnostic.fixIts.first, let span = diagnostic.span
    else { return diagnostic }
    var result = diagnostic
    let later = mentions(of: name, behind: lineStart + span.end)
    result.fixIts = [FixIt(edits: first.edits + later.map { TextEdit($0, "$") })]
    return result
  }

  /// So far a name is looked for.
  private static let nearby = 2_000

  /// The places before a word in the text that is there, where it is no key of something.
  private func mentions(of name: String, behind start: Int) -> [SourceSpan] {
    let end = min(bytes.count, start + Self.nearby)
    var lexer = Lexer(bytes, from: start, to: end, base: lineStart, mode: .statement)
    var (places, last) = ([SourceSpan](), Token(.end(.text), span: .none))
    while case let token = lexer.next(), token.end == nil {
      let isWord = token.kind == .word && bytes(of: token).elementsEqual(name.utf8)
      if isWord, !last.is(.dot) { places.append(SourceSpan(token.span.start, token.span.start)) }
      last = token
    }
    return places
  }

  private func bytes(of token: Token) -> ArraySlice<UInt8> {
    bytes[lineStart + token.span.start..<lineStart + token.span.end]
  }
}

extension Diagnostic {
  /// Where the last of its fixes' edits ends.
  var lastEdit: Int { fixIts.map(\.span.end).max() ?? 0 }
}
