import Foundation
import KuraDiagnostics
import KuraGraph
import KuraSentences

package struct LinePrompt: Sendable, Equatable {
  package var first: String
  /// The prompt of the further lines of a statement.
  package var continuation: String
  /// The initial text of the line, to be changed or run.
  package var draft = ""
}

/// The pattern of a prompt, in which `%` and a letter represent current values.
///
///     PromptPattern("%s%c%*> ")     // todo> , todo*> , todo/edit*>
struct PromptPattern: Equatable {
  var text: String

  static let standard = PromptPattern(text: "%s%c%*> ")

  /// The meaning of the letters, for the help.
  static let letters: Sentence = """
    %s is the store's name.
    %c is a / and the scratch context.
    %* is a * if there are unsaved changes.
    %% is a %.
    """

  /// Returns the prompt, in at most a third of the columns.
  func filled(store: String, scratches: [String], hasChanges: Bool, columns: Int) -> String {
    var result = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "%", let letter = rest.popFirst() else {
        result.append(character)
        continue
      }
      switch letter {
      case "s": result += store.shortened(to: max(4, columns / 4))
      case "c": result += scratches.map { "/" + $0.shortened(to: max(4, columns / 8)) }.joined()
      case "*": result += hasChanges ? "*" : ""
      case "%": result += "%"
      default: result += "%" + String(letter)
      }
    }
    return result
  }
}

extension String {
  /// Returns the text in at most `columns` cells, shortened with `…`.
  fileprivate func shortened(to columns: Int) -> String {
    let width = DisplayWidth()
    let shown = VisibleText.of(self)
    guard width.cells(shown) > columns else { return shown }
    var result = ""
    for character in shown {
      if width.cells(result + String(character)) > columns - 1 { break }
      result.append(character)
    }
    return result + "…"
  }
}

extension Session {
  /// Returns the prompt for the next line; its initial text is used once.
  func takePrompt(isContinuation: Bool) -> LinePrompt {
    let first =
      lessonPrompt
      ?? settings.prompt.filled(
        store: promptName, scratches: scratches.map(\.name),
        hasChanges: context.hasChanges || scratches.contains { $0.parent.hasChanges },
        columns: services.terminalWidth() ?? 80)
    let width = DisplayWidth().cells(first)
    let dots = width > 5 ? "...> " : "> "
    let continuation = String(repeating: " ", count: max(0, width - dots.count)) + dots
    defer { typing.draft = "" }
    return LinePrompt(
      first: isContinuation ? continuation : first, continuation: continuation, draft: typing.draft)
  }

  /// The place in a lesson: `kura[6.2]> `
  private var lessonPrompt: String? {
    guard let place = learning.lesson?.place else {
      return learning.quiz == nil ? nil : "kura[quiz]> "
    }
    return PromptPattern(text: "kura[\(place)]%c> ").filled(
      store: "", scratches: scratches.map(\.name), hasChanges: false,
      columns: services.terminalWidth() ?? 80)
  }

  private static func baseName(_ path: String) -> String {
    NSString(string: NSString(string: path).lastPathComponent).deletingPathExtension
  }

  private var promptName: String {
    switch store.home {
    case .memory: "kura"
    case .plain(let source): source.paths.first.map(Self.baseName) ?? "stdin"
    case .file(let path): Self.baseName(path)
    }
  }
}
