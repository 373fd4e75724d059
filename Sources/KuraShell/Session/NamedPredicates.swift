import KuraChecking
import KuraDiagnostics
import KuraPredicates
import KuraScript
import KuraSentences

extension Session {
  /// Creates a predicate in which named parts are written out with their current meaning, so that
  /// `let $p = predicate $p AND done == NO` extends `$p`.
  ///
  /// Throws if it becomes too long.
  func named(_ part: PredicatePart, _ name: String, at span: SourceSpan) throws -> NamedPredicate {
    let text = try part.writtenOut(variables.predicates, at: span)
    let source = SourceText(text, name: "$" + name)
    do throws(SyntaxError) {
      let written = try StatementParser(TokenCursor(source, mode: .statement)).parsePredicatePart()
      return NamedPredicate(written.tree, in: source)
    } catch {
      throw Failure([error.diagnostic])
    }
  }
}

extension PredicatePart {
  /// The greatest length in bytes: `let $p = predicate $p OR $p` doubles it each time.
  static let longest = 1_000_000

  fileprivate func writtenOut(
    _ parts: [String: NamedPredicate], at span: SourceSpan
  ) throws(Failure) -> String {
    var written = Array(text.utf8)
    for use in uses(of: parts).reversed() {
      let start = use.span.start - tree.span.start
      guard start >= 0, use.span.end - tree.span.start <= written.count else { continue }
      let inside = "(" + use.part.text + ")"
      written.replaceSubrange(start..<(use.span.end - tree.span.start), with: Array(inside.utf8))
      if written.count > Self.longest { throw Failure(NamedPredicateProblem.tooLong, at: span) }
    }
    return String(decoding: written, as: UTF8.self)
  }

  private func uses(
    of parts: [String: NamedPredicate]
  ) -> [(span: SourceSpan, part: NamedPredicate)] {
    var uses: [(span: SourceSpan, part: NamedPredicate)] = []
    tree.walk { node, bound in
      if case .expression(let tree) = node, case .variable(let name) = tree.kind,
        !bound.contains(name), let part = parts[name]
      {
        uses.append((tree.span, part))
      }
      return .into
    }
    return uses
  }
}

extension NamedPredicate {
  var text: String { String(decoding: source.bytes, as: UTF8.self) }
}

/// The reasons why a predicate cannot be named.
private enum NamedPredicateProblem: DiagnosticFacts {
  case tooLong

  var sentence: String {
    localized("this predicate expands to more than \(PredicatePart.longest) bytes")
  }
  var help: String? { localized("build it from predicates that do not refer to one another") }
}
