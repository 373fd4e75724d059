/// Why a line could not be read.
package enum LineInputError: Error, Sendable, Equatable {
  /// The line with this number, counted from 1, is not UTF-8.
  case notUTF8(line: Int)
  /// The system refused to read, with its error number.
  case unreadable(code: Int32)
}

extension LineInputError: CustomStringConvertible {
  package var description: String { Sentences.text(for: self) }
}
