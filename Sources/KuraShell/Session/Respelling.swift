import KuraDiagnostics
import KuraLessons
import KuraScript
import KuraSentences

// Words of another language with a single meaning, in a statement that a user typed
extension Session {
  /// Reports the words, and returns the corrected statement. Returns nil if the statement is not alone at
  /// a prompt, if its meaning is uncertain, or if it changes anything.
  func respelled(_ problems: [(diagnostic: Diagnostic, source: SourceText)]) -> String? {
    guard isTypedByUser, !learning.isOpen else { return nil }
    for (diagnostic, source) in problems {
      let text = String(decoding: source.bytes, as: UTF8.self)
      guard text.trimmed == typing.last.trimmed,
        diagnostic.fixIts.contains(where: { !$0.respellings.isEmpty }),
        let fix = corrected(diagnostic, in: source).fixIts.first, !fix.respellings.isEmpty,
        case let respelled = fix.applied(to: text), changesNothing(respelled)
      else { continue }
      typing.corrected = nil
      explain(fix.respellings)
      return respelled
    }
    return nil
  }

  /// Returns whether a text is one statement that changes nothing.
  private func changesNothing(_ text: String) -> Bool {
    let parts = TypedStatements(text).all
    guard parts.count == 1, case .statement(let statement) = parts[0],
      let effect = try? statement.command.effect
    else { return false }
    return effect != .changes
  }

  /// Reports how Kura writes a statement of another language, or a word for the first time.
  private func explain(_ respellings: [Respelling]) {
    for respelling in respellings {
      switch respelling {
      case .statement(let ours): report(localized("in Kura: \(ours)"))
      case .word(let word, let ours):
        guard typing.explainedWords.insert(respelling).inserted else { continue }
        report(localized("Kura writes \"\(ours)\" for \(word)"))
      }
    }
  }
}
