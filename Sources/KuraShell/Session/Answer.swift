import KuraLessons

/// The answer to a question: one of the letters that it lists, or the complete word. Anything else,
/// such as a statement for the prompt, is not an answer.
enum Answer: CaseIterable {
  case yes, no, cancel, later

  init?(_ text: String) {
    let word = text.trimmed.lowercased()
    let known = Self.allCases.first { $0.words.contains(word) }
    guard let known else { return nil }
    self = known
  }

  /// The accepted words, including Japanese ones as a Japanese keyboard writes them.
  private var words: [String] {
    switch self {
    case .yes: ["y", "yes", "ｙ", "ｙｅｓ", "はい"]
    case .no: ["n", "no", "ｎ", "ん", "ｎｏ", "いいえ"]
    case .cancel: ["c", "cancel", "ｃ", "キャンセル"]
    case .later: ["l", "later", "ｌ", "後で", "あとで"]
    }
  }
}
