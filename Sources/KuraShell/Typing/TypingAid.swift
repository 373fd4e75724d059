import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraScript

/// The help while a user types: colors, problems, completions, and the meaning of words.
///
/// It reads the session's model, variables and data, and changes nothing.
package final class TypingAid {
  unowned let session: Session
  /// The text that was parsed last; drawing requests it repeatedly.
  private var last: TypedText?
  /// The values that were queried last.
  var frequent: (question: ValueQuestion, choices: [Choice])?

  package init(_ session: Session) { self.session = session }

  /// Forgets what is cached about the data, which a statement may have changed.
  package func beginLine() {
    last = nil
    frequent = nil
  }

  var checkContext: CheckContext { session.checkContext }

  private func typed(_ text: String) -> TypedText {
    if let last, last.text == text { return last }
    let typed = TypedText(text, in: checkContext)
    last = typed
    return typed
  }
}

extension TypingAid {
  /// Returns the colored parts of the text; the cursor is before a byte, or -1 for none.
  package func parts(_ text: String, cursor: Int) -> [TextPart] {
    guard session.settings.highlights else { return [] }
    return typed(text).parts(cursor: cursor < 0 ? .max : cursor, session.context.graph.model)
  }

  /// Returns the problem at the cursor, in one line; empty if there is none.
  package func notice(_ text: String, cursor: Int) -> String {
    if let expected = expected(text, cursor: cursor) { return expected }
    guard session.settings.highlights, let problem = typed(text).problem(at: cursor) else {
      return ""
    }
    let help = problem.facts.help.map { "; \($0)" } ?? ""
    return problem.facts.sentence + help
  }

  /// Returns what the previous lines lack, if the text ends with a blank line.
  private func expected(_ text: String, cursor: Int) -> String? {
    guard cursor == text.utf8.count, cursor < TypedText.longestChecked,
      let newline = text.lastIndex(of: "\n"), text[newline...].allSatisfy(\.isWhitespace)
    else { return nil }
    return session.speaking { Completeness(String(text[..<newline])).expected }
  }

  /// Returns what most likely follows the end of the text; empty if that is uncertain.
  package func hint(_ text: String) -> String {
    guard session.settings.hints, text.utf8.count < TypedText.longestChecked else { return "" }
    let found = choices(text, at: text.utf8.count, withValues: false)
    let typed = text.utf8.dropFirst(found.start)
    let next = found.all.first { !typed.isEmpty && $0.text.utf8.starts(with: typed) }
    guard let choice = next ?? (found.all.count == 1 && typed.isEmpty ? found.all[0] : nil) else {
      return ""
    }
    return String(choice.text.utf8.dropFirst(typed.count)) ?? ""
  }

  /// Lets the user edit a text in another program; nil if that failed, which is reported.
  package func edited(_ text: String) -> String? {
    do { return try session.services.edit?(text) } catch {
      session.report(error, in: nil)
      return nil
    }
  }

  /// Whether previous statements may be hints, too.
  package var hintsHistory: Bool { session.settings.hints }

  /// Returns whether a text failed when it was last run.
  package func hasFailed(_ text: String) -> Bool { session.typing.failed.contains(text) }

  /// The last failed statement with its first fix; nil if there was no fix.
  package var corrected: String? { session.typing.corrected }

  /// Shows a text through a pager if it is longer than the screen; returns false if that failed.
  package func page(_ text: String) -> Bool {
    do {
      try session.page(text)
      try session.targets.flush()
      return true
    } catch { return false }
  }

  /// Whether Tab completes.
  package var completes: Bool { session.settings.completes }

  /// Returns the help about the word at a byte; empty if there is none.
  package func help(_ text: String, cursor: Int) -> String {
    session.help(for: "", in: text, at: cursor) ?? ""
  }
}

extension TextRole {
  /// The parameters of the escape sequence of its color, one of the sixteen of every terminal, so
  /// that it suits light and dark backgrounds.
  var style: String {
    switch self {
    case .plain: ""
    case .statement, .setting: "1;34"
    case .keyword: "34"
    case .entity: "1;36"
    case .key: "36"
    case .variable, .function: "35"
    case .string: "32"
    case .number: "33"
    case .comment: "2"
    case .broken: "31"
    case .bracket: "1;4"
    }
  }
}

extension TextPart {
  /// The style; errors are underlined, too.
  var style: String { isWrong ? "4;31" : role.style }
}

extension TypingAid {
  /// Returns the colors of a text, in order; empty if messages have none.
  package func styles(_ text: String, cursor: Int) -> [(range: Range<Int>, style: String)] {
    guard session.services.style.usesColor else { return [] }
    return parts(text, cursor: cursor).map { ($0.range, $0.style) }
  }
}
