import ArgumentParser
import Foundation
import Kura

/// Writes a line to whoever called; throws where it cannot be written, as to a full disk.
func say(_ line: String) throws {
  try FileHandle.standardOutput.write(contentsOf: Data((line.onOneLine + "\n").utf8))
}

extension Todo {
  /// Says what went wrong, and ends with the status of it.
  static func end(with error: any Error) -> Never {
    guard error is Diagnostic || error is StoreError else { exit(withError: error) }
    // A mistake in a text brings the word along, for the mark under its place.
    let message = "\(error)"
    let isMarked = message.contains("error: ")
    FileHandle.standardError.write(Data(((isMarked ? "" : "error: ") + message + "\n").utf8))
    exit(withError: ExitCode.failure)
  }
}

extension String {
  /// The text without what ends a line or speaks to the terminal: an item may come from anywhere.
  var onOneLine: String {
    let scalars = unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: "\u{FFFD}" as Unicode.Scalar
      default: scalar.properties.isBidiControl ? "\u{FFFD}" : scalar
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
