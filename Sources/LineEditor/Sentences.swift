/// All that this module says to a person.
enum Sentences {
  static func text(for error: LineInputError) -> String {
    switch error {
    case .notUTF8(let line):
      "line \(line) of the input is not UTF-8; convert it, for example with iconv"
    case .unreadable(let code):
      "the input cannot be read: \(System.message(for: code))"
    }
  }

  static func searchPrompt(query: String, found: Bool) -> String {
    found ? "(search: \(query)) " : "(search: \(query), not found) "
  }
}
