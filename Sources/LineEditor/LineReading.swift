import KuraSentences

/// A source of lines: an editor on a terminal, a plain terminal, a file or a pipe, or a test.
///
///     switch try reader.readLine(Prompt("kura> ", continuation: " ...> ")) {
///     case .text(let line): run(line)
///     case .interrupted: forgetHalfTypedStatement()
///     case .end: leave()
///     }
package protocol LineReading: AnyObject {
  /// Reads the next line.
  ///
  /// An editor knows when a statement is complete, and returns all its lines as one text. Every
  /// other reader returns single lines and shows `prompt.first`; to read more, call it again with
  /// the continuation as first prompt.
  func readLine(_ prompt: Prompt) throws(LineInputError) -> LineEvent

  /// Reads the answer to a question: always one line, and never kept in the history.
  func readAnswer(to question: String) throws(LineInputError) -> LineEvent
}

/// The result of reading a line.
package enum LineEvent: Sendable, Equatable {
  /// A line without the line break that ended it.
  case text(String)
  /// Control-C.
  case interrupted
  /// Control-D at an empty prompt, or the end of a file.
  case end
}

package struct Prompt: Sendable, Equatable {
  /// The prompt of a statement's first line: `kura> `
  package var first: String
  /// The prompt of its other lines: ` ...> `
  package var continuation: String
  /// The parameters of the escape sequence that colors both, such as `32`; empty for no color.
  package var style: String
  /// The initial text of the line, as if it had been typed; only an editor shows it.
  package var draft: String

  package init(
    _ first: String, continuation: String = "", style: String = "", draft: String = ""
  ) {
    self.first = first
    self.continuation = continuation
    self.style = style
    self.draft = draft
  }
}

/// The reasons why a line could not be read.
package enum LineInputError: Error, Sendable, Equatable {
  /// The line with this number, counted from 1, is not UTF-8.
  case notUTF8(line: Int)
  /// The system refused to read, with its error number.
  case unreadable(code: Int32)
}

extension LineInputError: CustomStringConvertible {
  package var description: String { Sentences.text(for: self) }
}

/// The messages of this module.
enum Sentences {
  static func text(for error: LineInputError) -> String {
    switch error {
    case .notUTF8(let line):
      localized("line \(line) of the input is not UTF-8; convert it, for example with iconv")
    case .unreadable(let code):
      localized("the input cannot be read: \(System.message(for: code))")
    }
  }

  static func searchPrompt(query: String, found: Bool) -> String {
    found
      ? localized("(search: \(query)) ") : localized("(search: \(query), not found) ")
  }

  static var nothingFits: String { localized("no completions") }
  static var noFix: String { localized("there is no fix for the previous statement") }
  static var noHelp: String { localized("there is no help for this word") }
}
