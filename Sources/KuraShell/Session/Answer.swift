import KuraLessons

/// What a person may say to a question: a letter that it lists, or the whole word. Anything else, a statement
/// that was meant for the prompt for instance, is no answer.
enum Answer: CaseIterable {
  case yes, no, cancel, later

  init?(_ text: String) {
    let word = text.trimmed.lowercased()
    let known = Self.allCases.first { $0.words.contains(word) }
    guard let known else { return nil }
    self = known
  }

  /// In Japanese too, as a keyboard writes them that is on.
  private var words: [String] {
    switch self {
    case .yes: ["y", "yes", "ｙ", "ｙｅｓ", "はい"]
    case .no: ["n", "no", "ｎ", "ん", "ｎｏ", "いいえ"]
    case .cancel: ["c", "cancel", "ｃ", "キャンセル"]
    case .later: ["l", "later", "ｌ", "後で", "あとで"]
    }
  }
}
